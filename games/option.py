"""Option: a house rule, and how it may be answered."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

OptionValue: TypeAlias = bool | int | str
Options: TypeAlias = Mapping[str, OptionValue]


class OptionKind(StrEnum):
    """How a house rule is answered."""

    FLAG = "flag"
    CHOICE = "choice"
    NUMBER = "number"


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A house rule: a plain question, with the rule book's answer as default.

    ``choices`` are ``(value, label)`` of a choice, or the least and the most of a number.
    """

    name: str
    label: str
    kind: OptionKind
    default: OptionValue
    choices: tuple[tuple[OptionValue, str], ...] = ()

    @property
    def values(self) -> tuple[OptionValue, ...]:
        """Return the answers; the least and the most stand for all numbers."""
        if self.kind is OptionKind.FLAG:
            return (True, False)
        return tuple(value for value, _ in self.choices)

    def takes(self, value: object) -> bool:
        """Say whether the house rule can be answered so."""
        if self.kind is OptionKind.NUMBER:
            least, most = map(int, self.values)
            return type(value) is int and least <= value <= most
        # ``True`` equals 1, and is not the answer 1.
        return any(value == known and type(value) is type(known) for known in self.values)

    def listed_values(self) -> str:
        """List the answers as a program writes them."""
        if self.kind is OptionKind.FLAG:
            return "true, false"
        between = "–" if self.kind is OptionKind.NUMBER else ", "
        return between.join(map(str, self.values))


def flag(name: str, label: str, *, default: bool = False) -> Option:
    """Return a house rule that is answered by yes or no."""
    return Option(name=name, label=label, kind=OptionKind.FLAG, default=default)


def choice(
    name: str, label: str, *, default: OptionValue, choices: tuple[tuple[OptionValue, str], ...]
) -> Option:
    """Return a house rule with a few answers, each a value and its label."""
    return Option(name=name, label=label, kind=OptionKind.CHOICE, default=default, choices=choices)


def number(name: str, label: str, *, default: int, least: int, most: int) -> Option:
    """Return a house rule that is answered by a whole number."""
    bounds = ((least, str(least)), (most, str(most)))
    return Option(name=name, label=label, kind=OptionKind.NUMBER, default=default, choices=bounds)
