"""The addresses of tournaments as files: written, looked at, taken in."""

from django.urls import path

from tracker.tournament_files import views

urlpatterns = [
    path(
        "tournaments/<int:tournament_id>/file/", views.tournament_file_page, name="tournament-file"
    ),
    path("tournaments/<int:tournament_id>/import/undo/", views.import_undo, name="import-undo"),
    path(
        "clubs/<int:club_id>/tournaments/import/", views.tournament_import, name="tournament-import"
    ),
    path(
        "clubs/<int:club_id>/tournaments/import/look/",
        views.tournament_look,
        name="tournament-look",
    ),
]
