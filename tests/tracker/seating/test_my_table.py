"""“I am Asha”: a page that always shows my own table, in a private club to whom it knows."""

import re
from datetime import timedelta
from html import unescape
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from tests import make
from tests.make import NOON
from tracker.models import ClubNight, Round, RoundState, Sitting, TokenState, Tournament
from tracker.nights.services.nights import renew_link
from tracker.seating.services.table_cards import renew_address, withdraw_card

pytestmark = pytest.mark.django_db
PEOPLE = ("Asha", "Neema", "Juma", "Baraka")


@pytest.fixture
def table() -> Sitting:
    return make.sitting(*PEOPLE, at=make.tournament(hands=8))


@pytest.fixture
def private(table: Sitting) -> Sitting:
    """Return a table of a private club in which there is also somebody who does not play."""
    club = table.round.tournament.club
    club.public = False
    club.save()
    make.player("Zuwena", club=club)
    return table


def words(page: Any) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", page.text)))


def my_path(table: Sitting) -> str:
    return reverse("my-table", args=[table.round.tournament.club_id])


def i_am(client: Client, table: Sitting, name: str = "Asha") -> Any:
    player = make.player(name, club=table.round.tournament.club)
    return client.post(my_path(table), {"player": player.pk}, follow=True)


def test_my_name_is_chosen_once_and_can_be_taken_back(client: Client, table: Sitting) -> None:
    assert "Who are you?" in words(client.get(my_path(table)))

    page = i_am(client, table)

    assert "You sit at table 1" in words(page)
    assert "Asha & Juma – Neema & Baraka" in words(page)
    assert "You sit at table 1" in words(client.get(my_path(table)))
    assert "Who are you?" in words(client.post(my_path(table), follow=True))


