"""How far a simulation is: all it is made of, signed into the page that asks for the next piece.

Nothing of it is stored. An older page is simply the simulation some pieces ago.
"""

from collections.abc import Callable, Mapping
from dataclasses import astuple, dataclass, field, replace
from datetime import time
from functools import cached_property
from typing import Any

from django.core import signing

from games import catalogue
from games.errors import RuleError, gettext_noop
from tracker.movements.types import RoundSeating, TableSeating, UnseatableError
from tracker.tournaments.logic.proposals import Occasion, Proposal, propose
from tracker.tournaments.logic.simulation import Findings, Plans, Simulation, plan_stages

RUNS = 1000
RUNS_BY_RESULTS = 100  # of those that are seated anew after every round
PIECE = 0.25  # seconds
SEED = 1  # the same question has the same answer, whoever asks
_AT_ONCE = 10  # events between two looks at the clock
_LONGEST = 60_000  # letters of a state that is read at all
_SALT = "kula.planning"


class UnreadableState(RuleError):
    """A state that no page ever had, or had before the proposals were changed."""


@dataclass(frozen=True, kw_only=True)
class PlanningState:
    """What was asked, and what was found out by now, by the key of each proposal.

    ``plans`` seat the proposal that is being simulated, once they are made. What is in
    ``unseatable`` turned out to have no seating, and is proposed no more.
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
        """Return the first proposal that is not simulated often enough, or ``None`` at the end."""
        for proposal in self.proposals:
            if self.of(proposal).runs < runs_of(proposal):
                return proposal
        return None

    @property
    def percent(self) -> int:
        """Return how much of the work is done."""
        shares = [self.of(each).runs / runs_of(each) for each in self.proposals]
        return int(100 * sum(shares) / len(shares)) if shares else 100

    def of(self, proposal: Proposal) -> Findings:
        """Return what was found out about a proposal by now."""
        return self.findings.get(proposal.key, Findings())

    def written(self) -> str:
        """Return the state as a signed string, to be kept in the page."""
        asked = self.occasion
        state = [
            *(asked.players, asked.minutes, asked.game.slug, asked.minutes_each),
            self.starts.isoformat("minutes"),
            {key: astuple(findings) for key, findings in self.findings.items()},
            sorted(self.unseatable),
            # A table as the code of its shape and its units: who rests and deals is no matter.
            self.plans
            and [
                rounds
                and [
                    [[table.shape.code, *table.units] for table in round_.tables]
                    for round_ in rounds
                ]
                for rounds in self.plans
            ],
        ]
        return signing.dumps(state, salt=_SALT, compress=True)


def runs_of(proposal: Proposal) -> int:
    """Return how many events of it are simulated."""
    return RUNS_BY_RESULTS if proposal.by_results else RUNS


def read(text: str) -> PlanningState:
    """Return the progress that was written into a page.

    :raises UnreadableState: if it never was.
    """
    try:
        state = signing.loads(text[:_LONGEST], salt=_SALT)
        players, minutes, slug, each, starts, findings, unseatable, plans = state
        progress = PlanningState(
            occasion=Occasion(
                players=players,
                minutes=minutes,
                game=catalogue.GAMES[slug],
                minutes_each=each,
            ),
            starts=time.fromisoformat(starts),
            findings={key: Findings(*saved) for key, saved in findings.items()},
            unseatable=frozenset(unseatable),
        )
        current = progress.current
        if plans is None or current is None:
            return progress
        return replace(progress, plans=_plans_from_json(plans, current))
    # Whatever was signed fitted the proposals then; they may have been changed since.
    except (signing.BadSignature, ValueError, TypeError, LookupError) as error:
        raise UnreadableState(
            "planning-unreadable",
            gettext_noop("That simulation cannot be read any more. Ask again."),
        ) from error


def _plans_from_json(saved: list[Any], proposal: Proposal) -> Plans:
    plans = []
    for rounds, stage in zip(saved, proposal.stages, strict=True):
        shapes = {shape.code: shape for shape in (stage.shape, *stage.other_shapes)}
        plans.append(
            rounds
            and tuple(
                RoundSeating(
                    tables=tuple(
                        TableSeating(shape=shapes[code], units=tuple(units))
                        for code, *units in tables
                    )
                )
                for tables in rounds
            )
        )
    return tuple(plans)


def advance(progress: PlanningState, *, clock: Callable[[], float]) -> PlanningState:
    """Simulate for about ``PIECE`` seconds; how it is cut into pieces changes no figure.

    To seat all rounds of a proposal may take longer, and is then the whole piece.
    """
    until = clock() + PIECE
    while (proposal := progress.current) is not None and clock() < until:
        if progress.plans is None:
            try:
                progress = replace(progress, plans=plan_stages(proposal, SEED))
            except UnseatableError:
                progress = replace(progress, unseatable=progress.unseatable | {proposal.key})
            continue
        simulation = Simulation(
            proposal=proposal,
            plans=progress.plans,
            typical=progress.occasion.game.typical,
            seed=SEED,
        )
        before, runs = progress.of(proposal), runs_of(proposal)
        end = min(before.runs + (1 if proposal.by_results else _AT_ONCE), runs)
        after = before + simulation.run(range(before.runs, end))
        progress = replace(
            progress,
            findings={**progress.findings, proposal.key: after},
            plans=None if after.runs == runs else progress.plans,
        )
    return progress
