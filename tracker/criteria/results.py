"""The results of every round, and what rounds that were not played count as.

It follows FIDE's Tie-Break Regulations (Handbook C.07), whose articles are named in brackets. The
handbook is about games of two. At a table with more opponents, their score is the mean of theirs;
partners are no opponents.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Generic, NamedTuple, TypeAlias, TypeVar

H = TypeVar("H", bound=Hashable)  # an entrant
Number: TypeAlias = Fraction | int


class Edition(StrEnum):
    """Editions of C.07 by the month from which they apply; what differs here is article 16.4."""

    AUGUST_2024 = "2024-08"
    MARCH_2026 = "2026-03"  # the score of a dummy opponent is limited


class Kind(StrEnum):
    """How a round came about for an entrant (C.07, 16.2)."""

    PLAYED = "played"
    BYE = "bye"  # sat out because there was no table (16.2.1)
    FORFEIT_WON = "forfeit_won"  # the opponents did not come (16.2.2)
    FORFEIT_LOST = "forfeit_lost"  # they themselves did not come (16.2.4)
    ABSENT = "absent"  # not there yet, away, or withdrawn: a requested bye (16.2.3, 16.2.5)


class RoundRecord(NamedTuple, Generic[H]):
    """What one round brought an entrant: *points* are its amount of the first criterion.

    ``opponents`` sat, or should have sat, at other sides of the table. ``difference`` are the
    game's points less the mean of the other sides'. ``won``: more points than every other side; by
    match points also a round not played that brought as many as a win.
    """

    round: int
    points: Number
    kind: Kind = Kind.PLAYED
    opponents: tuple[H, ...] = ()
    partners: tuple[H, ...] = ()
    difference: Number = 0
    won: bool = False

    @property
    def voluntary(self) -> bool:
        """Return whether it was the entrant's own choice not to play (16.1.2)."""
        return self.kind in {Kind.ABSENT, Kind.FORFEIT_LOST}


class Contribution(NamedTuple):
    """What a round adds to a sum over opponents: their *score*, for *points* of one's own."""

    score: Number
    points: Number
    voluntary: bool = False


@dataclass(frozen=True, kw_only=True)
class Results(Generic[H]):
    """The results of a tournament as the criteria read them, keyed by entrant.

    ``scores`` are the points that rank, ``records`` the rounds in their order, without matches that
    are not finished; ``hands`` count the hands played, and ``lots`` are drawn places from 1.
    ``carried`` are the points of ``scores`` that come from an earlier stage. ``win`` and ``draw``
    are the points for winning and for drawing a round; without match points nothing limits a win,
    which is ``None``, and a draw is the mean of all rounds played. *everybody_meets*: it is a round
    robin, where forfeits count as played (15.2).
    """

    records: Mapping[H, Sequence[RoundRecord[H]]]
    scores: Mapping[H, Number] = field(default_factory=dict)
    hands: Mapping[H, int] = field(default_factory=dict)
    carried: Mapping[H, Number] = field(default_factory=dict)
    lots: Mapping[H, int] = field(default_factory=dict)
    win: Number | None = None
    draw: Number = 0
    fewest: bool = False
    everybody_meets: bool = False
    edition: Edition = Edition.MARCH_2026
    # What ``adjusted_scores`` and ``contributions`` have returned: several criteria ask for the same.
    _adjusted: dict[bool, dict[H, Number]] = field(init=False, default_factory=dict, repr=False)
    _contributions: dict[tuple[H, bool], list[Contribution]] = field(
        init=False, default_factory=dict, repr=False
    )

    @cached_property
    def last_round(self) -> int:
        """Return the number of the last round that counts."""
        return max((record.round for own in self.records.values() for record in own), default=0)

    @cached_property
    def most_played(self) -> int:
        """Return the largest number of rounds of one entrant that count as played."""
        played = [sum(map(self.counts_as_played, own)) for own in self.records.values()]
        return max(played, default=0)

    def of(self, entrant: H) -> Sequence[RoundRecord[H]]:
        """Return the rounds of an entrant."""
        return self.records.get(entrant, ())

    def counts_as_played(self, record: RoundRecord[H], *, fore: bool = False) -> bool:
        """Return whether a round counts as one against its opponents.

        With *fore*, so do forfeits in the last round, which is taken for a draw (8.3).
        """
        if record.kind is Kind.PLAYED:
            return True
        counted = self.everybody_meets or (fore and record.round == self.last_round)
        return counted and bool(record.opponents)

    def own_score(self, entrant: H, *, fore: bool = False) -> Number:
        """Return the score; with *fore*, a last round that was paired counts as a draw."""
        score = self.scores[entrant]
        last = self.of(entrant)[-1:]
        if fore and last and last[0].round == self.last_round and last[0].opponents:
            score += self.draw - last[0].points
        return score

    def adjusted_score(self, entrant: H, *, fore: bool = False) -> Number:
        """Return the score of an entrant as it counts for its opponents (16.3).

        Absences at the end count as draws; forfeits among them keep their points.
        """
        score = self.own_score(entrant, fore=fore)
        for record in reversed(self.of(entrant)):
            if not record.voluntary or self.everybody_meets:
                break
            if fore and self.counts_as_played(record, fore=True):
                break
            if record.kind is Kind.ABSENT:
                score += self.draw - record.points
        return score

    def adjusted_scores(self, *, fore: bool = False) -> Mapping[H, Number]:
        """Return the adjusted scores of all entrants."""
        if fore not in self._adjusted:
            self._adjusted[fore] = {
                entrant: self.adjusted_score(entrant, fore=fore) for entrant in self.scores
            }
        return self._adjusted[fore]

    def strength(self, record: RoundRecord[H], *, fore: bool = False) -> Number:
        """Return the mean of the adjusted scores of a round's opponents."""
        scores = self.adjusted_scores(fore=fore)
        return mean([scores[each] for each in record.opponents])

    def contribution(
        self, entrant: H, record: RoundRecord[H], *, fore: bool = False
    ) -> Contribution | None:
        """Return what a round adds to the entrant's Buchholz score; ``None`` if nothing.

        A round that was not played counts as one against a dummy with the entrant's own score. From
        March 2026 on that is at most the score of the opponent who should have been there (16.4.1),
        or what a draw in every round would give (16.4.2).
        """
        if self.counts_as_played(record, fore=fore):
            return Contribution(self.strength(record, fore=fore), record.points)
        if self.everybody_meets:
            return None
        score = self.own_score(entrant, fore=fore)
        if self.edition is Edition.MARCH_2026:
            most = self.draw * self.last_round + self.carried.get(entrant, 0)
            if record.opponents:
                most = self.strength(record, fore=fore)
            score = min(score, most)
        return Contribution(score, record.points, record.voluntary)

    def contributions(self, entrant: H, *, fore: bool = False) -> list[Contribution]:
        """Return what each round adds to the entrant's Buchholz score."""
        if (entrant, fore) not in self._contributions:
            all_rounds = [self.contribution(entrant, each, fore=fore) for each in self.of(entrant)]
            self._contributions[entrant, fore] = [each for each in all_rounds if each is not None]
        return self._contributions[entrant, fore]


def mean(figures: Sequence[Number]) -> Number:
    """Return the mean of some figures, 0 of none."""
    count = len(figures)
    if count < 2:
        return figures[0] if figures else 0
    total = sum(figures)
    return total // count if total % count == 0 else Fraction(total, count)


def int_if_whole(figure: Number) -> Number:
    """Return a whole number as an ``int``, with which sums are ten times as quick."""
    return figure.numerator if figure.denominator == 1 else figure
