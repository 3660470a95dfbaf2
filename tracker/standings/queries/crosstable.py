"""The crosstable: meetings round by round, or as a grid, in the order of the standing."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from django.utils.translation import gettext

from tracker.common.figures import figure
from tracker.models import RoundState, Tournament
from tracker.movements.types import RoundSeating, TableSeating
from tracker.standings.logic.called import page_names
from tracker.standings.logic.ranking import Merit
from tracker.standings.queries.history import history
from tracker.standings.queries.standings import StandingRow, standings

GRID_UP_TO = 40  # entrants: a wider grid cannot be read


class MeetingResult(StrEnum):
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

    Without a ``result`` the table still plays, or has more than two sides: then ``score``
    is what one got oneself there. ``opened`` says that they dealt first, ``playing`` that
    the round goes on, and in a grid ``together`` that the other was their partner.
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
    """The content of one cell: meetings, a rest, the entrant's own line, or nothing.

    ``label`` is what heads its column, for a screen that has no columns.
    """

    label: str
    meetings: tuple[Meeting, ...] = ()
    rests: bool = False
    own: bool = False

    @property
    def nothing(self) -> bool:
        """Say whether there is nothing to read in it."""
        return not self.meetings and not self.rests


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossRow:
    """An entrant with a cell for each column.

    ``figures`` are the points, then the tie-breaks, and ``breaks`` these again with labels.
    """

    person: CrossEntrant
    row: StandingRow
    cells: tuple[CrossCell, ...]
    figures: tuple[str, ...]
    breaks: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Crosstable:
    """Everybody's meetings; ``columns`` are the rounds, or in a grid the lines of all others."""

    grid: bool
    columns: tuple[int, ...]
    labels: tuple[str, ...]  # of the figures
    rows: tuple[CrossRow, ...]
    ranked_by: str
    may_be_grid: bool


def crosstable(tournament: Tournament, *, grid: bool) -> Crosstable | None:
    """Return the crosstable, ``None`` before the first round, in a fixed number of queries.

    A grid that would be too large is given round by round instead.
    """
    played = history(tournament, with_merits=True)
    if not played:
        return None
    standing = standings(tournament)
    standing_rounds = tournament.rounds.exclude(state=RoundState.UNDONE).order_by("number")
    states = dict(standing_rounds.values_list("number", "state"))
    rounds = tuple(states)
    names = page_names(standing.people)
    people = {
        row.entrant: CrossEntrant(line=line, name=row.called(names))
        for line, row in enumerate(standing.rows, start=1)
    }
    percent = standing.criteria[0].percent
    met = {
        (number, entrant): meeting
        for number, seating in zip(rounds, played, strict=True)
        for entrant, meeting in _meetings(
            number,
            seating,
            people,
            percent=percent,
            playing=states[number] == RoundState.OPEN,
        )
    }
    small = len(people) <= GRID_UP_TO
    across = tuple(person.line for person in people.values())
    if grid and small:
        cells = _against_each(met, people)
    else:
        resting = [set(seating.resting) for seating in played]
        cells = {
            entrant: tuple(
                CrossCell(
                    label=gettext("Round %(number)d") % {"number": number},
                    meetings=(met[number, entrant],) if (number, entrant) in met else (),
                    rests=entrant in away,
                )
                for number, away in zip(rounds, resting, strict=True)
            )
            for entrant in people
        }
    compared = [each for each in standing.criteria if not each.head_to_head]
    labels = tuple(gettext(each.label) for each in compared)
    figures = {
        row.entrant: tuple(
            standing.points_of(row)
            if each is standing.criteria[0]
            else figure(row.figures[each.key], percent=each.percent)
            for each in compared
        )
        for row in standing.rows
    }
    return Crosstable(
        grid=grid and small,
        columns=across if grid and small else rounds,
        labels=labels,
        rows=tuple(
            CrossRow(
                person=people[row.entrant],
                row=row,
                cells=cells[row.entrant],
                figures=figures[row.entrant],
                breaks=tuple(zip(labels, figures[row.entrant], strict=True))[1:],
            )
            for row in standing.rows
        ),
        ranked_by=standing.ranked_by,
        may_be_grid=small,
    )


def _against_each(
    met: Mapping[tuple[int, int], Meeting], people: Mapping[int, CrossEntrant]
) -> dict[int, tuple[CrossCell, ...]]:
    """Return the cells of each entrant, one for every other, partners included."""
    each_other: dict[tuple[int, int], list[Meeting]] = defaultdict(list)
    for (_number, entrant), meeting in sorted(met.items()):
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


def _meetings(
    number: int,
    seating: RoundSeating,
    people: Mapping[int, CrossEntrant],
    *,
    percent: bool,
    playing: bool,
) -> Iterator[tuple[int, Meeting]]:
    """Yield the meeting of each entrant in a round."""
    for table in seating.tables:
        for side in table.shape.sides:
            others = [each for each in table.shape.sides if each != side]
            result, score = _result(table, side, others, percent=percent)
            for place in side:
                yield (
                    table.units[place],
                    Meeting(
                        round=number,
                        partners=tuple(people[table.units[each]] for each in side if each != place),
                        opponents=tuple(
                            people[table.units[each]] for other in others for each in other
                        ),
                        result=result,
                        score=score,
                        opened=place == table.opener,
                        playing=playing,
                    ),
                )


def _result(
    table: TableSeating,
    side: Sequence[int],
    others: Sequence[Sequence[int]],
    *,
    percent: bool,
) -> tuple[MeetingResult | None, str]:
    """Return how a side came out at a table, and its points there, against the other's if one."""
    if not table.merits or not all(table.merits):
        return None, ""

    def best(places: Sequence[int]) -> Merit:
        return max(table.merits[place] for place in places) if table.merits else ()

    def points(merit: Merit) -> str:
        return figure(abs(Fraction(merit[0])), percent=percent)

    own = best(side)
    if len(others) != 1:
        return None, points(own)
    against = best(others[0])
    score = f"{points(own)}\N{EN DASH}{points(against)}"
    if own == against:
        return MeetingResult.DRAWN, score
    return MeetingResult.WON if own > against else MeetingResult.LOST, score
