"""Cards of tables: address, code, few guesses at codes; renewed and withdrawn, and the old ones."""

import math
import re
from html import unescape
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from tests import act, make
from tests.reading import costs, lacks, path, shows, words
from tests.tracker.seating.seats import FOUR, WON
from tracker.models import (
    Hand,
    LogEntry,
    Misses,
    Role,
    Round,
    RoundState,
    Sitting,
    Table,
    TokenState,
    WithdrawnKey,
)
from tracker.seating.pages.table_cards import (
    ALL_SOURCES,
    ALL_SOURCES_AT_OLD_CODES,
    ONE_SOURCE,
    card_url,
    limits_for,
    network_of,
)
from tracker.seating.services.rounds import record_round
from tracker.seating.services.table_cards import (
    CODE_SIGNS,
    renew_address,
    renew_cards,
    withdraw_card,
)
from tracker.tables.failed_lookups import RateLimit, count_failed_lookup
from tracker.tables.locks import lock_table

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
    return make.sitting(*FOUR, in_round=round_, number=at.number)


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
    looked_up, *locked, counted_once, looked_up_again = (query["sql"] for query in asked)
    assert len(locked) == (connection.vendor == "postgresql")
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


# Renewed and withdrawn -----------------------------------------------------------------------


@pytest.fixture
def sitting() -> Sitting:
    return make.sitting(*FOUR, at=make.tournament(hands=8))


@pytest.fixture
def laid(sitting: Sitting) -> Table:
    """Return the card that lies at the table of the sitting."""
    return sitting.round.tournament.tables.get()


@pytest.fixture
def organiser(sitting: Sitting) -> Client:
    return act.sign_in(Role.ORGANISER, sitting)


def keys(sitting: Sitting) -> str:
    return path("table-keys", sitting.round.tournament)


def asks(organiser: Client, sitting: Sitting, do: str, **about: int | None) -> Any:
    return organiser.post(keys(sitting), {"do": do, **about}, follow=True)


def renew(card: Table, rng: Random, by: Any = None) -> list[int]:
    return renew_cards(tables=[card.pk], rng=rng, by=by or make.actor())


def withdraw(card: Table, rng: Random, by: Any = None) -> None:
    withdraw_card(table_id=card.pk, rng=rng, by=by or make.actor())


def test_a_new_card_shuts_the_old_one_out_and_leaves_the_table_alone(
    client: Client, sitting: Sitting, laid: Table, rng: Random
) -> None:
    numbers = renew(laid, rng)

    new, scanned = Table.objects.get(), client.get(laid.get_absolute_url())
    assert numbers == [1]
    assert new.card_token != laid.card_token
    assert len(new.code) == 6
    assert scanned.status_code == 410
    shows(scanned, "This card was replaced", "Ask the organiser for the new one")
    shows(type_code(client, laid.code), "This card was replaced.")
    assert client.get(path("card-qr", laid.card_token)).status_code == 404
    assert client.get(new.get_absolute_url()).headers["Location"] == sitting.get_absolute_url()
    assert type_code(client, new.code).headers["Location"] == new.get_absolute_url()
    assert client.get(sitting.get_absolute_url()).status_code == 200


def test_a_withdrawn_card_shuts_phones_out_until_there_is_a_new_one(
    client: Client, sitting: Sitting, laid: Table, rng: Random
) -> None:
    for _ in range(2):  # withdrawing twice is withdrawing once
        withdraw(laid, rng)

    assert LogEntry.objects.count() == 1
    assert WithdrawnKey.objects.count() == 2
    withdrawn = Table.objects.get()
    for address in (
        laid.get_absolute_url(),
        withdrawn.get_absolute_url(),
        sitting.get_absolute_url(),
        path("table-next", sitting.token),
    ):
        assert client.get(address).status_code == 410
    assert type_code(client, withdrawn.code).status_code == 200  # nobody ever saw it
    sitting.refresh_from_db()
    assert sitting.token_state == TokenState.REVOKED

    renew(laid, rng)

    new, again = Table.objects.get(), Sitting.objects.get()
    assert (new.withdrawn_at, again.token_state) == (None, TokenState.OPEN)
    assert again.token != sitting.token
    assert client.get(new.get_absolute_url()).headers["Location"] == again.get_absolute_url()
    assert client.get(sitting.get_absolute_url()).status_code == 410


def test_a_new_address_shuts_out_whoever_has_the_old_one(client: Client, sitting: Sitting) -> None:
    make.report(sitting, WON)
    old = sitting.get_absolute_url()

    new = renew_address(sitting_id=sitting.pk, by=make.actor())
    page = client.get(old)
    late = client.post(old, {"number": 2, "eaten_0": 70, "eaten_1": 50})
    with act.refused("token-unknown"):
        lock_table(token=sitting.token)
    make.report(new, WON)

    assert (page.status_code, late.status_code) == (410, 410)
    shows(page, "Scan the table’s card again")
    lacks(page, "Asha")
    assert Hand.objects.count() == 2


