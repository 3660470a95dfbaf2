"""What waits for a person to settle it: raised, and settled when it has answered itself."""

from collections.abc import Collection
from contextlib import suppress
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet

from games.errors import SheetError, gettext_noop
from games.sheet import Sheet
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.models import Hand, Issue, IssueKind, Sitting
from tracker.results.services.submissions import Arrival, hand_unknown, without_the_count
from tracker.tables.locks import lock_table
from tracker.tables.replay import Replay
from tracker.tables.revisions import count_up
from tracker.tables.stored_hands import has_same_result

# Outcomes nobody chose: what was sent became the same, the hand was mended or struck.
AGREED, MENDED, STRUCK = "agreed", "mended", "struck"
MOST_QUERIES = 5  # about one hand


@transaction.atomic
def query_hand(*, token: str, number: int, note: str, by: Actor) -> Issue:
    """Tell the organiser that a player thinks a hand is wrong.

    While one with the same note is open about the hand, that one is returned.

    :raises Refused: ``token-unknown``, ``token-revoked``, ``hand-unknown`` or
        ``too-many-queries``.
    """
    table = lock_table(token=token)
    if not Hand.objects.filter(sitting=table.sitting_id, number=number).exists():
        raise hand_unknown(number)
    # PostgreSQL keeps no NUL.
    note = note.replace("\x00", "")[: Issue.note.field.max_length]
    queries = _open(table.sitting_id).filter(number=number, kind=IssueKind.QUERY)
    if known := queries.filter(note=note).first():
        return known
    check_asked(table.sitting_id, number, IssueKind.QUERY)
    issue = Issue.objects.create(
        sitting_id=table.sitting_id,
        number=number,
        kind=IssueKind.QUERY,
        note=note,
        raised_at=by.at,
    )
    log(by, "hand-queried", **table.log_keys, hand=number, issue=issue.pk)
    return issue


def check_asked(sitting_id: int, number: int, kind: IssueKind) -> None:
    """Refuse another issue about a hand if the organiser has enough of that kind.

    :raises Refused: ``too-many-queries``.
    """
    if _open(sitting_id).filter(number=number, kind=kind).count() >= MOST_QUERIES:
        raise Refused(
            "too-many-queries",
            gettext_noop("The organiser knows about this already."),
        )


def raise_about(arrival: Arrival, kind: IssueKind, report_id: int) -> Issue:
    """Open an issue about a hand, with the report it is about."""
    count_up(arrival.table.sitting_id)
    return Issue.objects.create(
        sitting_id=arrival.table.sitting_id,
        number=arrival.number,
        kind=kind,
        report_id=report_id,
        raised_at=arrival.by.at,
    )


def close_issue(issue: Issue, outcome: str, at: datetime) -> None:
    """Mark an issue as settled."""
    issue.settled_at = at
    issue.outcome = outcome
    issue.save(update_fields=["settled_at", "outcome"])


def withdraw_conflicts(sitting_id: int, number: int, device: str, at: datetime) -> int:
    """Settle what a device had against a hand, as it now says something else; return how many."""
    mine = Issue.objects.open_conflicts(sitting_id).filter(number=number, report__device=device)
    return mine.update(settled_at=at, outcome=AGREED) if device else 0


def withdraw_changes(sitting_id: int, number: int, device: str, at: datetime) -> None:
    """Settle what a device wanted changed in a hand, as it now says something else."""
    if device:
        mine = _open(sitting_id).filter(number=number, kind=IssueKind.CHANGE)
        if mine.filter(report__device=device).update(settled_at=at, outcome=AGREED):
            count_up(sitting_id)


def has_conflict(sitting_id: int, number: int, device: str) -> bool:
    """Say whether this device already holds against a hand."""
    mine = Issue.objects.open_conflicts(sitting_id).filter(number=number)
    return bool(device) and mine.filter(report__device=device).exists()


def keep_open_conflicts(sitting_id: int) -> None:
    """Keep with a sitting how many counts of it differ."""
    count = Issue.objects.open_conflicts(sitting_id).count()
    Sitting.objects.filter(pk=sitting_id).update(open_conflicts=count)
    count_up(sitting_id)


def settle_what_answered_itself(replay: Replay, at: datetime) -> list[Issue]:
    """Settle the open issues of changed hands that leave nothing to be settled.

    Those are returned that had said before what stands now.
    """
    agreed = []
    about = _open(replay.table.sitting_id).filter(number__in=replay.changed)
    for issue in about.exclude(kind=IssueKind.CALL).select_related("report"):
        if replay.entries[issue.number].struck:
            outcome = STRUCK
        elif issue.report is None or issue.kind == IssueKind.PARKED:
            outcome = MENDED
        elif _same_as_sent(issue.number, issue.report.sheet, replay):
            outcome = AGREED
            agreed.append(issue)
        else:
            continue
        close_issue(issue, outcome, at)
    return agreed


def open_again(sitting_id: int, numbers: Collection[int], settled: Collection[int] = ()) -> None:
    """Let what was open about hands that come back as they were wait again for a person.

    So does what was *settled* by an act that is undone.
    """
    about = Q(number__in=numbers, outcome=STRUCK) | Q(pk__in=settled)
    Issue.objects.filter(about, sitting=sitting_id).update(settled_at=None, outcome="")


def mark_struck_issues_mended(sitting_id: int, numbers: Collection[int]) -> None:
    """Mark these hands' issues as mended, not struck, so that ``open_again`` does not reopen them."""
    struck = Issue.objects.filter(sitting=sitting_id, number__in=numbers, outcome=STRUCK)
    struck.update(outcome=MENDED)


def _same_as_sent(number: int, sent: Sheet, replay: Replay) -> bool:
    """Return whether the hand has by now the result that was sent."""
    before, stands = replay.replayed[number].before, replay.scored[number].sheet
    with suppress(SheetError):
        return has_same_result(replay.table, before, without_the_count(sent), stands)
    return False


def _open(sitting_id: int) -> QuerySet[Issue]:
    return Issue.objects.filter(sitting=sitting_id, settled_at=None)
