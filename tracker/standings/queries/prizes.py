"""Prizes for which several stand level, and how that was settled."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext, gettext_noop

from tracker.models import TieResolution, Tournament
from tracker.standings.queries.final_ranking import FinalPlace
from tracker.standings.queries.standings import Standing, StandingRow

PRIZES = 3  # places for which a tie is worth settling
_RESOLVED = {
    TieResolution.SHARE: gettext_noop("%(names)s share the prize."),
    TieResolution.CUT: gettext_noop("%(names)s: in this order by the cut of the cards."),
    TieResolution.PLAY_OFF: gettext_noop("%(names)s: in this order by a play-off."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """Some who stand level at a place that has a prize."""

    place: int
    entrants: tuple[tuple[int, str], ...]  # with names


def prize_rows(standing: Standing) -> list[StandingRow]:
    """Return the rows of the places with a prize, without those who have nothing yet."""
    return [row for row in standing.rows if row.place <= PRIZES and (row.hands or row.carried)]


def prize_lines(standing: Standing) -> list[tuple[str, str, str, str]]:
    """Return place, name, points and deciding tie-breaks of the places with a prize, in words."""
    return [standing.line(row) for row in prize_rows(standing)]


def open_ties(tournament: Tournament, rows: Iterable[StandingRow | FinalPlace]) -> list[Tie]:
    """Return the ties for a prize that are not resolved yet."""
    resolved = {frozenset(each["order"]) for each in tournament.tie_resolutions or ()}
    level: dict[int, list[tuple[int, str]]] = {}
    for row in rows:
        if row.tied and row.place <= PRIZES and row.hands:
            level.setdefault(row.place, []).append((row.entrant, row.name))
    return [
        Tie(place=place, entrants=tuple(tied))
        for place, tied in level.items()
        if frozenset(entrant for entrant, _ in tied) not in resolved
    ]


def resolution_lines(tournament: Tournament, rows: Iterable[StandingRow | FinalPlace]) -> list[str]:
    """Return in words how the ties that still stand were settled."""
    by_entrant = {row.entrant: row for row in rows}
    lines = []
    for resolution in tournament.tie_resolutions or ():
        how = TieResolution(resolution["how"])
        tied = [by_entrant[entrant] for entrant in resolution["order"] if entrant in by_entrant]
        steps = [0] * len(tied) if how is TieResolution.SHARE else range(len(tied))
        if tied and [row.place for row in tied] == [tied[0].place + step for step in steps]:
            names = ", ".join(row.name for row in tied)
            lines.append(gettext(_RESOLVED[how]) % {"names": names})
    return lines
