"""Cards, codes and addresses of tables: renewed and withdrawn, and what the old ones say."""

import re
from html import unescape
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests import make
from tracker.common.errors import Refused
from tracker.models import (
    Hand,
    LogEntry,
    Role,
    RoundState,
    Sitting,
    Table,
    TokenState,
    WithdrawnKey,
)
from tracker.seating.services.table_cards import renew_address, renew_cards, withdraw_card
from tracker.tables.locks import lock_table

pytestmark = pytest.mark.django_db
SHEET = {"eaten": [70, 50]}


@pytest.fixture
def sitting() -> Sitting:
    return make.sitting("Asha", "Neema", "Juma", "Baraka", at=make.tournament(hands=8))


@pytest.fixture
def card(sitting: Sitting) -> Table:
    return sitting.round.tournament.tables.get()


@pytest.fixture
def organiser(client: Client, sitting: Sitting) -> Client:
    client.force_login(make.user(role=Role.ORGANISER, club=sitting.round.tournament.club))
    return client


def words(page: Any) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", page.text)))


def path(sitting: Sitting) -> str:
    return reverse("table-keys", args=[sitting.round.tournament_id])


def type_code(client: Client, code: str) -> Any:
    return client.post(reverse("card-code"), {"code": code})


# What is renewed ------------------------------------------------------------------------------


def test_a_new_card_shuts_the_old_one_out_and_leaves_the_table_alone(
    client: Client, sitting: Sitting, card: Table, rng: Random
) -> None:
    numbers = renew_cards(tables=[card.pk], rng=rng, by=make.actor())

    new = Table.objects.get()
    scanned = client.get(card.get_absolute_url())
    assert numbers == [1]
    assert new.card_token != card.card_token
    assert len(new.code) == 6
    assert scanned.status_code == 410
    assert "This card was replaced" in words(scanned)
    assert "Ask the organiser for the new one" in words(scanned)
    assert "This card was replaced." in words(type_code(client, card.code))
    assert client.get(reverse("card-qr", args=[card.card_token])).status_code == 404
    assert client.get(new.get_absolute_url()).headers["Location"] == sitting.get_absolute_url()
    assert type_code(client, new.code).headers["Location"] == new.get_absolute_url()
    assert client.get(sitting.get_absolute_url()).status_code == 200


def test_a_withdrawn_card_shuts_phones_out_until_there_is_a_new_one(
    client: Client, sitting: Sitting, card: Table, rng: Random
) -> None:
    withdraw_card(table_id=card.pk, rng=rng, by=make.actor())

    withdrawn = Table.objects.get()
    assert {
        client.get(card.get_absolute_url()).status_code,
        client.get(withdrawn.get_absolute_url()).status_code,
        client.get(sitting.get_absolute_url()).status_code,
        client.get(reverse("table-next", args=[sitting.token])).status_code,
    } == {410}
    assert type_code(client, withdrawn.code).status_code == 200  # nobody ever saw it
    sitting.refresh_from_db()
    assert sitting.token_state == TokenState.REVOKED

    renew_cards(tables=[card.pk], rng=rng, by=make.actor())

    new, again = Table.objects.get(), Sitting.objects.get()
    assert (new.withdrawn_at, again.token_state) == (None, TokenState.OPEN)
    assert again.token != sitting.token
    assert client.get(new.get_absolute_url()).headers["Location"] == again.get_absolute_url()
    assert client.get(sitting.get_absolute_url()).status_code == 410


def test_withdrawing_twice_is_withdrawing_once(card: Table, rng: Random) -> None:
    for _ in range(2):
        withdraw_card(table_id=card.pk, rng=rng, by=make.actor())

    assert LogEntry.objects.count() == 1
    assert WithdrawnKey.objects.count() == 2


def test_a_new_address_shuts_out_whoever_has_the_old_one(client: Client, sitting: Sitting) -> None:
    make.report(sitting, SHEET)
    old = sitting.token

    new = renew_address(sitting_id=sitting.pk, by=make.actor())
    page = client.get(sitting.get_absolute_url())
    late = client.post(sitting.get_absolute_url(), {"number": 2, "eaten_0": 70, "eaten_1": 50})
    with pytest.raises(Refused) as refusal:
        lock_table(token=old)
    make.report(new, SHEET)

    assert (page.status_code, late.status_code) == (410, 410)
    assert "Scan the table’s card again" in words(page)
    assert "Asha" not in page.text
    assert refusal.value.code == "token-unknown"
    assert Hand.objects.count() == 2


@pytest.mark.parametrize("state", [RoundState.CLOSED, RoundState.UNDONE])
def test_a_closed_round_has_no_address_to_renew(sitting: Sitting, state: RoundState) -> None:
    type(sitting.round).objects.update(state=state)

    with pytest.raises(Refused) as refusal:
        renew_address(sitting_id=sitting.pk, by=make.actor())

    assert refusal.value.code == "round-closed"


