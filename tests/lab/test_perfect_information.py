"""Who sees all cards does better than a club player, and knows what is still to come."""

from random import Random

import pytest

from games.catalogue import GAMES
from games.play.playing import Budget
from tests.games.briscola import table as briscola
from tests.games.contests import contest, tally
from tests.games.hands import after, codes, play_of
from tests.games.mambassa import table as mambassa
from tests.games.mambassa.test_bots import POOR
from tests.lab.opponents import everybody
from tests.lab.perfect_information import CHEATS, cheat_briscola, cheat_mambassa

TABLES = {
    "albastini": ("2i", 6),
    "briscola": ("2i", 6),
    "dalmuti": ("4i", 2),
    "mambassa": ("3i", 2),
}


def test_every_cheat_is_measured() -> None:
    assert {*TABLES} == {*CHEATS}


@pytest.mark.parametrize("slug", TABLES)
def test_a_cheat_beats_a_club_player(slug: str) -> None:
    mode, deals = TABLES[slug]
    match = contest(slug, mode, "cheat steady", iterations=16, entrants=everybody)
    assert tally(match, deals).share > 0.5


def test_a_swap_of_briscola_is_made_at_once() -> None:
    dealt = briscola.dealt("2i", {1: "1S 7B 2D", 0: "4S"}, "3B")
    move = cheat_briscola(after(dealt, "1S 4S"), Random(1), Budget())
    assert play_of(GAMES["briscola"]).move_code(move) == "swap7"


def test_what_lies_in_the_stock_of_mambassa_is_known() -> None:
    hands = {**POOR, 1: "1D 13D 12D 3B", 2: "2D 3S 4K 5B"}
    state = after(mambassa.dealt(hands, "6S 5K 2B 4D", "11D"), "leave")
    while play_of(GAMES["mambassa"]).seat_to_move(state) == 1:
        move = cheat_mambassa(state, Random(1), Budget(iterations=16))
        state = play_of(GAMES["mambassa"]).play(state, move)
    assert "11D" in codes(state.hands[1]).split()
