"""Shared form fields, the site's wording of Django's form errors, and refusals shown on forms."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth import password_validation
from django.core import validators
from django.forms.boundfield import BoundField
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy as _, ngettext, ngettext_lazy

from games.errors import RuleError
from tracker.common.errors import LinesRefused
from tracker.common.names import split_names

# The site's error messages, keyed by field class and by Django's code of the error.
_FIELD_ERRORS: dict[type[forms.Field], dict[str, Any]] = {
    forms.Field: {"required": _("Please fill this in.")},
    forms.IntegerField: {"invalid": _("Please write a whole number.")},
    forms.DateField: {"invalid": _("Please write a day, such as 2026-11-27.")},
    forms.TimeField: {"invalid": _("Please write a time, such as 19:30.")},
    forms.DateTimeField: {"invalid": _("Please write a day and a time, such as 2026-11-27 19:30.")},
    forms.ChoiceField: {"invalid_choice": _("Please choose one of these.")},
    forms.MultipleChoiceField: {
        "invalid_choice": _("One of these is not there any more. Please choose again."),
        "invalid_list": _("Please choose again."),
    },
    forms.ModelChoiceField: {"invalid_choice": _("Please choose one of these.")},
    forms.FileField: {
        "required": _("Please choose a file."),
        "invalid": _("No file arrived. Please choose it once more."),
        "missing": _("No file arrived. Please choose it once more."),
        "empty": _("There is nothing in this file."),
    },
}
# Phones begin names with a capital, and leave them as they are.
NAME_INPUT = {"autocapitalize": "words", "spellcheck": "false"}
_LONGEST_LIST = 15_000  # characters


class CountField(forms.IntegerField):
    """A whole number from 1 to *most*, typed on a phone's number pad."""

    def __init__(self, *, most: int, **kwargs: Any) -> None:
        digits = forms.NumberInput(attrs={"inputmode": "numeric"})
        super().__init__(min_value=1, max_value=most, widget=digits, **kwargs)


class NameField(forms.CharField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(widget=forms.TextInput(attrs=NAME_INPUT), **kwargs)


class NamesField(forms.CharField):
    """Names, one a line or separated by commas, cleaned to a list."""

    def __init__(self, *, rows: int, **kwargs: Any) -> None:
        lines = forms.Textarea(attrs={"rows": rows, **NAME_INPUT})
        super().__init__(widget=lines, max_length=_LONGEST_LIST, **kwargs)

    def clean(self, value: Any) -> list[str]:
        names = split_names(super().clean(value))
        if not names and self.required:
            raise forms.ValidationError(self.error_messages["required"], code="required")
        return names


class LinesField(NamesField):
    """Players or teams, one a line, cleaned to a list of the lines as typed."""

    def __init__(self, *, rows: int, **kwargs: Any) -> None:
        super().__init__(rows=rows, **{"required": False, "strip": False, **kwargs})

    def clean(self, value: Any) -> list[str]:
        text = forms.CharField.clean(self, value)  # not of NamesField, which splits lines at commas
        return text.splitlines() if text.strip() else []


class NewPeopleField(NamesField):
    """Optional names of players who are new to the club."""

    def __init__(self, **kwargs: Any) -> None:
        texts = {
            "label": _("New people"),
            "help_text": _("One name per line, or separated by commas."),
        }
        super().__init__(rows=2, required=False, **{**texts, **kwargs})


class _TapBoundField(BoundField):
    @property
    def chosen(self) -> set[str]:
        """Return the keys of the boxes to show ticked."""
        return set(map(str, self.value() or ()))


class TapField(forms.TypedMultipleChoiceField):
    """Checkboxes to tap, each with the key of a row as its value; cleaned to a list of keys."""

    bound_field_class = _TapBoundField

    def __init__(self, *, required: bool = False, **kwargs: Any) -> None:
        boxes = forms.CheckboxSelectMultiple()
        super().__init__(coerce=int, required=required, widget=boxes, **kwargs)


def replace_error_messages() -> None:
    """Give Django's fields and validators the site's messages; a form's own messages stay."""
    # Trap: forms that exist already keep Django's messages, so no form may be in this module.
    for field, texts in _FIELD_ERRORS.items():
        field.default_error_messages = {**field.default_error_messages, **texts}
    validators.MinValueValidator.message = _("At least %(limit_value)s, please.")
    validators.MaxValueValidator.message = _("At most %(limit_value)s, please.")
    validators.MaxLengthValidator.message = ngettext_lazy(
        "At most %(limit_value)d letter, please: here are %(show_value)d.",
        "At most %(limit_value)d letters, please: here are %(show_value)d.",
        "limit_value",
    )
    validators.ProhibitNullCharactersValidator.message = _(
        "There is a sign here that cannot be kept."
    )


class MinimumLengthValidator(password_validation.MinimumLengthValidator):
    def get_error_message(self) -> str:
        sentence = ngettext(
            "Too short: %(least)d letter or more, please.",
            "Too short: %(least)d letters or more, please.",
            self.min_length,
        )
        return sentence % {"least": self.min_length}


class CommonPasswordValidator(password_validation.CommonPasswordValidator):
    def get_error_message(self) -> str:
        return gettext("Too many people have this password. Please choose another.")


def refusal_text(error: RuleError) -> str:
    """Return the sentence of a refusal in the reader's language."""
    return gettext(error.template) % error.params


def add_refusal(form: forms.BaseForm, error: RuleError) -> None:
    """Show *error* at its field, or above the form if it has no such field."""
    field: Any = error.question if error.question in form.fields else None
    for refusal in error.lines if isinstance(error, LinesRefused) else [error]:
        form.add_error(field, forms.ValidationError(refusal_text(refusal), code=refusal.code))


@contextmanager
def refusals_on(form: forms.BaseForm) -> Iterator[None]:
    """Catch a refusal in the block, and add it to *form*."""
    try:
        yield
    except RuleError as error:
        add_refusal(form, error)


@contextmanager
def refusals_as_messages(request: HttpRequest, level: int = messages.ERROR) -> Iterator[None]:
    """Catch a refusal in the block, and show it as a message of this *level* on the next page."""
    try:
        yield
    except RuleError as error:
        messages.add_message(request, level, refusal_text(error))
