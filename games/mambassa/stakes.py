"""Stakes: tokens and pool, who pays, who is out, how a game ends and what it is worth (R2, R8, R9)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import lcm

from games.mambassa.options import MODES
from games.sheet import Marks

STAKE = 4  # tokens a player brings, one of which goes to the pool at once (R2)
# A share of the opponents in halves is a whole number of these, however many they are.
SHARE = lcm(*(2 * (mode.seats - 1) for mode in MODES))
Groups = tuple[tuple[int, ...], ...]


class DealEvent(StrEnum):
    """What ended a deal."""

    NORMAL = "normal"
    MAMBASSA = "mambassa"
    QUARANTUNA = "quarantuna"


@dataclass(frozen=True, slots=True)
class Deal:
    """What a deal came to: its event, who declared it, who pays a token."""

    event: DealEvent
    declarer: int | None
    payers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Stakes:
    """The tokens of every seat and of the pool; ``out`` are the groups that left, first to last."""

    tokens: tuple[int, ...]
    pool: int
    out: Groups = ()

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats still in."""
        return tuple(seat for seat, held in enumerate(self.tokens) if held)


def fresh(seats: int) -> Stakes:
    """Return the stakes before a first deal (R2).

    >>> fresh(3)
    Stakes(tokens=(3, 3, 3), pool=3, out=())
    """
    return Stakes((STAKE - 1,) * seats, seats)


def settle(stakes: Stakes, deal: Deal) -> Stakes:
    """Return the stakes after all have paid, and a declarer of Quarantuna has taken (R8, M-18).

    >>> settle(Stakes((1, 3, 2), 6), Deal(DealEvent.QUARANTUNA, 1, (0,)))
    Stakes(tokens=(0, 4, 2), pool=6, out=((0,),))
    """
    gain = int(deal.event is DealEvent.QUARANTUNA)
    tokens = tuple(
        held - (seat in deal.payers) + gain * (seat == deal.declarer)
        for seat, held in enumerate(stakes.tokens)
    )
    gone = tuple(seat for seat in stakes.playing if not tokens[seat])
    settled = Stakes(tokens, stakes.pool + len(deal.payers) - gain, stakes.out)
    return replace(settled, out=(*stakes.out, gone)) if gone else settled


def placing(stakes: Stakes, dealer: int) -> Groups | None:
    """Return the groups that share a place, best first; ``None`` while the game goes on (S32).

    >>> placing(Stakes((0, 0, 0), 12, ((0, 1, 2),)), dealer=1)
    ((1,), (0, 2))
    """
    match stakes.playing:
        case (_, _, *_):
            return None
        case (winner,):
            return ((winner,), *reversed(stakes.out))
        case _:  # all at once: its dealer, who is always one of them, wins (R9)
            others = tuple(seat for seat in stakes.out[-1] if seat != dealer)
            return ((dealer,), others, *reversed(stakes.out[:-1]))


def final_marks(places: Groups) -> Marks:
    """Return what a finished game gives every seat.

    Half points: two for everybody outlasted, one for everybody who left together with
    this seat. Who is first alone has won, and takes the pool: then all tokens are his.
    """
    seats = sum(map(len, places))
    marks: dict[int, dict[str, int]] = {}
    behind = seats
    for group in places:
        behind -= len(group)
        won = int(group is places[0] and len(group) == 1)
        outlasted = 2 * behind + len(group) - 1
        for seat in group:
            marks[seat] = {
                "outlasted": outlasted,
                "games": won,
                "tokens": won * STAKE * seats,
                "share": outlasted * SHARE // (2 * (seats - 1)),
                "shares": 1,
            }
    return tuple(marks[seat] for seat in range(seats))


def no_marks(seats: int) -> Marks:
    """Return the marks of a deal after which the game goes on: zero for every seat."""
    nothing = {"outlasted": 0, "games": 0, "tokens": 0, "share": 0, "shares": 0}
    return (nothing,) * seats


def next_in(after: int, playing: Iterable[int], seats: int) -> int:
    """Return the next of those *playing*, counted from a seat that may be out itself (R10).

    >>> next_in(3, (1, 2), 4)
    1
    """
    return min(playing, key=lambda seat: (seat - after - 1) % seats)


def share_out(groups: Sequence[Sequence[int]]) -> list[int | list[int]]:
    """Return groups as JSON has them: a seat alone is a number, a tie a list."""
    return [group[0] if len(group) == 1 else list(group) for group in groups]
