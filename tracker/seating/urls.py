"""The addresses of wishes, keys, decided matches, and the cards that lead to a table."""

from django.urls import path

from tracker.seating.views import cards, rounds, wishes

urlpatterns = [
    path("clubs/<int:club_id>/wishes/", wishes.wishes, name="wishes"),
    path("tournaments/<int:tournament_id>/keys/", cards.keys, name="table-keys"),
    path("c/<str:card_token>/", cards.card, name="card"),
    path("c/<str:card_token>/qr.svg", cards.card_qr, name="card-qr"),
    path("sittings/<int:sitting_id>/decide/", rounds.match_decide, name="match-decide"),
    path("card/", cards.card_code, name="card-code"),
]
