"""Reading of a document: the errors of pydantic become refusals with a place and a sentence."""

import re
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from games.errors import RuleError, gettext_noop
from tracker.tournament_files.logic.errors import InvalidFileError
from tracker.tournament_files.logic.fields import NOW
from tracker.tournament_files.logic.format import Document
from tracker.tournament_files.logic.packing import TOURNAMENT

_NAMED_VALUES = gettext_noop("here should be named values in braces.")
# What should be there instead, by the type of pydantic's error.
_SENTENCES = {
    "extra_forbidden": gettext_noop("nobody knows what this is."),
    "missing": gettext_noop("“%(name)s” is missing."),
    "int_type": gettext_noop("here should be a whole number."),
    "bool_type": gettext_noop("here should be true or false."),
    "string_type": gettext_noop("here should be text."),
    "list_type": gettext_noop("here should be a list."),
    "tuple_type": gettext_noop("here should be a list."),
    "dict_type": _NAMED_VALUES,
    "model_type": _NAMED_VALUES,
    "literal_error": gettext_noop("here should be one of %(expected)s."),
    "enum": gettext_noop("here should be one of %(expected)s."),
    "union_tag_invalid": gettext_noop("here should be one of %(expected_tags)s."),
    "union_tag_not_found": gettext_noop("%(discriminator)s is missing."),
    "greater_than_equal": gettext_noop("%(input)s is less than %(ge)s."),
    "less_than_equal": gettext_noop("%(input)s is more than %(le)s."),
    "string_too_short": gettext_noop("here should be a text."),
    "string_too_long": gettext_noop("here should be a text of at most %(max_length)s letters."),
    "too_short": gettext_noop("this list is too short: %(min_length)s are the fewest."),
    "too_long": gettext_noop("this list is too long: %(max_length)s are the most."),
    "datetime": gettext_noop("here should be a moment such as 2026-11-20T18:30:00.000000Z."),
    "uuid_type": gettext_noop("here should be a uid of 32 digits in five groups."),
    "uuid_parsing": gettext_noop("here should be a uid of 32 digits in five groups."),
}


def read_document(document: Any, now: datetime) -> Document:
    """Return the document with this JSON.

    :raises InvalidFileError: at the first invalid value.
    """
    try:
        return Document.model_validate(document, context={NOW: now})
    except ValidationError as error:
        raise as_refusal(error, document) from None


def as_refusal(error: ValidationError, document: Any) -> InvalidFileError:
    """Return the first error of a document as a refusal."""
    first = error.errors(include_url=False)[0]
    where, value = "", document
    for step in first["loc"]:
        # Neither the tag of a union, which pydantic adds, nor a missing name is in the document.
        if isinstance(value, dict) and step in value:
            where, value = f"{where}.{step}", value[step]
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            where, value = f"{where}[{step}]", value[step]
    params = first.get("ctx", {})
    cause = params.pop("error", None)
    inside = cause.where if isinstance(cause, InvalidFileError) else ""
    where = f"{where}{inside}".lstrip(".") or TOURNAMENT
    if isinstance(cause, RuleError):
        return InvalidFileError.of(cause, where)
    kind = "datetime" if first["type"].startswith(("datetime", "timezone")) else first["type"]
    words = {name: re.sub("'([^']*)'", r"“\1”", str(value)) for name, value in params.items()}
    words |= {"name": str(first["loc"][-1]), "input": str(first["input"])[:20].replace("\0", " ")}
    template = _SENTENCES.get(kind, gettext_noop("“%(input)s” cannot stand here."))
    return InvalidFileError("schema", template, where, changed=False, **words)
