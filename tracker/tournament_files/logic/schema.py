# ruff: noqa: ARG002 - all schemas have the same methods
"""Schemas of the values in a tournament file.

A schema has three methods: ``dump`` converts a value of the site to JSON, ``check`` refuses invalid
JSON, and ``load`` converts checked JSON to a value of the site. *where* is the path to the value.

In the file a row of the database is referred to by its *number*: its index in the list of its
*kind* (such as "people"). ``Numbers``, ``Keys`` and ``Counts`` resolve these references; each is a
mapping keyed by kind.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar
from uuid import UUID

from games.errors import RuleError, gettext_noop

# For ``dump``: the numbers of rows by their database keys.
Numbers = Mapping[str, Mapping[int, int]]
# For ``load``: the database keys of rows, indexed by number.
Keys = Mapping[str, Sequence[int]]
# For ``check``: how many rows there are. The key NOW has the latest possible time instead.
Counts = Mapping[str, Any]
NOW = "now"
# No moment is earlier: 2 January, so that every moment is in 1900 or later in every time zone.
_EARLIEST = datetime(1900, 1, 2, tzinfo=UTC)
# The largest whole numbers in two and in eight bytes, as the database has them.
_SMALL, _LARGE = 2**15 - 1, 2**63 - 1
_DEEPEST = 8  # levels to which the data of a game may be nested
# Placeholders of a sentence's template: their names, and ``s`` for text or ``d`` for a number.
_PLACEHOLDER = re.compile(r"%\((\w+)\)([sd])")
_NOT_NAMED = gettext_noop("here should be named values in braces.")


class InvalidFileError(RuleError):
    """An invalid value at the path ``where``; ``changed`` if the file was edited or damaged."""

    def __init__(
        self, code: str, template: str, /, *, where: str, changed: bool = False, **params: Any
    ) -> None:
        super().__init__(code, template, **params)
        self.where = where
        self.changed = changed

    @classmethod
    def of(cls, refusal: RuleError, where: str) -> "InvalidFileError":
        """Return a refusal by the rules of a game as the error of the value at this path."""
        if refusal.question is not None:  # the name of the value inside
            where = f"{where}.{refusal.question}"
        return cls(refusal.code, refusal.template, where=where, changed=False, **refusal.params)


def wrong(where: str, template: str, **params: Any) -> InvalidFileError:
    """Return the error of a value that does not fit its schema."""
    return InvalidFileError("schema", template, where=where, **params)


def _check_time(moment: datetime, where: str, latest: datetime) -> None:
    if not _EARLIEST <= moment <= latest:
        template = gettext_noop("%(moment)s cannot be: it is before 1900 or in the future.")
        raise wrong(where, template, moment=moment.isoformat())


class Schema:
    """Base class of schemas: a value is in the file as the site stores it, unless overridden."""

    def dump(self, value: Any, numbers: Numbers) -> Any:
        return value

    def load(self, value: Any, keys: Keys) -> Any:
        return value

    def check(self, value: Any, where: str, counts: Counts) -> None:
        raise NotImplementedError


# Single values ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Integer(Schema):
    """A whole number from *least* to *most*."""

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
    """A text of *least* to *most* characters that matches the pattern *like*, if that is given."""

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
            of = ", ".join(f"“{text}”" for text in self.of)
            raise wrong(where, gettext_noop("here should be one of %(of)s."), of=of)


@dataclass(frozen=True)
class Moment(Schema):
    """A time in UTC, to the microsecond; if *planned*, it may be up to a day ahead.

    The site stores a datetime, or with *as_text* the same text as the file.
    """

    TIME_FORMAT: ClassVar[str] = "%Y-%m-%dT%H:%M:%S.%fZ"
    planned: bool = False
    as_text: bool = False

    def dump(self, value: Any, numbers: Numbers) -> Any:
        return value if self.as_text else value.astimezone(UTC).strftime(self.TIME_FORMAT)

    def load(self, value: str, keys: Keys) -> Any:
        if self.as_text:
            return value
        return datetime.strptime(value, self.TIME_FORMAT).replace(tzinfo=UTC)

    def check(self, value: Any, where: str, counts: Counts) -> None:
        moment = None
        with suppress(ValueError, TypeError, OverflowError):
            moment = Moment().load(value, {})  # a datetime, also where *as_text* stores a text
        if moment is None or Moment().dump(moment, {}) != value:
            text = gettext_noop("here should be a moment such as 2026-11-20T18:30:00.000000Z.")
            raise wrong(where, text)
        _check_time(moment, where, counts[NOW] + timedelta(days=1 if self.planned else 0))


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
        with suppress(ValueError, TypeError, AttributeError):
            if str(UUID(value)) == value:
                return
        raise wrong(where, gettext_noop("here should be a uid of 32 digits in five groups."))


@dataclass(frozen=True)
class Ref(Schema):
    """The number of a row in the list of its *kind*; with *gone*, ``null`` for a deleted row."""

    kind: str
    gone: bool = False

    def dump(self, value: int, numbers: Numbers) -> int | None:
        return numbers[self.kind].get(value) if self.gone else numbers[self.kind][value]

    def load(self, value: int | None, keys: Keys) -> int:
        return 0 if value is None else keys[self.kind][value]  # no row has the key 0

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


class AnyJson(Schema):
    """Data of a game: a JSON object without references to rows of the site."""

    def check(self, value: Any, where: str, counts: Counts) -> None:
        if not isinstance(value, dict):
            raise wrong(where, _NOT_NAMED)
        self._check_part(value, where, _DEEPEST)

    def _check_part(self, value: Any, where: str, levels: int) -> None:
        """Check a value that may be nested *levels* deep."""
        if not levels:
            raise wrong(where, gettext_noop("here should be something nested less deep."))
        match value:
            case None | bool():
                return
            case int():
                Integer(-_LARGE, _LARGE).check(value, where, {})
            case str():
                String(1000).check(value, where, {})
            case list():
                for index, part in enumerate(value):
                    self._check_part(part, f"{where}[{index}]", levels - 1)
            case dict():
                for name, part in value.items():
                    String(60).check(name, where, {})
                    self._check_part(part, f"{where}.{name}", levels - 1)
            case _:
                text = gettext_noop("here should be a whole number, text, a list or named values.")
                raise wrong(where, text)


# Values that hold others --------------------------------------------------------------------------


class Container(Schema):
    """A value whose parts have schemas of their own."""

    def dump(self, value: Any, numbers: Numbers) -> Any:
        return self.convert(value, lambda schema, part: schema.dump(part, numbers))

    def load(self, value: Any, keys: Keys) -> Any:
        return self.convert(value, lambda schema, part: schema.load(part, keys))

    def convert(self, value: Any, convert_part: Callable[[Schema, Any], Any]) -> Any:
        """Return the value with each part converted, given its schema, by *convert_part*."""
        raise NotImplementedError


@dataclass(frozen=True)
class Nullable(Container):
    of: Schema

    def convert(self, value: Any, convert_part: Callable[[Schema, Any], Any]) -> Any:
        return None if value is None else convert_part(self.of, value)

    def check(self, value: Any, where: str, counts: Counts) -> None:
        if value is not None:
            self.of.check(value, where, counts)


@dataclass(frozen=True)
class ListOf(Container):
    """A list of *least* to *most* parts, all with one schema."""

    of: Schema
    most: int = 5000
    least: int = 0

    def convert(self, value: Sequence[Any], convert_part: Callable[[Schema, Any], Any]) -> Any:
        return [convert_part(self.of, part) for part in value]

    def check(self, value: Any, where: str, counts: Counts) -> None:
        if not isinstance(value, list):
            raise wrong(where, gettext_noop("here should be a list."))
        if not self.least <= len(value) <= self.most:
            template = gettext_noop("%(count)d are not from %(least)d to %(most)d.")
            raise wrong(where, template, count=len(value), least=self.least, most=self.most)
        for index, part in enumerate(value):
            self.of.check(part, f"{where}[{index}]", counts)


@dataclass(frozen=True)
class TupleOf(Container):
    """A list of fixed length, with a schema for each of its parts."""

    of: tuple[Schema, ...]

    def convert(self, value: Sequence[Any], convert_part: Callable[[Schema, Any], Any]) -> Any:
        return list(map(convert_part, self.of, value))

    def check(self, value: Any, where: str, counts: Counts) -> None:
        if not isinstance(value, list) or len(value) != len(self.of):
            template = gettext_noop("here should be a list of %(count)d.")
            raise wrong(where, template, count=len(self.of))
        for index, (schema, part) in enumerate(zip(self.of, value, strict=True)):
            schema.check(part, f"{where}[{index}]", counts)


@dataclass(frozen=True)
class Object(Container):
    """A JSON object with all values in *of*, and optionally those in *optional*.

    If *empty*, it may also be ``{}``. A ``Ref`` inside it may refer to a row in one of its lists.
    """

    of: Mapping[str, Schema]
    optional: Mapping[str, Schema] = field(default_factory=dict)
    empty: bool = False

    def convert(self, value: Mapping[str, Any], convert_part: Callable[[Schema, Any], Any]) -> Any:
        fields = {**self.of, **self.optional}
        return {name: convert_part(fields[name], value[name]) for name in fields if name in value}

    def check(self, value: Any, where: str, counts: Counts) -> None:
        if not isinstance(value, dict):
            raise wrong(where, _NOT_NAMED)
        if self.empty and not value:
            return
        fields = {**self.of, **self.optional}
        for name in value:
            if name not in fields:
                template = gettext_noop("nobody knows what “%(name)s” is.")
                raise wrong(where, template, name=name[:30])
        for name in self.of:
            if name not in value:
                raise wrong(where, gettext_noop("“%(name)s” is missing."), name=name)
        lists = {name: len(part) for name, part in value.items() if isinstance(part, list)}
        all_counts = {**counts, **lists}
        for name, schema in fields.items():
            if name in value:
                schema.check(value[name], f"{where}.{name}".lstrip("."), all_counts)


@dataclass(frozen=True)
class ByRef(Schema):
    """A JSON object of game data, keyed by numbers of rows as text; deleted rows are left out."""

    kind: str

    def dump(self, value: Mapping[str, Any], numbers: Numbers) -> Any:
        by_key = numbers[self.kind]
        return {str(by_key[int(key)]): data for key, data in value.items() if int(key) in by_key}

    def load(self, value: Mapping[str, Any], keys: Keys) -> Any:
        return {str(keys[self.kind][int(number)]): data for number, data in value.items()}

    def check(self, value: Any, where: str, counts: Counts) -> None:
        if not isinstance(value, dict):
            raise wrong(where, _NOT_NAMED)
        for number, data in value.items():
            # Written in one way only: no leading zeros, and too short to take long to convert.
            is_number = number.isascii() and number.isdigit() and str(int(number[:9])) == number
            index = int(number) if is_number else number  # ``Ref`` refuses a text
            Ref(self.kind).check(index, f"{where}.{number[:9]}", counts)
            AnyJson().check(data, f"{where}.{number}", counts)


class Sentence(Object):
    """A JSON object with a sentence: ``params`` fill the placeholders of its ``template``.

    A value in ``params`` may itself be a sentence.
    """

    FIELDS: ClassVar[Mapping[str, Schema]] = {"template": String(1000), "params": AnyJson()}

    def check(self, value: Any, where: str, counts: Counts) -> None:
        super().check(value, where, counts)
        template, params = value["template"], value["params"]
        # Every placeholder but ``who``, which pages fill, needs a value; for ``d`` a whole number.
        filled = all(
            name == "who" if name not in params else kind == "s" or type(params[name]) is int
            for name, kind in _PLACEHOLDER.findall(template)
        )
        # No other percent sign may be left, except those that are written twice.
        if not filled or "%" in _PLACEHOLDER.sub("", template).replace("%%", ""):
            raise wrong(where, gettext_noop("nothing fills the holes of this sentence."))
        for name, param in params.items():
            if isinstance(param, dict) and "template" in param:
                Sentence(self.FIELDS).check(param, f"{where}.params.{name}", counts)
