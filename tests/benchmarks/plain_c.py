"""Briscola for two in C, compiled here with ``cc -O3``: how fast a machine could play."""

import subprocess
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from tests.benchmarks.random_hands import Engine, Fold, Timed, check
from tests.lab.random_playout.tricks import TrickPlayout

SOURCE = Path(__file__).with_name("briscola.c")
CARDS, SEATS = 40, 2


def briscola(fold: Fold) -> Engine | None:
    """Return the engine, whose deals are held to the rules; none without a compiler."""
    compiler = which("cc")
    if compiler is None:
        print("There is no C compiler here: nothing is compared with C.")
        return None
    folder = TemporaryDirectory(prefix="briscola-")
    program = Path(folder.name) / "briscola"
    subprocess.run([compiler, "-O3", "-o", program, SOURCE], check=True)
    first = str(fold.session.leader)

    def run(seconds: float) -> Timed:
        completed = subprocess.run(
            # By way of the folder, which lasts only as long as something refers to it.
            [Path(folder.name, program.name), str(seconds), first],
            capture_output=True,
            text=True,
            check=True,
        )
        total, *deals = completed.stdout.splitlines()
        for deal in deals:
            check(fold, _table([int(number) for number in deal.split()]))
        hands, decisions, spent = total.split()
        return Timed(int(hands), int(decisions), float(spent))

    return run


def _table(numbers: list[int]) -> TrickPlayout:
    order, points = numbers[:CARDS], numbers[CARDS : CARDS + SEATS]
    return TrickPlayout(order, [], iter(()), 0, [], points, numbers[CARDS + SEATS :])
