"""The addresses of the practice table and of recorded hands."""

from django.urls import path

from tracker.practice import views

urlpatterns = [
    path("practice/", views.practice, name="practice"),
    path("practice/<str:game>/", views.practice_game, name="practice-game"),
    path("replay/", views.replay, name="replay"),
    path(
        "sittings/<int:sitting_id>/hands/<int:number>/record/",
        views.hand_record,
        name="hand-record",
    ),
]
