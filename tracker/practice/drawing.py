"""People and remarks, as pages draw a table; cards and heaps are the layout's own."""

from dataclasses import dataclass

from games.mode import Mode
from games.play.layout import Face, Layout, Spot
from games.wording import OnSide, Text
from tracker.common.wording import Names, say

_SIDES = "abc"  # what marks the sides of a table where people play together


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatOnPage:
    """A player at the table, and the cards in front of them.

    ``side`` is the letter of those who play together, ``partner`` says that this is one's
    own, ``took`` that the trick that lies there goes to this seat.
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
        """Say whether only some cards of the hand are known."""
        return 0 < len(self.known) < self.held


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """What all should bear in mind: of a ``side``, or under the picture of a suit, ``pip``.

    Of a side that has a letter the ``points`` alone say it.
    """

    says: str
    side: str
    points: str
    pip: str


@dataclass(frozen=True, slots=True)
class TablePicture:
    """What is drawn for a table of these people."""

    names: Names
    mode: Mode

    def letter(self, side: int) -> str:
        """Return the letter of a side; empty where each plays alone."""
        return "" if self.mode.individual or side >= len(_SIDES) else _SIDES[side]

    def remark(self, text: Text, trump: str) -> Remark:
        about = next((each for each in text.params.values() if isinstance(each, OnSide)), None)
        return Remark(
            says=say(text, self.names),
            side="" if about is None else self.letter(about.side),
            points=str(text.params.get("points", "")),
            pip=trump if "trump" in text.params else "",
        )

    def remarks(self, layout: Layout) -> tuple[Remark, ...]:
        return tuple(self.remark(text, layout.trump or "") for text in layout.says)

    def seat(
        self,
        place: int,
        layout: Layout,
        *,
        to_move: int | None,
        me: int | None = None,
        known: tuple[Face, ...] = (),
    ) -> SeatOnPage:
        """Return who sits there, seen from the seat ``me``.

        ``known`` are cards of that hand besides those the spot shows.
        """
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


def in_order(layout: Layout) -> tuple[int, ...]:
    """List the seats as they follow each other in play."""
    return layout.order or tuple(range(len(layout.spots)))
