"""The error of an invalid value in a tournament file."""

from typing import Any

from games.errors import RuleError


class InvalidFileError(RuleError):
    """An invalid value at the path ``where``; ``changed`` if the file was edited or damaged.

    Its words follow the path, so they begin in lower case.
    """

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


def wrong(template: str, inside: str = "", /, **params: Any) -> InvalidFileError:
    """Return the error that a validator raises; *inside* is the path within its value."""
    return InvalidFileError("schema", template, where=inside, **params)
