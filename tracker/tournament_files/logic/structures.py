# ruff: noqa: ARG002 - every shape is asked in the same words
"""Structures: shapes of lists and of named values, and of what the games write."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from games.errors import gettext_noop
from tracker.tournament_files.logic.misfit import Misfit
from tracker.tournament_files.logic.shapes import (
    Counts,
    Int,
    Keys,
    Numbers,
    Ref,
    Shape,
    Text,
    wrong,
)

_LARGE = 2**63 - 1
_DEEPEST = 8
_HOLE = re.compile(r"%\((\w+)\)([sd])")


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
    """Data that stays at the club: the file has an empty list for it."""

    def dump(self, value: Any, numbers: Numbers) -> Any:
        return []

    def check(self, value: Any, where: str, counts: Counts) -> None:
        if value != []:
            raise wrong(where, gettext_noop("here should be an empty list."))
