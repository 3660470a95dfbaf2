"""Every address of the site."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from tracker.nights.views import desk, front, nights, official, tonight
from tracker.nights.views import display as projector
from tracker.practice.views import practice, records
from tracker.practice.views import replay as replaying
from tracker.printing import views as printing
from tracker.reports.views import clock as clocks
from tracker.reports.views import corrections, hands, issues, paper, results, table
from tracker.reports.views import table_actions as table_acts
from tracker.seating.views import cards, my_table, next_round, rounds, seats

urlpatterns: list[URLPattern | URLResolver] = [
    path("", front.home, name="home"),
    path("", include("tracker.people.urls")),
    path("practice/", practice.practice, name="practice"),
    path("practice/<str:game>/", practice.practice_game, name="practice-game"),
    path("replay/", replaying.replay, name="replay"),
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
    path("tournaments/<int:tournament_id>/hands/", hands.tournament_hands, name="hands"),
    path("tournaments/<int:tournament_id>/desk/", desk.desk, name="desk"),
    path("tournaments/<int:tournament_id>/rounds/new/", next_round.round_new, name="round-new"),
    path("rounds/<int:round_id>/close/", rounds.round_close, name="round-close"),
    path("rounds/<int:round_id>/undo/", rounds.round_undo, name="round-undo"),
    path("rounds/<int:round_id>/seats/", seats.round_seats, name="round-seats"),
    path("sittings/<int:sitting_id>/", corrections.sitting, name="sitting"),
    path(
        "sittings/<int:sitting_id>/hands/<int:number>/",
        corrections.hand_correct,
        name="hand-correct",
    ),
    path(
        "sittings/<int:sitting_id>/hands/<int:number>/record/",
        records.hand_record,
        name="hand-record",
    ),
    path("sittings/<int:sitting_id>/paper/", paper.paper, name="paper"),
    path("tournaments/<int:tournament_id>/cards/", printing.cards, name="print-cards"),
    path("tournaments/<int:tournament_id>/papers/", printing.blank, name="print-blank"),
    path("rounds/<int:round_id>/papers/", printing.papers, name="print-sheets"),
    path("rounds/<int:round_id>/seating/", printing.seats, name="print-seats"),
    path("clubs/<int:club_id>/my-table/", my_table.my_table_page, name="my-table"),
    path("sittings/<int:sitting_id>/result/", results.result_only, name="result-only"),
    path("tournaments/<int:tournament_id>/paper/", paper.paper_file, name="paper-file"),
    path("issues/<int:issue_id>/", issues.issue, name="issue"),
    path("t/<str:token>/", table.table, name="table"),
    path("t/<str:token>/check/", table.table_check, name="table-check"),
    path("t/<str:token>/clock/", clocks.table_clock, name="table-clock"),
    path("t/<str:token>/dealer/", table_acts.table_dealer, name="table-dealer"),
    path("t/<str:token>/result/", results.table_result, name="table-result"),
    path("t/<str:token>/settle/<int:issue_id>/", table_acts.table_settle, name="table-settle"),
    path("t/<str:token>/query/<int:number>/", table_acts.table_query, name="table-query"),
    path("c/<str:card_token>/", cards.card, name="card"),
    path("c/<str:card_token>/qr.svg", cards.card_qr, name="card-qr"),
    path("card/", cards.card_code, name="card-code"),
    path("admin/", admin.site.urls),
]
