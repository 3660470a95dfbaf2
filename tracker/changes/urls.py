"""The addresses of changes: of a hand, of what waits to be settled, and of who sat where."""

from django.urls import path

from tracker.changes.views import corrections, issues, seats

urlpatterns = [
    path(
        "sittings/<int:sitting_id>/hands/<int:number>/",
        corrections.hand_correct,
        name="hand-correct",
    ),
    path("issues/<int:issue_id>/", issues.issue, name="issue"),
    path("rounds/<int:round_id>/seats/", seats.round_seats, name="round-seats"),
]
