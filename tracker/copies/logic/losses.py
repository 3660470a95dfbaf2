"""What one database holds and another does not, counted row by row and not by difference of counts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple


class Reported(NamedTuple):
    sitting: str
    number: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """What a database holds, by what names it anywhere."""

    reports: Mapping[str, Reported] = field(default_factory=dict)  # by entry
    rows: Mapping[str, frozenset[str]] = field(default_factory=dict)  # uids, by what they are of
    acts: frozenset[tuple[datetime, str]] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """How much would be gone."""

    hands: int
    tables: int
    since: datetime | None  # when the first of the hands was reported
    rows: Mapping[str, int]  # only what is not 0
    acts: int  # other things that somebody did: corrections, swaps, who came

    def __bool__(self) -> bool:
        return bool(self.hands or self.rows or self.acts)


def loss(now: Holding, then: Holding) -> Loss:
    """Return what *now* holds and *then* does not."""
    gone = [report for entry, report in now.reports.items() if entry not in then.reports]
    rows = {of: len(uids - then.rows.get(of, frozenset())) for of, uids in now.rows.items()}
    return Loss(
        hands=len({(report.sitting, report.number) for report in gone}),
        tables=len({report.sitting for report in gone}),
        since=min((report.at for report in gone), default=None),
        rows={of: count for of, count in rows.items() if count},
        acts=len(now.acts - then.acts),
    )


def moment(said: object) -> datetime:
    """Return the moment that a database says, in UTC; SQLite's says no zone.

    >>> moment("2026-11-20 20:15:00.5")
    datetime.datetime(2026, 11, 20, 20, 15, 0, 500000, tzinfo=datetime.timezone.utc)
    >>> moment("2026-11-20 23:15:00+03") == moment("2026-11-20 20:15:00")
    True
    """
    at = said if isinstance(said, datetime) else datetime.fromisoformat(str(said))
    return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
