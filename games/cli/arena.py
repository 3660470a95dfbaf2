"""``arena``: which of two bots is better, with a bar for people and silence for logs.

They play many deals, each from every side, so that its luck cancels out. With two sides the
share of decided hands counts. With more, one bot sits on one side and the other on all others,
and what counts is the share of them it beats, a tie by half. Fair is 50 % either way. Games that
only end after several hands are played to their end.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from multiprocessing import get_context
from random import Random
from time import monotonic, process_time
from typing import Any, TextIO, TypeAlias

from games import catalogue
from games.cli.screen import screen_on
from games.cli.table_setup import (
    CommandError,
    TableSetup,
    add_budget,
    add_table,
    bot_names,
    bots_help,
    play_of,
    positive,
    read_budget,
    read_setup,
)
from games.errors import gettext_noop
from games.game import AnyGame
from games.option import Options
from games.play.playing import AnyPlay, Bot, Budget, shuffled

Chooser: TypeAlias = Callable[[Any, int, Random, Budget], Any]  # a state, whose turn: a move
Entrants: TypeAlias = Callable[[AnyGame], Mapping[str, Chooser]]
Merit: TypeAlias = tuple[Fraction, ...]


def bots_of(game: AnyGame) -> Mapping[str, Chooser]:
    """Return every bot of a game by name."""
    play = play_of(game)
    return by_view(play, play.bots)


def by_view(play: AnyPlay, bots: Mapping[str, Bot]) -> dict[str, Chooser]:
    """Return these bots, each choosing by what its seat sees and nothing else."""

    def chooser(bot: Bot) -> Chooser:
        return lambda state, seat, rng, budget: bot(play.view(state, seat), rng, budget)

    return {name: chooser(bot) for name, bot in bots.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """Bots that play each other, and the game: plain values, so that any process can play a deal.

    ``challenger`` and ``opponent`` are names among the ``entrants`` of this game.
    """

    game: str
    mode: str
    options: Options
    challenger: str
    opponent: str
    seed: int
    budget: Budget
    entrants: Entrants = bots_of

    def table(self, dealer: int = 0) -> TableSetup:
        game = catalogue.GAMES[self.game]
        return TableSetup(game, game.mode(self.mode, self.options), self.options, dealer)

    def deal(self, number: int) -> "DealResult":
        """Play one deal from every side."""
        mode = self.table().mode
        table = self.table(number % mode.seats)
        result = DealResult()
        for own in range(len(mode.sides)):
            bots = [
                self.challenger if seat in mode.sides[own] else self.opponent
                for seat in range(mode.seats)
            ]
            result.note(self._merits(table, bots, number, result), own)
        return result

    def _merits(
        self, table: TableSetup, bots: list[str], number: int, result: "DealResult"
    ) -> list[Merit]:
        """Play until there are marks, and return every side's result, the higher the better.

        The packs and dice depend on the seed, the deal and the seat, never on who sits there.
        """
        game, play = table.game, play_of(table.game)
        choosers = self.entrants(game)
        session = table.open_session()
        hand = 0
        while True:
            name = f"{self.seed}/{number}/{hand}"
            packs = shuffled(play, session, Random(name))
            dice = [Random(f"{name}/{seat}") for seat in range(len(bots))]
            state = play.deal(session, packs)
            while (seat := play.seat_to_move(state)) is not None:
                begun = process_time()
                move = choosers[bots[seat]](state, seat, dice[seat], self.budget)
                result.think(bots[seat], process_time() - begun)
                state = play.play(state, move)
            scored = game.add_sheet(session, play.fill_sheet(state))
            session = scored.session
            if scored.marks and any(any(own.values()) for own in scored.marks):
                marks = [scored.marks[side[0]] for side in table.mode.sides]
                criteria = game.ranking(table.options, True)
                return [
                    tuple(
                        -criterion.value(own) if criterion.fewest else criterion.value(own)
                        for criterion in criteria
                    )
                    for own in marks
                ]
            hand += 1


@dataclass(slots=True)
class DealResult:
    """What came of one deal from every side, and how long the bots thought."""

    won: float = 0
    out_of: float = 0
    hands: Counter[str] = field(default_factory=Counter)  # won, lost, undecided
    moves: Counter[str] = field(default_factory=Counter)  # by bot
    seconds: dict[str, float] = field(default_factory=dict)

    def note(self, merits: list[Merit], own: int) -> None:
        """Add a result in which the challenger sat on side *own*."""
        others = [merit for side, merit in enumerate(merits) if side != own]
        beaten = sum((merits[own] > merit) + (merits[own] == merit) / 2 for merit in others)
        level = beaten * 2 == len(others)
        self.hands["undecided" if level else "won" if beaten * 2 > len(others) else "lost"] += 1
        if len(others) > 1 or not level:
            self.won += beaten
            self.out_of += len(others)

    def think(self, bot: str, seconds: float) -> None:
        self.moves[bot] += 1
        self.seconds[bot] = self.seconds.get(bot, 0.0) + seconds


@dataclass(slots=True)
class ContestScore:
    """What came of all deals so far."""

    results: list[DealResult] = field(default_factory=list)

    @property
    def share(self) -> float:
        """Return the challenger's share; one half while nothing is decided."""
        out_of = sum(result.out_of for result in self.results)
        return sum(result.won for result in self.results) / out_of if out_of else 0.5

    @property
    def hands(self) -> Counter[str]:
        return sum((result.hands for result in self.results), Counter())

    def thinking(self, bot: str) -> float:
        """Return how many seconds this bot took for a move, on average."""
        moves = sum(result.moves[bot] for result in self.results)
        seconds = sum(result.seconds.get(bot, 0.0) for result in self.results)
        return seconds / moves if moves else 0.0


def play_deals(contest: Contest, deals: int, jobs: int = 1) -> Iterator[DealResult]:
    """Play so many deals, and yield each as it is done, in order."""
    if jobs == 1:
        yield from map(contest.deal, range(deals))
        return
    # Not forked: whoever asks may have threads of its own.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as workers:
        try:
            yield from workers.map(
                contest.deal, range(deals), chunksize=max(1, min(8, deals // jobs))
            )
        finally:
            workers.shutdown(cancel_futures=True)


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
    screen, bar = screen_on(sys.stdout), ProgressBar(sys.stderr, arguments.deals, spread)
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
    budget = contest.budget
    allowed = "as long as they like"
    if budget.iterations is not None:
        allowed = f"{budget.iterations} worlds a move"
    elif budget.seconds is not None:
        allowed = f"{budget.seconds:g} s a move"
    return (
        f"{setup.game.name} {setup.mode.code}, {len(tally.results)} deals, "
        f"each from {sides} sides, seed {contest.seed}, {allowed}\n"
        f"{challenger} against {opponent}: {tally.share:.1%} {of} ({sure})\n"
        f"hands: {hands['won']} better, {hands['lost']} worse, {hands['undecided']} tied; "
        f"a move took {challenger} {1000 * tally.thinking(challenger):.2f} ms, "
        f"{opponent} {1000 * tally.thinking(opponent):.2f} ms\n"
    )


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
