"""What follows a first stage of the demo: a final in chosen pairs, a consolation for the rest."""

from dataclasses import replace
from datetime import datetime, timedelta

from tracker.management.demo.evening import Billing, Teller, finish, play, settle
from tracker.models import Format, Movement, Tournament
from tracker.standings.queries.standings import standings
from tracker.standings.services.stages import StagePlan, begin_stage
from tracker.tournaments.services.tournaments import Terms

_FINALISTS = 8
_ROUNDS = 3  # each pair of the final meets each other once


def play_on(
    tell: Teller, first: Tournament, billing: Billing, now: datetime, *, night_id: int
) -> datetime:
    """Let the best play a final with partners they chose, and the rest go on alone beside it.

    The first chose the last of them, the second the last but one. Return when all is over.
    """
    order = [row.entrant for row in standings(first).rows if not row.withdrawn]
    best, others = order[:_FINALISTS], order[_FINALISTS:]
    half = _FINALISTS // 2
    in_pairs = [
        each for pair in zip(best[:half], reversed(best[half:]), strict=True) for each in pair
    ]
    ends = []
    for entrants, stage, format_, movement in (
        (in_pairs, "Final", Format.TEAMS, Movement.ROUND_ROBIN),
        (others, "Consolation", Format.PLAYERS, Movement.FEWEST_REPEATS),
    ):
        plan = StagePlan(
            stage=stage,
            mode=billing.mode,
            format_=format_,
            movement=movement,
            length=billing.length - 1,
            terms=Terms(planned=_ROUNDS),
        )
        tournament = begin_stage(sources=[first.pk], entrants=entrants, plan=plan, by=tell.by(now))
        now += timedelta(minutes=1)  # what begins first stands first in the final ranking
        end = play(tell, tournament, replace(billing, rounds=_ROUNDS), now, night_id=night_id)
        settle(tell, tournament, finish(tell, tournament, end), end)
        ends.append(end)
    return max(ends)
