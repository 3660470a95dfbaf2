"""State: the moves of a deal, where all forty cards are, and what has happened (E3, E5)."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import TypeAlias, assert_never

from games.errors import gettext_noop
from games.mambassa.cards import BY_CODE, PLACES, Card
from games.mambassa.stakes import Stakes
from games.mode import Mode
from games.option import Options
from games.play.playing import IllegalMoveError
from games.wording import Text, listed


class Call(Enum):
    """A move that needs no card."""

    KEEP = "keep"  # the dealer keeps the four cards just looked at (R3)
    LEAVE = "leave"  # the dealer leaves them, and plays the hand that was dealt
    TAKE_MONTE = "take_monte"  # the whole hand for the whole monte (R4)
    STAND = "stand"  # end the turn; with nothing changed in it, this is a knock (R4)
    KNOCK = "knock"  # end the turn with a knock, where the house allows it (M-2)


@dataclass(frozen=True, slots=True)
class SwapCards:
    """Lay some cards of the hand in the monte, and take as many of it (R4)."""

    give: frozenset[Card]
    take: frozenset[Card]


@dataclass(frozen=True, slots=True)
class DrawCard:
    """Discard a card face down, then take the top of the stock (M-3)."""

    discard: Card


Move: TypeAlias = Call | SwapCards | DrawCard
_SWAP, _DRAW = "swap:", "draw:"
_CALLS = {call.value: call for call in Call}


def in_order(cards: Iterable[Card]) -> list[Card]:
    """List cards as people hold them: by suit from the coins, and from the ace down."""
    return sorted(cards, key=PLACES.__getitem__, reverse=True)


def named(cards: Iterable[Card]) -> Text:
    """List cards by name, as people hold them."""
    return listed(Text(card.label) for card in in_order(cards))


def move_code(move: Move) -> str:
    """Return what is written for a move.

    ``keep``, ``leave``, ``take_monte``, ``stand``, ``knock``, ``draw:2S``, or, for two
    cards laid in the monte and two taken, ``swap:5K,2S/1D,7B``.
    """
    match move:
        case Call():
            return move.value
        case DrawCard(discard):
            return f"{_DRAW}{discard}"
        case SwapCards(give, take):
            laid, taken = (",".join(map(str, in_order(cards))) for cards in (give, take))
            return f"{_SWAP}{laid}/{taken}"
        case _:
            assert_never(move)


def parse_move(text: str) -> Move:
    """Return the move that is written like this.

    >>> parse_move("draw:2S") == DrawCard(BY_CODE["2S"])
    True

    :raises IllegalMoveError: ``not-a-move``, if none is.
    """
    if call := _CALLS.get(text):
        return call
    if text.startswith(_DRAW) and (card := BY_CODE.get(text.removeprefix(_DRAW))):
        return DrawCard(card)
    if text.startswith(_SWAP):
        give, _, take = text.removeprefix(_SWAP).partition("/")
        if (laid := _cards(give)) and (taken := _cards(take)):
            return SwapCards(laid, taken)
    raise IllegalMoveError(
        "not-a-move",
        gettext_noop(
            "“%(text)s” is no move. Write stand, take_monte, draw:2S to discard the 2 of swords, "
            "or swap:2S/1D to lay it in the monte for the Ace of coins."
        ),
        text=text,
    )


def _cards(codes: str) -> frozenset[Card] | None:
    """Return the cards written with commas between them; ``None`` if one is none, or twice."""
    cards = [BY_CODE.get(code) for code in codes.split(",")]
    known = frozenset(card for card in cards if card is not None)
    return known if len(known) == len(cards) else None


Cards = tuple[Card, ...]


class DealStage(StrEnum):
    """How far a deal has come, or a turn of it."""

    CHOICE = "choice"  # the dealer keeps or leaves
    TURN = "turn"  # nothing is changed in this turn yet
    SWAPPED = "swapped"  # and now the stock may be drawn from
    DRAWN = "drawn"  # only a knock may follow, where the house allows it
    OVER = "over"


@dataclass(frozen=True, kw_only=True)
class OpenDeal:
    """What everybody sees of a deal, which its state and the view of a seat have in common (M-1).

    ``stakes`` is what is played for; ``playing`` are the seats still in. ``monte`` is empty
    until the dealer's choice. ``shown`` is what the whole table knows to be in a hand, as it was
    seen to be taken from the monte; what its holder may have discarded since, unseen, stands in
    ``perhaps``. ``turns`` counts the turns that are over.
    """

    mode: Mode
    options: Options
    dealer: int
    stakes: Stakes
    playing: tuple[int, ...]
    monte: Cards
    shown: tuple[Cards, ...]
    perhaps: tuple[Cards, ...]
    stage: DealStage
    turns: int = 0
    knocker: int | None = None
    declarer: int | None = None  # of Mambassa or Quarantuna, which ended the deal

    @property
    def stock_open(self) -> bool:
        """Return whether the stock may be drawn from, as long as there is one (R5, M-4)."""
        return self.knocker is None or bool(self.options["last_turn_stock"])


@dataclass(frozen=True, kw_only=True)
class State(OpenDeal):
    """Everything on the table and in the hands. Never shown to a player: see ``View``.

    The top of the stock is its first card. ``offer`` holds the four cards the dealer looks at
    until the choice. ``discards`` are each seat's, face down.
    """

    hands: tuple[Cards, ...]
    stock: Cards
    offer: Cards
    discards: tuple[Cards, ...]
    turn: int  # whose move it is, or was

    @property
    def may_draw(self) -> bool:
        """Return whether the player to move may draw from the stock (R4, R5, M-4)."""
        return bool(self.stock) and self.stock_open

    @property
    def may_knock(self) -> bool:
        """Say whether a turn may end with a knock of one's own will (M-2)."""
        return bool(self.options["voluntary_knock"]) and self.knocker is None

    @property
    def must_knock(self) -> bool:
        """Return whether the player to move must knock, all orbits being used up (M-6)."""
        orbits = self.turns // len(self.playing)
        return self.knocker is None and orbits >= int(self.options["max_orbits"])
