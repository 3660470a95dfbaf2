"""The page "Who met whom": meetings round by round, or as a grid, in the order of the standing.

A *grid* has a line and a column for each entrant, otherwise there is a column for each round. An
*entrant* is a player or a team, given by its key.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from tracker.common.figures import figure
from tracker.common.names import page_names
from tracker.common.web import access
from tracker.common.web.polling import conditional_page
from tracker.models import Movement, RoundState, Tournament
from tracker.movements.types import RoundSeating, TableSeating
from tracker.standings.logic.ranking import Merit
from tracker.standings.queries.played_rounds import played_rounds
from tracker.standings.queries.standings import StandingRow, standings
from tracker.tables import revisions

MOST_IN_GRID = 40  # entrants: a wider grid cannot be read


class MeetingResult(StrEnum):
    """The result of a side against the only other side."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossEntrant:
    """An entrant on the page: the number of their line, from 1, and their short name."""

    line: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """The result of one entrant at one table, with partners and opponents.

    There is no ``result`` while the table still plays, nor where it has more than two sides: then
    ``score`` is the points of the entrant's side alone, otherwise of both sides. ``opened``: the
    entrant dealt first; ``playing``: the round is open; ``together``: in a grid, the entrant of the
    column was a partner.
    """

    round: int
    partners: tuple[CrossEntrant, ...]
    opponents: tuple[CrossEntrant, ...]
    result: MeetingResult | None
    score: str
    opened: bool
    playing: bool
    together: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossCell:
    """One cell: meetings, a round sat out, the entrant's own line (``own``), or nothing.

    ``label`` is the heading of its column, for a screen too narrow for columns.
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
    """An entrant with a cell for each column; ``breaks`` are labels and values of tie-breaks."""

    person: CrossEntrant
    row: StandingRow
    cells: tuple[CrossCell, ...]
    points: str
    breaks: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Crosstable:
    """All meetings; ``columns`` are the rounds, or in a grid the line numbers of all entrants.

    ``labels`` are those of the points and the tie-breaks, ``ranked_by`` says what decides places.
    ``may_be_grid``: a grid would not be too large.
    """

    grid: bool
    columns: tuple[int, ...]
    labels: tuple[str, ...]
    rows: tuple[CrossRow, ...]
    ranked_by: str
    may_be_grid: bool


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


def crosstable(tournament: Tournament, *, grid: bool) -> Crosstable | None:
    """Return the crosstable, ``None`` before the first round, in a fixed number of queries.

    A grid that would be too large is given round by round instead.
    """
    played = played_rounds(tournament, with_merits=True)
    if not played:
        return None
    standing = standings(tournament)
    rounds = tournament.rounds.not_undone().order_by("number")
    states = dict(rounds.values_list("number", "state"))
    names, percent = page_names(standing.people), standing.criteria[0].percent
    people = {
        row.entrant: CrossEntrant(line=line, name=row.called(names))
        for line, row in enumerate(standing.rows, start=1)
    }
    seatings = dict(zip(states, played, strict=True))  # keyed by round number, as the states
    meetings: dict[tuple[int, int], Meeting] = {}  # keyed by round number and entrant
    for number, seating in seatings.items():
        playing = states[number] == RoundState.OPEN
        in_round = _meetings(number, seating, people, percent=percent, playing=playing)
        meetings |= {(number, entrant): meeting for entrant, meeting in in_round}
    may_be_grid = len(people) <= MOST_IN_GRID
    grid = grid and may_be_grid
    if grid:
        cells = _cells_by_entrant(meetings, people)
    else:
        cells = _cells_by_round(meetings, people, seatings)
    # A head-to-head figure compares only equals: it is not shown.
    points, *tie_breaks = (each for each in standing.criteria if not each.head_to_head)
    return Crosstable(
        grid=grid,
        columns=tuple(person.line for person in people.values()) if grid else tuple(states),
        labels=tuple(gettext(each.label) for each in (points, *tie_breaks)),
        rows=tuple(
            CrossRow(
                person=people[row.entrant],
                row=row,
                cells=cells[row.entrant],
                points=standing.points_of(row),
                breaks=tuple(
                    (gettext(each.label), figure(row.figures[each.key], percent=each.percent))
                    for each in tie_breaks
                ),
            )
            for row in standing.rows
        ),
        ranked_by=standing.ranked_by,
        may_be_grid=may_be_grid,
    )


def _meetings(
    number: int,
    seating: RoundSeating,
    people: Mapping[int, CrossEntrant],
    *,
    percent: bool,
    playing: bool,
) -> Iterator[tuple[int, Meeting]]:
    """Yield each entrant seated in a round (a unit of the seating), with their meeting."""
    for table in seating.tables:
        person_at = {place: people[unit] for place, unit in enumerate(table.units)}
        for side in table.shape.sides:
            others = [each for each in table.shape.sides if each != side]
            result, score = _result(table, side, others, percent=percent)
            for place in side:
                meeting = Meeting(
                    round=number,
                    partners=tuple(person_at[each] for each in side if each != place),
                    opponents=tuple(person_at[each] for other in others for each in other),
                    result=result,
                    score=score,
                    opened=place == table.opener,
                    playing=playing,
                )
                yield table.units[place], meeting


def _result(
    table: TableSeating, side: Sequence[int], others: Sequence[Sequence[int]], *, percent: bool
) -> tuple[MeetingResult | None, str]:
    """Return the result of a *side* and its points; at a table of two sides the points of both.

    A side is the places that score together. Each place has a *merit*: figures, points first, which
    are negative where the fewest are best. The best merit of a side counts.
    """
    merits = table.merits
    if not merits or not all(merits):
        return None, ""

    def points(merit: Merit) -> str:
        return figure(abs(Fraction(merit[0])), percent=percent)

    merit = max(merits[place] for place in side)
    if len(others) != 1:
        return None, points(merit)
    against = max(merits[place] for place in others[0])
    score = f"{points(merit)}\N{EN DASH}{points(against)}"
    if merit == against:
        return MeetingResult.DRAWN, score
    return MeetingResult.WON if merit > against else MeetingResult.LOST, score


def _cells_by_entrant(
    meetings: Mapping[tuple[int, int], Meeting], people: Mapping[int, CrossEntrant]
) -> dict[int, tuple[CrossCell, ...]]:
    """Return the cells of each entrant in a grid, one for every entrant."""
    # Keyed by the lines of two entrants: a meeting is in the cell of each partner and opponent.
    each_other: dict[tuple[int, int], list[Meeting]] = defaultdict(list)
    for (_number, entrant), meeting in sorted(meetings.items()):
        line = people[entrant].line
        for partner in meeting.partners:
            each_other[line, partner.line].append(replace(meeting, together=True))
        for opponent in meeting.opponents:
            each_other[line, opponent.line].append(meeting)
    return {
        entrant: tuple(
            CrossCell(
                label=other.name,
                meetings=tuple(each_other[person.line, other.line]),
                own=person.line == other.line,
            )
            for other in people.values()
        )
        for entrant, person in people.items()
    }


def _cells_by_round(
    meetings: Mapping[tuple[int, int], Meeting],
    people: Mapping[int, CrossEntrant],
    seatings: Mapping[int, RoundSeating],
) -> dict[int, tuple[CrossCell, ...]]:
    """Return the cells of each entrant, one for every round."""
    return {
        entrant: tuple(
            CrossCell(
                label=gettext("Round %(number)d") % {"number": number},
                meetings=(meetings[number, entrant],) if (number, entrant) in meetings else (),
                rests=entrant in seating.resting,
            )
            for number, seating in seatings.items()
        )
        for entrant in people
    }


urlpatterns = [
    path("tournaments/<int:tournament_id>/who-met-whom/", who_met_whom, name="crosstable")
]
