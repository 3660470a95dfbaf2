"""The plots on the pages of players and pairs, in words: form, the game's own share, points."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from django.utils.translation import gettext

from tracker.careers.logic.plots import (
    MOST_BARS,
    MOST_POINTS,
    Plot,
    bounds,
    lengths,
    over_time,
)
from tracker.careers.queries.careers import Career, TournamentResult
from tracker.careers.queries.head_to_head import Companion, MeetingLine
from tracker.common.cells import day
from tracker.common.figures import POINTS, average, figure, placing

_FIVE_PERCENT = Fraction(1, 20)
_HALF = Fraction(1, 2)
_ENOUGH = 2  # figures: one is no line


@dataclass(frozen=True, slots=True, kw_only=True)
class LinePlot:
    """A line over time with its words, and the same in numbers."""

    title: str
    says: str
    plot: Plot
    across: tuple[tuple[float, str], ...]
    first: str  # the day it begins
    last: str
    numbers: tuple[tuple[str, str, str], ...]  # day, tournament, figure; the latest first


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """Figures beside each other: a name, its figure, and the length of its bar in hundredths."""

    title: str
    rows: tuple[tuple[str, str, int], ...]


def of_career(career: Career) -> tuple[LinePlot, ...]:
    """Return the places of a player over time, and every game's own share."""
    return (*_form(career.tournaments), *_shares(career.tournaments))


def of_pair(meetings: Sequence[MeetingLine]) -> tuple[LinePlot, ...]:
    """Return by game what two people got a hand as partners, table by table."""
    plots = []
    for game in dict.fromkeys(line.game for line in meetings):
        tables = [
            line
            for line in reversed(meetings)
            if line.game == game and line.partners and line.hands and not line.criterion.per
        ]
        rows = [(line.when, line.tournament_name, line.points[0] / line.hands) for line in tables][
            -MOST_POINTS:
        ]
        if len(rows) < _ENOUGH:
            continue
        title = gettext("Points a hand as partners in %(game)s") % {"game": game}
        plots.append(_line(title, rows, _HALF, average))
    return tuple(plots)


def where_points_came_from(career: Career) -> Bars | None:
    """Return beside whom a player got most points in the game played most; else against whom."""
    for others, title, otherwise in (
        (
            career.partners,
            gettext("Where the points came from, by partner, in %(game)s"),
            gettext("%(points)s in %(game)s, by partner"),
        ),
        (
            career.opponents,
            gettext("Where the points came from, by opponent, in %(game)s"),
            gettext("%(points)s in %(game)s, by opponent"),
        ),
    ):
        lines = _of_the_usual_game(others)
        if len(lines) >= _ENOUGH:
            label = lines[0].criterion.label
            called = {"game": lines[0].game, "points": gettext(label)}
            values = [line.points for line in lines]
            shown = [figure(value, percent=lines[0].criterion.percent) for value in values]
            return Bars(
                title=(title if label == POINTS else otherwise) % called,
                rows=tuple(zip((line.name for line in lines), shown, lengths(values), strict=True)),
            )
    return None


def _of_the_usual_game(others: Sequence[Companion]) -> list[Companion]:
    """Return those with most points in the game with most hands, the most first."""
    hands: Counter[str] = Counter()
    for line in others:
        if not line.criterion.per and not line.criterion.fewest:
            hands[line.game] += line.hands
    usual = max(hands, key=lambda game: hands[game], default="")
    own = [line for line in others if line.game == usual]
    return sorted(own, key=lambda line: (-line.points, line.name))[:MOST_BARS]


def _form(results: Sequence[TournamentResult]) -> Iterator[LinePlot]:
    """Yield places over time, the first above, the last of the field below."""
    placed = [
        (line.tournament.created_at, line.tournament.name, line.finish)
        for line in reversed(results)
        if line.finish and line.finish.of > 1
    ][-MOST_POINTS:]
    if len(placed) < _ENOUGH:
        return
    words = [
        gettext("%(place)s of %(of)d")
        % {"place": placing(finish.place, tied=finish.tied), "of": finish.of}
        for *_, finish in placed
    ]
    levels = {Fraction(0): gettext("last"), _HALF: gettext("middle"), Fraction(1): gettext("first")}
    plot = over_time([finish.beaten for *_, finish in placed], Fraction(0), Fraction(1))
    yield LinePlot(
        title=gettext("Form"),
        says=gettext("Places in the last %(count)d tournaments, from first to last of the field.")
        % {"count": len(placed)},
        plot=plot,
        across=tuple((y, levels[value]) for y, value in plot.across),
        first=day(placed[0][0]),
        last=day(placed[-1][0]),
        numbers=tuple(
            (day(when), name, said)
            for (when, name, _), said in zip(reversed(placed), reversed(words), strict=True)
        ),
    )


def _shares(results: Sequence[TournamentResult]) -> Iterator[LinePlot]:
    """Yield every game's own share over time, as of what was eaten."""
    for game in dict.fromkeys(line.game for line in results):
        of_game = [line for line in reversed(results) if line.game == game and line.share]
        rows = [
            (line.tournament.created_at, line.tournament.name, line.share.value)
            for line in of_game
            if line.share is not None
        ][-MOST_POINTS:]
        if len(rows) < _ENOUGH or of_game[0].share is None:
            continue
        words = {"share": of_game[0].share.label, "game": game}
        yield _line(
            gettext("%(share)s in %(game)s") % words,
            rows,
            _FIVE_PERCENT,
            lambda value: figure(value, percent=True),
        )


def _line(
    title: str,
    rows: Sequence[tuple[datetime, str, Fraction]],
    step: Fraction,
    in_words: Callable[[Fraction], str],
) -> LinePlot:
    values = [value for *_, value in rows]
    plot = over_time(values, *bounds(values, step))
    return LinePlot(
        title=title,
        says=gettext("From %(first)s to %(last)s in %(count)d figures.")
        % {"first": in_words(rows[0][2]), "last": in_words(rows[-1][2]), "count": len(rows)},
        plot=plot,
        across=tuple((y, in_words(value)) for y, value in plot.across),
        first=day(rows[0][0]),
        last=day(rows[-1][0]),
        numbers=tuple((day(when), name, in_words(value)) for when, name, value in reversed(rows)),
    )
