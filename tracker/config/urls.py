"""Every address of the site."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, path

from tracker.views import (
    cards,
    clubs,
    corrections,
    desk,
    hands,
    home,
    matters,
    people,
    players,
    rounds,
    standings,
    table,
    teams,
    tonight,
    tournaments,
)

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("first/<str:token>/", people.first_owner, name="first-owner"),
    path("sign-in/", people.sign_in, name="sign-in"),
    path("sign-out/", people.sign_out, name="sign-out"),
    path("clubs/new/", clubs.club_new, name="club-new"),
    path("clubs/<int:club_id>/", clubs.club, name="club"),
    path("clubs/<int:club_id>/edit/", clubs.club_edit, name="club-edit"),
    path("clubs/<int:club_id>/players/", players.players, name="players"),
    path("clubs/<int:club_id>/teams/", teams.teams, name="teams"),
    path("clubs/<int:club_id>/tonight/", tonight.tonight, name="tonight"),
    path("clubs/<int:club_id>/tournaments/", tournaments.tournaments, name="tournaments"),
    path("clubs/<int:club_id>/tournaments/new/", tournaments.tournament_new, name="tournament-new"),
    path("players/<int:player_id>/edit/", players.player_edit, name="player-edit"),
    path("teams/<int:team_id>/edit/", teams.team_edit, name="team-edit"),
    path("tournaments/<int:tournament_id>/", standings.tournament, name="tournament"),
    path("tournaments/<int:tournament_id>/dealers/", standings.dealers, name="dealers"),
    path("tournaments/<int:tournament_id>/hands/", hands.tournament_hands, name="hands"),
    path(
        "tournaments/<int:tournament_id>/edit/", tournaments.tournament_edit, name="tournament-edit"
    ),
    path("tournaments/<int:tournament_id>/desk/", desk.desk, name="desk"),
    path("tournaments/<int:tournament_id>/rounds/new/", rounds.round_new, name="round-new"),
    path("rounds/<int:round_id>/close/", rounds.round_close, name="round-close"),
    path("rounds/<int:round_id>/undo/", rounds.round_undo, name="round-undo"),
    path("rounds/<int:round_id>/seats/", rounds.round_seats, name="round-seats"),
    path("sittings/<int:sitting_id>/", corrections.sitting, name="sitting"),
    path(
        "sittings/<int:sitting_id>/hands/<int:number>/",
        corrections.hand_correct,
        name="hand-correct",
    ),
    path("matters/<int:matter_id>/", matters.matter, name="matter"),
    path("t/<str:token>/", table.table, name="table"),
    path("t/<str:token>/check/", table.table_check, name="table-check"),
    path("t/<str:token>/dealer/", table.table_dealer, name="table-dealer"),
    path("t/<str:token>/settle/<int:matter_id>/", table.table_settle, name="table-settle"),
    path("t/<str:token>/query/<int:number>/", table.table_query, name="table-query"),
    path("c/<str:card_token>/", cards.card, name="card"),
    path("c/<str:card_token>/qr.svg", cards.card_qr, name="card-qr"),
    path("card/", cards.card_code, name="card-code"),
    path("admin/", admin.site.urls),
]
