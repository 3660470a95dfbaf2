"""The addresses of the rules."""

from django.urls import path

from tracker.rules import views

urlpatterns = [
    path("rules/", views.rules, name="rules"),
    path("rules/<str:game>/", views.how_to_play, name="how-to-play"),
    path("rules/<str:game>/referee/", views.referee, name="referee"),
]
