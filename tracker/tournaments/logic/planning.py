"""The planner's state: the evening asked about, and the proposals' simulations as far as they are.

Nothing of it is stored: a page carries the state, and asks for the next piece of the simulation. An
older page is simply the same simulation some pieces ago.
"""

from collections.abc import Callable, Mapping
from dataclasses import astuple, dataclass, field, replace
from datetime import time
from functools import cached_property
from typing import Any

from games import catalogue
from tracker.movements.types import RoundSeating, TableSeating, UnseatableError
from tracker.tournaments.logic.proposals import Occasion, Proposal, ProposedStage, propose
from tracker.tournaments.logic.simulation import Findings, Plans, Simulation, plan_stages

RUNS = 1000  # simulated events of a proposal
RUNS_BY_RESULTS = 100  # of one whose rounds are seated by results, which takes longer
PIECE = 0.25  # seconds of simulation between two pages
SEED = 1  # fixed, so that the same question always has the same answer
_RUNS_AT_ONCE = 10  # between two looks at the clock


@dataclass(frozen=True, kw_only=True)
class PlanningState:
    """The evening asked about, and the findings so far by the key of each proposal.

    ``plans`` are the seatings of the current proposal, once they are made. The keys in
    ``unseatable`` are of proposals that turned out to have no seating.
    """

    occasion: Occasion
    starts: time
    findings: Mapping[str, Findings] = field(default_factory=dict)
    unseatable: frozenset[str] = frozenset()
    plans: Plans | None = None

    @cached_property
    def proposals(self) -> tuple[Proposal, ...]:
        return tuple(each for each in propose(self.occasion) if each.key not in self.unseatable)

    @property
    def current(self) -> Proposal | None:
        """Return the first proposal that needs more runs, or ``None`` at the end."""
        waiting = (each for each in self.proposals if self.findings_of(each).runs < runs_of(each))
        return next(waiting, None)

    @property
    def percent(self) -> int:
        shares = [self.findings_of(each).runs / runs_of(each) for each in self.proposals]
        return int(100 * sum(shares) / len(shares)) if shares else 100

    def findings_of(self, proposal: Proposal) -> Findings:
        return self.findings.get(proposal.key, Findings())

    def as_json(self) -> list[Any]:
        """Return the state as values that JSON can hold."""
        asked = self.occasion
        # A table as the code of its shape and its units: rests and dealers are not simulated.
        plans = self.plans and [
            rounds
            and [[[table.shape.code, *table.units] for table in round_.tables] for round_ in rounds]
            for rounds in self.plans
        ]
        return [
            *(asked.players, asked.minutes, asked.game.slug, asked.minutes_each),
            self.starts.isoformat("minutes"),
            {key: astuple(findings) for key, findings in self.findings.items()},
            sorted(self.unseatable),
            plans,
        ]


def runs_of(proposal: Proposal) -> int:
    return RUNS_BY_RESULTS if proposal.by_results else RUNS


def state_from_json(saved: list[Any]) -> PlanningState:
    """Return the state of which ``as_json`` returned this.

    :raises ValueError, TypeError, LookupError: if the proposals have changed since.
    """
    players, minutes, slug, each, starts, findings, unseatable, plans = saved
    state = PlanningState(
        occasion=Occasion(
            players=players, minutes=minutes, game=catalogue.GAMES[slug], minutes_each=each
        ),
        starts=time.fromisoformat(starts),
        findings={key: Findings(*sums) for key, sums in findings.items()},
        unseatable=frozenset(unseatable),
    )
    current = state.current
    if plans is None or current is None:
        return state

    def seating(tables: list[Any], stage: ProposedStage) -> RoundSeating:
        shapes = {shape.code: shape for shape in (stage.shape, *stage.other_shapes)}
        seated = (TableSeating(shape=shapes[code], units=tuple(units)) for code, *units in tables)
        return RoundSeating(tables=tuple(seated))

    planned = tuple(
        rounds and tuple(seating(tables, stage) for tables in rounds)
        for rounds, stage in zip(plans, current.stages, strict=True)
    )
    return replace(state, plans=planned)


def advance(state: PlanningState, *, clock: Callable[[], float]) -> PlanningState:
    """Simulate for about ``PIECE`` seconds; the findings do not depend on how it is cut up.

    Seating all rounds of a proposal may take longer, and then is the whole piece.
    """
    until = clock() + PIECE
    while (proposal := state.current) is not None and clock() < until:
        if state.plans is None:
            try:
                state = replace(state, plans=plan_stages(proposal, SEED))
            except UnseatableError:
                state = replace(state, unseatable=state.unseatable | {proposal.key})
            continue
        simulation = Simulation(
            proposal=proposal, plans=state.plans, typical=state.occasion.game.typical, seed=SEED
        )
        before, runs = state.findings_of(proposal), runs_of(proposal)
        end = min(before.runs + (1 if proposal.by_results else _RUNS_AT_ONCE), runs)
        after = before + simulation.run(range(before.runs, end))
        state = replace(
            state,
            findings={**state.findings, proposal.key: after},
            plans=None if after.runs == runs else state.plans,
        )
    return state