@pytest.mark.parametrize("others", [1, 3])
def test_who_plays_tonight_is_named_before_everybody_else(
    client: Client, table: Sitting, others: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(others):
        make.player(f"Ali {number}", club=table.round.tournament.club)

    with django_assert_num_queries(4):  # the revision, the club, who plays, who there is
        page = client.get(my_path(table))

    assert [name for _, name in page.context["tonight"]] == sorted(PEOPLE)
    assert len(page.context["players"]) == others
    assert re.search("Playing tonight.*Neema.*Everybody else.*Ali 0", words(page))


def test_a_name_can_be_found_among_many(client: Client, table: Sitting) -> None:
    page = client.get(reverse("my-table", args=[table.round.tournament.club_id])).text

    assert "data-names>" in page
    assert page.count("data-find") == 1


def test_only_who_had_a_card_in_hand_is_led_to_the_sheet(client: Client, table: Sitting) -> None:
    page = i_am(client, table)
    assert "Ask the organiser for the code of table 1." in words(page)
    assert table.token not in page.text

    client.get(table.get_absolute_url())
    answer = client.get(my_path(table))

    assert answer.headers["Location"] == table.get_absolute_url()


def test_a_card_of_another_club_opens_nothing_here(client: Client, table: Sitting) -> None:
    client.get(make.sitting().get_absolute_url())

    assert table.token not in i_am(client, table).text
    client.cookies["kula_tables"] = f"{table.token}:forged"
    assert table.token not in client.get(my_path(table)).text


def test_who_signs_in_as_that_player_is_led_there(client: Client, table: Sitting) -> None:
    player = make.player("Asha", club=table.round.tournament.club)
    player.user = make.user()
    player.save()
    client.force_login(player.user)

    client.post(my_path(table), {"player": player.pk})

    assert client.get(my_path(table)).headers["Location"] == table.get_absolute_url()


def test_who_does_not_sit_is_told_why(client: Client, table: Sitting) -> None:
    tournament = table.round.tournament
    resting = make.entrant(make.player("Bibi", club=tournament.club), at=tournament)
    table.round.rests.create(entrant=resting)

    assert "You sit out this round" in words(i_am(client, table, "Bibi"))
    assert "You have no seat yet" in words(i_am(client, table, "Omari"))
    Sitting.objects.update(token_state=TokenState.CLOSED)
    assert "You have no seat yet" in words(i_am(client, table))


def test_the_table_of_a_closed_round_is_mine_no_longer(client: Client, table: Sitting) -> None:
    Round.objects.update(state=RoundState.CLOSED)
    make.sitting("Asha", at=make.tournament(club=table.round.tournament.club), number=7)

    assert "You sit at table 7" in words(i_am(client, table))


def test_whoever_was_merged_is_the_other_by_now(client: Client, table: Sitting) -> None:
    club = table.round.tournament.club
    twin = make.player("Asha K", club=club)
    twin.merged_into = make.player("Asha", club=club)
    twin.save()

    page = client.post(my_path(table), {"player": twin.pk}, follow=True)

    assert "You sit at table 1" in words(page)


@pytest.mark.parametrize("said", ["x", "9" * 30, "0"])
def test_nobody_is_meant_by_that(client: Client, table: Sitting, said: str) -> None:
    page = client.post(my_path(table), {"player": said}, follow=True)

    assert "Nobody of the club is meant by that." in words(page)


def test_an_empty_club_has_nobody_to_be(client: Client) -> None:
    page = client.get(reverse("my-table", args=[make.club().pk]))

    assert "Nobody is in this club yet" in words(page)


@pytest.mark.parametrize("tables", [1, 3])
def test_my_table_costs_the_same_however_many_there_are(
    client: Client, table: Sitting, tables: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    tournament: Tournament = table.round.tournament
    for number in range(1, tables):
        make.sitting(*(f"{name} {number}" for name in PEOPLE), at=tournament)
    i_am(client, table)

    with django_assert_num_queries(4):  # the revision, club, player, seat, table with people
        client.get(my_path(table))


# In a private club ----------------------------------------------------------------------------


def test_a_private_club_answers_no_stranger(client: Client, private: Sitting) -> None:
    asha = make.player("Asha", club=private.round.tournament.club)

    assert client.get(my_path(private)).status_code == 404
    assert client.post(my_path(private), {"player": asha.pk}).status_code == 404
    client.cookies["kula_invited"] = f"{asha.club_id}:forged"
    assert client.get(my_path(private)).status_code == 404


def test_a_phone_that_has_been_at_a_table_finds_the_next_one(
    client: Client, private: Sitting
) -> None:
    client.get(private.get_absolute_url())

    asked = client.get(my_path(private))
    i_am(client, private)
    led = client.get(my_path(private))

    assert all(name in asked.text for name in PEOPLE)
    assert "Zuwena" not in asked.text  # who does not play tonight
    assert private.round.tournament.club.get_absolute_url() + '"' not in asked.text
    assert led.headers["Location"] == private.get_absolute_url()


def test_a_phone_with_the_link_of_a_night_is_told_where_to_sit(
    client: Client, private: Sitting
) -> None:
    night = make.night(private.round.tournament.club, timezone.now())
    before = make.night(night.club, timezone.now() + timedelta(days=1))

    coming = client.get(reverse("night-rsvp", args=[night.uid]))
    early = client.get(reverse("night-rsvp", args=[before.uid]))
    page = i_am(client, private)

    assert my_path(private) in coming.text
    assert my_path(private) not in early.text
    assert "You sit at table 1" in words(page)
    assert private.token not in page.text


def test_of_a_private_club_nobody_else_is_told(client: Client, private: Sitting) -> None:
    client.get(private.get_absolute_url())

    refused = i_am(client, private, "Zuwena")
    Round.objects.update(state=RoundState.CLOSED, closed_at=timezone.now() - timedelta(days=1))
    after = i_am(client, private)

    assert "Nobody of the club is meant by that." in words(refused)
    assert "Zuwena" not in refused.text
    assert after.status_code == 404


def test_between_two_rounds_a_private_clubs_players_are_told_to_wait(
    client: Client, private: Sitting
) -> None:
    team = make.team(
        *(make.player(name, club=private.round.tournament.club) for name in ("Bibi", "Zuwena"))
    )
    make.entrant(team, at=private.round.tournament)
    client.get(private.get_absolute_url())
    Round.objects.update(state=RoundState.CLOSED, closed_at=timezone.now())

    assert "You have no seat yet" in words(i_am(client, private))
    assert "Nobody of the club is meant by that." in words(i_am(client, private, "Bibi"))
    client.get(link(make.night(private.round.tournament.club, timezone.now())))
    assert "You have no seat yet" in words(i_am(client, private, "Bibi"))


def link(night: ClubNight) -> str:
    return reverse("night-rsvp", args=[night.reply_id])


@pytest.fixture
def other(private: Sitting) -> Sitting:
    """Return another table of the private club, played at just now."""
    return make.sitting("Bibi", "Omari", "Rehema", "Salim", at=private.round.tournament)


def test_a_hit_at_a_private_club_shows_no_more_than_the_table(
    client: Client, private: Sitting, other: Sitting
) -> None:
    client.get(private.get_absolute_url())

    asked = client.get(my_path(private))
    refused = i_am(client, private, "Bibi")
    led = i_am(client, private)

    assert [name for _, name in asked.context["tonight"]] == sorted(PEOPLE)
    assert "players" not in asked.context
    assert "Nobody of the club is meant by that." in words(refused)
    assert led.redirect_chain[-1] == (private.get_absolute_url(), 302)
    assert not any(name in asked.text + refused.text for name in ("Omari", "Rehema", "Salim"))


def test_who_moves_on_at_a_private_club_reads_the_number_and_scans(
    client: Client, private: Sitting
) -> None:
    client.get(private.get_absolute_url())
    Round.objects.update(state=RoundState.CLOSED, closed_at=timezone.now())
    tournament = private.round.tournament
    make.sitting("Bibi", "Omari", "Rehema", "Salim", at=tournament)
    later = make.sitting("Juma", "Zuwena", "Asha", "Faraji", at=tournament)
    Sitting.objects.filter(pk=later.pk).update(started_at=NOON + timedelta(hours=1))

    page = i_am(client, private)
    client.get(later.get_absolute_url())
    scanned = client.get(my_path(private))

    assert "You sit at table 2" in words(page)
    assert later.token not in page.text
    assert not any(name in page.text for name in ("Zuwena", "Faraji", "Omari"))
    assert scanned.headers["Location"] == later.get_absolute_url()


def test_with_the_link_and_a_card_a_phone_is_led_as_those_of_the_club(
    client: Client, private: Sitting, other: Sitting
) -> None:
    night = make.night(private.round.tournament.club, timezone.now())
    client.get(private.get_absolute_url())
    client.get(link(night))

    bibi = make.player("Bibi", club=night.club)
    client.post(my_path(private), {"player": bibi.pk})
    led = client.get(my_path(private))
    renew_link(night_id=night.pk, by=make.actor())
    after = client.get(my_path(private))

    assert led.headers["Location"] == other.get_absolute_url()
    assert other.token not in after.headers.get("Location", "") + after.text
    assert "Who are you?" in words(after)


def test_a_phone_knows_a_table_for_a_day(client: Client, private: Sitting) -> None:
    client.get(private.get_absolute_url())

    assert client.cookies["kula_tables"]["max-age"] == 24 * 60 * 60
    assert client.cookies["kula_tables"]["httponly"]


def test_an_address_that_was_renewed_is_trusted_no_more(
    client: Client, table: Sitting, other_address: None
) -> None:
    page = i_am(client, table)

    table.refresh_from_db()
    assert "You sit at table 1" in words(page)
    assert table.token not in page.text


@pytest.fixture
def other_address(client: Client, table: Sitting) -> None:
    """Open a table by an address that is renewed then."""
    client.get(table.get_absolute_url())
    renew_address(sitting_id=table.pk, by=make.actor())


def test_a_table_whose_card_was_withdrawn_leads_nowhere(
    client: Client, table: Sitting, rng: Random
) -> None:
    client.get(table.get_absolute_url())
    assert table.table_id is not None
    withdraw_card(table_id=table.table_id, rng=rng, by=make.actor())

    page = i_am(client, table)

    assert "You sit at table 1" in words(page)
    assert "This table has a new card" in words(page)
