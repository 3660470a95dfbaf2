"""Page of the coming round's draw: settings, preview of a swap, changes, publishing, opening.

The JSON ``draw.question`` has the ``settings`` and who is ``present``; what the movement was asked is
there too, and ``question_of`` brings it up to date.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from random import SystemRandom
from typing import Any

from django import forms
from django.contrib import messages
from django.forms.boundfield import BoundField
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.text import get_text_list
from django.utils.translation import gettext as _, gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

from games.errors import RuleError
from tracker.common.forms import CountField, LinesField, TapField, refusal_text, refusals_on
from tracker.common.names import split_names
from tracker.common.web import access
from tracker.common.web.requests import (
    FROM_NIGHT,
    HtmxHttpRequest,
    came_from_night,
    key_in,
    number_in,
    return_page,
)
from tracker.common.wording import together
from tracker.models import Draw, Entrant, Format, Movement, Player, RankedBy, Role, Tournament
from tracker.movements.catalogue import MOVEMENTS
from tracker.movements.types import RoundSeating
from tracker.seating.logic.saved_draws import DrawSettings, round_from_json
from tracker.seating.queries.coming_round import ComingRound, read_coming_round
from tracker.seating.queries.drawn_round import drawn_round, summary_of
from tracker.seating.queries.movement_plans import account_of, modes_of, question_of
from tracker.seating.queries.players import waiting_players
from tracker.seating.queries.wishes import broken_table_promises
from tracker.seating.services.draws import (
    discard_draws,
    draw_rounds,
    lock_table,
    publish_draws,
    redraw,
    swap_entrants,
    swapped_plan,
    update_draw,
)
from tracker.seating.services.round_opening import open_draw
from tracker.tournaments.forms.tournaments import A_NAME_A_LINE, A_TEAM_A_LINE
from tracker.tournaments.queries import newcomers, rankings_for
from tracker.tournaments.services.terms import movements_for

DICE = SystemRandom()
_MOST_CHARACTERS = 500  # of the names of late arrivals that are typed at once
_NUMBER_FIELD = "place_%d"  # the name of the field for an entrant's number, by the entrant's key


class DrawForm(forms.Form):
    """The settings of a draw, and who plays.

    If people sit in the order of numbers (``by_number``), each entrant has a field for a number,
    empty if they do not play; otherwise entrants are tapped (``playing``). ``more`` are players or
    teams of the club who are not entered yet, ``names`` those new to the club.
    """

    movement = forms.ChoiceField(label=gettext_lazy("Who sits where?"))
    mode = forms.ChoiceField(label=gettext_lazy("How do people sit?"))
    odd_tables = forms.ChoiceField(
        label=gettext_lazy("Whoever is left over"),
        choices=[
            ("", gettext_lazy("sits out, in turn")),
            ("yes", gettext_lazy("sits at an odd-sized table, in turn")),
        ],
        required=False,
    )
    length = CountField(most=Tournament.LONGEST_ROUND)
    minutes = CountField(
        label=gettext_lazy("How many minutes?"),
        help_text=gettext_lazy(
            "The clock starts with the round. Leave empty to start one later, or none."
        ),
        required=False,
        most=Tournament.MOST_MINUTES,
    )
    rounds = CountField(
        label=gettext_lazy("How many rounds to draw?"),
        help_text=gettext_lazy("Drawn ahead, rounds repeat less than one by one."),
        required=False,
        most=Tournament.MOST_ROUNDS,
    )
    playing = TapField(label=gettext_lazy("Who plays this round?"))
    more = TapField()
    names = LinesField(label=gettext_lazy("Who plays?"), rows=4)

    def __init__(self, data: QueryDict | None, *, coming_round: ComingRound) -> None:
        tournament = coming_round.tournament
        playing = Entrant.objects.playing().filter(tournament=tournament)
        self.entrants = list(playing.names().items())  # keys and names
        self.not_entered = newcomers(tournament)  # keys and names of players or teams
        super().__init__(data, initial=self._initial_values(coming_round))
        self._set_choices(tournament)
        self._set_texts(tournament)
        self.by_number = self.initial["movement"] == Movement.IN_ORDER
        if self.by_number:
            del self.fields["playing"]
            for key, name in self.entrants:
                self.fields[_NUMBER_FIELD % key] = CountField(label=name, required=False, most=999)

    def _initial_values(self, coming_round: ComingRound) -> dict[str, object]:
        """Return the values of the saved draw, or the defaults for a new one."""
        tournament, settings = coming_round.tournament, coming_round.settings()
        present = coming_round.present()
        # Only players check in at a night, and so may wait there; teams do not.
        night = coming_round.night if tournament.format == Format.PLAYERS else None
        waiting = waiting_players(night)
        numbers = {_NUMBER_FIELD % entrant: number for number, entrant in enumerate(present, 1)}
        return numbers | {
            **asdict(settings),
            "odd_tables": "yes" if settings.odd_tables else "",
            "length": settings.length or tournament.rules.usual_length,
            "rounds": coming_round.rounds_to_draw(settings.movement),
            "playing": present,
            "more": [key for key, _name in self.not_entered if key in waiting],
        }

    def _set_choices(self, tournament: Tournament) -> None:
        movements = movements_for(tournament.format, of_two=tournament.table_mode.seats == 2)
        choices: dict[str, Sequence[tuple[Any, str]]] = {
            "mode": [(mode.code, _(mode.name)) for mode in modes_of(tournament)],
            "movement": [(movement.value, str(movement.label)) for movement in movements],
            "playing": self.entrants,
            "more": self.not_entered,
        }
        for field, offered in choices.items():
            self.fields[field].choices = offered  # type: ignore[attr-defined]

    def _set_texts(self, tournament: Tournament) -> None:
        """Set the labels and help texts that depend on the game and the format."""
        rules, teams = tournament.rules, tournament.format == Format.TEAMS
        units = _("games") if rules.round_in_games else _(rules.unit.many)
        self.fields["length"].label = _("How many %(units)s?") % {"units": units}
        if rules.across is None:  # the game has no ranking across tables of several sizes
            warning = _(
                "Careful: at a larger table everybody wins less often, and the standings do not make"
                " up for it."
            )
        elif tournament.ranked_by == RankedBy.SHARE:
            warning = _("Such tables are compared by the share of the table everybody beat.")
        else:
            warning = _("Careful: larger tables give more points. Let the share decide instead.")
        self.fields["odd_tables"].help_text = warning
        self.fields["more"].label = _("Teams of the club") if teams else _("Players of the club")
        self.fields["names"].help_text = A_TEAM_A_LINE if teams else A_NAME_A_LINE
        if self.entrants:
            self.fields["names"].label = _("Who is new?")

    @property
    def number_fields(self) -> list[BoundField]:
        """Return the entrants' number fields, in the order of the numbers, empty ones last."""
        number_fields = [self[_NUMBER_FIELD % entrant] for entrant, _name in self.entrants]
        return sorted(number_fields, key=lambda field: (field.initial is None, field.initial or 0))

    @property
    def settings(self) -> DrawSettings:
        values = self.cleaned_data | {"odd_tables": bool(self.cleaned_data["odd_tables"])}
        return DrawSettings(**{field.name: values[field.name] for field in fields(DrawSettings)})

    @property
    def order(self) -> list[int]:
        """Return the entrants who play, in the order of their numbers, or else of their names."""
        entrants = [entrant for entrant, _name in self.entrants]  # in order of name
        if not self.by_number:
            return [entrant for entrant in entrants if entrant in self.cleaned_data["playing"]]
        number_of = {entrant: self.cleaned_data[_NUMBER_FIELD % entrant] for entrant in entrants}
        return sorted(filter(number_of.get, entrants), key=number_of.__getitem__)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@vary_on_headers("HX-Request")
