"""The standings page of 40 players beside SoL's page of as many, by turns.

Ours is asked for in three ways: fresh, so that it is drawn; by somebody else after it was drawn
for everybody; and by somebody who has seen it, where nothing has changed.

Both applications are asked in their own process, as a browser asks and without a server between.
A block asks each of them a few times, one after the other; what is compared is a block's own.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import IO, Any

from tests.benchmarks.apart import ROOT, python_with
from tests.benchmarks.site import house

PLAYERS, ROUNDS, HANDS = 40, 7, 1_000
_ASKS = 5  # a block
_BROWSER = {
    "HTTP_ACCEPT": "text/html",
    "HTTP_ACCEPT_ENCODING": "gzip",
    "HTTP_ACCEPT_LANGUAGE": "en",
    "REMOTE_ADDR": "127.0.0.1",
}
_OURS = (
    "from tracker.config.wsgi import application; from tests.benchmarks import asking;"
    " asking.answer_lines(application)"
)


@dataclass(frozen=True, slots=True)
class Site:
    """A process that asks its own application for what it is told to."""

    asks: IO[str]
    answers: IO[str]

    def ask(self, path: str, times: int, **headers: str) -> dict[str, Any]:
        print(json.dumps([path, {**_BROWSER, **headers}, times]), file=self.asks, flush=True)
        answer: dict[str, Any] = json.loads(self.answers.readline())
        return answer


@dataclass(frozen=True, slots=True)
class Row:
    """A page, and what each block of asking for it took, in milliseconds."""

    called: str
    site: Site
    path: str
    known: bool = False  # asked for by somebody who has seen it
    waited: list[float] = field(default_factory=list)
    worked: list[float] = field(default_factory=list)
    bytes: list[int] = field(default_factory=list)

    def ask(self) -> None:
        headers = {}
        if self.known:  # its tag changes every ten minutes, whatever has moved
            headers["HTTP_IF_NONE_MATCH"] = self.site.ask(self.path, 1)["headers"]["ETag"]
        answer = self.site.ask(self.path, _ASKS, **headers)
        if not answer["status"].startswith("304" if self.known else "200"):
            raise RuntimeError(f"{self.called}: {answer['status']}")
        self.waited.append(1000 * median(answer["waited"]))
        self.worked.append(1000 * median(answer["worked"]))
        self.bytes.append(answer["bytes"])


def compare(database: str, blocks: int) -> None:
    """Ask in so many blocks after one to warm up, and print what they took."""
    with ExitStack() as stack:
        at = stack.enter_context(house(database, 0))
        paths = json.loads(at.run("tests.benchmarks.seasons", HANDS, f"{HANDS}-pairs"))
        drawing, ours = (
            stack.enter_context(_started([sys.executable, "-c", _OURS], environment))
            for environment in ({**at.environment, "SHARED_PAGES": "0"}, at.environment)
        )
        rows = []
        for called, path in zip(
            (f"{PLAYERS} players", f"{PLAYERS // 2} pairs"), paths, strict=True
        ):
            rows += [
                Row(f"ours, {called}", drawing, path),
                Row(f"ours drawn before, {called}", ours, path),
                Row(f"ours unchanged, {called}", ours, path, known=True),
            ]
        if sol := _sol(stack):
            rows.append(sol)
        for block in range(-1, blocks):
            for row in rows:
                row.ask()
                if block < 0:
                    for figures in (row.waited, row.worked, row.bytes):
                        figures.clear()
    show(database, rows, sol)


@contextmanager
def _started(command: list[str], environment: Mapping[str, str] | None = None) -> Iterator[Site]:
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdin
        assert process.stdout
        if json.loads(process.stdout.readline() or "null") != "ready":
            raise RuntimeError(f"{command[1:3]} did not start")
        yield Site(process.stdin, process.stdout)
        process.stdin.close()


def _sol(stack: ExitStack) -> Row | None:
    """Return the row of SoL, if it can be had here."""
    if (python := python_with("sol", called="SoL")) is None:
        return None
    folder = stack.enter_context(TemporaryDirectory(prefix="sol-bench-"))
    given = [folder, str(PLAYERS), str(ROUNDS)]
    made = subprocess.run(
        [python, "-m", "tests.benchmarks.sol_apart", "make", *given],
        cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE,
    )  # fmt: skip
    version, path = json.loads(made.stdout)
    site = _started([python, "-m", "tests.benchmarks.sol_apart", "answer", folder])
    return Row(f"SoL {version}, {PLAYERS} players", stack.enter_context(site), path)


def show(database: str, rows: list[Row], sol: Row | None) -> None:
    print(f"\n{database:<32} {'p50 ms':>8} {'p10-p90':>14} {'processor ms':>13} {'kB':>6}", end="")
    print(f" {'of SoL':>7} {'its processor':>14}" if sol else "")
    for row in rows:
        tenths = quantiles(row.waited, n=10)
        spread = f"{tenths[0]:.1f}-{tenths[-1]:.1f}"
        print(
            f"{row.called:<32} {median(row.waited):>8.2f} {spread:>14}"
            f" {median(row.worked):>13.2f} {row.bytes[-1] / 1000:>6.1f}",
            end="",
        )
        if sol and row is not sol:
            of_clock, of_processor = (
                median(
                    our_time / their_time for our_time, their_time in zip(mine, theirs, strict=True)
                )
                for mine, theirs in ((row.waited, sol.waited), (row.worked, sol.worked))
            )
            print(f" {of_clock:>7.2f} {of_processor:>14.2f}", end="")
        print(flush=True)
