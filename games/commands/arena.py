"""``arena``: which of two bots is better, with a bar for people and silence for logs."""

import argparse
import sys
from time import monotonic
from typing import TextIO

from games.arena import Contest, Tally, choosers, play_deals
from games.asked import CommandError, played
from games.commands.table import (
    add_budget,
    add_table,
    asked_budget,
    asked_table,
    bot_names,
    positive,
)
from games.errors import gettext_noop
from games.playing import Budget

_BAR = 24


def add_arena(parser: argparse.ArgumentParser) -> None:
    """Let ``arena`` be told the table, the two bots, and how much to play."""
    add_table(parser)
    parser.add_argument(
        "--bots", default="strong,steady", metavar="ONE,OTHER", help="whom to compare"
    )
    parser.add_argument("--deals", type=positive, default=100, metavar="N", help="how many (100)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="deals the same again (1)")
    parser.add_argument("--jobs", type=positive, default=1, metavar="N", help="processes (1)")
    add_budget(parser)


def arena(asked: argparse.Namespace) -> int:
    """Play, and say who is better; Ctrl-C says it of what was played so far."""
    table = asked_table(asked)
    names = bot_names(asked.bots, tuple(choosers(played(table.game))))
    if len(names) != 2:
        raise CommandError(
            "two-bots",
            gettext_noop("Two bots can be compared, not %(given)d: write --bots ONE,OTHER."),
            given=len(names),
        )
    one, other = names
    contest = Contest(
        game=table.game.slug,
        mode=table.mode.code,
        options=table.options,
        one=one,
        other=other,
        seed=asked.seed,
        budget=asked_budget(asked),
    )
    tally = Tally()
    bar = Bar(sys.stderr, asked.deals)
    try:
        for dealt in play_deals(contest, asked.deals, asked.jobs):
            tally.dealt.append(dealt)
            bar.show(tally)
    except KeyboardInterrupt:
        bar.clear()
        sys.stdout.write(f"Stopped after {len(tally.dealt)} of {asked.deals} deals.\n")
    bar.clear()
    sys.stdout.write(finding(contest, tally))
    return 0


def finding(contest: Contest, tally: Tally) -> str:
    """Say in a few lines what came of it."""
    table = contest.asked()
    share, hands, sides = tally.share, tally.hands, len(table.mode.sides)
    of = "of decided hands" if sides == 2 else "of the table beaten"
    return (
        f"{table.game.name} {table.mode.code}, {len(tally.dealt)} deals, each from {sides} sides, "
        f"seed {contest.seed}, {_allowed(contest.budget)}\n"
        f"{contest.one} against {contest.other}: {share.counted:.1%} {of} "
        f"(95 %: {share.low:.1%} to {share.high:.1%}; fair is 50 %)\n"
        f"hands: {hands['won']} better, {hands['lost']} worse, {hands['undecided']} level; "
        f"a move took {contest.one} {1000 * tally.thinking(contest.one):.2f} ms, "
        f"{contest.other} {1000 * tally.thinking(contest.other):.2f} ms\n"
    )


def _allowed(budget: Budget) -> str:
    if budget.iterations is not None:
        return f"{budget.iterations} worlds a move"
    return "as long as they like" if budget.seconds is None else f"{budget.seconds:g} s a move"


class Bar:
    """How far it is, on a line that is written over; nothing where nobody looks."""

    def __init__(self, out: TextIO, deals: int) -> None:
        self._out = out
        self._deals = deals
        self._begun = monotonic()
        self._length = 0

    def show(self, tally: Tally) -> None:
        done = len(tally.dealt)
        left = (monotonic() - self._begun) / done * (self._deals - done)
        full = _BAR * done // self._deals
        share = tally.share
        self._write(
            f"[{'#' * full}{'.' * (_BAR - full)}] {done} of {self._deals}  "
            f"{share.counted:.1%} ({share.low:.1%} to {share.high:.1%})  "
            f"{int(left) // 60}:{int(left) % 60:02} left"
        )

    def clear(self) -> None:
        self._write("")

    def _write(self, text: str) -> None:
        if self._out.isatty():
            self._out.write(f"\r{text.ljust(self._length)}" + ("" if text else "\r"))
            self._out.flush()
            self._length = len(text)
