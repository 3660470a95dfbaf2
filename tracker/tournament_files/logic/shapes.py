# ruff: noqa: ARG002 - every shape is asked in the same words
"""Shapes: what may stand at a place of the file, and how it is written, checked and read.

``dump`` writes a value of the site as JSON, ``check`` refuses JSON that is not of the shape, and
``load`` makes the site's value of what was checked. Rows are named by a ``Ref``, the number of
their place in a list of the file: ``numbers`` has them by kind and key, ``keys`` by kind and number.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar
from uuid import UUID

from games.errors import gettext_noop
from tracker.tournament_files.logic.misfit import Misfit

Numbers = Mapping[str, Mapping[int, int]]
Keys = Mapping[str, Sequence[int]]
# How many rows of each kind there are, and NOW: after it nothing can have happened.
Counts = Mapping[str, Any]
NOW = "now"
FIRST = datetime(1900, 1, 2, tzinfo=UTC)
A_DAY = timedelta(days=1)
_SMALL = 2**15 - 1


def wrong(where: str, template: str, **params: Any) -> Misfit:
    """Return the refusal of a value of another kind."""
    return Misfit("kind", template, where=where, **params)


def check_time(moment: datetime, where: str, latest: datetime) -> None:
    """Make sure that something can have happened then.

    :raises Misfit: if it is before 1900 or after *latest*.
    """
    if not FIRST <= moment <= latest:
        template = gettext_noop("%(moment)s cannot be: it is before 1900 or in the future.")
        raise Misfit("time", template, where=where, moment=moment.isoformat())


class Shape:
    """Anything; the others say what."""

    def dump(self, value: Any, numbers: Numbers) -> Any:
        return value

    def load(self, value: Any, keys: Keys) -> Any:
        return value

    def check(self, value: Any, where: str, counts: Counts) -> None:
        raise NotImplementedError


@dataclass(frozen=True)
class Int(Shape):
    least: int = 0
    most: int = _SMALL

    def check(self, value: Any, where: str, counts: Counts) -> None:
        if type(value) is not int:
            raise wrong(where, gettext_noop("here should be a whole number."))
        if not self.least <= value <= self.most:
            raise Misfit(
                "out-of-range",
                gettext_noop("%(number)s is not from %(least)s to %(most)s."),
                where=where,
                number=str(value)[:20],
                least=self.least,
                most=self.most,
            )


class Flag(Shape):
    def check(self, value: Any, where: str, counts: Counts) -> None:
        if type(value) is not bool:
            raise wrong(where, gettext_noop("here should be true or false."))


@dataclass(frozen=True)
class Text(Shape):
    """So many letters at most; *like* is a pattern for the whole of it."""

    most: int
    least: int = 0
    like: str = ""

    def check(self, value: Any, where: str, counts: Counts) -> None:
        if not isinstance(value, str):
            raise wrong(where, gettext_noop("here should be text."))
        fits = self.least <= len(value) <= self.most and "\0" not in value
        if not fits or (self.like and not re.fullmatch(self.like, value)):
            raise Misfit(
                "text",
                gettext_noop("“%(start)s” cannot stand here."),
                where=where,
                start=value[:20].replace("\0", " "),
            )


@dataclass(frozen=True)
class Choice(Shape):
    of: tuple[str, ...]

    def dump(self, value: Any, numbers: Numbers) -> Any:
        return str(value)

    def check(self, value: Any, where: str, counts: Counts) -> None:
        if value not in self.of:
            of = ", ".join(f"“{each}”" for each in self.of)
            raise wrong(where, gettext_noop("here should be one of %(of)s."), of=of)


@dataclass(frozen=True)
class Moment(Shape):
    """A moment in UTC, to the microsecond; where it is *planned*, it may be still to come."""

    FORM: ClassVar[str] = "%Y-%m-%dT%H:%M:%S.%fZ"
    planned: bool = False

    def dump(self, value: datetime, numbers: Numbers) -> str:
        return value.astimezone(UTC).strftime(self.FORM)

    def load(self, value: str, keys: Keys) -> datetime:
        return datetime.strptime(value, self.FORM).replace(tzinfo=UTC)

    def check(self, value: Any, where: str, counts: Counts) -> None:
        try:
            moment = Moment().load(value, {})
            fits = Moment().dump(moment, {}) == value
        except (ValueError, TypeError, OverflowError):
            fits = False
        if not fits:
            raise wrong(
                where, gettext_noop("here should be a moment such as 2026-11-20T18:30:00.000000Z.")
            )
        check_time(moment, where, counts[NOW] + (A_DAY if self.planned else timedelta(0)))


class WrittenMoment(Moment):
    """A moment that is stored as it is written."""

    def dump(self, value: str, numbers: Numbers) -> str:  # type: ignore[override]
        return value

    def load(self, value: str, keys: Keys) -> str:  # type: ignore[override]
        return value


class Uid(Shape):
    def dump(self, value: UUID, numbers: Numbers) -> str:
        return str(value)

    def load(self, value: str, keys: Keys) -> UUID:
        return UUID(value)

    def check(self, value: Any, where: str, counts: Counts) -> None:
        try:
            fits = str(UUID(value)) == value
        except (ValueError, TypeError, AttributeError):
            fits = False
        if not fits:
            raise wrong(where, gettext_noop("here should be a uid of 32 digits in five groups."))


@dataclass(frozen=True)
class Ref(Shape):
    """A row by its place in the list of its *kind*, from 0; ``null`` for one that is gone."""

    kind: str
    gone: bool = False

    def dump(self, value: int, numbers: Numbers) -> int | None:
        return numbers[self.kind].get(value) if self.gone else numbers[self.kind][value]

    def load(self, value: int | None, keys: Keys) -> int:
        return 0 if value is None else keys[self.kind][value]

    def check(self, value: Any, where: str, counts: Counts) -> None:
        if value is None and self.gone:
            return
        if type(value) is not int or not 0 <= value < counts[self.kind]:
            kind, count = self.kind, counts[self.kind]
            raise Misfit(
                "no-such",
                gettext_noop("this is none of the %(count)d %(kind)s in the file."),
                where=where,
                kind=kind,
                count=count,
            )


@dataclass(frozen=True)
class Opt(Shape):
    """The shape, or ``null``."""

    of: Shape

    def dump(self, value: Any, numbers: Numbers) -> Any:
        return None if value is None else self.of.dump(value, numbers)

    def load(self, value: Any, keys: Keys) -> Any:
        return None if value is None else self.of.load(value, keys)

    def check(self, value: Any, where: str, counts: Counts) -> None:
        if value is not None:
            self.of.check(value, where, counts)


class IsoMoment(Shape):
    """An ISO 8601 moment with a time zone, stored unchanged as text."""

    def check(self, value: Any, where: str, counts: Counts) -> None:
        try:
            moment = datetime.fromisoformat(value)
        except (ValueError, TypeError):
            moment = None
        if moment is None or moment.utcoffset() is None:
            raise wrong(where, gettext_noop("here should be a moment with its time zone."))
        check_time(moment, where, counts[NOW])
