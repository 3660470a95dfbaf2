"""Every address of the site, but for ``/health/``, which is answered before any (``middleware.health``)."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("tracker.reports.urls")),  # a hand on its way passes here: first
    path("", include("tracker.practice.urls")),
    path("", include("tracker.rules.urls")),
    path("", include("tracker.printing.urls")),
    path("", include("tracker.planning.urls")),
    path("", include("tracker.people.urls")),
    path("", include("tracker.audit.urls")),
    path("", include("tracker.tournaments.urls")),
    path("", include("tracker.tournament_files.urls")),
    path("", include("tracker.changes.urls")),
    path("", include("tracker.seasons.urls")),
    path("", include("tracker.front.urls")),
    path("", include("tracker.nights.urls")),
    path("", include("tracker.careers.urls")),
    path("", include("tracker.standings.urls")),
    path("", include("tracker.draws.urls")),
    path("", include("tracker.seating.urls")),
    path("", include("tracker.keeping.urls")),
    path("", include("tracker.copies.urls")),
    path("", include("tracker.installed.urls")),
    path("admin/", admin.site.urls),
]

handler400 = "tracker.common.web.errors.bad_request"
handler403 = "tracker.common.web.errors.permission_denied"
handler404 = "tracker.common.web.errors.page_not_found"
handler500 = "tracker.common.web.errors.server_error"
