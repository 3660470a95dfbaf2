"""What forms say by themselves where something is amiss, in the site's own words."""

from typing import Any

from django import forms
from django.contrib.auth import password_validation
from django.core import validators
from django.utils.translation import gettext, ngettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _

_WORDS: dict[type[forms.Field], dict[str, Any]] = {
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


def say_it_in_our_words() -> None:
    """Give Django's fields and validators these sentences; those of a form's own stay."""
    for field, words in _WORDS.items():
        field.default_error_messages = {**field.default_error_messages, **words}
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


class LongEnough(password_validation.MinimumLengthValidator):
    def get_error_message(self) -> str:
        words = ngettext(
            "Too short: %(least)d letter or more, please.",
            "Too short: %(least)d letters or more, please.",
            self.min_length,
        )
        return words % {"least": self.min_length}


class NotCommon(password_validation.CommonPasswordValidator):
    def get_error_message(self) -> str:
        return gettext("Too many people have this password. Please choose another.")
