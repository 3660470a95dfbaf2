"""URLs of draws and schedules."""

from django.urls import path

from tracker.draws.views import draw, my_table, schedule

urlpatterns = [
    path("clubs/<int:club_id>/my-table/", my_table.my_table_page, name="my-table"),
    path("tournaments/<int:tournament_id>/draw/", draw.draw, name="draw"),
    path("tournaments/<int:tournament_id>/schedule/", schedule.schedule, name="schedule"),
    path("tournaments/<int:tournament_id>/rounds/<int:number>/why/", schedule.why, name="why"),
]
