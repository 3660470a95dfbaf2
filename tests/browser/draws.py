"""A draw as its organiser sees and changes it, and a notebook of who met whom.

The notebook counts for itself: what the page says of repeats is held against it.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from tests.drills.phones import Phone, at_once

_TABLES = """
tables => tables.map(table => ({
  heading: table.querySelector("h2").innerText,
  sides: [...table.querySelectorAll(".draw-side")].map(
    side => [...side.querySelectorAll(".face, .draw-person")].map(name => name.innerText.trim())),
  opener: table.querySelector(".dealer-badge")
    ?.previousElementSibling.innerText.trim() ?? "",
  kept: table.querySelector("[aria-pressed=true]") !== null,
}))
"""
_CODES = """
tables => tables.map(table => ({
  heading: table.querySelector("h3").textContent.trim(),
  sides: table.querySelector("p").textContent.trim(),
  address: table.querySelector("a.button").href,
}))
"""
_DEALERS = """
tiles => tiles.map(tile => [
  tile.querySelector(".tile-name").innerText,
  tile.querySelector(".dealer-badge")?.innerText.trim().replace(/ deals$/, "") ?? "",
])
"""


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """A table of a draw: its people by side, and who deals first, or which team."""

    number: int
    sides: tuple[tuple[str, ...], ...]
    opener: str = ""
    match: str = ""  # of a knock-out: "Final"
    locked: bool = False

    @property
    def people(self) -> tuple[str, ...]:
        return tuple(name for side in self.sides for name in side)

    @property
    def partners(self) -> Iterator[frozenset[str]]:
        return (frozenset(two) for side in self.sides for two in combinations(side, 2))

    @property
    def pairs(self) -> Iterator[frozenset[str]]:
        """Yield every two of the table."""
        return (frozenset(two) for two in combinations(self.people, 2))


@dataclass(frozen=True, slots=True)
class Drawn:
    """The tables of a round, and who rests."""

    tables: tuple[DrawnTable, ...]
    resting: tuple[str, ...] = ()
    summary: str = ""

    @property
    def people(self) -> list[str]:
        return sorted([*(name for table in self.tables for name in table.people), *self.resting])

    def at(self, name: str) -> DrawnTable:
        return next(table for table in self.tables if name in table.people)


def look(page: Page, number: int) -> Drawn:
    """Read the draw of a round, once its page is there."""
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Round {number}")
    expect(page.get_by_role("button", name=f"Open round {number}")).to_be_visible()
    page.wait_for_load_state()
    resting = page.locator(".draw-resting .face").all_inner_texts()
    tables = page.locator("section.draw-table").evaluate_all(_TABLES)
    return Drawn(
        tuple(map(_drawn_table, tables)),
        tuple(name.strip() for name in resting),
        page.locator(".draw-summary").inner_text(),
    )


def _drawn_table(read: Mapping[str, list[list[str]]]) -> DrawnTable:
    heading = str(read["heading"])
    match, number = re.fullmatch(r"(.*?)\s*Table (\d+).*", heading, re.DOTALL).groups()  # type: ignore[union-attr]
    return DrawnTable(
        number=int(number),
        sides=tuple(
            tuple(name for names in side for name in names.split(" & ")) for side in read["sides"]
        ),
        opener=str(read["opener"]),
        match=match,
        locked=bool(read["kept"]),
    )


def draw_next(page: Page, number: int) -> Drawn:
    """From a desk, have the next round drawn."""
    page.get_by_role("button", name="Next round").click()
    return look(page, number)


def keep(page: Page, table: int) -> None:
    """Let a table stay as it is when the rest is drawn again."""
    page.get_by_role("button", name=f"Keep table {table} as it is").click()
    button = page.get_by_role("button", name=f"Keep table {table} as it is", pressed=True)
    expect(button).to_have_text("Kept")


def draw_again(page: Page, number: int, before: Drawn) -> Drawn:
    """Have everything drawn again but the tables that are kept, until it is another seating."""
    for _ in range(20):
        with page.expect_navigation():
            page.get_by_role("button", name="Draw again").click()
        drawn = look(page, number)
        if _seats(drawn) != _seats(before):
            return drawn
    raise AssertionError("every draw is the same")


def _seats(drawn: Drawn) -> list[tuple[tuple[str, ...], ...]]:
    return [table.sides for table in drawn.tables]


def swap(page: Page, number: int, two: tuple[str, str], says: str) -> Drawn:
    """Tap two people, read what an exchange would do, and exchange them."""
    for name in two:
        page.locator("#swap label.tap", has_text=re.compile(rf"^\s*{name}\s*$")).click()
    effect = page.locator("#effect")
    heading = re.compile("change places")
    expect(effect.get_by_role("heading", level=2)).to_have_text(heading)
    for name in two:
        expect(effect.get_by_role("heading", level=2)).to_contain_text(name)
    expect(effect).to_contain_text(says)
    expect(effect).to_contain_text(re.compile("deals first|The same people deal first"))
    with page.expect_navigation():
        effect.get_by_role("button", name="Swap them").click()
    return look(page, number)


def open_round(page: Page, number: int, drawn: Drawn) -> "list[OpenTable]":
    """Open the round, and see at the desk that what opens is what was shown."""
    page.get_by_role("button", name=f"Open round {number}").click()
    tables = open_tables(page)
    shown = {table.number: table for table in drawn.tables}
    assert shown.keys() == {table.number for table in tables}
    for table in tables:
        assert set(table.sides) == set(map(frozenset, shown[table.number].sides))
        assert table.opener in shown[table.number].opener.split(" & ")
    return tables


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table that is being played, as the desk shows it."""

    number: int
    sides: tuple[frozenset[str], ...]
    opener: str
    token: str

    @property
    def people(self) -> frozenset[str]:
        return frozenset().union(*self.sides)

    def side_of(self, name: str) -> int:
        return next(at for at, side in enumerate(self.sides) if name in side)


