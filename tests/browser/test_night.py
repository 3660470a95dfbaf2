"""Nights as their organiser sees them, from the announcement to official results."""

import re
from dataclasses import replace
from itertools import chain
from random import Random

from playwright.sync_api import StorageState, expect

from tests.browser import club, night, phones, wall
from tests.browser.book import Book, Line
from tests.browser.club import Laid
from tests.browser.evening import TableNow, all_in, play, wanting
from tests.browser.night import Night
from tests.browser.packs import PAIRS, Count, albastini, albastini_where, by_two
from tests.browser.visiting import Visitors

KNOWN = (
    "Asha", "Baraka", "Chausiku", "Daudi", "Eshe", "Faraji",
    "Grace", "Hamisi", "Imani", "Juma", "Khadija",
)  # fmt: skip
# Lulu is new and said so, Mosi visits, and Juma comes late: thirteen.
FIRST = (
    ("Asha", "Baraka", "Chausiku", "Daudi"),
    ("Eshe", "Faraji", "Grace", "Hamisi"),
    ("Imani", "Khadija", "Lulu", "Mosi"),
)
# Juma sits down, and Mosi rests; then it is Juma's turn to rest, as the last who has not.
SECOND = (*FIRST[:2], ("Imani", "Khadija", "Lulu", "Juma"))
THIRD = FIRST
LENGTH = 2


def test_a_night_from_its_announcement_to_official_results(
    visitors: Visitors, owner: StorageState
) -> None:
    rng, book = Random(20261127), Book(hands=LENGTH)
    desk = visitors.phone(host="127.0.0.1", storage_state=owner)
    club.make_club(desk, "Mbezi Nights")
    club.add_players(desk, KNOWN)
    desk.get_by_role("link", name="Mbezi Nights").first.click()
    evening = night.announce(desk, place="Bar Kijiji", games="Albastini")
    _announce_themselves(visitors, evening)
    _arrive(evening)

    laid = night.seat(evening, "Choose a game and seat everybody", "Albastini", length=LENGTH)
    tables = _first_round(visitors, evening, book, laid)
    _play(tables, rng)
    _query(evening, tables[0], rng)
    night.close_round(evening, "Albastini", 1)

    tables = _second_round(visitors, evening, book, tables)
    _play([tables[0], tables[2]], rng)
    _close_without(evening, tables[1])
    _from_paper(evening, tables[1], rng)
    book.rested.append("Mosi")

    tables = _third_round(evening, book, tables)
    _play(tables, rng)
    night.close_round(evening, "Albastini", 3)
    _finish(visitors, evening, book)


def _announce_themselves(visitors: Visitors, evening: Night) -> None:
    phone = visitors.phone()
    night.record_rsvp(phone, evening.link, "Asha", listed=True)
    expect(phone.locator(".where")).to_contain_text("Bar Kijiji")
    night.record_rsvp(phone, evening.link, "Lulu", listed=False)
    evening.page.reload()
    coming = evening.page.get_by_role("region", name="Who’s coming")
    expect(coming.locator(".pill.now")).to_have_text(["Asha", "Lulu"])


def _arrive(evening: Night) -> None:
    """Check twelve in: who said so, who did not, and a visitor whom nobody knew."""
    page = evening.page
    page.get_by_role("link", name="Check people in").click()
    expected = page.get_by_role("group", name="Said they’re coming")
    expect(expected.locator("label")).to_have_text([re.compile("Asha"), re.compile("Lulu new")])
    night.check_in(page, [name for name in (*KNOWN, "Lulu") if name != "Juma"])
    night.check_in(page, [], new="Mosi", visits_from="Mbweni")
    evening.return_to()
    expect(page.get_by_text("12 people are here")).to_be_visible()


