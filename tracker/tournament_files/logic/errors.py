"""The error of an invalid value in a tournament file."""

from typing import Any

from games.errors import RuleError


class InvalidFileError(RuleError):
    """An invalid value at the path ``where``; ``changed`` if the file was edited or damaged.

    Its words follow the path, so they begin in lower case. A validator of pydantic raises it with
    the path within its value.
    """

    def __init__(
        self, code: str, template: str, where: str = "", /, *, changed: bool = False, **params: Any
    ) -> None:
        super().__init__(code, template, **params)
        self.where = where
        self.changed = changed

    @classmethod
    def of(cls, refusal: RuleError, where: str) -> "InvalidFileError":
        """Return a refusal by the rules of a game as the error of the value at this path."""
        if refusal.question is not None:  # the name of the value inside
            where = f"{where}.{refusal.question}"
        params: dict[str, Any] = dict(refusal.params)
        return cls(refusal.code, refusal.template, where, **params)
