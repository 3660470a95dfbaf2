"""Tricks of games with a stock: dealing, who takes a trick, drawing.

The top of the stock is its first card, the card lying face up under it the last.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Protocol, TypeVar

from games.cards import CardSuit, Face
from games.mode import Mode
from games.play.views import MoveT, SeatView, seen_by


class TrickCard(Protocol):
    """A card as far as a trick is concerned."""

    @property
    def suit(self) -> CardSuit: ...
    @property
    def strength(self) -> int: ...
    @property
    def value(self) -> int: ...
    @property
    def face(self) -> Face: ...


CardT = TypeVar("CardT")
HeldT = TypeVar("HeldT")
TrickCardT = TypeVar("TrickCardT", bound=TrickCard)


@dataclass(frozen=True, slots=True)
class Trick(Generic[TrickCardT]):
    """A trick that was taken: who led, the cards in the order played, who took it."""

    leader: int
    cards: tuple[TrickCardT, ...]
    winner: int

    @property
    def value(self) -> int:
        return sum(card.value for card in self.cards)


@dataclass(frozen=True, slots=True)
class PlayCard(Generic[TrickCardT]):
    """Play a card to the trick."""

    card: TrickCardT


def points(mode: Mode, tricks: Sequence[Trick[TrickCardT]]) -> tuple[int, ...]:
    """Return what each side's tricks are worth."""
    return tuple(
        sum(trick.value for trick in tricks if trick.winner in side) for side in mode.sides
    )


@dataclass(frozen=True, kw_only=True)
class StockTable(Generic[TrickCardT]):
    """What everybody sees of a hand.

    ``pack`` is what it is played with. ``turned_up`` is the card that decided trumps, once it is
    there; ``face_up`` lies under the stock, or lay there until it was drawn: another one, where the
    seat ``exchanged`` has taken the first. ``shown`` holds what the whole table knows to be in a
    hand, until it is played; ``tricks`` are those taken so far, as an attentive player remembers
    them.
    """

    mode: Mode
    dealer: int
    leader: int
    pack: tuple[TrickCardT, ...] = field(repr=False, compare=False)
    shown: tuple[tuple[TrickCardT, ...], ...]
    turned_up: TrickCardT | None = None
    face_up: TrickCardT | None = None
    exchanged: int | None = None
    trick: tuple[TrickCardT, ...] = ()
    tricks: tuple[Trick[TrickCardT], ...] = ()

    @property
    def trump(self) -> CardSuit | None:
        """Return the suit that beats all others, once it is known."""
        return None if self.turned_up is None else self.turned_up.suit


@dataclass(frozen=True, kw_only=True)
class StockState(StockTable[TrickCardT]):
    """Everything on the table and in the hands. Never shown to a player: see ``StockView``.

    The top of the stock is its first card, the card lying face up under it its last.
    """

    hands: tuple[tuple[TrickCardT, ...], ...]
    stock: tuple[TrickCardT, ...]

    @property
    def turn(self) -> int:
        """Return whose turn it is, or would be if there were cards left."""
        return self.mode.after(self.leader, len(self.trick))


@dataclass(frozen=True, kw_only=True)
class StockView(StockTable[TrickCardT], SeatView[MoveT], Generic[TrickCardT, MoveT]):
    """A hand from one seat: its own cards, the table, and what the whole table saw.

    ``known`` is what this seat knows to be in each hand, all of its own among it.
    """

    hand: tuple[TrickCardT, ...]
    held: tuple[int, ...]  # how many cards each seat holds
    stock: int  # how many cards are left to draw, the card face up among them
    known: tuple[tuple[TrickCardT, ...], ...]

    def unseen(self) -> tuple[TrickCardT, ...]:
        """Return the cards that may lie in any other hand or in the stock."""
        seen = {self.face_up, *self.trick}
        seen.update(card for cards in self.known for card in cards)
        seen.update(card for trick in self.tricks for card in trick.cards)
        return tuple(card for card in self.pack if card not in seen)


StateT = TypeVar("StateT", bound=StockState[Any])


def seat_to_move(state: StockState[Any]) -> int | None:
    """Return who moves next; ``None`` when every card in hand is played."""
    return state.turn if state.hands[state.turn] else None


def stock_seen_by(
    seat: int, state: StateT, table: type, legal_moves: Callable[[StateT], tuple[Any, ...]]
) -> dict[str, Any]:
    """Return what a ``StockView`` from this seat has, but for what it knows of the hands."""
    return {
        **seen_by(seat, state, table, seat_to_move, legal_moves),
        "hand": state.hands[seat],
        "held": tuple(map(len, state.hands)),
        "stock": len(state.stock),
    }


