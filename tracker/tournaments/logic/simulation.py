"""Simulation of a proposal: many random evenings with players of known strength.

Run k of a seed does not depend on the other runs, so that a simulation can be made in pieces.

The strength of a side is the average of its players. Each side wins a hand, or finishes first, in
proportion to ``1.5 ** strength`` (Plackett and Luce): of two sides whose strengths differ by one, the
stronger wins three hands of five.
"""

from collections.abc import Sequence
from dataclasses import astuple, dataclass, field, replace
from itertools import groupby
from math import exp, log, sqrt
from random import Random
from typing import TypeAlias

from games.game import Typical
from tracker.movements.catalogue import MOVEMENTS
from tracker.movements.types import RoundSeating, TableSeating
from tracker.tournaments.logic.proposals import KNOCKOUT, Proposal, ProposedStage

SKILL = log(1.5)  # three hands of five
FIRST_FOUR = 4
_TWO_SIDED_95 = 1.959964

# The seated rounds of each stage; ``None`` for a stage seated by results.
Plans: TypeAlias = tuple[tuple[RoundSeating, ...] | None, ...]


@dataclass(frozen=True, slots=True)
class Findings:
    """Sums over ``runs`` events.

    ``first`` is how often the strongest came first, ``four`` how often the four strongest were the
    first four, ``of_four`` how many of the four strongest were among the first four in all.
    """

    runs: int = 0
    first: int = 0
    four: int = 0
    of_four: int = 0

    def __add__(self, other: "Findings") -> "Findings":
        return Findings(*map(sum, zip(astuple(self), astuple(other), strict=True)))


def counted(orders: Sequence[Sequence[int]]) -> Findings:
    """Count finishing orders, of units by their rank in strength from 0.

    >>> counted([(0, 1, 2), (1, 0, 2)])
    Findings(runs=2, first=1, four=2, of_four=6)
    """
    best = min(FIRST_FOUR, len(orders[0]))
    of_four = [sum(rank < best for rank in order[:best]) for order in orders]
    return Findings(
        runs=len(orders),
        first=sum(order[0] == 0 for order in orders),
        four=of_four.count(best),
        of_four=sum(of_four),
    )


