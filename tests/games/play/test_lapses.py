"""What a card did that was not the best one: said by what became of its trick."""

from dataclasses import dataclass

import pytest

from games.albastini.cards import Card, Suit, parse_card
from games.mode import Mode, individuals
from games.play.lapses import Lapse, lapse
from games.play.tricks import Trick

_TWO = individuals(2, "")


@dataclass(frozen=True)
class Table:
    trick: tuple[Card, ...]
    mode: Mode = _TWO
    trump: Suit = Suit.CLUBS
    tricks: tuple[Trick[Card], ...] = ()


@pytest.mark.parametrize(
    ("lies", "card", "better", "winner", "kind"),
    [
        ("", "7H", "4H", 0, Lapse.LED),
        ("AH", "7H", "4H", 0, Lapse.GAVE),  # to seat 0, who led
        ("7H", "4S", "AH", 0, Lapse.MISSED),
        ("3H", "7C", "4S", 1, Lapse.SPENT),
        ("3H", "4H", "5H", 1, Lapse.PLAYED),
    ],
)
def test_what_was_not_so_well_done_is_known(
    lies: str, card: str, better: str, winner: int, kind: Lapse
) -> None:
    table = Table(tuple(map(parse_card, lies.split())))
    tricks = [Trick(0, (parse_card(lies or "3S"), parse_card(card)), winner)]

    assert lapse(table, 1, parse_card(card), parse_card(better), tricks) is kind
