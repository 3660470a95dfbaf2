"""The forms that make and change a tournament, and their fields.

A *mode* says how many sit at a table and in which sides, a *movement* who sits where in each round.
"""

from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any

from django import forms
from django.db.models import TextChoices
from django.forms.boundfield import BoundField
from django.utils.translation import gettext, gettext_lazy as _

from games.game import AnyGame
from games.mode import Mode
from games.option import Options
from games.sheet import Criterion
from tracker.common.forms import CountField, LinesField
from tracker.criteria.ranking_criteria import MATCH_POINTS
from tracker.criteria.tie_breaks import tie_breaks_for
from tracker.models import (
    Club,
    Confirm,
    Format,
    Leftover,
    Movement,
    RankedBy,
    RestCredit,
    Substitution,
    Tournament,
)
from tracker.tournaments.forms.house_rules import HouseRulesForm
from tracker.tournaments.queries import rankings_for, usual_mode
from tracker.tournaments.services.entering import MOST_PLACES
from tracker.tournaments.services.entry_lists import read_entrant
from tracker.tournaments.services.terms import (
    MOST_REST_POINTS,
    UNSUITABLE_TIE_BREAK,
    Terms,
    movements_for,
)

_TIE_BREAKS = (_("Tie-breaks: first"), _("then"), _("and then"))
_MOST_TIE_BREAKS = 6
_AS_WRITTEN = ""  # in place of a format: choose it by how the names are written
_MOST_MODE_BUTTONS = 10  # more modes are a drop-down list
# The fields in the folded section about seating.
_FOLDED = ("places", "leftover", "third_place", "rest_credit", "rest_points", "substitution")
# The labels of rankings; the figure is the first criterion of the ranking, in words.
_RANKING_CHOICES = {
    RankedBy.GAME: _("%(figure)s, which suits a single table"),
    RankedBy.POINTS: _("%(figure)s, which suits several tables of one size"),
    RankedBy.SHARE: _("%(figure)s, which suits tables of different sizes"),
}
A_NAME_A_LINE = _("One name per line, or separated by commas.")
A_TEAM_A_LINE = _("A line a team: “Asha & Juma”, or with a name, “Lions: Asha, Juma”.")


def places_field() -> CountField:
    """Return the field for the number of entrants that have a place in a tournament."""
    return CountField(
        label=_("How many places?"),
        help_text=_("Empty means no limit. When all are taken, people go on the reserve list."),
        required=False,
        most=MOST_PLACES,
    )


class RankedByField(forms.TypedChoiceField):
    """What ranks a tournament; hidden if there is no choice.

    With *matches* (there are tables of two sides) match points are offered too. If the field is not
    ``required``, its first choice is empty: the usual ranking.
    """

    def __init__(self, game: AnyGame, options: Options, *, matches: bool, **kwargs: Any) -> None:
        rankings = rankings_for(game, options)
        texts = _RANKING_CHOICES if len(rankings) > 1 else dict.fromkeys(rankings, "%(figure)s")
        choices = [
            (ranked_by.value, str(texts[ranked_by]) % {"figure": described(criterion)})
            for ranked_by, criterion in rankings.items()
        ]
        usual = gettext("what suits the tables that are planned")
        if matches:
            usual = gettext("match points in a Swiss, otherwise %(figure)s")
            usual %= {"figure": choices[0][1]}
            text = gettext("Match points (2 for a match won, 1 for one drawn)")
            choices.append((RankedBy.MATCH_POINTS.value, text))
        if not kwargs.get("required", True):
            choices.insert(0, ("", usual))
        super().__init__(
            label=gettext("What decides the standings?"),
            choices=choices,
            coerce=RankedBy,
            empty_value=None,
            widget=forms.RadioSelect if len(rankings) + matches > 1 else forms.HiddenInput,
            **kwargs,
        )


def described(criterion: Criterion) -> str:
    """Return the label of a criterion, with its meaning if it has one."""
    if not criterion.meaning:
        return gettext(criterion.label)
    texts = {"figure": gettext(criterion.label), "meaning": gettext(criterion.meaning)}
    return gettext("%(figure)s (%(meaning)s)") % texts


def _season_field(club: Club) -> forms.TypedChoiceField:
    """Return the field for the season that a tournament counts for; hidden if there are none."""
    rows = club.seasons.order_by("-pk").values_list("pk", "name")
    seasons = [(str(pk), name) for pk, name in rows]
    return forms.TypedChoiceField(
        label=gettext("Count it in a season?"),
        choices=[*seasons, ("", gettext("No season"))],
        coerce=int,
        empty_value=None,
        required=False,
        initial=seasons[0][0] if seasons else "",
        widget=forms.Select if seasons else forms.HiddenInput,
    )


def _enum_field(choices: type[TextChoices], **kwargs: Any) -> forms.TypedChoiceField:
    """Return the field for a member of an enumeration; the first is the default."""
    usual = next(iter(choices))
    return forms.TypedChoiceField(
        choices=choices.choices,
        coerce=choices,
        empty_value=usual,
        initial=usual,
        required=False,
        **kwargs,
    )


