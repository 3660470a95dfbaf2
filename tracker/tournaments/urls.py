"""Where tournaments are made, listed and changed."""

from django.urls import path

from tracker.tournaments import views

urlpatterns = [
    path("clubs/<int:club_id>/tournaments/", views.tournaments, name="tournaments"),
    path("clubs/<int:club_id>/tournaments/new/", views.tournament_new, name="tournament-new"),
    path("tournaments/<int:tournament_id>/edit/", views.tournament_edit, name="tournament-edit"),
]