def play_card(state: StateT, card: TrickCard) -> StateT:
    """Return the state after the seat to move has played this card.

    A full trick goes to its winner, who leads next, and everybody draws (Albastini R8, Briscola R9).
    The card face up is the last one, and everybody sees who draws it.
    """
    seat = state.turn
    trick = (*state.trick, card)
    state = replace(
        state,
        hands=put(state.hands, seat, without(state.hands[seat], card)),
        shown=put(state.shown, seat, without(state.shown[seat], card)),
        trick=trick,
    )
    if len(trick) < state.mode.seats:
        return state
    winner = state.mode.after(state.leader, winning_place(trick, state.trump))
    hands, stock = draw_round(state.hands, state.stock, first=winner)
    shown = state.shown
    if state.stock and not stock and state.face_up is not None:
        last = state.mode.after(winner, -1)
        shown = put(shown, last, (*shown[last], state.face_up))
    return replace(
        state,
        hands=hands,
        stock=stock,
        shown=shown,
        leader=winner,
        trick=(),
        tricks=(*state.tricks, Trick(state.leader, trick, winner)),
    )


def by_suit(cards: Iterable[TrickCardT]) -> list[TrickCardT]:
    """List cards by suit, the strongest first, as people hold them."""

    def place(card: TrickCardT) -> tuple[int, int]:
        return list(type(card.suit).__members__).index(card.suit.name), -card.strength

    return sorted(cards, key=place)


def winning_place(trick: Sequence[TrickCard], trump: CardSuit | None) -> int:
    """Return the place in *trick* of the card that takes it, as far as it is played.

    Any trump beats any plain card; among plain cards, or without trumps, only the suit
    led can win (Albastini R7, Briscola R5 and R6).
    """
    led = trick[0].suit

    def power(place: int) -> tuple[bool, bool, int]:
        card = trick[place]
        return card.suit is trump, card.suit is led, card.strength

    return max(range(len(trick)), key=power)


def takes(trick: Sequence[TrickCard], card: TrickCard, trump: CardSuit | None) -> bool:
    """Say whether this card would take the lead of the trick, or of an empty one."""
    return winning_place((*trick, card), trump) == len(trick)


def round_from(first: int, seats: int) -> tuple[int, ...]:
    """List the seats in the direction of play, beginning with *first*.

    >>> round_from(2, 4)
    (2, 3, 0, 1)
    """
    return tuple((first + step) % seats for step in range(seats))


def deal_hands(
    pack: Sequence[CardT], *, first: int, seats: int, each: int
) -> tuple[tuple[tuple[CardT, ...], ...], tuple[CardT, ...]]:
    """Deal from the top, one card at a time: the hands by seat, and what is left.

    >>> deal_hands("abcdefg", first=1, seats=2, each=2)
    ((('b', 'd'), ('a', 'c')), ('e', 'f', 'g'))
    """
    dealt = seats * each
    hands = tuple(tuple(pack[(seat - first) % seats : dealt : seats]) for seat in range(seats))
    return hands, tuple(pack[dealt:])


def draw_round(
    hands: Sequence[tuple[CardT, ...]], stock: tuple[CardT, ...], *, first: int
) -> tuple[tuple[tuple[CardT, ...], ...], tuple[CardT, ...]]:
    """Deal each seat one card, from seat *first* on; none to anyone if there are too few for all.

    >>> draw_round([("a",), ("b",)], ("c", "d", "e"), first=1)
    ((('a', 'd'), ('b', 'c')), ('e',))
    """
    seats = len(hands)
    if len(stock) < seats:
        return tuple(hands), stock
    drawn = tuple((*hand, stock[(seat - first) % seats]) for seat, hand in enumerate(hands))
    return drawn, stock[seats:]


def put(by_seat: tuple[HeldT, ...], seat: int, held: HeldT) -> tuple[HeldT, ...]:
    """Return *by_seat* with *held* in the place of what the seat had.

    >>> put(("a", "b"), 1, "c")
    ('a', 'c')
    """
    return (*by_seat[:seat], held, *by_seat[seat + 1 :])


def without(cards: tuple[HeldT, ...], gone: HeldT) -> tuple[HeldT, ...]:
    """Return the cards but this one, which need not be among them.

    >>> without(("a", "b"), "a")
    ('b',)
    """
    return tuple(card for card in cards if card != gone)
