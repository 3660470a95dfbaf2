"""“I am Asha”: a page that always shows my own table, in a private club to whom it knows."""

from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests import act, make
from tests.make import NOON
from tests.reading import costs, lacks, path, shows, words
from tests.tracker.seating.seats import FOUR, player
from tracker.models import ClubNight, Player, Round, RoundState, Sitting, TokenState
from tracker.nights.services.nights import renew_link
from tracker.seating.services.table_cards import renew_address, withdraw_card

pytestmark = pytest.mark.django_db

WHO = "Who are you?"
MINE, NONE_YET = "You sit at table 1", "You have no seat yet"
NOBODY = "Nobody of the club is meant by that."
BIBI_S = ("Bibi", "Omari", "Rehema", "Salim")


@pytest.fixture
def table() -> Sitting:
    return make.sitting(*FOUR, at=make.tournament(hands=8))


@pytest.fixture
def private(table: Sitting) -> Sitting:
    """Return a table of a private club in which there is also somebody who does not play."""
    club = act.club_of(table)
    club.public = False
    club.save()
    make.player("Zuwena", club=club)
    return table


@pytest.fixture
def other(private: Sitting) -> Sitting:
    """Return another table of the private club, played at just now."""
    return make.sitting(*BIBI_S, at=private.round.tournament)


def my_path(table: Sitting) -> str:
    return path("my-table", act.club_of(table))


def i_am(client: Client, table: Sitting, name: object = "Asha") -> Any:
    who = player(name, table) if isinstance(name, str) and name.istitle() else name
    return client.post(my_path(table), {"player": who}, follow=True)


def leads(client: Client, table: Sitting) -> str:
    """Return where the page leads without a word."""
    return client.get(my_path(table)).headers.get("Location", "")


def at(table: Sitting) -> str:
    return table.get_absolute_url()


def close_all(**ago: float) -> None:
    closed = timezone.now() - timedelta(**ago)
    Round.objects.update(state=RoundState.CLOSED, closed_at=closed)


def tonight(table: Sitting, **later: float) -> ClubNight:
    return make.night(act.club_of(table), timezone.now() + timedelta(**later))


def link(night: ClubNight) -> str:
    return path("night-rsvp", night.reply_id)


def test_my_name_is_chosen_once_and_can_be_taken_back(client: Client, table: Sitting) -> None:
    asked = client.get(my_path(table))
    shows(asked, WHO, "data-names>")  # where a name can be found among many
    assert asked.text.count("data-find") == 1

    shows(i_am(client, table), MINE, "Asha & Juma – Neema & Baraka")
    shows(client.get(my_path(table)), MINE)
    shows(client.post(my_path(table), follow=True), WHO)


def test_who_plays_tonight_is_named_before_everybody_else(client: Client, table: Sitting) -> None:
    for others in (1, 2, 3):
        make.player(f"Ali {others}", club=act.club_of(table))
        with costs(4):  # the revision, the club, who plays, who there is
            page = client.get(my_path(table))
        assert [name for _, name in page.context["tonight"]] == sorted(FOUR)
        assert len(page.context["players"]) == others
        assert "Ali 1" in words(page).partition("Playing tonight")[2].partition("Everybody else")[2]


def test_my_table_costs_the_same_however_many_there_are(client: Client, table: Sitting) -> None:
    i_am(client, table)
    for number in range(3):
        with costs(4):  # the revision, club, player, seat, table with people
            client.get(my_path(table))
        make.sitting(*(f"{name} {number}" for name in FOUR), at=table.round.tournament)


def test_only_who_had_a_card_in_hand_is_led_to_the_sheet(client: Client, table: Sitting) -> None:
    client.get(at(make.sitting()))  # a card of another club opens nothing here
    page = i_am(client, table)
    shows(page, "Ask the organiser for the code of table 1.")
    lacks(page, table.token)
    client.cookies["kula_tables"] = f"{table.token}:forged"
    lacks(client.get(my_path(table)), table.token)
    client.get(at(table))

    assert leads(client, table) == at(table)
    # A phone knows a table for a day.
    cookie = client.cookies["kula_tables"]
    assert (cookie["max-age"], bool(cookie["httponly"])) == (24 * 60 * 60, True)


def test_who_signs_in_as_that_player_is_led_there(client: Client, table: Sitting) -> None:
    asha = Player.objects.get(name="Asha")
    asha.user = make.user()
    asha.save()
    client.force_login(asha.user)
    client.post(my_path(table), {"player": asha.pk})

    assert leads(client, table) == at(table)


