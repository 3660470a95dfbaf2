"""The address of what could be played."""

from django.urls import path

from tracker.planning import views

urlpatterns = [path("clubs/<int:club_id>/plan/", views.plan, name="plan")]
