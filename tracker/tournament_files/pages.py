"""Pages that export a tournament as a file and import one after a preview."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.errors import RuleError
from tracker.backups.automatic import copy_before_request
from tracker.common.forms import refusal_text
from tracker.common.web import access
from tracker.models import Role
from tracker.tournament_files.forms import PeopleForm, TournamentFileForm
from tracker.tournament_files.logic.packing import document_of
from tracker.tournament_files.queries.look import look_at, why_refused
from tracker.tournament_files.queries.writing import tournament_file
from tracker.tournament_files.services.importing import (
    TournamentHereError,
    forget_uploads,
    import_tournament,
    take_upload,
    upload_of,
)
from tracker.tournament_files.services.undoing import undo_import


@access.page
@require_safe
@never_cache
def tournament_file_page(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Give the tournament and its stages away as one file."""
    tournament = access.tournament(request, tournament_id, Role.ORGANISER)
    name = slugify(tournament.name, allow_unicode=True)[:60] or "tournament"
    held = content_disposition_header(as_attachment=True, filename=f"{name}.kula.zip")
    headers = {"Content-Disposition": held or "attachment", "X-Robots-Tag": "noindex"}
    return HttpResponse(
        tournament_file(tournament), content_type="application/zip", headers=headers
    )


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def tournament_import(request: HttpRequest, club_id: int) -> HttpResponse:
    """Ask for a file, read all of it, and keep it for a look; nothing is taken in yet."""
    club = access.club(request, club_id, Role.ORGANISER)
    form = TournamentFileForm(request.POST or None, request.FILES or None)
    here = None
    if request.method == "POST" and form.is_valid():
        try:
            take_upload(club_id=club.pk, content=form.content, by=access.actor(request))
        except RuleError as refusal:
            form.add_error("file", why_refused(refusal))
            if isinstance(refusal, TournamentHereError):
                there = refusal.tournament
                here = there if access.may_read(request, there.club) else None
        else:
            return redirect("tournament-look", club.pk)
    context = access.context(request, club, form=form, here=here)
    return render(request, "tournament_files/import.html", context)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def tournament_look(request: HttpRequest, club_id: int) -> HttpResponse:
    """Preview an uploaded file and its people, and import it on confirmation."""
    club = access.club(request, club_id, Role.ORGANISER)
    by = access.actor(request)
    upload = upload_of(club_id=club.pk, by=by)
    if upload is None:
        messages.info(request, _("Please choose the file again."))
        return redirect("tournament-import", club.pk)
    content, differences = bytes(upload.content), upload.differences or []
    look = look_at(club.pk, document_of(content))
    data = request.POST if request.method == "POST" else None
    form = PeopleForm(data, look.people, differences=len(differences))
    if form.is_valid():
        try:
            made = import_tournament(
                club_id=club.pk,
                content=content,
                choices=form.choices,
                by=by,
                accept_differences=form.cleaned_data.get("differences", False),
            )
        except RuleError as refusal:
            field = refusal.question if refusal.question in form.fields else None
            form.add_error(field, why_refused(refusal))
        else:
            forget_uploads(by)
            messages.success(request, _("“%(name)s” is in.") % {"name": made.name})
            return redirect(made)
    context = access.context(request, club, form=form, look=look, differences=differences)
    return render(request, "tournament_files/look.html", context)


@access.page
@require_POST
def import_undo(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Undo an import, if nothing was played or changed in it since."""
    tournament = access.tournament(request, tournament_id, Role.ORGANISER)
    said = _("Before the import of %(tournament)s was undone")
    copy_before_request(request, said % {"tournament": tournament.name})
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
