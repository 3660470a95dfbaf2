"""Prizes: ties for them, how ties were resolved, and the first places of events of many stages.

A *resolution* stores how a tie was resolved, and the tied entrants in their new order.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.utils.translation import gettext

from games.errors import gettext_noop
from tracker.common.columns import linked
from tracker.common.figures import figure, figures_in_a_row, in_halves, placing
from tracker.models import TieResolution, Tournament
from tracker.standings.queries.final_rankings import FinalPlace, named_rankings
from tracker.standings.queries.standings import Standing, StandingRow
from tracker.standings.queries.tournament_stages import Event

PRIZES = 3  # places 1 to 3 have a prize; only ties for these are settled
_RESOLVED = {
    TieResolution.SHARE: gettext_noop("%(names)s share the prize."),
    TieResolution.CUT: gettext_noop("%(names)s: in this order by the cut of the cards."),
    TieResolution.PLAY_OFF: gettext_noop("%(names)s: in this order by a play-off."),
    TieResolution.LOT: gettext_noop(
        "%(names)s: in this order by lot, drawn from the number %(seed)s."
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """A tie for a place with a prize, with key and name of each tied entrant."""

    place: int
    entrants: tuple[tuple[int, str], ...]


def prize_rows(standing: Standing) -> list[StandingRow]:
    """Return the rows of the places with a prize, without entrants who have not played."""
    return [row for row in standing.rows if row.place <= PRIZES and (row.hands or row.carried)]


def open_ties(tournament: Tournament, rows: Iterable[StandingRow | FinalPlace]) -> list[Tie]:
    """Return the ties for a prize that are not resolved yet."""
    resolved = {frozenset(resolution["order"]) for resolution in tournament.tie_resolutions or ()}
    tied_for: dict[int, list[tuple[int, str]]] = {}
    for row in rows:
        if row.tied and row.place <= PRIZES and row.hands:
            tied_for.setdefault(row.place, []).append((row.entrant, row.name))
    return [
        Tie(place=place, entrants=tuple(entrants))
        for place, entrants in tied_for.items()
        if frozenset(entrant for entrant, _ in entrants) not in resolved
    ]


def resolution_lines(
    tournament: Tournament,
    rows: Iterable[StandingRow | FinalPlace],
    *,
    among: Collection[int] = (),
) -> list[str]:
    """Return sentences on how ties were resolved, without those that today's places contradict.

    *among* limits it to ties between at least these entrants.
    """
    row_of = {row.entrant: row for row in rows}
    lines = []
    for resolution in tournament.tie_resolutions or ():
        if not set(among) <= set(resolution["order"]):
            continue
        how = TieResolution(resolution["how"])
        tied = [row_of[entrant] for entrant in resolution["order"] if entrant in row_of]
        # Those who share a prize have the same place; otherwise each place is one after the last.
        steps = [0] * len(tied) if how is TieResolution.SHARE else range(len(tied))
        if tied and [row.place for row in tied] == [tied[0].place + step for step in steps]:
            names = ", ".join(row.name for row in tied)
            lines.append(gettext(_RESOLVED[how]) % {"names": names, "seed": tournament.lots_seed})
    return lines


def tie_sentence(tournament: Tournament) -> str:
    """Return how a tie that no criterion separates will be decided."""
    if tournament.official_at:
        return gettext("Nothing that decides here separates them: they share the place.")
    return gettext(
        "Nothing that decides here separates them. They share the place; for a prize the organiser"
        " lets them share it, cut the cards, play it off, or draws lots."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class EventResult:
    """The final ranking of an event, including entrants who only sat out."""

    event: Event
    rows: tuple[FinalPlace, ...]

    @property
    def lines(self) -> list[tuple[str, str, str, str, int]]:
        """Return place, name, points, deciding tie-breaks and hands of each row, in words."""
        halves = in_halves(row.finish.points for row in self.rows if row.finish)
        lines = []
        for row in self.rows:
            points = decided = ""
            if finish := row.finish:
                points = figure(finish.points, percent=finish.criterion.percent, halves=halves)
                decided = figures_in_a_row(finish.separated_by)
            lines.append((placing(row.place, tied=row.tied), row.name, points, decided, row.hands))
        return lines

    @property
    def first(self) -> list[tuple[str, str, str, str]]:
        """Return the lines of the places with a prize, which link to why, without the hands."""
        lines = zip(self.lines, self.rows, strict=True)
        return [
            (linked(place, "entrant", row.stage.pk, row.entrant), name, points, decided)
            for (place, name, points, decided, _hands), row in lines
            if row.place <= PRIZES and row.hands
        ]

    @property
    def tied(self) -> list[Tournament]:
        """Return the official stages without a later stage that have an open tie for a prize."""
        return [
            stage
            for stage in self.event.stages
            if stage.official_at is not None
            and not self.event.next_stages(stage)
            and open_ties(stage, [row for row in self.rows if row.stage.pk == stage.pk])
        ]

    @property
    def settled(self) -> list[str]:
        """Return sentences on how ties for a prize were resolved."""
        return [line for stage in self.event.stages for line in resolution_lines(stage, self.rows)]


def results_of(events: Collection[Event]) -> list[EventResult]:
    """Return the results of the events with a hand, in the queries of ``named_rankings``."""
    rankings = named_rankings(events)
    results = [EventResult(event=event, rows=rankings[event.root.pk]) for event in events]
    return [result for result in results if any(row.hands for row in result.rows)]
