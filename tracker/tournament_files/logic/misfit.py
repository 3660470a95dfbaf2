"""Misfits: the first invalid value in a file, with the path to it."""

from typing import Any

from games.errors import RuleError


class Misfit(RuleError):
    """Something in a file that cannot be so; ``where`` is the way to it, as ``people[3].name``.

    With ``changed`` the file is not what was written: somebody changed it, or it was damaged.
    """

    def __init__(
        self, code: str, template: str, /, *, where: str, changed: bool = False, **params: Any
    ) -> None:
        super().__init__(code, template, **params)
        self.where = where
        self.changed = changed

    @classmethod
    def of(cls, refusal: RuleError, where: str) -> "Misfit":
        """Return what the rules refused, with its place in the file."""
        answer = "" if refusal.question is None else f".{refusal.question}"
        misfit = cls("refused", "", where=f"{where}{answer}")
        misfit.args = refusal.args
        misfit.code, misfit.template, misfit.params = refusal.code, refusal.template, refusal.params
        return misfit