def test_a_code_that_was_withdrawn_is_never_made_again(card: Table) -> None:
    class Stuck(Random):
        """Dice that fall for the old code first."""

        thrown = iter(("ABCDEF", "ABCDEG"))

        def choices(self, *_: Any, **__: Any) -> Any:
            return next(self.thrown)

    WithdrawnKey.objects.create(key="ABCDEF", table=card, withdrawn_at=make.NOON)

    renew_cards(tables=[card.pk], rng=Stuck(), by=make.actor())

    assert Table.objects.get().code == "ABCDEG"


def test_all_of_it_stands_in_the_log_in_plain_sentences_and_no_key(
    sitting: Sitting, card: Table, rng: Random
) -> None:
    organiser = make.user(role=Role.ORGANISER, club=sitting.round.tournament.club)
    by = make.actor(organiser)

    renew_cards(tables=[card.pk], rng=rng, by=by)
    renew_address(sitting_id=sitting.pk, by=by)
    withdraw_card(table_id=card.pk, rng=rng, by=by)

    entries = LogEntry.objects.order_by("pk")
    assert [(entry.verb, entry.reason) for entry in entries] == [
        ("card-renewed", "Table 1 has a new card."),
        ("address-renewed", "Table 1 has a new address."),
        ("card-withdrawn", "The card of table 1 opens nothing."),
    ]
    assert {(entry.user_id, entry.club_id) for entry in entries} == {
        (organiser.pk, sitting.round.tournament.club_id)
    }
    keys = {*WithdrawnKey.objects.values_list("key", flat=True), Table.objects.get().card_token}
    assert not any(key in str(vars(entry)) for key in keys for entry in entries if len(key) > 6)


# The page -------------------------------------------------------------------------------------


def test_the_page_shows_every_table_with_its_code(organiser: Client, sitting: Sitting) -> None:
    make.table(sitting.round.tournament, 2)
    Table.objects.filter(number=2).update(code="K7MXQ2")

    page = organiser.get(path(sitting))

    assert "K7M XQ2" in words(page)
    assert words(page).count("In use now.") == 1
    assert words(page).count("an old, short one") == 1


@pytest.mark.parametrize("tables", [1, 5])
def test_the_page_costs_the_same_however_many_tables(
    organiser: Client,
    sitting: Sitting,
    tables: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for _ in range(1, tables):
        make.sitting(at=sitting.round.tournament)

    with django_assert_num_queries(5):  # who asks: 2, the tournament, its tables, their sittings
        organiser.get(path(sitting))


def test_the_new_card_is_printed_one_tap_further(
    organiser: Client, sitting: Sitting, card: Table
) -> None:
    make.table(sitting.round.tournament, 2)

    page = organiser.post(path(sitting), {"do": "renew", "table": card.pk}, follow=True)
    way = re.search(r'href="([^"]+)">Print the new cards', page.text)
    assert way
    printed = organiser.get(unescape(way.group(1)))

    assert "Table 1 has a new card. Print it." in words(page)
    assert [table.number for table in printed.context["tables"]] == [1]
    assert Table.objects.get(number=1).spaced_code in words(printed)


def test_a_withdrawn_card_is_not_printed(organiser: Client, sitting: Sitting, card: Table) -> None:
    page = organiser.post(path(sitting), {"do": "withdraw", "table": card.pk}, follow=True)
    printed = organiser.get(reverse("print-cards", args=[sitting.round.tournament_id]))
    desk = organiser.get(reverse("desk", args=[sitting.round.tournament_id]))

    assert "The card of table 1 no longer works." in words(page)
    assert "switched off" in words(page)
    assert not printed.context["tables"]
    assert sitting.token not in desk.text
    assert "card-qr" not in desk.text
    assert Table.objects.get().code not in words(desk)


def test_all_cards_are_renewed_at_once(organiser: Client, sitting: Sitting) -> None:
    make.table(sitting.round.tournament, 2)
    before = set(Table.objects.values_list("card_token", flat=True))

    page = organiser.post(path(sitting), {"do": "all"}, follow=True)

    assert "2 new cards." in words(page)
    assert before.isdisjoint(Table.objects.values_list("card_token", flat=True))


def test_the_address_is_renewed_while_the_round_runs(
    organiser: Client, sitting: Sitting, card: Table
) -> None:
    page = organiser.post(path(sitting), {"do": "address", "table": card.pk}, follow=True)

    assert "Table 1: its phones must scan the card again." in words(page)
    assert Sitting.objects.get().token != sitting.token


@pytest.mark.parametrize("do", ["renew", "withdraw", "address"])
def test_tables_of_others_are_not_touched(organiser: Client, sitting: Sitting, do: str) -> None:
    other = make.sitting()

    organiser.post(path(sitting), {"do": do, "table": other.table_id})

    assert WithdrawnKey.objects.count() == 0
    assert Sitting.objects.get(pk=other.pk).token == other.token
