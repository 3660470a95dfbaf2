"""The story of a tournament, told round by round in sentences, and its race chart as an SVG image.

A *race* has the points and places of each *runner* (an entrant) after each round; a round has
a *position* in it, from 0. The points, but not the places, begin with those before the first round.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import django_tables2 as tables
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy, gettext_noop, ngettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.mode import Mode
from games.sheet import Criterion, side_marks
from tracker.common.columns import NUMBER, STRONG, ClubTable
from tracker.common.figures import figure, in_halves, placing
from tracker.common.web import access, exports
from tracker.common.web.addresses import link_preview
from tracker.common.wording import together
from tracker.criteria.ranking_criteria import criteria_after
from tracker.models import Hand, Issue, IssueKind, Round, RoundState, Seat, Tournament
from tracker.models.stints import covers
from tracker.standings.columns import PointsColumn, entrant_link
from tracker.standings.logic.race_chart import NARROW, WIDE, draw
from tracker.standings.queries.points_by_round import Race, Runner, names_of, race
from tracker.standings.queries.standings import published_places, standings

_MOST_HANDS = 4  # great hands of a round; the others are only counted
_MOST_NAMES = 3  # in a sentence: more people are only counted
_MOST_CLIMBS = 2  # of a round
_LEAST_CLIMB = 3  # places
# How two counts of one hand (a conflict) were settled, keyed by the outcome of the issue.
_SETTLED = {
    "keep": gettext_noop("Two different counts of %(hand)s at table %(table)d: the first stood."),
    "take": gettext_noop("Two different counts of %(hand)s at table %(table)d: the other counted."),
    "two": gettext_noop("Two counts at table %(table)d were two hands: %(hand)s and one more."),
}
_SETTLED_ELSE = gettext_noop("Two different counts of %(hand)s at table %(table)d were settled.")
_PARKED = gettext_noop("%(hand)s at table %(table)d did not add up, and was settled.")
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


class RaceTable(ClubTable):
    title = gettext_lazy("Points after each round")
    name = tables.Column(verbose_name=gettext_lazy("Player"), attrs={"td": {"scope": "row"}})

    def __init__(self, race: Race, **kwargs: Any) -> None:
        last = len(race.rounds)
        columns = {
            f"after_{number}": PointsColumn(
                race.criterion,
                halves=race.halves,
                accessor=f"points__{position}",
                verbose_name=gettext("Round %(number)d") % {"number": number},
                attrs=STRONG if position == last else NUMBER,
            )
            for position, number in enumerate(race.rounds, start=1)
        }
        super().__init__(race.runners, extra_columns=columns.items(), **kwargs)

    def render_name(self, record: Runner) -> SafeString:
        return entrant_link(record.entrant, record.called)

    value_name = ClubTable.as_is  # in files, instead of the link


@dataclass(frozen=True, slots=True)
class _Gain:
    """The points of the ``side`` that got most in hand ``number`` of a table in a round."""

    sitting: int
    round: int
    table: int
    number: int
    mode: Mode
    side: int
    points: Fraction


@access.page
@require_safe
def tournament_story(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show how a tournament went: the race, and each round with the standing published then."""
    tournament = access.tournament(request, tournament_id)
    run = race(tournament)
    rounds = round_stories(tournament, run)
    table = RaceTable(run)
    if file_format := exports.configure_table(request, table):
        return exports.file_response(table, file_format, tournament.name, table.title)
    # The summary describes the chart, whose lines need two rounds.
    summary = run.summary if len(run.rounds) > 1 else ""
    description = summary or gettext("How the tournament goes, round by round")
    picture = reverse("tournament-picture", args=[tournament.pk])
    words = {"title": tournament.name, "description": description, "picture": picture}
    return access.render(
        request,
        "standings/story/story.html",
        tournament.club,
        tournament=tournament,
        race=run,
        rounds=rounds[::-1],
        table=table,
        summary=summary,
        preview=link_preview(request, tournament.club, **words),
        wide=WIDE,
        narrow=NARROW,
    )


def round_stories(tournament: Tournament, run: Race) -> list[dict[str, Any]]:
    """Return the story of each round, the first one first, in four queries.

    A story has sentences about the round (``moments``), the lines of the ``published`` standing
    with the label of its points (``unit``), and whether any were corrected since (``mended``).
    """
    great, settled = great_hands(tournament, run), _settled(tournament)
    stories = []
    for round_ in tournament.rounds.not_undone().order_by("number"):
        moments: list[str] = []
        if round_.number in run.rounds:
            position = run.rounds.index(round_.number)
            moments += [*_lead(run, position), *_climbs(run, position)]
        moments += [*great.get(round_.number, ()), *settled.get(round_.number, ())]
        published = _published_lines(round_, run)
        story = {
            "round": round_,
            "moments": tuple(moments),
            "published": published,
            "unit": gettext(criteria_after(round_)[0].label),
            "mended": any(line["differs"] for line in published),
        }
        stories.append(story)
    return stories


