"""Reading of a document: the errors of pydantic become refusals with a place and a sentence."""

import re
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from games.errors import RuleError
from tracker.tournament_files.logic.errors import SENTENCES, InvalidFileError
from tracker.tournament_files.logic.fields import NOW
from tracker.tournament_files.logic.format import Document
from tracker.tournament_files.logic.packing import TOURNAMENT


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
    kind = params.get("pattern", kind)
    code = kind if kind in SENTENCES else "otherwise"
    return InvalidFileError(code, where, changed=False, **words)