def _first_round(
    visitors: Visitors, evening: Night, book: Book, laid: list[Laid]
) -> list[TableNow]:
    """Let two people who sat down at the wrong tables change seats, and open a phone at each."""
    page = evening.page
    page.get_by_role("link", name="Change seats", exact=True).click()
    night.face(page, "Grace").click()
    night.face(page, "Lulu").click()
    page.get_by_role("button", name="Preview the swap").click()
    club.apply_because(page, "Sat down the other way round")
    evening.said("have changed seats")

    tables = []
    for card, people in zip(laid, FIRST, strict=True):
        phone = visitors.phone()
        phones.scan(phone, card)
        tables.append(TableNow(book.sit(1, card.number, PAIRS, people), phone, phone))
    tables[1].table.give_seat("Grace", "Lulu")
    tables[2].table.give_seat("Lulu", "Grace")
    return tables


def _play(tables: list[TableNow], rng: Random) -> None:
    """Play the round; Asha and Chausiku, always partners, win everything there is to win."""
    for at in tables:
        ahead = wanting(by_two, 0)
        play(at, rng, LENGTH, {1: ahead, 2: ahead} if "Asha" in at.table.people else {})
        all_in(at)


def _query(evening: Night, at: TableNow, rng: Random) -> None:
    """Let a player doubt the last hand, and settle with both sides how it really went."""
    at.phone.get_by_role("button", name="Say that hand 2 is wrong").click()
    expect(at.phone.get_by_text("with the organiser").first).to_be_visible()
    really = albastini_where(
        rng, PAIRS, lambda count: by_two(PAIRS, 0)(count) and count != at.table.hands[1].count
    )

    page = evening.page
    page.reload()
    needs = page.get_by_role("region", name="Needs you")
    needs.get_by_role("link", name="Table 1, Hand 2").click()
    page.get_by_text("Enter it again").click()
    for side, eaten in enumerate(really.eaten):
        page.get_by_role("textbox", name=at.table.called(side), exact=True).fill(str(eaten))
    page.get_by_role("button", name="Preview the change").click()
    club.apply_because(page, "Both sides agree")
    evening.said(re.compile("Table \\d, Hand \\d is settled."))
    expect(page.get_by_role("region", name="Needs you")).to_have_count(0)
    at.table.amend(2, really)


def _second_round(
    visitors: Visitors, evening: Night, book: Book, before: list[TableNow]
) -> list[TableNow]:
    """Let Juma, who is late, sit down in the second round, and find his table by himself."""
    page = evening.page
    page.get_by_role("link", name="Who’s here", exact=True).click()
    night.check_in(page, ["Juma"])
    evening.return_to()
    expect(evening.people().get_by_text("Juma", exact=True)).to_be_visible()
    _open_round(evening, 2, SECOND, rests="Mosi")
    mine = visitors.phone()
    mine.goto(page.url)
    mine.get_by_role("link", name="Where do I sit?").click()
    mine.get_by_role("button", name="Juma").click()
    expect(mine.get_by_role("heading", name="You sit at table 3")).to_be_visible()
    return _sit_again(book, 2, before, SECOND)


def _third_round(evening: Night, book: Book, before: list[TableNow]) -> list[TableNow]:
    """Let Hamisi go home from the table, and Juma take over, whose turn it was to rest."""
    page = evening.page
    _open_round(evening, 3, THIRD, rests="Juma")
    page.get_by_role("link", name="Who’s here", exact=True).click()
    page.get_by_role("button", name=re.compile("^Gone home.*Hamisi$")).click()
    warning = "Hamisi has gone home, but has a seat at table 2. Change seats there"
    expect(page.get_by_text(warning)).to_be_visible()
    evening.return_to()
    page.get_by_role("link", name="Change seats", exact=True).click()
    page.locator("summary", has_text="Substitute").click()
    page.get_by_label("Who leaves").select_option(label="Hamisi")
    page.get_by_label("Who plays instead").select_option(label="Juma")
    page.get_by_role("button", name="Substitute").click()
    evening.said("Juma takes over.")
    expect(page.locator(".pill.resting")).to_have_count(0)
    tables = _sit_again(book, 3, before, THIRD)
    tables[1].table.give_seat("Hamisi", "Juma")
    return tables


