"""The addresses of standings."""

from django.urls import path

from tracker.standings.views import awards, stages, standings, story

urlpatterns = [
    path("tournaments/<int:tournament_id>/", standings.tournament, name="tournament"),
    path("tournaments/<int:tournament_id>/dealers/", standings.dealers, name="dealers"),
    path("tournaments/<int:tournament_id>/bracket/", standings.bracket, name="bracket"),
    path(
        "tournaments/<int:tournament_id>/who-met-whom/",
        standings.who_met_whom,
        name="crosstable",
    ),
    path("tournaments/<int:tournament_id>/prizes/", awards.prizes, name="prizes"),
    path("tournaments/<int:tournament_id>/story/", story.tournament_story, name="story"),
    path("tournaments/<int:tournament_id>/race.svg", story.race_picture, name="race"),
    path(
        "tournaments/<int:tournament_id>/picture.png",
        standings.picture,
        name="tournament-picture",
    ),
    path("tournaments/<int:tournament_id>/awards/", awards.awards, name="awards"),
    path("tournaments/<int:tournament_id>/stages/new/", stages.stage_new, name="stage-new"),
    path("tournaments/<int:tournament_id>/ranking/", stages.event, name="final-ranking"),
]
