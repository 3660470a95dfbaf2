"""The standings and the dealers as they are read from the page's own tables."""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from playwright.sync_api import Locator, Page, expect

from tests.browser.book import Line, Table

# All of a table at one moment: a page that looks by itself may bring another one at any time.
_CELLS = """
table => [
  [...table.querySelectorAll("thead th")],
  ...[...table.querySelectorAll("tbody tr")].map(row => [...row.querySelectorAll("th, td:not(.tap)")]),
].map(cells => cells.map(cell =>
  // Without what explains a place or tells who has moved.
  [...cell.querySelectorAll("small.placed, small.moved")].reduce(
    (text, small) => text.replace(small.innerText, ""), cell.innerText
  )
))
"""
_TENTH, _HUNDREDTH = Fraction(1, 10), Fraction(1, 100)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: what stands under each heading."""

    cells: dict[str, str]

    def __getitem__(self, heading: str) -> str:
        return self.cells[heading]


def rows(table: Locator) -> list[Row]:
    """Read a table, row by row, by its headings."""
    expect(table).to_be_visible()
    table.page.wait_for_load_state()  # its first rows may be there before the last
    headings, *lines = table.evaluate(_CELLS)
    return [
        Row(dict(zip(map(str.strip, headings), map(_in_a_line, cells), strict=True)))
        for cells in lines
    ]


def _in_a_line(words: str) -> str:
    return " ".join(words.split())


def standings(page: Page) -> list[Row]:
    return rows(page.get_by_role("table", name="Standings"))


def expect_standing(page: Page, expected: list[Line]) -> None:
    """See that the standings are those of the book: every place, figure and dealer column."""
    shown = standings(page)
    assert [_line(row) for row in shown] == [_text(line) for line in _as_listed(expected, shown)]
    for row, line in zip(shown, _as_listed(expected, shown), strict=True):
        assert abs(amount(row["Victory points"]) - line.points) <= _HUNDREDTH / 2, (row, line)
        assert abs(_share(row["Eaten"]) - line.share * 100) <= _TENTH / 2, (row, line)


def expect_dealers(page: Page, tables: list[Table]) -> None:
    """See that the panel *Dealers now* says of every table what the book says."""
    panel = page.get_by_role("region", name="Dealers now").get_by_role("table")
    assert [list(row.cells.values()) for row in rows(panel)] == [
        [
            f"Table {table.number} Hand {len(table.hands) + 1} of 8",
            f"{table.deals} deals",
            _turn(table, 0),
            _turn(table, 1),
            _again(table, None),
        ]
        for table in tables
    ]


def _turn(table: Table, side: int) -> str:
    return f"{_again(table, side)} {table.called(side)}"


def _again(table: Table, winner: int | None) -> str:
    name = table.deals_if(winner)
    return f"{name} again" if name == table.deals else name


def _as_listed(expected: list[Line], shown: list[Row]) -> list[Line]:
    """Put those who share a place in the order in which the page lists them."""
    listed = [row["Player"] for row in shown]
    order = {line.place: number for number, line in reversed(list(enumerate(expected)))}
    return sorted(expected, key=lambda line: (order[line.place], listed.index(line.name)))


def _line(row: Row) -> tuple[str, ...]:
    headings = ("Place", "Player", "Hands", "Won", "Two-point wins", "Dealt first", "Dealt")
    return tuple(row[heading] for heading in headings)


def _text(line: Line) -> tuple[str, ...]:
    figures = (line.hands, line.won, line.twos, line.opened, line.dealt)
    return (line.place, line.name, *map(str, figures))


def _share(cell: str) -> Fraction:
    return Fraction(Decimal(cell.removesuffix("%").strip()))


def amount(cell: str) -> Fraction:
    """Read a figure that may end with a half."""
    whole = cell.removesuffix("½")
    return Fraction(whole or "0") + (Fraction(1, 2) if whole != cell else 0)
