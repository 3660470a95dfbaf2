"""How far a simulation is: all it is made of, signed into the page that asks for the next piece.

Nothing of it is stored. An older page is simply the simulation some pieces ago.
"""

from collections.abc import Mapping
from dataclasses import astuple, dataclass, field, replace
from datetime import time
from functools import cached_property
from typing import Any

from django.core import signing

from games import catalogue
from games.errors import RuleError, gettext_noop
from tracker.planning.logic.findings import Findings
from tracker.planning.logic.proposals import Occasion, propose
from tracker.planning.logic.simulation import Plans
from tracker.planning.logic.stages import BY_RESULTS, Proposal, Stage
from tracker.seating.logic.movements.seam import RoundSeating, TableSeating

RUNS = 1000
RUNS_BY_RESULTS = 400  # of those that are seated anew after every round
_LONGEST = 60_000  # letters of a state that is read at all
_SALT = "kula.planning"


class Unreadable(RuleError):
    """A state that no page ever had, or had before the proposals were changed."""


@dataclass(frozen=True, kw_only=True)
class Progress:
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
            _plans_to_json(self.plans),
        ]
        return signing.dumps(state, salt=_SALT, compress=True)


def runs_of(proposal: Proposal) -> int:
    """Return how many events of it are simulated."""
    by_results = any(stage.movement in BY_RESULTS for stage in proposal.stages)
    return RUNS_BY_RESULTS if by_results else RUNS


def read(text: str) -> Progress:
    """Return the progress that was written into a page.

    :raises Unreadable: if it never was.
    """
    try:
        state = signing.loads(text[:_LONGEST], salt=_SALT)
        players, minutes, slug, each, starts, findings, unseatable, plans = state
        progress = Progress(
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
        raise Unreadable(
            "planning-unreadable",
            gettext_noop("That simulation cannot be read any more. Ask again."),
        ) from error


def _plans_to_json(plans: Plans | None) -> list[Any] | None:
    """Return a table as the code of its shape and its units: who rests and deals is no matter."""
    if plans is None:
        return None
    return [
        rounds
        and [[[table.shape.code, *table.units] for table in round_.tables] for round_ in rounds]
        for rounds in plans
    ]


def _plans_from_json(saved: list[Any], proposal: Proposal) -> Plans:
    return tuple(
        rounds and tuple(_round_from_json(tables, stage) for tables in rounds)
        for rounds, stage in zip(saved, proposal.stages, strict=True)
    )


def _round_from_json(tables: list[Any], stage: Stage) -> RoundSeating:
    shapes = {shape.code: shape for shape in (stage.shape, *stage.other_shapes)}
    return RoundSeating(
        tables=tuple(
            TableSeating(shape=shapes[code], units=tuple(units)) for code, *units in tables
        )
    )
