"""The demo: a club with two years of data, made by the site's own services from a seed.

``history`` makes the evenings, and ``evening`` has the players and plays one. An evening is a club
night, with one tournament or more; each hand is played by bots and reported as phones do.
"""
