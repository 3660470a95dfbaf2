"""The players of a club: adding them, one or many, and calling them something else."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from threading import Barrier

import pytest
from django.db import connections
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertRedirects

from tests import act, make
from tests.reading import costs
from tracker.common.names import is_name, split_names, suggest_other, tidy
from tracker.models import Club, LogEntry, Player, Role
from tracker.people.services.players import add_player, add_players, rename_player

pytestmark = pytest.mark.django_db


@pytest.fixture
def organiser(client: Client, club: Club) -> int:
    user = make.user(role=Role.ORGANISER, club=club)
    client.force_login(user)
    return user.pk


def names(club: Club) -> list[str]:
    return list(club.players.order_by("name_key").values_list("name", flat=True))


def page_of(club: Club, query: str = "") -> str:
    return reverse("players", args=[club.pk]) + query


# Names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "tidied"),
    [
        ("  Juma \t K. ", "Juma K."),
        ("Zoe\u0308", "Zoë"),
        ("Ju\u202ema\x00", "Juma"),
        ("a \u200b b", "a b"),
        ("علی\u200cرضا", "علی\u200cرضا"),  # this joiner is part of the spelling
    ],
)
def test_a_name_is_kept_tidy(written: str, tidied: str) -> None:
    assert tidy(written) == tidied


@pytest.mark.parametrize(
    ("name", "readable"), [("Asha", True), ("7", True), ("🦊", True), ("...", False), ("", False)]
)
def test_a_name_is_something_one_can_read(name: str, readable: bool) -> None:
    assert is_name(name) is readable


def test_names_stand_on_lines_or_between_commas() -> None:
    assert split_names("Asha, Juma\r\nNeema;;\n\n Baraka K. ") == [
        "Asha",
        "Juma",
        "Neema",
        "Baraka K.",
    ]


def test_a_second_person_gets_a_letter_and_a_third_a_number() -> None:
    assert (suggest_other("Juma"), suggest_other("Juma K.")) == ("Juma K.", "Juma K. 2")


# Adding ---------------------------------------------------------------------------------------


def test_many_come_at_once(client: Client, club: Club, organiser: int) -> None:
    answer = client.post(page_of(club), {"names": "Asha, Juma\nNeema"}, follow=True)

    assertRedirects(answer, page_of(club))
    assertContains(answer, "3 players are in.")
    assert names(club) == ["Asha", "Juma", "Neema"]
    log_entry = LogEntry.objects.get()
    assert (log_entry.verb, log_entry.user_id, len(log_entry.on["players"])) == (
        "players-added",
        organiser,
        3,
    )


def test_one_is_welcomed_by_name(client: Client, club: Club, organiser: int) -> None:
    answer = client.post(page_of(club), {"names": "Asha", "visitor_from": " Ilala "}, follow=True)

    assertContains(answer, "Asha is in.")
    assertContains(answer, "Ilala")
    assert Player.objects.get().visitor_from == "Ilala"


def test_who_is_there_already_is_pointed_out_and_nothing_is_lost(
    client: Client, club: Club, organiser: int
) -> None:
    make.player("Juma", club=club)

    page = client.post(page_of(club), {"names": "JUMA\nAsha", "visitor_from": "Ilala"})

    assertContains(page, "Asha is in.")
    assertContains(page, "Juma is in this club already.")
    assertContains(page, "such as “Juma K.”")
    assert page.context["form"]["names"].value() == "Juma"
    assert page.context["form"]["visitor_from"].value() == "Ilala"
    assert names(club) == ["Asha", "Juma"]


def test_a_name_written_twice_is_pointed_out(client: Client, club: Club, organiser: int) -> None:
    page = client.post(page_of(club), {"names": "Juma, juma , Asha"})

    assertContains(page, "You wrote juma twice.")
    assert page.context["form"]["names"].value() == "juma"
    assert names(club) == ["Asha", "Juma"]


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("", "Please write at least one name."),
        (" , ;\n", "Please write at least one name."),
        ("Asha, ...", "Please write a name."),
        ("Asha, " + "x" * 61, "“xxxxxxxxxxxxxxxxxxxx…” is too long"),
        (", ".join(f"P{n}" for n in range(201)), "201 names are a lot"),
    ],
)
def test_what_cannot_be_kept_adds_nobody(
    client: Client, club: Club, organiser: int, written: str, sentence: str
) -> None:
    page = client.post(page_of(club), {"names": written})

    assertContains(page, sentence)
    assert page.context["form"]["names"].value() == written
    assert names(club) == []
    assert not LogEntry.objects.exists()


def test_adding_returns_everybody_once_in_the_order_written(club: Club, now: datetime) -> None:
    known = make.player("Juma", club=club)

    added = add_players(
        club_id=club.pk, names=["Neema", "juma", "Asha", "NEEMA"], by=make.actor(at=now)
    )

    assert [player.name for player in added.players] == ["Neema", "Juma", "Asha"]
    assert added.known == (known,)
    assert [player.name for player in added.new] == ["Neema", "Asha"]
    assert added.repeated == ("NEEMA",)


def test_the_same_name_in_another_club_is_somebody_else(club: Club, now: datetime) -> None:
    make.player("Juma", club=make.club("Ilala"))

    assert add_player(club_id=club.pk, name="Juma", by=make.actor(at=now)).club == club


def test_a_name_is_free_again_once_its_bearer_is_erased(club: Club, now: datetime) -> None:
    gone = make.player("Juma", club=club)
    Player.objects.filter(pk=gone.pk).update(erased_at=now)

    assert add_player(club_id=club.pk, name="Juma", by=make.actor(at=now)) != gone


def test_adding_one_who_is_there_is_refused(club: Club, now: datetime) -> None:
    make.player("Juma", club=club)

    with act.refused("name-taken", question="name"):
        add_player(club_id=club.pk, name="juma", by=make.actor(at=now))

    assert not LogEntry.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_lists_at_once_make_every_player_once(club: Club, now: datetime) -> None:
    together = Barrier(2)
    people = [f"Player {n}" for n in range(12)]

    def add(written: list[str]) -> int:
        together.wait()
        try:
            added = add_players(club_id=club.pk, names=written, by=make.actor(at=now))
        finally:
            connections.close_all()
        return len(added.new)

    with ThreadPoolExecutor(2) as hall:
        new = list(hall.map(add, [people, people[::-1]]))

    assert sum(new) == len(people)
    assert club.players.count() == len(people)


# Changing -------------------------------------------------------------------------------------


def test_a_player_is_called_something_else(client: Client, club: Club, organiser: int) -> None:
    player = make.player("Juma", club=club)
    edit = reverse("player-edit", args=[player.pk])
    assertContains(client.get(edit), 'value="Juma"')

    answer = client.post(edit, {"name": "Juma K.", "visitor_from": "Ilala"}, follow=True)

    assertRedirects(answer, page_of(club))
    player.refresh_from_db()
    assert (player.name, player.name_key, player.visitor_from) == ("Juma K.", "juma k.", "Ilala")
    assert LogEntry.objects.get().on == {"player": player.pk}


def test_a_name_that_is_taken_is_refused_with_a_way_out(
    client: Client, club: Club, organiser: int
) -> None:
    make.player("Juma", club=club)
    asha = make.player("Asha", club=club)

    page = client.post(reverse("player-edit", args=[asha.pk]), {"name": "JUMA"})

    assertContains(page, "JUMA is in this club already.")
    assert page.context["form"]["name"].value() == "JUMA"
    asha.refresh_from_db()
    assert asha.name == "Asha"


def test_a_player_keeps_the_name_in_another_spelling(
    club: Club, organiser: int, now: datetime
) -> None:
    player = make.player("juma", club=club)

    renamed = rename_player(player_id=player.pk, name="Juma", by=make.actor(organiser, at=now))

    assert renamed.name == "Juma"


def test_who_was_erased_is_not_there_to_be_changed(
    client: Client, club: Club, organiser: int, now: datetime
) -> None:
    gone = make.player("Juma", club=club)
    Player.objects.filter(pk=gone.pk).update(erased_at=now)

    assert client.get(reverse("player-edit", args=[gone.pk])).status_code == 404


# The list -------------------------------------------------------------------------------------


def test_the_list_is_found_in_sorted_and_turned(client: Client, club: Club) -> None:
    for number in range(27):
        make.player(f"Player {number:02}", club=club)
    make.player("Asha", club=club)

    def shown(query: str) -> list[str]:
        return [row.record.name for row in client.get(page_of(club, query)).context["table"].page]

    assert shown("?q=ASH") == ["Asha"]
    assert shown("?sort=-name")[0] == "Player 26"
    assert shown("?page=2") == ["Player 24", "Player 25", "Player 26"]
    assert shown("?page=99") == shown("?page=2")
    assertContains(client.get(page_of(club, "?q=zz")), "Show everybody")


@pytest.mark.parametrize("players", [1, 3])
def test_the_list_costs_the_same_however_long(
    client: Client, club: Club, organiser: int, players: int
) -> None:
    tournament = make.tournament(club=club)
    for _ in range(players):
        player = make.player(club=club)
        make.entrant(player, at=tournament)
        make.team(player)

    # session, user, club with role; players, their teams, their tournaments; who says to be whom
    with costs(6):
        client.get(page_of(club))


def test_possible_duplicates_are_offered_where_names_look_alike(client: Client, club: Club) -> None:
    for name in ("Asha", "Baraka"):
        make.player(name, club=club)
    client.force_login(make.user(role=Role.ORGANISER, club=club))
    address = reverse("duplicates", args=[club.pk])

    before = client.get(page_of(club)).text
    make.player("Ashaa", club=club)

    assert address not in before
    assert address in client.get(page_of(club)).text
