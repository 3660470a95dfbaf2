"""At the door: a code that hangs there, people who check themselves in, and go home."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests import act, make
from tests.reading import form_with, lacks, shows
from tracker.common.web.devices import ME, ME_AT_DOOR
from tracker.models import Attendance, Club, ClubNight, LogEntry, Player, Role, Rsvp
from tracker.nights.services.attendance import (
    MOST_WAITING,
    NEW_NAMES_PER_NIGHT,
    arrive,
    come_in,
    go_home,
    leave,
    open_door,
)
from tracker.people.services.merging import merge_players

pytestmark = pytest.mark.django_db
KARIBU = "Karibu, Asha!"


@pytest.fixture
def now() -> datetime:
    return timezone.now()


@pytest.fixture
def night(club: Club, now: datetime) -> ClubNight:
    """Return a night that goes on, of a club with two players, and whose door is open."""
    for name in ("Asha", "Juma"):
        make.player(name, club=club)
    night = make.night(club, starts_at=now - timedelta(hours=1))
    return open_door(night_id=night.pk, by=make.actor(at=now))


def door(night: ClubNight) -> str:
    return reverse("door", args=[night.door_token])


def tap(client: Client, night: ClubNight, do: str = "here", **answer: Any) -> Any:
    """Open the page, which gives a phone its cookie, and tap."""
    client.get(door(night))
    return client.post(door(night), {"do": do, **answer}, follow=True)


def asha(night: ClubNight) -> Player:
    return make.player("Asha", club=night.club)


def here(night: ClubNight) -> list[str]:
    return [player.name for player in Attendance.objects.here(night).people()]


# The code


def test_code_is_made_once_and_is_renewed(organiser: Client, club: Club, now: datetime) -> None:
    url = reverse("night-door", args=[make.night(club, starts_at=now).pk])
    first, again = (organiser.get(url).context["token"] for _ in range(2))
    organiser.post(url)

    anew = organiser.get(url).context["token"]
    assert first == again != anew
    for unknown in (first, "None", "forged"):
        assert organiser.get(reverse("door", args=[unknown])).status_code == 404
        assert organiser.get(reverse("door-qr", args=[unknown])).status_code == 404
    assert organiser.get(reverse("door-qr", args=[anew])).headers["Content-Type"] == "image/svg+xml"
    verbs = LogEntry.objects.order_by("pk").values_list("verb", flat=True)
    assert [*verbs] == ["door-opened", "door-renewed"]


# Coming in


def test_name_is_tapped_once_and_the_phone_knows_its_table(
    client: Client, night: ClubNight
) -> None:
    page = tap(client, night, player=asha(night).pk)
    tap(client, night, player=asha(night).pk)
    assert page.redirect_chain[0][0] == reverse("my-table", args=[night.club_id])
    shows(page, "You are here, Asha. Welcome!", "You have no seat yet")
    assert here(night) == ["Asha"]
    assert LogEntry.objects.get(verb="arrived").device


def test_who_holds_the_phone_is_kept_for_the_doors_and_for_one_s_table(
    client: Client, night: ClubNight
) -> None:
    answer = client.post(door(night), {"do": "here", "player": asha(night).pk})
    kept = [cookie for name, cookie in answer.cookies.items() if name in {ME, ME_AT_DOOR}]
    club, key = reverse("club", args=[night.club_id]), str(asha(night).pk)
    assert {cookie["path"]: cookie.value for cookie in kept} == {"/door/": key, club: key}


def test_a_new_name_becomes_a_player_and_a_known_one_is_that_player(night: ClubNight) -> None:
    for name in ("Rehema", " asha "):
        tap(Client(), night, name=name)
    assert here(night) == ["Asha", "Rehema"]
    assert night.club.players.count() == 3
    assert LogEntry.objects.filter(verb="door-name").count() == 1


def test_phone_is_known_at_the_next_night(client: Client, night: ClubNight, now: datetime) -> None:
    tap(client, night, player=asha(night).pk)
    other = make.night(night.club, starts_at=now)
    other = open_door(night_id=other.pk, by=make.actor(at=now))
    shows(client.get(door(other)), KARIBU)
    tap(client, other, "me")
    assert here(other) == ["Asha"]
    shows(tap(client, other, "not-me"), "Tap your name")


def test_phone_of_a_merged_player_is_the_other_s_by_now(client: Client, night: ClubNight) -> None:
    tap(client, night, player=asha(night).pk)
    juma = make.player("Juma", club=night.club)
    merge_players(player_id=asha(night).pk, into_id=juma.pk, by=make.actor())
    shows(client.get(door(night)), "<h1>Juma</h1>")


def test_whoever_signs_in_is_known_by_that(client: Client, night: ClubNight) -> None:
    user = make.user(role=Role.MEMBER, club=night.club)
    client.force_login(user)
    shows(client.get(door(night)), "Tap your name")
    Player.objects.filter(pk=asha(night).pk).update(user=user)
    shows(client.get(door(night)), KARIBU)


def test_who_said_they_come_stands_first(client: Client, night: ClubNight, now: datetime) -> None:
    juma = make.player("Juma", club=night.club)
    Rsvp.objects.create(night=night, player=juma, yes=True, answered_at=now)
    page = client.get(door(night))
    assert page.context["expected"] == [(juma.pk, "Juma")]
    assert page.context["others"] == [(asha(night).pk, "Asha")]


def test_what_cannot_be_is_said(client: Client, night: ClubNight, now: datetime) -> None:
    for answer, says in (
        ({}, "Choose your name, or type it."),
        ({"player": "0"}, "Please choose one of these."),
        ({"name": " . "}, "Please write a name."),
    ):
        shows(tap(client, night, **answer), says)
    stranger = make.player("Ali", club=make.club("Ilala"))
    with act.refused("player-unknown", question="player"):
        come_in(night_id=night.pk, player_id=stranger.pk, by=make.actor(at=now))
    assert here(night) == []


def test_a_phone_lets_three_new_names_in_and_the_organiser_the_others(
    client: Client, night: ClubNight
) -> None:
    known = ("Ali", "Eli", "Ida")
    for name in known:
        tap(client, night, name=name)
    players = night.club.players.count()
    page = tap(client, night, name="Oli")
    for name in ("Uli", "oli", "Imani", "juma"):
        tap(client, night, name=name)

    shows(page, "Oli: the organiser has your name and lets you in.")
    assert (night.club.players.count(), here(night)) == (players, [*known, "Juma"])
    desk, people = night.get_absolute_url(), reverse("night-people", args=[night.pk])
    lacks(client.get(desk), "wait at the door")
    organiser = act.sign_in(Role.ORGANISER, night)
    pages = {path: organiser.get(path) for path in (desk, people)}
    for page in pages.values():
        shows(page, "3 more names wait at the door")
    at_desk, at_people = (form_with(page, path, "waiting") for path, page in pages.items())
    _oli, uli, _imani = at_desk.fields["waiting"]

    organiser.post(at_desk.path, at_desk.pressing("decline", "1", waiting=[uli]))
    answer = organiser.post(at_desk.path, at_desk.pressing("let-in", "1"), follow=True)
    organiser.post(at_people.path, at_people.pressing("let-in", "1"))

    assert answer.redirect_chain[-1][0] == desk
    shows(answer, "Let in: Oli and Imani.")
    assert "at the door" not in answer.text.partition("<main")[2].partition("Let in")[2]
    assert here(night) == ["Ali", "Eli", "Ida", "Imani", "Juma", "Oli"]
    assert not Rsvp.objects.at_door(night).exists()
    shows(tap(client, night, name="Oli"), "You are here, Oli.")


def test_who_throws_cookies_away_writes_no_hundred_names(night: ClubNight, now: datetime) -> None:
    for number in range(NEW_NAMES_PER_NIGHT + MOST_WAITING + 5):
        page = tap(Client(), night, name=f"Nobody {number}")
    bare = Client().post(door(night), {"do": "here", "name": "Rehema"})

    for answer in (page, bare):
        shows(answer, "The list of new names is full. Please tell the organiser yours.")
    assert len(here(night)) == NEW_NAMES_PER_NIGHT
    assert night.club.players.count() == 2 + NEW_NAMES_PER_NIGHT
    assert Rsvp.objects.at_door(night).count() == MOST_WAITING
    assert come_in(night_id=night.pk, player_id=asha(night).pk, by=make.actor(at=now)) == asha(
        night
    )


def test_a_name_that_waits_is_neither_expected_nor_lost(
    client: Client, organiser: Client, night: ClubNight
) -> None:
    answer: dict[str, Any] = {"yes": True, "answered_at": night.starts_at}
    Rsvp.objects.create(night=night, name="Oli", name_key="oli", **answer)
    phone = Client()
    for name in ("Ali", "Eli", "Ida", "OLI"):
        tap(phone, night, name=name)
    page = organiser.get(reverse("night-people", args=[night.pk]))
    assert page.context["people"].typed == ()
    assert [name for _key, name in page.context["waiting"]] == ["OLI"]


# While it goes on


@pytest.mark.parametrize(
    ("hours", "ended", "says"),
    [
        (-17, False, "This night is finished."),
        (-1, True, "This night is finished."),
        (9, False, "It begins on"),
    ],
)
def test_nobody_comes_in_before_or_afterwards(
    client: Client, night: ClubNight, hours: int, says: str, *, ended: bool
) -> None:
    now = timezone.now()
    night.starts_at, night.ended_at = now + timedelta(hours=hours), now if ended else None
    night.save()
    page = tap(client, night, player=asha(night).pk)
    shows(page, says, f'href="{night.club.get_absolute_url()}">Results and standings of')
    assert here(night) == []
    with act.refused("night-not-on"):
        go_home(night_id=night.pk, player_id=asha(night).pk, by=make.actor(at=now))


def test_a_phone_left_on_after_the_end_is_told_so(client: Client, night: ClubNight) -> None:
    tap(client, night, player=asha(night).pk)
    ClubNight.objects.update(ended_at=timezone.now())
    for do in ("me", "home"):
        shows(tap(client, night, do), "Check-in is closed just now: ask the organiser.")
    assert here(night) == ["Asha"]


# Going home


def test_who_holds_the_phone_goes_home_and_comes_back(client: Client, night: ClubNight) -> None:
    tap(client, night, player=asha(night).pk)
    shows(tap(client, night, "home"), "Good night, Asha!")
    lacks(tap(client, night, "home"), "Good night")
    assert here(night) == []
    tap(client, night, "me")
    assert here(night) == ["Asha"]


def test_nobody_is_sent_home_from_another_phone(client: Client, night: ClubNight) -> None:
    tap(client, night, player=asha(night).pk)
    other, bare = Client(), Client()
    tap(other, night, "home", player=asha(night).pk)
    # Who holds a phone is what its cookie says: anybody can write that.
    for phone in (other, bare):
        phone.cookies[ME_AT_DOOR] = str(asha(night).pk)
    bare.post(door(night), {"do": "home"})
    page = other.post(door(night), {"do": "home"}, follow=True)

    assert here(night) == ["Asha"]
    shows(page, "This phone did not check you in. Tell the organiser that you go home.")
    lacks(page, 'value="home"')
    shows(client.get(door(night)), 'value="home"')


def test_whom_the_organiser_checked_in_the_organiser_sends_home(
    client: Client, night: ClubNight, now: datetime
) -> None:
    user = make.user(role=Role.MEMBER, club=night.club)
    Player.objects.filter(pk=asha(night).pk).update(user=user)
    tap(client, night, player=asha(night).pk)
    for minutes, change in ((1, leave), (2, arrive)):
        by = make.actor(at=now + timedelta(minutes=minutes))
        change(night_id=night.pk, players=[asha(night).pk], by=by)

    tap(client, night, "home")
    assert here(night) == ["Asha"]
    client.force_login(user)
    tap(client, night, "home")

    assert here(night) == []


def test_whoever_leaves_a_table_is_told_to_say_so(client: Client, night: ClubNight) -> None:
    tap(client, night, player=asha(night).pk)
    make.sitting("Asha", at=make.tournament(club=night.club))
    shows(tap(client, night, "home"), "You still have a seat at table 1")


def test_private_club_shows_names_at_its_door_alone(client: Client, night: ClubNight) -> None:
    Club.objects.update(public=False)
    page = client.get(door(night))
    shows(page, "Asha")
    lacks(page, reverse("players", args=[night.club_id]))
    shows(tap(client, night, player=asha(night).pk), "You have no seat yet")
    assert client.get(reverse("club", args=[night.club_id])).status_code == 404
