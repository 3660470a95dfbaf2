"""Playouts of a seat that is alone among several: the others play by the rules of thumb."""

from random import Random
from typing import Any

import pytest

from games.albastini.play.kernel import KERNEL as ALBASTINI
from games.bots.heuristics import heuristic_card
from games.briscola.play.kernel import KERNEL as BRISCOLA
from games.catalogue import GAMES
from games.play.playing import Step, shuffled
from tests.games.hands import play_of
from tests.lab.positions import of_tricks


def steps_of(slug: str, mode: str, seed: int) -> list[Step]:
    """Return the moves of a hand by lot."""
    game, play, rng = GAMES[slug], play_of(GAMES[slug]), Random(seed)
    options = game.default_options()
    seats = game.mode(mode, options)
    session = game.open_session(seats, options, seed % seats.seats, (None,) * seats.seats)
    state, steps = play.deal(session, shuffled(play, session, rng)), []
    while (seat := play.seat_to_move(state)) is not None:
        move = rng.choice(play.legal_moves(state))
        steps.append(Step(state, seat, move, play.play(state, move)))
        state = steps[-1].after
    return steps


@pytest.mark.parametrize(
    ("slug", "mode", "kernel"), [("albastini", "5i", ALBASTINI), ("briscola", "3i", BRISCOLA)]
)
def test_others_play_by_rules_of_thumb(slug: str, mode: str, kernel: Any) -> None:
    play, by_weights = play_of(GAMES[slug]), 0
    for step in [step for seed in range(20) for step in steps_of(slug, mode, seed)]:
        seen = play.view(step.before, step.seat)
        if seen.trump is None:
            continue
        rule, position = kernel.policy(seen.mode), of_tricks(kernel, step.before)
        expected = heuristic_card(seen)
        deck, values = position.deck, (expected.suit is seen.trump, expected.strength)
        others = rule.card(position, (step.seat + 1) % seen.mode.seats)
        own = rule.card(position, step.seat)
        assert (others < deck.ranks, others % deck.ranks) == values
        assert own == rule.card(position)
        by_weights += own != others
    assert by_weights > 100
