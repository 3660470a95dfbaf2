"""Sentences about a table: who deals next, which game comes, and how a match was decided."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from functools import cached_property

from django.utils.text import get_text_list
from django.utils.translation import gettext

from games.sheet import Criterion
from tracker.common.figures import figure
from tracker.models import DecidedBy
from tracker.models.progress import RoundLength

# The most possible next dealers that one short line names.
_FEW = 3


class When(IntEnum):
    """The most certain first."""

    NOW = 1
    NEXT = 2
    IF_THEY_WIN = 3
    PERHAPS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class NextDealer:
    """The next dealer after one outcome of a hand; ``dealer`` is ``None`` while it is unknown."""

    outcome: str
    side: int | None
    of: str  # the side's people
    place: int | None
    dealer: str | None
    again: bool = False

    @property
    def heading(self) -> str:
        """Return the heading of the column for this outcome."""
        match self.side:
            case 0:
                return gettext("Next if A wins")
            case 1:
                return gettext("Next if B wins")
            case _:
                return gettext("Next if tied")

    @property
    def in_words(self) -> str | None:
        """Return the dealer's name, and whether they deal twice in a row."""
        return gettext("%(name)s again") % {"name": self.dealer} if self.again else self.dealer


@dataclass(frozen=True)
class DealForecast:
    """Who deals after each outcome of the coming hand, which the seat at *place* deals.

    *place* is ``None`` while the cards are to say it.
    """

    sides: tuple[str, ...]
    place: int | None
    turns: tuple[NextDealer, ...]

    @cached_property
    def by_sides(self) -> tuple[NextDealer, ...]:
        """Return who deals if A wins, if B wins, and after a tie; empty unless that differs."""
        two_sides = [turn.side for turn in self.turns] == [0, 1, None]
        differ = len({turn.place for turn in self.turns}) > 1
        return self.turns if two_sides and differ else ()

    @property
    def whoever_wins(self) -> str | None:
        """Return who deals next, if that is the same however the hand ends."""
        one = len({turn.place for turn in self.turns}) == 1
        return self.turns[0].dealer if one else None

    @property
    def lines(self) -> tuple[str, ...]:
        """Say in as few sentences as can be who deals next."""
        first, *others = self.turns
        if others and self.whoever_wins:
            return (gettext("%(name)s, whoever wins") % {"name": self.whoever_wins},)
        if not others and first.dealer is not None:
            params = {"name": first.dealer, "outcome": first.outcome}
            return (gettext("%(name)s, %(outcome)s") % params,)
        own = [
            turn
            for turn in self.turns
            if turn.side is not None and self.sides[turn.side] == turn.dealer
        ]
        if len(own) < len(self.sides):
            return tuple(self._line(turn) for turn in self.turns)
        rest = tuple(self._line(turn) for turn in self.turns if turn not in own)
        return (gettext("Whoever wins"), *rest)

    @property
    def in_short(self) -> str:
        """Return the possible next dealers in one line; empty if one is unknown or they are many."""
        names = dict.fromkeys(turn.dealer for turn in self.turns if turn.dealer)
        if not 0 < len(names) <= _FEW or any(turn.dealer is None for turn in self.turns):
            return ""
        return gettext("next: %(names)s") % {"names": get_text_list([*names])}

    def _line(self, turn: NextDealer) -> str:
        if turn.dealer is None:
            return turn.outcome
        params = {"outcome": turn.outcome, "name": turn.dealer}
        if turn.again:
            return gettext("%(outcome)s: %(name)s again") % params
        return gettext("%(outcome)s: %(name)s") % params

    def when(self, place: int, side: int) -> When | None:
        """Return when this seat of this side deals, as far as can be known."""
        if place == self.place:
            return When.NOW
        turns = [turn for turn in self.turns if turn.place == place]
        if not turns:
            return None
        if len(turns) == len(self.turns):
            return When.NEXT
        return When.IF_THEY_WIN if side in {turn.side for turn in turns} else When.PERHAPS

    def if_wins(self, side: int) -> str | None:
        """Return who deals next if this side wins, where the rules know."""
        return next((turn.dealer for turn in self.turns if turn.side == side), None)


def game_says(length: RoundLength, games_over: int) -> str:
    """Return which of the games of a round comes, where there are several."""
    if length.games is None or length.games < 2:
        return ""
    numbers = {"number": min(games_over + 1, length.games), "all": length.games}
    return gettext("Game %(number)d of %(all)d") % numbers


def decided_says(decided_by: str) -> str:
    """Return the sentence, with holes, of a level match that was decided without a hand."""
    if decided_by == DecidedBy.LOT:
        return gettext("Won by lot at %(score)s: %(who)s")
    return gettext("Decided by the organiser at %(score)s: %(who)s")


def score_of(side_points: Sequence[int], points: Criterion) -> str:
    """Return the points of a match as people write them, side by side."""
    return "–".join(figure(Fraction(abs(each), points.parts)) for each in side_points)
