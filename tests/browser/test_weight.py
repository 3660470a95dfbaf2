"""What a page weighs on the wire for somebody who comes for the first time, as a browser counts it."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.laid import Club
from tests.browser.rest import settle
from tests.browser.visiting import Visitors

KIB = 1024
_FETCHED = """
() => ["navigation", "resource"]
  .flatMap(kind => performance.getEntriesByType(kind))
  .map(each => [new URL(each.name).pathname, each.transferSize])
"""


def fetched(page: Page, path: str) -> dict[str, int]:
    """Return the bytes on the wire, with heads, of everything that was fetched for a page."""
    page.goto(path)
    settle(page)
    files: list[Any] = page.evaluate(_FETCHED)
    return dict(files)


def test_a_table_weighs_at_most_50_kib_in_15_requests_and_6_kib_the_second_time(
    visitors: Visitors, club: Club
) -> None:
    games = ("albastini", "briscola", "dalmuti", "mambassa")
    for name in [*(f"table, {game}" for game in games), "table, saved", "table, waits"]:
        phone = visitors.phone()

        first = fetched(phone, club.pages[name])
        again = fetched(phone, club.pages[name])

        assert sum(first.values()) <= 50 * KIB, (name, first)
        assert len(first) <= 15, (name, first)
        assert sum(again.values()) <= 6 * KIB, (name, again)


@pytest.mark.parametrize(
    "name", ["tournament, albastini", "tournament, mambassa", "dealers, albastini", "season"]
)
def test_a_standing_weighs_at_most_30_kib_the_first_time(
    visitors: Visitors, club: Club, name: str
) -> None:
    files = fetched(visitors.phone(), club.pages[name])

    assert sum(files.values()) <= 30 * KIB, files
    assert not [file for file in files if "htmx" in file or "queue" in file]


def test_where_hands_were_typed_a_standing_shows_what_waits(phone: Page, club: Club) -> None:
    phone.goto(club.pages["table, albastini"])
    settle(phone)

    files = fetched(phone, club.pages["tournament, albastini"])

    assert [file for file in files if "queue" in file]


@pytest.mark.parametrize(
    "name", ["home", "club", "member", "desk", "round-close", "tournament-display, between"]
)
def test_a_page_without_a_sheet_fetches_none_of_its_scripts(
    desk: Page, club: Club, name: str
) -> None:
    files = fetched(desk, club.pages[name])

    assert [file for file in files if "/kula." in file]
    assert not [file for file in files if "queue" in file or "sheets" in file]


def test_a_page_that_corrects_a_hand_fetches_them(desk: Page, club: Club) -> None:
    files = fetched(desk, club.pages["hand-correct, albastini"])

    assert [file for file in files if "sheets" in file]
