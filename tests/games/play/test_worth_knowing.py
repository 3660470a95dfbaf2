"""What is said after a hand: true, to the seat it is about, and the same for the same dice."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from time import process_time
from typing import Any

import pytest

from games.game import AnyGame
from games.play.playing import AnyPlay, Budget, Decision, Prospect, Step, play_hand, shuffled
from games.play.worth_knowing import worth_knowing
from games.wording import Text
from tests.games.hands import PLAYED as GAMES, play_of
from tests.games.test_every_played_game import own

every_game = pytest.mark.parametrize("slug", GAMES)
THOUGHT = Budget(iterations=200)
SLOW = 5  # seconds at the largest table: 0.5 on an idle machine; this one may be busy, or measure coverage


def hand_of(game: AnyGame, bot: str, seed: int, *, largest: bool = False) -> list[Step]:
    """Return a hand in which this bot sits at seat 0, and steady ones at the others."""
    options, play = game.default_options(), play_of(game)
    mode = game.modes(options)[-1 if largest else 0]
    session = game.open_session(mode, options, 0, (None,) * mode.seats)
    rng = Random(seed)
    bots = [play.bots[bot], *[play.bots["steady"]] * (mode.seats - 1)]
    return list(
        play_hand(play, session, shuffled(play, session, rng), bots=bots, rng=rng, budget=THOUGHT)
    )


def kinds(play: AnyPlay) -> tuple[AnyPlay, list[str]]:
    """Return the game with a critic who says in a word what it has to say."""
    heard: list[str] = []

    def said(word: str) -> Any:
        def say(_decision: Decision[Any, Any]) -> Text:
            heard.append(word)
            return Text(word)

        return say

    assert play.critic is not None
    critic = replace(play.critic, better=said("better"), cost=said("cost"))
    return replace(play, critic=critic), heard


@every_game
def test_somebody_who_plays_at_random_is_told_what_was_better(slug: str) -> None:
    play, heard = kinds(play_of(GAMES[slug]))
    for seed in range(4):
        worth_knowing(play, hand_of(GAMES[slug], "beginner", seed), 0, Random(1))
    assert heard.count("better") >= 2


@every_game
def test_a_strong_player_seldom_regrets(slug: str) -> None:
    play, heard = kinds(play_of(GAMES[slug]))
    for seed in range(4):
        worth_knowing(play, hand_of(GAMES[slug], "strong", seed), 0, Random(1))
    assert heard.count("better") <= 1


@every_game
def test_same_hand_and_dice_say_the_same(slug: str) -> None:
    play, steps = play_of(GAMES[slug]), hand_of(GAMES[slug], "beginner", 3)
    said = [worth_knowing(play, steps, 0, Random(5)) for _ in range(2)]
    assert said[0] == said[1]
    assert said[0] is not None
    assert str(said[0])[-1] in ".!"


@every_game
def test_what_the_seat_could_not_see_changes_nothing(slug: str) -> None:
    """The moves are weighed as the seat saw the table, whatever lay hidden."""
    play = play_of(GAMES[slug])
    assert play.critic is not None
    critic = play.critic
    step = next(
        step
        for step in hand_of(GAMES[slug], "steady", 2)
        if step.seat == 0 and len(play.legal_moves(step.before)) > 1
    )
    elsewhere = own(slug, "hidden_elsewhere")(step.before, 0, Random(9))

    def weighed(state: Any) -> Sequence[Prospect]:
        view = play.view(state, 0)
        return critic.weigh(view, critic.moves(view, step.move), Random(4), 8)

    assert weighed(elsewhere) == weighed(step.before)


@every_game
def test_it_is_said_before_anybody_gets_impatient(slug: str) -> None:
    play, steps = play_of(GAMES[slug]), hand_of(GAMES[slug], "beginner", 1, largest=True)
    begun = process_time()
    worth_knowing(play, steps, 0, Random(1))
    assert process_time() - begun < SLOW


@every_game
def test_nothing_is_said_where_nothing_was_chosen(slug: str) -> None:
    play, steps = play_of(GAMES[slug]), hand_of(GAMES[slug], "steady", 1)
    assert worth_knowing(play, (), 0, Random(1)) is None
    assert worth_knowing(replace(play, critic=None), steps, 0, Random(1)) is None
