"""Every address of the site except ``/health/``, which ``middleware.health`` answers itself."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from games.game import is_installed

# Package in ``tracker`` -> its modules of pages, each with ``urlpatterns`` for ``include``.
_PAGES = {
    "results.pages": [
        "table", "table_actions", "result_only", "hands", "table_hands", "round_undo", "paper",
        "correct_hand", "issues", "ranking", "seat_changes",
    ],
    "people.pages": [
        "accounts", "api_tokens", "clubs", "players", "importing", "duplicate_players", "teams",
    ],
    "tournaments.pages": ["planner", "tournaments", "entrants"],
    "standings.pages": [
        "seasons", "careers", "pair", "standings", "awards", "crosstable", "story", "stages", "entrant"
    ],
    "nights.pages": [
        "printing", "home", "search", "tonight", "display", "nights", "attendance", "calendars", "door",
        "desk",
    ],
    "seating.pages": ["my_table", "draw", "schedule", "wishes", "table_cards", "rounds"],
    "site.pages": ["health", "installed_app"],
    "rules": ["pages"], "audit": ["pages"], "tournament_files": ["pages"], "backups": ["pages"],
    "api": ["pages"], "webhooks": ["pages"],
}  # fmt: skip
if is_installed("games.play"):  # where games are only scored nothing is practised
    _PAGES["practice.pages"] = ["practice", "replay"]
urlpatterns: list[URLPattern | URLResolver] = [
    *(
        path("", include(f"tracker.{package}.{module}"))
        for package, modules in _PAGES.items()
        for module in modules
    ),
    path("admin/", admin.site.urls),
]

handler400 = "tracker.common.web.error_pages.bad_request"
handler403 = "tracker.common.web.error_pages.permission_denied"
handler404 = "tracker.common.web.error_pages.page_not_found"
handler500 = "tracker.common.web.error_pages.server_error"
