"""The lasting card of a table: its address, its code, its QR code; few guesses at codes."""

import math
from typing import Any

import pytest
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from tests import act, make
from tests.reading import costs, path, shows
from tracker.models import Misses, Role, RoundState, Sitting, Table, TokenState
from tracker.seating.pages.table_cards import (
    ALL_SOURCES,
    ALL_SOURCES_AT_OLD_CODES,
    ONE_SOURCE,
    card_url,
    limits_for,
    network_of,
)
from tracker.seating.services.rounds import record_round
from tracker.seating.services.table_cards import CODE_SIGNS
from tracker.tables.failed_lookups import RateLimit, count_failed_lookup

pytestmark = pytest.mark.django_db

NOW = 1_800_000_000.0
DAY = 24 * 60 * 60


@pytest.fixture
def card() -> Table:
    return Table.objects.create(
        tournament=make.tournament(), number=3, card_token="lasting", code="K7MXQ2"
    )


def sit_down(at: Table, state: RoundState = RoundState.OPEN) -> Sitting:
    """Lay a round of the table's tournament in which somebody sits at it."""
    assert at.tournament is not None
    round_ = make.round_of(at.tournament, state=state)
    return make.sitting("Asha", "Neema", "Juma", "Baraka", in_round=round_, number=at.number)


def test_a_card_leads_to_the_sitting_of_the_round_that_is_open(client: Client, card: Table) -> None:
    address = card.get_absolute_url()
    waiting = client.get(address)
    shows(waiting, "Nobody sits here yet", "data-live")
    look = {"If-None-Match": waiting.headers["ETag"]}
    assert client.get(address, headers=look).status_code == 304
    sit_down(card, RoundState.CLOSED)
    here = sit_down(card)
    record_round(make.actor(), "round-opened", here.round)
    # The page that waits moves on by itself.
    now = client.get(address, headers=look)

    assert now.headers["Location"] == here.get_absolute_url()
    Sitting.objects.update(token_state=TokenState.CLOSED)
    assert client.get(address).status_code == 200
    assert client.get(path("card", "forged")).status_code == 404
    image = client.get(path("card-qr", card.card_token))
    assert image.headers["Content-Type"] == "image/svg+xml"
    assert image.content.startswith(b"<?xml")
    assert b"<svg" in image.content


