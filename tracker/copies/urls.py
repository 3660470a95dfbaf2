"""URLs of the copies pages, for superusers."""

from django.urls import path

from tracker.copies import views

urlpatterns = [
    path("copies/", views.copies, name="copies"),
    path("copies/<str:name>/", views.copy, name="copy"),
    path("copies/<str:name>/file/", views.copy_file, name="copy-file"),
]
