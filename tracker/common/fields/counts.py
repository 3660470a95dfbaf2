"""How many hands, rounds or minutes, or whose turn it is: typed on a phone's keys for digits."""

from typing import Any

from django import forms


class CountField(forms.IntegerField):
    """A whole number from 1 to *most*."""

    def __init__(self, *, most: int, **kwargs: Any) -> None:
        keys = forms.NumberInput(attrs={"inputmode": "numeric"})
        super().__init__(min_value=1, max_value=most, widget=keys, **kwargs)
