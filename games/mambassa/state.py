"""A deal being played: where all forty cards are, and what has happened (E3, E5)."""

from dataclasses import dataclass
from enum import StrEnum

from games.game import Options
from games.mambassa.cards import Card
from games.mambassa.stakes import Stakes
from games.mode import Mode

Cards = tuple[Card, ...]


class Stage(StrEnum):
    """How far a deal has come, or a turn of it."""

    CHOICE = "choice"  # the dealer keeps or leaves
    TURN = "turn"  # nothing is changed in this turn yet
    SWAPPED = "swapped"  # and now the stock may be drawn from
    DRAWN = "drawn"  # only a knock may follow, where the house allows it
    OVER = "over"


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Everything on the table and in the hands. Never shown to a player: see ``View``.

    ``stakes`` is what is played for; ``playing`` are the seats still in. The top of the
    stock is its first card. ``offer`` holds the four cards the dealer looks at until the
    choice, ``monte`` is empty till then. ``discards`` are each seat's, face down. ``shown``
    is what the whole table knows to be in a hand, as it was seen to be taken from the
    monte; what may have been discarded since stands in ``perhaps``. ``turns`` counts the
    turns that are over.
    """

    mode: Mode
    options: Options
    dealer: int
    stakes: Stakes
    playing: tuple[int, ...]
    hands: tuple[Cards, ...]
    stock: Cards
    offer: Cards
    monte: Cards
    discards: tuple[Cards, ...]
    shown: tuple[Cards, ...]
    perhaps: tuple[Cards, ...]
    stage: Stage
    turn: int  # whose move it is, or was
    turns: int = 0
    knocker: int | None = None
    declarer: int | None = None  # of Mambassa or Quarantuna, which ended the deal

    @property
    def may_draw(self) -> bool:
        """Say whether the stock is there for whoever's turn it is (R4, R5, M-4)."""
        last_turn = self.knocker is not None
        return bool(self.stock) and not (last_turn and not self.options["last_turn_stock"])

    @property
    def may_knock(self) -> bool:
        """Say whether a turn may end with a knock of one's own will (M-2)."""
        return bool(self.options["voluntary_knock"]) and self.knocker is None

    @property
    def must_knock(self) -> bool:
        """Say whether it has gone round so often that somebody has to knock now (M-6)."""
        orbits = self.turns // len(self.playing)
        return self.knocker is None and orbits >= int(self.options["max_orbits"])
