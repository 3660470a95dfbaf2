"""Where something is amiss every form says it in the site's words, and none in Django's."""

from typing import Any

import pytest
from django import forms
from django.conf import settings
from django.contrib.auth.password_validation import get_password_validators
from django.core.exceptions import ValidationError

PLAIN: dict[str, tuple[forms.Field, dict[Any, str]]] = {
    "text": (
        forms.CharField(max_length=3),
        {"": "Please fill this in.", "abcd": "At most 3 letters, please: here are 4."},
    ),
    "number": (
        forms.IntegerField(min_value=2, max_value=9),
        {
            "x": "Please write a whole number.",
            "1": "At least 2, please.",
            "10": "At most 9, please.",
        },
    ),
    "choice": (forms.ChoiceField(choices=[("a", "A")]), {"b": "Please choose one of these."}),
    "day": (forms.DateField(), {"x": "Please write a day, such as 2026-11-27."}),
    "file": (forms.FileField(), {None: "Please choose a file."}),
}


@pytest.mark.parametrize("kind", PLAIN)
def test_a_field_that_says_nothing_of_its_own_speaks_our_words(kind: str) -> None:
    field, said = PLAIN[kind]

    for answer, sentence in said.items():
        with pytest.raises(ValidationError) as refusal:
            field.clean(answer)
        assert refusal.value.messages == [sentence]


def test_passwords_too() -> None:
    said = [
        validator.get_error_message()  # type: ignore[attr-defined]  # of Django 5.2
        for validator in get_password_validators(settings.AUTH_PASSWORD_VALIDATORS)
    ]

    assert said == [
        "Too short: 8 letters or more, please.",
        "Too many people have this password. Please choose another.",
    ]
