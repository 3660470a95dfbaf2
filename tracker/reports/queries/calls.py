"""What people at a table see of their call for the organiser."""

from collections.abc import Iterable
from dataclasses import dataclass

from tracker.models import CallReason, Issue, IssueKind


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCall:
    """A call that is open: why, and whether somebody is on the way."""

    reason: str
    note: str
    taken: bool


def call_among(issues: Iterable[Issue]) -> TableCall | None:
    """Return the call among the open issues of a table, if there is one."""
    call = next((issue for issue in issues if issue.kind == IssueKind.CALL), None)
    if call is None:
        return None
    return TableCall(
        reason=str(CallReason(call.reason).label), note=call.note, taken=call.taken_at is not None
    )
