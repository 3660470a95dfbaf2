"""The story of a tournament, round by round, and the race of its points as a picture."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from tracker.common.figures import figure
from tracker.common.web import access, exports
from tracker.standings.logic.race import BOTTOM, HEIGHT, LEFT, RIGHT, WIDTH, Line, Picture, draw
from tracker.standings.queries.race import Race, race
from tracker.standings.queries.story import points_after, story
from tracker.standings.tables import RaceTable

A_PAGE = 25
NAMED = 6  # runners with a colour and their name; the others are the crowd
_LONGEST = 14  # letters of a name and its points, beside the picture
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

    line: Line
    ink: str
    dashes: str
    name: str
    points: str


@access.page
@require_safe
def tournament_story(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Tell how a tournament went: the race, and each round with what was on the wall then."""
    tournament = access.tournament(request, tournament_id)
    how_it_went = story(tournament)
    table = RaceTable(how_it_went.race)
    if form := exports.lay_out(request, table, a_page=A_PAGE):
        return exports.file_of(table, form, tournament.name, table.title)
    context = access.context(
        request,
        tournament.club,
        tournament=tournament,
        story=how_it_went,
        rounds=tuple(reversed(how_it_went.rounds)),
        table=table,
        summary=_summary(how_it_went.race),
        size=(WIDTH, HEIGHT),
    )
    return render(request, "standings/story/story.html", context)


@access.page
@require_safe
@cache_control(private=True, max_age=20)
def race_picture(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Draw the race; with ``?look=dark`` for a dark page."""
    tournament = access.tournament(request, tournament_id)
    run = race(tournament)
    if not run.rounds:
        raise Http404
    look = "dark" if request.GET.get("look") == "dark" else ""
    paper, ink, rule = _PAPER[look]
    named = [runner.entrant for runner in run.runners[:NAMED]]
    series = {runner.entrant: runner.points for runner in run.runners}
    picture = draw(series, named, shares=run.criterion.percent)
    context = {
        "size": (WIDTH, HEIGHT),
        "left": LEFT,
        "right": RIGHT,
        "bottom": BOTTOM,
        "paper": paper,
        "ink": ink,
        "rule": rule,
        "summary": _summary(run),
        "lines": list(_drawn(run, picture, look, rule)),
        "across": [
            (y, figure(value, percent=run.criterion.percent)) for y, value in picture.across
        ],
        "along": [(x, run.rounds[number - 1]) for x, number in picture.along],
    }
    return render(request, "standings/story/race.svg", context, content_type="image/svg+xml")


def _drawn(run: Race, picture: Picture, look: str, rule: str) -> Iterator[Drawn]:
    places = {runner.entrant: place for place, runner in enumerate(run.runners)}
    for line in picture.lines:
        place = places[line.key]
        if line.name_y is None:
            yield Drawn(line, rule, "none", "", "")
            continue
        name = run.runners[place].name
        points = points_after(run, run.runners[place], len(run.rounds) - 1)
        room = _LONGEST - len(points)
        short = name if len(name) <= room else f"{name[: room - 1]}…"
        yield Drawn(line, _INKS[look][place], _DASHES[place], short, points)


def _summary(run: Race) -> str:
    """Say in a sentence what the picture shows."""
    if not run.rounds:
        return ""
    return _("The race of points over %(rounds)d rounds; %(name)s is in front with %(points)s.") % {
        "rounds": len(run.rounds),
        "name": run.runners[0].name,
        "points": points_after(run, run.runners[0], len(run.rounds) - 1),
    }
