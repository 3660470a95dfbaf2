"""Errors: what the rules refuse, in a form for programs, for people and for translators."""


def gettext_noop(message: str) -> str:
    """Mark *message* for the translators without importing Django."""
    return message


class RuleError(ValueError):
    """Something the rules of a game do not allow.

    ``code`` is for programs and never changes. ``template`` is for people: a
    caller that speaks another language translates it, then fills in ``params``.
    ``question`` and ``place`` say beside which answer the sentence belongs: the
    question's name, and the side or seat it was asked of.

    >>> error = RuleError("too-high", "%(points)d is more than %(most)d.", points=130, most=120)
    >>> error.code, str(error)
    ('too-high', '130 is more than 120.')
    """

    def __init__(
        self,
        code: str,
        template: str,
        /,
        *,
        question: str | None = None,
        place: int | None = None,
        **params: object,
    ) -> None:
        super().__init__(template % params)
        self.code = code
        self.template = template
        self.question = question
        self.place = place
        self.params = params


class SheetError(RuleError):
    """A score sheet that no finished hand could have produced."""


class OptionError(RuleError):
    """A house rule that the game does not know, or a value it cannot take."""


class ModeError(RuleError):
    """A way of sitting down that the game does not know under these house rules."""
