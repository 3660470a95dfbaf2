"""The page of who met each other: round by round or as a grid, in the order of the standing.

A *grid* has a row and a column for each entrant, otherwise there is a column for each round. An
*entrant* is a player or a team; in mappings, its key.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from tracker.common.figures import figure
from tracker.common.names import page_names
from tracker.common.web import access
from tracker.common.web.polling import conditional_page
from tracker.criteria.tie_breaks import DIRECT_ENCOUNTER
from tracker.models import Movement, RoundState, Tournament
from tracker.movements.types import RoundSeating, TableSeating
from tracker.standings.logic.ranking import Merit
from tracker.standings.queries.played_rounds import played_rounds
from tracker.standings.queries.standings import StandingRow, standings
from tracker.tables import revisions

MOST_IN_GRID = 40  # entrants: a wider grid cannot be read


class MeetingResult(StrEnum):
    """How a side did against the only other side."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossEntrant:
    """An entrant on the page: the number of its ``line`` (row) from 1, and its short name."""

    line: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """One table at which an entrant sat, in the round of this number."""

    round: int
    partners: tuple[CrossEntrant, ...]
    opponents: tuple[CrossEntrant, ...]
    # None while there are no points yet, and at a table of more than two sides.
    result: MeetingResult | None
    # The points of the entrant's side, and of the other if there are two; empty without points.
    score: str
    opened: bool  # whether the entrant dealt first
    playing: bool  # whether the round is open
    together: bool = False  # in a grid: whether the entrant of the column was a partner


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossCell:
    """One cell: meetings, or (``rests``) a round sat out; neither where entrants did not meet.

    ``label`` is the heading of its column, for a screen too narrow for columns. ``own`` is where
    the row and the column of one entrant cross.
    """

    label: str
    meetings: tuple[Meeting, ...] = ()
    rests: bool = False
    own: bool = False

    @property
    def nothing(self) -> bool:
        return not self.meetings and not self.rests


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossRow:
    """An entrant with a cell for each column; ``tie_breaks`` are labels and values."""

    entrant: CrossEntrant
    row: StandingRow
    cells: tuple[CrossCell, ...]
    points: str
    tie_breaks: tuple[tuple[str, str], ...]


