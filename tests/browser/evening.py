"""Rounds of an evening, played at tables by phones and written into the book at once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from playwright.sync_api import Page, expect

from tests.browser import phones
from tests.browser.book import Book, Table
from tests.browser.club import Laid
from tests.browser.packs import PAIRS, Count, Way, albastini
from tests.browser.visiting import Visitors


@dataclass(frozen=True, slots=True)
class TableNow:
    """A table, the phone that lies on it, and another one a player has in the pocket."""

    table: Table
    phone: Page
    other: Page

    @property
    def coming(self) -> int:
        return len(self.table.hands) + 1


Incident: TypeAlias = Callable[[TableNow, Random], None]


def sit_down(
    visitors: Visitors, book: Book, number: int, laid: Sequence[Laid], people: Sequence[str]
) -> list[TableNow]:
    """Let everybody sit down as the round has it, a phone or two at each table."""
    seated = []
    for place, card in enumerate(laid):
        phone, other = visitors.phone(), visitors.phone()
        phones.scan(phone, card)
        phones.type_code(other, card)
        four = people[place * 4 : place * 4 + 4]
        seated.append(TableNow(book.sit(number, card.number, PAIRS, four), phone, other))
    return seated


def play(at: TableNow, rng: Random, hands: int, incidents: dict[int, Incident]) -> None:
    """Play on until so many hands are in; some of them do not go as they should."""
    while (number := at.coming) <= hands:
        phones.expect_turn(at.phone, at.table)
        incidents.get(number, hand)(at, rng)
        assert at.coming > number


def hand(at: TableNow, rng: Random) -> None:
    """Play a hand and report it."""
    count(at, albastini(rng, at.table.way))


def count(at: TableNow, counted: Count) -> None:
    """Report what was counted, and write it into the book."""
    phones.report(at.phone, at.table, counted.eaten, counted.left_over)
    at.table.write(counted)


def wanting(kind: Callable[[Way, int], Callable[[Count], bool]], side: int) -> Incident:
    """Play hands until the side wins one as wanted, and report that one."""

    def incident(at: TableNow, rng: Random) -> None:
        wanted = kind(at.table.way, side)
        while not wanted(counted := albastini(rng, at.table.way)):
            pass
        points = 1 if min(counted.eaten) >= at.table.way.threshold else 2
        phones.write(at.phone, at.table, counted.eaten)
        phones.expect_says(at.phone, f"{at.table.called(side)} win · {points} VP")
        phones.save(at.phone)
        phones.expect_saved(at.phone, at.coming)
        at.table.write(counted)

    return incident


def all_in(at: TableNow) -> None:
    """See that the page asks for no more."""
    expect(at.phone.get_by_role("button", name="Save")).to_have_count(0)
    expect(at.phone.locator("#all-in")).to_have_text(f"All {len(at.table.hands)} hands are in")
