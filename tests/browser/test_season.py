"""Two games side by side in one night, and a season over both that is worked out beside it."""

import re
from fractions import Fraction
from random import Random

from playwright.sync_api import Page, StorageState, expect

from tests.browser import club, night, phones, season
from tests.browser.book import Book
from tests.browser.club import Laid
from tests.browser.evening import TableNow, play
from tests.browser.night import Night
from tests.browser.packs import PAIRS, going_out
from tests.browser.tokens import statuses
from tests.browser.visiting import Visitors

EIGHT = ("Asha", "Baraka", "Chausiku", "Daudi", "Eshe", "Faraji", "Grace", "Hamisi")
FIVE = ("Imani", "Juma", "Khadija", "Lulu", "Mosi")
MIXED = ("Asha", "Daudi", "Imani", "Mosi")  # they play once more
THREE = ("Baraka", "Juma", "Lulu")  # so few that it counts for nothing
VISITOR = "Mosi"
LENGTH = 2
DALMUTI = "The Great Dalmuti"


def test_two_games_at_once_and_a_season_over_both(
    phone: Page, visitors: Visitors, owner: StorageState
) -> None:
    rng, book = Random(20261204), Book(hands=LENGTH)
    desk = visitors.laptop(storage_state=owner)
    evening = _begin(desk)
    laid = _seat_both(evening)

    tables = _at_tables(visitors, book, laid)
    phones.scan(phone, laid[2])
    dalmuti = _games(phone, rng, FIVE, LENGTH)
    for at in tables:
        play(at, rng, LENGTH, {})
    _both_official(evening, book)
    places = [_places(book), _ranked(dalmuti)]
    places += [_ranked(_once_more(evening, phone, rng, people)) for people in (MIXED, THREE)]
    night.end(evening)

    _expect_season(desk, season.evenings(places, without=VISITOR))


def _begin(desk: Page) -> Night:
    """Begin a season of everybody's best evening, and check thirteen in, one of them a visitor."""
    members = [name for name in (*EIGHT, *FIVE) if name != VISITOR]
    club.make_club(desk, "Mixed Nights")
    club.add_players(desk, members)
    desk.get_by_role("link", name="Mixed Nights").click()
    season.begin(desk, "Masika", 1)
    desk.get_by_role("link", name="Mixed Nights").first.click()
    evening = night.announce(desk, place="Bar Kijiji", games="Albastini and Dalmuti")
    desk.get_by_role("link", name="Check people in").click()
    night.check_in(desk, members, new=VISITOR, visits_from="Mbweni")
    evening.return_to()
    return evening


def _seat_both(evening: Night) -> list[Laid]:
    """Seat eight, and beside them five; a page that lay open longer cannot seat anybody twice."""
    old = evening.page.context.new_page()
    old.goto(evening.page.url)
    old.get_by_role("link", name="Choose a game and seat everybody").click()
    night.fill_tonight(old, DALMUTI, length=LENGTH)
    night.seat(
        evening, "Choose a game and seat everybody", "Albastini", length=LENGTH, without=FIVE
    )

    old.get_by_role("button", name="Go", exact=True).click()
    expect(old.get_by_role("alert")).to_contain_text("Asha still sits at table 1 of “Albastini, ")
    for name in EIGHT:
        expect(old.get_by_role("checkbox", name=f"{name} playing")).to_be_disabled()
    old.get_by_role("button", name="Go", exact=True).click()
    expect(old.get_by_role("heading", level=1)).to_contain_text(evening.title)
    old.close()
    evening.page.reload()
    return club.tables(evening.page)


def _at_tables(visitors: Visitors, book: Book, laid: list[Laid]) -> list[TableNow]:
    tables = []
    for first, card in zip((0, 4), laid[:2], strict=True):
        phone = visitors.phone()
        phones.scan(phone, card)
        people = EIGHT[first : first + 4]
        tables.append(TableNow(book.sit(1, card.number, PAIRS, people), phone, phone))
    return tables


def _games(phone: Page, rng: Random, people: tuple[str, ...], many: int) -> list[list[str]]:
    """Play games of Dalmuti, and return the orders in which people went out."""
    orders = [going_out(rng, people) for _ in range(many)]
    for number, order in enumerate(orders, start=1):
        for name in order[:-1]:  # the last fills itself
            phone.get_by_role("button", name=name).click()
        phones.expect_says(phone, f"{order[0]} is Dalmuti")
        phones.save(phone)
        phones.expect_saved(phone, number)
    return orders


def _both_official(evening: Night, book: Book) -> None:
    """End both; partners of a single round are level, and share the prize or cut the cards."""
    for game in (DALMUTI, "Albastini"):
        night.close_round(evening, game, 1)
        night.put_up(evening, game)
    night.make_official(evening, DALMUTI)
    evening.look()
    night.make_official(evening, "Albastini")
    first, third = (sorted(_level(book, place)) for place in ("1=", "3="))
    night.settle_tie(evening.page, 1, "shared", names=first)
    night.settle_tie(evening.page, 3, "cut for it", [third[1], third[0]])
    evening.look()


def _level(book: Book, place: str) -> list[str]:
    return [line.name for line in book.standing() if line.place == place]


def _places(book: Book) -> dict[str, int]:
    """Return where everybody finished; whoever was level at 3 has cut the cards."""
    places = {line.name: int(line.place.rstrip("=")) for line in book.standing()}
    cut = sorted(_level(book, "3="))
    return {**places, cut[1]: 3, cut[0]: 4}


def _ranked(orders: list[list[str]]) -> dict[str, int]:
    return {row[0]: place for place, row in enumerate(statuses(orders), start=1)}


def _once_more(
    evening: Night, phone: Page, rng: Random, people: tuple[str, ...]
) -> list[list[str]]:
    """Play one more game of Dalmuti with some of those who are still here."""
    others = [name for name in (*EIGHT, *FIVE) if name not in people]
    (card,) = night.seat(evening, "Start a second tournament", DALMUTI, length=1, without=others)
    phones.scan(phone, card)
    orders = _games(phone, rng, people, 1)
    night.close_round(evening, DALMUTI, 1)
    night.put_up(evening, DALMUTI)
    night.make_official(evening, DALMUTI)
    return orders


def _expect_season(desk: Page, evenings: dict[str, list[Fraction]]) -> None:
    """Compare the season with the one worked out here, under each of the rules."""
    played = {name: len(each) for name, each in evenings.items()}
    assert sorted(set(played.values())) == [1, 2]  # so that the rules differ
    desk.get_by_role("link", name="Mixed Nights").first.click()
    season.open_page(desk, "Masika")
    best = {name: season.best(1, each) for name, each in evenings.items()}
    season.expect_standing(desk, best, played)
    desk.locator("summary", has_text=re.compile(r"^\d+ tournaments$")).click()
    expect(desk.get_by_text("fewer than 4 played")).to_be_visible()

    season.change_rule(desk, "all tournaments, added up")
    season.expect_standing(
        desk, {name: season.best(4, each) for name, each in evenings.items()}, played
    )
    season.change_rule(desk, "the average of all tournaments", least=2)
    average = {name: season.average(each) for name, each in evenings.items()}
    season.expect_standing(desk, average, played, least=2)
    expect(desk.get_by_text("Whoever has played fewer than 2 tournaments")).to_be_visible()
    season.change_rule(desk, "the average of all tournaments", least=1)
    season.expect_standing(desk, average, played)
