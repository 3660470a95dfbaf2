"""Names as people type them: phones begin them with a capital and leave them as they are."""

from typing import Any

from django import forms

from tracker.common.spelling import split_names

_AS_TYPED = {"autocapitalize": "words", "spellcheck": "false"}
_LONGEST_LIST = 15_000


class NameField(forms.CharField):
    """One name."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(widget=forms.TextInput(attrs=_AS_TYPED), **kwargs)


class NamesField(forms.CharField):
    """Names, one a line or with commas between; gives them as a list."""

    def __init__(self, *, rows: int, **kwargs: Any) -> None:
        written = forms.Textarea(attrs={"rows": rows, **_AS_TYPED})
        super().__init__(widget=written, max_length=_LONGEST_LIST, **kwargs)

    def clean(self, value: Any) -> list[str]:
        names = split_names(super().clean(value))
        if not names and self.required:
            raise forms.ValidationError(self.error_messages["required"], code="required")
        return names