def _lead(run: Race, position: int) -> Iterator[str]:
    """Yield a sentence on who leads after the round at this *position*, and who led before."""
    leaders = [runner for runner in run.runners if runner.places[position] == 1]
    led_before = [each for each in run.runners if position and each.places[position - 1] == 1]
    params = {"points": run.points_after(leaders[0], position), "name": leaders[0].called}
    if len(leaders) > 1:
        points = leaders[0].points[position + 1]
        if len(leaders) == len(run.runners) and not points:
            yield gettext("All tied, nothing decided yet.")
            return
        params["names"] = _names(leaders)
        equals = [runner for runner in run.runners if runner.points[position + 1] == points]
        if len(equals) > len(leaders):  # a tie-break puts the others behind the leaders
            params["equals"] = _names(equals)
            yield gettext("%(equals)s have %(points)s each; %(names)s are placed first.") % params
            return
        yield gettext("%(names)s tied for the lead, with %(points)s each.") % params
    elif not led_before:
        yield gettext("%(name)s took the lead at the start, with %(points)s.") % params
    elif leaders == led_before:
        yield gettext("%(name)s stayed in the lead, with %(points)s.") % params
    elif leaders[0] in led_before:
        yield gettext("%(name)s took the lead alone, with %(points)s.") % params
    else:
        params["before"] = _names(led_before)
        yield gettext("%(name)s went past %(before)s into the lead, with %(points)s.") % params