def draw_page(request: HtmxHttpRequest, tournament_id: int) -> HttpResponse:
    """Show the coming round as it would open, and take changes to it.

    The pressed button is ``do``: ``set`` draws with the form's settings, ``look`` previews the swap
    of two entrants, and both may show the page. ``_press`` does all others, which redirect.
    """
    tournament = access.tournament(request, tournament_id, Role.ORGANISER)
    coming_round = read_coming_round(tournament, now=timezone.now())
    button = request.POST.get("do", "")
    query = FROM_NIGHT if came_from_night(request) else ""
    this_page = reverse("draw", args=[tournament_id]) + query
    form = DrawForm(request.POST if button == "set" else None, coming_round=coming_round)
    preview: dict[str, object] = {}
    if button == "set":
        if _draw_from_form(request, form, tournament):
            return redirect(this_page)
    elif button == "look":
        if coming_round.draw is None:  # it was deleted meanwhile
            return redirect(this_page)
        preview = _swap_preview(coming_round.draw, _two_tapped(request))
        if request.htmx:  # only the preview is replaced
            return render(request, "seating/draws/draw.html#effect", preview)
    elif button:
        try:
            return redirect(_press(request, coming_round, button) or this_page)
        except RuleError as error:
            messages.warning(request, refusal_text(error))
            return redirect(this_page)
    values = {"tournament": tournament, "form": form, "page": _draw_context(coming_round)}
    values |= {"round": coming_round.last, "number": coming_round.number}
    return access.render(request, "seating/draws/draw.html", tournament.club, **values, **preview)


