"""Tournaments: their settings and entrants, and the planner that proposes a format for an evening.

An *entrant* is a player or a team as the standings rank it; without a free place it waits on the
*reserve* list. The *terms* of a tournament are the settings of its rounds, its tie-breaks and its
seating. ``services`` write tournaments and entrants, ``queries`` read them, and ``forms`` and
``pages`` ask for them and show them. ``logic`` is the planner: ``proposals`` makes formats,
``simulation`` plays them, and ``planning`` is the state between two pages.
"""