def test_who_sits_where_is_told_or_why_they_do_not(client: Client, table: Sitting) -> None:
    (resting,) = act.enter(table.round.tournament, "Bibi")
    table.round.rests.create(entrant=resting)
    twin = make.player("Asha K", club=act.club_of(table))
    twin.merged_into = Player.objects.get(name="Asha")
    twin.save()
    shows(i_am(client, table, "Bibi"), "You sit out this round")
    shows(i_am(client, table, "Omari"), NONE_YET)
    shows(i_am(client, table, twin.pk), MINE)
    Sitting.objects.update(token_state=TokenState.CLOSED)
    shows(i_am(client, table), NONE_YET)
    close_all()  # the table of a closed round is hers no longer
    make.sitting("Asha", at=make.tournament(club=act.club_of(table)), number=7)
    shows(i_am(client, table), "You sit at table 7")


def test_nobody_is_meant_by_that(client: Client, table: Sitting) -> None:
    for said in ("x", "9" * 30, "0"):
        shows(i_am(client, table, said), NOBODY)
    empty = client.get(path("my-table", make.club()))
    shows(empty, "Nobody is in this club yet")


def test_an_address_that_was_renewed_is_trusted_no_more(client: Client, table: Sitting) -> None:
    client.get(at(table))
    renew_address(sitting_id=table.pk, by=make.actor())
    page = i_am(client, table)

    table.refresh_from_db()
    shows(page, MINE)
    lacks(page, table.token)


def test_a_withdrawn_card_leads_nowhere(client: Client, table: Sitting, rng: Random) -> None:
    client.get(at(table))
    assert table.table_id is not None
    withdraw_card(table_id=table.table_id, rng=rng, by=make.actor())
    shows(i_am(client, table), MINE, "This table has a new card")


# In a private club ----------------------------------------------------------------------------


def test_a_private_club_answers_no_stranger(client: Client, private: Sitting) -> None:
    asha = Player.objects.get(name="Asha")

    assert client.get(my_path(private)).status_code == 404
    assert i_am(client, private).status_code == 404
    client.cookies["kula_invited"] = f"{asha.club_id}:forged"
    assert client.get(my_path(private)).status_code == 404


def test_a_phone_from_a_table_is_shown_no_more_for_a_day(
    client: Client, private: Sitting, other: Sitting
) -> None:
    client.get(at(private))

    asked = client.get(my_path(private))
    for who in ("Zuwena", "Bibi"):  # one does not play tonight, the other at another table
        refused = i_am(client, private, who)
        shows(refused, NOBODY)
        lacks(refused, "Zuwena", *BIBI_S[1:])
    led = i_am(client, private)

    shows(asked, *FOUR)
    lacks(asked, "Zuwena", *BIBI_S[1:], act.club_of(private).get_absolute_url() + '"')
    assert [name for _, name in asked.context["tonight"]] == sorted(FOUR)
    assert "players" not in asked.context
    assert led.redirect_chain[-1] == (at(private), 302)
    close_all(days=1)
    assert i_am(client, private).status_code == 404


def test_a_phone_with_a_nights_link_is_told_where_to_sit(client: Client, private: Sitting) -> None:
    night, later = tonight(private), tonight(private, days=1)
    shows(client.get(path("night-rsvp", night.uid)), my_path(private))
    lacks(client.get(path("night-rsvp", later.uid)), my_path(private))
    page = i_am(client, private)

    shows(page, MINE)
    lacks(page, private.token)


def test_between_two_rounds_players_are_told_to_wait(client: Client, private: Sitting) -> None:
    club = act.club_of(private)
    team = make.team(*(make.player(name, club=club) for name in ("Bibi", "Zuwena")))
    make.entrant(team, at=private.round.tournament)
    client.get(at(private))
    close_all()

    shows(i_am(client, private), NONE_YET)
    shows(i_am(client, private, "Bibi"), NOBODY)
    client.get(link(tonight(private)))
    shows(i_am(client, private, "Bibi"), NONE_YET)


def test_who_moves_on_reads_the_number_and_scans(client: Client, private: Sitting) -> None:
    client.get(at(private))
    close_all()
    tournament = private.round.tournament
    make.sitting(*BIBI_S, at=tournament)
    later = make.sitting("Juma", "Zuwena", "Asha", "Faraji", at=tournament)
    Sitting.objects.filter(pk=later.pk).update(started_at=NOON + timedelta(hours=1))
    page = i_am(client, private)
    client.get(at(later))

    shows(page, "You sit at table 2")
    lacks(page, later.token, "Zuwena", "Faraji", "Omari")
    assert leads(client, private) == at(later)


def test_link_and_card_lead_a_phone_on(client: Client, private: Sitting, other: Sitting) -> None:
    night = tonight(private)
    client.get(at(private))
    client.get(link(night))
    client.post(my_path(private), {"player": player("Bibi", private)})
    assert leads(client, private) == at(other)
    renew_link(night_id=night.pk, by=make.actor())

    after = client.get(my_path(private))
    assert after.headers.get("Location") is None
    lacks(after, other.token)
    shows(after, WHO)