def _draw_from_form(request: HttpRequest, form: DrawForm, tournament: Tournament) -> bool:
    """Draw as the form says, and return whether this was done; if not, the form has errors."""
    if form.is_valid():
        with refusals_on(form):  # catches a refusal and adds it to ``form.errors``
            draw_rounds(
                tournament_id=tournament.pk,
                by=access.actor(request),
                rng=DICE,
                settings=form.settings,
                entrants=form.order,
                newcomers=form.cleaned_data["more"],
                new_names=form.cleaned_data["names"],
                rounds=form.cleaned_data["rounds"],
            )
    return not form.errors


def _press(request: HttpRequest, coming_round: ComingRound, button: str) -> str | None:
    """Do what a button such as ``lock:3`` says; return the next URL if not the draw's own."""
    do, _colon, table_number = button.partition(":")
    by, pk = access.actor(request), coming_round.tournament.pk
    match do:
        case "draw" if not coming_round.draws:  # a second tap changes nothing
            draw_rounds(tournament_id=pk, newcomers=coming_round.arrivals(), by=by, rng=DICE)
        case "redraw":
            redraw(tournament_id=pk, by=by, rng=DICE)
        case "open" | "mend":
            if do == "open" and not coming_round.changes():
                return return_page(request, open_draw(tournament_id=pk, by=by, rng=DICE))
            # After people came or went the new draw is shown before it opens.
            update_draw(tournament_id=pk, newcomers=coming_round.arrivals(), by=by, rng=DICE)
            messages.success(request, _("The draw is updated. Have another look."))
        case "add":
            _add_late_arrivals(request, coming_round)
        case "swap":
            swap_entrants(tournament_id=pk, units=_two_tapped(request), by=by)
        case "lock" | "free":
            number = number_in(table_number) or 0  # no table has the number 0
            lock_table(tournament_id=pk, number=number, locked=do == "lock", by=by)
        case "publish":
            publish_draws(tournament_id=pk, by=by)
            messages.success(request, _("Everybody can see it now, on phones and on the display."))
        case "discard":
            discard_draws(tournament_id=pk, by=by)
            return reverse("desk", args=[pk])
        # Any other button does nothing.
    return None


def _two_tapped(request: HttpRequest) -> tuple[int, int]:
    """Return the keys of the two tapped entrants; if not two are, 0 and 0, which a swap refuses."""
    tapped = [key_in(unit) for unit in request.POST.getlist("unit")]
    return (tapped[0], tapped[1]) if len(tapped) == 2 else (0, 0)


def _add_late_arrivals(request: HttpRequest, coming_round: ComingRound) -> None:
    """Enter people by name, draw them into the coming round, and say where they sit."""
    names = split_names(request.POST.get("names", "")[:_MOST_CHARACTERS])
    if not names:
        messages.warning(request, _("Type the name of whoever has arrived."))
        return
    drawn_before = set(coming_round.draw.question["present"]) if coming_round.draw else set()
    tournament, by = coming_round.tournament, access.actor(request)
    draw, *_later = update_draw(tournament_id=tournament.pk, new_names=names, by=by, rng=DICE)
    seating = round_from_json(draw.plan)
    name_of = Entrant.objects.filter(tournament=tournament).names()
    sentences = [
        _("%(name)s plays at table %(number)d.") % {"name": name_of[unit], "number": number}
        for unit, number in seating.table_of.items()
        if unit not in drawn_before
    ]
    if resting := [name_of[unit] for unit in seating.resting]:
        template = ngettext(
            "%(names)s sits out this round.", "%(names)s sit out this round.", len(resting)
        )
        sentences.append(template % {"names": together(resting)})
    messages.success(request, " ".join(sentences))


