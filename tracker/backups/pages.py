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

from tracker.backups.listing import Listed, folder, listed, listed_copies
from tracker.backups.losses import lines, what_would_be_lost
from tracker.backups.making import make_copy, thin_out
from tracker.backups.stored import CopyFailed, CopyKind
from tracker.common.audit_log import log
from tracker.common.web import access


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def copies(request: HttpRequest) -> HttpResponse:
    """List the copies, and make one now."""
    access.check_keeper(request)
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
    every = listed_copies()
    context = {
        "copies": [each for each in every if each.copy.kind is not CopyKind.NIGHT],
        "by_itself": [each for each in every if each.copy.kind is CopyKind.NIGHT],
        "makes_them_itself": connection.vendor == "sqlite",
        "folder": folder(),
    }
    return render(request, "backups/copies.html", context)


@access.page
@require_safe
@never_cache
def copy(request: HttpRequest, name: str) -> HttpResponse:
    """Say what a copy holds, and what would be lost if it took the place of what is there."""
    access.check_keeper(request)
    listed_copy = _copy_of(name)
    problem = ""
    lost: list[str] = []
    if listed_copy.note:
        try:
            lost = list(
                lines(what_would_be_lost(folder() / listed_copy.copy.name, listed_copy.note))
            )
        except CopyFailed as failure:
            problem = str(failure)
    context = {"listed_copy": listed_copy, "lost": lost, "problem": problem, "folder": folder()}
    return render(request, "backups/copy.html", context)


@access.page
@require_safe
def copy_file(request: HttpRequest, name: str) -> HttpResponse:
    """Download a copy."""
    access.check_keeper(request)
    listed_copy = _copy_of(name)
    file = (folder() / listed_copy.copy.name).open("rb")
    if request.method == "GET":
        log(access.actor(request), "copy-taken-away", club_id=None)
    answer = FileResponse(file, as_attachment=True, filename=name, content_type="application/zip")
    answer.headers["Cache-Control"] = "no-store, private"
    answer.headers["Content-Encoding"] = "identity"  # packed already: not once more on its way
    return cast("HttpResponse", answer)  # a stream, which Django types apart


def _copy_of(name: str) -> Listed:
    listed_copy = listed(name)
    if listed_copy is None:
        raise Http404
    return listed_copy


urlpatterns = [
    path("copies/", copies, name="copies"),
    path("copies/<str:name>/", copy, name="copy"),
    path("copies/<str:name>/file/", copy_file, name="copy-file"),
]
