"""The race chart of a tournament as an SVG image: points of each *runner* (entrant) by round."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from tracker.common.figures import figure
from tracker.common.web import access
from tracker.standings.logic.race_chart import NARROW, WIDE, draw
from tracker.standings.queries.points_by_round import race

COLOURED = 6  # runners with a colour of their own; the others are grey
SHEETS = {"": WIDE, "narrow": NARROW}  # keyed by ?sheet=
# Keyed by ?look=: the colours of the first runners' lines, with a contrast of at least 3 to 1.
_INKS = {
    "": ("#0c5b4f", "#a1370c", "#5b3a94", "#1a4a74", "#7a5200", "#a3162d"),
    "dark": ("#6fd0bd", "#ffb27a", "#c9b3ff", "#8fc3ff", "#ffd166", "#ff9db0"),
}
_DASHES = ("none", "7 3", "2 3", "10 3 2 3", "5 2", "1 3")  # of these lines, written as in SVG
# Keyed by ?look=: the colours of the background, of text, and of the ruled lines.
_PAPER = {"": ("#ffffff", "#4d5d55", "#cdd5c7"), "dark": ("#15211d", "#a6b7af", "#33463f")}


@access.page
@require_safe
@cache_control(private=True, max_age=20)
def race_picture(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Draw the race; with ``?look=dark`` for a dark page, with ``?sheet=narrow`` for a phone."""
    run = race(access.tournament(request, tournament_id))
    if not run.rounds:
        raise Http404
    look = "dark" if request.GET.get("look") == "dark" else ""
    sheet = SHEETS.get(request.GET.get("sheet", ""), WIDE)
    paper, ink, rule = _PAPER[look]
    # Points and name beside the lines of the first runners, as many as there is room for.
    labels: dict[int, str] = {}
    last_round = len(run.rounds) - 1
    for runner in run.runners[: sheet.most_labels]:
        label = f"{run.points_after(runner, last_round)}  {runner.called}"
        fits = len(label) <= sheet.longest_label
        labels[runner.entrant.pk] = label if fits else f"{label[: sheet.longest_label - 1]}…"
    series = {runner.entrant.pk: runner.points for runner in run.runners}
    chart = draw(series, labels, sheet, percent=run.criterion.percent)
    positions = {key: position for position, key in enumerate(series)}  # in the ranking, from 0
    lines: list[dict[str, Any]] = []
    for line in chart.lines:
        position, label = positions[line.key], labels.get(line.key, "")
        if position < COLOURED:
            style = {"ink": _INKS[look][position], "dashes": _DASHES[position], "weight": 2.5}
        else:
            style = {"ink": ink if label else rule, "dashes": "none", "weight": 1.25}
        lines.append({"line": line, "label": label, **style})
    context = {
        "sheet": sheet,
        "right": chart.right,
        "paper": paper,
        "ink": ink,
        "rule": rule,
        "summary": run.summary,
        "lines": lines,
        "y_marks": [(y, figure(mark, percent=run.criterion.percent)) for y, mark in chart.y_marks],
        # The chart counts the rounds played, from 1; a mark shows the number of the round.
        "x_marks": [(x, run.rounds[count - 1]) for x, count in chart.x_marks],
    }
    return render(request, "standings/story/race.svg", context, content_type="image/svg+xml")


urlpatterns = [path("tournaments/<int:tournament_id>/race.svg", race_picture, name="race")]
