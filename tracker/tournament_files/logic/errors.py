"""The error of an invalid value in a tournament file, and all its sentences."""

from typing import Any

from games.errors import RuleError, gettext_noop as _

# Patterns of texts, as the published schema has them.
FRACTION = r"^-?[0-9]{1,25}(/[1-9][0-9]{0,24})?$"
TABLE_NUMBER = r"^(0|[1-9][0-9]{0,2})$"
NO_NUL = r"^[^\u0000]*$"
_NAMED_VALUES = _("here should be named values in braces.")
_LIST, _UID = _("here should be a list."), _("here should be a uid of 32 digits in five groups.")
# By code. They follow the path of a value, so they begin in lower case.
SENTENCES = {
    # The file
    "file-large": _("it is larger than %(most)d megabytes."),
    "file-kind": _("this is not the file of a tournament."),
    "file-broken": _("this is not the file of a tournament, or it is not whole."),
    "file-damaged": _("it is damaged. Take the file anew from where it was exported."),
    "file-members": _("in it should be two files, and there are: %(names)s."),
    "file-packing": _("another program packed it. Take the file as it was exported."),
    "file-changed": _("this is not what was written here."),
    "file-version": _(
        "this is version %(version)s, and only those up to %(known)d are known here. A newer Kula"
        " may read it."
    ),
    "version": _("here should be the version of the format, a whole number from 1 to %(known)d."),
    "json": _("it cannot be read, at letter %(at)d."),
    "json-values": _("it cannot be read: numbers or lists that nobody could hold."),
    "json-extent": _("it holds more than the file of a tournament can."),
    "key-twice": _("“%(key)s” is written twice."),
    # Single values: errors of pydantic
    "extra_forbidden": _("nobody knows what this is."),
    "missing": _("“%(name)s” is missing."),
    "int_type": _("here should be a whole number."),
    "bool_type": _("here should be true or false."),
    "string_type": _("here should be text."),
    "string_too_short": _("here should be a text."),
    "string_too_long": _("here should be a text of at most %(max_length)s letters."),
    "list_type": _LIST,
    "tuple_type": _LIST,
    "too_short": _("this list is too short: %(min_length)s are the fewest."),
    "too_long": _("this list is too long: %(max_length)s are the most."),
    "dict_type": _NAMED_VALUES,
    "model_type": _NAMED_VALUES,
    "model_attributes_type": _NAMED_VALUES,
    "literal_error": _("here should be one of %(expected)s."),
    "enum": _("here should be one of %(expected)s."),
    "union_tag_invalid": _("here should be one of %(expected_tags)s."),
    "union_tag_not_found": _("%(discriminator)s is missing."),
    "greater_than_equal": _("%(input)s is less than %(ge)s."),
    "less_than_equal": _("%(input)s is more than %(le)s."),
    "datetime": _("here should be a moment such as 2026-11-20T18:30:00.000000Z."),
    "uuid_type": _UID,
    "uuid_parsing": _UID,
    # By pattern
    FRACTION: _("here should be a number as text, such as “7”, “-3” or “15/2”."),
    TABLE_NUMBER: _("here should be a number of up to three digits as text, such as “12”."),
    NO_NUL: _("a text cannot have the character NUL."),
    "otherwise": _("“%(input)s” cannot stand here."),
    # Single values: errors of our own
    "names": _("%(most)d names in braces are the most."),
    "moment": _("%(moment)s cannot be: it is before 1900 or in the future."),
    "ref": _("this is none of the %(count)d %(kind)s in the file."),
    "data": _(
        "here should be a whole number of eight bytes, a text of up to 1000 letters, a list or"
        " named values, none nested more than 8 levels deep."
    ),
    "sentence": _("nothing fills the holes of this sentence."),
    "name": _("“%(name)s” is no name."),
    # What cannot be together
    "name-twice": _("two are called “%(name)s”."),
    "roster": _("somebody is in this team twice."),
    "game": _("nobody plays “%(game)s” here."),
    "tie-break": _("“%(key)s” breaks no tie of this game."),
    "follows": _("a stage follows one that stands before it."),
    "rows": _("%(rows)d seats, reports, hands and acts: %(most)d are the most."),
    "units": _("so many do not sit at such a table."),
    "place": _("there is no such place at this table."),
    "place-free": _("somebody has to sit at every place."),
    "hand-number": _("the hands of a table are numbered from 1."),
    "dealer": _("of this game it is always known who dealt."),
    "differs": _("here stands %(kept)s, and the sheets make it %(counted)s."),
    "refused": _("no tournament here can have this (%(name)s)."),
}


class InvalidFileError(RuleError):
    """An invalid value at the path ``where``; ``changed`` if the file was edited or damaged.

    A validator of pydantic raises it with the path within its value.
    """

    def __init__(
        self,
        code: str,
        where: str = "",
        /,
        *,
        template: str = "",
        changed: bool = False,
        **params: Any,
    ) -> None:
        super().__init__(code, template or SENTENCES[code], **params)
        self.where = where
        self.changed = changed

    @classmethod
    def of(cls, refusal: RuleError, where: str) -> "InvalidFileError":
        """Return a refusal by the rules of a game as the error of the value at this path."""
        if refusal.question is not None:  # the name of the value inside
            where = f"{where}.{refusal.question}"
        params: dict[str, Any] = dict(refusal.params)
        return cls(refusal.code, where, template=refusal.template, **params)
