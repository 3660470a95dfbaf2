"""Results from a CSV or XLSX file, a line for each hand: upload form, reading and recording."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django import forms
from django.utils.translation import gettext as _, gettext_lazy

from games.sheet import VOID, Sheet
from tracker.common.actor import Actor
from tracker.common.uploads import lines_of, text_in
from tracker.common.wording import say
from tracker.models import RoundState, Tournament
from tracker.results.forms.question_base import MISSING, UnreadableCell, seat_called
from tracker.results.forms.question_kinds import kind_of
from tracker.results.forms.sheet import opening_questions
from tracker.results.services.paper import Paper, PaperRefused, write_down
from tracker.tables.sql import read_tables
from tracker.tables.table_now import TableNow

MOST_LINES, MOST_BYTES = 5_000, 1_000_000
WHERE = ("round", "table", "hand")  # the columns that every file needs


class ResultsFileForm(forms.Form):
    """A file of results, or its text; a previewed file is sent again as text."""

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
    text = ""  # of the file, or as pasted; set by ``clean_file`` and ``clean``

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


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLine:
    """A line of the file: one hand. A *sheet* is the answers about a hand, by question."""

    line: int  # its number, from 1
    where: str  # the hand, in words
    as_written: str  # the other cells, with their headings
    key: tuple[int, int] | None = None  # (key of the sitting, number of the hand)
    sheet: Sheet | None = None  # ``None`` if it cannot be read: ``error`` says why
    error: str = ""
    new: bool = False  # the hand was not recorded before


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultsFile:
    """The lines of a file, with the tournament's tables; a *sitting* is a table in one round."""

    lines: tuple[FileLine, ...] = ()
    tables: Mapping[int, TableNow] = field(default_factory=dict)  # keyed by sitting
    wrong: tuple[str, ...] = ()  # errors of the file as a whole
    stored: bool = False  # its hands were recorded, not only tried

    @property
    def errors(self) -> tuple[FileLine, ...]:
        """Return the lines with errors; an error of the whole file counts as one on line 1."""
        of_file = (FileLine(line=1, where="", as_written="", error=error) for error in self.wrong)
        return (*of_file, *(line for line in self.lines if line.error))

    @property
    def new(self) -> int:
        return sum(line.new for line in self.lines)

    @property
    def papers(self) -> dict[int, Paper]:
        """Return each table's sheets, and the numbers of the unreadable ones, keyed by sitting."""
        sheets: dict[int, dict[int, Sheet]] = defaultdict(dict)
        unread: dict[int, set[int]] = defaultdict(set)
        for line in self.lines:
            if line.key is None:
                continue
            sitting, number = line.key
            if line.sheet is None:
                unread[sitting].add(number)
            else:
                sheets[sitting][number] = line.sheet
        return {
            sitting: Paper(sheets=by_number, unread=frozenset(unread[sitting]))
            for sitting, by_number in sheets.items()
        }

    def refused(self, exception: PaperRefused) -> "ResultsFile":
        """Return the file with each refusal on the line of its hand, or as an error of the file.

        A hand without a line may be refused, too: it cannot follow a change to an earlier hand.
        """
        sentences = {
            (sitting, number): say(error, self.tables[sitting].names_at(number))
            for sitting, by_number in exception.refusals.items()
            for number, error in by_number.items()
        }
        lines = tuple(
            replace(line, error=line.error or (sentences.get(line.key, "") if line.key else ""))
            for line in self.lines
        )
        keys_shown = {line.key for line in lines if line.error}
        others = []
        for (sitting, number), sentence in sentences.items():
            if (sitting, number) not in keys_shown:
                table = self.tables[sitting]
                hand = _hand_called(table.round_number, table.number, number)
                others.append(f"{hand}: {sentence}")
        return replace(self, lines=lines, wrong=(*self.wrong, *others))


def headings(tournament: Tournament) -> list[str]:
    """Return the headings of the columns that a file of this tournament needs, ``bare`` last."""
    required = (kind for kind in opening_questions(tournament).kinds if kind.question.required)
    answers = [heading for kind in required for heading in kind.file_headings()]
    return [*WHERE, "dealer", *answers, "bare"]


def record_file(file: ResultsFile, *, keep: bool, by: Actor) -> ResultsFile:
    """Record a file if *keep* is true and it has no errors, else only try; return the outcome."""
    keep = keep and not file.errors
    try:
        recorded = write_down(file.papers, reason=_("Written down from a file"), by=by, keep=keep)
    except PaperRefused as refused:
        return file.refused(refused)
    added = {(sitting, number) for sitting, result in recorded.items() for number in result.added}
    lines = tuple(replace(line, new=line.key in added) for line in file.lines)
    return replace(file, lines=lines, stored=keep)


