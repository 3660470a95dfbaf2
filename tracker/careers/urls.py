"""The addresses of what players, pairs and teams have played."""

from django.urls import path

from tracker.careers import views

urlpatterns = [
    path("players/<int:player_id>/", views.player, name="player"),
    path("players/<int:player_id>/with/<int:other_id>/", views.pair, name="pair"),
    path("teams/<int:team_id>/", views.team, name="team"),
]
