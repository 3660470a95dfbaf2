"""An evening through the pages people use, checked against a book that is kept beside it."""

import re
from random import Random

from playwright.sync_api import Page, StorageState, expect

from tests.browser import club, incidents, wall
from tests.browser.book import Book
from tests.browser.evening import Incident, TableNow, all_in, play, sit_down, wanting
from tests.browser.packs import by_one, by_two
from tests.browser.visiting import Visitors

TWELVE = (
    "Asha", "Baraka", "Chausiku", "Daudi", "Eshe", "Faraji",
    "Grace", "Hamisi", "Imani", "Juma", "Khadija", "Lulu",
)  # fmt: skip
# Everybody has a new partner, and some sit at another table.
SECOND = (
    "Asha", "Chausiku", "Eshe", "Grace", "Imani", "Daudi",
    "Baraka", "Khadija", "Juma", "Lulu", "Hamisi", "Faraji",
)  # fmt: skip
FIRST_ROUND: tuple[dict[int, Incident], ...] = (
    {
        1: incidents.a_queen_missing,
        2: incidents.one_point,
        4: incidents.a_tie,
        5: wanting(by_two, 0),
        6: incidents.the_other_deals,
    },
    {2: incidents.agreed, 4: incidents.two_counts_settled, 6: incidents.two_counts},
    {1: incidents.a_tie, 3: wanting(by_two, 1), 5: incidents.it_will_not_add_up},
)
SECOND_ROUND: tuple[dict[int, Incident], ...] = (
    {3: incidents.the_other_deals, 8: incidents.a_tie},
    {1: wanting(by_one, 1), 2: wanting(by_one, 0)},
    {4: incidents.agreed, 5: incidents.the_next_after_all},
)


def test_an_evening_of_two_rounds(visitors: Visitors, owner: StorageState) -> None:
    rng, book = Random(20261120), Book()
    desk = visitors.laptop(storage_state=owner)
    club.make_club(desk, "Upanga Evenings")
    club.add_players(desk, TWELVE)
    club.make_tournament(desk, "Albastini", "four in two pairs", name="Friday Cup", length=8)

    laid = club.seat_first_round(desk, TWELVE)
    tables = sit_down(visitors, book, 1, laid, TWELVE)
    for at, happens in zip(tables, FIRST_ROUND, strict=True):
        play(at, rng, 4, happens)
    _see_wall(desk, book, tables)
    for at, happens in zip(tables, FIRST_ROUND, strict=True):
        play(at, rng, 8, happens)
        all_in(at)
    _settle(desk, tables)
    club.close_round(desk, 1)
    after_one = book.standing()
    _see_wall(desk, book, [])

    laid = club.seat_next_round(desk, 2, SECOND)
    tables = sit_down(visitors, book, 2, laid, SECOND)
    for at, happens in zip(tables, SECOND_ROUND, strict=True):
        play(at, rng, 3, happens)
    _see_wall(desk, book, tables)
    for at, happens in zip(tables, SECOND_ROUND, strict=True):
        play(at, rng, 8, happens)
    club.close_round(desk, 2)

    _see_wall(desk, book, [])
    assert sum(line.dealt for line in book.standing()) == 48
    desk.get_by_role("link", name="Standings").first.click()
    desk.get_by_role("link", name="after Round 1").click()
    expect(desk).to_have_url(re.compile(r"[?]round=1$"))  # the same table stood on the page before
    wall.expect_standing(desk, after_one)


def _see_wall(desk: Page, book: Book, playing: list[TableNow]) -> None:
    """Look at the standings, and come back to the desk."""
    desk.get_by_role("link", name="Standings", exact=True).click()
    wall.expect_standing(desk, book.standing())
    if playing:
        wall.expect_dealers(desk, [at.table for at in playing])
    else:
        expect(desk.get_by_role("region", name="Dealers now")).to_have_count(0)
    desk.get_by_role("link", name="Desk", exact=True).click()


def _settle(desk: Page, tables: list[TableNow]) -> None:
    """Settle, as the organiser, whatever the tables left open."""
    for at in tables:
        for number, real in sorted(at.table.disputed.items()):
            if at.table.hands[number - 1].count is None:
                totals = {at.table.called(side): eaten for side, eaten in enumerate(real.eaten)}
                club.settle_with(desk, at.table.number, number, totals)
            else:
                club.settle_by_the_other(desk, at.table.number, number)
            at.table.amend(number, real)
