"""The log of what people did."""

from collections.abc import Mapping
from typing import Any

from tracker.models import Act
from tracker.services.actor import Actor


def log(
    by: Actor,
    verb: str,
    /,
    *,
    club_id: int | None,
    numbers: Mapping[str, Any] | None = None,
    reason: str = "",
    undoes: Act | None = None,
    **on: Any,
) -> Act:
    """Write down who did what to which rows, and why; it stays written.

    *on* are the keys of those rows: ``log(by, "season-made", club_id=3, season=5)``. Neither
    it nor *numbers* may hold a name: names are looked up when the log is read.
    """
    return Act.objects.create(
        club_id=club_id,
        verb=verb,
        on=on,
        numbers=dict(numbers or {}),
        user_id=by.user_id,
        # As much as their columns hold: PostgreSQL would refuse more.
        device=by.device[: Act.device.field.max_length],
        reason=reason[: Act.reason.field.max_length],
        at=by.at,
        undoes=undoes,
    )
