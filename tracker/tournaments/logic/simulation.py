"""Simulation of a proposed format: many random evenings with players of known strength.

A *run* is one evening. The run of a number does not depend on other runs, so that a simulation can
be made in pieces. A *unit* is a player or a fixed pair; a *stage* is a series of rounds seated by
one *movement*, the way to find who sits where; a second stage is for the best units of the first.

The strength of a side is the average of its players. Each side wins a hand, or finishes first, in
proportion to ``1.5 ** strength`` (Plackett and Luce): of two sides whose strengths differ by one,
the stronger wins three hands of five.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import astuple, dataclass, field, replace
from functools import lru_cache, partial
from itertools import chain, groupby
from math import exp, log, sqrt
from random import Random

from games.game import Typical
from tracker.movements.catalogue import MOVEMENTS
from tracker.movements.eliminations import knockout
from tracker.movements.turns import choose_first_dealers
from tracker.movements.types import RoundSeating, TableSeating
from tracker.tournaments.logic.proposals import KNOCKOUT, Proposal, ProposedStage

SKILL = log(1.5)  # one more point of strength wins three hands of five
FIRST_FOUR = 4  # the findings compare the four strongest units with the first four in the end
_TWO_SIDED_95 = 1.959964  # quantile of the normal distribution for a 95 % interval


@dataclass(frozen=True, slots=True)
class Findings:
    """Sums over a number of runs.

    ``first`` counts runs in which the strongest unit came first, ``four`` those in which the four
    strongest were the first four, in any order; ``of_four`` sums how many of them were, 0 to 4.
    """

    runs: int = 0
    first: int = 0
    four: int = 0
    of_four: int = 0

    def __add__(self, other: "Findings") -> "Findings":
        return Findings(*map(sum, zip(astuple(self), astuple(other), strict=True)))


def count_findings(orders: Sequence[Sequence[int]]) -> Findings:
    """Return the findings from finishing orders, one a run: 0 is the strongest unit, 1 the next.

    >>> count_findings([(0, 1, 2), (1, 0, 2)])
    Findings(runs=2, first=1, four=2, of_four=6)
    """
    four = min(FIRST_FOUR, len(orders[0]))
    of_four = [sum(unit < four for unit in order[:four]) for order in orders]
    return Findings(
        runs=len(orders),
        first=sum(order[0] == 0 for order in orders),
        four=of_four.count(four),
        of_four=sum(of_four),
    )


def share_of(times: int, runs: int) -> tuple[float, float, float]:
    """Return *times* / *runs*, and the lower and upper end of its 95 % Wilson score interval.

    >>> "{:.2f}, from {:.2f} to {:.2f}".format(*share_of(30, 100))
    '0.30, from 0.22 to 0.40'
    """
    square = _TWO_SIDED_95**2
    share = times / runs
    middle = (share + square / (2 * runs)) / (1 + square / runs)
    spread = sqrt(share * (1 - share) / runs + square / (4 * runs**2))
    reach = _TWO_SIDED_95 * spread / (1 + square / runs)
    return share, max(0.0, middle - reach), min(1.0, middle + reach)


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulation:
    """What runs are made of: a proposal, and what is typical of a hand of the game."""

    proposal: Proposal
    typical: Typical
    seed: int

    def run(self, numbers: range) -> Findings:
        """Return the findings of the runs with these numbers.

        :raises UnseatableError: if a movement finds no seating.
        """
        return count_findings([self.order(number) for number in numbers])

    def order(self, number: int) -> list[int]:
        """Return the units in the finishing order of one run; 0 is the strongest unit."""
        proposal = self.proposal
        rng = Random(f"{self.seed} {proposal.key} {number}")
        # Strengths are normally distributed; the average of two has a smaller spread.
        spread = 1 / sqrt(proposal.unit_size)
        strengths = sorted((rng.gauss(0, spread) for _ in range(proposal.units)), reverse=True)
        order = list(range(proposal.units))
        rng.shuffle(order)  # seeds are drawn by lot, not by strength
        for stage in proposal.stages:
            # The stage has numbers of its own for its units, from 0, in the order so far.
            playing = order[: stage.units]
            stage_run = _StageRun(
                stage=stage,
                strengths=[strengths[unit] for unit in playing],
                typical=self.typical,
                fixed_partners=proposal.unit_size > 1,
                rng=rng,
            )
            if stage.by_results:
                finish = stage_run.play_by_results()
            else:
                finish = stage_run.play_as_planned(planned_rounds(stage, self.seed))
            order[: stage.units] = [playing[unit] for unit in finish]
        return order


@lru_cache(maxsize=32)
def planned_rounds(stage: ProposedStage, seed: int) -> tuple[RoundSeating, ...]:
    """Return the rounds of a stage that is not seated by results, once for all runs."""
    return MOVEMENTS[stage.movement].plan(stage.question(seed=seed)).rounds


@dataclass(slots=True, kw_only=True)
class _StageRun:
    """One stage in one run; its units are numbered from 0 in the finishing order so far.

    ``strengths``, the points ``earned`` and the numbers of tables ``played`` are looked up by unit.
    """

    stage: ProposedStage
    strengths: Sequence[float]
    typical: Typical
    fixed_partners: bool
    rng: Random
    earned: dict[int, float] = field(default_factory=partial(defaultdict, float))
    played: Counter[int] = field(default_factory=Counter)

    def play_as_planned(self, rounds: Sequence[RoundSeating]) -> list[int]:
        """Play rounds that are seated already, and return the units in final order."""
        for round_ in rounds:
            for table in round_.tables:
                self._play(table)
        return self._ranked()

    def play_by_results(self) -> list[int]:
        """Seat and play each round by the results before it; return the units in final order."""
        history: list[RoundSeating] = []
        units = tuple(range(self.stage.units))
        question = self.stage.question(seed=0)  # each round below has a seed of its own
        # The movement is asked for one round at a time, and only for its tables.
        question = replace(question, seeds=units, present=(units,), tables_only=True)
        for _ in range(self.stage.rounds):
            standing = sorted(units, key=self._minus_average)
            # A level is all units with the same average.
            levels = tuple(tuple(level) for _, level in groupby(standing, key=self._minus_average))
            seed = self.rng.getrandbits(32)
            question = replace(question, played=tuple(history), standing=levels, seed=seed)
            planned = MOVEMENTS[self.stage.movement].plan(question).rounds
            (round_,) = choose_first_dealers(question, planned)
            tables = tuple(self._with_merits(table, self._play(table)) for table in round_.tables)
            history.append(replace(round_, tables=tables))
        if self.stage.movement != KNOCKOUT:
            return self._ranked()
        return [*chain(*knockout(replace(question, played=tuple(history))).placing)]

    def _play(self, table: TableSeating) -> list[float]:
        """Play a table, add the points to its units, and return the points of each side."""
        units, sides = table.units, table.shape.sides
        weights = [weight([self.strengths[units[place]] for place in side]) for side in sides]
        length, fixed = self.stage.length, self.fixed_partners
        points_of_side = points(weights, length, self.typical, self.rng, fixed_partners=fixed)
        for side, places in enumerate(sides):
            for place in places:
                self.earned[units[place]] += points_of_side[side]
                self.played[units[place]] += 1
        return points_of_side

    def _with_merits(self, table: TableSeating, points_of_side: Sequence[float]) -> TableSeating:
        """Return a played table with merits (results) of its places; a tie is decided by lot."""
        lots = [self.rng.getrandbits(32) for _ in points_of_side]
        merits: list[tuple[int, ...]] = [()] * len(table.units)
        for side, places in enumerate(table.shape.sides):
            for place in places:
                # In sixtieths of a point: whole numbers, if it is shared by up to six other sides.
                merits[place] = (round(points_of_side[side] * 60), lots[side])
        return replace(table, merits=tuple(merits))

    def _minus_average(self, unit: int) -> float:
        """Return the negative of a unit's average points a table: the best sort first."""
        return -self.earned[unit] / max(self.played[unit], 1)

    def _ranked(self) -> list[int]:
        """Return the units by average points a table, so that a rest does no harm; ties by lot."""
        lots = [self.rng.random() for _ in range(self.stage.units)]
        return sorted(range(len(lots)), key=lambda unit: (self._minus_average(unit), lots[unit]))


