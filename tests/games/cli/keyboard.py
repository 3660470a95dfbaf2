"""Keyboard: what somebody types at a terminal, and the tables at which it is typed."""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from games.game import AnyGame

ROOT = Path(__file__).parents[3]
COMMAND = [sys.executable, "-S", "-W", "error", "-m", "games"]
BRISCOLA = "play briscola --mode 2i --seed 5 --bots beginner"
Type = Callable[..., tuple[int, str]]  # what the fixture ``typing`` is


class Keys:
    """What somebody types, line by line; after the last there is no more, or Ctrl-C."""

    def __init__(self, lines: Sequence[str], *, interrupt: bool = False) -> None:
        self._lines = iter(lines)
        self._last = KeyboardInterrupt if interrupt else EOFError

    def __call__(self, prompt: str) -> str:
        sys.stdout.write(prompt)
        try:
            return next(self._lines)
        except StopIteration:
            raise self._last from None


def in_ascii(argv: str, typed: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run a command at a terminal that knows no letters but those of ASCII."""
    return subprocess.run(
        [*COMMAND, *argv.split()],
        input=typed,
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )


def quick(game: AnyGame, mode: str | None = None) -> str:
    """Return the table of a game with bots that answer at once."""
    usual = mode or game.modes(game.default_options())[0].code
    return f"play {game.slug} --mode {usual} --seed 6 --bots beginner"
