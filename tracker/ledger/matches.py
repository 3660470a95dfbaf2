"""Sentences about a match: which game of several it is, and how one of a bracket was decided."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

from django.utils.translation import gettext

from games.sheet import Criterion
from tracker.common.figures import figure
from tracker.models import DecidedBy, Progress
from tracker.models.progress import Length


class MatchNow(Protocol):
    """The stored fields of a match, which a table or a row has."""

    @property
    def side_points(self) -> Sequence[int] | None: ...
    @property
    def decided_side(self) -> int | None: ...
    @property
    def decided_by(self) -> str: ...


def game_says(length: Length, games_over: int) -> str:
    """Return which of the games of a round comes, where there are several."""
    if length.games is None or length.games < 2:
        return ""
    numbers = {"number": min(games_over + 1, length.games), "all": length.games}
    return gettext("Game %(number)d of %(all)d") % numbers


def match_says(
    match: MatchNow,
    points: Criterion,
    *,
    sides: Sequence[str],
    progress: Progress,
    over: bool,
    one: str,
) -> str:
    """Return a bracket match's score in words, once it may be over; empty for other tables.

    *over* says that its round is closed, *one* what decides it. *points* are what
    ``Game.match_points`` gives.
    """
    if match.side_points is None or not (over or progress.whole or progress.one_more):
        return ""
    score = score_of(match.side_points, points)
    if progress.one_more and not over:
        return gettext("%(score)s: one more %(one)s decides.") % {"score": score, "one": one}
    if progress.level:
        return gettext("%(score)s: still to be decided.") % {"score": score}
    if match.decided_side is not None:
        return decided_says(match.decided_by) % {"score": score, "who": sides[match.decided_side]}
    winner = max(range(len(sides)), key=match.side_points.__getitem__)
    score = score_of(sorted(match.side_points, reverse=True), points)
    return gettext("Won %(score)s: %(who)s") % {"score": score, "who": sides[winner]}


def decided_says(decided_by: str) -> str:
    """Return the sentence, with holes, of a level match that was decided without a hand."""
    if decided_by == DecidedBy.LOT:
        return gettext("Won by lot at %(score)s: %(who)s")
    return gettext("Decided by the organiser at %(score)s: %(who)s")


def score_of(side_points: Sequence[int], points: Criterion) -> str:
    """Return the points of a match as people write them, side by side."""
    return "–".join(figure(Fraction(abs(each), points.parts)) for each in side_points)
