"""Whoever plays here only to be measured against: by the rules, the same with the same dice.

What is plain to see they find; who sees all cards does better than a club player.
"""

from itertools import cycle, islice
from random import Random

import pytest

from games.mode import Mode
from games.play.playing import Budget
from tests.games.briscola import table as briscola
from tests.games.contests import contest, tally
from tests.games.hands import PLAYED as GAMES, after, codes, play_of
from tests.games.mambassa import table as mambassa
from tests.games.mambassa.test_bots import POOR
from tests.games.test_every_played_game import QUICK, TABLES, bots_moves, hands
from tests.lab.baselines import BASELINES, plain_briscola, plain_mambassa
from tests.lab.opponents import everybody
from tests.lab.perfect_information import CHEATS, cheat_briscola, cheat_mambassa

every_size = pytest.mark.parametrize(
    ("slug", "mode"),
    [
        pytest.param(slug, mode, id=f"{slug}-{mode.code}")
        for slug, mode in TABLES
        if slug in CHEATS and (mode.seats <= 8 or mode.seats == 20)
    ],
)


@pytest.mark.parametrize("slug", CHEATS)
def test_everybody_may_play(slug: str) -> None:
    own = {*play_of(GAMES[slug]).bots}
    assert {*everybody(GAMES[slug])} == own | {*BASELINES[slug]} | {"cheat"}
    assert not own & {*BASELINES[slug]}


@every_size
def test_they_play_by_the_rules_to_the_end(slug: str, mode: Mode) -> None:
    """What they may not do would raise, and a hand that does not end would not return."""
    seated = list(islice(cycle(BASELINES[slug].values()), mode.seats))
    assert list(bots_moves(slug, mode, seated, seed=mode.seats))


@pytest.mark.parametrize("slug", BASELINES)
def test_the_same_dice_give_the_same_hand(slug: str) -> None:
    mode = GAMES[slug].modes(GAMES[slug].default_options())[1]
    for bot in BASELINES[slug].values():
        seated = [bot, *[play_of(GAMES[slug]).bots["steady"]] * (mode.seats - 2), bot]
        first, again = (list(bots_moves(slug, mode, seated, seed=9)) for _ in range(2))
        assert first == again


@every_size
def test_a_cheat_keeps_the_rules(slug: str, mode: Mode) -> None:
    play, rng = play_of(GAMES[slug]), Random(mode.seats)
    steady = play.bots["steady"]
    state = hands(slug, mode)[0].states[len(hands(slug, mode)[0].states) // 3]
    for _ in range(6):
        if (seat := play.seat_to_move(state)) is None:
            break
        move = CHEATS[slug](state, rng, QUICK)
        assert move in play.legal_moves(state)
        state = play.play(state, steady(play.view(state, seat), rng, QUICK))


def test_a_swap_of_briscola_is_made_at_once() -> None:
    dealt = briscola.dealt("2i", {1: "1S 7B 2D", 0: "4S"}, "3B")
    state, play = after(dealt, "1S 4S"), play_of(GAMES["briscola"])

    plain = plain_briscola(play.view(state, 1), Random(1), Budget(iterations=6))
    cheating = cheat_briscola(state, Random(1), Budget())

    assert [play.move_code(move) for move in (plain, cheating)] == ["swap7"] * 2


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


CHEATED = {
    "albastini": ("2i", 6),
    "briscola": ("2i", 6),
    "dalmuti": ("4i", 2),
    "mambassa": ("3i", 2),
}


def test_every_cheat_is_measured() -> None:
    assert {*CHEATED} == {*CHEATS}


@pytest.mark.parametrize("slug", CHEATED)
def test_a_cheat_beats_a_club_player(slug: str) -> None:
    mode, deals = CHEATED[slug]
    match = contest(slug, mode, "cheat steady", iterations=16, entrants=everybody)
    assert tally(match, deals).share > 0.5


def test_what_lies_in_the_stock_of_mambassa_is_known() -> None:
    hands = {**POOR, 1: "1D 13D 12D 3B", 2: "2D 3S 4K 5B"}
    state = after(mambassa.dealt(hands, "6S 5K 2B 4D", "11D"), "leave")
    while play_of(GAMES["mambassa"]).seat_to_move(state) == 1:
        move = cheat_mambassa(state, Random(1), Budget(iterations=16))
        state = play_of(GAMES["mambassa"]).play(state, move)
    assert "11D" in codes(state.hands[1]).split()
