"""Forms about seats: the code on a card, a substitute, seating requests."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tracker.common.fields import CountField
from tracker.models import WishKind
from tracker.seating.queries.seats import SeatNow
from tracker.seating.services.wishes import HIGHEST_TABLE


class CodeForm(forms.Form):
    """The code printed on a table's card."""

    code = forms.CharField(
        label=_("Table code"),
        help_text=_("It is on the card. Capitals and spaces do not matter."),
        max_length=12,
        widget=forms.TextInput(
            attrs={
                "autocomplete": "off",
                "autocapitalize": "characters",
                "spellcheck": "false",
                "size": 8,
            }
        ),
    )

    def clean_code(self) -> str:
        """Return the code as it is stored: in capitals, without spaces."""
        return "".join(self.cleaned_data["code"].split()).upper()

    def refuse(self, *, replaced: bool) -> None:
        """Say beside the field that no table has this code, or no more."""
        self.add_error(
            "code",
            forms.ValidationError(
                _("This card was replaced. Ask the organiser for the new one.")
                if replaced
                else _("No table has the code %(code)s. Check the card again."),
                code="code-replaced" if replaced else "code-unknown",
                params={"code": self.data["code"].strip().upper()},
            ),
        )


class SubstituteForm(forms.Form):
    """Substitution of a player from the coming hand on."""

    seat = forms.TypedChoiceField(label=_("Who leaves"), coerce=int)
    player = forms.TypedChoiceField(label=_("Who plays instead"), coerce=int)

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


class KeepTableForm(forms.Form):
    """A player who always sits at one table."""

    player = forms.TypedChoiceField(label=_("Who"), coerce=int)
    table = CountField(label=_("Which table?"), most=HIGHEST_TABLE)

    def __init__(self, *args: Any, people: Sequence[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **{"prefix": "keeps", **kwargs})
        self.fields["player"].choices = [("", "–"), *people]  # type: ignore[attr-defined]


class KeepApartForm(forms.Form):
    """Two who are never partners, or never meet."""

    player = forms.TypedChoiceField(label=_("Who"), coerce=int)
    other = forms.TypedChoiceField(label=_("and who"), coerce=int)
    kind = forms.TypedChoiceField(
        label=_("How far apart?"),
        choices=[
            (WishKind.NOT_MEET, _("never at one table")),
            (WishKind.NOT_PARTNERS, _("never partners, but the same table is fine")),
        ],
        coerce=WishKind,
        initial=WishKind.NOT_MEET,
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, people: Sequence[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **{"prefix": "apart", **kwargs})
        for name in ("player", "other"):
            self.fields[name].choices = [("", "–"), *people]  # type: ignore[attr-defined]


def by_table(seats: Sequence[SeatNow]) -> list[Any]:
    """Return the people of a round to choose from, table by table."""
    groups = groupby(seats, key=lambda here: here.seat.sitting.number)
    return [("", "–")] + [
        (
            gettext("Table %(number)d") % {"number": table},
            [(here.seat.pk, here.called) for here in people],
        )
        for table, people in groups
    ]
