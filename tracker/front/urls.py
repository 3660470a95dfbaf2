"""The addresses of the front pages, and of the search."""

from django.urls import path

from tracker.front import views

urlpatterns = [
    path("", views.home, name="home"),
    path("clubs/<int:club_id>/", views.club, name="club"),
    path("clubs/<int:club_id>/search/", views.search, name="search"),
]
