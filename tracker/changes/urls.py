"""The addresses of changes: of a hand, and of who sat where."""

from django.urls import path

from tracker.changes.views import corrections, seats

urlpatterns = [
    path(
        "sittings/<int:sitting_id>/hands/<int:number>/",
        corrections.hand_correct,
        name="hand-correct",
    ),
    path("rounds/<int:round_id>/seats/", seats.round_seats, name="round-seats"),
]
