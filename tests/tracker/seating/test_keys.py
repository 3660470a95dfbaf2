"""Cards, codes and addresses of tables: renewed and withdrawn, and what the old ones say."""

import re
from html import unescape
from random import Random
from typing import Any

import pytest
from django.test import Client

from tests import act, make
from tests.reading import costs, lacks, path, shows, words
from tests.tracker.seating.seats import FOUR, WON
from tracker.models import (
    Hand,
    LogEntry,
    Role,
    Round,
    RoundState,
    Sitting,
    Table,
    TokenState,
    WithdrawnKey,
)
from tracker.seating.services.table_cards import renew_address, renew_cards, withdraw_card
from tracker.tables.locks import lock_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def sitting() -> Sitting:
    return make.sitting(*FOUR, at=make.tournament(hands=8))


@pytest.fixture
def card(sitting: Sitting) -> Table:
    return sitting.round.tournament.tables.get()


@pytest.fixture
def organiser(sitting: Sitting) -> Client:
    return act.sign_in(Role.ORGANISER, sitting)


def keys(sitting: Sitting) -> str:
    return path("table-keys", sitting.round.tournament)


def asks(organiser: Client, sitting: Sitting, do: str, **about: int | None) -> Any:
    return organiser.post(keys(sitting), {"do": do, **about}, follow=True)


def type_code(client: Client, code: str) -> Any:
    return client.post(path("card-code"), {"code": code})


def renew(card: Table, rng: Random, by: Any = None) -> list[int]:
    return renew_cards(tables=[card.pk], rng=rng, by=by or make.actor())


def withdraw(card: Table, rng: Random, by: Any = None) -> None:
    withdraw_card(table_id=card.pk, rng=rng, by=by or make.actor())


# What is renewed ------------------------------------------------------------------------------


def test_a_new_card_shuts_the_old_one_out_and_leaves_the_table_alone(
    client: Client, sitting: Sitting, card: Table, rng: Random
) -> None:
    numbers = renew(card, rng)

    new, scanned = Table.objects.get(), client.get(card.get_absolute_url())
    assert numbers == [1]
    assert new.card_token != card.card_token
    assert len(new.code) == 6
    assert scanned.status_code == 410
    shows(scanned, "This card was replaced", "Ask the organiser for the new one")
    shows(type_code(client, card.code), "This card was replaced.")
    assert client.get(path("card-qr", card.card_token)).status_code == 404
    assert client.get(new.get_absolute_url()).headers["Location"] == sitting.get_absolute_url()
    assert type_code(client, new.code).headers["Location"] == new.get_absolute_url()
    assert client.get(sitting.get_absolute_url()).status_code == 200


def test_a_withdrawn_card_shuts_phones_out_until_there_is_a_new_one(
    client: Client, sitting: Sitting, card: Table, rng: Random
) -> None:
    for _ in range(2):  # withdrawing twice is withdrawing once
        withdraw(card, rng)

    assert LogEntry.objects.count() == 1
    assert WithdrawnKey.objects.count() == 2
    withdrawn = Table.objects.get()
    for address in (
        card.get_absolute_url(),
        withdrawn.get_absolute_url(),
        sitting.get_absolute_url(),
        path("table-next", sitting.token),
    ):
        assert client.get(address).status_code == 410
    assert type_code(client, withdrawn.code).status_code == 200  # nobody ever saw it
    sitting.refresh_from_db()
    assert sitting.token_state == TokenState.REVOKED

    renew(card, rng)

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


def test_a_code_that_was_withdrawn_is_never_made_again(card: Table) -> None:
    class Stuck(Random):
        """Dice that fall for the old code first."""

        thrown = iter(("ABCDEF", "ABCDEG"))

        def choices(self, *_: Any, **__: Any) -> Any:
            return next(self.thrown)

    WithdrawnKey.objects.create(key="ABCDEF", table=card, withdrawn_at=make.NOON)
    renew(card, Stuck())

    assert Table.objects.get().code == "ABCDEG"


def test_all_of_it_stands_in_the_log_in_plain_sentences_and_no_key(
    sitting: Sitting, card: Table, rng: Random
) -> None:
    club = act.club_of(sitting)
    organiser = make.user(role=Role.ORGANISER, club=club)
    by = make.actor(organiser)
    renew(card, rng, by)
    renew_address(sitting_id=sitting.pk, by=by)
    withdraw(card, rng, by)

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


def test_a_new_card_is_printed_a_tap_on(organiser: Client, sitting: Sitting, card: Table) -> None:
    make.table(sitting.round.tournament, 2)
    page = asks(organiser, sitting, "renew", table=card.pk)
    way = re.search(r'href="([^"]+)">Print the new cards', page.text)
    assert way
    printed = organiser.get(unescape(way.group(1)))

    shows(page, "Table 1 has a new card. Print it.")
    assert [table.number for table in printed.context["tables"]] == [1]
    shows(printed, Table.objects.get(number=1).spaced_code)


def test_a_withdrawn_card_is_not_printed(organiser: Client, sitting: Sitting, card: Table) -> None:
    page = asks(organiser, sitting, "withdraw", table=card.pk)

    shows(page, "The card of table 1 no longer works.", "switched off")
    assert not organiser.get(path("print-cards", sitting.round.tournament)).context["tables"]
    desk = organiser.get(path("desk", sitting.round.tournament))
    lacks(desk, sitting.token, "card-qr", Table.objects.get().code)


def test_cards_and_addresses_are_renewed(organiser: Client, sitting: Sitting, card: Table) -> None:
    make.table(sitting.round.tournament, 2)
    before = set(Table.objects.values_list("card_token", flat=True))
    shows(asks(organiser, sitting, "all"), "2 new cards.")

    assert before.isdisjoint(Table.objects.values_list("card_token", flat=True))
    page = asks(organiser, sitting, "address", table=card.pk)
    shows(page, "Table 1: its phones must scan the card again.")
    assert Sitting.objects.get().token != sitting.token


def test_tables_of_others_are_not_touched(organiser: Client, sitting: Sitting) -> None:
    other = make.sitting()
    for do in ("renew", "withdraw", "address"):
        asks(organiser, sitting, do, table=other.table_id)

    assert WithdrawnKey.objects.count() == 0
    assert Sitting.objects.get(pk=other.pk).token == other.token
