"""``watch`` and ``replay``: commands that narrate hands without a person at the table."""

import argparse
import sys
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from games.cli.card_names import printed
from games.cli.evening import add_evening, read_bots, read_evening
from games.cli.scoreboard import show_outcome, show_result, show_winner
from games.cli.screen import Ink, Screen, SeatNames, names_of, screen_on
from games.cli.table_setup import positive, read_budget, read_setup, unreadable
from games.errors import gettext_noop
from games.play.playing import AnyPlay, Step
from games.records.format import Record, RecordError
from games.records.parser import read_all
from games.records.replayer import replay


def add_watch(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``watch``: the table, who sits there, and how many hands."""
    add_evening(parser, bots="who plays, from seat 0 on")
    parser.add_argument("--hands", type=positive, default=1, metavar="N", help="how many hands (1)")


def run_watch(arguments: argparse.Namespace) -> int:
    """Let bots play so many hands, and tell every move of them."""
    setup, budget = read_setup(arguments), read_budget(arguments)
    arrived = tuple(islice(cycle(read_bots(arguments, setup)), setup.mode.seats))
    evening, draw = read_evening(arguments, setup, arrived)
    names = names_of(setup.mode, evening.sitting)
    screen = screen_on(sys.stdout)
    screen.say(f"Dealt by --seed {evening.seed}.", Ink.FAINT)
    screen.say_all(draw)
    for number in range(1, arguments.hands + 1):
        before = evening.session
        numbered = evening.game.unit.numbered % {"number": number}
        screen.say(f"{evening.game.name} · {evening.mode.name} · {numbered}", Ink.TITLE)
        hand = evening.deal()
        show_hands(screen, names, evening.play, hand.state)
        while (seat := hand.seat) is not None:
            move = hand.ask(evening.play.bots[evening.sitting[seat]], seat, budget)
            screen.say(names.say(evening.play.describe_move(hand.state, move)), hang=2)
            hand.make(seat, move)
            show_table(screen, names, evening.play, hand.steps[-1])
        show_outcome(screen, names, evening, hand, before)
        screen.say()
    show_winner(screen, names, evening)
    return 0


def show_hands(screen: Screen, names: SeatNames, play: AnyPlay, state: Any) -> None:
    """Show the cards that each seat sees once they are dealt, for those who look on."""
    for seat, called in enumerate(names.seats):
        layout = play.layout(play.view(state, seat))
        cards = [
            f"{held.face.count} × {held.face.rank}" if held.face.count > 1 else printed(held.face)
            for held in layout.hand
        ]
        if cards:
            sees = f"{called[:1].upper()}{called[1:]} sees: {', '.join(cards)}"
            screen.say(sees, Ink.FAINT, hang=2)


def show_table(screen: Screen, names: SeatNames, play: AnyPlay, step: Step) -> None:
    """Show what all should bear in mind, where a move has changed it."""
    before, now = (play.layout(play.view(state, 0)).says for state in (step.before, step.after))
    if now and now != before:
        line = " · ".join(map(names.say, now))
        screen.say(f"  {line}", Ink.FAINT)


def add_replay(parser: argparse.ArgumentParser) -> None:
    """Add the argument of ``replay``: the file of hands."""
    parser.add_argument("file", metavar="FILE", help="hands as --log writes them; - reads stdin")


def run_replay(arguments: argparse.Namespace) -> int:
    """Tell the hands that are written in a file."""
    screen = screen_on(sys.stdout)
    source = arguments.file
    try:
        text = sys.stdin.read() if source == "-" else Path(source).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise unreadable(source, error) from error
    records = read_all(text)
    if not records:
        raise RecordError(
            "no-hand",
            gettext_noop("“%(file)s” holds no hand: play and watch write some with --log."),
            file=source,
        )
    for record in records:
        _tell(record, screen)
        screen.say()
    return 0


def _tell(record: Record, screen: Screen) -> None:
    """Tell a hand move by move, and what it came to.

    :raises RecordError: with the first thing that cannot have been.
    """
    replayed = replay(record)
    game, play, mode = replayed.game, replayed.play, replayed.session.mode
    names = names_of(mode, record.players or ("?",) * mode.seats)
    screen.say(f"{game.name} · {mode.name}", Ink.TITLE)
    show_hands(screen, names, play, replayed.states[0])
    for number, step in enumerate(replayed.steps, start=1):
        sentence = names.say(play.describe_move(step.before, step.move))
        screen.say(f"{number:4}  {play.move_code(step.move):<8}  {sentence}", hang=12)
        show_table(screen, names, play, step)
    screen.say()
    if replayed.sheet is None:
        screen.say("The hand was left unfinished.", Ink.WRONG)
        return
    sheet = game.add_sheet(replayed.session, replayed.sheet).sheet
    before, end = replayed.session, replayed.states[-1]
    show_result(screen, names, game, before=before, end=end, sheet=sheet)
