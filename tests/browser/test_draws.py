"""Nights that run themselves: whoever comes and goes, in any format, as the organiser sees them."""

import re

from playwright.sync_api import Page, StorageState, expect

from tests.browser import club, draws, night
from tests.browser.draws import Drawn, Notebook, OpenTable
from tests.browser.night import Night
from tests.browser.visiting import Visitors

THIRTEEN = (
    "Asha", "Baraka", "Chausiku", "Daudi", "Eshe", "Faraji", "Grace",
    "Hamisi", "Imani", "Juma", "Khadija", "Lulu", "Mosi",
)  # fmt: skip
LATE = "Mosi"


def first_wins(_table: OpenTable) -> tuple[int, int]:
    return 70, 50


def test_thirteen_who_come_late_and_leave(visitors: Visitors, owner: StorageState) -> None:
    book = Notebook()
    evening = _twelve_are_here(visitors, owner)
    page = evening.page
    night.seat(evening, "Choose a game and seat everybody", "Albastini", length=1)
    _write_first_round(book, draws.open_tables(page))
    _play(visitors, evening, 1)

    drawn = draws.draw_next(page, 2)
    assert drawn.people == sorted(set(THIRTEEN) - {LATE})
    late = _check_in_at_the_door(visitors, evening)
    expect(page.get_by_text("Mosi has arrived.")).to_be_visible()
    page.get_by_role("button", name="Update the draw").click()
    expect(page.get_by_text("The draw is updated. Have another look.")).to_be_visible()
    _open(visitors, evening, book, 2, draws.look(page, 2))

    drawn = draws.draw_next(page, 3)
    two = _a_swap_without_the_same_partner(book, drawn)
    swapped = draws.swap(page, 3, two, book.says(draws.exchanged(drawn, two)))
    assert _seats(swapped) == _seats(draws.exchanged(drawn, two))
    expect(page.get_by_text("Changed by the organiser.")).to_have_count(2)
    _open(visitors, evening, book, 3, swapped)
    # Later rounds keep a table as it was, and whoever is left over may have to meet again.
    assert max(book.partners.values()) == 1

    drawn = draws.draw_next(page, 4)
    draws.keep(page, 2)
    again = draws.draw_again(page, 4, drawn)
    assert again.tables[1].locked
    assert again.tables[1].sides == drawn.tables[1].sides
    _open(visitors, evening, book, 4, again)
    _open_again(evening, 4)

    draws.draw_next(page, 5)
    late.get_by_role("button", name="I’m going home").click()
    expect(late.get_by_role("button", name="I’m here")).to_be_visible()
    page.get_by_role("button", name="Open round 5").click()
    expect(page.get_by_text("The draw is updated. Have another look.")).to_be_visible()
    drawn = draws.look(page, 5)
    assert drawn.people == sorted(set(THIRTEEN) - {LATE})
    _open(visitors, evening, book, 5, drawn)

    assert sorted(book.rested.values()) == [1, 1, 1]
    assert max(book.opened.values()) - min(book.opened[name] for name in THIRTEEN[:12]) <= 1
    _see_the_rests(page, book)


def _twelve_are_here(visitors: Visitors, owner: StorageState) -> Night:
    desk = visitors.laptop(storage_state=owner)
    club.make_club(desk, "Upanga Draws")
    club.add_players(desk, THIRTEEN)
    desk.get_by_role("link", name="Upanga Draws").first.click()
    evening = night.announce(desk, place="Bar Kijiji", games="Albastini")
    desk.get_by_role("link", name="Check people in").click()
    night.check_in(desk, [name for name in THIRTEEN if name != LATE])
    evening.return_to()
    return evening


def _write_first_round(book: Notebook, tables: list[OpenTable]) -> None:
    book.write(Drawn(tuple(map(draws.as_drawn, tables))))


def _check_in_at_the_door(visitors: Visitors, evening: Night) -> Page:
    """Let somebody who comes late scan the code that hangs at the door."""
    evening.return_to()
    evening.page.get_by_role("link", name="Door code").click()
    address = evening.page.locator(".at-door figcaption").inner_text().split()[-1]
    phone = visitors.phone(host="127.0.0.1")
    phone.goto(address)
    night.face(phone, LATE).click()
    phone.get_by_role("button", name="I’m here").click()
    expect(phone.get_by_role("heading", name="You have no seat yet")).to_be_visible()
    phone.goto(address)
    evening.return_to()
    evening.page.get_by_role("button", name="Next round").click()
    return phone


def _a_swap_without_the_same_partner(book: Notebook, drawn: Drawn) -> tuple[str, str]:
    """Return two people at two tables after whose exchange nobody has the same partner again."""
    first, second = drawn.tables[:2]
    return next(
        (name, another)
        for name in first.people
        for another in second.people
        if not any(
            pair in book.partners
            for table in draws.exchanged(drawn, (name, another)).tables
            for pair in table.partners
        )
    )


def _seats(drawn: Drawn) -> list[set[frozenset[str]]]:
    return [set(map(frozenset, table.sides)) for table in drawn.tables]


def _open(visitors: Visitors, evening: Night, book: Notebook, number: int, drawn: Drawn) -> None:
    """Open a round that says the truth about its repeats, and play it."""
    assert drawn.summary == book.says(drawn)
    draws.open_round(evening.page, number, drawn)
    book.write(drawn)
    _play(visitors, evening, number)


def _play(visitors: Visitors, evening: Night, number: int) -> None:
    draws.report(visitors.port, draws.open_tables(evening.page), first_wins)
    night.close_round(evening, "Albastini", number)


def _open_again(evening: Night, number: int) -> None:
    """Open a round again that was closed too early, and close it once more."""
    page = evening.page
    page.get_by_text("More: display, clock").click()
    page.get_by_role("button", name=f"Reopen round {number}").click()
    evening.said(f"Round {number} is open again: its tables can send results.")
    night.close_round(evening, "Albastini", number)


def _see_the_rests(page: Page, book: Notebook) -> None:
    page.get_by_role("link", name="Albastini").first.click()
    page.get_by_role("link", name="Standings").first.click()
    awards = page.get_by_role("region", name="Bonuses").get_by_role("listitem")
    expect(awards).to_have_count(len(book.rested))
    for name in book.rested:
        expect(awards.filter(has_text=re.compile(rf"^\s*{name}\b"))).to_have_count(1)
