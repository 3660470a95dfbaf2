"""Refusals: errors that people can correct, raised by services and shown on forms."""

from collections.abc import Sequence
from typing import Any

from games.errors import RuleError


class Refused(RuleError):
    """An action that is not possible now: ``question`` is its form field. Nothing was stored."""


class LinesRefused(Refused):
    """Refusals of several lines of a list, which are in ``lines``; it says what the first says."""

    def __init__(self, lines: Sequence[Refused], *, question: str) -> None:
        first: Any = lines[0]
        super().__init__(first.code, first.template, question=question, **first.params)
        self.lines = tuple(lines)
