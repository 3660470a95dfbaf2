"""The addresses of tables, their sheets and papers, and of corrections."""

from django.urls import path

from tracker.reports.views import (
    corrections,
    hands,
    paper,
    results,
    table,
    table_actions,
)

urlpatterns = [
    path("t/<str:token>/", table.table, name="table"),
    path("t/<str:token>/check/", table.table_check, name="table-check"),
    path("t/<str:token>/next/", table.table_next, name="table-next"),
    path("t/<str:token>/dealer/", table_actions.table_dealer, name="table-dealer"),
    path("t/<str:token>/result/", results.table_result, name="table-result"),
    path("t/<str:token>/settle/<int:issue_id>/", table_actions.table_settle, name="table-settle"),
    path("t/<str:token>/query/<int:number>/", table_actions.table_query, name="table-query"),
    path("t/<str:token>/side/", table_actions.table_side, name="table-side"),
    path("t/<str:token>/confirm/<int:number>/", table_actions.table_confirm, name="table-confirm"),
    path(
        "t/<str:token>/take-back/<int:number>/",
        table_actions.table_take_back,
        name="table-take-back",
    ),
    path("t/<str:token>/call/", table_actions.table_call, name="table-call"),
    path("tournaments/<int:tournament_id>/hands/", hands.tournament_hands, name="hands"),
    path("rounds/<int:round_id>/undo/", corrections.round_undo, name="round-undo"),
    path("sittings/<int:sitting_id>/", corrections.sitting, name="sitting"),
    path(
        "sittings/<int:sitting_id>/confirm/", table_actions.sitting_confirm, name="sitting-confirm"
    ),
    path("sittings/<int:sitting_id>/hands/<int:number>/history/", hands.hand, name="hand"),
    path("sittings/<int:sitting_id>/paper/", paper.paper, name="paper"),
    path("sittings/<int:sitting_id>/result/", results.result_only, name="result-only"),
    path("tournaments/<int:tournament_id>/paper/", paper.paper_file, name="paper-file"),
]
