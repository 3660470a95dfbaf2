"""The engines that need packages of their own; ``engines`` asks for them line by line.

What is printed first are their names; then, for every ``[place, seconds]`` that is read, what
that engine did in so much processor time.
"""

import json
import sys
from random import Random
from time import process_time
from typing import Any

import pyspiel

from tests.benchmarks.numba_tricks import Batch
from tests.benchmarks.random_hands import AT_ONCE, Engine, Timed, second_hand

# OpenSpiel's bridge would solve each deal with open cards before it is played.
SPIEL = {
    "bridge": "bridge(use_double_dummy_result=false)",
    "hearts": "hearts",
    "euchre": "euchre",
}
BATCHES = [("albastini", "2i"), ("albastini", "4t2"), ("briscola", "2i"), ("briscola", "4t2")]
BATCH = 20_000  # hands


def spiel(name: str) -> Engine:
    """Return OpenSpiel's ``evaluate_bots`` with bots that play by lot."""
    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(game.num_players())]
    rng = Random(1)

    def run(seconds: float) -> Timed:
        hands = decisions = 0
        spent = 0.0
        while spent < seconds:
            seeds = [rng.getrandbits(31) for _ in range(AT_ONCE)]
            begun = process_time()
            states = [game.new_initial_state() for _ in seeds]
            for state, seed in zip(states, seeds, strict=True):
                pyspiel.evaluate_bots(state, bots, seed)
            spent += process_time() - begun
            hands += AT_ONCE
            decisions += sum(map(_decisions, states))
        return Timed(hands, decisions, spent)

    return run


def _decisions(state: Any) -> int:
    """Count the moves of players; the cards that chance deals are none."""
    return sum(move.player >= 0 for move in state.full_history())


def batches(slug: str, code: str) -> Engine:
    """Return Numba's kernel, once a batch was held to the readable rules."""
    batch = Batch(second_hand(slug, code))
    batch.play(BATCH)
    batch.check()

    def run(seconds: float) -> Timed:
        hands = decisions = 0
        begun = process_time()
        while (spent := process_time() - begun) < seconds:
            decisions += batch.play(BATCH)
            hands += BATCH
        return Timed(hands, decisions, spent)

    return run


def main() -> None:
    named = {("OpenSpiel C++", name): spiel(game) for name, game in SPIEL.items()}
    named |= {("Numba", f"{slug} {code}"): batches(slug, code) for slug, code in BATCHES}
    print(json.dumps(list(named)), flush=True)
    runs = list(named.values())
    for line in sys.stdin:
        place, seconds = json.loads(line)
        print(json.dumps(runs[place](seconds)), flush=True)


if __name__ == "__main__":
    main()
