"""The teams of a club."""

from datetime import datetime

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertRedirects

from tests import act, make
from tests.reading import costs
from tracker.common.errors import Refused
from tracker.models import Club, LogEntry, Player, Role, Team
from tracker.people.services.teams import edit_team, make_team

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(club: Club) -> list[Player]:
    return [make.player(name, club=club) for name in ["Asha", "Juma", "Neema"]]


@pytest.fixture
def organiser(client: Client, club: Club) -> int:
    user = make.user(role=Role.ORGANISER, club=club)
    client.force_login(user)
    return user.pk


def page_of(club: Club) -> str:
    return reverse("teams", args=[club.pk])


def roster(team: Team) -> list[str]:
    return list(team.roster.order_by("name_key").values_list("name", flat=True))


def test_a_team_is_called_after_its_people_unless_it_has_a_name(
    client: Client, club: Club, people: list[Player], organiser: int
) -> None:
    asha, juma, neema = (player.pk for player in people)

    answer = client.post(page_of(club), {"name": "", "roster": [asha, juma]}, follow=True)
    client.post(page_of(club), {"name": " The  Foxes ", "roster": [juma, neema]})

    assertRedirects(answer, page_of(club))
    assertContains(answer, "Asha &amp; Juma")
    assert {team.name: roster(team) for team in Team.objects.all()} == {
        "Asha & Juma": ["Asha", "Juma"],
        "The Foxes": ["Juma", "Neema"],
    }
    made = LogEntry.objects.order_by("pk").first()
    assert made is not None
    assert (made.verb, made.on["players"]) == ("team-made", [asha, juma])


def test_a_team_that_is_there_already_is_refused_and_nothing_is_lost(
    client: Client, club: Club, people: list[Player], organiser: int
) -> None:
    make.team(*people[:2], name="The Foxes")
    chosen = [people[1].pk, people[2].pk]

    page = client.post(page_of(club), {"name": "the foxes", "roster": chosen})

    assertContains(page, "There is a team called the foxes already.")
    assertContains(page, " checked", count=2)
    assert Team.objects.count() == 1


@pytest.mark.parametrize(("chosen", "sentence"), [(0, "two or more"), (1, "two people or more")])
@pytest.mark.usefixtures("organiser")
def test_a_team_is_two_people_or_more(
    client: Client, club: Club, people: list[Player], chosen: int, sentence: str
) -> None:
    page = client.post(page_of(club), {"roster": [player.pk for player in people[:chosen]]})

    assertContains(page, sentence)
    assert not Team.objects.exists()


def test_a_team_is_of_its_own_club(
    client: Client, club: Club, people: list[Player], organiser: int, now: datetime
) -> None:
    stranger = make.player("Ali", club=make.club("Ilala"))
    chosen = [people[0].pk, stranger.pk]

    page = client.post(page_of(club), {"roster": chosen})
    with act.refused("team-stranger"):
        make_team(club_id=club.pk, name="Mixed", players=chosen, by=make.actor(organiser, at=now))

    assertContains(page, "Somebody you chose has left this club.")
    assert not Team.objects.exists()


def test_a_team_sits_in_the_order_it_was_named_in(
    club: Club, people: list[Player], organiser: int, now: datetime
) -> None:
    asha, juma, neema = (player.pk for player in people)

    def seats() -> list[int]:
        of_team = Team.roster.through.objects.filter(team=team)
        return list(of_team.order_by("pk").values_list("player", flat=True))

    team = make_team(
        club_id=club.pk, name="Foxes", players=[neema, asha], by=make.actor(organiser, at=now)
    )
    assert seats() == [neema, asha]

    edit_team(
        team_id=team.pk, name="Foxes", players=[juma, asha, neema], by=make.actor(organiser, at=now)
    )
    assert seats() == [neema, asha, juma]


def test_a_team_changes_its_name_and_its_people(
    client: Client, club: Club, people: list[Player], organiser: int
) -> None:
    team = make.team(*people[:2])
    edit = reverse("team-edit", args=[team.pk])
    assertContains(client.get(edit), " checked", count=2)

    answer = client.post(edit, {"name": "The Foxes", "roster": [player.pk for player in people]})

    assertRedirects(answer, page_of(club))
    team.refresh_from_db()
    assert (team.name, team.name_key, roster(team)) == (
        "The Foxes",
        "the foxes",
        ["Asha", "Juma", "Neema"],
    )
    assert LogEntry.objects.get().verb == "team-changed"


def test_a_change_that_is_refused_changes_nothing(
    client: Client, people: list[Player], organiser: int, now: datetime
) -> None:
    make.team(*people[1:], name="Owls")
    team = make.team(*people[:2], name="Foxes")
    edit = reverse("team-edit", args=[team.pk])

    page = client.post(edit, {"name": "Owls", "roster": [people[0].pk, people[2].pk]})
    with pytest.raises(Refused):
        edit_team(
            team_id=team.pk, name="Foxes", players=[people[0].pk], by=make.actor(organiser, at=now)
        )

    assertContains(page, "There is a team called Owls already.")
    team.refresh_from_db()
    assert (team.name, roster(team)) == ("Foxes", ["Asha", "Juma"])


@pytest.mark.parametrize("teams", [1, 3])
def test_the_list_costs_the_same_however_long(
    client: Client, club: Club, organiser: int, teams: int
) -> None:
    for _ in range(teams):
        make.team(make.player(club=club), make.player(club=club))

    # session, user, club with role; players to choose from, teams, their people
    with costs(6):
        client.get(page_of(club))


def test_teams_are_found_sorted_and_taken_away(
    client: Client, club: Club, people: list[Player]
) -> None:
    foxes, pair = make.team(*people[:2], name="The Foxes"), make.team(*people[1:])
    make.entrant(foxes, at=make.tournament(club=club, teams=True))

    def found(**asked: str) -> list[str]:
        return [row.record.name for row in client.get(page_of(club), asked).context["table"].rows]

    assert [found(q="fox"), found(q="NEEMA"), found(sort="tournaments")] == [
        ["The Foxes"],
        [pair.name],
        [pair.name, "The Foxes"],
    ]
    assertContains(client.get(page_of(club), {"q": "nobody"}), "No team by that name.")
    taken = client.get(page_of(club), {"_export": "csv"}).text.splitlines()
    assert taken == [
        "\ufeffTeam,People,Tournaments",
        'Juma & Neema,"Juma, Neema",0',
        'The Foxes,"Asha, Juma",1',
    ]
