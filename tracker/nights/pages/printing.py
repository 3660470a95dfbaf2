"""Pages to print: table cards, seating lists, score sheets and the results of a night."""

from random import SystemRandom

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _, gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from tracker.common.forms import CountField
from tracker.common.web import access
from tracker.common.web.addresses import address_to_type
from tracker.common.web.requests import key_in
from tracker.common.wording import say
from tracker.criteria.ranking_criteria import criteria_of
from tracker.models import ClubNight, RankedBy, Role, Round, RoundState, Tournament, name_key
from tracker.nights.queries.nights import results_of_night
from tracker.results.forms.paper_grid import PaperColumn, columns_of, required_only
from tracker.results.forms.sheet import TableQuestions, opening_questions, questions_at
from tracker.seating.queries.drawn_round import named_round
from tracker.seating.queries.schedule import read_schedule
from tracker.seating.queries.table_cards import tables_of
from tracker.seating.services.table_cards import MOST_TABLES, create_cards
from tracker.tables.sql import read_tables

_USUAL_LINES = 12  # of a score sheet, if the round has no set number of hands
_MOST_SIDES = 3  # for whose running totals a score sheet has room


class CardsForm(forms.Form):
    tables = CountField(
        label=gettext_lazy("Cards for how many tables?"),
        help_text=gettext_lazy(
            "Print them once for the season: a card lasts until you make a new one."
        ),
        most=MOST_TABLES,
    )


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def cards(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show the cards of a tournament's tables, one or four to a page, and make more."""
    acting = request.method == "POST"
    role = Role.ORGANISER if acting else Role.SCORER
    tournament = access.tournament(request, tournament_id, role)
    form = CardsForm(request.POST if acting else None)
    if form.is_valid():
        new = create_cards(
            tournament_id=tournament.pk,
            tables=form.cleaned_data["tables"],
            rng=SystemRandom(),
            by=access.actor(request),
        )
        sentence = ngettext("%(count)d new card.", "%(count)d new cards.", new) % {"count": new}
        messages.success(request, sentence if new else _("These tables have their cards already."))
        return redirect("print-cards", tournament.pk)
    # The keys of the tables whose cards are wanted; all tables if there are none.
    only = [key for key in map(key_in, request.GET.getlist("table")) if key]
    tables = tables_of(tournament).filter(withdrawn_at=None)
    context: dict[str, object] = {"tournament": tournament, "form": form}
    context["tables"] = tables.filter(pk__in=only) if only else tables
    # The query string that keeps this choice in links, and whether there are four cards to a page.
    context["only"] = urlencode({"table": only}, doseq=True)
    context["four"] = request.GET.get("on") == "4"
    context["code_address"] = address_to_type(request, reverse("card-code"))
    rules_page = reverse("how-to-play", args=[tournament.game])
    context["rules_address"] = address_to_type(request, rules_page)
    return access.render(request, "nights/printing/cards.html", tournament.club, **context)


@access.page
@require_safe
@never_cache
def seats(request: HttpRequest, round_id: int) -> HttpResponse:
    """Show who sits where in a round, by table and by name."""
    round_ = _played_round(request, round_id, None)
    tables = read_tables(rounds=[round_.pk])
    people = [
        (stint.name, table.number)
        for table in tables
        for stint in table.stints
        if stint.to_hand is None  # they sit there still
    ]
    rests = round_.rests.sat_out().select_related("entrant__player", "entrant__team")
    sheet = {
        "tables": [
            (table, [*zip(table.mode.letters, table.full_names.sides, strict=True)])
            for table in tables
        ],
        "people": sorted(people, key=lambda person: name_key(person[0])),
        "resting": [str(rest.entrant) for rest in rests.order_by("entrant")],
    }
    tournament = round_.tournament
    context = {"tournament": tournament, "round": round_, "sheet": sheet}
    return access.render(request, "nights/printing/seats.html", tournament.club, **context)


@access.page
@require_safe
@never_cache
def rounds(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show the coming rounds: a list for the wall, and each person's seats to cut out.

    Organisers also print rounds that are not published yet.
    """
    tournament = access.tournament(request, tournament_id)
    organises = access.may(request, tournament.club, Role.ORGANISER)
    schedule = read_schedule(tournament, unpublished=organises)
    sheet = None
    if schedule.to_come:
        number = min(schedule.to_come)
        sheet = {
            "first": named_round(number, schedule.seatings[number], schedule.names),
            "schedule": schedule.without_closed(),
            "hidden": bool(schedule.hidden),  # whether some rounds are not published
        }
    begun = sheet is None and tournament.rounds.not_undone().exists()
    context = {"tournament": tournament, "sheet": sheet, "begun": begun}
    return access.render(request, "nights/printing/rounds.html", tournament.club, **context)


@access.page
@require_safe
@never_cache
def papers(request: HttpRequest, round_id: int) -> HttpResponse:
    """Show a score sheet for every table of a round, with the players' names."""
    round_ = _played_round(request, round_id, Role.SCORER)
    tournament, score_sheets = round_.tournament, []
    for table in read_tables(rounds=[round_.pk]):
        questions = questions_at(table, table.opening_session(), number=1, names=table.coming_names)
        score_sheets.append(_score_sheet(tournament, questions, table.number, table.hands))
    context = {"tournament": tournament, "round": round_, "papers": score_sheets}
    return access.render(request, "nights/printing/papers.html", tournament.club, **context)


@access.page
@require_safe
@never_cache
def blank(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show a score sheet to copy, without table number and names."""
    tournament = access.tournament(request, tournament_id, Role.SCORER)
    sheet = _score_sheet(tournament, opening_questions(tournament), None, tournament.hands)
    context = {"tournament": tournament, "papers": [sheet]}
    return access.render(request, "nights/printing/papers.html", tournament.club, **context)


@access.page
@require_safe
@never_cache
def results(request: HttpRequest, night_id: int) -> HttpResponse:
    """Show a printable results sheet for each tournament of a night."""
    night = access.get(request, ClubNight.objects, night_id)
    context = {"night": night, "results": results_of_night(night)}
    return access.render(request, "nights/printing/results.html", night.club, **context)


def _played_round(request: HttpRequest, round_id: int, role: Role | None) -> Round:
    rounds = Round.objects.filter(state__in=[RoundState.OPEN, RoundState.CLOSED])
    return access.get(request, rounds, round_id, role, club_path="tournament__club")


def _score_sheet(
    tournament: Tournament, questions: TableQuestions, table: int | None, hands: int | None
) -> dict[str, object]:
    """Return the form of a score sheet: sides, columns, and a line for each hand.

    Without *table*, the number is left blank; without *hands* there are the usual lines.
    """
    questions = required_only(questions)
    sides = tuple(zip(questions.mode.letters, questions.names.sides, strict=True))
    points = say(criteria_of(tournament, RankedBy.GAME)[0].label, questions.names)
    title = _("%(points)s so far") % {"points": points}
    totals = PaperColumn(title, tuple((name, letter) for letter, name in sides))
    return {
        "table": table,
        "sides": sides,
        "columns": columns_of(questions),
        # The column of running totals, if there is room.
        "points": totals if len(sides) <= _MOST_SIDES else None,
        "lines": range(1, (hands or _USUAL_LINES) + 1),
    }


urlpatterns = [
    path("tournaments/<int:tournament_id>/cards/", cards, name="print-cards"),
    path("tournaments/<int:tournament_id>/papers/", blank, name="print-blank"),
    path("tournaments/<int:tournament_id>/seating/", rounds, name="print-rounds"),
    path("nights/<int:night_id>/results/", results, name="print-results"),
    path("rounds/<int:round_id>/papers/", papers, name="print-sheets"),
    path("rounds/<int:round_id>/seating/", seats, name="print-seats"),
]
