"""``watch`` and ``replay``: hands told as they happen, with nobody to ask."""

import argparse
import sys
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

from games.cli.evening import add_evening, read_bots, read_evening
from games.cli.scoreboard import show_outcome
from games.cli.screen import Ink, Screen, names_of, stdout_screen
from games.cli.table_setup import positive, read_budget, read_setup, unreadable
from games.records.format import Record
from games.records.parser import read_all
from games.records.replayer import replay


def add_watch(parser: argparse.ArgumentParser) -> None:
    """Let ``watch`` be told the table and who sits there."""
    add_evening(parser, bots="who plays, from seat 0 on")
    parser.add_argument("--hands", type=positive, default=1, metavar="N", help="how many hands (1)")


def run_watch(arguments: argparse.Namespace) -> int:
    """Let bots play so many hands, and tell every move of them."""
    setup, budget = read_setup(arguments), read_budget(arguments)
    arrived = tuple(islice(cycle(read_bots(arguments, setup)), setup.mode.seats))
    evening, draw = read_evening(arguments, setup, arrived)
    names = names_of(setup.mode, evening.sitting)
    screen = stdout_screen()
    screen.say(f"Dealt by --seed {evening.seed}.", Ink.FAINT)
    screen.say_all(draw)
    for number in range(1, arguments.hands + 1):
        before = evening.session
        numbered = evening.game.unit.numbered % {"number": number}
        screen.say(f"{evening.game.name} · {evening.mode.name} · {numbered}", Ink.TITLE)
        hand = evening.deal()
        while (seat := hand.seat) is not None:
            move = hand.ask(evening.play.bots[evening.sitting[seat]], seat, budget)
            screen.say(names.say(evening.play.describe_move(hand.state, move)))
            hand.make(seat, move)
        show_outcome(screen, names, evening, evening.finish(hand), before)
        screen.say()
    return 0


def add_replay(parser: argparse.ArgumentParser) -> None:
    """Let ``replay`` be told where the hands are written."""
    parser.add_argument("file", metavar="FILE", help="hands as --log writes them; - reads stdin")


def run_replay(arguments: argparse.Namespace) -> int:
    """Tell the hands that are written in a file."""
    screen = stdout_screen()
    for record in _records(arguments.file):
        _tell(record, screen)
        screen.say()
    return 0


def _records(source: str) -> Iterator[Record]:
    try:
        text = sys.stdin.read() if source == "-" else Path(source).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise unreadable(source, error) from error
    yield from read_all(text)


def _tell(record: Record, screen: Screen) -> None:
    """Tell a hand move by move, and what it came to.

    :raises RecordError: with the first thing that cannot have been.
    """
    replayed = replay(record)
    game, play, mode = replayed.game, replayed.play, replayed.session.mode
    names = names_of(mode, record.players or ("?",) * mode.seats)
    screen.say(f"{game.name} · {mode.name}", Ink.TITLE)
    for number, step in enumerate(replayed.steps, start=1):
        sentence = names.say(play.describe_move(step.before, step.move))
        screen.say(f"{number:4}  {play.move_code(step.move):<8}  {sentence}")
    screen.say()
    if replayed.sheet is None:
        screen.say("The hand is unfinished.", Ink.WRONG)
    else:
        headline = game.headline(replayed.session, replayed.sheet)
        screen.say(f"{names.say(headline)}.", Ink.GOOD)
