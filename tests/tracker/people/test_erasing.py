"""A person is forgotten: the name is nowhere any more, and what was played stays."""

import sqlite3
from collections.abc import Iterator

import pytest
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry as AdminLogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from tests import act, make
from tests.make import NOON
from tracker.common.audit_log import log
from tracker.models import (
    Award,
    Club,
    Hand,
    Issue,
    IssueKind,
    LogEntry,
    Membership,
    Player,
    Role,
    Rsvp,
    Team,
    Tournament,
    User,
)
from tracker.people.services.erasing import erase_player, name_traces, redact_names
from tracker.people.services.merging import merge_players
from tracker.standings.queries.standings import standings

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(client: Client, club: Club) -> User:
    user = make.user("the owner", role=Role.OWNER, club=club)
    client.force_login(user)
    return user


def whole_database() -> Iterator[str]:
    """Yield every row of every table, as text."""
    for model in apps.get_models(include_auto_created=True):
        fields = [field.attname for field in model._meta.local_fields]
        for row in model._default_manager.values(*fields):
            yield f"{model.__name__} {row}"


def mentions(*names: str) -> list[str]:
    """Return every row of the database that has one of these names in it."""
    return [row for row in whole_database() if any(n.casefold() in row.casefold() for n in names)]


def erase(player: Player, by: User, **team_names: str) -> Player:
    names = {int(key.removeprefix("team_")): name for key, name in team_names.items()}
    return erase_player(player_id=player.pk, team_names=names, by=make.actor(by))


def written_everywhere(club: Club, owner: User) -> Player:
    """Let a name stand wherever the site can hold one."""
    tournament = make.tournament(club=club, name="Tumaini memorial")
    sitting = make.sitting("Tumaini", "Neema", "Juma", "Baraka", at=tournament)
    make.report(sitting, {"eaten": [70, 50]})
    player = make.player("Tumaini", club=club)
    merge_players(
        player_id=make.player("Tumaini M.", club=club).pk,
        into_id=player.pk,
        by=make.actor(owner),
    )
    login = make.user("tumaini", role=Role.SCORER, club=club)
    User.objects.filter(pk=login.pk).update(first_name="Tumaini", email="tumaini@example.org")
    Player.objects.filter(pk=player.pk).update(
        full_name="Tumaini Mwangaza", user=login, visitor_from="Ilala"
    )
    make.team(player, make.player("Neema", club=club))
    night = make.night(club)
    Rsvp.objects.create(night=night, player=player, yes=True, answered_at=NOON)
    Rsvp.objects.create(night=night, name="Tumaini", name_key="tumaini", yes=True, answered_at=NOON)
    Issue.objects.create(
        sitting=sitting, number=1, kind=IssueKind.QUERY, note="TUMAINI ate 60", raised_at=NOON
    )
    entrant = sitting.seats.get(place=0).entrant
    Award.objects.create(
        tournament=tournament,
        entrant=entrant,
        kind="award",
        amount=1,
        reason="Tumaini, for kindness",
    )
    Hand.objects.update(result_type="assigned", reason="as Tumaini Mwangaza said")
    log(make.actor(), "round-undone", club_id=club.pk, reason="Tumaini had gone home")
    AccessAttempt.objects.create(username="tumaini", failures_since_start=1)
    for attempts in (AccessFailureLog, AccessLog):
        attempts.objects.create(username="tumaini")
    AdminLogEntry.objects.create(
        user=owner,
        content_type=ContentType.objects.get_for_model(User),
        object_id=str(login.pk),
        object_repr="tumaini",
        action_flag=CHANGE,
    )
    return player


def test_the_name_is_in_no_table_and_in_no_file_any_more(club: Club, owner: User) -> None:
    """Neither in a row as Django reads it, nor in a dump by the database's own tools."""
    player = written_everywhere(club, owner)
    team = Team.objects.get()
    assert len(mentions("tumaini", "mwangaza")) == 14

    erase(player, owner, **{f"team_{team.pk}": "The Ilala pair"})

    assert mentions("tumaini", "mwangaza") == []
    dump = "\n".join(dumped()).casefold()
    assert "neema" in dump
    assert "tumaini" not in dump


def dumped() -> Iterator[str]:
    if connection.vendor == "sqlite":
        assert isinstance(connection.connection, sqlite3.Connection)
        yield from connection.connection.iterdump()
        return
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT t::text FROM "{table}" t')
            yield from (row for (row,) in cursor.fetchall())


def test_results_stay_as_a_former_players(client: Client, club: Club, owner: User) -> None:
    player = written_everywhere(club, owner)
    tournament = Tournament.objects.get()
    before = {row.entrant: (row.place, row.figures) for row in standings(tournament).rows}

    erase(player, owner, **{f"team_{Team.objects.get().pk}": "The Ilala pair"})

    assert {row.entrant: (row.place, row.figures) for row in standings(tournament).rows} == before
    assertContains(client.get(tournament.get_absolute_url()), "A former player")
    assertNotContains(client.get(reverse("players", args=[club.pk])), "former")
    assert tournament.entrants.get(player=player).player == player
    assert LogEntry.objects.order_by("-pk")[0].on == {"player": player.pk}


def test_former_players_are_told_apart(club: Club, owner: User) -> None:
    names = [erase(make.player(name, club=club), owner).name for name in ("Asha", "Juma")]

    assert names == ["A former player", "A former player 2"]


