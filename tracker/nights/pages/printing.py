"""What is printed for a hall: cards of tables, who sits where, papers to write on."""

from random import SystemRandom

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from tracker.common.forms import CountField
from tracker.common.web import access
from tracker.common.web.addresses import address_to_type
from tracker.common.web.requests import key_in
from tracker.common.wording import say
from tracker.models import ClubNight, RankedBy, Role, Round, RoundState, Tournament
from tracker.nights.queries.nights import results as night_results
from tracker.nights.queries.printing import rounds_sheet, seating_sheet, table_cards
from tracker.results.forms.paper import PaperColumn, columns_of, required_only
from tracker.results.forms.sheet import TableQuestions, opening_questions, questions_at
from tracker.seating.services.cards import MOST_TABLES, create_cards
from tracker.standings.queries.ranking_criteria import criteria_of
from tracker.tables.reading import read_tables

FOUR = "4"
_LINES = 12  # where nobody knows how many there will be
_ROOM = 3  # sides whose points so far find room beside what they counted


class CardsForm(forms.Form):
    """How many tables are to have cards."""

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
    """Show the cards of a tournament's tables, one or four on a page, and lay more."""
    acting = request.method == "POST"
    tournament = access.tournament(
        request, tournament_id, Role.ORGANISER if acting else Role.SCORER
    )
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
    only = [key for text in request.GET.getlist("table") if (key := key_in(text))]
    context = access.context(
        request,
        tournament.club,
        tournament=tournament,
        tables=table_cards(tournament, only),
        only=urlencode({"table": only}, doseq=True),
        four=request.GET.get("on") == FOUR,
        form=form,
        code_address=address_to_type(request, reverse("card-code")),
        rules_address=address_to_type(request, reverse("how-to-play", args=[tournament.game])),
    )
    return render(request, "nights/printing/cards.html", context)


@access.page
@require_safe
@never_cache
def seats(request: HttpRequest, round_id: int) -> HttpResponse:
    """Show who sits where in a round, by table and by name."""
    round_ = _round(request, round_id, None)
    return _printed(request, round_, "nights/printing/seats.html", sheet=seating_sheet(round_))


@access.page
@require_safe
@never_cache
def rounds(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show the rounds to come: a list for the wall, and each person's rounds to cut out.

    An organiser also prints what is not published yet.
    """
    tournament = access.tournament(request, tournament_id)
    sheet = rounds_sheet(
        tournament, unpublished=access.may(request, tournament.club, Role.ORGANISER)
    )
    begun = sheet is None and tournament.rounds.exclude(state=RoundState.UNDONE).exists()
    context = access.context(
        request, tournament.club, tournament=tournament, sheet=sheet, begun=begun
    )
    return render(request, "nights/printing/rounds.html", context)


@access.page
@require_safe
@never_cache
def papers(request: HttpRequest, round_id: int) -> HttpResponse:
    """Show a paper to write on for every table of a round, with its people's names."""
    round_ = _round(request, round_id, Role.SCORER)
    papers = [
        _paper(
            round_.tournament,
            questions_at(table, table.opening_session(), 1, names=table.coming_names),
            table.number,
            table.hands,
        )
        for table in read_tables(rounds=[round_.pk])
    ]
    return _printed(request, round_, "nights/printing/papers.html", papers=papers)


@access.page
@require_safe
@never_cache
def blank(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show a paper without names."""
    tournament = access.tournament(request, tournament_id, Role.SCORER)
    papers = [_paper(tournament, opening_questions(tournament), None, tournament.hands)]
    context = access.context(request, tournament.club, tournament=tournament, papers=papers)
    return render(request, "nights/printing/papers.html", context)


@access.page
@require_safe
@never_cache
def results(request: HttpRequest, night_id: int) -> HttpResponse:
    """Show a printable results sheet for each tournament of a night."""
    night = access.get(request, ClubNight.objects, night_id)
    context = access.context(request, night.club, night=night, results=night_results(night))
    return render(request, "nights/printing/results.html", context)


def _round(request: HttpRequest, round_id: int, role: Role | None) -> Round:
    standing = Round.objects.filter(state__in=[RoundState.OPEN, RoundState.CLOSED])
    return access.get(request, standing, round_id, role, club="tournament__club")


def _printed(request: HttpRequest, round_: Round, template: str, **more: object) -> HttpResponse:
    context = access.context(
        request, round_.tournament.club, tournament=round_.tournament, round=round_, **more
    )
    return render(request, template, context)


def _paper(
    tournament: Tournament, asked: TableQuestions, table: int | None, hands: int | None
) -> dict[str, object]:
    """Return an empty score sheet for a table without hands."""
    asked = required_only(asked)
    sides = tuple(zip(asked.mode.letters, asked.names.sides, strict=True))
    points = criteria_of(tournament, RankedBy.GAME)[0]
    points_so_far = _("%(points)s so far") % {"points": say(points.label, asked.names)}
    return {
        "table": table,
        "sides": sides,
        "columns": columns_of(asked),
        "points": len(sides) <= _ROOM
        and PaperColumn(points_so_far, tuple((name, letter) for letter, name in sides)),
        "lines": range(1, (hands or _LINES) + 1),
    }


urlpatterns = [
    path("tournaments/<int:tournament_id>/cards/", cards, name="print-cards"),
    path("tournaments/<int:tournament_id>/papers/", blank, name="print-blank"),
    path("tournaments/<int:tournament_id>/seating/", rounds, name="print-rounds"),
    path("nights/<int:night_id>/results/", results, name="print-results"),
    path("rounds/<int:round_id>/papers/", papers, name="print-sheets"),
    path("rounds/<int:round_id>/seating/", seats, name="print-seats"),
]
