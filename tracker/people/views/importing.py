"""Taking in a whole list of players, after a look at it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from tracker.common.refusals import refusing, sentence
from tracker.common.web import access
from tracker.copies.before import keep_copy
from tracker.models import Role
from tracker.people.forms.importing import ImportForm
from tracker.people.services.importing import import_players, plan_import


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def players_import(request: HttpRequest, club_id: int) -> HttpResponse:
    """Show the outcome of every line of a list, and import it once confirmed."""
    club = access.club(request, club_id, Role.ORGANISER)
    form = ImportForm(request.POST or None, request.FILES or None)
    plan = None
    if form.is_valid():
        text = form.cleaned_data["text"]
        with refusing(form):
            if "import" in request.POST and not form.cleaned_data["file"]:
                keep_copy(request, _("Before a list of players was added"))
                new = import_players(club_id=club.pk, text=text, by=access.actor(request))
                if new:
                    welcome = ngettext(
                        "%(count)d player is in.", "%(count)d players are in.", len(new)
                    )
                    messages.success(request, welcome % {"count": len(new)})
                else:
                    messages.info(request, _("Everybody on the list was here already."))
                return redirect("players", club.pk)
            plan = plan_import(club_id=club.pk, text=text)
    lines = [
        (line, sentence(line.refused) if line.refused else "")
        for line in (plan.lines if plan else ())
    ]
    context = access.context(request, club, form=form, plan=plan, lines=lines)
    return render(request, "people/players/import.html", context)
