"""The addresses of an evening: nights, tonight, desks, the display."""

from django.urls import path

from tracker.nights.views import (
    attendance,
    both_desks,
    desk,
    display,
    door,
    nights,
    tonight,
)

urlpatterns = [
    path("clubs/<int:club_id>/tonight/", tonight.tonight, name="tonight"),
    path("clubs/<int:club_id>/my-table.svg", display.my_table_qr, name="my-table-qr"),
    path("clubs/<int:club_id>/nights/", nights.nights, name="nights"),
    path("clubs/<int:club_id>/nights/new/", nights.night_new, name="night-new"),
    path("nights/<int:night_id>/", nights.night_page, name="night"),
    path("nights/<int:night_id>/edit/", nights.night_edit, name="night-edit"),
    path("nights/<int:night_id>/people/", attendance.night_people, name="night-people"),
    path("nights/<int:night_id>/door/", door.night_door, name="night-door"),
    path("door/<str:door_token>/", door.door, name="door"),
    path("door/<str:door_token>/qr.svg", door.door_qr, name="door-qr"),
    path("nights/<int:night_id>/display/", display.night_display_page, name="night-display"),
    path("come/<str:night_uid>/", attendance.night_rsvp, name="night-rsvp"),
    path("come/<str:night_uid>/night.ics", attendance.night_calendar, name="night-calendar"),
    path("tournaments/<int:tournament_id>/desk/", desk.desk, name="desk"),
    path("tournaments/<int:tournament_id>/table/", desk.table_new, name="table-new"),
    path(
        "tournaments/<int:tournament_id>/display/",
        display.tournament_display,
        name="tournament-display",
    ),
    path("tournaments/<int:tournament_id>/official/", both_desks.official, name="official"),
    path("rounds/<int:round_id>/close/", desk.round_close, name="round-close"),
]
