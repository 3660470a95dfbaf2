"""Seats and remarks of a card table, as the practice page and the replay page show them."""

from dataclasses import dataclass

from games.cards import Face
from games.mode import Mode
from games.play.layout import Layout, Spot
from games.wording import OnSide
from tracker.common.wording import Names, say

_SIDE_LETTERS = "abc"  # a fourth side and later ones have no letter


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatOnPage:
    """A player at the table, with the cards in front of them.

    ``place`` is the number of the seat. ``side`` is the letter of the player's side, empty if all
    play alone. ``me`` is true for the person at the keyboard, ``partner`` for that person's
    partner, ``deals`` for the dealer, ``to_move`` for the player whose turn it is, and ``took`` for
    the winner of the trick that lies on the table. ``held`` counts the cards in hand; ``known`` are
    those of them that are open, ``played`` the cards in front of the player. ``says`` are remarks
    on this seat, such as what the player has bid.
    """

    place: int
    name: str
    side: str
    me: bool
    partner: bool
    deals: bool
    to_move: bool
    took: bool
    held: int
    played: tuple[Face, ...]
    known: tuple[Face, ...]
    says: tuple[str, ...]

    @property
    def some_known(self) -> bool:
        return 0 < len(self.known) < self.held


@dataclass(frozen=True, slots=True)
class Remark:
    """A fact about the hand: the sentence ``says``, and what the page draws as a sign instead.

    A remark on a side has the ``side``'s letter and its ``points``; one on trumps has the name of
    the suit's picture (``pip``). What does not apply is empty.
    """

    says: str
    side: str
    points: str
    pip: str


@dataclass(frozen=True, slots=True)
class TableView:
    """Makes the seats and remarks of a page from the layouts of a table with these people."""

    names: Names
    mode: Mode

    def letter(self, side: int) -> str:
        """Return the letter of a side; empty if everybody plays alone, or if it has none."""
        return "" if self.mode.individual or side >= len(_SIDE_LETTERS) else _SIDE_LETTERS[side]

    def remarks(self, layout: Layout) -> tuple[Remark, ...]:
        """Return the remarks on the whole table; a remark names at most one side."""
        remarks = []
        for text in layout.says:
            params = text.params  # they show whether the sentence is about a side or about trumps
            sides = (param.side for param in params.values() if isinstance(param, OnSide))
            letter = next(map(self.letter, sides), "")
            pip = (layout.trump or "") if "trump" in params else ""
            points = str(params.get("points", ""))
            remarks.append(Remark(say(text, self.names), letter, points, pip))
        return tuple(remarks)

    def seat(
        self,
        place: int,
        layout: Layout,
        *,
        to_move: int | None,
        me: int | None = None,
        known: tuple[Face, ...] = (),
    ) -> SeatOnPage:
        """Return the seat *place* as seen from *me*; *known* are open cards of its hand, if any."""
        spot: Spot = layout.spots[place]
        side_of = self.mode.side_of
        return SeatOnPage(
            place=place,
            name=self.names.at(place),
            side=self.letter(side_of(place)),
            me=place == me,
            partner=me not in {None, place} and side_of(place) == side_of(me),
            deals=place == layout.dealer,
            to_move=place == to_move,
            took=place == layout.taker,
            held=spot.held,
            played=spot.played,
            known=known or spot.known,
            says=tuple(say(text, self.names) for text in spot.says),
        )


def seats_in_order(layout: Layout) -> tuple[int, ...]:
    """Return the seats in the order of play; if the layout gives none, in that of their numbers."""
    return layout.order or tuple(range(len(layout.spots)))
