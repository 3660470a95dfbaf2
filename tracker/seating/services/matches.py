"""A level match of a bracket decided without another hand: by lot, or by the organiser."""

import json
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from django.db import transaction
from django.db.models import F

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import last_entry, log
from tracker.common.errors import Refused
from tracker.models import DecidedBy, Hand, Round, RoundState, Sitting, Tournament
from tracker.models.progress import is_level
from tracker.tables.statements import lock_table
from tracker.tables.table import TableNow

MATCH_DECIDED, MATCH_REOPENED = "match-decided", "match-reopened"


@transaction.atomic
def decide_match(*, sitting_id: int, side: int | None, by: Actor, rng: Random) -> int:
    """Let a side of a level match go on, ``None`` for the lot, and return which does.

    Decided in the same way again, it stays as it is.

    :raises Refused: ``not-a-match``, ``match-not-level``, ``side-unknown``, or
        ``match-decided`` if it was decided otherwise.
    """
    table, points = _locked_match(sitting_id)
    how = DecidedBy.LOT if side is None else DecidedBy.ORGANISER
    if table.decided_side is not None:
        if table.decided_by == how and side in {None, table.decided_side}:
            return table.decided_side
        raise Refused(
            "match-decided",
            gettext_noop("This match is decided already: take that back first."),
        )
    if not is_level(points, None):
        raise Refused(
            "match-not-level",
            gettext_noop("One side leads in this match: there is nothing to decide."),
        )
    sides = range(len(points))
    chosen = rng.choice(sides) if side is None else side
    if chosen not in sides:
        raise Refused("side-unknown", gettext_noop("Choose one of the two sides."))
    whole = Sitting.objects.get(pk=sitting_id)
    whole.side_points, whole.decided_side, whole.decided_by = list(points), chosen, how
    decided = replace(table, decided_side=chosen, side_points_json=json.dumps(points))
    if whole.finished_at is None and decided.progress.whole:
        whole.finished_at = by.at
    _keep(whole)
    _log(by, MATCH_DECIDED, table, {"side": chosen, "how": how})
    return chosen


@transaction.atomic
def reopen_match(*, sitting_id: int, by: Actor) -> None:
    """Take back how a level match was decided, until another round follows.

    :raises Refused: ``not-a-match`` or ``round-followed``.
    """
    table, _points = _locked_match(sitting_id)
    if table.decided_side is None:
        return
    later = Round.objects.filter(tournament=table.tournament_id, number__gt=table.round_number)
    if later.exclude(state=RoundState.UNDONE).exists():
        raise Refused(
            "round-followed",
            gettext_noop("Another round follows this match: undo that round first."),
        )
    match = Sitting.objects.get(pk=sitting_id)
    match.decided_side, match.decided_by = None, ""
    if not table.closed:
        match.finished_at = None
    _keep(match)
    _log(by, MATCH_REOPENED, table, {"side": table.decided_side, "how": table.decided_by})


def _locked_match(sitting_id: int) -> tuple[TableNow, Sequence[int]]:
    """Return a match of a bracket under its lock, and what its sides have.

    :raises Refused: ``not-a-match``.
    """
    table = lock_table(sitting_id=sitting_id)
    points = table.side_points
    if points is None and Tournament.objects.get(pk=table.tournament_id).has_bracket:
        # One that was begun before matches kept their points.
        marks = Hand.objects.filter(sitting=sitting_id, struck_at=None)
        points = table.side_points_of(marks.values_list("marks", flat=True))
    if points is None or len(points) != 2 or not table.tallied:
        raise Refused("not-a-match", gettext_noop("This table is no match of a knock-out."))
    return table, points


def _keep(match: Sitting) -> None:
    match.revision = F("revision") + 1
    match.save(
        update_fields=["side_points", "decided_side", "decided_by", "finished_at", "revision"]
    )


def _log(by: Actor, verb: str, table: TableNow, numbers: dict[str, object]) -> None:
    here: dict[str, Any] = {"sitting": table.sitting_id}
    log(
        by,
        verb,
        club_id=table.club_id,
        tournament=table.tournament_id,
        numbers=numbers,
        undoes=last_entry(MATCH_DECIDED, club_id=table.club_id, **here)
        if verb == MATCH_REOPENED
        else None,
        **here,
    )
