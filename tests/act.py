"""What the people of a club do, in a word each: a test says what it cares about, the rest is usual."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest
from django.test import Client

from games.errors import RuleError
from tests import make
from tracker.models import (
    Club,
    ClubNight,
    Draw,
    Entrant,
    Issue,
    Role,
    Round,
    Sitting,
    Tournament,
    User,
)
from tracker.nights.services.closing import close_round
from tracker.results.services.corrections import correct_sitting
from tracker.results.services.recount import recount
from tracker.results.services.settling import IssueOutcome, settle as settle_issue
from tracker.seating.services.draws import draw_rounds
from tracker.seating.services.round_opening import open_draw
from tracker.standings.services.standings import finish_tournament
from tracker.tournaments.services.entering import enter_players


def club_of(at: Club | ClubNight | Tournament | Round | Sitting) -> Club:
    match at:
        case Club():
            return at
        case Sitting():
            return at.round.tournament.club
        case Round():
            return at.tournament.club
    return at.club


def sign_in(
    role: Role, at: Club | ClubNight | Tournament | Round | Sitting, client: Client | None = None
) -> Client:
    """Sign somebody in who has this role in the club of *at*; return their browser."""
    client = client or Client()
    client.force_login(make.user(role=role, club=club_of(at)))
    return client


def correct(
    sitting: Sitting,
    changes: Mapping[int, Any],
    reason: str = "Counted again",
    **by: Any,
) -> None:
    """Change results of a table: sheets, ``STRIKE`` or ``RESTORE`` by the numbers of hands."""
    correct_sitting(sitting_id=sitting.pk, changes=changes, reason=reason, by=make.actor(**by))


def settle(
    outcome: str, issue: Issue | None = None, *, who: User | None = None, **more: Any
) -> None:
    """Settle an issue, by default the only open one."""
    settle_issue(
        issue_id=(issue or Issue.objects.get(settled_at=None)).pk,
        outcome=IssueOutcome(outcome),
        by=more.pop("by", make.actor(who)),
        **{"reason": "Both sides agree", **more},
    )


def close(round_: Round, *, who: User | None = None, **how: Any) -> Round:
    return close_round(round_id=round_.pk, by=how.pop("by", make.actor(who)), **how)


def finish(tournament: Tournament) -> None:
    """Make the standing of a tournament official."""
    finish_tournament(tournament_id=tournament.pk, by=make.actor())


def enter(tournament: Tournament, *names: str) -> list[Entrant]:
    """Enter the club's players of these names, who are made if need be."""
    players = [make.player(name, club=tournament.club).pk for name in names]
    return enter_players(tournament_id=tournament.pk, players=players, by=make.actor())


def draw(tournament: Tournament, seed: int = 1, **more: Any) -> list[Draw]:
    rng = Random(seed)
    return draw_rounds(tournament_id=tournament.pk, rng=rng, by=make.actor(), **more)


def open_drawn(tournament: Tournament, seed: int = 1) -> Round:
    """Open the round that is drawn."""
    return open_draw(tournament_id=tournament.pk, by=make.actor(), rng=Random(seed))


def is_as_its_sheets_say(at: Sitting | Tournament) -> bool:
    """Return whether all that is stored of a tournament is what its sheets make it."""
    tournament = at.round.tournament if isinstance(at, Sitting) else at
    return not recount(tournament_id=tournament.pk, by=make.actor()).findings


@contextmanager
def refused(code: str, **about: object) -> Iterator[pytest.ExceptionInfo[RuleError]]:
    """Expect a refusal with this code, and what else is said *about* it."""
    with pytest.raises(RuleError) as refusal:
        yield refusal
    said = {name: getattr(refusal.value, name) for name in ("code", *about)}
    assert said == {"code": code, **about}, said


def refusal(act: Callable[..., object], *arguments: Any, **named: Any) -> str:
    """Do it, and return the code with which it is refused, if it is."""
    try:
        act(*arguments, **named)
    except RuleError as error:
        return error.code
    return ""
