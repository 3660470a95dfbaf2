"""Simulated events of a proposal: many evenings of people whose strength is known, by lot.

Run k of a seed is the same whichever runs are made with it, so that a simulation can be made in
pieces, and made again.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import sqrt
from random import Random
from typing import TypeAlias

from tracker.planning.logic.findings import Findings, counted
from tracker.planning.logic.stages import BY_RESULTS, KNOCKOUT, Proposal, Stage
from tracker.planning.logic.table_results import Model, points, weight
from tracker.seating.logic.movements.catalogue import Planner
from tracker.seating.logic.movements.seam import RoundSeating, TableSeating

# The rounds of every stage that can be seated before the evening, and ``None`` for the others.
Plans: TypeAlias = tuple[tuple[RoundSeating, ...] | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulation:
    """All that the runs of a proposal have in common; ``planners`` are by movement."""

    proposal: Proposal
    plans: Plans
    model: Model
    planners: Callable[[str], Planner]
    seed: int

    def run(self, numbers: range) -> Findings:
        """Simulate the events of these numbers, and count who came in where."""
        return counted([self.order(number) for number in numbers])

    def order(self, number: int) -> list[int]:
        """Return the finishing order of one event, of units by their rank in strength from 0."""
        proposal = self.proposal
        rng = Random(f"{self.seed} {proposal.key} {number}")
        # Strength is spread as a bell curve; the average of two lies nearer to the middle.
        spread = 1 / sqrt(proposal.people)
        strengths = sorted((rng.gauss(0, spread) for _ in range(proposal.units)), reverse=True)
        order = list(range(proposal.units))
        rng.shuffle(order)  # nobody knows beforehand who is strong
        for stage, plan in zip(proposal.stages, self.plans, strict=True):
            best = order[: stage.units]
            event = _Event(
                stage=stage,
                strengths=[strengths[unit] for unit in best],
                model=self.model,
                rng=rng,
            )
            if plan is None:
                placed = event.by_results(self.planners(stage.movement))
            else:
                placed = event.as_planned(plan)
            order[: stage.units] = [best[unit] for unit in placed]
        return order


def plan_stages(proposal: Proposal, planners: Callable[[str], Planner], seed: int) -> Plans:
    """Seat every stage that does not go by results, once for all runs.

    :raises UnseatableError: if a movement finds no seating.
    """
    return tuple(
        None
        if stage.movement in BY_RESULTS
        else planners(stage.movement)(stage.question(seed=seed)).rounds
        for stage in proposal.stages
    )


@dataclass(slots=True, kw_only=True)
class _Event:
    """A stage of one event: its units from 0, in the order in which they came into it."""

    stage: Stage
    strengths: Sequence[float]
    model: Model
    rng: Random

    def as_planned(self, rounds: Sequence[RoundSeating]) -> list[int]:
        """Return the units by what they earned a round, as a rest is worth one's own average."""
        earned, played = [0.0] * self.stage.units, [0] * self.stage.units
        for round_ in rounds:
            for table in round_.tables:
                self._add(table, self._earn(table), earned, played)
        return self._ranked(earned, played)

    def by_results(self, planner: Planner) -> list[int]:
        """Seat one round after the other by what happened, and return the units as they ended."""
        earned, played = [0.0] * self.stage.units, [0] * self.stage.units
        history: list[RoundSeating] = []
        everybody = tuple(range(self.stage.units))
        question = replace(self.stage.question(seed=0), seeds=everybody, present=(everybody,))
        for _ in range(self.stage.rounds):
            (round_, *_later) = planner(
                replace(
                    question,
                    played=tuple(history),
                    places=self._places(earned, played),
                    seed=self.rng.getrandbits(32),
                )
            ).rounds
            tables = []
            for table in round_.tables:
                each = self._earn(table)
                self._add(table, each, earned, played)
                # Who is level after the last hand plays on, or cuts the cards.
                cut = [self.rng.getrandbits(32) for _ in each]
                merits: list[tuple[int, ...]] = [()] * len(table.units)
                for side, places in enumerate(table.shape.sides):
                    for place in places:
                        merits[place] = (round(each[side] * 60), cut[side])
                tables.append(replace(table, merits=tuple(merits)))
            history.append(replace(round_, tables=tuple(tables)))
        if self.stage.movement == KNOCKOUT:
            return _bracket_order(history, everybody)
        return self._ranked(earned, played)

    def _earn(self, table: TableSeating) -> list[float]:
        strengths, units = self.strengths, table.units
        weights = [
            weight([strengths[units[place]] for place in places]) for places in table.shape.sides
        ]
        return points(weights, self.stage.length, self.model, self.rng)

    def _add(
        self,
        table: TableSeating,
        each: Sequence[float],
        earned: list[float],
        played: list[int],
    ) -> None:
        for side, places in enumerate(table.shape.sides):
            for place in places:
                unit = table.units[place]
                earned[unit] += each[side]
                played[unit] += 1

    def _ranked(self, earned: Sequence[float], played: Sequence[int]) -> list[int]:
        lot = [self.rng.random() for _ in earned]
        return sorted(
            range(len(earned)),
            key=lambda unit: (-earned[unit] / max(played[unit], 1), lot[unit]),
        )

    def _places(
        self, earned: Sequence[float], played: Sequence[int]
    ) -> tuple[tuple[int, ...], ...]:
        def average(unit: int) -> float:
            return -earned[unit] / max(played[unit], 1)

        order = sorted(range(len(earned)), key=average)
        return tuple(tuple(level) for _, level in groupby(order, key=average))


def _bracket_order(history: Sequence[RoundSeating], units: Sequence[int]) -> list[int]:
    """Return who was beaten latest first; who won the match for third place before who lost it."""
    lost: dict[int, int] = {}
    won = dict.fromkeys(units, 0)
    for number, round_ in enumerate(history):
        for table in round_.tables:
            merits = dict(zip(table.units, table.merits or (), strict=True))
            ahead, behind = sorted(table.units, key=merits.__getitem__, reverse=True)
            won[ahead] += 1
            lost.setdefault(behind, number)
    return sorted(units, key=lambda unit: (-lost.get(unit, len(history)), -won[unit], unit))
