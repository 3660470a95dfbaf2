"""What is asked before seats are changed for hands already played: who, and for how much."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tracker.common.fields import CountField, TapField
from tracker.models import Tournament
from tracker.seating.forms import by_table
from tracker.seating.queries.seats import SeatNow
from tracker.seating.services.mistakes import Reach

WHOLE, TOGETHER = "whole", "together"


class ExchangeForm(forms.Form):
    """Two people who sat down the other way round: both are tapped."""

    seats = TapField(label=_("Tap the two"))
    who = forms.ChoiceField(
        label=_("Who changes?"),
        choices=[
            (WHOLE, _("both seats, with whoever took over there")),
            (TOGETHER, _("only these two, for the hands both of them played")),
        ],
        initial=WHOLE,
        required=False,  # whoever looked at the swap before somebody took over was not asked
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, seats: Sequence[SeatNow], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tables = [
            (called, _by_side([seat for seat in seats if seat.seat_id in dict(people)]))
            for called, people in by_table(seats)[1:]
        ]
        self.fields["seats"].choices = by_table(seats)[1:]  # type: ignore[attr-defined]
        if not any(seat.shared for seat in seats):
            del self.fields["who"]

    def clean(self) -> None:
        """Refuse any but two; not beside the field, as its label asks for the same."""
        tapped = self.cleaned_data.get("seats")
        if tapped is not None and len(tapped) != 2:
            raise forms.ValidationError(_("Tap the two who change seats."), code="seats-two")

    @property
    def two(self) -> tuple[int, int]:
        first, second = self.cleaned_data["seats"]
        return first, second

    @property
    def only_together(self) -> bool:
        return self.cleaned_data.get("who") == TOGETHER


def _by_side(seats: Sequence[SeatNow]) -> list[tuple[str, list[SeatNow]]]:
    """Return the people of a table by their sides, partners together; alone, all of them."""
    sides: dict[str, list[SeatNow]] = {}
    for seat in seats:
        sides.setdefault(seat.letter, []).append(seat)
    return sorted(sides.items())


class ReplaceForm(forms.Form):
    """Somebody who was entered by mistake, and who it was."""

    wrong = forms.TypedChoiceField(label=_("Wrong name"), coerce=int)
    right = forms.TypedChoiceField(label=_("Who really played"), coerce=int)
    reach = forms.TypedChoiceField(
        label=_("For how much?"),
        choices=[
            (Reach.ROUND, _("this whole round")),
            (Reach.HANDS, _("this seat, from one hand on")),
            (Reach.TOURNAMENT, _("every round: the other was never here")),
        ],
        coerce=Reach,
        initial=Reach.ROUND,
        widget=forms.RadioSelect,
    )
    from_hand = CountField(
        label=_("From which hand on?"),
        most=Tournament.LONGEST_ROUND,
        required=False,
        help_text=_("Only if it is this seat from one hand on."),
    )

    def __init__(
        self,
        *args: Any,
        seats: Sequence[SeatNow],
        players: Sequence[tuple[int, str]],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["wrong"].choices = by_table(seats)  # type: ignore[attr-defined]
        self.fields["right"].choices = [("", "–"), *players]  # type: ignore[attr-defined]
