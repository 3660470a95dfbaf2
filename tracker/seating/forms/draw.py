"""What is asked about the coming round: who plays, by which movement, how long."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tracker.common.fields import CountField, LinesField, TapField
from tracker.models import Format, Movement, RankedBy, Tournament
from tracker.seating.logic.saved_draws import Settings
from tracker.seating.queries.coming_round import ComingRound, entrants_by_name
from tracker.seating.queries.movement_question import modes_of
from tracker.seating.queries.seats import waiting_players
from tracker.tournaments.forms.entrants import A_NAME_A_LINE, A_TEAM_A_LINE
from tracker.tournaments.queries.tournaments import newcomers
from tracker.tournaments.services.seating_terms import movements_for

_PREFIX = "place_"


class DrawForm(forms.Form):
    """The settings of a draw, and the entrants who may play in it.

    Where people sit in the order of their numbers, everybody has a field for a number;
    otherwise everybody is tapped who plays.
    """

    movement = forms.ChoiceField(label=_("Who sits where?"))
    mode = forms.ChoiceField(label=_("How do people sit?"))
    odd_tables = forms.ChoiceField(
        label=_("Whoever is left over"),
        choices=[
            ("", _("sits out, in turn")),
            ("yes", _("sits at an odd-sized table, in turn")),
        ],
        required=False,
    )
    length = CountField(most=Tournament.LONGEST_ROUND)
    minutes = CountField(
        label=_("How many minutes?"),
        help_text=_("The clock starts with the round. Leave empty to start one later, or none."),
        required=False,
        most=Tournament.MOST_MINUTES,
    )
    rounds = CountField(
        label=_("How many rounds to draw?"),
        help_text=_("Drawn ahead, rounds repeat less than one by one."),
        required=False,
        most=Tournament.MOST_ROUNDS,
    )
    playing = TapField(label=_("Who plays this round?"))
    more = TapField()
    names = LinesField(label=_("Who plays?"), rows=4)

    def __init__(
        self,
        *args: Any,
        coming: ComingRound,
        **kwargs: Any,
    ) -> None:
        """Start as the round was drawn, or as is usual."""
        tournament, settings, present = coming.tournament, coming.settings(), coming.present()
        here = waiting_players(coming.night)
        self.entrants, self.others = entrants_by_name(tournament), newcomers(tournament)
        kwargs["initial"] = {
            "movement": settings.movement,
            "mode": settings.mode,
            "odd_tables": "yes" if settings.odd_tables else "",
            "length": settings.length or tournament.rules.usual_length,
            "minutes": settings.minutes,
            "rounds": coming.rounds(settings.movement),
            "playing": present,
            "more": [player for player, _name in self.others if player in here],
        }
        super().__init__(*args, **kwargs)
        modes = [(mode.code, gettext(mode.name)) for mode in modes_of(tournament)]
        self._offer("mode", modes)
        movements = movements_for(tournament.format, of_two=tournament.table_mode.seats == 2)
        self._offer("movement", [(each.value, str(each.label)) for each in movements])
        self._offer("playing", self.entrants)
        self._offer("more", self.others)
        self._speak_of(tournament)
        self.by_number = settings.movement == Movement.IN_ORDER
        if self.by_number:
            del self.fields["playing"]
            number_of = {entrant: number for number, entrant in enumerate(present, start=1)}
            for entrant, name in self.entrants:
                self.fields[_PREFIX + str(entrant)] = CountField(
                    label=name, required=False, most=999, initial=number_of.get(entrant)
                )

    def _offer(self, field: str, choices: Sequence[tuple[Any, str]]) -> None:
        self.fields[field].choices = choices  # type: ignore[attr-defined]

    def _speak_of(self, tournament: Tournament) -> None:
        """Say what a round is counted in, who can be new, and what odd-sized tables mean."""
        rules = tournament.rules
        many = gettext("games") if rules.round_in_games else gettext(rules.unit.many)
        self.fields["length"].label = gettext("How many %(units)s?") % {"units": many}
        self.fields["odd_tables"].help_text = (
            gettext(
                "Careful: at a larger table everybody wins less often, and the standings do not make"
                " up for it."
            )
            if rules.across is None
            else gettext("Such tables are compared by the share of the table everybody beat.")
            if tournament.ranked_by == RankedBy.SHARE
            else gettext("Careful: larger tables give more points. Let the share decide instead.")
        )
        if tournament.format == Format.TEAMS:
            self.fields["more"].label = gettext("Teams of the club")
            self.fields["names"].help_text = A_TEAM_A_LINE
        else:
            self.fields["more"].label = gettext("Players of the club")
            self.fields["names"].help_text = A_NAME_A_LINE
        if self.entrants:
            self.fields["names"].label = gettext("Who is new?")

    @property
    def places(self) -> list[BoundField]:
        """Return the number fields of the entrants, in the order of the numbers."""
        fields = [self[_PREFIX + str(entrant)] for entrant, _name in self.entrants]
        return sorted(fields, key=lambda field: (field.initial is None, field.initial or 0))

    @property
    def settings(self) -> Settings:
        asked = self.cleaned_data
        return Settings(
            movement=asked["movement"],
            mode=asked["mode"],
            odd_tables=bool(asked["odd_tables"]),
            length=asked["length"],
            minutes=asked["minutes"],
        )

    @property
    def order(self) -> list[int]:
        """Return who plays: by their numbers, equal ones as listed, or as they are listed."""
        if not self.by_number:
            playing = set(self.cleaned_data["playing"])
            return [entrant for entrant, _name in self.entrants if entrant in playing]
        numbers = [
            (self.cleaned_data[_PREFIX + str(entrant)], at, entrant)
            for at, (entrant, _name) in enumerate(self.entrants)
        ]
        return [entrant for number, _at, entrant in sorted(filter(lambda row: row[0], numbers))]
