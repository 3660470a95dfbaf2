"""Who deals next: the dealer after each outcome of the coming hand, and sentences about it."""

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

from django.utils.text import get_text_list
from django.utils.translation import gettext

_MOST_NAMES_IN_SHORT = 3


class DealsWhen(IntEnum):
    """When the player at a place deals, the most certain first."""

    NOW = 1  # the coming hand
    NEXT = 2  # the hand after it, however the coming hand ends
    IF_THEY_WIN = 3  # the hand after it, if their side wins the coming hand
    PERHAPS = 4  # the hand after it, in some other case


@dataclass(frozen=True, slots=True, kw_only=True)
class NextDealer:
    """The next dealer after one outcome of the coming hand."""

    outcome: str  # in words, such as "if Asha & Juma win"
    # The side that wins, and the names of its players; ``None`` and empty for a tie.
    side: int | None
    side_names: str
    # Where the next dealer sits, and their name; both ``None`` while that is unknown.
    place: int | None
    dealer: str | None
    again: bool = False  # they deal the coming hand, too

    @property
    def heading(self) -> str:
        match self.side:
            case 0:
                return gettext("Next if A wins")
            case 1:
                return gettext("Next if B wins")
            case _:
                return gettext("Next if tied")

    @property
    def dealer_text(self) -> str | None:
        """Return the dealer's name, and whether they deal twice in a row."""
        return gettext("%(name)s again") % {"name": self.dealer} if self.again else self.dealer

    @property
    def line(self) -> str:
        """Return the outcome and the dealer in one line."""
        if self.dealer is None:
            return self.outcome
        params = {"outcome": self.outcome, "name": self.dealer}
        if self.again:
            return gettext("%(outcome)s: %(name)s again") % params
        return gettext("%(outcome)s: %(name)s") % params


@dataclass(frozen=True)
class DealForecast:
    """Who deals the hand after the coming hand, for each outcome of the coming hand."""

    sides: tuple[str, ...]  # the names of the players of each side
    place: int | None  # that deals the coming hand; ``None`` until cards are drawn for the deal
    turns: tuple[NextDealer, ...]  # one for each outcome

    @cached_property
    def by_sides(self) -> tuple[NextDealer, ...]:
        """Return who deals if A wins, if B wins, and after a tie; empty unless that differs."""
        two_sides = [turn.side for turn in self.turns] == [0, 1, None]
        differ = len({turn.place for turn in self.turns}) > 1
        return self.turns if two_sides and differ else ()

    @property
    def whoever_wins(self) -> str | None:
        """Return who deals next, if that is the same however the hand ends."""
        same_dealer = len({turn.place for turn in self.turns}) == 1
        return self.turns[0].dealer if same_dealer else None

    @property
    def lines(self) -> tuple[str, ...]:
        """Return who deals next in as few lines as possible."""
        first, *others = self.turns
        if others and self.whoever_wins:
            return (gettext("%(name)s, whoever wins") % {"name": self.whoever_wins},)
        if not others and first.dealer is not None:
            params = {"name": first.dealer, "outcome": first.outcome}
            return (gettext("%(name)s, %(outcome)s") % params,)
        # If each side is one player, who deals after winning, one line says so for all sides; else
        # there is a line for each outcome.
        winner_deals = [
            turn
            for turn in self.turns
            if turn.side is not None and self.sides[turn.side] == turn.dealer
        ]
        if len(winner_deals) < len(self.sides):
            return tuple(turn.line for turn in self.turns)
        rest = (turn.line for turn in self.turns if turn not in winner_deals)
        return (gettext("Whoever wins"), *rest)

    @property
    def in_short(self) -> str:
        """Return the possible next dealers in one line; empty if one is unknown, or for many."""
        names = dict.fromkeys(turn.dealer for turn in self.turns if turn.dealer)
        one_unknown = any(turn.dealer is None for turn in self.turns)
        if one_unknown or not 0 < len(names) <= _MOST_NAMES_IN_SHORT:
            return ""
        return gettext("next: %(names)s") % {"names": get_text_list([*names])}

    def deals_when(self, place: int, side: int) -> DealsWhen | None:
        """Return when the player at a *place* of a *side* deals; ``None`` if in neither hand."""
        if place == self.place:
            return DealsWhen.NOW
        turns = [turn for turn in self.turns if turn.place == place]
        if not turns:
            return None
        if len(turns) == len(self.turns):
            return DealsWhen.NEXT
        winning_sides = {turn.side for turn in turns}
        return DealsWhen.IF_THEY_WIN if side in winning_sides else DealsWhen.PERHAPS

    def if_wins(self, side: int) -> str | None:
        """Return the name of the next dealer if this side wins; ``None`` if that is unknown."""
        return next((turn.dealer for turn in self.turns if turn.side == side), None)
