"""The bots: rules of thumb, and guesses that keep to what a seat knows."""

from random import Random

import pytest

from games.catalogue import GAMES
from games.dalmuti.play import rules
from games.dalmuti.play.kernel import Determinizer
from games.dalmuti.play.state import State
from games.dalmuti.play.view import view
from games.play.playing import shuffled
from tests.games.dalmuti.table import laid
from tests.games.dalmuti.test_scoring import table
from tests.games.hands import after, chosen, play_of
from tests.lab.positions import of_dalmuti


@pytest.mark.parametrize(
    ("hand", "lead"),
    [
        ("12 12 9 3", "2x12"),  # the highest first
        ("2 2 9", "2x2"),  # what nobody can beat, before the last set
        ("1 2 2 9", "2x2"),
        ("3 9", "1x9"),  # somebody holds a 2
    ],
)
def test_steady_leads_by_rules_of_thumb(hand: str, lead: str) -> None:
    assert chosen("steady", laid(hand, "2 12 12 11", "11 11 8 8"), 60) == lead


@pytest.mark.parametrize(
    ("hand", "answer"),
    [
        ("9 9 7 7 7 12", "2x9"),  # the highest that need not be broken
        ("7 7 7 12 11 5", "skip"),  # low sets stay together
        ("9 9 9 12 11 7", "2x9"),  # high ones do not
        ("2 2 3 3", "2x3"),  # now it is later
    ],
)
def test_steady_answers_by_rules_of_thumb(hand: str, answer: str) -> None:
    state = after(laid("10 10 12", hand, "4 4 5 5"), "2x10")
    assert chosen("steady", state, 60) == answer


def test_steady_keeps_the_lowest_for_later() -> None:
    hand = "2 11 11 9 9 8 8 7 7 6 6 5 5 4 4"
    assert chosen("steady", after(laid("12 12", hand, "1 3"), "1x12"), 60) == "1x11"
    assert chosen("steady", after(laid("8 12", hand, "1 3"), "1x8"), 60) == "skip"


def test_strong_leads_what_nobody_can_beat_when_that_wins_and_goes_out_when_it_can() -> None:
    assert chosen("strong", laid("2 2 12", "1 3 3", "4 4 5"), 60) == "2x2"
    assert chosen("strong", after(laid("9 9 12", "8 8", "7 7 3"), "2x9"), 60) == "2x8"


@pytest.mark.parametrize("seats", [3, 7, 10])
def test_a_guess_keeps_to_what_the_seat_knows(seats: int) -> None:
    rng = Random(seats)
    session = table(seats)
    state = rules.deal(session, shuffled(play_of(GAMES["dalmuti"]), session, rng))
    for _ in range(40):
        truth, world = of_dalmuti(state), Determinizer(view(state, state.turn)).world(rng)
        assert world.hands[world.turn].counts == truth.hands[truth.turn].counts
        assert [hand.cards for hand in world.hands] == [hand.cards for hand in truth.hands]
        for value in range(1, 13):
            assert sum(hand.counts[value] for hand in world.hands) == sum(
                hand.counts[value] for hand in truth.hands
            )
        assert (world.turn, world.holders, world.asked) == (truth.turn, truth.holders, truth.asked)
        assert (world.count, world.value, world.out) == (truth.count, truth.value, truth.out)
        state = rules.play(state, rng.choice(rules.legal_moves(state)))


def both(state: State) -> tuple[str, str]:
    """Return what the readme's bot does, and what the code's does."""
    return chosen("readme", state, 1), chosen("original_code", state, 1)


@pytest.mark.parametrize(
    ("hand", "by_readme", "by_code"),
    [
        ("9 9 9 12 12", "3x9", "3x9"),
        ("9 9 12 12 4", "2x12", "2x12"),  # held equally often: the higher
        ("3 3 3 12 7", "3x3", "1x12"),  # the most cards, or the most when added up
        ("6 6 12 4 4 4", "3x4", "1x12"),  # 12 each: the higher value
    ],
)
def test_r9_the_seeds_bots_lead(hand: str, by_readme: str, by_code: str) -> None:
    assert both(laid(hand, "1 2", "2 3")) == (by_readme, by_code)  # R9


@pytest.mark.parametrize(
    ("hand", "by_readme", "by_code"),
    [
        ("8 8 8 6 6", "2x8", "2x6"),  # from a larger set too; only one held exactly so often
        ("7 7 6 6 5", "2x7", "2x7"),
        ("8 8 8 5", "2x8", "skip"),
        ("10 10 9 9 1", "skip", "skip"),
    ],
)
def test_r9_the_seeds_bots_follow(hand: str, by_readme: str, by_code: str) -> None:
    state = after(laid("9 9 12", hand, "2 3"), "2x9")
    assert both(state) == (by_readme, by_code)  # R9
