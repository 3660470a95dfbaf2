"""URL of the page on the state of the site."""

from django.urls import path

from tracker.keeping import views

urlpatterns = [path("keeping/", views.keeping, name="keeping")]