def test_a_round_that_is_not_open_has_no_address_to_renew(sitting: Sitting) -> None:
    for state in (RoundState.CLOSED, RoundState.UNDONE):
        Round.objects.update(state=state)
        with act.refused("round-closed"):
            renew_address(sitting_id=sitting.pk, by=make.actor())


def test_a_code_that_was_withdrawn_is_never_made_again(laid: Table) -> None:
    class Stuck(Random):
        """Dice that fall for the old code first."""

        thrown = iter(("ABCDEF", "ABCDEG"))

        def choices(self, *_: Any, **__: Any) -> Any:
            return next(self.thrown)

    WithdrawnKey.objects.create(key="ABCDEF", table=laid, withdrawn_at=make.NOON)
    renew(laid, Stuck())

    assert Table.objects.get().code == "ABCDEG"


def test_all_of_it_stands_in_the_log_in_plain_sentences_and_no_key(
    sitting: Sitting, laid: Table, rng: Random
) -> None:
    club = act.club_of(sitting)
    organiser = make.user(role=Role.ORGANISER, club=club)
    by = make.actor(organiser)
    renew(laid, rng, by)
    renew_address(sitting_id=sitting.pk, by=by)
    withdraw(laid, rng, by)

    entries = LogEntry.objects.order_by("pk")
    assert [(entry.verb, entry.reason) for entry in entries] == [
        ("card-renewed", "Table 1 has a new card."),
        ("address-renewed", "Table 1 has a new address."),
        ("card-withdrawn", "The card of table 1 opens nothing."),
    ]
    assert {(entry.user_id, entry.club_id) for entry in entries} == {(organiser.pk, club.pk)}
    secrets = {*WithdrawnKey.objects.values_list("key", flat=True), Table.objects.get().card_token}
    written = str([vars(entry) for entry in entries])
    assert not [key for key in secrets if len(key) > 6 and key in written]


# The page -------------------------------------------------------------------------------------


def test_the_page_shows_every_table_at_one_cost(organiser: Client, sitting: Sitting) -> None:
    tournament = sitting.round.tournament
    make.table(tournament, 9)
    Table.objects.filter(number=9).update(code="K7MXQ2")

    for tables in (1, 2, 3):
        with costs(5):  # who asks: 2, the tournament, its tables, their sittings
            page = organiser.get(keys(sitting))
        shows(page, "K7M XQ2")
        assert words(page).count("In use now.") == words(page).count("an old, short one") == tables
        make.sitting(at=tournament)


def test_a_new_card_is_printed_a_tap_on(organiser: Client, sitting: Sitting, laid: Table) -> None:
    make.table(sitting.round.tournament, 2)
    page = asks(organiser, sitting, "renew", table=laid.pk)
    way = re.search(r'href="([^"]+)">Print the new cards', page.text)
    assert way
    printed = organiser.get(unescape(way.group(1)))

    shows(page, "Table 1 has a new card. Print it.")
    assert [table.number for table in printed.context["tables"]] == [1]
    shows(printed, Table.objects.get(number=1).spaced_code)


def test_a_withdrawn_card_is_not_printed(organiser: Client, sitting: Sitting, laid: Table) -> None:
    page = asks(organiser, sitting, "withdraw", table=laid.pk)

    shows(page, "The card of table 1 no longer works.", "switched off")
    assert not organiser.get(path("print-cards", sitting.round.tournament)).context["tables"]
    desk = organiser.get(path("desk", sitting.round.tournament))
    lacks(desk, sitting.token, "card-qr", Table.objects.get().code)


def test_cards_and_addresses_are_renewed(organiser: Client, sitting: Sitting, laid: Table) -> None:
    make.table(sitting.round.tournament, 2)
    before = set(Table.objects.values_list("card_token", flat=True))
    shows(asks(organiser, sitting, "all"), "2 new cards.")

    assert before.isdisjoint(Table.objects.values_list("card_token", flat=True))
    page = asks(organiser, sitting, "address", table=laid.pk)
    shows(page, "Table 1: its phones must scan the card again.")
    assert Sitting.objects.get().token != sitting.token


def test_tables_of_others_are_not_touched(organiser: Client, sitting: Sitting) -> None:
    other = make.sitting()
    for do in ("renew", "withdraw", "address"):
        asks(organiser, sitting, do, table=other.table_id)

    assert WithdrawnKey.objects.count() == 0
    assert Sitting.objects.get(pk=other.pk).token == other.token
