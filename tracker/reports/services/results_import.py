"""A file of results: what each line says, what is wrong with it, and writing all of it down."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from django.utils.translation import gettext as _

from games.sheet import Sheet
from tracker.common.actor import Actor
from tracker.common.wording import say
from tracker.ledger.table import TableNow
from tracker.reports.services.paper import Paper, PaperRefused, write_down


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedLine:
    """A line of the file, with the hand and sheet it names, and its error if it has one."""

    line: int
    where: str
    as_written: str
    key: tuple[int, int] | None = None  # sitting and number
    sheet: Sheet | None = None
    error: str = ""
    new: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedFile:
    """A file that was read."""

    lines: tuple[ImportedLine, ...] = ()
    tables: Mapping[int, TableNow] = field(default_factory=dict)
    wrong: tuple[str, ...] = ()  # with the file as a whole
    stored: bool = False

    @property
    def errors(self) -> tuple[ImportedLine, ...]:
        """Return what is wrong, line by line; the file as a whole is line 1."""
        whole = tuple(
            ImportedLine(line=1, where="", as_written="", error=error) for error in self.wrong
        )
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

    def refused(self, refusal: PaperRefused) -> "ImportedFile":
        """Return the file with what the rules say beside its lines."""

        def with_refusal(line: ImportedLine) -> ImportedLine:
            if line.key is None or line.error:
                return line
            sitting, number = line.key
            error = refusal.of(sitting).get(number)
            if error is None:
                return line
            names = self.tables[sitting].names_at(number)
            return replace(line, error=say(error, names))

        lines = tuple(map(with_refusal, self.lines))
        spoken = {line.key for line in lines if line.error}
        others = tuple(
            f"{whereabouts(table.round_number, table.number, number)}: "
            f"{say(error, table.names_at(number))}"
            for sitting, of_table in refusal.refusals.items()
            for table in [self.tables[sitting]]
            for number, error in of_table.items()
            if (sitting, number) not in spoken
        )
        return replace(self, lines=lines, wrong=(*self.wrong, *others))


def take_in(file: ImportedFile, *, keep: bool, by: Actor) -> ImportedFile:
    """Try a file of results and return what came of it; store it if *keep* and without errors."""
    keep = keep and not file.errors
    try:
        taken = write_down(file.papers, reason=_("Written down from a file"), by=by, keep=keep)
    except PaperRefused as refused:
        return file.refused(refused)
    added = {(sitting, number) for sitting, of in taken.items() for number in of.added}
    lines = tuple(replace(line, new=line.key in added) for line in file.lines)
    return replace(file, lines=lines, stored=keep)


def whereabouts(round_: int, table: int, hand: int) -> str:
    """Say which hand a line speaks of."""
    return _("Round %(round)d, table %(table)d, no. %(hand)d") % {
        "round": round_,
        "table": table,
        "hand": hand,
    }
