"""Calls of a table for the organiser, stored as ``Issue``: made, withdrawn, taken and finished."""

from typing import Any

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.models import CallReason, Issue, IssueKind, Tournament
from tracker.results.services.issues import close_issue
from tracker.results.services.submissions import check_open
from tracker.tables.locks import lock_table

DONE, WITHDRAWN = "done", "withdrawn"  # outcomes: the organiser came, or is not needed any more
MOST_CALLS = 12  # from one table in one round


@transaction.atomic
def call_organiser(*, token: str, reason: CallReason, note: str = "", by: Actor) -> Issue:
    """Call the organiser to a table; an open call of the table is returned instead of a second one.

    :raises Refused: ``token-unknown``, ``token-revoked``, ``round-closed`` or ``too-many-calls``.
    """
    table = lock_table(token=token)
    check_open(table, gettext_noop("This round has closed: the organiser is at the desk."))
    calls = Issue.objects.filter(sitting=table.sitting_id, kind=IssueKind.CALL)
    if open_call := calls.filter(settled_at=None).first():
        return open_call
    if calls.count() >= MOST_CALLS:
        template = gettext_noop("This table has called very often: please go to the organiser.")
        raise Refused("too-many-calls", template)
    call = Issue.objects.create(
        sitting_id=table.sitting_id,
        number=table.coming_number,
        kind=IssueKind.CALL,
        reason=reason,
        # PostgreSQL keeps no NUL.
        note=" ".join(note.replace("\x00", "").split())[: Issue.note.field.max_length],
        raised_at=by.at,
    )
    numbers = {"reason": call.reason}
    log(by, "organiser-called", **table.log_keys, issue=call.pk, numbers=numbers)
    return call


@transaction.atomic
def withdraw_call(*, token: str, by: Actor) -> Issue | None:
    """Withdraw a table's open call; without one nothing happens.

    :raises Refused: ``token-unknown`` or ``token-revoked``.
    """
    table = lock_table(token=token)
    calls = Issue.objects.select_for_update(no_key=True).filter(
        sitting=table.sitting_id, settled_at=None
    )
    call = calls.filter(kind=IssueKind.CALL).first()
    if call is not None:
        _end(call, WITHDRAWN, by, Tournament.objects.get(pk=table.tournament_id))
    return call


@transaction.atomic
def take_call(*, call_id: int, by: Actor) -> Issue:
    """Mark a call as taken: the table sees that help comes. Taking it again changes nothing.

    :raises Issue.DoesNotExist: if there is no such call.
    :raises Refused: ``call-over`` if nobody is needed there any more.
    """
    call = _lock_call(call_id)
    if call.settled_at is not None:
        raise Refused("call-over", gettext_noop("Nobody is needed there any more."))
    if call.taken_at is None:
        call.taken_at = by.at
        call.save(update_fields=["taken_at"])
        _log(call, "call-taken", by, call.sitting.round.tournament)
    return call


@transaction.atomic
def finish_call(*, call_id: int, by: Actor) -> Issue:
    """Mark a call as answered; one that is over already stays as it is.

    :raises Issue.DoesNotExist: if there is no such call.
    """
    call = _lock_call(call_id)
    if call.settled_at is None:
        _end(call, DONE, by, call.sitting.round.tournament)
    return call


def _lock_call(call_id: int) -> Issue:
    calls = Issue.objects.select_for_update(of=("self",), no_key=True).filter(kind=IssueKind.CALL)
    return calls.select_related("sitting__round__tournament").get(pk=call_id)


def _end(call: Issue, outcome: str, by: Actor, tournament: Tournament) -> None:
    close_issue(call, outcome, max(by.at, call.raised_at))
    _log(call, "call-ended", by, tournament, outcome=outcome)


def _log(call: Issue, verb: str, by: Actor, tournament: Tournament, **numbers: str) -> None:
    on: dict[str, Any] = {"tournament": tournament.pk, "sitting": call.sitting_id, "issue": call.pk}
    log(by, verb, club_id=tournament.club_id, **on, numbers=numbers)
