"""Prizes for which several stand level, and how that was settled."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext, gettext_noop

from tracker.models import TieResolution, Tournament

if TYPE_CHECKING:
    from tracker.standings.queries.standings import StandingRow

PRIZES = 3  # places for which a tie is worth settling
_SAID = {
    TieResolution.SHARE: gettext_noop("%(names)s share the prize."),
    TieResolution.CUT: gettext_noop("%(names)s: in this order by the cut of the cards."),
    TieResolution.PLAY_OFF: gettext_noop("%(names)s: in this order by a play-off."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """Some who stand level at a place that has a prize."""

    place: int
    entrants: tuple[tuple[int, str], ...]  # with names


def resolved_orders(tournament: Tournament) -> list[tuple[int, ...]]:
    """Return the ties that were untied by the cut or by play: entrants, the best first."""
    return [
        tuple(one["order"])
        for one in tournament.tie_resolutions or ()
        if one["how"] != TieResolution.SHARE
    ]


def open_ties(tournament: Tournament, rows: Iterable["StandingRow"]) -> list[Tie]:
    """Return the ties for a prize about which nothing has been said."""
    shared = {frozenset(one["order"]) for one in tournament.tie_resolutions or ()}
    level: dict[int, list[tuple[int, str]]] = {}
    for row in rows:
        if row.tied and row.place <= PRIZES and row.hands:
            level.setdefault(row.place, []).append((row.entrant, row.name))
    return [
        Tie(place=place, entrants=tuple(those))
        for place, those in level.items()
        if frozenset(entrant for entrant, _ in those) not in shared
    ]


def resolution_lines(tournament: Tournament, rows: Iterable["StandingRow"]) -> list[str]:
    """Return in words how the ties that still stand were settled."""
    listed = list(rows)
    merits = {row.entrant: (row.name, row.place) for row in listed}
    lines = []
    for one in tournament.tie_resolutions or ():
        known = [merits[entrant] for entrant in one["order"] if entrant in merits]
        places = [place for _, place in known]
        share = one["how"] == TieResolution.SHARE
        expected = (
            places[:1] * len(places) if share else list(range(places[0], places[0] + len(places)))
        )
        if places == expected:
            names = ", ".join(name for name, _ in known)
            lines.append(gettext(_SAID[TieResolution(one["how"])]) % {"names": names})
    return lines
