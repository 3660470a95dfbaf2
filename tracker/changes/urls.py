"""The addresses of changes: of a hand, of what waits to be settled, of seats, and of what ranks."""

from django.urls import path

from tracker.changes.views import corrections, issues, ranking, seats

urlpatterns = [
    path(
        "sittings/<int:sitting_id>/hands/<int:number>/",
        corrections.hand_correct,
        name="hand-correct",
    ),
    path("issues/<int:issue_id>/", issues.issue, name="issue"),
    path("tournaments/<int:tournament_id>/ranked-by/", ranking.ranking, name="ranked-by"),
    path("rounds/<int:round_id>/seats/", seats.round_seats, name="round-seats"),
]
