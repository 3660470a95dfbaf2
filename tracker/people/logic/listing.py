"""A list of players as a club keeps it in a spreadsheet: read line by line."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tracker.common.spelling import tidy

# What a column may be called, in small letters.
COLUMNS: Mapping[str, frozenset[str]] = {
    "name": frozenset({"name", "player", "full name"}),
    "nickname": frozenset({"nickname", "called"}),
    "home": frozenset({"home club", "home", "visits us from", "visitor from", "club"}),
    "season": frozenset({"season", "counts for the season", "in season"}),
}
YES = frozenset({"yes", "y", "1", "true", "x", "✓"})
NO = frozenset({"no", "n", "0", "false", ""})


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the list, as it was written; ``number`` as a person counts."""

    number: int
    name: str
    nickname: str = ""
    home: str = ""
    season: str = ""

    @property
    def shown(self) -> str:
        """Return what the player is called on every page."""
        return self.nickname or self.name

    @property
    def full_name(self) -> str:
        """Return the name behind a nickname."""
        return self.name if self.nickname else ""

    @property
    def in_season(self) -> bool | None:
        """Return whether the player counts for the season; ``None`` if that cannot be read."""
        said = self.season.casefold()
        if said in YES:
            return True
        if said in NO:
            # A visitor counts for the night alone, unless somebody says otherwise.
            return False if said else not self.home
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    lines: tuple[Line, ...]
    unknown: tuple[str, ...]  # columns nobody asked for
    has_name: bool  # whether there is a column of names at all


def read_listing(text: str) -> Listing:
    r"""Read a list whose first line names its columns, with commas, semicolons or tabs between.

    >>> read_listing("Name;Home club\nAsha;\n\nJuma;Ilala").lines[1]
    Line(number=4, name='Juma', nickname='', home='Ilala', season='')
    """
    rows = list(csv.reader(io.StringIO(text), delimiter=_delimiter(text)))
    filled = [(at, row) for at, row in enumerate(rows, start=1) if any(map(str.strip, row))]
    if not filled:
        return Listing(lines=(), unknown=(), has_name=False)
    header = [tidy(cell).casefold() for cell in filled[0][1]]
    columns = [_column(cell) for cell in header]
    return Listing(
        lines=tuple(_line(number, columns, row) for number, row in filled[1:]),
        unknown=tuple(
            cell for cell, column in zip(header, columns, strict=True) if cell and not column
        ),
        has_name="name" in columns,
    )


def written(rows: Iterable[Sequence[object]]) -> str:
    r"""Write the rows of a spreadsheet down as a list with tabs between.

    >>> written([["Name", "Home club"], ["Asha", None], ["Juma", 70.0]])
    'Name\tHome club\nAsha\t\nJuma\t70\n'
    """
    cells = [["" if cell is None else tidy(_said(cell)) for cell in row] for row in rows]
    width = max((at for row in cells for at, cell in enumerate(row, start=1) if cell), default=0)
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    writer.writerows(row[:width] for row in cells)
    return text.getvalue()


def _said(cell: object) -> str:
    # Some spreadsheets keep every number as a fraction.
    return str(int(cell) if isinstance(cell, float) and cell.is_integer() else cell)


def _delimiter(text: str) -> str:
    first = next((line for line in text.splitlines() if line.strip()), "")
    return max("\t;,", key=first.count) if any(sign in first for sign in "\t;,") else ","


def _column(cell: str) -> str:
    return next((column for column, called in COLUMNS.items() if cell in called), "")


def _line(number: int, columns: Sequence[str], row: Sequence[str]) -> Line:
    cells = {column: tidy(cell) for column, cell in zip(columns, row, strict=False) if column}
    return Line(
        number=number,
        name=cells.get("name", ""),
        nickname=cells.get("nickname", ""),
        home=cells.get("home", ""),
        season=cells.get("season", ""),
    )
