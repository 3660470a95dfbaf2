"""What an organiser does through the pages: a club, its players, a tournament, its rounds."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from playwright.sync_api import Page, expect

FIRST_CLUB = "Kariakoo Card Club"
OWNER = ("zuhura", "four aces and a seven")


@dataclass(frozen=True, slots=True)
class Laid:
    """A table as the desk shows it: its number, the code and the address on its card."""

    number: int
    code: str
    card: str


def open_first(page: Page) -> None:
    """Make the first owner and their club on the page of the one-time link."""
    page.get_by_label("What is your club called?").fill(FIRST_CLUB)
    page.get_by_label("Your name").fill("Zuhura")
    page.get_by_label("Choose a password").fill(OWNER[1])
    page.get_by_role("button", name="Open the club").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(FIRST_CLUB)


def make_club(page: Page, name: str) -> None:
    """Make another club; its page is left open."""
    page.goto("/clubs/new/")
    page.get_by_label("What is the club called?").fill(name)
    page.get_by_role("button", name="Make the club").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


def add_players(page: Page, names: Sequence[str]) -> None:
    """From a page of the club, write down who plays there."""
    page.get_by_role("navigation", name="Club", exact=True).get_by_role(
        "link", name="Players"
    ).click()
    page.get_by_label("Who is new?").fill("\n".join(names))
    page.get_by_role("button", name="Add", exact=True).click()
    for name in names:
        expect(page.get_by_role("rowheader", name=name, exact=True)).to_be_visible()


def make_tournament(page: Page, game: str, way: str, *, name: str, length: int) -> None:
    """From a page of the club, make a tournament; the page that seats round 1 is left open."""
    page.get_by_role("navigation", name="Club", exact=True).get_by_role(
        "link", name="Tournaments"
    ).click()
    page.get_by_role("link", name="New tournament").click()
    page.get_by_role("link", name=game).click()
    page.get_by_label("What is it called?").fill(name)
    page.get_by_label("Who sits where?").select_option(label="in number order, table by table")
    page.get_by_role("radio", name=way, exact=True).check()
    page.get_by_role("spinbutton", name=re.compile("How many .+ a round")).first.fill(str(length))
    page.get_by_role("button", name="Make the tournament").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Round 1")


def seat_first_round(page: Page, names: Sequence[str]) -> list[Laid]:
    """Tap who is here, draw, look, and open round 1; they sit in the order of the list."""
    for name in names:
        page.get_by_role("checkbox", name=name, exact=True).check()
    page.get_by_role("button", name="Draw round 1").click()
    open_drawn(page, 1, names)
    return tables(page)


def seat_next_round(page: Page, number: int, order: Sequence[str]) -> list[Laid]:
    """From the desk, draw, number people in this order, look at the tables, and open the round."""
    page.get_by_role("button", name="Next round").click()
    number_them(page, number, order)
    open_drawn(page, number, order)
    return tables(page)


def number_them(page: Page, number: int, order: Sequence[str]) -> None:
    """On the page of a round drawn by numbers, draw it in this order instead."""
    expect(page.locator("#settings:not([open]) .order")).to_have_count(1)
    page.get_by_text("Who plays, how and how long").click()
    for place, name in enumerate(order, start=1):
        page.get_by_role("spinbutton", name=name, exact=True).fill(str(place))
    page.get_by_role("button", name=f"Draw round {number}").click()
    expect(page.locator("#settings")).not_to_have_attribute("open", "")
    expect(page.locator("#settings .order label")).to_have_text(list(order))


def open_drawn(page: Page, number: int, order: Sequence[str]) -> None:
    """See that fours sit in this order, partners opposite each other, and open the round."""
    drawn = page.locator(".draw-table")
    expect(drawn).to_have_count(len(order) // 4)
    for place, table in enumerate(drawn.all()):
        north, east, south, west = order[4 * place : 4 * place + 4]
        expect(table.locator("label.tap")).to_have_text([north, south, east, west])
    page.get_by_role("button", name=f"Open round {number}").click()


def play_tonight(page: Page, game: str, names: Sequence[str], *, way: str = "") -> list[Laid]:
    """From a page of the club: which game, who is here, go."""
    page.get_by_role("navigation", name="Club", exact=True).get_by_role(
        "link", name="Tonight"
    ).click()
    page.get_by_role("radio", name=game, exact=True).check()
    for name in names:
        page.get_by_role("checkbox", name=name, exact=True).check()
    if way:
        page.get_by_text("More: how people sit").click()
        page.get_by_label("How do people sit?").select_option(label=way)
    page.get_by_role("button", name="Go", exact=True).click()
    return tables(page)


def tables(page: Page) -> list[Laid]:
    """Return the tables whose cards the desk shows."""
    expect(page.get_by_role("heading", level=2, name="Tables")).to_be_visible()
    page.wait_for_load_state()  # the heading may be there before the last table
    cards = page.locator("figure.qr")
    laid = []
    for number, figure in enumerate(cards.all(), start=1):
        picture = figure.locator("img")
        assert picture.get_attribute("alt") == f"QR code of table {number}"
        source = picture.get_attribute("src") or ""
        code = (figure.locator(".table-code").text_content() or "").strip()  # folded perhaps
        laid.append(Laid(number, code, source.removesuffix("qr.svg")))
    return laid


def settle_with(page: Page, table: int, number: int, totals: Mapping[str, int]) -> None:
    """From the desk, enter again a hand that waits to be settled."""
    _open_issue(page, table, number)
    for who, eaten in totals.items():
        page.get_by_role("textbox", name=who, exact=True).fill(str(eaten))
    page.get_by_role("button", name="Preview the change").click()
    apply_because(page, "Both sides agree")
    _expect_settled(page, table, number)


def settle_by_the_other(page: Page, table: int, number: int) -> None:
    """From the desk, take the other of two counts."""
    _open_issue(page, table, number)
    page.get_by_role("button", name="This one counts").last.click()
    apply_because(page, "Both sides agree")
    _expect_settled(page, table, number)


def _open_issue(page: Page, table: int, number: int) -> None:
    page.reload()
    needs = page.get_by_role("region", name="Needs you")
    needs.get_by_role("link", name=f"Table {table}, hand {number}").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"Hand {number}:")


def apply_because(page: Page, why: str) -> None:
    """On the preview of a change, tap why it is made, and make it."""
    page.locator("label.tap", has_text=why).click()
    page.get_by_role("button", name="Apply").click()


def _expect_settled(page: Page, table: int, number: int) -> None:
    expect(page.get_by_role("heading", name="Tables")).to_be_visible()
    expect(page.get_by_role("link", name=f"Table {table}, hand {number}")).to_have_count(0)


def close_round(page: Page, number: int) -> None:
    """Close a round as soon as the desk, which looks by itself, says that everything is in."""
    close = page.get_by_role("button", name=f"Close round {number}")
    expect(close).to_be_visible()
    close.click()
    expect(page.get_by_text(f"Round {number} is closed.")).to_be_visible()
