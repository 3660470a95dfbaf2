"""The two charts on a player's page: form over time, and where the points came from."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from tracker.careers.queries.careers import Career, TournamentResult
from tracker.careers.queries.head_to_head import most_played
from tracker.common.cells import day
from tracker.common.figures import POINTS, figure, placing

LEFT, RIGHT, TOP, BOTTOM = 56, 350, 12, 122  # of the line, in a picture of 360 by 150
TOURNAMENTS_SHOWN = 24  # the latest, as dots of the line
BARS_SHOWN = 8
_ENOUGH = 2  # figures: one is no line


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceChart:
    """Final places over time as a line, first place at the top, and the same figures as a table."""

    dots: tuple[tuple[float, float], ...]
    first: str  # the day it begins
    last: str
    numbers: tuple[tuple[str, str, str], ...]  # day, tournament, place; the latest first

    @property
    def path(self) -> str:
        """Return the line as a picture writes it."""
        return " ".join(f"{x:g},{y:g}" for x, y in self.dots)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """Figures beside each other: a name, its figure, and the length of its bar in hundredths."""

    title: str
    rows: tuple[tuple[str, str, int], ...]


def place_chart(results: Sequence[TournamentResult]) -> PlaceChart | None:
    """Return the places in these tournaments, the latest first, as a line; ``None`` for fewer than two."""
    placed = [
        (line.tournament.created_at, line.tournament.name, line.finish)
        for line in reversed(results)
        if line.finish and line.finish.of > 1
    ][-TOURNAMENTS_SHOWN:]
    if len(placed) < _ENOUGH:
        return None
    step = (RIGHT - LEFT) / (len(placed) - 1)
    return PlaceChart(
        dots=tuple(
            (round(LEFT + step * at, 1), round(BOTTOM - (BOTTOM - TOP) * float(finish.beaten), 1))
            for at, (*_, finish) in enumerate(placed)
        ),
        first=day(placed[0][0]),
        last=day(placed[-1][0]),
        numbers=tuple(
            (
                day(when),
                name,
                gettext("%(place)s of %(of)d")
                % {"place": placing(finish.place, tied=finish.tied), "of": finish.of},
            )
            for when, name, finish in reversed(placed)
        ),
    )


def where_points_came_from(career: Career) -> Bars | None:
    """Return the partners, or else the opponents, with whom a player got most points.

    Only the game that was played most counts.
    """
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
        usual = most_played(
            line for line in others if not line.criterion.per and not line.criterion.fewest
        )
        of_it = [line for line in others if line.game.slug == usual]
        lines = sorted(of_it, key=lambda line: (-line.points, line.name))[:BARS_SHOWN]
        if len(lines) >= _ENOUGH:
            label = lines[0].criterion.label
            called = {"game": gettext(lines[0].game.name), "points": gettext(label)}
            longest = lines[0].points
            return Bars(
                title=(title if label == POINTS else otherwise) % called,
                rows=tuple(
                    (
                        line.name,
                        figure(line.points, percent=line.criterion.percent),
                        max(0, round(100 * line.points / longest)) if longest > 0 else 0,
                    )
                    for line in lines
                ),
            )
    return None
