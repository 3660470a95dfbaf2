"""``play``, ``watch`` and ``replay``: what they are told, and the streams they use."""

import argparse
import os
import secrets
import shutil
import sys
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from random import Random

from games.answers import seat
from games.asked import Asked, played
from games.commands.table import (
    add_budget,
    add_table,
    asked_budget,
    asked_table,
    bot_names,
    positive,
    unreadable,
)
from games.record import Record, read_all
from games.terminal.evening import Evening
from games.terminal.names import names
from games.terminal.person import Seat
from games.terminal.screen import Ink, Screen, shows_colours
from games.terminal.watch import tell_record, watch

_YOU = "you"  # at the table; no bot is called so


def add_play(parser: argparse.ArgumentParser) -> None:
    """Let ``play`` be told the table, who else sits there, and where the person does."""
    _add_bots(parser, default="strong", help_text="who else plays, from the seat after yours on")
    parser.add_argument(
        "--seat", type=int, default=0, metavar="K", help="your seat (0), unless all draw for theirs"
    )
    parser.add_argument(
        "--hands", type=positive, metavar="N", help="how many hands; without it, until you leave"
    )


def add_watch(parser: argparse.ArgumentParser) -> None:
    """Let ``watch`` be told the table and who sits there."""
    _add_bots(parser, default="strong", help_text="who plays, from seat 0 on")
    parser.add_argument("--hands", type=positive, default=1, metavar="N", help="how many hands (1)")


def add_replay(parser: argparse.ArgumentParser) -> None:
    """Let ``replay`` be told where the hands are written."""
    parser.add_argument("file", metavar="FILE", help="hands as --log writes them; - reads stdin")


def play(asked: argparse.Namespace) -> int:
    """Play with a person at the keyboard."""
    table = asked_table(asked)
    own = seat(asked.seat, range(table.mode.seats), question="seat")
    bots = cycle(_bots(asked, table))
    others = {table.mode.after(own, step): next(bots) for step in range(1, table.mode.seats)}
    come = tuple(others.get(place, _YOU) for place in range(table.mode.seats))
    screen = stdout_screen()
    _settle_seed(asked)
    screen.say(f"Dealt by --seed {asked.seed}. “help” says what to type.", Ink.FAINT)
    sitting = _seated(asked, table, come, screen)
    evening = _evening(asked, table, sitting)
    person = Seat(
        evening,
        seat=sitting.index(_YOU),
        bots={
            place: (bot, evening.play.bots[bot]) for place, bot in enumerate(sitting) if bot != _YOU
        },
        budget=asked_budget(asked),
        screen=screen,
        read=input,
    )
    return person.play(asked.hands)


def watch_bots(asked: argparse.Namespace) -> int:
    """Tell hands that bots play."""
    table = asked_table(asked)
    come = tuple(islice(cycle(_bots(asked, table)), table.mode.seats))
    screen = stdout_screen()
    _settle_seed(asked)
    screen.say(f"Dealt by --seed {asked.seed}.", Ink.FAINT)
    sitting = _seated(asked, table, come, screen)
    evening = _evening(asked, table, sitting)
    watch(evening, sitting, hands=asked.hands, budget=asked_budget(asked), screen=screen)
    return 0


def replay_file(asked: argparse.Namespace) -> int:
    """Tell the hands that are written in a file."""
    screen = stdout_screen()
    for record in _records(asked.file):
        tell_record(record, screen)
        screen.say()
    return 0


def stdout_screen() -> Screen:
    """Return the terminal, or the file, that is written to."""
    width = shutil.get_terminal_size().columns
    return Screen(sys.stdout, colour=shows_colours(sys.stdout, os.environ), width=width)


def _add_bots(parser: argparse.ArgumentParser, *, default: str, help_text: str) -> None:
    add_table(parser)
    parser.add_argument(
        "--seed", type=int, default=None, metavar="N", help="deals the same hands again"
    )
    parser.add_argument(
        "--bots", default=default, metavar="NAME[,NAME...]", help=f"{help_text} ({default})"
    )
    parser.add_argument("--log", type=Path, metavar="FILE", help="write every hand down there")
    add_budget(parser)


def _bots(asked: argparse.Namespace, table: Asked) -> tuple[str, ...]:
    return bot_names(asked.bots, tuple(played(table.game).bots))


def _settle_seed(asked: argparse.Namespace) -> None:
    if asked.seed is None:
        asked.seed = secrets.randbelow(10**6)


def _seated(
    asked: argparse.Namespace, table: Asked, come: tuple[str, ...], screen: Screen
) -> tuple[str, ...]:
    """Return who sits where, told how if the house rules have them draw for their seats."""
    # Dice of its own: a seed deals the same hands, however people find their seats.
    dice = Random(f"seats {asked.seed}")
    draw = table.game.draw_seats and table.game.draw_seats(table.mode, table.options, dice)
    if not draw:
        return come
    screen.say_all(names(table.mode, come).tell(line) for line in draw.story)
    sitting = tuple(come[place] for place in draw.places)
    sides = names(table.mode, sitting).sides
    screen.say(f"So they sit: {' against '.join(sides)}.")
    return sitting


def _evening(asked: argparse.Namespace, table: Asked, sitting: tuple[str, ...]) -> Evening:
    return Evening(table, seed=asked.seed, sitting=sitting, log=asked.log)


def _records(source: str) -> Iterator[Record]:
    try:
        text = sys.stdin.read() if source == "-" else Path(source).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise unreadable(source, error) from error
    yield from read_all(text)
