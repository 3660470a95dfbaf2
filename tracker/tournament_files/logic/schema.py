# ruff: noqa: ARG002 - all schemas have the same methods
"""Schemas of the values in a tournament file.

``dump`` converts a value of the site to JSON, ``check`` refuses invalid JSON, and ``load`` converts
checked JSON to a value of the site. A ``Ref`` refers to a row by its index in a list of the file:
``numbers`` has the indices by kind and key, ``keys`` the keys by kind and index.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar
from uuid import UUID

from games.errors import RuleError, gettext_noop

Numbers = Mapping[str, Mapping[int, int]]
Keys = Mapping[str, Sequence[int]]
# The number of rows of each kind; and NOW, the latest possible time.
Counts = Mapping[str, Any]
NOW = "now"
FIRST = datetime(1900, 1, 2, tzinfo=UTC)
A_DAY = timedelta(days=1)
_SMALL, _LARGE = 2**15 - 1, 2**63 - 1
_DEEPEST = 8
_PLACEHOLDER = re.compile(r"%\((\w+)\)([sd])")
_NOT_NAMED = gettext_noop("here should be named values in braces.")


class InvalidFileError(RuleError):
    """The first invalid value in a file; ``where`` is the path to it, as ``people[3].name``.

    ``changed``: the file was changed or damaged since it was written.
    """

    def __init__(
        self, code: str, template: str, /, *, where: str, changed: bool = False, **params: Any
    ) -> None:
        super().__init__(code, template, **params)
        self.where = where
        self.changed = changed

    @classmethod
    def of(cls, refusal: RuleError, where: str) -> "InvalidFileError":
        """Return an error of the rules with its path in the file."""
        answer = "" if refusal.question is None else f".{refusal.question}"
        error = cls("refused", "", where=f"{where}{answer}")
        error.args = refusal.args
        error.code, error.template, error.params = refusal.code, refusal.template, refusal.params
        return error


def wrong(where: str, template: str, **params: Any) -> InvalidFileError:
    """Return the error of a value that does not fit its schema."""
    return InvalidFileError("schema", template, where=where, **params)


def _check_time(moment: datetime, where: str, latest: datetime) -> None:
    if not FIRST <= moment <= latest:
        template = gettext_noop("%(moment)s cannot be: it is before 1900 or in the future.")
        raise wrong(where, template, moment=moment.isoformat())


class Schema:
    """Base class, for values that are in the file as the site stores them."""

    def dump(self, value: Any, numbers: Numbers) -> Any:
        return value

    def load(self, value: Any, keys: Keys) -> Any:
        return value

    def check(self, value: Any, where: str, counts: Counts) -> None:
        raise NotImplementedError


# Single values ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Integer(Schema):
    least: int = 0
    most: int = _SMALL

    def check(self, value: Any, where: str, counts: Counts) -> None:
        if type(value) is not int:
            raise wrong(where, gettext_noop("here should be a whole number."))
        if not self.least <= value <= self.most:
            template = gettext_noop("%(number)s is not from %(least)s to %(most)s.")
            raise wrong(where, template, number=str(value)[:20], least=self.least, most=self.most)


class Boolean(Schema):
    def check(self, value: Any, where: str, counts: Counts) -> None:
        if type(value) is not bool:
            raise wrong(where, gettext_noop("here should be true or false."))


@dataclass(frozen=True)
class String(Schema):
    """A text of *least* to *most* characters; *like* is a pattern for all of it."""

    most: int
    least: int = 0
    like: str = ""

    def check(self, value: Any, where: str, counts: Counts) -> None:
        if not isinstance(value, str):
            raise wrong(where, gettext_noop("here should be text."))
        fits = self.least <= len(value) <= self.most and "\0" not in value
        if not fits or (self.like and not re.fullmatch(self.like, value)):
            start = value[:20].replace("\0", " ")
            raise wrong(where, gettext_noop("“%(start)s” cannot stand here."), start=start)


@dataclass(frozen=True)
class OneOf(Schema):
    of: tuple[str, ...]

    def check(self, value: Any, where: str, counts: Counts) -> None:
        if value not in self.of:
            of = ", ".join(f"“{each}”" for each in self.of)
            raise wrong(where, gettext_noop("here should be one of %(of)s."), of=of)


@dataclass(frozen=True)
class Moment(Schema):
    """A time in UTC, to the microsecond; a *planned* one may be up to a day ahead.

    With *as_text* the site stores the text.
    """

    FORM: ClassVar[str] = "%Y-%m-%dT%H:%M:%S.%fZ"
    planned: bool = False
    as_text: bool = False

    def dump(self, value: Any, numbers: Numbers) -> Any:
        return value if self.as_text else value.astimezone(UTC).strftime(self.FORM)

    def load(self, value: str, keys: Keys) -> Any:
        if self.as_text:
            return value
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
        _check_time(moment, where, counts[NOW] + (A_DAY if self.planned else timedelta(0)))


class IsoMoment(Schema):
    """An ISO 8601 time with a time zone, stored unchanged as text."""

    def check(self, value: Any, where: str, counts: Counts) -> None:
        try:
            moment = datetime.fromisoformat(value)
        except (ValueError, TypeError):
            moment = None
        if moment is None or moment.utcoffset() is None:
            raise wrong(where, gettext_noop("here should be a moment with its time zone."))
        _check_time(moment, where, counts[NOW])


class Uid(Schema):
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
class Ref(Schema):
    """A row by its index in the list of its *kind*; with *gone* also ``null`` for a deleted one."""

    kind: str
    gone: bool = False

    def dump(self, value: int, numbers: Numbers) -> int | None:
        return numbers[self.kind].get(value) if self.gone else numbers[self.kind][value]

    def load(self, value: int | None, keys: Keys) -> int:
        return 0 if value is None else keys[self.kind][value]

    def check(self, value: Any, where: str, counts: Counts) -> None:
        if value is None and self.gone:
            return
        count = counts[self.kind]
        if type(value) is not int or not 0 <= value < count:
            template = gettext_noop("this is none of the %(count)d %(kind)s in the file.")
            raise wrong(where, template, kind=self.kind, count=count)


class Redacted(Schema):
    """Private data of the club, for which the file has an empty list."""

    def dump(self, value: Any, numbers: Numbers) -> Any:
        return []

    def check(self, value: Any, where: str, counts: Counts) -> None:
        if value != []:
            raise wrong(where, gettext_noop("here should be an empty list."))


@dataclass(frozen=True)
class AnyJson(Schema):
    """Data of a game: named values of whole numbers, texts and lists, without rows of the site."""

    def check(self, value: Any, where: str, counts: Counts) -> None:
        if not isinstance(value, dict):
            raise wrong(where, _NOT_NAMED)
        self._check_part(value, where, _DEEPEST)

    def _check_part(self, value: Any, where: str, deeper: int) -> None:
        if not deeper:
            raise wrong(where, gettext_noop("here should be something nested less deep."))
        match value:
            case None | bool():
                return
            case int():
                Integer(-_LARGE, _LARGE).check(value, where, {})
            case str():
                String(1000).check(value, where, {})
            case list():
                for at, each in enumerate(value):
                    self._check_part(each, f"{where}[{at}]", deeper - 1)
            case dict():
                for name, each in value.items():
                    String(60).check(name, where, {})
                    self._check_part(each, f"{where}.{name}", deeper - 1)
            case _:
                raise wrong(
                    where,
                    gettext_noop("here should be a whole number, text, a list or named values."),
                )


# Values that hold others --------------------------------------------------------------------------


class Container(Schema):
    """A value whose parts have schemas of their own."""

    def dump(self, value: Any, numbers: Numbers) -> Any:
        return self.convert(value, lambda schema, part: schema.dump(part, numbers))

    def load(self, value: Any, keys: Keys) -> Any:
        return self.convert(value, lambda schema, part: schema.load(part, keys))

    def convert(self, value: Any, convert: Callable[[Schema, Any], Any]) -> Any:
        """Return the value with each part converted by its schema."""
        raise NotImplementedError


@dataclass(frozen=True)
class Nullable(Container):
    of: Schema

    def convert(self, value: Any, convert: Callable[[Schema, Any], Any]) -> Any:
        return None if value is None else convert(self.of, value)

    def check(self, value: Any, where: str, counts: Counts) -> None:
        if value is not None:
            self.of.check(value, where, counts)


@dataclass(frozen=True)
class ListOf(Container):
    of: Schema
    most: int = 5000
    least: int = 0

    def convert(self, value: Sequence[Any], convert: Callable[[Schema, Any], Any]) -> Any:
        return [convert(self.of, each) for each in value]

    def check(self, value: Any, where: str, counts: Counts) -> None:
        if not isinstance(value, list):
            raise wrong(where, gettext_noop("here should be a list."))
        if not self.least <= len(value) <= self.most:
            template = gettext_noop("%(count)d are not from %(least)d to %(most)d.")
            raise wrong(where, template, count=len(value), least=self.least, most=self.most)
        for at, each in enumerate(value):
            self.of.check(each, f"{where}[{at}]", counts)


@dataclass(frozen=True)
class TupleOf(Container):
    """A list in which each place has a schema of its own."""

    of: tuple[Schema, ...]

    def convert(self, value: Sequence[Any], convert: Callable[[Schema, Any], Any]) -> Any:
        return list(map(convert, self.of, value))

    def check(self, value: Any, where: str, counts: Counts) -> None:
        if not isinstance(value, list) or len(value) != len(self.of):
            template = gettext_noop("here should be a list of %(count)d.")
            raise wrong(where, template, count=len(self.of))
        for at, (schema, each) in enumerate(zip(self.of, value, strict=True)):
            schema.check(each, f"{where}[{at}]", counts)


@dataclass(frozen=True)
class Object(Container):
    """Named values: all in *of*, and optionally those in *maybe*; with *empty* it may have none.

    A ``Ref`` inside it may refer to a row in one of its lists.
    """

    of: Mapping[str, Schema]
    maybe: Mapping[str, Schema] = field(default_factory=dict)
    empty: bool = False

    def convert(self, value: Mapping[str, Any], convert: Callable[[Schema, Any], Any]) -> Any:
        fields = {**self.of, **self.maybe}
        return {name: convert(fields[name], value[name]) for name in fields if name in value}

    def check(self, value: Any, where: str, counts: Counts) -> None:
        if not isinstance(value, dict):
            raise wrong(where, _NOT_NAMED)
        if self.empty and not value:
            return
        fields = {**self.of, **self.maybe}
        for name in value:
            if name not in fields:
                template = gettext_noop("nobody knows what “%(name)s” is.")
                raise wrong(where, template, name=name[:30])
        for name in self.of:
            if name not in value:
                raise wrong(where, gettext_noop("“%(name)s” is missing."), name=name)
        lists = {name: len(each) for name, each in value.items() if isinstance(each, list)}
        within = {**counts, **lists}
        for name, schema in fields.items():
            if name in value:
                schema.check(value[name], f"{where}.{name}" if where else name, within)


@dataclass(frozen=True)
class ByRef(Schema):
    """Values of a game by row; the index of the row is written as text."""

    kind: str

    def dump(self, value: Mapping[str, Any], numbers: Numbers) -> Any:
        known = numbers[self.kind]
        return {str(known[int(key)]): each for key, each in value.items() if int(key) in known}

    def load(self, value: Mapping[str, Any], keys: Keys) -> Any:
        return {str(keys[self.kind][int(number)]): each for number, each in value.items()}

    def check(self, value: Any, where: str, counts: Counts) -> None:
        if not isinstance(value, dict):
            raise wrong(where, _NOT_NAMED)
        for number, each in value.items():
            whole = number.isascii() and number.isdigit() and str(int(number[:9])) == number
            Ref(self.kind).check(int(number) if whole else number, f"{where}.{number[:9]}", counts)
            AnyJson().check(each, f"{where}.{number}", counts)


@dataclass(frozen=True)
class Sentence(Object):
    """Named values with a sentence: ``params`` fill its ``template``, and pages fill *who*."""

    def check(self, value: Any, where: str, counts: Counts) -> None:
        super().check(value, where, counts)
        template, params = value["template"], value["params"]
        filled = all(
            name == "who" if name not in params else kind == "s" or type(params[name]) is int
            for name, kind in _PLACEHOLDER.findall(template)
        )
        if not filled or "%" in _PLACEHOLDER.sub("", template).replace("%%", ""):
            raise wrong(where, gettext_noop("nothing fills the holes of this sentence."))
        for name, each in params.items():
            if isinstance(each, dict) and "template" in each:
                Sentence(SENTENCE).check(each, f"{where}.params.{name}", counts)


SENTENCE: Mapping[str, Schema] = {"template": String(1000), "params": AnyJson()}
