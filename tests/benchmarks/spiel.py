"""OpenSpiel's games, played by lot: ``engines`` asks for them line by line.

What is printed first are their names; then, for every ``[place, seconds]`` that is read, the
hands, decisions and seconds of that game in so much processor time.
"""

import json
import sys
from random import Random
from time import process_time
from typing import Any

import pyspiel

# OpenSpiel's bridge would solve each deal with open cards before it is played.
GAMES = {
    "bridge": "bridge(use_double_dummy_result=false)",
    "hearts": "hearts",
    "euchre": "euchre",
}
AT_ONCE = 50  # hands between two looks at the clock


def play(game: Any, seconds: float) -> tuple[int, int, float]:
    """Let ``evaluate_bots`` play with bots that play by lot."""
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(game.num_players())]
    rng = Random(1)
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
        # The cards that chance deals are no decisions.
        decisions += sum(move.player >= 0 for state in states for move in state.full_history())
    return hands, decisions, spent


if __name__ == "__main__":
    games = [pyspiel.load_game(name) for name in GAMES.values()]
    print(json.dumps(list(GAMES)), flush=True)
    for line in sys.stdin:
        place, seconds = json.loads(line)
        print(json.dumps(play(games[place], seconds)), flush=True)
