"""The pages that list a club's tournaments, make a tournament and change a tournament."""

from datetime import datetime
from secrets import randbelow
from typing import Any

import django_filters
import django_tables2 as tables
from django import forms
from django.contrib import messages
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from games import catalogue
from games.errors import RuleError
from games.game import AnyGame
from tracker.common.actor import Actor
from tracker.common.columns import NUMBER, PLAIN, ClubTable, FileColumn, day, linked
from tracker.common.errors import LinesRefused
from tracker.common.forms import add_refusal, refusal_text, refusals_on
from tracker.common.web import access, exports
from tracker.criteria.tie_breaks import LOT_NUMBERS
from tracker.models import Club, Confirm, Format, Role, Round, RoundState, Tournament
from tracker.tournaments.forms.tournaments import TournamentEditForm, TournamentForm
from tracker.tournaments.queries import game_cards, moved_up_sentence, title_of
from tracker.tournaments.services.entering import limit_places
from tracker.tournaments.services.entry_lists import enter_by_name
from tracker.tournaments.services.tournaments import edit_tournament, make_tournament, put_in_season


class TournamentsTable(ClubTable):
    """The list of tournaments from ``tournaments_of``; *seasons*: with a column for the season."""

    title = _("Tournaments")
    name = tables.Column(
        verbose_name=_("Tournament"), attrs={"td": {"scope": "row", "class": "wrap"}}
    )
    game = tables.Column(verbose_name=_("Game"), attrs=PLAIN)
    last = tables.Column(verbose_name=_("Rounds"), default="–", attrs=NUMBER)
    planned = FileColumn(verbose_name=_("Rounds planned"), default="")
    entered = tables.Column(verbose_name=_("Entered"), attrs=NUMBER)
    season = tables.Column(
        verbose_name=_("Season"), accessor="season__name", default="", attrs=PLAIN
    )
    created_at = tables.Column(verbose_name=_("When"), attrs=PLAIN)
    official_at = FileColumn(verbose_name=_("Official since"), default="")

    class Meta:
        empty_text = _("Nothing like that here.")

    def __init__(self, tournaments: QuerySet[Tournament], *, seasons: bool) -> None:
        super().__init__(tournaments, exclude=() if seasons else ("season",))

    def render_name(self, record: Tournament) -> SafeString:
        name = linked(record.name, "tournament", record.pk)
        if record.official_at:
            return name
        if getattr(record, "playing", False):
            state, words = "now", gettext("playing now")
        else:
            state, words = "provisional", gettext("open")
        return format_html('{} <span class="pill {}">{}</span>', name, state, words)

    def render_game(self, record: Tournament) -> str:
        return gettext(record.rules.name)

    def render_last(self, value: int, record: Tournament) -> str:
        if record.planned is None or record.planned < value:
            return str(value)
        return gettext("%(number)d of %(all)d") % {"number": value, "all": record.planned}

    def render_created_at(self, value: datetime) -> str:
        return day(value)

    value_name = value_last = value_created_at = ClubTable.as_is  # in files, instead of the texts


# Keyed by ``?state=``: an "open" tournament is not official, whether a round is open or not.
STATES = {"playing": _("Playing now"), "open": _("Not official yet"), "official": _("Official")}


class TournamentFilter(django_filters.FilterSet):  # type: ignore[misc]
    q = django_filters.CharFilter(
        "name",
        "icontains",
        label=_("Find a name"),
        max_length=Tournament.name.field.max_length,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off"}),
    )
    game = django_filters.ChoiceFilter("game", label=_("Game"), empty_label=_("All"))
    season = django_filters.ChoiceFilter("season", label=_("Season"), empty_label=_("All"))
    state = django_filters.ChoiceFilter(
        method="by_state", label=_("Only"), choices=[*STATES.items()], empty_label=_("All")
    )

    def __init__(self, club: Club, data: Any, queryset: QuerySet[Tournament]) -> None:
        super().__init__(data, queryset)
        self.seasons = list(club.seasons.order_by("-pk").values_list("pk", "name"))
        games = [(slug, gettext(game.name)) for slug, game in catalogue.GAMES.items()]
        self.filters["game"].extra["choices"] = games
        self.filters["season"].extra["choices"] = self.seasons
        if not self.seasons:
            del self.filters["season"]

    def by_state(
        self, tournaments: QuerySet[Tournament], _name: str, state: str
    ) -> QuerySet[Tournament]:
        match state:
            case "playing":
                return tournaments.filter(playing=True)  # type: ignore[misc]  # an annotation
            case "open":
                return tournaments.filter(official_at=None)
            case _:
                return tournaments.exclude(official_at=None)


