"""Codes that no table has: limits_for for the site, and few enough that nobody guesses one."""

import math
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests import make
from tracker.models import Misses, Role, Sitting, Table
from tracker.seating.pages.table_cards import (
    ALL_SOURCES,
    ALL_SOURCES_AT_OLD_CODES,
    ONE_SOURCE,
    limits_for,
    network_of,
)
from tracker.seating.services.table_cards import CODE_SIGNS
from tracker.tables.failed_lookups import RateLimit, count_failed_lookup

pytestmark = pytest.mark.django_db
NOW = 1_800_000_000.0
DAY = 24 * 60 * 60


@pytest.fixture
def place() -> Table:
    return Table.objects.create(
        tournament=make.tournament(), number=3, card_token="lasting", code="K7MXQ2"
    )


def type_code(client: Client, code: str, address: str = "192.0.2.7") -> Any:
    return client.post(reverse("card-code"), {"code": code}, REMOTE_ADDR=address)


def test_a_code_is_typed_with_or_without_its_gap(client: Client, place: Table) -> None:
    for typed in (place.spaced_code, "k7mxq2"):
        assert type_code(client, typed).headers["Location"] == place.get_absolute_url()


def test_only_misses_are_counted_and_then_a_hit_is_not_told_either(
    client: Client, place: Table
) -> None:
    for _ in range(ONE_SOURCE.burst + 5):
        assert type_code(client, "K7MXQ2").status_code == 302
    misses = [type_code(client, f"ZZZ{number:03d}") for number in range(ONE_SOURCE.burst)]
    beyond, hit, elsewhere = (
        type_code(client, "ZZZZZZ"),
        type_code(client, "K7MXQ2"),
        type_code(client, "K7MXQ2", "192.0.2.8"),
    )

    assert {answer.status_code for answer in misses} == {200}
    assert (beyond.status_code, hit.status_code) == (429, 429)
    assert beyond.content == hit.content or "Too many codes" in hit.text  # the tokens differ
    assert "Location" not in hit.headers
    assert elsewhere.status_code == 302


def test_a_phone_that_was_at_a_table_types_on_when_strangers_may_not(
    client: Client, place: Table
) -> None:
    Misses.objects.create(who="strangers", paid_off=NOW * 2)
    sitting = make.sitting()

    stranger = type_code(client, "K7MXQ2")
    client.get(sitting.get_absolute_url())
    player = type_code(client, "K7MXQ2")

    assert (stranger.status_code, player.status_code) == (429, 302)


def test_a_forged_cookie_is_a_strangers(client: Client, place: Table) -> None:
    Misses.objects.create(who="strangers", paid_off=NOW * 2)
    client.cookies["kula_tables"] = "anything:forged"

    assert type_code(client, "K7MXQ2").status_code == 429


def test_a_code_that_was_replaced_says_so(client: Client, place: Table) -> None:
    place.withdrawn_keys.create(key="OLDOLD", withdrawn_at=make.NOON)

    page = type_code(client, "old old")

    assert "This card was replaced. Ask the organiser for the new one." in page.text
    assert Misses.objects.count() == 2


