"""What is asked about seats: a card's code, the coming round, who changes seats, promises."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.game import AnyGame
from games.mode import Mode
from tracker.common.fields import CountField, NamesField
from tracker.models import Format, Table, Tournament, WishKind
from tracker.seating.logic.movements.catalogue import IN_ORDER, MOVEMENTS
from tracker.seating.queries.next_round import Proposed
from tracker.seating.queries.seats import SeatNow
from tracker.seating.queries.tables import table_of_code
from tracker.seating.services.wishes import HIGHEST_TABLE

_PREFIX = "place_"


class CodeForm(forms.Form):
    """Find a table by the code printed on its card."""

    code = forms.CharField(
        label=_("Table code"),
        help_text=_("The four characters on the table's card; capitals do not matter."),
        max_length=12,
        widget=forms.TextInput(
            attrs={
                "autocomplete": "off",
                "autocapitalize": "characters",
                "spellcheck": "false",
                "size": 6,
            }
        ),
    )

    table: Table | None = None

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"]
        self.table = table_of_code(code)
        if self.table is None:
            raise forms.ValidationError(
                _("No table has the code %(code)s. Look at its card again."),
                code="code-unknown",
                params={"code": code.upper()},
            )
        return code


class RoundForm(forms.Form):
    """Everybody's number in the order of the seats; empty is not here."""

    mode = forms.ChoiceField(label=_("How do people sit?"))
    length = CountField(most=Tournament.LONGEST_ROUND)
    minutes = CountField(
        label=_("How many minutes?"),
        help_text=_(
            "The clock starts with the round. Empty: no clock, or one that you start later."
        ),
        required=False,
        most=Tournament.MOST_MINUTES,
    )
    movement = forms.ChoiceField(
        label=_("Who sits where?"),
        choices=[(key, _(named.label)) for key, named in MOVEMENTS.items()],
        required=False,
    )
    everybody = forms.ChoiceField(
        label=_("Who is left over"),
        choices=[
            ("", _("rests, each in turn")),
            ("yes", _("sits at an odd-sized table")),
        ],
        required=False,
    )
    more = forms.TypedMultipleChoiceField(
        coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )
    names = NamesField(
        label=_("New people"),
        help_text=_("One name a line, or with commas between."),
        required=False,
        rows=2,
    )

    def __init__(
        self,
        *args: Any,
        tournament: Tournament,
        modes: Sequence[Mode],
        proposed: Sequence[Proposed],
        others: Sequence[tuple[int, str]],
        here: Sequence[int] = (),
        everybody: bool = False,
        **kwargs: Any,
    ) -> None:
        kwargs["initial"] = {
            "mode": tournament.mode,
            "length": tournament.games or tournament.hands or tournament.rules.usual_length,
            "minutes": tournament.minutes,
            "movement": IN_ORDER,
            "everybody": "yes" if everybody else "",
        }
        super().__init__(*args, **kwargs)
        self.proposed, self.others = proposed, others
        self.fields["mode"].choices = [  # type: ignore[attr-defined]
            (mode.code, gettext(mode.name)) for mode in modes
        ]
        self._speak_of(tournament.rules)
        self._ask_who_else(tournament, here)
        for row in proposed:
            self.fields[_PREFIX + str(row.entrant)] = CountField(
                label=row.name, required=False, most=999, initial=row.number
            )

    def _speak_of(self, rules: AnyGame) -> None:
        """Say what a round is counted in, and what odd-sized tables mean in this game."""
        many = gettext("games") if rules.round_in_games else gettext(rules.unit.many)
        self.fields["length"].label = gettext("How many %(units)s?") % {"units": many}
        self.fields["everybody"].help_text = (
            gettext("Such tables are compared by how much of the table everybody beat.")
            if rules.across
            else gettext(
                "Careful: at a larger table a hand pays everybody less often, and no sum makes up"
                " for it. Whoever rests is credited with their own average instead."
            )
        )

    def _ask_who_else(self, tournament: Tournament, here: Sequence[int]) -> None:
        """Offer who of the club is not in the tournament yet: teams, or players and new names."""
        more = self.fields["more"]
        more.choices = self.others  # type: ignore[attr-defined]
        if tournament.format == Format.TEAMS:
            more.label = gettext("Teams of the club")
            del self.fields["names"]
        else:  # who came in since the last round plays in this
            more.label = gettext("Players of the club")
            more.initial = [player for player, _name in self.others if player in here]

    def clean_movement(self) -> str:
        return self.cleaned_data["movement"] or IN_ORDER

    def clean_everybody(self) -> bool:
        return bool(self.cleaned_data["everybody"])

    @property
    def places(self) -> list[tuple[Proposed, BoundField]]:
        """Return everybody with the field of their number."""
        return [(row, self[_PREFIX + str(row.entrant)]) for row in self.proposed]

    @property
    def order(self) -> list[int]:
        """Return the entrants who are here, by their numbers; equal ones as they were listed."""
        numbers = [
            (self.cleaned_data[_PREFIX + str(row.entrant)], position, row.entrant)
            for position, row in enumerate(self.proposed)
        ]
        return [
            entrant
            for number, _at, entrant in sorted(
                (number, position, entrant)
                for number, position, entrant in numbers
                if number is not None
            )
        ]

    @property
    def chosen(self) -> set[str]:
        """Return who is tapped, as the page must show it again."""
        return set(map(str, self["more"].value() or ()))


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


class KeepTableForm(forms.Form):
    """Somebody who always sits at one table."""

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
            (WishKind.NOT_PARTNERS, _("never partners; at one table they may be")),
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
