"""Cards, heaps and people, as pages draw a table."""

from dataclasses import dataclass, field

from games.mode import Mode
from games.play.layout import Face, Layout, Pile, Spot
from games.wording import OnSide, Text
from tracker.common.wording import Names, say

_SIDES = "abc"  # what marks the sides of a table where people play together


@dataclass(frozen=True, slots=True, kw_only=True)
class CardOnPage:
    """A card as it is drawn."""

    code: str
    rank: str
    name: str
    pip: str
    points: int
    count: int
    hinted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Heap:
    """Cards in the middle of the table."""

    says: str
    cards: tuple[CardOnPage, ...]
    hidden: int
    taking: bool


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
    played: tuple[CardOnPage, ...]
    known: tuple[CardOnPage, ...]
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
    """What is drawn for a table of these people; of cards ``hinted`` at, that they are."""

    names: Names
    hinted: frozenset[str] = field(default_factory=frozenset)
    mode: Mode | None = None

    def letter(self, side: int) -> str:
        """Return the letter of a side; empty where each plays alone."""
        if self.mode is None or self.mode.individual or side >= len(_SIDES):
            return ""
        return _SIDES[side]

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

    def card(self, face: Face, *, hinted: bool = False) -> CardOnPage:
        return CardOnPage(
            code=face.code,
            rank=say(face.rank, self.names),
            name=say(face.name, self.names),
            pip=face.pip or "",
            points=face.points,
            count=face.count,
            hinted=hinted,
        )

    def heap(self, pile: Pile) -> Heap:
        return Heap(
            says=say(pile.says, self.names),
            cards=tuple(
                self.card(face, hinted=pile.taking and face.code in self.hinted)
                for face in pile.faces
            ),
            hidden=pile.hidden,
            taking=pile.taking,
        )

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
        shown = known or spot.known
        sides = self.mode.side_of if self.mode else None
        return SeatOnPage(
            place=place,
            name=self.names.at(place),
            side="" if sides is None else self.letter(sides(place)),
            me=place == me,
            partner=sides is not None and me not in {None, place} and sides(place) == sides(me),
            deals=place == layout.dealer,
            to_move=place == to_move,
            took=place == layout.taker,
            held=spot.held,
            played=tuple(map(self.card, spot.played)),
            known=tuple(map(self.card, shown)),
            says=tuple(say(text, self.names) for text in spot.says),
        )


def in_order(layout: Layout) -> tuple[int, ...]:
    """List the seats as they follow each other in play."""
    return layout.order or tuple(range(len(layout.spots)))
