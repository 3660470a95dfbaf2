"""A file of results, one line a hand: read line by line, with everything that is wrong with it."""

import csv
import io
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.sheet import Question, Sheet
from tracker.forms import written
from tracker.forms.questions import MISSING
from tracker.logic.workbooks import is_workbook, text_of_workbook
from tracker.models import Tournament
from tracker.queries.paper import TableOnFile
from tracker.queries.wording import say
from tracker.services.paper import Paper, PaperRefused, Taken, write_down

MOST_BYTES = 1_000_000
MOST_LINES = 5_000
WHERE = ("round", "table", "hand")
_ALWAYS = (*WHERE, "dealer", "bare")
Tables = Mapping[tuple[int, int], TableOnFile]


@dataclass(frozen=True, slots=True, kw_only=True)
class FiledLine:
    """A line of the file: what it says of which hand, and what becomes of it."""

    line: int
    where: str
    said: str
    key: tuple[int, int] | None = None  # sitting and number
    sheet: Sheet | None = None
    error: str = ""
    new: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Filed:
    """A file that was read."""

    lines: tuple[FiledLine, ...] = ()
    tables: Mapping[int, TableOnFile] = field(default_factory=dict)
    wrong: tuple[str, ...] = ()  # with the file as a whole
    kept: bool = False

    @property
    def errors(self) -> tuple[FiledLine, ...]:
        """Return what is wrong, line by line; the file as a whole is line 1."""
        whole = tuple(FiledLine(line=1, where="", said="", error=error) for error in self.wrong)
        return (*whole, *(line for line in self.lines if line.error))

    @property
    def new(self) -> int:
        return sum(line.new for line in self.lines)

    @property
    def papers(self) -> dict[int, Paper]:
        """Return the sheets of every table, by its sitting."""
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
            sitting: Paper(sheets=of_table, unread=frozenset(unread[sitting]))
            for sitting, of_table in sheets.items()
        }

    def refused(self, refusal: PaperRefused) -> "Filed":
        """Return the file with what the rules say beside its lines."""

        def with_refusal(line: FiledLine) -> FiledLine:
            if line.key is None or line.error:
                return line
            sitting, number = line.key
            told = refusal.of(sitting).get(number)
            if told is None:
                return line
            names = self.tables[sitting].people.at_hand(number)
            return replace(line, error=say(told, names))

        lines = tuple(map(with_refusal, self.lines))
        spoken = {line.key for line in lines if line.error}
        others = tuple(
            f"{self._called(sitting, number)}: {say(told, self.tables[sitting].people.at_hand(number))}"
            for sitting, of_table in refusal.refusals.items()
            for number, told in of_table.items()
            if (sitting, number) not in spoken
        )
        return replace(self, lines=lines, wrong=(*self.wrong, *others))

    def answered(self, taken: Mapping[int, Taken], *, kept: bool) -> "Filed":
        """Return the file with what is new in it, and what stood there already."""
        added = {(sitting, number) for sitting, of in taken.items() for number in of.added}
        lines = tuple(replace(line, new=line.key in added) for line in self.lines)
        return replace(self, lines=lines, kept=kept)

    def _called(self, sitting: int, number: int) -> str:
        table = self.tables[sitting].table
        return _where(table.sitting.round.number, table.sitting.number, number)


def headings(tournament: Tournament) -> list[str]:
    """Return the columns a file of this tournament has, those that must be there first."""
    game = tournament.rules
    options = game.complete_options(tournament.options)
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
    rows = list(_rows(text))
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
    return Filed(lines=lines, tables={found.table.sitting.pk: found for found in tables.values()})


def take_in(filed: Filed, *, keep: bool, user_id: int | None, now: datetime) -> Filed:
    """Return what would become of a file; with *keep*, and nothing wrong with it, it has."""
    keep = keep and not filed.errors
    try:
        taken = write_down(
            filed.papers,
            reason=_("Written down from a file"),
            user_id=user_id,
            device="",
            now=now,
            keep=keep,
        )
    except PaperRefused as refused:
        return filed.refused(refused)
    return filed.answered(taken, kept=keep)


def _unknown(header: list[str], tables: Tables) -> list[str]:
    """Return a sentence for every column that no table of the tournament knows."""
    known = {*_ALWAYS, ""}
    for found in tables.values():
        for question in _questions(found):
            known |= {c.heading.casefold() for c in written.columns(question, found.table.mode)}
    answers = ", ".join(name for name in sorted(known - {*_ALWAYS, ""}))
    return [
        _("Nobody knows a column “%(name)s”. There are: %(answers)s.")
        % {"name": name, "answers": answers}
        for name in header
        if name not in known
    ]


def _questions(found: TableOnFile) -> tuple[Question, ...]:
    asked: tuple[Question, ...] = found.table.game.questions(found.table.opening_session())
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
        known = replace(blank, where=_where(round_, number, hand))
        found = self.tables.get((round_, number))
        if found is None:
            return replace(known, error=_("There is no such table in that round."))
        key = (found.table.sitting.pk, hand)
        if key in self.met:
            error = _("Line %(line)d speaks of the same one.") % {"line": self.met[key]}
            return replace(known, error=error)
        self.met[key] = line
        try:
            return replace(known, key=key, sheet=_sheet(found, hand, cells))
        except written.Unreadable as unreadable:
            return replace(known, key=key, error=str(unreadable))


def _sheet(found: TableOnFile, hand: int, cells: Mapping[str, str]) -> Sheet:
    """Return the sheet that a line's cells make.

    :raises Unreadable: if one of them cannot be read, or nothing is said at all.
    """
    table, called = found.table, _called(found, hand)
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


def _called(found: TableOnFile, hand: int) -> written.Called:
    names = found.people.at_hand(hand)
    full = {seat.place: seat.player.name for seat in found.people.during(hand)}
    return written.Called(
        names, tuple(full.get(seat, name) for seat, name in enumerate(names.seats))
    )


def _where(round_: int, table: int, hand: int) -> str:
    return _("Round %(round)d, table %(table)d, no. %(hand)d") % {
        "round": round_,
        "table": table,
        "hand": hand,
    }


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines that say anything, with their numbers as an editor counts them."""
    text = text.removeprefix("\ufeff")
    said = text[:4].casefold() == "sep="  # how Excel says what stands between
    if said:
        text = text.partition("\n")[2]
    before, line = int(said), 0
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_between(text))
    for row in reader:
        if any(cell.strip() for cell in row):
            yield before + line + 1, row
        line = reader.line_num


def _between(text: str) -> str:
    first = next((line for line in text.splitlines() if line.strip()), "")
    return max(",;\t", key=first.count)


def text_in(content: bytes) -> str | None:
    """Return what a file says, as spreadsheets write it; ``None`` if nobody can read it."""
    if is_workbook(content):
        try:
            return text_of_workbook(content, most=MOST_LINES + 2)
        except ValueError:
            return None
    if b"\0" in content:
        return None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


class FileForm(forms.Form):
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
            raise forms.ValidationError(_("This file is too large."), code="file-large")
        text = text_in(file.read())
        if text is None:
            raise forms.ValidationError(
                _("This is no CSV or XLSX file. Save it as one in your spreadsheet first."),
                code="file-kind",
            )
        self.text = text
        return file

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        self.text = self.text or cleaned.get("written", "")
        if not self.errors and not self.text.strip():
            self.add_error("file", _("Choose a file, or paste its lines."))
        return cleaned
