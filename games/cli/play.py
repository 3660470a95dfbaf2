"""``play``: a person at a keyboard, with bots on the other seats, hand after hand."""

import argparse
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from itertools import cycle
from time import monotonic

from games.cli.evening import EveningLength, add_evening, read_bots, read_evening
from games.cli.person import KeyboardPlayer
from games.cli.screen import YOU, Ink, stdout_screen
from games.cli.table_setup import positive, read_budget, read_seat, read_setup


def add_play(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``play``: the table, the bots, the person, and how long to play."""
    add_evening(parser, bots="who else plays, from the seat after yours on")
    parser.add_argument(
        "--seat", type=int, default=0, metavar="K", help="your seat (0), unless all draw for theirs"
    )
    parser.add_argument("--name", metavar="NAME", help="what you are called in the log")
    parser.add_argument(
        "--hands", type=positive, metavar="N", help="how many hands; without it, until you leave"
    )
    parser.add_argument("--minutes", type=positive, metavar="N", help="deal no more after so long")


def run_play(
    arguments: argparse.Namespace,
    *,
    clock: Callable[[], float] = monotonic,
    read: Callable[[str], str] | None = None,
) -> int:
    """Play with a person, who types at the keyboard unless *read* is given."""
    setup = read_setup(arguments)
    mode = setup.mode
    own = read_seat(arguments.seat, mode)
    bots = cycle(read_bots(arguments, setup))
    others = {mode.after(own, step): next(bots) for step in range(1, mode.seats)}
    arrived = tuple(others.get(place, YOU) for place in range(mode.seats))
    evening, draw = read_evening(arguments, setup, arrived)
    screen = stdout_screen()
    screen.say(f"Dealt by --seed {evening.seed}. “help” says what to type.", Ink.FAINT)
    screen.say_all(draw)
    if sys.stdin.isatty():
        with suppress(ImportError):  # not every Python has it
            import_module("readline")  # which lets a line be edited before it is sent
    person = KeyboardPlayer(
        evening, budget=read_budget(arguments), screen=screen, read=read or input
    )
    return person.play(EveningLength(arguments.hands, arguments.minutes, clock))
