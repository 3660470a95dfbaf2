"""Two bots over many deals: each deal is played from every side, so that its luck cancels out.

With two sides the share of decided hands counts. With more, one bot sits on one side and
the other on all others, and what counts is the share of them it beats, a tie by half. Fair
is 50 % either way. Games that only end after several hands are played to their end.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from multiprocessing import get_context
from random import Random
from time import process_time
from typing import Any, TypeAlias

from games import catalogue
from games.asked import TableSetup, played
from games.game import Options
from games.intervals import Share, share_of
from games.playing import AnyPlay, Budget, shuffled

Chooser: TypeAlias = Callable[[Any, int, Random, Budget], Any]  # a state, whose turn: a move
Merit: TypeAlias = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """Who plays whom at what: plain values, so that any process can play a deal of it."""

    game: str
    mode: str
    options: Options
    one: str
    other: str
    seed: int
    budget: Budget

    def asked(self, dealer: int = 0) -> TableSetup:
        game = catalogue.GAMES[self.game]
        return TableSetup(game, game.mode(self.mode, self.options), self.options, dealer)

    def deal(self, number: int) -> "Dealt":
        """Play one deal from every side."""
        mode = self.asked().mode
        table = self.asked(number % mode.seats)
        dealt = Dealt()
        for own in range(len(mode.sides)):
            bots = [
                self.one if seat in mode.sides[own] else self.other for seat in range(mode.seats)
            ]
            merits = _play_out(table, bots, self, number, dealt)
            dealt.note(merits, own)
        return dealt


@dataclass(slots=True)
class Dealt:
    """What came of one deal from every side, and how long the bots thought."""

    won: float = 0
    out_of: float = 0
    hands: Counter[str] = field(default_factory=Counter)  # won, lost, undecided
    moves: Counter[str] = field(default_factory=Counter)  # by bot
    seconds: dict[str, float] = field(default_factory=dict)

    def note(self, merits: list[Merit], own: int) -> None:
        """Take in how everybody stood when one bot sat on side *own*."""
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
class Tally:
    """What came of all deals so far."""

    dealt: list[Dealt] = field(default_factory=list)

    @property
    def share(self) -> Share:
        return share_of([(each.won, each.out_of) for each in self.dealt])

    @property
    def hands(self) -> Counter[str]:
        return sum((each.hands for each in self.dealt), Counter())

    def thinking(self, bot: str) -> float:
        """Return how many seconds this bot took for a move, on average."""
        moves = sum(each.moves[bot] for each in self.dealt)
        return sum(each.seconds.get(bot, 0.0) for each in self.dealt) / moves if moves else 0.0


def choosers(play: AnyPlay) -> Mapping[str, Chooser]:
    """Return every bot of a game by name, the rivals and the cheats too."""
    honest = {name: _seeing(play, bot) for name, bot in {**play.bots, **play.rivals}.items()}
    return honest | {
        name: lambda state, _seat, rng, budget, cheat=cheat: cheat(state, rng, budget)
        for name, cheat in play.cheats.items()
    }


def play_deals(contest: Contest, deals: int, jobs: int = 1) -> Iterator[Dealt]:
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


def _seeing(play: AnyPlay, bot: Any) -> Chooser:
    return lambda state, seat, rng, budget: bot(play.view(state, seat), rng, budget)


def _play_out(
    table: TableSetup, bots: list[str], contest: Contest, number: int, dealt: Dealt
) -> list[Merit]:
    """Play until there are marks, and return how every side stands, the higher the better.

    The packs and dice depend on the seed, the deal and the seat, never on who sits there.
    """
    game, play = table.game, played(table.game)
    known = choosers(play)
    session = table.open_session()
    hand = 0
    while True:
        name = f"{contest.seed}/{number}/{hand}"
        packs = shuffled(play, session, Random(name))
        dice = [Random(f"{name}/{seat}") for seat in range(len(bots))]
        state = play.deal(session, packs)
        while (seat := play.seat_to_move(state)) is not None:
            begun = process_time()
            move = known[bots[seat]](state, seat, dice[seat], contest.budget)
            dealt.think(bots[seat], process_time() - begun)
            state = play.play(state, move)
        scored = game.add_sheet(session, play.fill_sheet(state))
        session = scored.session
        if scored.marks and any(any(marks.values()) for marks in scored.marks):
            return [_merit(table, scored.marks[side[0]]) for side in table.mode.sides]
        hand += 1


def _merit(table: TableSetup, marks: Mapping[str, int]) -> Merit:
    return tuple(
        -criterion.value(marks) if criterion.fewest else criterion.value(marks)
        for criterion in table.game.ranking(table.options, True)
    )
