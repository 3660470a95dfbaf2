"""Shapes: what may stand at a place of the file, and how it is written, checked and read.

``dump`` writes a value of the site as JSON, ``check`` refuses JSON that is not of the shape, and
``load`` makes the site's value of what was checked. Rows are named by a ``Ref``, the number of
their place in a list of the file: ``numbers`` has them by kind and key, ``keys`` by kind and number.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from games.errors import gettext_noop
from tracker.tournament_files.logic.misfit import Misfit

Numbers = Mapping[str, Mapping[int, int]]
Keys = Mapping[str, Sequence[int]]
Counts = Mapping[str, int]
_SMALL, _LARGE = 2**15 - 1, 2**63 - 1
_DEEPEST = 8
_HOLE = re.compile(r"%\((\w+)\)([sd])")


def wrong(where: str, template: str, **params: object) -> Misfit:
    """Return the refusal of a value of another kind."""
    return Misfit("kind", template, where=where, **params)


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


class Moment(Shape):
    """A moment in UTC, to the microsecond."""

    FORM = "%Y-%m-%dT%H:%M:%S.%fZ"

    def dump(self, value: datetime, numbers: Numbers) -> str:
        return value.astimezone(UTC).strftime(self.FORM)

    def load(self, value: str, keys: Keys) -> datetime:
        return datetime.strptime(value, self.FORM).replace(tzinfo=UTC)

    def check(self, value: Any, where: str, counts: Counts) -> None:
        try:
            fits = self.dump(self.load(value, {}), {}) == value
        except (ValueError, TypeError, OverflowError):
            fits = False
        if not fits:
            raise wrong(
                where, gettext_noop("here should be a moment such as 2026-11-20T18:30:00.000000Z.")
            )


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


@dataclass(frozen=True)
class Many(Shape):
    of: Shape
    most: int = 5000
    least: int = 0

    def dump(self, value: Sequence[Any], numbers: Numbers) -> Any:
        return [self.of.dump(each, numbers) for each in value]

    def load(self, value: Any, keys: Keys) -> Any:
        return [self.of.load(each, keys) for each in value]

    def check(self, value: Any, where: str, counts: Counts) -> None:
        if not isinstance(value, list):
            raise wrong(where, gettext_noop("here should be a list."))
        if not self.least <= len(value) <= self.most:
            raise Misfit(
                "length",
                gettext_noop("%(count)d are not from %(least)d to %(most)d."),
                where=where,
                count=len(value),
                least=self.least,
                most=self.most,
            )
        for at, each in enumerate(value):
            self.of.check(each, f"{where}[{at}]", counts)


@dataclass(frozen=True)
class Row(Shape):
    """A list in which each place has a shape of its own."""

    of: tuple[Shape, ...]

    def dump(self, value: Sequence[Any], numbers: Numbers) -> Any:
        return [shape.dump(each, numbers) for shape, each in zip(self.of, value, strict=True)]

    def load(self, value: Any, keys: Keys) -> Any:
        return [shape.load(each, keys) for shape, each in zip(self.of, value, strict=True)]

    def check(self, value: Any, where: str, counts: Counts) -> None:
        if not isinstance(value, list) or len(value) != len(self.of):
            template = gettext_noop("here should be a list of %(count)d.")
            raise wrong(where, template, count=len(self.of))
        for at, (shape, each) in enumerate(zip(self.of, value, strict=True)):
            shape.check(each, f"{where}[{at}]", counts)


@dataclass(frozen=True)
class Record(Shape):
    """Named values: all of *of*, and those of *maybe* that there are; with *empty* also none."""

    of: Mapping[str, Shape]
    maybe: Mapping[str, Shape] = field(default_factory=dict)
    empty: bool = False

    def _each(self, value: Mapping[str, Any]) -> Mapping[str, Shape]:
        return {name: shape for name, shape in {**self.of, **self.maybe}.items() if name in value}

    def dump(self, value: Mapping[str, Any], numbers: Numbers) -> Any:
        return {name: shape.dump(value[name], numbers) for name, shape in self._each(value).items()}

    def load(self, value: Any, keys: Keys) -> Any:
        return {name: shape.load(value[name], keys) for name, shape in self._each(value).items()}

    def check(self, value: Any, where: str, counts: Counts) -> None:
        if not isinstance(value, dict):
            raise wrong(where, gettext_noop("here should be named values in braces."))
        if self.empty and not value:
            return
        for name in value:
            if name not in self.of and name not in self.maybe:
                template = gettext_noop("nobody knows what “%(name)s” is.")
                raise Misfit("unknown", template, where=where, name=name[:30])
        for name in self.of:
            if name not in value:
                template = gettext_noop("“%(name)s” is missing.")
                raise Misfit("missing", template, where=where, name=name)
        for name, shape in self._each(value).items():
            shape.check(value[name], f"{where}.{name}" if where else name, counts)


@dataclass(frozen=True)
class Scope(Record):
    """Named values whose lists are what a ``Ref`` within them speaks of."""

    def check(self, value: Any, where: str, counts: Counts) -> None:
        lists = value.items() if isinstance(value, dict) else ()
        here = {name: len(each) for name, each in lists if isinstance(each, list)}
        super().check(value, where, {**counts, **here})


@dataclass(frozen=True)
class ByRef(Shape):
    """Values by the row they are of, whose number is written as text."""

    kind: str
    of: Shape

    def dump(self, value: Mapping[str, Any], numbers: Numbers) -> Any:
        known = numbers[self.kind]
        there = {known[int(key)]: each for key, each in value.items() if int(key) in known}
        return {str(number): self.of.dump(each, numbers) for number, each in there.items()}

    def load(self, value: Mapping[str, Any], keys: Keys) -> Any:
        known = keys[self.kind]
        return {str(known[int(number)]): self.of.load(each, keys) for number, each in value.items()}

    def check(self, value: Any, where: str, counts: Counts) -> None:
        if not isinstance(value, dict):
            raise wrong(where, gettext_noop("here should be named values in braces."))
        for number, each in value.items():
            whole = number.isascii() and number.isdigit() and str(int(number[:9])) == number
            Ref(self.kind).check(int(number) if whole else number, f"{where}.{number[:9]}", counts)
            self.of.check(each, f"{where}.{number}", counts)


@dataclass(frozen=True)
class Plain(Shape):
    """Whatever a game writes: names, whole numbers, texts, lists; no row of the site is named."""

    named: bool = True  # with names in braces at the top

    def dump(self, value: Any, numbers: Numbers) -> Any:
        if isinstance(value, Mapping):
            return {str(name): self.dump(each, numbers) for name, each in value.items()}
        if isinstance(value, list | tuple):
            return [self.dump(each, numbers) for each in value]
        return value

    def check(self, value: Any, where: str, counts: Counts) -> None:
        if self.named and not isinstance(value, dict):
            raise wrong(where, gettext_noop("here should be named values in braces."))
        self._check(value, where, _DEEPEST)

    def _check(self, value: Any, where: str, deeper: int) -> None:
        if not deeper:
            raise wrong(where, gettext_noop("here should be something nested less deep."))
        match value:
            case None | bool():
                return
            case int():
                Int(-_LARGE, _LARGE).check(value, where, {})
            case str():
                Text(1000).check(value, where, {})
            case list():
                for at, each in enumerate(value):
                    self._check(each, f"{where}[{at}]", deeper - 1)
            case dict():
                for name, each in value.items():
                    Text(60).check(name, where, {})
                    self._check(each, f"{where}.{name}", deeper - 1)
            case _:
                raise wrong(
                    where,
                    gettext_noop("here should be a whole number, text, a list or named values."),
                )


@dataclass(frozen=True)
class Sentence(Record):
    """A record with a sentence, ``template``, whose holes its ``params`` fill; and *who*, pages do."""

    WHO = frozenset({"who"})

    def check(self, value: Any, where: str, counts: Counts) -> None:
        super().check(value, where, counts)
        holes = _HOLE.findall(value["template"])
        rest = _HOLE.sub("", value["template"]).replace("%%", "")
        filled = all(
            name in self.WHO
            if name not in value["params"]
            else kind == "s" or type(value["params"][name]) is int
            for name, kind in holes
        )
        if not filled or "%" in rest:
            template = gettext_noop("nothing fills the holes of this sentence.")
            raise Misfit("holes", template, where=where)
        for name, each in value["params"].items():
            if isinstance(each, dict) and "template" in each:
                Sentence(SENTENCE).check(each, f"{where}.params.{name}", counts)


SENTENCE: Mapping[str, Shape] = {"template": Text(1000), "params": Plain()}


class Withheld(Shape):
    """Something that stays at the club: an empty list stands for it."""

    def dump(self, value: Any, numbers: Numbers) -> Any:
        return []

    def check(self, value: Any, where: str, counts: Counts) -> None:
        if value != []:
            raise wrong(where, gettext_noop("here should be an empty list."))


class IsoMoment(Shape):
    """A moment as a clock writes it, kept letter by letter."""

    def check(self, value: Any, where: str, counts: Counts) -> None:
        try:
            fits = datetime.fromisoformat(value).utcoffset() is not None
        except (ValueError, TypeError):
            fits = False
        if not fits:
            raise wrong(where, gettext_noop("here should be a moment with its time zone."))
