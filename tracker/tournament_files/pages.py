"""Pages that export a tournament as a file and import one after a preview.

Only a process that reads or writes files loads pydantic, which takes 9 MiB: so the views import it.
"""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.errors import RuleError
from tracker.backups.automatic import copy_before_request
from tracker.common.forms import refusal_text
from tracker.common.web import access
from tracker.models import Role
from tracker.tournament_files.logic.errors import InvalidFileError
from tracker.tournament_files.logic.packing import MOST_BYTES, unpack

if TYPE_CHECKING:
    from tracker.tournament_files.queries.matches import FilePerson

NEW = "new"  # the choice that a person in the file becomes a new player


class TournamentFileForm(forms.Form):
    file = forms.FileField(
        label=gettext_lazy("The file"),
        help_text=gettext_lazy("As Kula wrote it, at this club or at another one."),
        widget=forms.FileInput(attrs={"accept": ".zip,application/zip"}),
    )

    def clean_file(self) -> Any:
        """Return the content of the file as bytes."""
        file = self.cleaned_data["file"]
        if (file.size or 0) > MOST_BYTES:
            text = _("This file is too large: 10 megabytes are the most.")
            raise forms.ValidationError(text, code="file-large")
        return file.read()


class PeopleForm(forms.Form):
    """Asks which player each person in the file is, where names are equal or similar.

    *differences* is the number of standings that differ, which the organiser has to accept.
    ``to_choose`` are the fields of people with similar names, ``same`` those with equal names.
    """

    def __init__(
        self, data: Any, people: "tuple[FilePerson, ...]", *, differences: int = 0
    ) -> None:
        super().__init__(data)
        if differences:
            text = _("Please say that you have seen where the standings differ.")
            self.fields["differences"] = forms.BooleanField(
                label=_("Import it with these differences"), error_messages={"required": text}
            )
        # The people to ask about, keyed by the name of the field that asks.
        self.asked = {f"person_{person.number}": person for person in people if person.choices}
        self.to_choose: list[forms.BoundField] = []
        self.same: list[forms.BoundField] = []
        for name, person in self.asked.items():
            players = [
                (str(player.pk), _("%(name)s, who plays here") % {"name": player.name})
                for player in person.choices
            ]
            new = (NEW, _("somebody new, called %(name)s") % {"name": person.new_name})
            # A player of the same name is chosen already; between similar ones the user chooses.
            no_choice = [("", _("Please choose"))] if person.open else []
            self.fields[name] = forms.ChoiceField(
                label=person.name,
                choices=[*no_choice, *players, new],
                initial="" if person.open else str(person.choices[0].pk),
            )
            (self.to_choose if person.open else self.same).append(self[name])

    @property
    def choices(self) -> dict[int, int | None]:
        """Return {person's number: key of the chosen player, or ``None`` for a new player}."""
        return {
            person.number: None if self.cleaned_data[name] == NEW else int(self.cleaned_data[name])
            for name, person in self.asked.items()
        }


@access.page
@require_safe
@never_cache
def tournament_file_page(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Download the tournament and its stages as one file."""
    from tracker.tournament_files.queries.export import tournament_file
    from tracker.tournament_files.queries.matches import refusal_sentence

    tournament = access.tournament(request, tournament_id, Role.ORGANISER)
    name = slugify(tournament.name, allow_unicode=True)[:60] or "tournament"
    disposition = content_disposition_header(as_attachment=True, filename=f"{name}.kula.zip")
    headers = {"Content-Disposition": disposition or "attachment", "X-Robots-Tag": "noindex"}
    try:
        content = tournament_file(tournament)
    except InvalidFileError as refusal:
        messages.error(request, refusal_sentence(refusal))
        return redirect(tournament)
    return HttpResponse(content, content_type="application/zip", headers=headers)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def tournament_import(request: HttpRequest, club_id: int) -> HttpResponse:
    """Upload a file, check it, and store it for a preview; nothing is imported yet."""
    club = access.club(request, club_id, Role.ORGANISER)
    form = TournamentFileForm(request.POST or None, request.FILES or None)
    # The tournament of the file, if it is on this site already and the user may see it.
    here = None
    if form.is_valid():
        from tracker.tournament_files.queries.matches import refusal_sentence
        from tracker.tournament_files.services import importing

        content = form.cleaned_data["file"]
        try:
            importing.store_upload(club_id=club.pk, content=content, by=access.actor(request))
        except RuleError as refusal:
            form.add_error("file", refusal_sentence(refusal))
            if isinstance(refusal, importing.TournamentHereError):
                known = refusal.tournament
                here = known if access.may_read(request, known.club) else None
        else:
            return redirect("tournament-look", club.pk)
    return access.render(request, "tournament_files/import.html", club, form=form, here=here)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def tournament_look(request: HttpRequest, club_id: int) -> HttpResponse:
    """Preview an uploaded file and its people, and import it on confirmation."""
    from tracker.tournament_files.logic.reading import read_document
    from tracker.tournament_files.queries.matches import people_of, refusal_sentence, teams_here
    from tracker.tournament_files.services import importing

    club = access.club(request, club_id, Role.ORGANISER)
    by = access.actor(request)
    upload = importing.upload_of(club_id=club.pk, by=by)
    if upload is None:
        messages.info(request, _("Please choose the file again."))
        return redirect("tournament-import", club.pk)
    content, differences = bytes(upload.content), upload.differences or []
    document = read_document(unpack(content).document, by.at)
    people = people_of(club.pk, document)
    data = request.POST if request.method == "POST" else None
    form = PeopleForm(data, people, differences=len(differences))
    if form.is_valid():
        try:
            tournament = importing.import_tournament(
                club_id=club.pk,
                content=content,
                choices=form.choices,
                by=by,
                accept_differences=form.cleaned_data.get("differences", False),
            )
        except RuleError as refusal:
            field = refusal.question if refusal.question in form.fields else None
            form.add_error(field, refusal_sentence(refusal))
        else:
            importing.forget_uploads(by)
            messages.success(request, _("“%(name)s” is in.") % {"name": tournament.name})
            return redirect(tournament)
    shown = {
        "form": form,
        "document": document,
        "new": [person for person in people if not person.choices],
        "teams_here": teams_here(club.pk, document),
        "differences": differences,
    }
    return access.render(request, "tournament_files/look.html", club, **shown)


@access.page
@require_POST
def import_undo(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Undo an import, if nothing was played or changed in it since."""
    from tracker.tournament_files.services.importing import undo_import

    tournament = access.tournament(request, tournament_id, Role.ORGANISER)
    why = _("Before the import of %(tournament)s was undone")
    copy_before_request(request, why % {"tournament": tournament.name})
    try:
        undo_import(tournament_id=tournament.pk, by=access.actor(request))
    except RuleError as refusal:
        messages.error(request, refusal_text(refusal))
        return redirect(tournament)
    messages.success(request, _("The import of “%(name)s” was undone.") % {"name": tournament.name})
    return redirect("tournaments", tournament.club_id)


urlpatterns = [
    path("tournaments/<int:tournament_id>/file/", tournament_file_page, name="tournament-file"),
    path("tournaments/<int:tournament_id>/import/undo/", import_undo, name="import-undo"),
    path("clubs/<int:club_id>/tournaments/import/", tournament_import, name="tournament-import"),
    path("clubs/<int:club_id>/tournaments/import/look/", tournament_look, name="tournament-look"),
]