def tournaments_of(club: Club) -> QuerySet[Tournament]:
    """Return the tournaments of a club, newest first, without later stages such as finals.

    Annotated are the number of the ``last`` round, whether a round of the tournament or of a later
    stage is open (``playing``), and how many entrants have a place (``entered``).
    """
    rounds = Round.objects.filter(tournament=OuterRef("pk")).not_undone()
    # The tournament itself, stages that follow it, and stages that follow these.
    of_event = Round.objects.filter(
        Q(tournament=OuterRef("pk"))
        | Q(tournament__follows=OuterRef("pk"))
        | Q(tournament__follows__follows=OuterRef("pk"))
    )
    with_place = Q(entrants__withdrawn_at=None, entrants__reserve_since=None)
    return (
        Tournament.objects.filter(club=club, follows=None)
        .select_related("season")
        .annotate(
            last=Subquery(rounds.order_by("-number").values("number")[:1]),
            playing=Exists(of_event.filter(state=RoundState.OPEN)),
            entered=Count("entrants", filter=with_place),
        )
        .order_by("-created_at", "-pk")
    )


@access.page
@require_safe
def tournaments(request: HttpRequest, club_id: int) -> HttpResponse:
    club = access.club(request, club_id)
    filtered = TournamentFilter(club, request.GET or None, tournaments_of(club))
    table = TournamentsTable(filtered.qs, seasons=bool(filtered.seasons))
    if file_format := exports.configure_table(request, table):
        return exports.file_response(table, file_format, club.name, table.title)
    context = access.context(
        request,
        club,
        filter=filtered,
        narrowed=any(filtered.form.data.get(name) for name in filtered.filters),
        table=table,
        count=table.page.paginator.count,
    )
    return render(request, "tournaments/tournaments.html", context)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def tournament_new(request: HttpRequest, club_id: int) -> HttpResponse:
    """Ask for the game, and then, with ``?game=``, for the settings."""
    club = access.club(request, club_id, Role.ORGANISER)
    slug = request.GET.get("game", "")
    if not slug:
        return access.render(request, "tournaments/games.html", club, games=game_cards())
    if slug not in catalogue.GAMES:
        raise Http404
    game = catalogue.GAMES[slug]
    # The planner puts its answers into the query of the URL.
    filled = {"name": title_of(gettext(game.name), timezone.localdate()), **request.GET.dict()}
    form = TournamentForm(request.POST or None, game=game, club=club, initial=filled)
    if form.is_valid():
        try:
            made = _make(club, game, form, access.actor(request))
        except LinesRefused as refused:
            add_refusal(form, refused)
        except RuleError as error:
            # A refusal names its field as ``question``. One of a house rule has instead the name of
            # the option as a parameter; an option called ``name`` is not the field ``name``.
            field = form.refused_field(error.question or str(error.params.get("name", "")))
            if not error.question and field == "name":
                field = None
            form.add_error(field, refusal_text(error))
        else:
            messages.success(request, gettext("“%(name)s” is ready.") % {"name": made.name})
            # The second button also draws: the browser then sends this POST on to the draw's page.
            return redirect("draw", made.pk, preserve_request=request.POST.get("do") == "draw")
    context = access.context(request, club, form=form, game_name=gettext(game.name))
    return render(request, "tournaments/new.html", context)


@transaction.atomic
def _make(club: Club, game: AnyGame, form: TournamentForm, by: Actor) -> Tournament:
    """Make the tournament that was asked for and enter those named, or neither."""
    answers = form.cleaned_data
    made = make_tournament(
        club_id=club.pk,
        name=answers["name"],
        game=game.slug,
        mode=answers["mode"],
        format_=Format(answers["format"]),
        options=form.options(),  # the house rules
        length=answers["length"],
        confirm=Confirm(answers["confirm"]),
        season_id=answers["season"],
        terms=form.terms(),  # about rounds and seating
        ranked_by=answers["ranked_by"],
        tie_breaks=form.chosen_tie_breaks,
        seed=randbelow(LOT_NUMBERS),
        # How many will play, if known yet: the usual ranking depends on it.
        people=answers["places"] or len(answers["names"]) or None,
        by=by,
    )
    limit_places(tournament_id=made.pk, places=answers["places"], by=by)
    enter_by_name(tournament_id=made.pk, lines=answers["names"], by=by)
    return made


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def tournament_edit(request: HttpRequest, tournament_id: int) -> HttpResponse:
    tournament = access.tournament(request, tournament_id, Role.ORGANISER)
    form = TournamentEditForm(request.POST or None, tournament=tournament)
    if form.is_valid():
        answers, by = form.cleaned_data, access.actor(request)
        with refusals_on(form), transaction.atomic():
            edit_tournament(
                tournament_id=tournament.pk,
                name=answers["name"],
                length=answers["length"],
                confirm=Confirm(answers["confirm"]),
                terms=form.terms(),
                by=by,
            )
            put_in_season(tournament_id=tournament.pk, season_id=answers["season"], by=by)
            moved = limit_places(tournament_id=tournament.pk, places=answers["places"], by=by)
            if moved:
                messages.success(request, moved_up_sentence(moved))
            return redirect("desk", tournament.pk)
    context = access.context(request, tournament.club, tournament=tournament, form=form)
    return render(request, "tournaments/edit.html", context)


urlpatterns = [
    path("clubs/<int:club_id>/tournaments/", tournaments, name="tournaments"),
    path("clubs/<int:club_id>/tournaments/new/", tournament_new, name="tournament-new"),
    path("tournaments/<int:tournament_id>/edit/", tournament_edit, name="tournament-edit"),
]
