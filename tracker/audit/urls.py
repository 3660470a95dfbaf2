"""The address of the log."""

from django.urls import path

from tracker.audit import views

urlpatterns = [path("clubs/<int:club_id>/log/", views.club_log, name="log")]
