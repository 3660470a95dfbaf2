"""The engines as a command: for people, for scripts and for other languages.

``score`` is asked and answers in JSON, and so does ``list`` where nobody is at a terminal;
``rules``, ``play``, ``watch``, ``replay`` and ``arena`` speak to people. What cannot be done is said in a
sentence, and the exit code is 2.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from io import StringIO, TextIOWrapper
from pathlib import Path
from typing import NamedTuple

from games.cli.arena import add_arena, run_arena
from games.cli.play import INTERRUPTED, add_play, run_play
from games.cli.rulebook import add_rules, run_rules
from games.cli.score import REFUSED, add_list, add_score, list_games, print_refusal, score
from games.cli.screen import screen_on, sentence
from games.cli.table_setup import CommandError, Parser
from games.cli.watch import add_replay, add_watch, run_replay, run_watch
from games.errors import RuleError, gettext_noop

BROKEN_PIPE = 141  # what a shell says of a program that nobody listens to any more


class _Command(NamedTuple):
    """A command: its function, its arguments, its help, and whether people read its output."""

    run: Callable[[argparse.Namespace], int]
    add: Callable[[argparse.ArgumentParser], None]
    help: str
    spoken: bool


COMMANDS = {
    "list": _Command(list_games, add_list, "list the games, their modes and house rules", False),
    "rules": _Command(run_rules, add_rules, "say how to play a game, or look up a rule", True),
    "score": _Command(score, add_score, "say what sheets earn and who deals next", False),
    "play": _Command(run_play, add_play, "play against bots", True),
    "watch": _Command(run_watch, add_watch, "look on while bots play", True),
    "replay": _Command(run_replay, add_replay, "tell hands that are written down", True),
    "arena": _Command(run_arena, add_arena, "find out which of two bots is better", True),
}


def main(argv: Sequence[str]) -> int:
    """Do one command, and return its exit code."""
    try:
        if not argv:
            raise CommandError(
                "usage",
                gettext_noop("Say what to do: %(known)s or %(last)s."),
                known=", ".join([*COMMANDS][:-1]),
                last=[*COMMANDS][-1],
            )
        arguments = parser().parse_args(argv)
        code = COMMANDS[arguments.command].run(arguments)
        sys.stdout.flush()  # here, where it is still known what to do if nobody reads it
    except RuleError as error:
        if _spoken(argv):
            screen_on(sys.stderr).say(sentence(str(error)))
        else:
            print_refusal(error)
        return REFUSED
    return code


def parser() -> argparse.ArgumentParser:
    """Return what reads a command."""
    words = Parser(prog="python -m games", description=__doc__, allow_abbrev=False)
    commands = words.add_subparsers(dest="command", required=True)
    for name, command in COMMANDS.items():
        command.add(commands.add_parser(name, help=command.help, allow_abbrev=False))
    return words


def _spoken(argv: Sequence[str]) -> bool:
    command = COMMANDS.get(argv[0]) if argv else None
    return command is not None and command.spoken


def run(argv: Sequence[str]) -> int:
    """Run one command as a shell expects, even with closed or broken streams."""
    # Whoever closed a stream types nothing there, or reads nothing.
    sys.stdin, sys.stdout, sys.stderr = (
        stream or StringIO() for stream in (sys.stdin, sys.stdout, sys.stderr)
    )
    # A terminal that lacks a letter shows “?”, and what is typed is no reason to stop.
    for stream in (sys.stdout, sys.stderr, *([sys.stdin] if _spoken(argv) else [])):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        return main(argv)
    except BrokenPipeError:
        # What is still to be written has nowhere to go, and must not be tried again at the end.
        with Path(os.devnull).open("w") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())
        return BROKEN_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    raise SystemExit(run(sys.argv[1:]))
