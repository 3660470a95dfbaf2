"""Playouts of a seat that is alone among several: the others play by the rules of thumb."""

from typing import Any

import pytest

from games.albastini.play.kernel import KERNEL as ALBASTINI
from games.bots.heuristics import heuristic_card
from games.briscola.play.kernel import KERNEL as BRISCOLA
from games.records.replayer import replay
from tests.games.hands import PLAYED, play_of, some_record
from tests.lab.positions import of_tricks


@pytest.mark.parametrize(
    ("slug", "mode", "kernel"), [("albastini", "5i", ALBASTINI), ("briscola", "3i", BRISCOLA)]
)
def test_others_play_by_rules_of_thumb(slug: str, mode: str, kernel: Any) -> None:
    play, by_weights = play_of(PLAYED[slug]), 0
    records = [some_record(PLAYED[slug], mode, seed, earlier=0) for seed in range(20)]
    for step in [step for record in records for step in replay(record).steps]:
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
