"""Perfect whist schedules: everybody partners everybody once and opposes everybody twice.

``schedule`` gives them, ``rounds`` counts them, ``constructions`` builds them from ``fields``
and from the few tables in ``starters``.
"""
