"""The addresses of the rules."""

from django.urls import path
from django.views.generic import TemplateView

from tracker.rules import views

urlpatterns = [
    path("guide/", TemplateView.as_view(template_name="rules/guide.html"), name="guide"),
    path("rules/", views.rules, name="rules"),
    path("rules/<str:game>/", views.how_to_play, name="how-to-play"),
    path("rules/<str:game>/referee/", views.referee, name="referee"),
]
