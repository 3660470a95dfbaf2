"""Where people sign in, and where a club keeps its players, teams and clubs."""

from django.urls import path

from tracker.people.views import accounts, clubs, players, teams

urlpatterns = [
    path("first/<str:token>/", accounts.first_owner, name="first-owner"),
    path("sign-in/", accounts.sign_in, name="sign-in"),
    path("sign-out/", accounts.sign_out, name="sign-out"),
    path("join/<str:token>/", accounts.join_club, name="join"),
    path("account/", accounts.account, name="account"),
    path("password/", accounts.password, name="password"),
    path("password/<str:uidb64>/<str:token>/", accounts.password_new, name="password-new"),
    path("clubs/new/", clubs.club_new, name="club-new"),
    path("clubs/<int:club_id>/edit/", clubs.club_edit, name="club-edit"),
    path("clubs/<int:club_id>/me/", accounts.claim, name="claim"),
    path("clubs/<int:club_id>/people/", clubs.members, name="members"),
    path("people/<int:membership_id>/", clubs.member, name="member"),
    path(
        "invitations/<int:invitation_id>/withdraw/",
        clubs.invitation_withdraw,
        name="invitation-withdraw",
    ),
    path("invitations/<int:invitation_id>/qr.svg", clubs.invitation_qr, name="invitation-qr"),
    path("clubs/<int:club_id>/players/", players.players, name="players"),
    path("clubs/<int:club_id>/players/import/", players.players_import, name="players-import"),
    path("clubs/<int:club_id>/players/twice/", players.duplicates, name="duplicates"),
    path("players/<int:player_id>/edit/", players.player_edit, name="player-edit"),
    path("players/<int:player_id>/login/", players.player_login, name="player-login"),
    path("players/<int:player_id>/merge/", players.player_merge, name="player-merge"),
    path("players/<int:player_id>/forget/", players.player_erase, name="player-erase"),
    path("mergers/<int:log_entry_id>/undo/", players.merge_undo, name="merge-undo"),
    path("clubs/<int:club_id>/teams/", teams.teams, name="teams"),
    path("teams/<int:team_id>/edit/", teams.team_edit, name="team-edit"),
]
