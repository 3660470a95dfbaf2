"""Whoever plays here only to be measured against: by the rules, the same with the same dice."""

from itertools import cycle, islice
from random import Random

import pytest

from games.mode import Mode
from tests.games.hands import PLAYED as GAMES, play_of
from tests.games.test_every_played_game import QUICK, TABLES, bots_moves, hands
from tests.lab.baselines import BASELINES
from tests.lab.opponents import everybody
from tests.lab.perfect_information import CHEATS

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
