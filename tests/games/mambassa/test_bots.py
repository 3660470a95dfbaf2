"""The bots: what each likes to do, and what a deal is worth to them."""

import pytest

from games.mambassa.play.bots import Equity, outlasts
from games.mambassa.play.state import State, move_code, parse_move
from games.mambassa.play.view import view
from tests.games.hands import after, chosen, move_codes
from tests.games.mambassa.table import dealt
from tests.lab.positions import of_mambassa

POOR = {1: "2D 4S 5K 3B", 2: "3D 5S 6K 7B", 0: "6D 2S 3K 4B"}


@pytest.mark.parametrize(
    ("hand", "offer", "before", "move"),
    [
        ("2D 4S 5K 3B", "13D 12D 7D 2S", "", "keep"),  # 27 points are not given back
        ("2D 4S 5K 3B", "13D 12D 6D 2S", "", "leave"),
        ("1D 1S 1K 3B", "13D 12S 5K 2B", "leave", "stand"),  # good enough to knock
        ("1D 13D 2D 3B", "12D 6S 5K 2B", "leave", "swap:2D/12D"),  # makes the best hand
        ("2D 4S 5K 3B", "11S 12S 13S 7B", "leave", "swap:2D,4S,5K/11S,12S,13S"),
        ("1D 13D 4D 3B", "4S 5K 6B 2K", "leave", "draw:3B"),  # what does nothing goes
        ("2D 4S 5K 3B", "6B 7S 6K 2K", "leave swap:2D,4S/6B,6K", "draw:3B"),
        ("1D 13D 11D 4D", "4S 5K 6B 2K", "leave", "stand"),  # nothing to mend
        ("3S 5S 6S 7B", "3K 4K 5K 6K", "leave stand", "take_monte"),
    ],
)
def test_steady_plays_by_rules_of_thumb(hand: str, offer: str, before: str, move: str) -> None:
    turn = 2 if before == "leave stand" else 1
    state = after(dealt({**POOR, turn: hand}, offer), before)
    assert chosen("steady", state, 16) == move_code(parse_move(move))


def test_steady_knocks_at_the_end_of_a_turn_where_it_may() -> None:
    start = dealt({**POOR, 1: "1D 13D 2D 3B"}, "12D 6S 5K 2B", voluntary_knock=True)
    state = after(start, "leave swap:2D/12D draw:3B")
    assert chosen("steady", state, 16) == "knock"


def test_luck_alone_lets_the_one_with_more_tokens_last_longer() -> None:
    assert [outlasts(own, 2) for own in range(5)] == [0, 0.25, 0.5, 0.6875, 0.8125]
    assert outlasts(0, 0) == 0.5
    assert outlasts(2, 0) == 1


def worth(state: State, seat: int) -> float:
    return Equity(view(state, seat)).of(of_mambassa(state))


def test_r8_to_pay_is_worth_less_than_to_see_others_pay() -> None:
    hands = {1: "1D 13D 11D 7D", 2: "2D 3S 4K 5B", 0: "7S 6S 5S 3K"}
    state = after(dealt(hands, "4D 6B 2K 3D"), "leave stand stand stand")
    first, second, lowest = worth(state, 1), worth(state, 0), worth(state, 2)
    assert first > 0.5 > lowest
    assert abs(first - second) < 0.02


def test_r8_a_declared_deal_is_worth_what_it_pays() -> None:
    dealt_at_once = dealt({**POOR, 1: "1D 13D 12D 11D"})
    aces = dealt({**POOR, 1: "1D 1S 1K 1B"})
    gaining, *others = (worth(dealt_at_once, seat) for seat in (1, 2, 0))
    assert gaining == (outlasts(4, 3) + outlasts(4, 2)) / 2
    assert others == [(outlasts(3, 4) + outlasts(3, 2)) / 2, (outlasts(2, 4) + outlasts(2, 3)) / 2]
    assert worth(aces, 0) == worth(aces, 1) == 0.5


@pytest.mark.parametrize(
    ("hand", "offer", "before", "moves"),
    [
        ("2D 4S 5K 3B", "2S 2K 2B 6D", "", {"keep"}),
        ("1D 13D 12D 3B", "11D 6S 5K 2B", "leave", {"swap:3B/11D"}),  # Quarantuna
        ("2D 2S 2K 2B", "13D 12S 5K 6B", "leave", {"stand"}),  # nobody will catch up
    ],
)
def test_a_search_finds_what_is_plain_to_see(
    hand: str, offer: str, before: str, moves: set[str]
) -> None:
    state = after(dealt({**POOR, len(before) // 5: hand}, offer), before)
    assert chosen("strong", state, 16) in moves


def test_m2_m5_a_search_goes_by_the_rules_of_the_house() -> None:
    start = dealt(
        {**POOR, 1: "2D 2S 2K 3B"}, "2B 6S 5K 4D", voluntary_knock=True, last_turn_stock=False
    )
    start = after(start, "leave")
    assert chosen("strong", after(start, "swap:3B/2B"), 16) == "knock"
    assert chosen("strong", after(start, "stand"), 16) in move_codes(after(start, "stand"))
