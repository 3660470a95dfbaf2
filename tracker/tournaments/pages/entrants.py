"""Who plays in a tournament: entered, withdrawn, come back, waiting for a place, seeded."""

from collections.abc import Sequence

from django.contrib import messages
from django.db import transaction
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tracker.common.forms import refusals_as_messages, refusals_on
from tracker.common.web import access
from tracker.common.web.requests import key_in
from tracker.models import Entrant, Role, Tournament
from tracker.tournaments.forms.entrants import EnterForm, PlacesForm, SeedsForm
from tracker.tournaments.queries.tournaments import newcomers, who_plays
from tracker.tournaments.services.entering import (
    come_back,
    limit_places,
    seed_entrants,
    withdraw,
)
from tracker.tournaments.services.walk_ins import enter_newcomers


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def entrants(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show who plays and who waits; organisers enter and withdraw people."""
    acting = request.method == "POST"
    tournament = access.tournament(request, tournament_id, Role.ORGANISER if acting else None)
    if acting and {"withdraw", "back"} & request.POST.keys():
        _withdraw_or_return(request, tournament)
        return redirect("entrants", tournament.pk)
    listed = who_plays(tournament)
    context = access.context(request, tournament.club, tournament=tournament, who=listed)
    if access.may(request, tournament.club, Role.ORGANISER):
        do = request.POST.get("do", "enter") if acting else ""
        sent = {do: request.POST}
        new, seeded = newcomers(tournament), (*listed.playing, *listed.reserve)
        enter = EnterForm(sent.get("enter"), tournament=tournament, newcomers=new)
        places = PlacesForm(sent.get("places"), initial={"places": tournament.places})
        seeds = SeedsForm(sent.get("seeds"), entrants=seeded)
        for form in (enter, places, seeds):
            if form.is_valid() and _keep(request, tournament, form):
                return redirect("entrants", tournament.pk)
        context |= {"enter": enter, "places": places, "seeds": seeds}
    return render(request, "tournaments/entrants.html", context)


def _keep(request: HttpRequest, tournament: Tournament, form: Form) -> bool:
    """Do what the form asks for, and say whether it went well."""
    by = access.actor(request)
    with refusals_on(form):
        match form:
            case PlacesForm():
                places = form.cleaned_data["places"]
                moved = limit_places(tournament_id=tournament.pk, places=places, by=by)
                messages.success(request, _("Saved."))
                say_who_moved_up(request, moved)
            case SeedsForm():
                seed_entrants(tournament_id=tournament.pk, seeds=form.seeds(), by=by)
                messages.success(request, _("The seeds are saved."))
            case EnterForm():
                asked = form.cleaned_data
                with transaction.atomic():
                    entered = enter_newcomers(tournament, asked["known"], asked["names"], by)
                say_who_entered(request, entered)
    return form.is_valid()


def _withdraw_or_return(request: HttpRequest, tournament: Tournament) -> None:
    asked = key_in(request.POST.get("withdraw") or request.POST.get("back", ""))
    entrant = tournament.entrants.filter(pk=asked).first()
    if entrant is None:
        messages.error(request, _("That player is not in this tournament."))
        return
    by = access.actor(request)
    if "back" in request.POST:
        with refusals_as_messages(request):
            say_who_entered(request, [come_back(entrant_id=entrant.pk, by=by)])
        return
    gone = withdraw(entrant_id=entrant.pk, by=by)
    named = {"name": str(gone.entrant)}
    if gone.table is None:
        messages.success(request, _("%(name)s has withdrawn. What was played stays.") % named)
    else:
        words = _(
            "%(name)s plays no further, but sits at table %(table)d still: they finish the round"
            " there, or somebody takes over the seat."
        )
        messages.warning(request, words % {**named, "table": gone.table})
    say_who_moved_up(request, gone.moved_up)


def say_who_entered(request: HttpRequest, entered: Sequence[Entrant]) -> None:
    """Say who plays now, and who waits for a place."""
    playing = [str(entrant) for entrant in entered if entrant.reserve_since is None]
    waiting = [str(entrant) for entrant in entered if entrant.reserve_since is not None]
    if playing:
        words = ngettext(
            "%(names)s plays, from the coming round on.",
            "%(names)s play, from the coming round on.",
            len(playing),
        )
        messages.success(request, words % {"names": get_text_list(playing, _("and"))})
    if waiting:
        words = ngettext(
            "All places are taken: %(names)s waits on the reserve list.",
            "All places are taken: %(names)s wait on the reserve list.",
            len(waiting),
        )
        messages.warning(request, words % {"names": get_text_list(waiting, _("and"))})


def say_who_moved_up(request: HttpRequest, moved: Sequence[Entrant]) -> None:
    """Say who of the reserve list plays now."""
    if moved:
        words = ngettext(
            "%(names)s moves up from the reserve list.",
            "%(names)s move up from the reserve list.",
            len(moved),
        )
        names = get_text_list([str(entrant) for entrant in moved], _("and"))
        messages.success(request, words % {"names": names})


urlpatterns = [
    path("tournaments/<int:tournament_id>/entrants/", entrants, name="entrants"),
]
