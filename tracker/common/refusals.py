"""A refusal, in the reader's language: beside the field it is about, or on the next page."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext

from games.errors import RuleError
from tracker.common.errors import LinesRefused


def sentence(error: RuleError) -> str:
    return gettext(error.template) % error.params


def refuse(form: forms.BaseForm, error: RuleError) -> None:
    """Put *error* beside its field, or above the form if the form does not ask for it."""
    field: Any = error.question if error.question in form.fields else None
    for each in error.lines if isinstance(error, LinesRefused) else [error]:
        form.add_error(field, forms.ValidationError(sentence(each), code=each.code))


@contextmanager
def refusing(form: forms.BaseForm) -> Iterator[None]:
    """Put what is refused in the block on *form*, as ``refuse`` does, and go on below it."""
    try:
        yield
    except RuleError as error:
        refuse(form, error)


@contextmanager
def telling_refusal(request: HttpRequest) -> Iterator[None]:
    """Tell on the next page what is refused in the block, and go on below it."""
    try:
        yield
    except RuleError as error:
        messages.error(request, sentence(error))
