"""Making a tournament, listing a club's tournaments, changing one."""

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games import catalogue
from games.errors import RuleError
from tracker.common.errors import LinesRefused
from tracker.common.forms import add_refusal, refusal_text
from tracker.common.web import access, exports
from tracker.models import Confirm, Format, Role
from tracker.tournaments.columns import TournamentsTable
from tracker.tournaments.forms.filters import TournamentFilter
from tracker.tournaments.forms.tournaments import TournamentEditForm, TournamentForm
from tracker.tournaments.pages.entrants import say_who_moved_up
from tracker.tournaments.queries.games import game_cards, title_of
from tracker.tournaments.queries.tournaments import tournaments_of
from tracker.tournaments.services.entering import limit_places
from tracker.tournaments.services.tournaments import (
    edit_tournament,
    make_tournament,
    put_in_season,
)
from tracker.tournaments.services.walk_ins import enter_by_name


@access.page
@require_safe
def tournaments(request: HttpRequest, club_id: int) -> HttpResponse:
    """List the club's tournaments, the latest first, to be narrowed down, sorted and paged."""
    club = access.club(request, club_id)
    narrowed = TournamentFilter(club, request.GET or None, tournaments_of(club))
    table = TournamentsTable(narrowed.qs, seasons=bool(narrowed.seasons))
    if file := exports.lay_out(request, table):
        return exports.file_of(table, file, club.name, table.title)
    context = access.context(
        request,
        club,
        filter=narrowed,
        narrowed=any(narrowed.form.data.get(name) for name in narrowed.filters),
        table=table,
        count=table.page.paginator.count,
    )
    return render(request, "tournaments/tournaments.html", context)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def tournament_new(request: HttpRequest, club_id: int) -> HttpResponse:
    """Ask which game, and then, with ``?game=``, how it is to be played."""
    club = access.club(request, club_id, Role.ORGANISER)
    slug = request.GET.get("game", "")
    if not slug:
        context = access.context(request, club, games=game_cards())
        return render(request, "tournaments/games.html", context)
    if slug not in catalogue.GAMES:
        raise Http404
    game = catalogue.GAMES[slug]
    title = title_of(_(game.name), timezone.localdate())
    # What was planned beforehand stands in the address.
    filled = {"name": title, **request.GET.dict()}
    form = TournamentForm(request.POST or None, game=game, club=club, initial=filled)
    if form.is_valid():
        asked, by = form.cleaned_data, access.actor(request)
        try:
            with transaction.atomic():
                made = make_tournament(
                    club_id=club.pk,
                    name=asked["name"],
                    game=game.slug,
                    mode=asked["mode"],
                    format_=Format(asked["format"]),
                    options=form.options(),
                    length=asked["length"],
                    confirm=Confirm(asked["confirm"]),
                    season_id=asked["season"],
                    terms=form.terms(),
                    ranked_by=asked["ranked_by"],
                    people=asked["places"] or len(asked["names"]) or None,
                    by=by,
                )
                limit_places(tournament_id=made.pk, places=asked["places"], by=by)
                enter_by_name(tournament_id=made.pk, lines=asked["names"], by=by)
        except LinesRefused as refused:
            add_refusal(form, refused)
        except RuleError as error:
            field = form.refused_field(error.question or str(error.params.get("name", "")))
            form.add_error(
                field if error.question or field != "name" else None, refusal_text(error)
            )
        else:
            messages.success(request, _("“%(name)s” is ready.") % {"name": made.name})
            # The second button asks for the draw at once: the same POST goes on to its page.
            return redirect("draw", made.pk, preserve_request=request.POST.get("do") == "draw")
    context = access.context(request, club, form=form, game_name=_(game.name))
    return render(request, "tournaments/new.html", context)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def tournament_edit(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Change a tournament's name, and how its coming rounds are played."""
    tournament = access.tournament(request, tournament_id, Role.ORGANISER)
    form = TournamentEditForm(request.POST or None, tournament=tournament)
    if form.is_valid():
        asked, by = form.cleaned_data, access.actor(request)
        try:
            with transaction.atomic():
                edit_tournament(
                    tournament_id=tournament.pk,
                    name=asked["name"],
                    length=asked["length"],
                    confirm=Confirm(asked["confirm"]),
                    terms=form.terms(),
                    by=by,
                )
                put_in_season(tournament_id=tournament.pk, season_id=asked["season"], by=by)
                moved = limit_places(tournament_id=tournament.pk, places=asked["places"], by=by)
        except RuleError as error:
            add_refusal(form, error)
        else:
            say_who_moved_up(request, moved)
            return redirect("desk", tournament.pk)
    context = access.context(request, tournament.club, tournament=tournament, form=form)
    return render(request, "tournaments/edit.html", context)


urlpatterns = [
    path("clubs/<int:club_id>/tournaments/", tournaments, name="tournaments"),
    path("clubs/<int:club_id>/tournaments/new/", tournament_new, name="tournament-new"),
    path("tournaments/<int:tournament_id>/edit/", tournament_edit, name="tournament-edit"),
]