def test_a_hit_costs_one_statement_and_a_miss_one_to_count_it(
    client: Client, place: Table, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    type_code(client, "ZZZZZZ")
    with django_assert_num_queries(1):
        type_code(client, "K7MXQ2")
    with CaptureQueriesContext(connection) as asked:
        type_code(client, "ZZZZZZ")

    # Looked up, limits_for, and looked up among the old ones.
    looked_up, counted_once, looked_up_again = (query["sql"] for query in asked)
    assert looked_up.startswith("SELECT")
    assert looked_up_again.startswith("SELECT")
    assert counted_once.count("INSERT INTO tracker_misses") == 1


# The count ------------------------------------------------------------------------------------


def test_so_many_pass_at_once_and_one_more_after_a_while() -> None:
    patience = {"one": RateLimit(burst=3, seconds=60)}

    at_once = [count_failed_lookup(patience, NOW) for _ in range(5)]
    later = [count_failed_lookup(patience, NOW + 61) for _ in range(2)]
    rested = [count_failed_lookup(patience, NOW + 1000) for _ in range(4)]

    assert at_once == [True] * 3 + [False] * 2
    assert later == [True, False]
    assert rested == [True] * 3 + [False]


def test_who_may_not_miss_any_more_uses_up_nobody_elses_patience() -> None:
    def of(who: str) -> dict[str, RateLimit]:
        return {who: RateLimit(burst=2, seconds=60), "all": RateLimit(burst=4, seconds=60)}

    first = [count_failed_lookup(of("one"), NOW) for _ in range(50)]
    second = [count_failed_lookup(of("two"), NOW) for _ in range(50)]
    third = [count_failed_lookup(of("three"), NOW) for _ in range(50)]

    assert [sum(each) for each in (first, second, third)] == [2, 2, 0]


def test_who_was_forgiven_is_forgotten() -> None:
    patience = RateLimit(burst=2, seconds=60)
    count_failed_lookup({"one": patience}, NOW)

    count_failed_lookup({"two": patience}, NOW + 200)

    assert [each.who for each in Misses.objects.all()] == ["two"]


def test_the_arithmetic_in_the_docstring() -> None:
    codes, old_codes = len(CODE_SIGNS) ** 6, len(CODE_SIGNS) ** 4
    day, old_day, one_day = (
        DAY / each.seconds for each in (ALL_SOURCES, ALL_SOURCES_AT_OLD_CODES, ONE_SOURCE)
    )

    def within_a_month(patience: RateLimit, codes: int, tables: int) -> float:
        guesses = patience.burst + 30 * DAY / patience.seconds
        return 1 - math.exp(-guesses * tables / codes)

    assert (codes, old_codes) == (887_503_681, 923_521)
    assert (day, old_day, one_day) == (4320, 96, 72)
    assert codes / (day * 60) > 9 * 365
    assert within_a_month(ALL_SOURCES, codes, 60) < 1 / 110
    assert old_codes / (old_day * 60) > 160
    assert within_a_month(ALL_SOURCES_AT_OLD_CODES, old_codes, 60) < 1 / 5
    assert within_a_month(ALL_SOURCES_AT_OLD_CODES, old_codes, 10) < 1 / 31
    assert one_day < old_day < day  # one address alone never uses up the others' patience


def test_new_cards_have_long_codes(client: Client) -> None:
    tournament = make.tournament()
    client.force_login(make.user(role=Role.ORGANISER, club=tournament.club))

    client.post(reverse("print-cards", args=[tournament.pk]), {"tables": 3})

    codes = list(Table.objects.values_list("code", flat=True))
    assert [len(code) for code in codes] == [6, 6, 6]


@pytest.mark.parametrize(
    ("address", "other"),
    [("2001:db8:0:1::1", "2001:db8:0:1:ffff::2"), ("::ffff:192.0.2.7", "192.0.2.7")],
)
def test_addresses_that_one_person_has_count_as_one(address: str, other: str) -> None:
    assert network_of(address) == network_of(other)


def test_neighbours_are_counted_apart() -> None:
    addresses = ("192.0.2.7", "192.0.2.8", "2001:db8:0:1::1", "2001:db8:0:2::1")

    assert len({network_of(address) for address in addresses}) == len(addresses)
    assert limits_for("AAAAAA", address="a", table="")["strangers"] == ALL_SOURCES
    assert Sitting.objects.count() == 0


def test_an_address_of_ipv4_is_one_however_it_is_written() -> None:
    assert network_of("::ffff:192.0.2.7") == network_of("192.0.2.7") == "192.0.2.7"
    assert network_of("2001:db8:0:1::1") == network_of("2001:db8:0:1:a:b:c:d")
    assert network_of("nobody") == "nobody"
