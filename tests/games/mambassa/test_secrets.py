"""What a seat sees and may remember of a deal (M-1, E3), and how that is told."""

from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from games.mambassa import GAME
from games.mambassa.cards import PACK, Card, parse_card
from games.mambassa.hand_ranking import hand_name
from games.mambassa.play import rules
from games.mambassa.play.narration import describe, describe_move
from games.mambassa.play.state import State, parse_move
from games.mambassa.play.view import view
from tests.games.book import after as after_sheets
from tests.games.hands import after, codes
from tests.games.mambassa.table import MODES, dealt, random_deal
from tests.games.mambassa.test_table import pays, table

SEEDS = st.integers(0, 10**9)
few = settings(max_examples=12, deadline=None)


@pytest.mark.parametrize("mode", MODES)
@few
@given(seed=SEEDS)
def test_m1_e3_what_the_table_remembers_is_true(mode: str, seed: int) -> None:
    state = Random(seed).choice([state for state, _ in random_deal(mode, seed)])
    for seat, hand in enumerate(state.hands):
        assert {*state.shown[seat]} <= {*hand}
        assert {*state.perhaps[seat]} <= {*hand, *state.discards[seat]}
        seen = view(state, seat)
        hidden = {*PACK} - {*seen.hand, *seen.offer, *state.monte, *state.discards[seat]}
        assert {*seen.unseen()} == hidden - {card for cards in state.shown for card in cards}


START = dealt({1: "1D 13D 2S 3K", 2: "1S 13S 2K 3B", 0: "1K 13K 2B 3D"}, "12D 12S 4B 5K", "12K 7B")


def narrated(moves: str, last: str, state: State = START) -> str:
    """Return what the table sees when, after these moves, this one is made."""
    return str(describe_move(after(state, moves), parse_move(last)))


@pytest.mark.parametrize(
    ("moves", "last", "sentence"),
    [
        ("", "keep", "seat 0 keeps the four new cards. The monte is: 3 of coins, Ace of cups, King of cups, 2 of batons. That is a knock."),
        ("", "leave", "seat 0 plays the hand that was dealt. The monte is: Horse of coins, Horse of swords, 5 of cups, 4 of batons."),
        ("leave", "swap:3K/12D", "seat 1 takes from the monte: Horse of coins, and leaves: 3 of cups."),
        ("leave", "draw:3K", "seat 1 discards a card and draws one."),
        ("leave", "stand", "seat 1 stands. That is a knock."),
        ("leave swap:3K/12D", "stand", "seat 1 ends the turn."),
        ("leave stand", "take_monte", "seat 2 takes the whole monte and leaves: Ace of swords, King of swords, 2 of cups, 3 of batons."),
        ("leave stand stand", "draw:1K", "seat 0 discards a card and draws one."),
        ("leave stand stand", "stand", "seat 0 stands."),
    ],
)  # fmt: skip
def test_what_a_move_does_is_told_to_the_whole_table(moves: str, last: str, sentence: str) -> None:
    assert narrated(moves, last) == sentence


def test_r6_declaring_is_told_too() -> None:
    shown = dealt({1: "1D 13D 12D 2S"}, "11D 4S 4B 5K")
    aces = dealt({1: "1D 1S 1K 2S", 0: "2D 3D"}, "1B 4S 4B 5K")
    knocking = dealt({1: "1D 13D 12D 2S"}, "4S 4B 5K 6S", voluntary_knock=True)
    assert "seat 1 declares Quarantuna!" in narrated("leave", "swap:2S/11D", shown)
    assert narrated("leave", "swap:2S/1B", aces).endswith("seat 1 declares Mambassa!")
    assert narrated("leave draw:2S", "knock", knocking) == "seat 1 knocks."


def lines(state: State, seat: int) -> list[str]:
    return [str(line) for line in describe(view(state, seat))]


def test_a_view_is_told_line_by_line() -> None:
    assert lines(START, 0) == [
        "seat 0 dealt.",
        "The dealer has not chosen yet: there is no monte.",
        "You do not know the hand you were dealt.",
        (
            "You look at four new cards: Horse of coins, Horse of swords, 5 of cups, 4 of batons "
            "(10 points)"
        ),
        "Keep these four, and knock, or leave them as the monte?",
    ]
    assert lines(after(START, "keep swap:3K/3D"), 2) == [
        "seat 0 dealt.",
        "In the monte: Ace of cups, King of cups, 3 of cups, 2 of batons",
        "Cards left in the stock: 24.",
        "seat 0 has knocked: these are the last turns.",
        "seat 1 took from the monte: 3 of coins",
        "In your hand: Ace of swords, King of swords, 2 of cups, 3 of batons (21 points)",
        "It is seat 1’s turn.",
    ]
    assert lines(after(START, "leave stand stand stand"), 1)[-3:] == [
        "seat 0 shows: 3 of coins, Ace of cups, King of cups, 2 of batons (21 points)",
        "seat 2 shows: Ace of swords, King of swords, 2 of cups, 3 of batons (21 points)",
        "In your hand: Ace of coins, King of coins, 2 of swords, 3 of cups (21 points)",
    ]


def test_r6_a_hand_declared_at_once_leaves_no_monte() -> None:
    state = dealt({1: "1D 13D 12D 11D", 2: "1S 13S 2K 3B", 0: "1K 13K 2B 3D"})
    assert lines(state, 2) == [
        "seat 0 dealt.",
        "seat 0 shows: 3 of coins, Ace of cups, King of cups, 2 of batons (21 points)",
        "seat 1 shows: Ace of coins, King of coins, Horse of coins, Jack of coins (Quarantuna)",
        "In your hand: Ace of swords, King of swords, 2 of cups, 3 of batons (21 points)",
    ]


def test_a_player_who_is_out_sees_the_table() -> None:
    session = after_sheets(table(4), pays(1), pays(1), pays(1))
    state = rules.deal(session, [rules.pack(session)])
    assert "You are out of this game." in lines(state, 1)


@pytest.mark.parametrize(
    ("hand", "name"),
    [
        ("1D 1S 1K 1B", "Mambassa"),
        ("1D 13D 12D 11D", "Quarantuna"),
        ("2D 2S 2K 2B", "four 2s"),
        ("7S 11S 12S 13S", "four in a row, up to the King of swords"),
        ("1D 1S 2B 1K", "three Aces"),
        ("2B 3B 4B 13D", "three in a row, up to the 4 of batons"),
        ("1D 13D 11D 7D", "38 points"),
    ],
)
def test_r7_a_hand_has_a_name(hand: str, name: str) -> None:
    cards: list[Card] = [parse_card(code) for code in hand.split()]
    assert str(hand_name(cards, GAME.default_options())) == name
    assert codes(cards) == hand