def _climbs(run: Race, position: int) -> Iterator[str]:
    """Yield sentences on who gained most places in the round at this *position*.

    They played in it and before, and gained at least three places and a quarter of the field.
    """
    if position == 0:  # there were no places before
        return

    def climbed(runner: Runner) -> int:
        return runner.places[position - 1] - runner.places[position]

    least = max(_LEAST_CLIMB, len(run.runners) // 4)
    playing = [each for each in run.runners if sum(each.hands[:position]) and each.hands[position]]
    playing.sort(key=lambda runner: (-climbed(runner), runner.places[position]))
    for runner in playing[:_MOST_CLIMBS]:
        if climbed(runner) >= least:
            before, after = runner.places[position - 1 : position + 1]
            params = {"name": runner.called, "before": before, "now": after}
            yield gettext("%(name)s came up from place %(before)d to place %(now)d.") % params


def _settled(tournament: Tournament) -> dict[int, list[str]]:
    """Return sentences about the conflicts and parked hands that were settled, keyed by round.

    A *conflict* are two counts of one hand; a hand whose count does not add up is *parked*.
    """
    issues = (
        Issue.objects.filter(
            sitting__round__tournament=tournament,
            kind__in=[IssueKind.CONFLICT, IssueKind.PARKED],
            settled_at__isnull=False,
        )
        .exclude(sitting__round__state=RoundState.UNDONE)
        # Settling a hand can settle others at the same instant: so order by table and hand, too.
        .order_by("settled_at", "sitting__number", "number", "kind", "outcome")
        .values_list("kind", "outcome", "sitting__round__number", "sitting__number", "number")
    )
    sentences: dict[int, list[str]] = defaultdict(list)
    for kind, outcome, round_, table, number in issues:
        template = _PARKED if kind == IssueKind.PARKED else _SETTLED.get(outcome, _SETTLED_ELSE)
        hand = gettext(tournament.rules.unit.numbered) % {"number": number}
        sentences[round_].append(gettext(template) % {"hand": hand, "table": table})
    return sentences


def _published_lines(round_: Round, run: Race) -> list[dict[str, Any]]:
    """Return the standing published when the round closed, in words.

    Beside it are the points after that round with later corrections (``points_today``). They are
    computed again only if that round was ranked by other points.
    """
    runners = {runner.entrant.pk: runner for runner in run.runners}
    played = [number for number in run.rounds if number <= round_.number]
    # The unit is the criterion of the points as the round was ranked.
    published, unit = published_places(round_), criteria_after(round_)[0]
    halves = in_halves(line.points for line in published.values())
    today: dict[int, Fraction] = {}
    if unit == run.criterion:
        today = {key: runner.points[len(played)] for key, runner in runners.items()}
    elif published:
        standing = standings(round_.tournament, upto=round_)
        today = {row.entrant: row.figures[unit.key] for row in standing.rows}
    shown = partial(figure, percent=unit.percent, halves=halves)
    lines = []
    for entrant, line in published.items():
        points, points_today = shown(line.points), shown(today.get(entrant, line.points))
        called = runners[entrant].called if entrant in runners else gettext("somebody who left")
        place = placing(line.place, tied=line.tied)
        both = {"points": points, "points_today": points_today, "differs": points != points_today}
        lines.append({"place": place, "name": called, **both})
    return lines


def _names(runners: Sequence[Runner]) -> str:
    """Return the short names of these runners, or their number if they are many."""
    count = len(runners)
    if count <= _MOST_NAMES:
        return together([runner.called for runner in runners])
    if runners[0].entrant.team:
        return ngettext("%(count)d team", "%(count)d teams", count) % {"count": count}
    return ngettext("%(count)d player", "%(count)d players", count) % {"count": count}


def great_hands(tournament: Tournament, run: Race) -> dict[int, list[str]]:
    """Return sentences about hands of more points than is usual, keyed by round, in two queries.

    Usual is what the best side gets in most hands of one mode: with as many people and sides.
    """
    points = run.criterion
    gains = list(_gains(tournament, points))
    points_in: dict[str, Counter[Fraction]] = defaultdict(Counter)
    for gain in gains:
        points_in[gain.mode.code][gain.points] += 1
    usual = {code: counted.most_common(1)[0][0] for code, counted in points_in.items()}
    great = [gain for gain in gains if gain.points > usual[gain.mode.code]]
    seats_at: dict[int, list[Seat]] = defaultdict(list)  # keyed by sitting
    seats = Seat.objects.filter(sitting__in={gain.sitting for gain in great})
    for seat in seats.select_related("player").order_by("place"):
        seats_at[seat.sitting_id].append(seat)
    names = run.names
    if not names.of_player:  # the runners are teams
        names = names_of(seat.player for at_table in seats_at.values() for seat in at_table)
    sentences: dict[int, list[str]] = defaultdict(list)  # keyed by round, as are the counts below
    left_out: Counter[int] = Counter()
    unit = tournament.rules.unit
    for gain in great:
        if len(sentences[gain.round]) == _MOST_HANDS:
            left_out[gain.round] += 1
            continue
        side = [
            names.player(seat.player_id, seat.player.name)
            for seat in seats_at[gain.sitting]
            if seat.place in gain.mode.sides[gain.side]
            and covers(seat.from_hand, seat.to_hand, gain.number)
        ]
        words = {
            "names": together(side),
            "points": figure(gain.points, percent=points.percent),
            "hand": gettext(unit.numbered) % {"number": gain.number},
            "unit": gettext(unit.one),
            "table": gain.table,
        }
        sentence = gettext("%(names)s took %(points)s in one %(unit)s.") % words
        address = reverse("hand", args=[gain.sitting, gain.number])
        where = gettext("Table %(table)d, %(hand)s") % words
        link = format_html('{} <a href="{}">{}</a>', sentence, address, where)
        sentences[gain.round].append(link)
    for number, count in left_out.items():
        sentence = ngettext("And %(count)d more like it.", "And %(count)d more like it.", count)
        sentences[number].append(sentence % {"count": count})
    return sentences


def _gains(tournament: Tournament, points: Criterion) -> Iterator[_Gain]:
    """Yield the gain of the best side of every hand that counts, if it is above 0."""
    game = tournament.rules
    modes: dict[str, Mode] = {}
    in_order = ("sitting__round__number", "sitting__number", "number")
    hands = (
        Hand.objects.filter(sitting__round__tournament=tournament, struck_at=None)
        .exclude(sitting__round__state=RoundState.UNDONE)
        .order_by(*in_order)
        .values_list("sitting_id", *in_order, "sitting__mode", "sitting__options", "marks")
    )
    for sitting, round_, table, number, code, options, marks in hands:
        if marks is None:
            continue
        if code not in modes:
            modes[code] = game.mode(code, game.resume_options(options))
        mode = modes[code]
        # Some marks of a hand belong to each seat, and are added up; others to the side.
        of_sides = [points.value(side_marks(marks, side, game.seat_scoped)) for side in mode.sides]
        most = max(of_sides)
        if most > 0:
            yield _Gain(sitting, round_, table, number, mode, of_sides.index(most), most)


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


urlpatterns = [
    path("tournaments/<int:tournament_id>/story/", tournament_story, name="story"),
    path("tournaments/<int:tournament_id>/race.svg", race_picture, name="race"),
]
