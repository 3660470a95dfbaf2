"""Seats put right: two who change, or one who takes over."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tracker.seating.queries.seats import SeatNow


class ExchangeForm(forms.Form):
    """Two people who sat down the other way round: both are tapped."""

    seats = forms.TypedMultipleChoiceField(
        label=_("Tap the two"),
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Tap the two who change seats.")},
    )

    def __init__(self, *args: Any, seats: Sequence[SeatNow], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tables = by_table(seats)[1:]
        self.fields["seats"].choices = self.tables  # type: ignore[attr-defined]

    def clean_seats(self) -> tuple[int, int]:
        tapped = self.cleaned_data["seats"]
        if len(tapped) != 2:
            raise forms.ValidationError(gettext("Tap the two who change seats."), code="seats-two")
        return tapped[0], tapped[1]

    @property
    def chosen(self) -> set[str]:
        """Return who is tapped, as the page must show it again."""
        return set(map(str, self["seats"].value() or ()))


class SubstituteForm(forms.Form):
    """Somebody who takes over a seat from the coming hand on."""

    seat = forms.TypedChoiceField(label=_("Who leaves"), coerce=int)
    player = forms.TypedChoiceField(label=_("Who takes over"), coerce=int)

    def __init__(
        self,
        *args: Any,
        seats: Sequence[SeatNow],
        free: Sequence[tuple[int, str]],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["seat"].choices = by_table(seats)  # type: ignore[attr-defined]
        self.fields["player"].choices = [("", "–"), *free]  # type: ignore[attr-defined]


def by_table(seats: Sequence[SeatNow]) -> list[Any]:
    """Return the people of a round to choose from, table by table."""
    groups: dict[int, list[tuple[int, str]]] = {}
    for seat in seats:
        groups.setdefault(seat.table, []).append((seat.seat_id, seat.name))
    return [
        ("", "–"),
        *(
            (gettext("Table %(number)d") % {"number": table}, people)
            for table, people in groups.items()
        ),
    ]
