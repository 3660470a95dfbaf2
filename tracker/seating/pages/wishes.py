"""Seats that are promised, which only those read who organise."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tracker.common.refusals import refusing
from tracker.common.web import access
from tracker.common.web.parameters import key_in
from tracker.models import Role
from tracker.seating.forms.times import KeepApartForm, KeepTableForm
from tracker.seating.queries.my_table import players_to_choose
from tracker.seating.queries.rounds import promised
from tracker.seating.services.wishes import drop_wish, keep_apart, keep_table


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def wishes(request: HttpRequest, club_id: int) -> HttpResponse:
    """List the seating wishes; add one, or take one back."""
    club = access.club(request, club_id, Role.ORGANISER)
    if "drop" in request.POST:
        wish_id = key_in(request.POST["drop"])
        if drop_wish(wish_id=wish_id, club_id=club.pk, by=access.actor(request)):
            messages.success(request, _("The request is removed."))
        return redirect("wishes", club.pk)
    people = players_to_choose(club)
    do = request.POST.get("do", "") if request.method == "POST" else ""
    table = KeepTableForm(request.POST if do == "table" else None, people=people)
    apart = KeepApartForm(request.POST if do == "apart" else None, people=people)
    for form in (table, apart):
        if not form.is_valid():
            continue
        asked, by = form.cleaned_data, access.actor(request)
        with refusing(form):
            if form is table:
                keep_table(club_id=club.pk, player_id=asked["player"], table=asked["table"], by=by)
            else:
                keep_apart(
                    club_id=club.pk,
                    kind=asked["kind"],
                    player_id=asked["player"],
                    other_id=asked["other"],
                    by=by,
                )
        if form.is_valid():
            messages.success(request, _("It holds from the next draw on."))
            return redirect("wishes", club.pk)
    context = access.context(request, club, promised=promised(club), table=table, apart=apart)
    return render(request, "seating/wishes.html", context)


urlpatterns = [
    path("clubs/<int:club_id>/wishes/", wishes, name="wishes"),
]
