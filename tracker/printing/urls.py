"""The addresses of what is printed for a hall."""

from django.urls import path

from tracker.printing import views

urlpatterns = [
    path("tournaments/<int:tournament_id>/cards/", views.cards, name="print-cards"),
    path("tournaments/<int:tournament_id>/papers/", views.blank, name="print-blank"),
    path("tournaments/<int:tournament_id>/seating/", views.rounds, name="print-rounds"),
    path("nights/<int:night_id>/results/", views.results, name="print-results"),
    path("rounds/<int:round_id>/papers/", views.papers, name="print-sheets"),
    path("rounds/<int:round_id>/seating/", views.seats, name="print-seats"),
]
