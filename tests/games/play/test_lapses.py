"""What a card did that was not the best one: said by what became of its trick."""

from dataclasses import dataclass

import pytest

from games.albastini.cards import Card, Suit, parse_card
from games.mode import Mode, individuals
from games.play.lapses import Lapse, card_played, lapse
from games.play.playing import Decision, Prospect
from games.play.tricks import StockTable, Trick

_TWO = individuals(2, "")


@dataclass(frozen=True, kw_only=True)
class Table(StockTable[Card]):
    mode: Mode = _TWO
    dealer: int = 0
    leader: int = 0
    pack: tuple[Card, ...] = ()
    shown: tuple[tuple[Card, ...], ...] = ()

    @property
    def trump(self) -> Suit:
        return Suit.CLUBS


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
    table = Table(trick=tuple(map(parse_card, lies.split())))
    tricks = [Trick(0, (parse_card(lies or "3S"), parse_card(card)), winner)]
    assert lapse(table, 1, parse_card(card), parse_card(better), tricks) is kind


@pytest.mark.parametrize(
    ("gain", "taken", "said"),
    [
        (0.1, True, "GAVE 7H in trick 1: 21 to seat 0"),
        (0, True, "PLAYED 7H in trick 1: 21 to seat 0"),
        (-0.1, True, "PLAYED 7H in trick 1: 21 to seat 0"),
        (-0.1, False, "PLAYED 7H in trick 1: 0 to seat 1"),  # and the hand ended there
    ],
)
def test_lapse_is_only_said_where_the_other_card_was_better(
    gain: float, taken: bool, said: str
) -> None:
    ace, seven, four = map(parse_card, ("AH", "7H", "4H"))
    decision = Decision(
        before=Table(trick=(ace,)),
        seat=1,
        move=seven,
        other=four,
        made=Prospect(0, 0),
        otherwise=Prospect(gain, 0),
        end=Table(tricks=(Trick(0, (ace, seven), 0),) if taken else ()),
    )
    sentences = {
        kind: f"{kind.name} %(card)s in trick %(number)d: %(points)d to %(who)s" for kind in Lapse
    }
    assert str(card_played(decision, seven, four, sentences, "7H")) == said
