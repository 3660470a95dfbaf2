"""The baselines search as the strong bots do: what is plain to see they find."""

from random import Random

import pytest

from games.catalogue import GAMES
from games.play.playing import Budget
from tests.games.briscola import table as briscola
from tests.games.hands import after, play_of
from tests.games.mambassa import table as mambassa
from tests.games.mambassa.test_bots import POOR
from tests.lab.baselines import plain_briscola, plain_mambassa


def test_a_swap_of_briscola_is_made_at_once() -> None:
    dealt = briscola.dealt("2i", {1: "1S 7B 2D", 0: "4S"}, "3B")
    state = after(dealt, "1S 4S")
    move = plain_briscola(
        play_of(GAMES["briscola"]).view(state, 1), Random(1), Budget(iterations=6)
    )
    assert play_of(GAMES["briscola"]).move_code(move) == "swap7"


@pytest.mark.parametrize(
    ("hand", "offer", "before", "moves"),
    [
        ("2D 4S 5K 3B", "2S 2K 2B 6D", "", {"keep"}),
        ("1D 13D 12D 3B", "11D 6S 5K 2B", "leave", {"swap:3B/11D"}),  # Quarantuna
        ("2D 2S 2K 2B", "13D 12S 5K 6B", "leave", {"stand"}),  # nobody will catch up
    ],
)
def test_the_good_hand_of_mambassa_is_found(
    hand: str, offer: str, before: str, moves: set[str]
) -> None:
    dealt = mambassa.dealt({**POOR, len(before) // 5: hand}, offer)
    state = after(dealt, before)
    seen = play_of(GAMES["mambassa"]).view(state, state.turn)
    move = plain_mambassa(seen, Random(1), Budget(iterations=16))
    assert play_of(GAMES["mambassa"]).move_code(move) in moves
