"""A file of results, a line a hand: handed in from a disk or pasted, and read."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.sheet import VOID, Question, Sheet
from tracker.common.uploads import lines_of, text_in
from tracker.models import Tournament
from tracker.results.forms.kind import MISSING, UnreadableCell, seat_called
from tracker.results.forms.kinds import kind_of
from tracker.results.forms.sheet import opening_questions
from tracker.results.services.paper import ImportedFile, ImportedLine, whereabouts
from tracker.tables.table_now import TableNow

MOST_LINES, MOST_BYTES = 5_000, 1_000_000
WHERE = ("round", "table", "hand")
_ALWAYS = (*WHERE, "dealer", "bare")
Tables = Mapping[tuple[int, int], TableNow]


class ResultsFileForm(forms.Form):
    """A file of results, or its text; the text also carries a file that was looked at already."""

    file = forms.FileField(
        label=gettext_lazy("CSV or XLSX file"),
        help_text=gettext_lazy("As every spreadsheet can save it; of a workbook, its first sheet."),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".csv,.txt,text/csv,.xlsx"}),
    )
    written = forms.CharField(
        label=gettext_lazy("Or paste the lines here"),
        required=False,
        strip=False,
        max_length=MOST_BYTES,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}),
    )

    text = ""

    def clean_file(self) -> object:
        file = self.cleaned_data["file"]
        if file is None:
            return None
        if (file.size or 0) > MOST_BYTES:
            raise forms.ValidationError(
                _("This file is too large: 1 megabyte is the most."), code="file-large"
            )
        try:
            self.text = text_in(file.read(), most_bytes=MOST_BYTES, most_lines=MOST_LINES)
        except ValueError:
            raise forms.ValidationError(
                _("This is no CSV or XLSX file. Save it as one in your spreadsheet first."),
                code="file-kind",
            ) from None
        return file

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        self.text = self.text or cleaned.get("written", "")
        if not self.errors and not self.text.strip():
            self.add_error("file", _("Choose a file, or paste its lines."))
        return cleaned


def headings(tournament: Tournament) -> list[str]:
    """Return the columns a file of this tournament has, those that must be there first."""
    asked = opening_questions(tournament)
    answers = [
        heading for kind in asked.kinds if kind.question.required for heading in kind.headings()
    ]
    return [*WHERE, "dealer", *answers, "bare"]


def read_file(tables: Tables, text: str) -> ImportedFile:
    """Return every line of a file with the sheet it holds, or with what is wrong with it."""
    rows = list(lines_of(text))
    if not rows:
        return ImportedFile(wrong=(_("There is nothing in it."),))
    if len(rows) > MOST_LINES:
        return ImportedFile(
            wrong=(_("These are too many lines: %(most)d at most.") % {"most": MOST_LINES},)
        )
    header = [" ".join(cell.replace("_", " ").split()).casefold() for cell in rows[0][1]]
    lacking = [name for name in WHERE if name not in header]
    wrong = [_("A column “%(name)s” is missing.") % {"name": name} for name in lacking]
    wrong += [
        _("The column “%(name)s” stands there twice.") % {"name": name}
        for name in sorted({name for name in header if name and header.count(name) > 1})
    ]
    answers = {
        heading.casefold()
        for table in tables.values()
        for question in _questions(table)
        for heading in kind_of(question, table.mode).headings()
    }
    wrong += [
        _("Nobody knows a column “%(name)s”. There are: %(answers)s.")
        % {"name": name, "answers": ", ".join(sorted(answers))}
        for name in header
        if not lacking and name not in {*answers, *_ALWAYS, ""}
    ]
    if wrong:
        return ImportedFile(wrong=tuple(wrong))
    reader = _Reader(tables, header)
    lines = tuple(reader.read(line, cells) for line, cells in rows[1:])
    return ImportedFile(lines=lines, tables={table.sitting_id: table for table in tables.values()})


def _questions(table: TableNow) -> tuple[Question, ...]:
    asked: tuple[Question, ...] = table.game.questions(table.opening_session())
    return asked


class _Reader:
    """Reads line by line, and remembers which hands it has met."""

    def __init__(self, tables: Tables, header: list[str]) -> None:
        self.tables, self.header = tables, header
        self.met: dict[tuple[int, int], int] = {}

    def read(self, line: int, row: list[str]) -> ImportedLine:
        cells = {
            name: " ".join(cell.split())
            for name, cell in zip(self.header, row, strict=False)
            if name
        }
        as_written = ", ".join(
            f"{name} {cell}" for name, cell in cells.items() if cell and name not in WHERE
        )
        numbers = [cells.get(name, "") for name in WHERE]
        blank = ImportedLine(
            line=line, where=" · ".join(filter(None, numbers)), as_written=as_written
        )
        if any(cell.strip() for cell in row[len(self.header) :]):
            return replace(blank, error=_("There are more cells here than columns."))
        if not all(number.isascii() and number.isdigit() and len(number) < 5 for number in numbers):
            return replace(blank, error=_("Say round, table and hand by their numbers."))
        round_, number, hand = map(int, numbers)
        known = replace(blank, where=whereabouts(round_, number, hand))
        table = self.tables.get((round_, number))
        if table is None:
            return replace(known, error=_("There is no such table in that round."))
        key = (table.sitting_id, hand)
        if key in self.met:
            error = _("Line %(line)d speaks of the same one.") % {"line": self.met[key]}
            return replace(known, error=error)
        self.met[key] = line
        try:
            return replace(known, key=key, sheet=_sheet(table, hand, cells))
        except UnreadableCell as unreadable:
            return replace(known, key=key, error=str(unreadable))


def _sheet(table: TableNow, hand: int, cells: Mapping[str, str]) -> Sheet:
    """Return the sheet that a line's cells make.

    :raises UnreadableCell: if one of them cannot be read, or nothing is said at all.
    """
    names = table.names_at(hand)
    by_seat = {stint.place: stint.name for stint in table.during(hand)}
    full = tuple(by_seat.get(seat, name) for seat, name in enumerate(names.seats))
    sheet: dict[str, Any] = {}
    if cell := cells.get("bare"):
        question = table.game.bare_question(table.opening_session())
        sheet["bare"] = (
            VOID
            if cell.casefold() == VOID
            else kind_of(question, table.mode, names, full).read_cell(cell)
        )
    for question in _questions(table):
        answer = kind_of(question, table.mode, names, full).read_cells(cells)
        if answer is not MISSING:
            sheet[question.name] = answer
    if not sheet:
        raise UnreadableCell(_("Write on this line how it went, or leave the line out."))
    if cell := cells.get("dealer"):
        sheet["dealer"] = seat_called(cell, full, names.seats)
    return sheet
