"""Views of the site's copies, for superusers: list, make, inspect, download."""

from typing import cast

from django.contrib import messages
from django.db import connection
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from tracker.backups.archive import make_copy, thin_out
from tracker.backups.copies import CopyFailed, CopyFile, CopyKind, copies_folder, stored_copies
from tracker.backups.losses import loss_by_archive
from tracker.common.audit_log import log
from tracker.common.web import access


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def copies(request: HttpRequest) -> HttpResponse:
    """List the copies, and make one now."""
    access.check_superuser(request)
    if request.method == "POST":
        now = timezone.now()
        try:
            make_copy(kind=CopyKind.ASKED, now=now)
        except CopyFailed as failure:
            messages.error(request, str(failure))
        else:
            thin_out(now)
            messages.success(request, _("The copy is made. Download it to another machine, too."))
        return redirect("copies")
    stored = stored_copies()
    context = {
        "copies": [each for each in stored if each.kind is not CopyKind.NIGHT],
        "automatic": [each for each in stored if each.kind is CopyKind.NIGHT],
        "on_sqlite": connection.vendor == "sqlite",
        "folder": copies_folder(),
    }
    return render(request, "backups/copies.html", context)


@access.page
@require_safe
@never_cache
def copy(request: HttpRequest, name: str) -> HttpResponse:
    """Show what is in a copy, and what restoring it would lose."""
    access.check_superuser(request)
    shown = _stored_copy(name)
    problem = ""
    lost: list[str] = []
    if shown.note:  # which describes what is in the copy; a damaged copy has none
        try:
            lost = loss_by_archive(copies_folder() / name, shown.note)
        except CopyFailed as failure:
            problem = str(failure)
    context = {
        "copy": shown,
        "lost": lost,
        "problem": problem,
        "on_sqlite": connection.vendor == "sqlite",
    }
    return render(request, "backups/copy.html", context)


@access.page
@require_safe
def copy_file(request: HttpRequest, name: str) -> HttpResponse:
    """Download a copy."""
    access.check_superuser(request)
    file = (copies_folder() / _stored_copy(name).name).open("rb")
    if request.method == "GET":
        log(access.actor(request), "copy-taken-away", club_id=None)
    response = FileResponse(file, as_attachment=True, filename=name, content_type="application/zip")
    response.headers["Cache-Control"] = "no-store, private"
    response.headers["Content-Encoding"] = "identity"  # it is compressed already
    return cast("HttpResponse", response)  # Django's types keep streams apart


def _stored_copy(name: str) -> CopyFile:
    """Return the copy of this name, from the list of the folder: so no name leads out of it."""
    for stored in stored_copies():
        if stored.name == name:
            return stored
    raise Http404


urlpatterns = [
    path("copies/", copies, name="copies"),
    path("copies/<str:name>/", copy, name="copy"),
    path("copies/<str:name>/file/", copy_file, name="copy-file"),
]
