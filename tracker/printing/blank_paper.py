"""A blank paper to be written on at a table, for any game: a column for every answer."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tracker.common.wording import Names, say
from tracker.ledger.table import TableNow
from tracker.models import RankedBy, Tournament
from tracker.reports.forms.paper import Column, columns_of, required_only
from tracker.reports.forms.questions import TableQuestions, questions_at
from tracker.standings.queries.criteria import criteria_of

_LINES = 12  # where nobody knows how many there will be
_ROOM = 3  # sides whose points so far find room beside what they counted


@dataclass(frozen=True, slots=True, kw_only=True)
class BlankPaper:
    """A paper as it lies on a table before the first hand."""

    table: int | None
    sides: tuple[tuple[str, str], ...]
    seats: tuple[str, ...]
    columns: tuple[Column, ...]
    points: Column | None
    lines: range


def papers_of(
    tournament: Tournament, tables: Mapping[tuple[int, int], TableNow]
) -> list[BlankPaper]:
    """Return a paper for each of these tables."""
    return [
        _paper(
            tournament,
            questions_at(table, table.opening_session(), 1, names=table.coming_names),
            table.number,
            table.hands,
        )
        for table in tables.values()
    ]


def blank_paper(tournament: Tournament) -> BlankPaper:
    """Return a paper on which the names are still to be written."""
    game = tournament.rules
    options = tournament.house_rules
    mode = game.mode(tournament.mode, options)
    session = game.open_session(mode, options, 0, [None] * mode.seats)
    nobody = Names(("",) * mode.seats, ("",) * len(mode.sides))
    asked = TableQuestions(
        number=1,
        mode=mode,
        questions=game.questions(session),
        bare=game.bare_question(session),
        dealer=None,
        names=nobody,
    )
    return _paper(tournament, asked, None, tournament.hands)


def _paper(
    tournament: Tournament, asked: TableQuestions, table: int | None, hands: int | None
) -> BlankPaper:
    asked = required_only(asked)
    mode, names = asked.mode, asked.names
    letters = ["" if mode.individual else chr(ord("A") + side) for side in range(len(mode.sides))]
    sides = tuple(zip(letters, names.sides, strict=True))
    points = criteria_of(tournament, RankedBy.GAME)[0]
    room = len(sides) <= _ROOM
    return BlankPaper(
        table=table,
        sides=sides,
        seats=names.seats,
        columns=columns_of(asked),
        points=Column(
            _("%(points)s so far") % {"points": say(points.label, names)},
            tuple((name, letter) for letter, name in sides),
        )
        if room
        else None,
        lines=range(1, (hands or _LINES) + 1),
    )
