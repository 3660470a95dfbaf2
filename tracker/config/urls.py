"""Every address of the site."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from tracker.nights.views import desk, front, nights, official, tonight
from tracker.nights.views import display as projector
from tracker.seating.views import cards, my_table, next_round, rounds, seats

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("tracker.reports.urls")),  # a hand on its way passes here: first
    path("", include("tracker.practice.urls")),
    path("", include("tracker.printing.urls")),
    path("", front.home, name="home"),
    path("", include("tracker.people.urls")),
    path("clubs/<int:club_id>/", front.club, name="club"),
    path("clubs/<int:club_id>/tonight/", tonight.tonight, name="tonight"),
    path("", include("tracker.tournaments.urls")),
    path("", include("tracker.seasons.urls")),
    path("clubs/<int:club_id>/nights/", nights.nights, name="nights"),
    path("clubs/<int:club_id>/nights/new/", nights.night_new, name="night-new"),
    path("nights/<int:night_id>/", nights.night, name="night"),
    path("nights/<int:night_id>/edit/", nights.night_edit, name="night-edit"),
    path("nights/<int:night_id>/people/", nights.night_people, name="night-people"),
    path("nights/<int:night_id>/display/", projector.night_display_page, name="night-display"),
    path("come/<str:night_uid>/", nights.night_rsvp, name="night-rsvp"),
    path("come/<str:night_uid>/night.ics", nights.night_calendar, name="night-calendar"),
    path("", include("tracker.careers.urls")),
    path("", include("tracker.standings.urls")),
    path(
        "tournaments/<int:tournament_id>/display/",
        projector.tournament_display,
        name="tournament-display",
    ),
    path("tournaments/<int:tournament_id>/official/", official.official, name="official"),
    path("tournaments/<int:tournament_id>/desk/", desk.desk, name="desk"),
    path("tournaments/<int:tournament_id>/rounds/new/", next_round.round_new, name="round-new"),
    path("rounds/<int:round_id>/close/", rounds.round_close, name="round-close"),
    path("rounds/<int:round_id>/undo/", rounds.round_undo, name="round-undo"),
    path("rounds/<int:round_id>/seats/", seats.round_seats, name="round-seats"),
    path("clubs/<int:club_id>/my-table/", my_table.my_table_page, name="my-table"),
    path("c/<str:card_token>/", cards.card, name="card"),
    path("c/<str:card_token>/qr.svg", cards.card_qr, name="card-qr"),
    path("card/", cards.card_code, name="card-code"),
    path("admin/", admin.site.urls),
]
