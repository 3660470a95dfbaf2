"""What waits for a person to settle it: raised, and settled when it has answered itself."""

from datetime import datetime

from django.db.models import QuerySet

from games.errors import SheetError
from games.sheet import Sheet
from tracker.ledger.fold import Replay
from tracker.ledger.sheets import same_result, with_dealer
from tracker.models import Issue, IssueKind, Sitting
from tracker.reports.services.submissions import without_the_count

# Outcomes nobody chose: what was sent became the same, the hand was mended or struck.
AGREED, MENDED, STRUCK = "agreed", "mended", "struck"
_NOTE_LENGTH = 200


def raise_issue(
    *,
    sitting_id: int,
    number: int,
    kind: IssueKind,
    report_id: int | None,
    now: datetime,
    note: str = "",
) -> Issue:
    """Put a hand before the organiser, or whoever settles it."""
    return Issue.objects.create(
        sitting_id=sitting_id,
        number=number,
        kind=kind,
        report_id=report_id,
        note=note.replace("\x00", "")[:_NOTE_LENGTH],  # PostgreSQL keeps no NUL
        raised_at=now,
    )


def close_issue(issue: Issue, outcome: str, now: datetime) -> None:
    """Mark an issue as settled."""
    issue.settled_at = now
    issue.outcome = outcome
    issue.save(update_fields=["settled_at", "outcome"])


def withdraw_conflicts(sitting_id: int, number: int, device: str, now: datetime) -> int:
    """Settle what a device had against a hand, as it now says something else; return how many."""
    mine = _open(sitting_id).filter(number=number, kind=IssueKind.CONFLICT, report__device=device)
    return mine.update(settled_at=now, outcome=AGREED) if device else 0


def has_conflict(sitting_id: int, number: int, device: str) -> bool:
    """Say whether this device already holds against a hand."""
    mine = _open(sitting_id).filter(number=number, kind=IssueKind.CONFLICT)
    return bool(device) and mine.filter(report__device=device).exists()


def settle_what_answered_itself(done: Replay, now: datetime) -> None:
    """Settle the open issues of changed hands that leave nothing to be settled."""
    about = _open(done.table.sitting_id).filter(number__in=done.changed)
    for issue in about.select_related("report"):
        outcome = _answered(issue, done)
        if outcome:
            close_issue(issue, outcome, now)


def open_conflicts(sitting_id: int) -> int:
    """Return in how many ways the counts of a table differ."""
    return _open(sitting_id).filter(kind=IssueKind.CONFLICT).count()


def keep_open_conflicts(sitting_id: int) -> None:
    """Keep with a sitting how many counts of it differ."""
    Sitting.objects.filter(pk=sitting_id).update(open_conflicts=open_conflicts(sitting_id))


def _open(sitting_id: int) -> QuerySet[Issue]:
    return Issue.objects.filter(sitting_id=sitting_id, settled_at=None)


def _answered(issue: Issue, done: Replay) -> str | None:
    """Return how an issue came to be settled by itself, or ``None`` while it stands."""
    if done.written[issue.number].struck:
        return STRUCK
    if issue.report is None or issue.kind == IssueKind.PARKED:
        return MENDED
    return AGREED if _same_as_sent(issue.number, issue.report.sheet, done) else None


def _same_as_sent(number: int, sent: Sheet, done: Replay) -> bool:
    """Say whether what stands now is what a report had said."""
    stands = done.fold.hands[number].sheet
    session = done.session_before(number)
    rules = done.table.rules
    sheet = with_dealer(without_the_count(sent) if "bare" in sent else sent, stands["dealer"])
    try:
        scored = rules.add_sheet(session, sheet)
    except SheetError:
        return False
    return same_result(rules.questions(session), scored.sheet, stands)