def _swap_preview(draw: Draw, units: tuple[int, int]) -> dict[str, object]:
    """Return the two ``tapped`` entrants with the ``effect`` of their swap, or with its ``refusal``.

    The effect has the ``names`` of the two, and ``says`` how many meet again and who deals first.
    """
    try:
        plan = swapped_plan(draw, units)
    except RuleError as error:
        return {"tapped": units, "refusal": refusal_text(error)}
    openers_before, openers = _openers(draw.plan), _openers(plan)
    everybody = {*units, *openers_before.values(), *openers.values()}
    name_of = Entrant.objects.filter(pk__in=everybody).names()
    account = account_of(draw, question_of(draw), round_from_json(plan))
    changed = [
        _("Table %(number)d: %(now)s deals first (was %(was)s).")
        % {"number": number, "now": name_of[opener], "was": name_of[openers_before[number]]}
        for number, opener in openers.items()
        if opener != openers_before[number]
    ]
    says = [summary_of(account, draw.tournament)]
    says += changed or [_("The same people deal first.")]
    return {"tapped": units, "effect": {"names": [name_of[unit] for unit in units], "says": says}}


def _openers(plan: Mapping[str, Any]) -> dict[int, int]:
    """Return the unit that deals first at each table, keyed by table number."""
    return {
        table.number or 0: table.units[table.opener]
        for table in round_from_json(plan).tables
        if table.opener is not None  # otherwise the table finds out itself
    }


def _draw_context(coming_round: ComingRound) -> dict[str, object] | None:
    """Return what the page shows of the draw, in a fixed number of queries; ``None`` if undrawn.

    ``later`` are the numbers of the other drawn rounds, ``missed`` sentences on players whom the
    draw does not seat at the table that was promised to them.
    """
    if not coming_round.draws:
        return None
    draw, *later = coming_round.draws
    seating, question = round_from_json(draw.plan), question_of(draw)
    settings = draw.question["settings"]
    account = account_of(draw, question, seating)
    return {
        "draw": draw,
        "round": drawn_round(draw.tournament, draw.number, draw.plan, settings["mode"], account),
        "changes": _changes_since(coming_round),
        "later": [later_draw.number for later_draw in later],
        # In a bracket (knock-out) entrants without a match are out or have a bye: nobody sits out.
        "bracket": MOVEMENTS[settings["movement"]].bracket,
        "missed": broken_table_promises(draw.tournament, seating, coming_round.night_id),
        "ranking": _ranking_warning(draw.tournament, [*question.played, seating]),
    }


def _changes_since(coming_round: ComingRound) -> list[str]:
    """Return sentences on who has come or gone home since the round was drawn."""
    changes = coming_round.changes()
    # Entrants who can play now, then players who are not entered yet.
    arrived = list(map(str, Entrant.objects.filter(pk__in=changes.new).by_name()))
    arrived += map(str, Player.objects.filter(pk__in=changes.arrived).order_by("name_key"))
    gone = list(map(str, Entrant.objects.filter(pk__in=changes.gone).by_name()))
    have_arrived = ngettext("%(names)s has arrived.", "%(names)s have arrived.", len(arrived))
    have_gone = ngettext("%(names)s has gone home.", "%(names)s have gone home.", len(gone))
    return [
        template % {"names": get_text_list(names, _("and"))}
        for names, template in ((arrived, have_arrived), (gone, have_gone))
        if names
    ]


def _ranking_warning(tournament: Tournament, rounds: Sequence[RoundSeating]) -> str:
    """Return a warning if the ranking does not suit the tables of *rounds*; the drawn one is last."""
    rankings = rankings_for(tournament.rules, tournament.house_rules)  # those that the game offers
    ranked_by = RankedBy(tournament.ranked_by)
    sizes = {len(table.units) for round_ in rounds for table in round_.tables}
    words = {"figure": _(tournament.ranking(ranked_by)[0].label)}  # which decides first
    # ``SHARE`` compares tables of several sizes; ``GAME`` ranks as at a single table.
    if len(sizes) > 1 and RankedBy.SHARE in rankings and ranked_by != RankedBy.SHARE:
        return _("The standings go by %(figure)s, and tables are not all of one size.") % words
    has_choice = len(rankings) > 1 and ranked_by in rankings
    if len(rounds[-1].tables) > 1 and ranked_by == RankedBy.GAME and has_choice:
        return _("The standings go by %(figure)s, which suits a single table.") % words
    return ""


urlpatterns = [path("tournaments/<int:tournament_id>/draw/", draw_page, name="draw")]
