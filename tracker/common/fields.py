"""Form fields of our own: a count, a name, many names, people to be tapped, as it is done on a phone."""

from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext_lazy as _

from tracker.common.names import split_names

# Phones begin names with a capital, and leave them as they are.
AS_TYPED = {"autocapitalize": "words", "spellcheck": "false"}
_LONGEST_LIST = 15_000


class CountField(forms.IntegerField):
    """A whole number from 1 to *most*, typed on a phone's keys for digits."""

    def __init__(self, *, most: int, **kwargs: Any) -> None:
        keys = forms.NumberInput(attrs={"inputmode": "numeric"})
        super().__init__(min_value=1, max_value=most, widget=keys, **kwargs)


class NameField(forms.CharField):
    """One name."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(widget=forms.TextInput(attrs=AS_TYPED), **kwargs)


class NamesField(forms.CharField):
    """Names, one a line or with commas between; gives them as a list."""

    def __init__(self, *, rows: int, **kwargs: Any) -> None:
        lines = forms.Textarea(attrs={"rows": rows, **AS_TYPED})
        super().__init__(widget=lines, max_length=_LONGEST_LIST, **kwargs)

    def clean(self, value: Any) -> list[str]:
        names = split_names(super().clean(value))
        if not names and self.required:
            raise forms.ValidationError(self.error_messages["required"], code="required")
        return names


class LinesField(NamesField):
    """Who plays, a player or a team a line; gives the lines as they were written."""

    def __init__(self, *, rows: int, **kwargs: Any) -> None:
        super().__init__(rows=rows, **{"required": False, "strip": False, **kwargs})

    def clean(self, value: Any) -> list[str]:
        text = forms.CharField.clean(self, value)
        return text.splitlines() if text.strip() else []


class NewPeopleField(NamesField):
    """Optional field for the names of players who are new to the club."""

    def __init__(self, **kwargs: Any) -> None:
        asked = {
            "label": _("New people"),
            "help_text": _("One name per line, or separated by commas."),
        }
        super().__init__(rows=2, required=False, **{**asked, **kwargs})


class _Tapped(BoundField):
    @property
    def chosen(self) -> set[str]:
        """Return what is tapped, as the page must show it again."""
        return set(map(str, self.value() or ()))


class TapField(forms.TypedMultipleChoiceField):
    """Any number of things that are tapped, each known by its key."""

    bound_field_class = _Tapped

    def __init__(self, *, required: bool = False, **kwargs: Any) -> None:
        boxes = forms.CheckboxSelectMultiple()
        super().__init__(coerce=int, required=required, widget=boxes, **kwargs)
