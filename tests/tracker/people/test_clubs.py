"""Making a club, its page, and who may read it."""

from datetime import datetime

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from tests import act, make
from tests.reading import costs, words
from tracker.models import Club, LogEntry, Membership, Role, RoundState
from tracker.people.services.clubs import edit_club

pytestmark = pytest.mark.django_db


def test_anybody_who_can_sign_in_makes_a_club_and_owns_it(client: Client) -> None:
    user = make.user()
    client.force_login(user)
    assertContains(client.get("/clubs/new/"), "Make the club")

    answer = client.post("/clubs/new/", {"name": "  Ilala   Card Club "})

    club = Club.objects.get()
    assertRedirects(answer, club.get_absolute_url())
    assert (club.name, club.public) == ("Ilala Card Club", False)
    assert Membership.objects.get(club=club, user=user).role == Role.OWNER
    assert [log_entry.verb for log_entry in LogEntry.objects.all()] == ["club-made"]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "Please write a name."),
        ("\u202e\u200b", "Please write a name."),
        ("x" * 81, "At most 80 letters"),
    ],
)
def test_a_club_needs_a_name_that_can_be_read(client: Client, name: str, sentence: str) -> None:
    client.force_login(make.user())

    assertContains(client.post("/clubs/new/", {"name": name}), sentence)
    assert not Club.objects.exists()


def test_the_owner_names_the_club_and_closes_it_to_strangers(client: Client) -> None:
    club = make.club()
    client.force_login(make.user(role=Role.OWNER, club=club))
    edit = reverse("club-edit", args=[club.pk])
    assertContains(client.get(edit), 'value="Upanga"')

    answer = client.post(edit, {"name": "Upanga Card Club"}, follow=True)

    assertRedirects(answer, club.get_absolute_url())
    assertContains(answer, "for members only")
    club.refresh_from_db()
    assert (club.name, club.public) == ("Upanga Card Club", False)
    changed = {"name": [], "public": [True, False]}
    assert LogEntry.objects.get().numbers == {"public": 0, "changed": changed}
    assert Client().get(club.get_absolute_url()).status_code == 404


def test_a_name_that_cannot_be_read_changes_nothing(client: Client, now: datetime) -> None:
    club = make.club()
    owner = make.user(role=Role.OWNER, club=club)
    client.force_login(owner)

    page = client.post(reverse("club-edit", args=[club.pk]), {"name": "\u200b"})
    with act.refused("name-long"):
        edit_club(club_id=club.pk, name="x" * 81, public=True, by=make.actor(owner, at=now))

    assertContains(page, "Please write a name.")
    club.refresh_from_db()
    assert club.name == "Upanga"


def test_a_visitor_finds_the_standings_and_the_way_to_a_table(client: Client) -> None:
    club = make.club()
    make.sitting(at=make.tournament(club=club))

    page = client.get(club.get_absolute_url())

    (line,) = page.context["page"]["active"]
    assert (line.game, line.round, line.open, line.tables) == ("Albastini", 1, True, 1)
    assertContains(page, line.tournament.get_absolute_url())
    assertContains(page, "Friday Cup")
    assertContains(page, 'action="/card/"')
    assertNotContains(page, reverse("tournament-new", args=[club.pk]))


def test_who_leads_is_told_as_soon_as_a_hand_is_played(client: Client) -> None:
    club = make.club()
    sitting = make.sitting("Asha", "Neema", "Juma", "Baraka", at=make.tournament(club=club))
    assert client.get(club.get_absolute_url()).context["page"]["play"]["leading"] is None

    make.report(sitting, {"eaten": [70, 50]})  # Asha and Juma win a point (R10)

    leading = client.get(club.get_absolute_url()).context["page"]["play"]["leading"]
    assert [(words(place), name, points) for place, name, points, _ in leading["leaders"]] == [
        ("1=", "Asha", "1"),
        ("1=", "Juma", "1"),
        ("3=", "Baraka", "0"),
        ("3=", "Neema", "0"),
    ]


def test_what_is_official_is_past_and_undone_rounds_are_not_told(client: Client) -> None:
    club = make.club()
    played = make.tournament(club=club, name="October", official_at=make.NOON)
    planned = make.tournament(club=club, name="December")
    make.round_of(planned, state=RoundState.UNDONE)
    make.round_of(played, state=RoundState.CLOSED)

    page = client.get(club.get_absolute_url()).context["page"]

    assert [line["tournament"].name for line in page["finished"]] == ["October"]
    assert [(line.tournament.name, line.round) for line in page["idle"]] == [("December", 0)]


@pytest.mark.parametrize("tournaments", [1, 3])
def test_the_club_page_costs_the_same_however_much_is_played(
    client: Client, tournaments: int
) -> None:
    club = make.club()
    for _ in range(tournaments):
        make.report(make.sitting(at=make.tournament(club=club)), {"eaten": [70, 50]})
        make.tournament(club=club, official_at=make.NOON)
        make.night(club, timezone.now())
    client.force_login(make.user(role=Role.ORGANISER, club=club))

    # the revision; session, user, club with role, player; nights, tournaments with their rounds,
    # tables, counts, what waits; sums, awards and entrants of the standing that leads
    with costs(13):
        client.get(club.get_absolute_url())
