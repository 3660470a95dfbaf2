"""The page that imports a list of players from a file or pasted text."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext, gettext_lazy as _, ngettext
from django.views.decorators.http import require_http_methods

from tracker.backups.automatic import copy_before_request
from tracker.common.forms import refusal_text, refusals_on
from tracker.common.uploads import text_in
from tracker.common.web import access
from tracker.models import Role
from tracker.people.services.importing import MOST_LINES, import_players, plan_import

MOST_BYTES = 2_000_000


class ImportForm(forms.Form):
    """A list of players as a file or as text; the page shows a file as text, to be corrected."""

    file = forms.FileField(
        label=_("A file"),
        help_text=_("CSV or XLSX, as a spreadsheet saves it."),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".csv,.txt,.xlsx"}),
    )
    text = forms.CharField(
        label=_("Or the list itself"),
        help_text=_(
            "The first line names the columns: Name, and if you like Nickname, Home club, Season"
            " (yes or no). Paste it from a spreadsheet, or put commas between."
        ),
        max_length=200_000,
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false", "autocomplete": "off"}),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        if file := cleaned.get("file"):
            try:
                cleaned["text"] = text_in(file.read(), most_bytes=MOST_BYTES, most_lines=MOST_LINES)
            except ValueError:
                text = _(
                    "This file cannot be read. Save the list as CSV or XLSX, up to 2 megabytes."
                )
                self.add_error("file", text)
            else:
                # A browser does not send a file twice: the page shows its text, which is sent next.
                self.data = {"text": cleaned["text"]}
        elif not str(cleaned.get("text", "")).strip() and not self.errors:
            self.add_error("text", _("Choose a file, or paste the list here."))
        return cleaned


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def players_import(request: HttpRequest, club_id: int) -> HttpResponse:
    """Show what each line of a list would do, and import the list once confirmed."""
    club = access.club(request, club_id, Role.ORGANISER)
    form = ImportForm(request.POST or None, request.FILES or None)
    plan = None
    if form.is_valid():
        text = form.cleaned_data["text"]
        with refusals_on(form):
            # Only a text is imported, as a file has not been shown yet: it becomes the text first.
            if "import" in request.POST and not form.cleaned_data["file"]:
                copy_before_request(request, gettext("Before a list of players was added"))
                count = len(import_players(club_id=club.pk, text=text, by=access.actor(request)))
                if count:
                    welcome = ngettext(
                        "%(count)d player is in.", "%(count)d players are in.", count
                    )
                    messages.success(request, welcome % {"count": count})
                else:
                    messages.info(request, gettext("Everybody on the list was here already."))
                return redirect("players", club.pk)
            plan = plan_import(club_id=club.pk, text=text)
    planned = plan.lines if plan else ()
    lines = [(line, refusal_text(line.refused) if line.refused else "") for line in planned]
    context = access.context(request, club, form=form, plan=plan, lines=lines)
    return render(request, "people/players/import.html", context)


urlpatterns = [path("clubs/<int:club_id>/players/import/", players_import, name="players-import")]