def weight(strengths: Sequence[float]) -> float:
    """Return the weight of a side in the draw for a hand, from the strengths of its players."""
    return exp(SKILL * sum(strengths) / len(strengths))


def points(
    weights: Sequence[float], length: int, typical: Typical, rng: Random, *, fixed_partners: bool
) -> list[float]:
    """Play *length* hands, or games where rounds count games; return the points of every side.

    In a game in which every place earns points (``placed``), a side earns in each hand the share of
    the other sides that finished behind it, so that tables of different sizes compare. Otherwise
    the winner of a hand, or of a game of several hands, earns 1 point, or sometimes 2 (``double``
    is how often). A game is won with ``wins`` hands won; if these are more than one, and partners
    are not fixed, each hand won is a point instead.
    """
    earned = [0.0] * len(weights)
    if typical.placed:
        for _ in range(length):
            # Exponential times: a side is first with probability proportional to its rate.
            times = [-log(1 - rng.random()) / rate for rate in weights]
            finish = sorted(zip(times, range(len(times)), strict=True))
            for sides_behind, (_time, side) in enumerate(reversed(finish)):
                earned[side] += sides_behind / (len(weights) - 1)
        return earned
    for _ in range(length):
        # A game ends when a side has won enough hands, often a single one.
        hands_won = [0] * len(weights)
        while max(hands_won) < typical.wins:
            (winner,) = rng.choices(range(len(weights)), weights)
            hands_won[winner] += 1
        if typical.wins > 1 and not fixed_partners:
            earned = [before + won for before, won in zip(earned, hands_won, strict=True)]
        else:
            earned[winner] += 2 if typical.double and rng.random() < typical.double else 1
    return earned
