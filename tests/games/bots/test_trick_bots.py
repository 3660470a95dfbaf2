"""Bots of games of tricks play by rules of thumb, and the end for two perfectly."""

import pytest

from tests.games import hands
from tests.games.albastini.table import dealt as albastini
from tests.games.briscola.table import dealt as briscola
from tests.games.hands import after


def chosen(name: str, state: object, seed: int = 1) -> str:
    return hands.chosen(name, state, 6, seed)


def test_steady_bids_a_worthless_card_of_its_shortest_suit() -> None:
    assert chosen("steady", albastini("2i", {1: "3H 4H 6C AS 7S"})) == "bid:6C"
    assert chosen("steady", albastini("2i", {1: "AH AC AS 7S KD"})) == "pass"


def test_steady_leads_what_is_worth_least() -> None:
    assert chosen("steady", briscola("2i", {1: "2B 4S 1D"}, "12B")) == "4S"


@pytest.mark.parametrize(
    ("hand", "led", "answer"),
    [
        ("AS 7S 3S KC 3D", "QS", "AS"),  # takes it with the dearest of the suit
        ("3D KC 4C 7S KD", "AH", "3D"),  # an ace is worth a trump, the lowest
        ("3D KC 4C 7S KD", "KH", "4C"),  # a king is not: throws the cheapest
        ("1S 3S 2D", "11S", "1S"),
        ("2D 13K 4B", "1S", "4B"),
        ("2D 13K 4B", "13S", "2D"),
    ],
)
def test_steady_follows_by_rules_of_thumb(hand: str, led: str, answer: str) -> None:
    if len(hand.split()) == 5:
        state = after(albastini("2i", {1: f"{led} 3C 5C 6S 4S", 0: hand}, "QD"), "pass")
    else:
        state = briscola("2i", {1: f"{led} 5D 6D", 0: hand}, "12B")
    assert chosen("steady", after(state, led)) == answer


def test_steady_gives_points_to_a_partners_safe_trick() -> None:
    state = albastini("4t2", {1: "3H", 2: "AD", 3: "4H", 0: "7S KS 3S 3C 4C"}, "QD")
    assert chosen("steady", after(state, "pass pass 3H AD 4H")) == "7S"
    deal = briscola("4t2", {1: "4S", 2: "1S", 3: "5S", 0: "3D 13S 2D"}, "12B")
    assert chosen("steady", after(deal, "4S 1S 5S")) == "3D"


@pytest.mark.parametrize("name", ["steady", "strong"])
@pytest.mark.parametrize(("turned_up", "swaps"), [("3B", True), ("11B", True), ("4B", False)])
def test_a_swap_is_made_when_it_brings_a_higher_trump(
    name: str, turned_up: str, swaps: bool
) -> None:
    state = after(briscola("2i", {1: "1S 7B 2D", 0: "4S"}, turned_up), "1S 4S")
    assert (chosen(name, state) == "swap7") == swaps


def test_strong_plays_the_end_for_two_perfectly() -> None:
    """With the stock gone everything is known, and the dice no longer issue."""
    for start in (after(albastini("2i", {}), "pass"), briscola("2i", {})):
        end = start
        while end.stock:
            end = after(end, hands.move_codes(end)[0])
        while moves := hands.move_codes(end):
            assert len({chosen("strong", end, seed) for seed in range(1, 6)}) == 1
            end = after(end, moves[0])
