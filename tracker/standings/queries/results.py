"""Results of events: final places with points, and unsettled ties for a prize."""

from collections.abc import Collection
from dataclasses import dataclass

from tracker.common.figures import figure, figures_in_a_row, in_halves, placing
from tracker.models import Tournament
from tracker.standings.queries.events import Event
from tracker.standings.queries.final_ranking import FinalPlace, named_rankings
from tracker.standings.queries.prizes import PRIZES, open_ties, resolution_lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The final ranking of an event, including entrants who only sat out."""

    event: Event
    rows: tuple[FinalPlace, ...]

    @property
    def lines(self) -> list[tuple[str, str, str, str, int]]:
        """Return place, name, points, deciding tie-breaks and hands of each row, in words."""
        finishes = [row.finish for row in self.rows if row.finish]
        halves = in_halves(finish.points for finish in finishes)
        return [
            (
                placing(row.place, tied=row.tied),
                row.name,
                figure(row.finish.points, percent=row.finish.criterion.percent, halves=halves)
                if row.finish
                else "",
                figures_in_a_row(row.finish.separated_by) if row.finish else "",
                row.hands,
            )
            for row in self.rows
        ]

    @property
    def first(self) -> list[tuple[str, str, str, str]]:
        """Return the lines of the places with a prize, without the number of hands."""
        lines = zip(self.lines, self.rows, strict=True)
        return [line[:4] for line, row in lines if row.place <= PRIZES and row.hands]

    @property
    def tied(self) -> list[Tournament]:
        """Return the official stages that have an unsettled tie for a prize."""
        return [
            stage
            for stage in self.event.stages
            if stage.official_at is not None
            and not self.event.after(stage)
            and open_ties(stage, [row for row in self.rows if row.stage.pk == stage.pk])
        ]

    @property
    def settled(self) -> list[str]:
        """Say how ties for a prize were settled."""
        return [line for stage in self.event.stages for line in resolution_lines(stage, self.rows)]


def results_of(events: Collection[Event]) -> list[Result]:
    """Return the results of these events, in the queries of ``named_rankings``."""
    rankings = named_rankings(events)
    every = [Result(event=event, rows=rankings[event.root.pk]) for event in events]
    return [result for result in every if any(row.hands for row in result.rows)]