def read_file(tournament: Tournament, text: str) -> ResultsFile:
    """Return every line of a file with the sheet it holds or with its error, in two queries."""
    rounds = tournament.rounds.filter(state__in=[RoundState.OPEN, RoundState.CLOSED])
    tables = {
        (table.round_number, table.number): table
        for table in read_tables(rounds=rounds.values_list("pk", flat=True))
    }
    rows = list(lines_of(text))
    if not rows:
        return ResultsFile(wrong=(_("There is nothing in it."),))
    if len(rows) > MOST_LINES:
        too_many = _("These are too many lines: %(most)d at most.") % {"most": MOST_LINES}
        return ResultsFile(wrong=(too_many,))
    # Each row is (line number, cells). Headings are compared without case, and "_" as a space.
    header = [" ".join(cell.replace("_", " ").split()).casefold() for cell in rows[0][1]]
    lacking = [name for name in WHERE if name not in header]
    wrong = [_("A column “%(name)s” is missing.") % {"name": name} for name in lacking]
    wrong += [
        _("The column “%(name)s” stands there twice.") % {"name": name}
        for name in sorted({name for name in header if name and header.count(name) > 1})
    ]
    answer_headings = {
        heading.casefold()
        for table in tables.values()
        for question in table.game.questions(table.opening_session())
        for heading in kind_of(question, table.mode).file_headings()
    }
    wrong += [
        _("Nobody knows a column “%(name)s”. There are: %(answers)s.")
        % {"name": name, "answers": ", ".join(sorted(answer_headings))}
        for name in header
        # If a needed column is missing, an unknown one is probably meant for it.
        if not lacking and name not in {*answer_headings, *WHERE, "dealer", "bare", ""}
    ]
    if wrong:
        return ResultsFile(wrong=tuple(wrong))
    line_of_hand: dict[tuple[int, int], int] = {}
    lines = tuple(_read_line(tables, header, line, cells, line_of_hand) for line, cells in rows[1:])
    return ResultsFile(lines=lines, tables={table.sitting_id: table for table in tables.values()})


def _read_line(
    tables: Mapping[tuple[int, int], TableNow],
    header: list[str],
    line: int,
    row: list[str],
    line_of_hand: dict[tuple[int, int], int],
) -> FileLine:
    """Return a line with its hand and sheet, or its error.

    *tables* are keyed by the numbers of round and table; *line_of_hand* collects each hand's line.
    """
    cells = {name: " ".join(cell.split()) for name, cell in zip(header, row, strict=False) if name}
    as_written = ", ".join(
        f"{name} {cell}" for name, cell in cells.items() if cell and name not in WHERE
    )
    numbers = [cells.get(name, "") for name in WHERE]
    result = FileLine(line=line, where=" · ".join(filter(None, numbers)), as_written=as_written)
    if any(cell.strip() for cell in row[len(header) :]):
        return replace(result, error=_("There are more cells here than columns."))
    if not all(number.isascii() and number.isdigit() and len(number) < 5 for number in numbers):
        return replace(result, error=_("Say round, table and hand by their numbers."))
    round_number, table_number, hand = map(int, numbers)
    result = replace(result, where=_hand_called(round_number, table_number, hand))
    table = tables.get((round_number, table_number))
    if table is None:
        return replace(result, error=_("There is no such table in that round."))
    key = (table.sitting_id, hand)
    if key in line_of_hand:
        error = _("Line %(line)d speaks of the same one.") % {"line": line_of_hand[key]}
        return replace(result, error=error)
    line_of_hand[key] = line
    try:
        return replace(result, key=key, sheet=_read_sheet(table, hand, cells))
    except UnreadableCell as unreadable:
        return replace(result, key=key, error=str(unreadable))


def _read_sheet(table: TableNow, hand: int, cells: Mapping[str, str]) -> Sheet:
    """Return the sheet that a line's cells, keyed by heading, make.

    :raises UnreadableCell: if a cell cannot be read, or all are empty.
    """
    names = table.names_at(hand)
    by_seat = {stint.place: stint.name for stint in table.during(hand)}
    full_names = tuple(by_seat.get(seat, name) for seat, name in enumerate(names.seats))
    sheet: dict[str, Any] = {}
    if cell := cells.get("bare"):
        question = table.game.bare_question(table.opening_session())
        kind = kind_of(question, table.mode, names, full_names)
        sheet["bare"] = VOID if cell.casefold() == VOID else kind.read_cell(cell)
    for question in table.game.questions(table.opening_session()):
        answer = kind_of(question, table.mode, names, full_names).read_cells(cells)
        if answer is not MISSING:
            sheet[question.name] = answer
    if not sheet:
        raise UnreadableCell(_("Write on this line how it went, or leave the line out."))
    if cell := cells.get("dealer"):
        sheet["dealer"] = seat_called(cell, full_names, names.seats)
    return sheet


def _hand_called(round_: int, table: int, hand: int) -> str:
    numbers = {"round": round_, "table": table, "hand": hand}
    return _("Round %(round)d, table %(table)d, no. %(hand)d") % numbers
