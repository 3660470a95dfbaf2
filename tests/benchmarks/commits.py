"""A report, a page of standings and pages of tables beside those of an earlier commit, by turns.

In process, on SQLite in memory: the processor time of one request, the least of all blocks and
their median. The code of each commit runs in a process of its own, and only one of them works at a
time: they take turns, and every other block the other way round.
"""

import argparse
import subprocess
import sys
from collections import defaultdict
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from tests.measures import environment, tree_of

_APART = Path(__file__).with_name("commit_apart.py")
ACTS = {
    "report": "a report",
    "standing": "a page of standings, ten tables",
    "albastini": "a table of Albastini, 14 hands",
    "mambassa": "a table of Mambassa, no hands",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commits", nargs="+", help="what this code is measured beside")
    parser.add_argument("--blocks", type=int, default=20)
    parser.add_argument("--times", type=int, default=10, help="requests of a block")
    given = parser.parse_args()
    took: dict[tuple[str, str], list[float]] = defaultdict(list)
    with ExitStack() as stack:
        sides = {
            name: stack.enter_context(_asked(stack.enter_context(tree_of(commit))))
            for name, commit in {**{name: name for name in given.commits}, "here": None}.items()
        }
        in_turn = list(sides.items())
        for _ in range(given.blocks):
            in_turn.reverse()
            for act in ACTS:
                for name, side in in_turn:
                    assert side.stdin
                    assert side.stdout
                    side.stdin.write(f"{act} {given.times}\n")
                    side.stdin.flush()
                    took[act, name].append(float(side.stdout.readline()))
    for act, words in ACTS.items():
        for name in sides:
            least, usual = (1000 * of(took[act, name]) for of in (min, median))
            print(f"{words:32} {name:10} {least:6.2f} ms, median {usual:6.2f} ms")


def _asked(root: Path) -> subprocess.Popen[str]:
    """Start what does the acts with the code of that folder; it ends with its standard input."""
    return subprocess.Popen(
        [sys.executable, "-P", str(_APART)],
        cwd=root,
        env=environment(root),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


if __name__ == "__main__":
    main()