def as_drawn(table: OpenTable) -> DrawnTable:
    return DrawnTable(table.number, tuple(map(tuple, table.sides)), table.opener)


def open_tables(page: Page) -> list[OpenTable]:
    """Read the tables from the codes that a desk shows as soon as a round is open."""
    expect(page.get_by_text("Show the table codes")).to_be_visible()
    page.wait_for_load_state()
    dealers = dict(page.locator("a.tile").evaluate_all(_DEALERS))
    return [
        OpenTable(
            int(table["heading"].removeprefix("Table ")),
            tuple(frozenset(re.split(" & |, ", side)) for side in table["sides"].split(" – ")),
            dealers[table["heading"]],
            urlsplit(table["address"]).path.split("/")[2],
        )
        for table in page.locator(".codes section.panel").evaluate_all(_CODES)
    ]


@dataclass(slots=True)
class Notebook:
    """Who were partners, who met, who rested, who dealt first: written down round by round."""

    partners: Counter[frozenset[str]] = field(default_factory=Counter)
    met: Counter[frozenset[str]] = field(default_factory=Counter)
    rested: Counter[str] = field(default_factory=Counter)
    opened: Counter[str] = field(default_factory=Counter)

    def write(self, drawn: Drawn) -> None:
        for table in drawn.tables:
            self.partners.update(table.partners)
            self.met.update(table.pairs)
            self.opened.update([table.opener] if table.opener else [])
        self.rested.update(drawn.resting)

    def says(self, drawn: Drawn) -> str:
        """Return what the page is to say of the repeats of a draw."""
        met = sum(pair in self.met for table in drawn.tables for pair in table.pairs)
        same = sum(pair in self.partners for table in drawn.tables for pair in table.partners)
        if not met:
            return "All new opponents."
        again = f"{met} pair{'s' * (met > 1)} of players {'have' if met > 1 else 'has'} met before"
        if not same:
            return f"{again}."
        return f"{again}, {same} as partners."


def exchanged(drawn: Drawn, two: tuple[str, str]) -> Drawn:
    """Return the draw with two people exchanged."""
    other = dict((two, two[::-1]))

    def move(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(other.get(name, name) for name in names)

    tables = tuple(
        DrawnTable(table.number, tuple(map(move, table.sides))) for table in drawn.tables
    )
    return Drawn(tables, move(drawn.resting))


def report(
    port: int, tables: list[OpenTable], eaten: Callable[[OpenTable], tuple[int, ...]]
) -> None:
    """Let every table report its only hand at the same moment, each from a phone of its own."""

    def hand(table: OpenTable) -> None:
        answer = Phone(port, table.token).open_page().report(1, eaten(table))
        assert (answer.status, answer.number, answer.verdict) == (303, 1, "accepted"), answer

    at_once([partial(hand, table) for table in tables])


def make_tournament(
    page: Page,
    name: str,
    *,
    movement: str,
    teams: bool = False,
    planned: int | None = None,
    third_place: bool = False,
) -> None:
    """From a page of a club make a tournament of a hand a round; the draw is left open."""
    clubs = page.get_by_role("navigation", name="Club", exact=True)
    clubs.get_by_role("link", name="Tournaments").click()
    page.get_by_role("link", name="New tournament").click()
    page.get_by_role("link", name="Albastini").click()
    page.get_by_label("What is it called?").fill(name)
    page.get_by_role("radio", name="four in two pairs", exact=True).check()
    if teams:
        page.get_by_role("radio", name="fixed pairs or teams").check()
    page.get_by_role("spinbutton", name="a round?").first.fill("1")
    if planned:
        page.get_by_label("How many rounds?").fill(str(planned))
    page.get_by_label("Who sits where?").select_option(label=movement)
    if third_place:
        page.get_by_text("Places, sitting out, who steps in").click()
        page.get_by_label("A knock-out has a match for third place").check()
    page.get_by_role("button", name="Make the tournament").click()
    expect(page.get_by_text(f"“{name}” is ready.")).to_be_visible()


def enter_pairs(page: Page, tournament: str, pairs: Sequence[tuple[str, str]]) -> None:
    """Write down all pairs on the page of who plays, a line each, and go back to the draw."""
    page.goto(page.url.replace("/draw/", "/entrants/"))
    page.get_by_label("Who joins?").fill("\n".join(" & ".join(pair) for pair in pairs))
    page.get_by_role("button", name="Add them").click()
    playing = page.get_by_role("region", name="Playing").get_by_role("listitem")
    expect(playing).to_have_count(len(pairs))
    page.get_by_role("link", name="Desk").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(tournament)
    page.get_by_role("link", name="Seat round 1").click()


def draw_first(page: Page, names: Sequence[str] = ()) -> Drawn:
    """Have the first round drawn, with people new by name."""
    if names:
        page.get_by_label("Who plays?", exact=True).fill("\n".join(names))
    page.get_by_role("button", name="Draw round 1").click()
    return look(page, 1)


def close_round(page: Page, number: int) -> None:
    """Close a round as soon as the desk says that everything is in."""
    page.reload()
    expect(page.get_by_text("All results are in.")).to_be_visible()
    page.get_by_role("button", name=f"Close round {number}").click()
    expect(page.get_by_text(f"Round {number} is closed.")).to_be_visible()


def play_round(
    page: Page, port: int, number: int, drawn: Drawn, eaten: Callable[[OpenTable], tuple[int, ...]]
) -> None:
    """Open a round as it is drawn, let every table report, and close it."""
    report(port, open_round(page, number, drawn), eaten)
    close_round(page, number)
