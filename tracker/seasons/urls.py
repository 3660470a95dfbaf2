"""The addresses of seasons."""

from django.urls import path

from tracker.seasons import views

urlpatterns = [
    path("clubs/<int:club_id>/seasons/", views.seasons, name="seasons"),
    path("seasons/<int:season_id>/", views.season, name="season"),
    path("seasons/<int:season_id>/edit/", views.season_edit, name="season-edit"),
    path("seasons/<int:season_id>/picture.png", views.season_picture, name="season-picture"),
]
