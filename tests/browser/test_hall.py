"""A full hall: eighty who all report at once."""

import re
from collections import Counter
from collections.abc import Iterator
from csv import DictReader
from io import StringIO
from random import Random

from playwright.sync_api import Page, StorageState, expect

from tests.browser import club, draws, wall
from tests.browser.draws import Drawn, Notebook, OpenTable
from tests.browser.packs import PAIRS, Count, albastini
from tests.browser.visiting import Visitors

ROUNDS = 6
FAMILIES = "ABCDEFGHIJKLMNOPQRST"
GIVEN = ("Asha", "Juma", "Neema", "Omari")


def people(many: int) -> list[str]:
    names = [f"{name} {letter}." for letter in FAMILIES for name in GIVEN]
    return names[:many]


def first_wins(_table: OpenTable) -> tuple[int, int]:
    return 70, 50


def test_eighty_players_report_at_once(visitors: Visitors, owner: StorageState) -> None:
    rng, book, points = Random(80), Notebook(), Counter[str]()
    desk = visitors.laptop(storage_state=owner)
    club.make_club(desk, "Eighty Players")
    draws.make_tournament(desk, "Giant Cup", movement="new partners and opponents")
    screen = desk.context.new_page()
    address = desk.url.replace("/draw/", "/display/")

    for number in range(1, ROUNDS + 1):
        drawn = draws.draw_first(desk, people(80)) if number == 1 else draws.draw_next(desk, number)
        assert drawn.people == sorted(people(80))
        assert drawn.summary == book.says(drawn) == "All new opponents."
        book.write(drawn)
        tables = draws.open_round(desk, number, drawn)
        _see_seats(screen, address, drawn)

        counts = {table.number: albastini(rng, PAIRS) for table in tables}
        draws.report(visitors.port, tables, lambda table: counts[table.number].eaten)  # noqa: B023
        for table in tables:
            _add(points, table, counts[table.number])
        if number > 1:  # in the first round it looks by itself
            screen.goto(address)
        expect(screen.get_by_text("All results are in.")).to_be_visible()
        draws.close_round(desk, number)
        _see_standing(screen, address, number, points)
        _no_hand_is_lost_or_doubled(desk, number)

    assert max(book.opened.values()) - min(book.opened[name] for name in people(80)) <= 1


def _add(points: Counter[str], table: OpenTable, count: Count) -> None:
    """Write down what the winners of a hand get (R10)."""
    if count.top is not None:
        won = 1 if min(count.eaten) >= PAIRS.threshold else 2
        points.update(dict.fromkeys(table.sides[count.top], won))


def _sheets(screen: Page, address: str) -> Iterator[Page]:
    """Look at every sheet that the display shows in turn."""
    sheet, sheets = 1, 1
    while sheet <= sheets:
        screen.goto(f"{address}?sheet={sheet}")
        screen.wait_for_load_state()
        turn = screen.locator(".display-sheets")
        if turn.count():
            shown, _, sheets_shown = turn.inner_text().partition("/")
            assert int(shown) == sheet
            sheets = int(sheets_shown)
        yield screen
        sheet += 1


def _see_seats(screen: Page, address: str, drawn: Drawn) -> None:
    seats: list[tuple[str, list[frozenset[str]]]] = []
    for sheet in _sheets(screen, address):
        expect(sheet.get_by_text(re.compile("find your table|take your seats"))).to_be_visible()
        for table in sheet.locator(".display-table").all():
            sides = table.get_by_role("listitem").all_inner_texts()
            number = table.get_by_role("heading").inner_text()
            seats.append((number, [frozenset(side.split(" & ")) for side in sides]))
    assert seats == [
        (f"Table {table.number}", list(map(frozenset, table.sides))) for table in drawn.tables
    ]


def _see_standing(screen: Page, address: str, number: int, points: Counter[str]) -> None:
    rows: list[tuple[str, int]] = []
    for sheet in _sheets(screen, address):
        if not sheet.locator(".display-standing").count():
            continue  # the race
        expect(sheet.get_by_text(f"After round {number}")).to_be_visible()
        for table in sheet.locator(".display-standing").all():
            rows += [
                (row["Who"], int(row["Victory points"].split()[-1])) for row in wall.rows(table)
            ]
    assert dict(rows) == {name: points[name] for name in people(80)}
    assert len(rows) == 80
    shown = [own for _name, own in rows]
    assert shown == sorted(shown, reverse=True)


def _no_hand_is_lost_or_doubled(desk: Page, number: int) -> None:
    """Read the file of all hands: of every round every table has one, in a row for each side."""
    answer = desk.context.request.get(desk.url.replace("/desk/", "/hands/") + "?_export=csv")
    text = answer.body().decode("utf-8-sig")
    rows = [(row["Round"], row["Table"], row["Side"]) for row in DictReader(StringIO(text))]
    assert Counter(rows) == Counter(
        (str(round_), str(table), side)
        for round_ in range(1, number + 1)
        for table in range(1, 21)
        for side in "12"
    )
