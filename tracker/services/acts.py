"""The log of what people did."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from tracker.models import Act

# As much as their columns hold: PostgreSQL would refuse more.
_DEVICE_LENGTH = 40
_REASON_LENGTH = 300


def record_act(
    *,
    club_id: int | None,
    verb: str,
    on: Mapping[str, Any],
    numbers: Mapping[str, Any] | None = None,
    user_id: int | None = None,
    device: str = "",
    reason: str = "",
    at: datetime,
    undoes: Act | None = None,
) -> Act:
    """Write down who did what to which rows, and why; it stays written.

    Neither *on* nor *numbers* may hold a name: names are looked up when the log is read.
    """
    return Act.objects.create(
        club_id=club_id,
        verb=verb,
        on=dict(on),
        numbers=dict(numbers or {}),
        user_id=user_id,
        device=device[:_DEVICE_LENGTH],
        reason=reason[:_REASON_LENGTH],
        at=at,
        undoes=undoes,
    )
