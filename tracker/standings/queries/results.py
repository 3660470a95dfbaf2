"""Results of events: final places with points, and unsettled ties for a prize."""

from collections.abc import Collection
from dataclasses import dataclass

from tracker.common.figures import figure, figures_in_a_row, in_halves, placing
from tracker.models import Tournament
from tracker.standings.queries.events import Event
from tracker.standings.queries.final_ranking import NamedPlace, named_rankings
from tracker.standings.queries.prizes import PRIZES, open_ties, resolution_lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The final ranking of an event, with only the entrants who played."""

    event: Event
    rows: tuple[NamedPlace, ...]

    @property
    def lines(self) -> list[tuple[str, str, str, str, int]]:
        """Return place, name, points, what parted equals, and hands of each row, in words."""
        finishes = [row.finish for row in self.rows if row.finish]
        halves = in_halves(finish.points for finish in finishes)
        return [
            (
                placing(row.place, tied=row.tied),
                row.name,
                figure(row.finish.points, percent=row.finish.criterion.percent, halves=halves)
                if row.finish
                else "",
                figures_in_a_row(row.finish.parted_by) if row.finish else "",
                row.hands,
            )
            for row in self.rows
        ]

    @property
    def first(self) -> list[tuple[str, str, str, str]]:
        """Return those with a prize, without their hands."""
        return [line[:4] for line in self.lines[: sum(row.place <= PRIZES for row in self.rows)]]

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
    played = {root: tuple(row for row in rows if row.hands) for root, rows in rankings.items()}
    return [
        Result(event=event, rows=played[event.root.pk]) for event in events if played[event.root.pk]
    ]
