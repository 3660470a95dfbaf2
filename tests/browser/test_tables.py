"""A table of every other kind, played through the pages to its standing."""

from random import Random

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser import club, phones, wall
from tests.browser.book import Book
from tests.browser.evening import TableNow, play
from tests.browser.packs import WAYS, briscola, going_out
from tests.browser.rest import settle
from tests.browser.tokens import Deal, Game, statuses
from tests.browser.visiting import Visitors

SIX = ("Zawadi", "Asha", "Yusuf", "Baraka", "Pendo", "Chausiku")


def _tonight(
    visitors: Visitors,
    owner: StorageState,
    *,
    at: str,
    game: str,
    people: tuple[str, ...],
    way: str = "",
) -> tuple[Page, Page]:
    """Open a club, begin a game tonight, and return the desk and a phone at the table."""
    desk = visitors.laptop(storage_state=owner)
    club.make_club(desk, at)
    club.add_players(desk, sorted(people))
    (laid,) = club.play_tonight(desk, game, people, way=way)
    phone = visitors.phone()
    phones.scan(phone, laid)
    return desk, phone


@pytest.mark.parametrize(
    ("code", "way"),
    [
        ("5i", ""),  # whatever fits five
        ("6t2", "six in three pairs"),
        ("6t3", "six in two teams of three"),
    ],
)
def test_a_table_of_albastini(visitors: Visitors, owner: StorageState, code: str, way: str) -> None:
    rng, book = Random(code), Book()
    people = SIX[: WAYS[code].seats]
    desk, phone = _tonight(
        visitors, owner, at=f"Club of {code}", game="Albastini", people=people, way=way
    )
    table = book.sit(1, 1, WAYS[code], people)

    play(TableNow(table, phone, phone), rng, 5, {})

    desk.get_by_role("link", name="Standings").first.click()
    wall.expect_standing(desk, book.standing())


def test_a_table_of_the_great_dalmuti(visitors: Visitors, owner: StorageState) -> None:
    rng = Random(3)
    people = SIX[:5]
    desk, phone = _tonight(visitors, owner, at="Peons", game="The Great Dalmuti", people=people)
    expect(phone.locator(".deals")).to_contain_text("Draw for the deal")
    orders: list[list[str]] = []

    for number in range(1, 5):
        orders.append(going_out(rng, people))
        for name in orders[-1][:-1]:  # the last fills itself
            phone.get_by_role("button", name=name).click()
        phones.expect_says(phone, f"{orders[-1][0]} is Dalmuti")
        phones.save(phone)
        phones.expect_saved(phone, number)
        expect(phone.locator(".deals")).to_contain_text(f"{orders[-1][-1]} deals")
        expect(phone.locator(".deals")).to_contain_text(f"{orders[-1][0]} leads")

    desk.get_by_role("link", name="Standings").first.click()
    shown = wall.standings(desk)
    ranked = [
        (row["Player"], int(row["Dalmuti"]), int(row["Trader"]), int(row["Peon"])) for row in shown
    ]
    assert ranked == statuses(orders)
    # Whoever went out last deals the next (D-4); who dealt the first, by the draw, nobody wrote down.
    late = [order[-1] for order in orders[:-1]]
    assert {row["Player"]: int(row["Dealt"]) for row in shown} == {
        name: late.count(name) for name in people
    }


def test_a_table_of_mambassa_to_its_last_player(visitors: Visitors, owner: StorageState) -> None:
    people = SIX[:4]
    desk, phone = _tonight(visitors, owner, at="Token bearers", game="Mambassa", people=people)
    dealer = phones.dealer(phone)
    assert dealer in people  # by lot (R3)
    game = Game(people, dealer)

    for number, deal in enumerate(game.deals(Random(11)), start=1):
        expect(phone.locator(".deals")).to_contain_text(f"{game.dealer} deals")
        _write_deal(phone, deal)
        phones.save(phone)
        phones.expect_saved(phone, number)

    expect(phone.locator(".saved-what")).to_contain_text(f"{game.winner} wins the game")
    desk.get_by_role("link", name="Standings").first.click()
    shown = wall.standings(desk)
    outlasted = {row["Player"]: wall.amount(row["Outlasted"]) for row in shown}
    assert outlasted == game.outlasted()
    assert shown[0]["Player"] == game.winner
    assert [row["Tokens won"] for row in shown] == ["16", "0", "0", "0"]


def _write_deal(phone: Page, deal: Deal) -> None:
    if deal.event != "normal":
        phone.get_by_role("radio", name=f"{deal.event.capitalize()}!").check()
        declared = phone.get_by_role("group", name="Who declared it?")
        declared.get_by_role("radio", name=deal.declarer).check()
    if deal.event != "mambassa":
        pays = phone.get_by_role("group", name="Who had the lowest hand and pays?")
        for name in deal.payers:
            pays.get_by_role("checkbox", name=name).check()
        settle(phone)
        colours = "i => [i, i.closest('.face')].map(part => getComputedStyle(part).backgroundColor)"
        token, chosen = pays.locator(":checked + .face .on").first.evaluate(colours)
        assert token != chosen  # whoever pays is seen to hold what there was before the deal


def test_a_match_of_briscola(visitors: Visitors, owner: StorageState) -> None:
    rng = Random(5)
    people = SIX[:4]
    desk, phone = _tonight(visitors, owner, at="Brisk", game="Briscola", people=people)
    dealer = people.index(phones.dealer(phone))
    pairs = (f"{people[0]} & {people[2]}", f"{people[1]} & {people[3]}")
    won, drawn, points, number = [0, 0], 0, [0, 0], 0

    while max(won) < 3:  # first to three (R12)
        eaten = briscola(rng, WAYS["4t2"])
        number += 1
        expect(phone.locator(".deals")).to_contain_text(f"{people[dealer % 4]} deals")
        phones.type_totals(phone, pairs, eaten)
        phones.save(phone)
        phones.expect_saved(phone, number)
        dealer += 1  # the deal passes on (R3)
        drawn += eaten[0] == eaten[1]
        for side in (0, 1):
            won[side] += eaten[side] > eaten[1 - side]
            points[side] += eaten[side]

    expect(phone.get_by_role("button", name="Save")).to_have_count(0)
    desk.get_by_role("link", name="Standings").first.click()
    for row in wall.standings(desk):
        side = people.index(row["Player"]) % 2
        tied = row["Tied"] if drawn else "0"  # a column of noughts is not shown
        figures = [row["Matches"], row["Deals won"], tied, row["Card points"]]
        expected = [int(won[side] == 3), won[side], drawn, points[side]]
        assert list(map(int, figures)) == expected
