"""Every address of the site, but for ``/health/``, which is answered before any (``middleware.health``)."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("tracker.results.pages.table")),
    path("", include("tracker.results.pages.table_actions")),
    path("", include("tracker.results.pages.results")),
    path("", include("tracker.results.pages.hands")),
    path("", include("tracker.results.pages.sitting")),
    path("", include("tracker.results.pages.paper")),
    path("", include("tracker.practice.pages.practice")),
    path("", include("tracker.practice.pages.replay")),
    path("", include("tracker.rules.pages")),
    path("", include("tracker.nights.pages.printing")),
    path("", include("tracker.tournaments.pages.planner")),
    path("", include("tracker.people.pages.accounts")),
    path("", include("tracker.people.pages.clubs")),
    path("", include("tracker.people.pages.players")),
    path("", include("tracker.people.pages.importing")),
    path("", include("tracker.people.pages.duplicates")),
    path("", include("tracker.people.pages.teams")),
    path("", include("tracker.audit.pages")),
    path("", include("tracker.tournaments.pages.tournaments")),
    path("", include("tracker.tournaments.pages.entrants")),
    path("", include("tracker.tournament_files.pages")),
    path("", include("tracker.results.pages.correction")),
    path("", include("tracker.results.pages.issues")),
    path("", include("tracker.results.pages.ranking")),
    path("", include("tracker.results.pages.seat_changes")),
    path("", include("tracker.standings.pages.seasons")),
    path("", include("tracker.nights.pages.home")),
    path("", include("tracker.nights.pages.search")),
    path("", include("tracker.nights.pages.tonight")),
    path("", include("tracker.nights.pages.display")),
    path("", include("tracker.nights.pages.nights")),
    path("", include("tracker.nights.pages.attendance")),
    path("", include("tracker.nights.pages.door")),
    path("", include("tracker.nights.pages.desk")),
    path("", include("tracker.nights.pages.both_desks")),
    path("", include("tracker.standings.pages.careers")),
    path("", include("tracker.standings.pages.standings")),
    path("", include("tracker.standings.pages.awards")),
    path("", include("tracker.standings.pages.crosstable")),
    path("", include("tracker.standings.pages.story")),
    path("", include("tracker.standings.pages.race")),
    path("", include("tracker.standings.pages.stages")),
    path("", include("tracker.seating.pages.my_table")),
    path("", include("tracker.seating.pages.draw")),
    path("", include("tracker.seating.pages.schedule")),
    path("", include("tracker.seating.pages.wishes")),
    path("", include("tracker.seating.pages.cards")),
    path("", include("tracker.seating.pages.rounds")),
    path("", include("tracker.site.pages.health")),
    path("", include("tracker.backups.pages")),
    path("", include("tracker.site.pages.installed")),
    path("admin/", admin.site.urls),
]

handler400 = "tracker.common.web.errors.bad_request"
handler403 = "tracker.common.web.errors.permission_denied"
handler404 = "tracker.common.web.errors.page_not_found"
handler500 = "tracker.common.web.errors.server_error"