def _open_round(
    evening: Night, number: int, seats: tuple[tuple[str, ...], ...], *, rests: str
) -> None:
    """Draw a round by numbers instead of as the site would, look at it, and open it."""
    page, order = evening.page, [*chain(*seats), rests]
    page.get_by_role("button", name="Next round").click()
    page.get_by_text("Who plays, how and how long").click()
    page.get_by_label("Who sits where?").select_option(label="in number order, table by table")
    page.get_by_role("button", name=f"Draw round {number}").click()
    club.number_them(page, number, order)
    club.open_drawn(page, number, order)
    evening.look()
    expect(page.locator(".pill.resting")).to_have_text(f"{rests} · for the first time")


def _sit_again(
    book: Book, number: int, before: list[TableNow], seats: tuple[tuple[str, ...], ...]
) -> list[TableNow]:
    """Let the phones stay on the tables: each is led to the round that has been opened."""
    tables = []
    for at, people in zip(before, seats, strict=True):
        table = book.sit(number, at.table.number, PAIRS, people)
        at.phone.reload()
        at.phone.get_by_role("link", name="Go to this table’s next round").click()
        tables.append(TableNow(table, at.phone, at.other))
    return tables


def _close_without(evening: Night, at: TableNow) -> None:
    """Close a round although nobody has heard of a table: its paper lies somewhere."""
    page = evening.page
    page.reload()
    expect(evening.of("Albastini").get_by_text("1 table still playing")).to_be_visible()
    page.get_by_role("link", name="Close round 2").click()
    missing = page.get_by_role("region", name="Still missing")
    expect(missing.get_by_role("link")).to_contain_text(f"Table {at.table.number} 0 of 2 are in")
    page.get_by_role("button", name="Close, results may still come in").click()
    evening.said("Round 2 is closed.")


def _from_paper(evening: Night, at: TableNow, rng: Random) -> None:
    """Type what stands on a table's paper, once its round has closed."""
    page = evening.page
    evening.table(at.table.number).click()
    page.get_by_role("link", name="Type in its paper sheet").click()
    page.wait_for_url("**/paper/")  # until its script is there: it moves on with Enter
    written: list[Count] = [albastini(rng, PAIRS) for _ in range(LENGTH)]
    page.get_by_label(re.compile(f"^Line 1: .* {at.table.called(0)}$")).focus()
    for count in written:
        for eaten in count.eaten:
            page.keyboard.type(str(eaten))
            page.keyboard.press("Enter")
        at.table.write(count)
    page.get_by_role("button", name="Save").first.click()
    expect(page.get_by_text(f"Table {at.table.number} saved: 2 new results.")).to_be_visible()
    evening.return_to()


def _finish(visitors: Visitors, evening: Night, book: Book) -> None:
    """Put the standing up, make it official, and let two who are level play off the prize."""
    page = evening.page
    night.put_up(evening, "Albastini")
    member = visitors.phone()
    member.goto(page.url)
    expect(member.get_by_text("provisional until")).to_be_visible()
    night.make_official(evening, "Albastini")
    night.settle_tie(page, 1, "played off", ["Chausiku", "Asha"])
    evening.look()

    member.reload()
    winners = wall.rows(member.get_by_role("table", name="Albastini"))
    assert [winner["Name"] for winner in winners[:2]] == ["Chausiku", "Asha"]
    member.get_by_role("link", name="Albastini").click()
    expect(member.locator(".pill.official")).to_be_visible()
    wall.expect_standing(member, _played_off(book.standing(), "Chausiku", "Asha"))
    expect(member.get_by_text("Chausiku, Asha: in this order by a play-off.")).to_be_visible()
    expect(member.get_by_role("region", name="Bonuses")).to_contain_text("Mosi")
    night.end(evening)


def _played_off(lines: list[Line], *order: str) -> list[Line]:
    """Put those who were level at the first place into this order."""
    level = {line.name: line for line in lines if line.place == "1="}
    assert sorted(level) == sorted(order)
    untied = [replace(level[name], place=str(place)) for place, name in enumerate(order, start=1)]
    return [*untied, *lines[len(level) :]]
