"""``arena``: which of two bots is better, with a bar for people and silence for logs."""

import argparse
import sys
from collections.abc import Callable
from time import monotonic
from typing import TextIO, TypeAlias

from games.cli.contest import Contest, ContestScore, Entrants, bots_of, play_deals
from games.cli.screen import stdout_screen
from games.cli.table_setup import (
    CommandError,
    add_budget,
    add_table,
    bot_names,
    bots_help,
    positive,
    read_budget,
    read_setup,
)
from games.errors import gettext_noop
from games.play.playing import Budget

_BAR = 24
# Between which shares the true one is, as far as somebody can say.
Spread: TypeAlias = Callable[[ContestScore], str]


def add_arena(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``arena``: the table, the two bots, and how much to play."""
    add_table(parser)
    parser.add_argument(
        "--bots", default="strong,steady", metavar="ONE,OTHER", help=bots_help("whom to compare")
    )
    parser.add_argument("--deals", type=positive, default=100, metavar="N", help="how many (100)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="deals the same again (1)")
    parser.add_argument("--jobs", type=positive, default=1, metavar="N", help="processes (1)")
    add_budget(parser)


def run_arena(
    arguments: argparse.Namespace,
    *,
    entrants: Entrants = bots_of,
    spread: Spread = lambda _tally: "",
) -> int:
    """Play, and say who is better; Ctrl-C says it of what was played so far."""
    setup = read_setup(arguments)
    names = bot_names(arguments.bots, tuple(entrants(setup.game)))
    if len(names) != 2:
        raise CommandError(
            "two-bots",
            gettext_noop("Two bots can be compared, not %(given)d: write --bots ONE,OTHER."),
            given=len(names),
        )
    challenger, opponent = names
    contest = Contest(
        game=setup.game.slug,
        mode=setup.mode.code,
        options=setup.options,
        challenger=challenger,
        opponent=opponent,
        seed=arguments.seed,
        budget=read_budget(arguments),
        entrants=entrants,
    )
    tally = ContestScore()
    screen, bar = stdout_screen(), ProgressBar(sys.stderr, arguments.deals, spread)
    try:
        for result in play_deals(contest, arguments.deals, arguments.jobs):
            tally.results.append(result)
            bar.show(tally)
    except KeyboardInterrupt:
        bar.clear()
        screen.say(f"Stopped after {len(tally.results)} of {arguments.deals} deals.")
    bar.clear()
    screen.say_all(finding(contest, tally, spread(tally)).splitlines(), hang=2)
    return 0


def finding(contest: Contest, tally: ContestScore, spread: str) -> str:
    """Say in a few lines what came of it."""
    setup = contest.table()
    hands, sides = tally.hands, len(setup.mode.sides)
    of = "of decided hands" if sides == 2 else "of the table beaten"
    sure = f"95 %: {spread}; fair is 50 %" if spread else "fair is 50 %"
    challenger, opponent = contest.challenger, contest.opponent
    return (
        f"{setup.game.name} {setup.mode.code}, {len(tally.results)} deals, "
        f"each from {sides} sides, seed {contest.seed}, {_allowed(contest.budget)}\n"
        f"{challenger} against {opponent}: {tally.share:.1%} {of} ({sure})\n"
        f"hands: {hands['won']} better, {hands['lost']} worse, {hands['undecided']} tied; "
        f"a move took {challenger} {1000 * tally.thinking(challenger):.2f} ms, "
        f"{opponent} {1000 * tally.thinking(opponent):.2f} ms\n"
    )


def _allowed(budget: Budget) -> str:
    if budget.iterations is not None:
        return f"{budget.iterations} worlds a move"
    return "as long as they like" if budget.seconds is None else f"{budget.seconds:g} s a move"


class ProgressBar:
    """A progress bar on one line that is overwritten; nothing if the output is no terminal."""

    def __init__(self, out: TextIO, deals: int, spread: Spread) -> None:
        self._out = out
        self._deals = deals
        self._spread = spread
        self._begun = monotonic()
        self._length = 0

    def show(self, tally: ContestScore) -> None:
        done = len(tally.results)
        left = (monotonic() - self._begun) / done * (self._deals - done)
        full = _BAR * done // self._deals
        spread = self._spread(tally)
        self._write(
            f"[{'#' * full}{'.' * (_BAR - full)}] {done} of {self._deals}  "
            f"{tally.share:.1%}{f' ({spread})' if spread else ''}  "
            f"{int(left) // 60}:{int(left) % 60:02} left"
        )

    def clear(self) -> None:
        self._write("")

    def _write(self, text: str) -> None:
        if self._out.isatty():
            self._out.write(f"\r{text.ljust(self._length)}" + ("" if text else "\r"))
            self._out.flush()
            self._length = len(text)
