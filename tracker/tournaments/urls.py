"""URLs to list, make and edit tournaments, and to enter who plays."""

from django.urls import path

from tracker.tournaments.views import entrants, tournaments

urlpatterns = [
    path("clubs/<int:club_id>/tournaments/", tournaments.tournaments, name="tournaments"),
    path("clubs/<int:club_id>/tournaments/new/", tournaments.tournament_new, name="tournament-new"),
    path(
        "tournaments/<int:tournament_id>/edit/",
        tournaments.tournament_edit,
        name="tournament-edit",
    ),
    path("tournaments/<int:tournament_id>/entrants/", entrants.entrants, name="entrants"),
]