@pytest.mark.parametrize(
    ("asked_at", "urls", "answer"),
    [
        ("localhost", ("", "http://192.0.2.7:8000"), "http://192.0.2.7:8000"),
        ("192.0.2.7", ("", "http://192.0.2.8:8000"), "http://192.0.2.7"),
        ("localhost", ("https://kula.example", "http://192.0.2.7"), "https://kula.example"),
        ("localhost", ("", ""), "http://localhost"),
    ],
)
def test_the_address_on_a_card_is_one_that_phones_reach(
    card: Table, settings: Settings, asked_at: str, urls: tuple[str, str], answer: str
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    settings.SITE_URL, settings.PHONES_URL = urls
    asked = RequestFactory().get("/", headers={"host": asked_at})
    assert card_url(asked, card) == f"{answer}/c/lasting/"


# Typed codes ----------------------------------------------------------------------------------


def type_code(client: Client, code: str, address: str = "192.0.2.7") -> Any:
    return client.post(path("card-code"), {"code": code}, REMOTE_ADDR=address)


def test_a_code_leads_to_the_table_however_it_is_typed(client: Client, card: Table) -> None:
    for typed in ("K7MXQ2", card.spaced_code, "k7mxq2", " k7 mxq2 "):
        assert type_code(client, typed).headers["Location"] == card.get_absolute_url()
    Table.objects.update(code="K7MX")  # as old cards have it
    assert type_code(client, " k7 mx ").headers["Location"] == card.get_absolute_url()

    page = type_code(client, "zz9q")
    assert page.status_code == 200
    shows(page, "No table has the code ZZ9Q.", 'value="zz9q"')
    before = Misses.objects.count()
    card.withdrawn_keys.create(key="OLDOLD", withdrawn_at=make.NOON)
    replaced = type_code(client, "old old", "192.0.2.8")
    shows(replaced, "This card was replaced. Ask the organiser for the new one.")
    assert Misses.objects.count() > before


def test_only_misses_count_and_then_a_hit_is_not_told_either(client: Client, card: Table) -> None:
    for _ in range(ONE_SOURCE.burst + 5):
        assert type_code(client, "K7MXQ2").status_code == 302
    misses = [type_code(client, f"ZZZ{number:03d}") for number in range(ONE_SOURCE.burst)]
    beyond, hit = type_code(client, "ZZZZZZ"), type_code(client, "K7MXQ2")

    assert {answer.status_code for answer in misses} == {200}
    assert (beyond.status_code, hit.status_code) == (429, 429)
    shows(hit, "Too many codes")
    assert "Location" not in hit.headers
    assert type_code(client, "K7MXQ2", "192.0.2.8").status_code == 302


def test_a_phone_from_a_table_types_on_when_strangers_may_not(client: Client, card: Table) -> None:
    Misses.objects.create(who="strangers", paid_off=NOW * 2)

    assert type_code(client, "K7MXQ2").status_code == 429
    client.cookies["kula_tables"] = "anything:forged"
    assert type_code(client, "K7MXQ2").status_code == 429
    client.get(make.sitting().get_absolute_url())
    assert type_code(client, "K7MXQ2").status_code == 302


def test_a_hit_costs_one_statement_and_a_miss_one_to_count_it(client: Client, card: Table) -> None:
    type_code(client, "ZZZZZZ")
    with costs(1):
        type_code(client, "K7MXQ2")
    with CaptureQueriesContext(connection) as asked:
        type_code(client, "ZZZZZZ")

    # Looked up, counted, and looked up among the old ones.
    looked_up, counted_once, looked_up_again = (query["sql"] for query in asked)
    assert looked_up.startswith("SELECT")
    assert looked_up_again.startswith("SELECT")
    assert counted_once.count("INSERT INTO tracker_misses") == 1


def test_new_cards_have_long_codes() -> None:
    tournament = make.tournament()
    organiser = act.sign_in(Role.ORGANISER, tournament)
    organiser.post(path("print-cards", tournament), {"tables": 3})

    codes = Table.objects.values_list("code", flat=True)
    assert [len(code) for code in codes] == [6, 6, 6]


# The count of misses --------------------------------------------------------------------------


def counted(limits: dict[str, RateLimit], times: int, after: float = 0) -> list[bool]:
    """Return which of so many misses pass at that moment."""
    return [count_failed_lookup(limits, NOW + after) for _ in range(times)]


def test_so_many_pass_at_once_and_one_more_after_a_while() -> None:
    limit = {"one": RateLimit(burst=3, seconds=60)}
    assert counted(limit, 5) == [True] * 3 + [False] * 2
    assert counted(limit, 2, 61) == [True, False]
    assert counted(limit, 4, 1000) == [True] * 3 + [False]
    counted({"two": RateLimit(burst=2, seconds=60)}, 1, 1500)
    assert [each.who for each in Misses.objects.all()] == ["two"]  # the other is forgotten


def test_who_may_not_miss_any_more_uses_up_nobody_elses_patience() -> None:
    own, of_all = RateLimit(burst=2, seconds=60), RateLimit(burst=4, seconds=60)
    passed = [sum(counted({who: own, "all": of_all}, 50)) for who in ("one", "two", "three")]
    assert passed == [2, 2, 0]


def test_the_arithmetic_in_the_docstring() -> None:
    codes, old_codes = len(CODE_SIGNS) ** 6, len(CODE_SIGNS) ** 4
    day, old_day, one_day = (
        DAY / each.seconds for each in (ALL_SOURCES, ALL_SOURCES_AT_OLD_CODES, ONE_SOURCE)
    )

    def within_a_month(limit: RateLimit, codes: int, tables: int) -> float:
        guesses = limit.burst + 30 * DAY / limit.seconds
        return 1 - math.exp(-guesses * tables / codes)

    assert (codes, old_codes) == (887_503_681, 923_521)
    assert (day, old_day, one_day) == (4320, 96, 72)
    assert codes / (day * 60) > 9 * 365
    assert within_a_month(ALL_SOURCES, codes, 60) < 1 / 110
    assert old_codes / (old_day * 60) > 160
    assert within_a_month(ALL_SOURCES_AT_OLD_CODES, old_codes, 60) < 1 / 5
    assert within_a_month(ALL_SOURCES_AT_OLD_CODES, old_codes, 10) < 1 / 31
    assert one_day < old_day < day  # one address alone never uses up the others' patience


def test_addresses_that_one_person_has_count_as_one_and_neighbours_apart() -> None:
    apart = ("192.0.2.7", "192.0.2.8", "2001:db8:0:1::1", "2001:db8:0:2::1")

    assert network_of("::ffff:192.0.2.7") == network_of("192.0.2.7") == "192.0.2.7"
    assert network_of("2001:db8:0:1::1") == network_of("2001:db8:0:1:ffff::2")
    assert network_of("nobody") == "nobody"
    assert len({network_of(address) for address in apart}) == len(apart)
    assert limits_for("AAAAAA", address="a", table="")["strangers"] == ALL_SOURCES
