"""Issues about hands: raised, withdrawn, and closed when a change leaves nothing to settle.

An *issue* waits for a person to settle it, by ``settling``. Many an issue has a report of its hand,
another than the accepted one. A *struck* hand was undone or deleted.
"""

from collections.abc import Collection
from contextlib import suppress
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet

from games.errors import SheetError, gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.models import Hand, Issue, IssueKind, Sitting
from tracker.results.services.submissions import Arrival, hand_unknown, without_count
from tracker.tables.locks import lock_table
from tracker.tables.replay import Replay
from tracker.tables.revisions import count_up
from tracker.tables.stored_hands import has_same_result

# Outcomes that nobody chose: hand and report agree by now, or the hand was corrected or struck.
AGREED, MENDED, STRUCK = "agreed", "mended", "struck"
MOST_QUERIES = 5  # about one hand


@transaction.atomic
def query_hand(*, token: str, number: int, note: str, by: Actor) -> Issue:
    """Tell the organiser that a player thinks a hand is wrong.

    An open issue about the hand with the same note is returned instead of a second one.

    :raises Refused: ``token-unknown``, ``token-revoked``, ``hand-unknown``, ``too-many-queries``.
    """
    table = lock_table(token=token)
    if not Hand.objects.filter(sitting=table.sitting_id, number=number).exists():
        raise hand_unknown(number)
    # PostgreSQL keeps no NUL.
    note = note.replace("\x00", "")[: Issue.note.field.max_length]
    queries = _open_issues(table.sitting_id).filter(number=number, kind=IssueKind.QUERY)
    if same_query := queries.filter(note=note).first():
        return same_query
    check_issue_limit(table.sitting_id, number, IssueKind.QUERY)
    issue = Issue.objects.create(
        sitting_id=table.sitting_id, number=number, kind=IssueKind.QUERY, note=note, raised_at=by.at
    )
    log(by, "hand-queried", **table.log_keys, hand=number, issue=issue.pk)
    return issue


def check_issue_limit(sitting_id: int, number: int, kind: IssueKind) -> None:
    """Refuse another issue of a kind, as ``too-many-queries``, if a hand has enough open ones."""
    if _open_issues(sitting_id).filter(number=number, kind=kind).count() >= MOST_QUERIES:
        raise Refused("too-many-queries", gettext_noop("The organiser knows about this already."))


def raise_issue(arrival: Arrival, kind: IssueKind, report_id: int) -> Issue:
    """Open an issue about the hand that is reported, with this stored report."""
    # Raise the sitting's revision, by which open pages notice that something is new.
    count_up(arrival.table.sitting_id)
    return Issue.objects.create(
        sitting_id=arrival.table.sitting_id,
        number=arrival.number,
        kind=kind,
        report_id=report_id,
        raised_at=arrival.by.at,
    )


def close_issue(issue: Issue, outcome: str, at: datetime) -> None:
    issue.settled_at, issue.outcome = at, outcome
    issue.save(update_fields=["settled_at", "outcome"])


def withdraw(arrival: Arrival, *kinds: IssueKind) -> None:
    """Close the open issues of these kinds that the same device raised about the reported hand."""
    sitting_id, device = arrival.table.sitting_id, arrival.device
    issues = _open_issues(sitting_id).filter(number=arrival.number, kind__in=kinds)
    of_device = issues.filter(report__device=device)
    if device and of_device.update(settled_at=arrival.by.at, outcome=AGREED):
        store_open_conflicts(sitting_id)


def store_open_conflicts(sitting_id: int) -> None:
    """Store the number of a sitting's open conflicts in its row."""
    count = Issue.objects.open_conflicts(sitting_id).count()
    Sitting.objects.filter(pk=sitting_id).update(open_conflicts=count)
    count_up(sitting_id)


def close_answered_issues(replay: Replay, at: datetime) -> list[Issue]:
    """Close the open issues about changed hands that leave nothing to settle any more.

    Return those that were closed because their report has the hand's new result.
    """
    agreed_issues = []
    issues = _open_issues(replay.table.sitting_id).filter(number__in=replay.changed)
    for issue in issues.exclude(kind=IssueKind.CALL).select_related("report"):
        number, report = issue.number, issue.report
        if replay.entries[number].struck:
            outcome = STRUCK
        elif report is None or issue.kind == IssueKind.PARKED:
            # The issue has no finished count to compare with: any change mends the hand.
            outcome = MENDED
        else:
            before, new_sheet = replay.replayed[number].session_before, replay.scored[number].sheet
            same, reported_sheet = False, without_count(report.sheet)
            with suppress(SheetError):  # the sheet may not fit a change of the hand before it
                same = has_same_result(replay.table, before, reported_sheet, new_sheet)
            if not same:
                continue
            outcome = AGREED
            agreed_issues.append(issue)
        close_issue(issue, outcome, at)
    return agreed_issues


def reopen_issues(sitting_id: int, numbers: Collection[int], settled: Collection[int] = ()) -> None:
    """Reopen the issues closed when these hands were struck, and those with the keys *settled*."""
    to_reopen = Q(number__in=numbers, outcome=STRUCK) | Q(pk__in=settled)
    Issue.objects.filter(to_reopen, sitting=sitting_id).update(settled_at=None, outcome="")


def mark_struck_issues_mended(sitting_id: int, numbers: Collection[int]) -> None:
    """Turn the outcome ``STRUCK`` into ``MENDED``, so that ``reopen_issues`` leaves them closed."""
    struck = Issue.objects.filter(sitting=sitting_id, number__in=numbers, outcome=STRUCK)
    struck.update(outcome=MENDED)


def _open_issues(sitting_id: int) -> QuerySet[Issue]:
    return Issue.objects.filter(sitting=sitting_id, settled_at=None)
