"""Every address of the site."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, path

from tracker.careers import views as careers
from tracker.nights.views import desk, home, nights, official, tonight
from tracker.nights.views import display as projector
from tracker.people.views import accounts as joining
from tracker.people.views import clubs, erasing, importing, members, merging, players, teams
from tracker.people.views import sign_in as people
from tracker.practice.views import practice, records
from tracker.practice.views import replay as replaying
from tracker.printing import views as printing
from tracker.reports.views import clock as clocks
from tracker.reports.views import corrections, hands, issues, paper, results, table
from tracker.reports.views import table_actions as table_acts
from tracker.seasons import views as seasons
from tracker.seating.views import cards, my_table, next_round, rounds, seats
from tracker.standings.views import awards, prizes, standings, story
from tracker.tournaments import views as tournaments

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("first/<str:token>/", people.first_owner, name="first-owner"),
    path("practice/", practice.practice, name="practice"),
    path("practice/<str:game>/", practice.practice_game, name="practice-game"),
    path("replay/", replaying.replay, name="replay"),
    path("sign-in/", people.sign_in, name="sign-in"),
    path("sign-out/", people.sign_out, name="sign-out"),
    path("join/<str:token>/", joining.join_club, name="join"),
    path("account/", joining.account, name="account"),
    path("password/", joining.password, name="password"),
    path("password/<str:uidb64>/<str:token>/", joining.password_new, name="password-new"),
    path("clubs/new/", clubs.club_new, name="club-new"),
    path("clubs/<int:club_id>/", clubs.club, name="club"),
    path("clubs/<int:club_id>/edit/", clubs.club_edit, name="club-edit"),
    path("clubs/<int:club_id>/people/", members.members, name="members"),
    path("clubs/<int:club_id>/me/", joining.claim, name="claim"),
    path("people/<int:membership_id>/", members.member, name="member"),
    path(
        "invitations/<int:invitation_id>/withdraw/",
        members.invitation_withdraw,
        name="invitation-withdraw",
    ),
    path("invitations/<int:invitation_id>/qr.svg", members.invitation_qr, name="invitation-qr"),
    path("clubs/<int:club_id>/players/", players.players, name="players"),
    path("clubs/<int:club_id>/players/import/", importing.players_import, name="players-import"),
    path("clubs/<int:club_id>/players/twice/", merging.duplicates, name="duplicates"),
    path("clubs/<int:club_id>/teams/", teams.teams, name="teams"),
    path("clubs/<int:club_id>/tonight/", tonight.tonight, name="tonight"),
    path("clubs/<int:club_id>/tournaments/", tournaments.tournaments, name="tournaments"),
    path("clubs/<int:club_id>/tournaments/new/", tournaments.tournament_new, name="tournament-new"),
    path("clubs/<int:club_id>/seasons/", seasons.seasons, name="seasons"),
    path("seasons/<int:season_id>/", seasons.season, name="season"),
    path("seasons/<int:season_id>/edit/", seasons.season_edit, name="season-edit"),
    path("clubs/<int:club_id>/nights/", nights.nights, name="nights"),
    path("clubs/<int:club_id>/nights/new/", nights.night_new, name="night-new"),
    path("nights/<int:night_id>/", nights.night, name="night"),
    path("nights/<int:night_id>/edit/", nights.night_edit, name="night-edit"),
    path("nights/<int:night_id>/people/", nights.night_people, name="night-people"),
    path("nights/<int:night_id>/display/", projector.night_display_page, name="night-display"),
    path("come/<str:night_uid>/", nights.night_rsvp, name="night-rsvp"),
    path("come/<str:night_uid>/night.ics", nights.night_calendar, name="night-calendar"),
    path("players/<int:player_id>/", careers.player, name="player"),
    path("players/<int:player_id>/with/<int:other_id>/", careers.pair, name="pair"),
    path("players/<int:player_id>/edit/", players.player_edit, name="player-edit"),
    path("players/<int:player_id>/login/", players.player_login, name="player-login"),
    path("players/<int:player_id>/merge/", merging.player_merge, name="player-merge"),
    path("players/<int:player_id>/forget/", erasing.player_erase, name="player-erase"),
    path("mergers/<int:log_entry_id>/undo/", merging.merge_undo, name="merge-undo"),
    path("teams/<int:team_id>/", careers.team, name="team"),
    path("teams/<int:team_id>/edit/", teams.team_edit, name="team-edit"),
    path("tournaments/<int:tournament_id>/", standings.tournament, name="tournament"),
    path("tournaments/<int:tournament_id>/dealers/", standings.dealers, name="dealers"),
    path(
        "tournaments/<int:tournament_id>/display/",
        projector.tournament_display,
        name="tournament-display",
    ),
    path("tournaments/<int:tournament_id>/official/", official.official, name="official"),
    path("tournaments/<int:tournament_id>/prizes/", prizes.prizes, name="prizes"),
    path("tournaments/<int:tournament_id>/story/", story.tournament_story, name="story"),
    path("tournaments/<int:tournament_id>/race.svg", story.race_picture, name="race"),
    path("tournaments/<int:tournament_id>/hands/", hands.tournament_hands, name="hands"),
    path(
        "tournaments/<int:tournament_id>/edit/", tournaments.tournament_edit, name="tournament-edit"
    ),
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
    path("tournaments/<int:tournament_id>/awards/", awards.awards, name="awards"),
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
