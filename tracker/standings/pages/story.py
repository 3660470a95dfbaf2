"""The story of a tournament, round by round, and the race of its points as a picture."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from tracker.common.figures import figure
from tracker.common.web import access, exports
from tracker.common.web.addresses import preview
from tracker.common.wording import together
from tracker.standings.columns.standings import RaceTable
from tracker.standings.logic.race import NARROW, WIDE, ChartLine, RaceChart, draw
from tracker.standings.queries.race import Race, race
from tracker.standings.queries.story import points_after, story

COLOURED = 6  # runners with a colour of their own; the others are the crowd
SHEETS = {"": WIDE, "narrow": NARROW}
# A colour a runner, told apart by its dashes as well; against its background at least 3 to 1.
_INKS = {
    "": ("#0c5b4f", "#a1370c", "#5b3a94", "#1a4a74", "#7a5200", "#a3162d"),
    "dark": ("#6fd0bd", "#ffb27a", "#c9b3ff", "#8fc3ff", "#ffd166", "#ff9db0"),
}
_DASHES = ("none", "7 3", "2 3", "10 3 2 3", "5 2", "1 3")
_PAPER = {"": ("#ffffff", "#4d5d55", "#cdd5c7"), "dark": ("#15211d", "#a6b7af", "#33463f")}


@dataclass(frozen=True, slots=True)
class Drawn:
    """A line of the picture with its colour and its words."""

    line: ChartLine
    ink: str
    dashes: str
    label: str  # points and name, beside the end of the line
    weight: float = 1.25


@access.page
@require_safe
def tournament_story(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Tell how a tournament went: the race, and each round with what was on the wall then."""
    tournament = access.tournament(request, tournament_id)
    how_it_went = story(tournament)
    table = RaceTable(how_it_went.race)
    if form := exports.lay_out(request, table):
        return exports.file_of(table, form, tournament.name, table.title)
    # A race has begun when there are two rounds to draw a line through.
    raced = _summary(how_it_went.race) if len(how_it_went.race.rounds) > 1 else ""
    context = access.context(
        request,
        tournament.club,
        tournament=tournament,
        story=how_it_went,
        rounds=tuple(reversed(how_it_went.rounds)),
        table=table,
        summary=raced,
        preview=preview(
            request,
            tournament.club,
            title=tournament.name,
            says=raced or _("How the tournament goes, round by round"),
            picture=reverse("tournament-picture", args=[tournament.pk]),
        ),
        wide=WIDE,
        narrow=NARROW,
    )
    return render(request, "standings/story/story.html", context)


@access.page
@require_safe
@cache_control(private=True, max_age=20)
def race_picture(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Draw the race; with ``?look=dark`` for a dark page, with ``?sheet=narrow`` for a phone."""
    tournament = access.tournament(request, tournament_id)
    run = race(tournament)
    if not run.rounds:
        raise Http404
    look = "dark" if request.GET.get("look") == "dark" else ""
    sheet = SHEETS.get(request.GET.get("sheet", ""), WIDE)
    paper, ink, rule = _PAPER[look]
    # Points and name, of those who have room for them beside their line.
    labels: dict[int, str] = {}
    for runner in run.runners[: sheet.names]:
        label = f"{points_after(run, runner, len(run.rounds) - 1)}  {runner.called}"
        fits = len(label) <= sheet.longest
        labels[runner.entrant.pk] = label if fits else f"{label[: sheet.longest - 1]}…"
    series = {runner.entrant.pk: runner.points for runner in run.runners}
    picture = draw(series, labels, sheet, shares=run.criterion.percent)
    context = {
        "sheet": sheet,
        "right": picture.right,
        "paper": paper,
        "ink": ink,
        "rule": rule,
        "summary": _summary(run),
        "lines": list(_drawn(run, picture, labels, look)),
        "across": [
            (y, figure(value, percent=run.criterion.percent)) for y, value in picture.across
        ],
        "along": [(x, run.rounds[number - 1]) for x, number in picture.along],
    }
    return render(request, "standings/story/race.svg", context, content_type="image/svg+xml")


def _drawn(run: Race, picture: RaceChart, labels: Mapping[int, str], look: str) -> Iterator[Drawn]:
    places = {runner.entrant.pk: place for place, runner in enumerate(run.runners)}
    _, ink, rule = _PAPER[look]
    for line in picture.lines:
        place = places[line.key]
        if place < COLOURED:
            yield Drawn(line, _INKS[look][place], _DASHES[place], labels[line.key], 2.5)
        else:
            named = line.key in labels
            yield Drawn(line, ink if named else rule, "none", labels.get(line.key, ""))


def _summary(run: Race) -> str:
    """Say in a sentence what the picture shows."""
    lead = [runner.called for runner in run.runners if runner.places[-1] == 1]
    return _(
        "The race of points over %(rounds)d rounds; in the lead: %(names)s, with %(points)s."
    ) % {
        "rounds": len(run.rounds),
        "names": together(lead),
        "points": points_after(run, run.runners[0], len(run.rounds) - 1),
    }


urlpatterns = [
    path("tournaments/<int:tournament_id>/story/", tournament_story, name="story"),
    path("tournaments/<int:tournament_id>/race.svg", race_picture, name="race"),
]
