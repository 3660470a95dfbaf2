"""Simulating what was proposed, a piece at a time; nothing is stored."""

from collections.abc import Callable
from dataclasses import replace

from tracker.planning.logic.neighbours import planner_of
from tracker.planning.logic.simulation import Simulation, plan_stages
from tracker.planning.logic.stages import BY_RESULTS, Proposal
from tracker.planning.logic.table_results import model_of
from tracker.planning.state import Progress, runs_of
from tracker.seating.logic.movements.seam import UnseatableError

PIECE = 0.25  # seconds
SEED = 1  # the same question has the same answer, whoever asks
_AT_ONCE = 10  # events between two looks at the clock


def advance(progress: Progress, *, clock: Callable[[], float]) -> Progress:
    """Simulate for about ``PIECE`` seconds; how it is cut into pieces changes no figure.

    To seat all rounds of a proposal may take longer, and is then the whole piece.
    """
    until = clock() + PIECE
    while (proposal := progress.current) is not None and clock() < until:
        if progress.plans is not None:
            progress = _run(progress, proposal)
            continue
        try:
            progress = replace(progress, plans=plan_stages(proposal, planner_of, SEED))
        except UnseatableError:
            progress = replace(progress, unseatable=progress.unseatable | {proposal.key})
    return progress


def _run(progress: Progress, proposal: Proposal) -> Progress:
    simulation = Simulation(
        proposal=proposal,
        plans=progress.plans or (),
        model=model_of(progress.occasion.game, fixed=proposal.people > 1),
        planners=planner_of,
        seed=SEED,
    )
    before = progress.of(proposal)
    slow = any(stage.movement in BY_RESULTS for stage in proposal.stages)
    end = min(before.runs + (1 if slow else _AT_ONCE), runs_of(proposal))
    after = before + simulation.run(range(before.runs, end))
    done = after.runs == runs_of(proposal)
    return replace(
        progress,
        findings={**progress.findings, proposal.key: after},
        plans=None if done else progress.plans,
    )
