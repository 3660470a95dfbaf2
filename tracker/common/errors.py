"""Refusals: errors that people can correct, raised by services and shown on forms."""

from collections.abc import Sequence
from typing import Any

from games.errors import RuleError


class Refused(RuleError):
    """An action that is not possible now: ``code``, ``template`` and ``params`` say why.

    ``question`` is the name of the form field at which it is shown. It may be raised only before
    anything is stored, or in a transaction, which is rolled back then.
    """


class LinesRefused(Refused):
    """Refusals of several lines of a list: ``lines``. Code and sentence are those of the first."""

    def __init__(self, lines: Sequence[Refused], *, question: str) -> None:
        first: Any = lines[0]
        super().__init__(first.code, first.template, question=question, **first.params)
        self.lines = tuple(lines)
