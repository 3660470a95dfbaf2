"""Cards, heaps and people, as pages draw a table."""

from dataclasses import dataclass, field

from games.play.layout import Face, Layout, Pile, Spot
from tracker.common.wording import Names, say

_BACKS = 6  # cards drawn face down before it is only their number


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
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
    cards: tuple[Card, ...]
    hidden: int
    taking: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """Somebody at the table, and what lies there."""

    name: str
    me: bool
    deals: bool
    to_move: bool
    held: int
    backs: tuple[int, ...]
    played: tuple[Card, ...]
    known: tuple[Card, ...]
    says: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """What is drawn for a table of these people; of cards ``hinted`` at, that they are."""

    names: Names
    hinted: frozenset[str] = field(default_factory=frozenset)

    def card(self, face: Face, *, hinted: bool = False) -> Card:
        return Card(
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
        me: bool = False,
        known: tuple[Face, ...] = (),
    ) -> Seat:
        """Return who sits there; ``known`` are cards of that hand besides those the spot shows."""
        spot: Spot = layout.spots[place]
        shown = known or spot.known
        hidden = spot.held - sum(face.count for face in shown)
        return Seat(
            name=self.names.at(place),
            me=me,
            deals=place == layout.dealer,
            to_move=place == to_move,
            held=spot.held,
            backs=tuple(range(max(0, min(hidden, _BACKS)))),
            played=tuple(map(self.card, spot.played)),
            known=tuple(map(self.card, shown)),
            says=tuple(say(text, self.names) for text in spot.says),
        )


def in_order(layout: Layout) -> tuple[int, ...]:
    """List the seats as they follow each other in play."""
    return layout.order or tuple(range(len(layout.spots)))
