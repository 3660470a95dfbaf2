"""Standings: who is ahead in a tournament, an event or a season, and what follows from it.

- ``logic``: ranking, the cut after a stage, and the layout of the race chart, without the database
- ``queries``: ``sums`` of marks, ``match_points``, ``awards``, ``brackets``, ``round_records``;
  from these ``ranking_data``, ``standings``, ``final_rankings``, ``points_by_round``, ``seasons``
- ``pages`` and ``services``: one module a page, and the changes it makes; ``columns``: of tables

A *mark* is a whole number that a hand gives to a seat or side by a key, a *tally* a stored sum of
one mark, a *criterion* a figure made of them. An *entrant* is a player or a team of a tournament.
"""
