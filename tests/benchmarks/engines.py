"""Random hands a second: the readable rules, the kernels and OpenSpiel's C++, by turns.

OpenSpiel is installed into a virtual environment of its own, ``.venv-engines``, which takes a
minute the first time. Every engine of ours is held to the readable rules first, and figures are
refused if they disagree.
"""

import argparse
import json
import subprocess
import sys
import venv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import IO, Any, NamedTuple

from games import catalogue
from games.game import AnyGame
from games.play.playing import AnyPlay, shuffled
from tests.benchmarks.site import ROOT
from tests.lab.random_playout import PLAYOUTS

TABLES = {
    "albastini": ("2i", "4t2"),
    "briscola": ("2i", "4t2"),
    "dalmuti": ("4i", "8i"),
    "mambassa": ("4i",),
}
AT_ONCE = 50  # hands between two looks at the clock


class Timed(NamedTuple):
    """What was played in how much processor time."""

    hands: int
    decisions: int
    seconds: float


Engine = Callable[[float], Timed]  # plays for about so many seconds


class Row(NamedTuple):
    """One engine: who made it, what it plays, how to time it."""

    maker: str
    game: str
    run: Engine


@dataclass(frozen=True, slots=True)
class Fold:
    """A game in one mode, after a first hand."""

    game: AnyGame
    play: AnyPlay
    session: Any


def second_hand(slug: str, code: str) -> Fold:
    """Return this game in its usual house after a hand, as most are played."""
    game = catalogue.GAMES[slug]
    assert game.play is not None
    options = game.default_options()
    mode = game.mode(code, options)
    session = game.open_session(mode, options, 0, (None,) * mode.seats)
    first, _ = one_hand(game.play, session, Random(1))
    sheet = game.play.fill_sheet(first)
    return Fold(game, game.play, game.add_sheet(session, sheet).session)


def one_hand(play: AnyPlay, session: Any, rng: Random) -> tuple[Any, int]:
    """Play a random hand by the readable rules; return the last state and the decisions."""
    state = play.deal(session, shuffled(play, session, rng))
    decisions = 0
    while play.seat_to_move(state) is not None:
        state = play.play(state, rng.choice(play.legal_moves(state)))
        decisions += 1
    return state, decisions


def by_rules(fold: Fold) -> Engine:
    rng = Random(1)
    return timed(lambda: one_hand(fold.play, fold.session, rng)[1], at_once=1)


def by_random_playout(fold: Fold) -> Engine:
    """Return the random playouts of a game, once a few were held to the rules."""
    playout, dice = PLAYOUTS[fold.game.slug](fold.session), Random(1).random
    for _ in range(20):
        check(fold, playout.play(dice))
    return timed(lambda: len(playout.play(dice).moves), at_once=AT_ONCE)


def check(fold: Fold, hand: Any) -> None:
    """Play the hand of a random playout again by the readable rules.

    :raises AssertionError: if it does not come to the same.
    """
    playout, play = PLAYOUTS[fold.game.slug](fold.session), fold.play
    packs, moves = playout.readable(hand)
    state = play.deal(fold.session, packs)
    for move in moves:
        state = play.play(state, move)
    assert play.seat_to_move(state) is None
    sheet = play.fill_sheet(state)
    assert sheet == {**sheet, **playout.sheet(hand)}


def timed(hand: Callable[[], int], *, at_once: int) -> Engine:
    """Return the engine that plays hands, each returning its decisions, so many at once."""

    def run(seconds: float) -> Timed:
        hands = decisions = 0
        begun = process_time()
        while (spent := process_time() - begun) < seconds:
            for _ in range(at_once):
                decisions += hand()
            hands += at_once
        return Timed(hands, decisions, spent)

    return run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--blocks", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=0.3, help="for each block")
    given = parser.parse_args()
    rows = [
        Row(maker, f"{slug} {code}", engine(fold))
        for slug, codes in TABLES.items()
        for code in codes
        for fold in [second_hand(slug, code)]
        for maker, engine in (("readable rules", by_rules), ("kernel", by_random_playout))
    ]
    with open_spiel() as theirs:
        rows += theirs
        times: list[list[Timed]] = [[] for _ in rows]
        for block in range(-1, given.blocks):
            for row, samples in zip(rows, times, strict=True):
                sample = row.run(given.seconds)
                if block >= 0:  # the first is to warm up
                    samples.append(sample)
    show(rows, times)


@contextmanager
def open_spiel() -> Iterator[list[Row]]:
    """Yield OpenSpiel's engines, which run in a process of their own; none if it is not to be had."""
    if (python := _python_of_spiel()) is None:
        yield []
        return
    command = [python, "-m", "tests.benchmarks.spiel"]
    with subprocess.Popen(
        command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        names = json.loads(process.stdout.readline())
        yield [
            Row("OpenSpiel C++", name, _asked(process.stdin, process.stdout, place))
            for place, name in enumerate(names)
        ]
        process.stdin.close()


def _python_of_spiel() -> str | None:
    """Return a Python that has what ``requirements-engines.txt`` pins, if that can be installed."""
    folder = ROOT / ".venv-engines"
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not python.exists():
        venv.create(folder, with_pip=True)
    wanted = Path(__file__).with_name("requirements-engines.txt")
    install = [str(python), "-m", "pip", "install", "--quiet", "--requirement", str(wanted)]
    if subprocess.run(install, check=False).returncode == 0:
        return str(python)
    print("OpenSpiel cannot be installed here, so ours stands alone.")
    return None


def _asked(ask: IO[str], answer: IO[str], place: int) -> Engine:
    """Return the engine in this place of the other process's list."""

    def run(seconds: float) -> Timed:
        print(json.dumps([place, seconds]), file=ask, flush=True)
        return Timed(*json.loads(answer.readline()))

    return run


def show(rows: list[Row], times: list[list[Timed]]) -> None:
    """Print what a second of processor time gives, the middle one of all blocks."""
    rates = [median(sample.decisions / sample.seconds for sample in timed) for timed in times]
    theirs = [rate for row, rate in zip(rows, rates, strict=True) if row.maker == "OpenSpiel C++"]
    beside = "of OpenSpiel's mean" if theirs else ""
    print(f"{'':<16} {'':<16} {'hands/s':>12} {'decisions/s':>14} {beside:>20}")
    for row, timed, rate in zip(rows, times, rates, strict=True):
        hands = median(sample.hands / sample.seconds for sample in timed)
        share = f"{rate * len(theirs) / sum(theirs):.2f}" if theirs else ""
        print(f"{row.maker:<16} {row.game:<16} {hands:>12,.0f} {rate:>14,.0f} {share:>20}")


if __name__ == "__main__":
    main()
