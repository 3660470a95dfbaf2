"""The planner's state: an evening, the formats proposed for it, and how far each is simulated.

The planner proposes formats for a number of players and minutes, and simulates each in many *runs*
(evenings). A request simulates one *piece*, of about a quarter of a second. The state is not
stored: the page has it in a form field, and sends it back to have the next piece simulated.
"""

from collections.abc import Callable, Mapping
from dataclasses import astuple, dataclass, field, replace
from datetime import time
from functools import cached_property
from typing import Any

from games import catalogue
from tracker.movements.types import UnseatableError
from tracker.tournaments.logic.proposals import Occasion, Proposal, propose
from tracker.tournaments.logic.simulation import Findings, Simulation

RUNS = 1000  # of a proposal (a proposed format)
RUNS_BY_RESULTS = 100  # of a proposal whose rounds are seated by results, which takes longer
PIECE = 0.25  # seconds
SEED = 1  # fixed, so that the same evening always has the same findings
_RUNS_BETWEEN_CLOCKS = 10  # between two looks at the clock


@dataclass(frozen=True, kw_only=True)
class PlanningState:
    """An evening (the ``occasion``), the time it ``starts``, and the findings so far.

    ``findings`` are keyed by ``Proposal.key``. ``unseatable`` are keys of proposals that turned out
    to have no seating.
    """

    occasion: Occasion
    starts: time
    findings: Mapping[str, Findings] = field(default_factory=dict)
    unseatable: frozenset[str] = frozenset()

    @cached_property
    def proposals(self) -> tuple[Proposal, ...]:
        proposals = propose(self.occasion)
        return tuple(proposal for proposal in proposals if proposal.key not in self.unseatable)

    @property
    def current(self) -> Proposal | None:
        """Return the first proposal that needs more runs, or ``None`` at the end."""
        for proposal in self.proposals:
            if self.findings_of(proposal).runs < runs_of(proposal):
                return proposal
        return None

    @property
    def percent(self) -> int:
        """Return how many percent of the runs are made, on average of the proposals."""
        shares = [self.findings_of(each).runs / runs_of(each) for each in self.proposals]
        return int(100 * sum(shares) / len(shares)) if shares else 100

    def findings_of(self, proposal: Proposal) -> Findings:
        return self.findings.get(proposal.key, Findings())

    def as_json(self) -> list[Any]:
        """Return the state as values that JSON can hold, which ``state_from_json`` reads.

        They are the players, minutes, game and minutes each of the occasion, the time at which it
        starts, the findings, and the keys of unseatable proposals.
        """
        occasion = self.occasion
        return [
            *(occasion.players, occasion.minutes, occasion.game.slug, occasion.minutes_each),
            self.starts.isoformat("minutes"),
            {key: astuple(findings) for key, findings in self.findings.items()},
            sorted(self.unseatable),
        ]


def runs_of(proposal: Proposal) -> int:
    return RUNS_BY_RESULTS if proposal.by_results else RUNS


def state_from_json(saved: list[Any]) -> PlanningState:
    """Return the state from the value of its ``as_json``.

    :raises ValueError, TypeError, LookupError: if a newer version of the site proposes others.
    """
    players, minutes, slug, minutes_each, starts, findings, unseatable = saved
    game = catalogue.GAMES[slug]
    return PlanningState(
        occasion=Occasion(players=players, minutes=minutes, game=game, minutes_each=minutes_each),
        starts=time.fromisoformat(starts),
        findings={key: Findings(*sums) for key, sums in findings.items()},
        unseatable=frozenset(unseatable),
    )


def advance(state: PlanningState, *, clock: Callable[[], float]) -> PlanningState:
    """Return the state after another piece: simulate for about ``PIECE`` seconds by this clock.

    The final findings do not depend on where pieces begin and end.
    """
    until = clock() + PIECE
    while (proposal := state.current) is not None and clock() < until:
        typical = state.occasion.game.typical  # averages of a hand
        simulation = Simulation(proposal=proposal, typical=typical, seed=SEED)
        # Some runs, with the numbers that follow those of the runs before.
        before, runs = state.findings_of(proposal), runs_of(proposal)
        end = min(before.runs + (1 if proposal.by_results else _RUNS_BETWEEN_CLOCKS), runs)
        try:
            after = before + simulation.run(range(before.runs, end))
        except UnseatableError:
            state = replace(state, unseatable=state.unseatable | {proposal.key})
        else:
            state = replace(state, findings={**state.findings, proposal.key: after})
    return state