def share_of(times: int, runs: int) -> tuple[float, float, float]:
    """Return a share of independent runs, and the ends of its 95 % interval by Wilson.

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
    """A proposal, its seatings and the game, from which runs are made."""

    proposal: Proposal
    plans: Plans
    typical: Typical
    seed: int

    def run(self, numbers: range) -> Findings:
        return counted([self.order(number) for number in numbers])

    def order(self, number: int) -> list[int]:
        """Return the finishing order of one event, of units by their rank in strength from 0."""
        proposal = self.proposal
        rng = Random(f"{self.seed} {proposal.key} {number}")
        # Strengths are normally distributed; the average of two has a smaller spread.
        spread = 1 / sqrt(proposal.people)
        strengths = sorted((rng.gauss(0, spread) for _ in range(proposal.units)), reverse=True)
        order = list(range(proposal.units))
        rng.shuffle(order)  # the seeding does not know strengths
        for stage, plan in zip(proposal.stages, self.plans, strict=True):
            best = order[: stage.units]
            event = _Event(
                stage=stage,
                strengths=[strengths[unit] for unit in best],
                typical=self.typical,
                fixed=proposal.people > 1,
                rng=rng,
            )
            placed = event.by_results() if plan is None else event.as_planned(plan)
            order[: stage.units] = [best[unit] for unit in placed]
        return order


def plan_stages(proposal: Proposal, seed: int) -> Plans:
    """Seat the stages that are not seated by results, once for all runs.

    :raises UnseatableError: if a movement finds no seating.
    """
    return tuple(
        None
        if stage.by_results
        else MOVEMENTS[stage.movement].plan(stage.question(seed=seed)).rounds
        for stage in proposal.stages
    )


@dataclass(slots=True, kw_only=True)
class _Event:
    """A stage of one event; its units are numbered from 0 in the order of the stage before."""

    stage: ProposedStage
    strengths: Sequence[float]
    typical: Typical
    fixed: bool
    rng: Random
    earned: list[float] = field(init=False)
    played: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.earned, self.played = [0.0] * self.stage.units, [0] * self.stage.units

    def as_planned(self, rounds: Sequence[RoundSeating]) -> list[int]:
        """Play seated rounds and return the units by points a round, as a rest is worth the average."""
        for round_ in rounds:
            for table in round_.tables:
                self._play(table)
        return self._ranked()

    def by_results(self) -> list[int]:
        """Seat each round by the results before it, play it, and return the units in final order."""
        history: list[RoundSeating] = []
        everybody = tuple(range(self.stage.units))
        question = replace(
            self.stage.question(seed=0), seeds=everybody, present=(everybody,), tables_only=True
        )
        for _ in range(self.stage.rounds):
            standing = sorted(everybody, key=self._merit)
            levels = tuple(tuple(level) for _, level in groupby(standing, key=self._merit))
            asked = replace(
                question, played=tuple(history), places=levels, seed=self.rng.getrandbits(32)
            )
            (round_,) = MOVEMENTS[self.stage.movement].plan(asked).rounds
            tables = []
            for table in round_.tables:
                each = self._play(table)
                # A tie is decided by lot.
                cut = [self.rng.getrandbits(32) for _ in each]
                by_place: list[tuple[int, ...]] = [()] * len(table.units)
                for side, places in enumerate(table.shape.sides):
                    for place in places:
                        by_place[place] = (round(each[side] * 60), cut[side])
                tables.append(replace(table, merits=tuple(by_place)))
            history.append(replace(round_, tables=tuple(tables)))
        if self.stage.movement != KNOCKOUT:
            return self._ranked()
        # By the round of the defeat, latest first; then by wins, for the match for third place.
        lost: dict[int, int] = {}
        won = dict.fromkeys(everybody, 0)
        for number, round_ in enumerate(history):
            for table in round_.tables:
                merits = dict(zip(table.units, table.merits or (), strict=True))
                ahead, behind = sorted(table.units, key=merits.__getitem__, reverse=True)
                won[ahead] += 1
                lost.setdefault(behind, number)
        return sorted(everybody, key=lambda unit: (-lost.get(unit, len(history)), -won[unit], unit))

    def _play(self, table: TableSeating) -> list[float]:
        """Play a table, add the points to its units, and return those of each side."""
        units = table.units
        weights = [
            weight([self.strengths[units[place]] for place in places])
            for places in table.shape.sides
        ]
        each = points(weights, self.stage.length, self.typical, self.rng, fixed=self.fixed)
        for side, places in enumerate(table.shape.sides):
            for place in places:
                self.earned[units[place]] += each[side]
                self.played[units[place]] += 1
        return each

    def _merit(self, unit: int) -> float:
        return -self.earned[unit] / max(self.played[unit], 1)

    def _ranked(self) -> list[int]:
        lot = [self.rng.random() for _ in self.earned]
        return sorted(range(len(lot)), key=lambda unit: (self._merit(unit), lot[unit]))


def weight(strengths: Sequence[float]) -> float:
    """Return the weight of a side in the draw for a hand."""
    return exp(SKILL * sum(strengths) / len(strengths))


def points(
    weights: Sequence[float], length: int, typical: Typical, rng: Random, *, fixed: bool
) -> list[float]:
    """Return the points of every side in *length* hands or games.

    With *fixed* partners games count, otherwise their hands. In a game in which every place earns
    points they are the share of sides behind, so that tables of different sizes compare.
    """
    earned = [0.0] * len(weights)
    if typical.placed:
        for _ in range(length):
            # Exponential times: a side is first with probability proportional to its rate.
            finish = sorted(
                (-log(1 - rng.random()) / rate, side) for side, rate in enumerate(weights)
            )
            for behind, (_, side) in enumerate(reversed(finish)):
                earned[side] += behind / (len(weights) - 1)
        return earned
    for _ in range(length):
        won = [0] * len(weights)
        while max(won) < typical.wins:
            (side,) = rng.choices(range(len(weights)), weights)
            won[side] += 1
        if typical.wins > 1 and not fixed:
            earned = [sum(both) for both in zip(earned, won, strict=True)]
        else:
            earned[side] += 2 if typical.double and rng.random() < typical.double else 1
    return earned
