"""Calls of a table for the organiser, stored as ``Issue``: made, withdrawn, taken and finished."""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.models import CallReason, Issue, IssueKind
from tracker.results.services.issues import close_issue
from tracker.results.services.submissions import check_open
from tracker.tables.locks import lock_table

DONE, WITHDRAWN = "done", "withdrawn"  # outcomes: the organiser came, or is not needed any more
MOST_CALLS = 12  # of one table in one round


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
        number=table.coming_number,  # of the hand that is being played
        kind=IssueKind.CALL,
        reason=reason,
        # In one line, without NUL, which PostgreSQL cannot store.
        note=" ".join(note.replace("\x00", "").split())[: Issue.note.field.max_length],
        raised_at=by.at,
    )
    log(by, "organiser-called", **table.log_keys, issue=call.pk, numbers={"reason": call.reason})
    return call


@transaction.atomic
def withdraw_call(*, token: str, by: Actor) -> Issue | None:
    """Withdraw a table's open call; without one nothing happens.

    :raises Refused: ``token-unknown`` or ``token-revoked``.
    """
    table = lock_table(token=token)
    call = _locked_calls().filter(sitting=table.sitting_id, settled_at=None).first()
    if call is not None:
        _end(call, WITHDRAWN, by)
    return call


@transaction.atomic
def take_call(*, call_id: int, by: Actor) -> Issue:
    """Mark a call as taken: the table sees that help comes. Taking it again changes nothing.

    :raises Issue.DoesNotExist: if there is no such call.
    :raises Refused: ``call-over`` if nobody is needed there any more.
    """
    call = _locked_calls().get(pk=call_id)
    if call.settled_at is not None:
        raise Refused("call-over", gettext_noop("Nobody is needed there any more."))
    if call.taken_at is None:
        call.taken_at = by.at
        call.save(update_fields=["taken_at"])
        _log(call, "call-taken", by)
    return call


@transaction.atomic
def finish_call(*, call_id: int, by: Actor) -> Issue:
    """Mark a call as answered; a call that is over already stays as it is.

    :raises Issue.DoesNotExist: if there is no such call.
    """
    call = _locked_calls().get(pk=call_id)
    if call.settled_at is None:
        _end(call, DONE, by)
    return call


def _locked_calls() -> QuerySet[Issue]:
    # ``of``: only the calls are locked, not the rows that are read with them.
    calls = Issue.objects.select_for_update(of=("self",), no_key=True).filter(kind=IssueKind.CALL)
    return calls.select_related("sitting__round__tournament")


def _end(call: Issue, outcome: str, by: Actor) -> None:
    # A request that waited for the lock may have read the clock before the call was made.
    close_issue(call, outcome, max(by.at, call.raised_at))
    _log(call, "call-ended", by, outcome=outcome)


def _log(call: Issue, verb: str, by: Actor, **details: str) -> None:
    """Log what happened to a call; the log calls all *details* ``numbers``, texts too."""
    tournament = call.sitting.round.tournament
    on: dict[str, Any] = {"tournament": tournament.pk, "sitting": call.sitting_id, "issue": call.pk}
    log(by, verb, club_id=tournament.club_id, **on, numbers=details)
