"""The bots: they see only their view, play by the rules, and get better by degrees."""

from random import Random

import pytest

from games.albastini.play import rules
from games.albastini.play.state import State, move_code
from games.albastini.play.view import view
from games.play.playing import Bot, Budget, play_hand, shuffled
from tests.games.albastini.table import after, dealt, opened, the_play

QUICK = Budget(iterations=6)


def bot(name: str) -> Bot:
    return the_play().bots[name]


def chosen(name: str, state: State, budget: Budget = QUICK, seed: int = 1) -> str:
    seat = state.turn
    return move_code(bot(name)(view(state, seat), Random(seed), budget))


def eaten(mode: str, seats: list[str], seed: int, budget: Budget = QUICK) -> list[int]:
    """Return what every side eats in the hand that this seed deals to these bots."""
    rng = Random(seed)
    session = opened(mode, seed % len(seats))
    packs = shuffled(the_play(), session, rng)
    bots = [bot(name) for name in seats]
    *_, last = play_hand(the_play(), session, packs, bots=bots, rng=rng, budget=budget)
    total: list[int] = rules.fill_sheet(last.after)["eaten"]
    return total


def share(challenger: str, opponent: str, deals: int, budget: Budget = QUICK) -> float:
    """Return the share of decided hands *challenger* wins, each deal for two played from both seats."""
    won = decided = 0
    for seed in range(deals):
        for seats in ([challenger, opponent], [opponent, challenger]):
            ours, theirs = eaten("2i", seats, seed, budget)[:: 1 if seats[0] == challenger else -1]
            won += ours > theirs
            decided += ours != theirs
    return won / decided


def test_better_bots_win_more() -> None:
    assert share("steady", "beginner", 30) > 0.7
    assert share("strong", "steady", 20, Budget(iterations=40)) > 0.55


def test_steady_bids_a_worthless_card_of_its_shortest_suit() -> None:
    state = dealt("2i", {1: "3H 4H 6C AS 7S"})
    assert chosen("steady", state) == "bid:6C"
    assert chosen("steady", dealt("2i", {1: "AH AC AS 7S KD"})) == "pass"


@pytest.mark.parametrize(
    ("hand", "led", "answer"),
    [
        ("AS 7S 3S KC 3D", "QS", "AS"),  # takes it with the dearest of the suit
        ("3D KC 4C 7S KD", "AH", "3D"),  # an ace is worth a trump, the lowest
        ("3D KC 4C 7S KD", "KH", "4C"),  # a king is not: throws the cheapest
    ],
)
def test_steady_follows_by_rules_of_thumb(hand: str, led: str, answer: str) -> None:
    state = dealt("2i", {1: f"{led} 3C 5C 6S 4S", 0: hand}, "QD")
    assert chosen("steady", after(state, f"pass {led}")) == answer


def test_steady_gives_points_to_a_partners_safe_trick() -> None:
    state = dealt("4t2", {1: "3H", 2: "AD", 3: "4H", 0: "7S KS 3S 3C 4C"}, "QD")
    assert chosen("steady", after(state, "pass pass 3H AD 4H")) == "7S"


def test_strong_plays_the_end_for_two_perfectly() -> None:
    """With the stock gone everything is known, and the dice no longer issue."""
    state = after(dealt("2i", {}), "pass")
    while len(state.tricks) < 14:
        state = rules.play(state, rules.legal_moves(state)[0])
    first = chosen("strong", state, seed=1)
    assert {chosen("strong", state, seed=seed) for seed in range(2, 6)} == {first}
