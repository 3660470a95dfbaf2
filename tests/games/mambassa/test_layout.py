"""What is drawn of Mambassa beside the cards: tokens, who is out, what a turn still holds."""

from dataclasses import replace

import pytest

from games.mambassa.play import rules
from games.mambassa.play.layout import layout
from games.mambassa.play.view import view
from tests.games.hands import after
from tests.games.mambassa.table import dealt, ordered
from tests.games.mambassa.test_table import table

FOUR = {0: "1D 2S 3K 4B", 1: "13D 5S 6K 7B", 2: "12D 2K 3B 4D"}
OFFER = "6D 7S 5K 2B"


def test_whoever_is_out_is_drawn_without_cards() -> None:
    session = replace(table(seats=4, dealer=1), tokens=(0, 3, 2, 3), out=((0,),))
    hands = {1: "13D 5S 6K 7B", 2: "12D 2K 3B 4D", 3: "1D 2S 3K 4B"}
    state = rules.deal(session, [ordered(session, hands, OFFER)])
    drawn = layout(view(state, 0))
    assert (drawn.hand, drawn.spots[0].held) == ((), 0)
    assert [str(text) for text in drawn.spots[0].says] == ["out of the game"]
    assert [str(text) for text in drawn.spots[2].says] == ["tokens: 2"]
    assert [str(text) for text in drawn.says] == ["Tokens in the pool: 4"]


def test_a_swap_without_a_stock_leaves_the_knock_alone() -> None:
    """R4, M-2 and M-5: after a swap there is the stock, or the knock the house allows."""
    state = replace(after(dealt(FOUR, OFFER, dealer=2, voluntary_knock=True), "leave"), stock=())
    give, take = state.hands[0][0], state.monte[0]
    state = after(state, f"swap:{give}/{take}")
    drawn = layout(view(state, 0))
    assert [offer.code for offer in drawn.offers] == ["stand", "knock"]
    assert [held.moves for held in drawn.hand] == [()] * 4
    assert str(drawn.asks) == "Knock, or end your turn."


@pytest.mark.parametrize(
    ("moves", "stock", "asks"),
    [
        ("leave", True, "Swap 1 to 3 with the monte, or discard 1."),
        ("leave", False, "Pick 1 to 3 cards, and as many of the monte."),
        ("keep", True, "Last turn: swap 1 to 3, or discard 1."),
        ("keep", False, "Last turn: pick 1 to 3, and as many of the monte."),
    ],
)
def test_a_turn_asks_for_a_discard_only_where_a_card_can_be_drawn(
    moves: str, stock: bool, asks: str
) -> None:
    state = after(dealt(FOUR, OFFER, dealer=2), moves)
    state = state if stock else replace(state, stock=())
    assert str(layout(view(state, 0)).asks) == asks
