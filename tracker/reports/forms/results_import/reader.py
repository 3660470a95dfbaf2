"""Reading a file of results, one line a hand."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from games.sheet import Question, Sheet
from tracker.common.uploads import lines_of
from tracker.ledger.table import TableNow
from tracker.models import Tournament
from tracker.reports.forms.questions import MISSING
from tracker.reports.forms.results_import import answers as written
from tracker.reports.forms.results_import.outcome import Filed, FiledLine, whereabouts

MOST_LINES = 5_000
WHERE = ("round", "table", "hand")
_ALWAYS = (*WHERE, "dealer", "bare")
Tables = Mapping[tuple[int, int], TableNow]


def headings(tournament: Tournament) -> list[str]:
    """Return the columns a file of this tournament has, those that must be there first."""
    game = tournament.rules
    options = tournament.house_rules
    mode = game.mode(tournament.mode, options)
    session = game.open_session(mode, options, 0, [None] * mode.seats)
    answers = [
        column.heading
        for question in game.questions(session)
        if question.required
        for column in written.columns(question, mode)
    ]
    return [*WHERE, "dealer", *answers, "bare"]


def read_file(tables: Tables, text: str) -> Filed:
    """Return every line of a file with the sheet it holds, or with what is wrong with it."""
    rows = list(lines_of(text))
    if not rows:
        return Filed(wrong=(_("There is nothing in it."),))
    if len(rows) > MOST_LINES:
        return Filed(
            wrong=(_("These are too many lines: %(most)d at most.") % {"most": MOST_LINES},)
        )
    header = [" ".join(cell.replace("_", " ").split()).casefold() for cell in rows[0][1]]
    lacking = [name for name in WHERE if name not in header]
    wrong = [_("A column “%(name)s” is missing.") % {"name": name} for name in lacking]
    wrong += [
        _("The column “%(name)s” stands there twice.") % {"name": name}
        for name in sorted({name for name in header if name and header.count(name) > 1})
    ]
    if not lacking:
        wrong += _unknown(header, tables)
    if wrong:
        return Filed(wrong=tuple(wrong))
    reader = _Reader(tables, header)
    lines = tuple(reader.read(line, cells) for line, cells in rows[1:])
    return Filed(lines=lines, tables={found.sitting_id: found for found in tables.values()})


def _unknown(header: list[str], tables: Tables) -> list[str]:
    """Return a sentence for every column that no table of the tournament knows."""
    known = {*_ALWAYS, ""}
    for found in tables.values():
        for question in _questions(found):
            known |= {c.heading.casefold() for c in written.columns(question, found.mode)}
    answers = ", ".join(name for name in sorted(known - {*_ALWAYS, ""}))
    return [
        _("Nobody knows a column “%(name)s”. There are: %(answers)s.")
        % {"name": name, "answers": answers}
        for name in header
        if name not in known
    ]


def _questions(found: TableNow) -> tuple[Question, ...]:
    asked: tuple[Question, ...] = found.game.questions(found.opening_session())
    return asked


class _Reader:
    """Reads line by line, and remembers which hands it has met."""

    def __init__(self, tables: Tables, header: list[str]) -> None:
        self.tables, self.header = tables, header
        self.met: dict[tuple[int, int], int] = {}

    def read(self, line: int, row: list[str]) -> FiledLine:
        cells = {
            name: " ".join(cell.split())
            for name, cell in zip(self.header, row, strict=False)
            if name
        }
        said = ", ".join(
            f"{name} {cell}" for name, cell in cells.items() if cell and name not in WHERE
        )
        numbers = [cells.get(name, "") for name in WHERE]
        blank = FiledLine(line=line, where=" · ".join(filter(None, numbers)), said=said)
        if any(cell.strip() for cell in row[len(self.header) :]):
            return replace(blank, error=_("There are more cells here than columns."))
        if not all(number.isascii() and number.isdigit() and len(number) < 5 for number in numbers):
            return replace(blank, error=_("Say round, table and hand by their numbers."))
        round_, number, hand = map(int, numbers)
        known = replace(blank, where=whereabouts(round_, number, hand))
        found = self.tables.get((round_, number))
        if found is None:
            return replace(known, error=_("There is no such table in that round."))
        key = (found.sitting_id, hand)
        if key in self.met:
            error = _("Line %(line)d speaks of the same one.") % {"line": self.met[key]}
            return replace(known, error=error)
        self.met[key] = line
        try:
            return replace(known, key=key, sheet=_sheet(found, hand, cells))
        except written.Unreadable as unreadable:
            return replace(known, key=key, error=str(unreadable))


def _sheet(found: TableNow, hand: int, cells: Mapping[str, str]) -> Sheet:
    """Return the sheet that a line's cells make.

    :raises Unreadable: if one of them cannot be read, or nothing is said at all.
    """
    table, called = found, _called(found, hand)
    sheet: dict[str, Any] = {}
    if said := cells.get("bare"):
        question = table.game.bare_question(table.opening_session())
        sheet["bare"] = written.bare(question, said, table.mode, called)
    for question in _questions(found):
        given = written.answer(question, table.mode, called, cells)
        if given is not MISSING:
            sheet[question.name] = given
    if not sheet:
        raise written.Unreadable(_("This line says nothing of how it went."))
    if said := cells.get("dealer"):
        sheet["dealer"] = called.seat(said)
    return sheet


def _called(found: TableNow, hand: int) -> written.Called:
    names = found.names_at(hand)
    full = {stint.place: stint.name for stint in found.during(hand)}
    return written.Called(
        names, tuple(full.get(seat, name) for seat, name in enumerate(names.seats))
    )