@access.page
@require_safe
@conditional_page(revisions.of_tournament, shared=True)
def who_met_whom(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show the crosstable: round by round, or with ``?by=everybody`` as a grid."""
    tournament = access.tournament(request, tournament_id)
    by = request.GET.get("by", "")
    # For a round robin people look for a grid.
    usually_grid = tournament.movement == Movement.ROUND_ROBIN
    grid = by == "everybody" or (by != "round" and usually_grid)
    table = crosstable(tournament, grid=grid)
    context = access.context(request, tournament.club, tournament=tournament, crosstable=table)
    return render(request, "standings/crosstable.html", context)


def crosstable(tournament: Tournament, *, grid: bool) -> dict[str, Any] | None:
    """Return the crosstable, ``None`` before the first round, in a fixed number of queries.

    If a grid would be too large, the table is round by round instead. ``columns`` are the rounds,
    or in a grid the lines of all entrants; ``labels`` are those of the points and the tie-breaks.
    """
    played = played_rounds(tournament, with_merits=True)
    if not played:
        return None
    standing = standings(tournament)
    states = dict(tournament.rounds.not_undone().order_by("number").values_list("number", "state"))
    names, percent = page_names(standing.people), standing.criteria[0].percent
    entrants = {
        row.entrant: CrossEntrant(line=line, name=row.called(names))
        for line, row in enumerate(standing.rows, start=1)
    }
    seatings = dict(zip(states, played, strict=True))  # by round number: both are in this order
    meetings: dict[tuple[int, int], Meeting] = {}  # keyed by round number and entrant
    for number, seating in seatings.items():
        playing = states[number] == RoundState.OPEN
        in_round = _meetings(number, seating, entrants, percent=percent, playing=playing)
        meetings |= {(number, key): meeting for key, meeting in in_round}
    may_be_grid = len(entrants) <= MOST_IN_GRID
    grid = grid and may_be_grid
    if grid:
        cells = _cells_by_entrant(meetings, entrants)
    else:
        cells = _cells_by_round(meetings, entrants, seatings)
    # Direct encounters are not shown: they mean something only among entrants with equal points.
    points, *tie_breaks = (each for each in standing.criteria if each.key != DIRECT_ENCOUNTER.key)
    columns = [each.line for each in entrants.values()] if grid else list(states)
    return {
        "grid": grid,
        "columns": columns,
        "labels": [gettext(each.label) for each in (points, *tie_breaks)],
        "rows": [
            CrossRow(
                entrant=entrants[row.entrant],
                row=row,
                cells=cells[row.entrant],
                points=standing.points_of(row),
                tie_breaks=tuple(
                    (gettext(each.label), figure(row.figures[each.key], percent=each.percent))
                    for each in tie_breaks
                ),
            )
            for row in standing.rows
        ],
        "ranked_by": standing.ranked_by,  # what decides places
        "may_be_grid": may_be_grid,  # there are few enough entrants
    }


def _meetings(
    number: int,
    seating: RoundSeating,
    entrants: Mapping[int, CrossEntrant],
    *,
    percent: bool,
    playing: bool,
) -> Iterator[tuple[int, Meeting]]:
    """Yield the key and the meeting of each entrant seated in the round of this *number*.

    The units of a table are the keys of its entrants, by place; a side is the places of partners.
    """
    for table in seating.tables:
        entrant_at = [entrants[key] for key in table.units]
        for side in table.shape.sides:
            other_sides = [each for each in table.shape.sides if each != side]
            result, score = _result(table, side, other_sides, percent=percent)
            for place in side:
                meeting = Meeting(
                    round=number,
                    partners=tuple(entrant_at[each] for each in side if each != place),
                    opponents=tuple(entrant_at[each] for other in other_sides for each in other),
                    result=result,
                    score=score,
                    opened=place == table.opener,
                    playing=playing,
                )
                yield table.units[place], meeting


def _result(
    table: TableSeating, side: Sequence[int], other_sides: Sequence[Sequence[int]], *, percent: bool
) -> tuple[MeetingResult | None, str]:
    """Return the result of a *side*, and as the score its points, with two sides those of both.

    Each place has a *merit*: figures, points first, which are negative where the fewest are best.
    The best merit of a side counts. If a merit is missing, the score is empty; then, or with more
    than two sides, there is no result.
    """
    merits = table.merits
    if not merits or not all(merits):
        return None, ""

    def points(merit: Merit) -> str:
        return figure(abs(Fraction(merit[0])), percent=percent)

    own = max(merits[place] for place in side)
    if len(other_sides) != 1:
        return None, points(own)
    against = max(merits[place] for place in other_sides[0])
    score = f"{points(own)}\N{EN DASH}{points(against)}"
    if own == against:
        return MeetingResult.DRAWN, score
    return MeetingResult.WON if own > against else MeetingResult.LOST, score


def _cells_by_entrant(
    meetings: Mapping[tuple[int, int], Meeting], entrants: Mapping[int, CrossEntrant]
) -> dict[int, tuple[CrossCell, ...]]:
    """Return the cells of each entrant in a grid, one for every entrant."""
    # Keyed by the lines of two entrants: a meeting is in the cell of each partner and opponent.
    each_other: dict[tuple[int, int], list[Meeting]] = defaultdict(list)
    for (_number, key), meeting in sorted(meetings.items()):
        line = entrants[key].line
        for partner in meeting.partners:
            each_other[line, partner.line].append(replace(meeting, together=True))
        for opponent in meeting.opponents:
            each_other[line, opponent.line].append(meeting)
    return {
        key: tuple(
            CrossCell(
                label=other.name,
                meetings=tuple(each_other[entrant.line, other.line]),
                own=entrant.line == other.line,
            )
            for other in entrants.values()
        )
        for key, entrant in entrants.items()
    }


def _cells_by_round(
    meetings: Mapping[tuple[int, int], Meeting],
    entrants: Mapping[int, CrossEntrant],
    seatings: Mapping[int, RoundSeating],
) -> dict[int, tuple[CrossCell, ...]]:
    """Return the cells of each entrant, one for every round."""
    return {
        key: tuple(
            CrossCell(
                label=gettext("Round %(number)d") % {"number": number},
                meetings=(meetings[number, key],) if (number, key) in meetings else (),
                rests=key in seating.resting,
            )
            for number, seating in seatings.items()
        )
        for key in entrants
    }


urlpatterns = [
    path("tournaments/<int:tournament_id>/who-met-whom/", who_met_whom, name="crosstable")
]
