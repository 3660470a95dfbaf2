"""Writing and finding entries of the audit log."""

from collections.abc import Collection, Mapping
from typing import Any

from django.db.models import Model

from tracker.common.actor import Actor
from tracker.models import LogEntry


def log(
    by: Actor,
    verb: str,
    /,
    *,
    club_id: int | None,
    numbers: Mapping[str, Any] | None = None,
    reason: str = "",
    undoes: LogEntry | None = None,
    **on: Any,
) -> LogEntry:
    """Add an entry, which cannot be changed later: who did what (*verb*) to which rows, and why.

    Readers see an entry as a sentence, which the verb has. *on* are the keys of the rows, as in
    ``log(by, "season-made", club_id=3, season=5)``; *numbers* are all other values of the sentence,
    which may be texts too. Neither may hold a name: names are looked up when the log is read.
    """
    return LogEntry.objects.create(
        club_id=club_id,
        verb=verb,
        on=on,
        numbers=dict(numbers or {}),
        user_id=by.user_id,
        # Cut to the length of the columns: PostgreSQL refuses longer texts.
        device=by.device[: LogEntry.device.field.max_length],
        reason=reason[: LogEntry.reason.field.max_length],
        at=by.at,
        undoes=undoes,
    )


def set_columns(
    row: Model, settings: Mapping[str, Any], *, private: Collection[str] = ()
) -> dict[str, list[Any]]:
    """Set columns of a row, but do not save it; return {changed column: [before, after]}.

    The log keeps the result. Of *private* columns, which may name a person, the list is empty.
    """
    changed: dict[str, list[Any]] = {}
    for column, after in settings.items():
        before = getattr(row, column)
        if before != after:
            changed[column] = [] if column in private else [before, after]
        setattr(row, column, after)
    return changed


def last_entry(verb: str, /, *, club_id: int | None, **on: Any) -> LogEntry | None:
    """Return the last entry of this verb on these rows, such as the one that an undo takes back."""
    keys = {f"on__{name}": key for name, key in on.items()}
    return LogEntry.objects.filter(club=club_id, verb=verb, **keys).order_by("pk").last()