def test_the_login_is_closed_and_forgotten(club: Club, owner: User) -> None:
    player, login = make.player("Asha", club=club), make.user("asha", role=Role.MEMBER, club=club)
    Player.objects.filter(pk=player.pk).update(user=login)
    browser = Client()
    browser.force_login(login)

    erase(player, owner)

    login.refresh_from_db()
    assert (login.username, login.is_active) == (f"former-{login.pk}", False)
    assert not login.has_usable_password()
    assertRedirects(browser.get(reverse("account")), "/sign-in/?next=/account/")
    assert not Membership.objects.filter(user=login).exists()


def test_a_login_of_another_club_stays_there(club: Club, owner: User) -> None:
    player, login = make.player("Asha", club=club), make.user("asha", role=Role.MEMBER, club=club)
    elsewhere = Membership.objects.create(club=make.club(), user=login, role=Role.OWNER)
    Player.objects.filter(pk=player.pk).update(user=login)
    assert name_traces(Player.objects.get(pk=player.pk))["login"] == ""

    erase(player, owner)

    login.refresh_from_db()
    assert (login.username, login.is_active) == ("asha", True)
    assert list(login.memberships.all()) == [elsewhere]


def test_the_only_owner_is_not_forgotten(client: Client, club: Club, owner: User) -> None:
    player = make.player("Asha", club=club)
    Player.objects.filter(pk=player.pk).update(user=owner)

    page = client.post(reverse("player-erase", args=[player.pk]), {"sure": "on"})

    assertContains(page, "Make somebody else an owner first.")
    assert Player.objects.get().name == "Asha"


def test_another_persons_longer_name_is_left_alone(club: Club, owner: User) -> None:
    tournament = make.tournament(club=club)
    entrant = make.entrant(make.player("Juma K.", club=club), at=tournament)
    Award.objects.create(
        tournament=tournament,
        entrant=entrant,
        kind="award",
        amount=1,
        reason="Juma K. helped juma, Jumaa",
    )

    erase(make.player("Juma", club=club), owner)

    assert Award.objects.get().reason == "Juma K. helped […], Jumaa"


def test_nobodys_name_is_found_nowhere() -> None:
    assert redact_names("Asha", [" "], others=["Asha"]) == "Asha"


def test_teams_called_after_somebody_get_another_name(
    client: Client, club: Club, owner: User
) -> None:
    asha = make.player("Asha", club=club)
    team = make.team(asha, make.player("Juma", club=club))
    make.team(asha, make.player("Neema", club=club), name="Lions")
    page, field = reverse("player-erase", args=[asha.pk]), f"team_{team.pk}"
    assertContains(client.get(page), "A new name for the team “Asha &amp; Juma”")

    said = {
        name: client.post(page, {"sure": "on", field: name}).context["form"].errors[field][0]
        for name in ("Asha's pair", "LIONS", "...")
    }
    client.post(page, {"sure": "on", field: "Juma's pair"})

    assert said == {
        "Asha's pair": "“Asha & Juma” needs a name without this person in it.",
        "LIONS": "There is a team called LIONS already. Please choose another name.",
        "...": "Please write a name.",
    }
    team.refresh_from_db()
    assert (team.name, team.name_key) == ("Juma's pair", "juma's pair")


def test_the_page_asks_whether_one_is_sure(client: Client, club: Club, owner: User) -> None:
    player = make.player("Asha", club=club)
    log(make.actor(), "round-undone", club_id=club.pk, reason="Asha left")
    page = reverse("player-erase", args=[player.pk])
    assertContains(client.get(page), "The name is taken out of 1 note or reason")
    assertContains(client.post(page, {"sure": ""}), "Tick this if you are sure")

    answer = client.post(page, {"sure": "on"}, follow=True)

    assertRedirects(answer, reverse("players", args=[club.pk]))
    assertContains(answer, "The name is erased. What was played stays.")
    assert client.get(page).status_code == 404
    assert client.get(reverse("player-edit", args=[player.pk])).status_code == 404


def test_one_refusal_keeps_everything(club: Club, owner: User) -> None:
    player = make.player("Asha", club=club)
    make.team(player, make.player("Juma", club=club))

    with act.refused("team-name-stays"):
        erase(player, owner)

    assert Player.objects.present().filter(name="Asha").exists()


@pytest.mark.parametrize(
    ("name", "said", "left"),
    [
        # An accent that stands apart, as an old Mac writes it, and what is left stays like that.
        ("José", "Jose\u0301 went to the cafe\u0301", "[…] went to the cafe\u0301"),
        ("Al", "[…] and Al*?%_[]", "[…] and […]*?%_[]"),
        # A mark may be longer than a name.
        ("Al", "x" * 297 + " Al", "x" * 297 + "[…]"),
        ("Al", "x" * 294 + " Al Al", "x" * 294 + " […]"),
        ("A", "A " * 150, "[…] " * 74 + "[…]"),
    ],
)
def test_a_reason_is_struck_out_so_that_the_log_takes_it(
    club: Club, owner: User, name: str, said: str, left: str
) -> None:
    entry = log(make.actor(), "round-undone", club_id=club.pk, reason=said)

    erase(make.player(name, club=club), owner)

    assert LogEntry.objects.get(pk=entry.pk).reason == left
