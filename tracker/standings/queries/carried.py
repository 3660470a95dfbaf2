"""Carried over: the points that the entrants of a stage bring from the stages before it."""

from collections.abc import Mapping
from fractions import Fraction

from games.sheet import Criterion
from tracker.models import Tournament
from tracker.standings.queries.events import event_of, people_in
from tracker.standings.queries.finishes import bring, carries, finishes


def carried_over(tournament: Tournament, points: Criterion) -> Mapping[int, Fraction]:
    """Return by entrant what is carried over, worked out anew: a correction before moves it.

    It asks nothing unless the tournament is a stage that carries over: then one query for the
    stages, one for the people, and those of ``finishes``.
    """
    if not carries(tournament):
        return {}
    before = event_of(tournament).before(tournament)
    return bring(tournament, points, before, people_in([*before, tournament]), finishes(before))
