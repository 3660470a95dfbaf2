"""The bots: they see only their view, play by the rules, and get better by degrees."""

from random import Random

import pytest

from games.briscola.play import rules
from games.briscola.play.state import State, move_code
from games.briscola.play.view import view
from games.play.playing import Bot, Budget, play_hand, shuffled
from tests.games.briscola.table import after, dealt, opened, the_play

QUICK = Budget(iterations=6)


def bot(name: str) -> Bot:
    return the_play().bots[name]


def chosen(name: str, state: State, budget: Budget = QUICK, seed: int = 1) -> str:
    seat = state.turn
    return move_code(bot(name)(view(state, seat), Random(seed), budget))


def taken(
    mode: str,
    seats: list[str],
    seed: int,
    budget: Budget = QUICK,
) -> list[int]:
    """Return what every side takes in the deal that this seed deals to these bots."""
    rng = Random(seed)
    session = opened(mode, seed % len(seats))
    packs = shuffled(the_play(), session, rng)
    bots = [bot(name) for name in seats]
    *_, last = play_hand(the_play(), session, packs, bots=bots, rng=rng, budget=budget)
    total: list[int] = rules.fill_sheet(last.after)["points"]
    return total


def share(challenger: str, opponent: str, deals: int, budget: Budget = QUICK) -> float:
    """Return the share of decided deals *challenger* wins, each deal for two played from both seats."""
    won = decided = 0
    for seed in range(deals):
        for seats in ([challenger, opponent], [opponent, challenger]):
            ours, theirs = taken("2i", seats, seed, budget)[:: 1 if seats[0] == challenger else -1]
            won += ours > theirs
            decided += ours != theirs
    return won / decided


def test_better_bots_win_more() -> None:
    assert share("steady", "beginner", 30) > 0.7
    assert share("strong", "steady", 30, Budget(iterations=40)) > 0.5


@pytest.mark.parametrize(
    ("hand", "led", "answer"),
    [
        ("1S 3S 2D", "11S", "1S"),  # takes it with the dearest of the suit
        ("2D 13K 4B", "1S", "4B"),  # an ace is worth a trump, the lowest
        ("2D 13K 4B", "13S", "2D"),  # a king is not: throws the cheapest
    ],
)
def test_steady_follows_by_rules_of_thumb(hand: str, led: str, answer: str) -> None:
    state = dealt("2i", {1: f"{led} 5D 6D", 0: hand}, "12B")
    assert chosen("steady", after(state, led)) == answer


def test_steady_leads_what_is_worth_least() -> None:
    assert chosen("steady", dealt("2i", {1: "2B 4S 1D"}, "12B")) == "4S"


def test_steady_gives_points_to_a_partners_safe_trick() -> None:
    state = dealt("4t2", {1: "4S", 2: "1S", 3: "5S", 0: "3D 13S 2D"}, "12B")
    assert chosen("steady", after(state, "4S 1S 5S")) == "3D"


@pytest.mark.parametrize("name", ["steady", "strong"])
@pytest.mark.parametrize(("turned_up", "swaps"), [("3B", True), ("11B", True), ("4B", False)])
def test_a_swap_is_made_when_it_brings_a_higher_trump(
    name: str, turned_up: str, swaps: bool
) -> None:
    state = after(dealt("2i", {1: "1S 7B 2D", 0: "4S"}, turned_up), "1S 4S")
    assert (chosen(name, state) == "swap7") == swaps


def test_strong_plays_the_end_for_two_perfectly() -> None:
    """With the stock gone everything is known, and the dice no longer issue."""
    state = dealt("2i", {})
    while state.stock:
        state = rules.play(state, rules.legal_moves(state)[0])
    first = chosen("strong", state, seed=1)
    assert {chosen("strong", state, seed=seed) for seed in range(2, 6)} == {first}
