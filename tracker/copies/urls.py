"""The addresses of copies, for whoever keeps the site."""

from django.urls import path

from tracker.copies import views

urlpatterns = [
    path("copies/", views.copies, name="copies"),
    path("copies/<str:name>/", views.copy, name="copy"),
    path("copies/<str:name>/file/", views.copy_file, name="copy-file"),
]