class _RoundsForm(forms.Form):
    """The fields of both forms below; these call the ``offer_`` methods to fill in the choices."""

    movement = _enum_field(Movement, label=_("Who sits where?"))
    places = places_field()
    leftover = _enum_field(Leftover, label=_("When there is no full table for everybody"))
    third_place = forms.BooleanField(
        label=_("A knock-out has a match for third place"), required=False
    )
    rest_credit = forms.TypedChoiceField(
        label=_("What is sitting out worth?"),
        help_text=_("Wins and draws are worth match points. In knock-outs a bye is worth nothing."),
        choices=[
            ("", _("as usual: a win where match points decide, otherwise one’s own average")),
            *RestCredit.choices,
        ],
        coerce=RestCredit,
        empty_value=None,
        required=False,
    )
    rest_points = forms.IntegerField(
        label=_("How many points, if a fixed number?"),
        min_value=0,
        max_value=MOST_REST_POINTS,
        required=False,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    substitution = _enum_field(
        Substitution,
        label=_("A substitute plays"),
        help_text=_("In fixed teams always for the team."),
    )
    name = forms.CharField(
        label=_("What is it called?"),
        max_length=Tournament.name.field.max_length,
        widget=forms.TextInput(attrs={"autocapitalize": "words", "autocomplete": "off"}),
    )
    length = CountField(most=Tournament.LONGEST_ROUND)
    planned = CountField(
        label=_("How many rounds?"),
        help_text=_("Leave empty for as many as you like."),
        required=False,
        most=Tournament.MOST_ROUNDS,
    )
    minutes = CountField(
        label=_("How many minutes a round?"),
        help_text=_("Leave empty for no clock."),
        required=False,
        most=Tournament.MOST_MINUTES,
    )
    confirm = forms.ChoiceField(
        label=_("Who confirms a result?"),
        choices=[
            (Confirm.ONE, _("nobody: one phone is enough")),
            (Confirm.BOTH, _("another side at the table")),
        ],
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, game: AnyGame, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["season"] = _season_field(club)
        many = gettext("games") if game.round_in_games else gettext(game.unit.many)
        self.fields["length"].label = gettext("How many %(units)s a round?") % {"units": many}

    def offer_movements(self, formats: Iterable[Format], modes: Iterable[Mode]) -> None:
        """Offer the movements that suit these formats, grouped by format if there are several."""
        of_two = any(mode.seats == 2 for mode in modes)
        suitable = {format_: movements_for(format_, of_two=of_two) for format_ in formats}
        for_all = [each for each in Movement if all(each in own for own in suitable.values())]

        def labelled(movements: Iterable[Movement]) -> list[tuple[str, str]]:
            return [(each.value, str(each.label)) for each in movements]

        if len(suitable) == 1:
            choices: list[Any] = labelled(*suitable.values())
        else:
            titles = {Format.PLAYERS: gettext("Where each player scores")}
            titles[Format.TEAMS] = gettext("For fixed pairs or teams")
            choices = [*labelled(for_all)]
            for format_, movements in suitable.items():
                others = [each for each in movements if each not in for_all]
                choices.append((titles[format_], labelled(others)))
        self.fields["movement"].choices = choices  # type: ignore[attr-defined]

    @property
    def folded_seating(self) -> list[BoundField]:
        return [self[name] for name in _FOLDED]

    @property
    def seating_wrong(self) -> bool:
        """Return whether a field about seating has an error, so that their section must be open."""
        return any(name in _FOLDED for name in self.errors)

    def terms(self) -> Terms:
        """Return the chosen settings of rounds and seating."""
        return Terms(**{column.name: self.cleaned_data[column.name] for column in fields(Terms)})


class TieBreaksForm(forms.Form):
    """Fields for tie-breaks in their order, from ``tie_break_1`` on; the last may stay empty."""

    def offer_tie_breaks(self, offered: Iterable[Criterion], keys: Sequence[str] = ()) -> None:
        """Add the fields with these choices; *keys* are the tie-breaks to show as chosen."""
        self.offered = list(offered)
        choices = [(each.key, _with_short_name(each)) for each in self.offered]
        for index in range(max(_MOST_TIE_BREAKS, len(keys))):
            usual = gettext("the usual ones") if index == 0 else "–"
            self.fields[f"tie_break_{index + 1}"] = forms.ChoiceField(
                label=_TIE_BREAKS[min(index, len(_TIE_BREAKS) - 1)],
                choices=[("", usual), *choices],
                initial=keys[index] if index < len(keys) else "",
                required=False,
                error_messages={"invalid_choice": gettext(UNSUITABLE_TIE_BREAK)},
            )

    @property
    def tie_breaks(self) -> list[BoundField]:
        return [self[name] for name in self.fields if name.startswith("tie_break_")]

    @property
    def tie_breaks_wrong(self) -> bool:
        """Return whether a tie-break has an error, so that their section must be open."""
        return any(field.errors for field in self.tie_breaks)

    @property
    def chosen_tie_breaks(self) -> list[str]:
        """Return the answers of all fields, also of empty ones."""
        return [self.cleaned_data[field.name] for field in self.tie_breaks]


def _with_short_name(criterion: Criterion) -> str:
    if not criterion.short:
        return gettext(criterion.label)
    names = {"figure": gettext(criterion.label), "short": gettext(criterion.short)}
    return gettext("%(figure)s (%(short)s)") % names


class TournamentForm(TieBreaksForm, HouseRulesForm, _RoundsForm):
    """Names, settings and house rules of a new tournament; ``modes`` are all modes of its game."""

    names = LinesField(
        label=_("Who plays?"),
        help_text=_(
            "A line each: “Asha” alone, “Asha & Juma” or “Lions: Asha, Juma” as a team."
            " You can add more later."
        ),
        rows=6,
    )
    mode = forms.ChoiceField(label=_("How do people sit?"), widget=forms.RadioSelect)
    format = forms.ChoiceField(
        label=_("Who scores?"),
        choices=[
            (Format.PLAYERS, _("each player; partners may change from round to round")),
            (Format.TEAMS, _("fixed pairs or teams")),
            (_AS_WRITTEN, _("as the names are written above")),
        ],
        required=False,
        widget=forms.RadioSelect,
    )
    field_order = ("names", "name", "mode", "format", "length", "confirm")

    def __init__(self, *args: Any, game: AnyGame, club: Club, **kwargs: Any) -> None:
        kwargs["initial"] = {
            "mode": usual_mode(game).code,
            "format": _AS_WRITTEN,
            "length": game.usual_length,
            "confirm": Confirm.ONE,
            **kwargs.get("initial", {}),
        }
        super().__init__(*args, game=game, club=club, **kwargs)
        matches = any(len(mode.sides) == 2 for mode in game.all_modes())
        usual_rules = game.default_options()
        self.fields["ranked_by"] = RankedByField(game, usual_rules, matches=matches, required=False)
        self.fields["names"].widget.attrs["autofocus"] = True
        self.modes = game.all_modes()
        field: Any = self.fields["mode"]
        field.choices = [(mode.code, gettext(mode.name)) for mode in self.modes]
        # The first modes are those of the rule book.
        if len(self.modes) > _MOST_MODE_BUTTONS:
            in_rule_book = len(game.modes(usual_rules))
            usual, others = field.choices[:in_rule_book], field.choices[in_rule_book:]
            field.widget = forms.Select()
            field.choices = [*usual, (gettext("If a house rule allows it"), others)]
        formats = list(Format)
        if all(mode.individual for mode in self.modes):
            self.fields["format"].widget = forms.HiddenInput()
            self.initial["format"] = Format.PLAYERS
            self.fields["names"].help_text = A_NAME_A_LINE
            formats = [Format.PLAYERS]
        self.offer_movements(formats, self.modes)
        # Which of them suit depends on the answers above: others are refused when it is made.
        round_robin = None if Format.TEAMS in formats else False
        for_all = tie_breaks_for(MATCH_POINTS, round_robin=round_robin)
        could_suit = [*game.tie_breaks(usual_rules), *for_all]
        self.offer_tie_breaks({each.key: each for each in could_suit}.values())
        self.ask_house_rules(game)

    def clean(self) -> dict[str, Any]:
        """Choose the format by the names, if no format was chosen."""
        cleaned = super().clean()
        if not self.errors and not cleaned["format"]:
            lines = [read_entrant(line) for line in cleaned["names"]]
            with_teams = any(line.joined for line in lines)
            cleaned["format"] = Format.TEAMS if with_teams else Format.PLAYERS
            # Several lines, each with as many names as a side has players, may be teams.
            side_size = {mode.code: len(mode.sides[0]) for mode in self.modes}[cleaned["mode"]]
            names_a_line = [len(line.people) for line in lines if line.people]
            like_teams = side_size > 1 and set(names_a_line) == {side_size}
            if like_teams and len(names_a_line) > 1 and not with_teams:
                self.add_error("format", gettext("Is each of your lines a team? Choose here."))
        return cleaned


class TournamentEditForm(_RoundsForm):
    def __init__(self, *args: Any, tournament: Tournament, **kwargs: Any) -> None:
        # The fields with the same names as columns of a tournament.
        columns = ("name", "confirm", "planned", "minutes", "movement", *_FOLDED)
        initial = {column: getattr(tournament, column) for column in columns}
        in_match_points = initial["rest_credit"] in {RestCredit.WIN, RestCredit.DRAW}
        if in_match_points and tournament.ranked_by != RankedBy.MATCH_POINTS:
            initial["rest_credit"] = ""  # refused since the ranking changed: so offer the default
        initial["length"] = tournament.games or tournament.hands or tournament.rules.usual_length
        kwargs["initial"] = {**initial, "season": tournament.season_id or ""}
        game = tournament.rules
        super().__init__(*args, game=game, club=tournament.club, **kwargs)
        self.offer_movements([Format(tournament.format)], [tournament.table_mode])
