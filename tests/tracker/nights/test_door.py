"""At the door: a code that hangs there, people who check themselves in, and go home."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from tests import make
from tests.reading import Forms
from tracker.common.errors import Refused
from tracker.common.web.devices import ME, ME_AT_DOOR
from tracker.models import (
    Attendance,
    Club,
    ClubNight,
    LogEntry,
    Player,
    Role,
    Rsvp,
)
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


@pytest.fixture
def now() -> datetime:
    return timezone.now()


@pytest.fixture
def night(now: datetime) -> ClubNight:
    """Return a night that goes on, of a club with two players, and whose door is open."""
    club = make.club()
    for name in ("Asha", "Juma"):
        make.player(name, club=club)
    night = make.night(club, starts_at=now - timedelta(hours=1))
    return open_door(night_id=night.pk, by=make.actor(at=now))


def door(night: ClubNight) -> str:
    return reverse("door", args=[night.door_token])


def asha(night: ClubNight) -> Player:
    return make.player("Asha", club=night.club)


def tap(client: Client, night: ClubNight, **answer: Any) -> Any:
    """Open the page, which gives a phone its cookie, and tap."""
    client.get(door(night))
    return client.post(door(night), {"do": "here", **answer}, follow=True)


def here(night: ClubNight) -> list[str]:
    return [player.name for player in Attendance.objects.here(night).people()]


# The code


def test_the_code_is_made_once_and_a_new_one_replaces_it(client: Client, now: datetime) -> None:
    club = make.club()
    night = make.night(club, starts_at=now)
    client.force_login(make.user(role=Role.ORGANISER, club=club))
    url = reverse("night-door", args=[night.pk])

    shown = [client.get(url).context["token"] for _ in range(2)]
    client.post(url)

    anew = client.get(url).context["token"]
    assert shown[0] == shown[1] != anew
    assert client.get(reverse("door", args=[shown[0]])).status_code == 404
    assert client.get(reverse("door-qr", args=[anew])).headers["Content-Type"] == "image/svg+xml"
    verbs = list(LogEntry.objects.order_by("pk").values_list("verb", flat=True))
    assert verbs == ["door-opened", "door-renewed"]


# Coming in


def test_a_name_is_tapped_once_and_the_phone_knows_its_table(
    client: Client, night: ClubNight
) -> None:
    client.get(door(night))
    page = tap(client, night, player=asha(night).pk)
    tap(client, night, player=asha(night).pk)

    assert page.redirect_chain[0][0] == reverse("my-table", args=[night.club_id])
    assert "You are here, Asha. Welcome!" in page.text
    assert "You have no seat yet" in page.text
    assert here(night) == ["Asha"]
    assert LogEntry.objects.get(verb="arrived").device


def test_who_holds_the_phone_is_kept_for_the_doors_and_for_one_s_table(
    client: Client, night: ClubNight
) -> None:
    answer = client.post(door(night), {"do": "here", "player": asha(night).pk})

    cookies = {
        cookie["path"]: cookie.value
        for name, cookie in answer.cookies.items()
        if name in {ME, ME_AT_DOOR}
    }
    club, key = reverse("club", args=[night.club_id]), str(asha(night).pk)
    assert cookies == {"/door/": key, club: key}


def test_a_new_name_becomes_a_player_and_a_known_one_is_that_player(
    client: Client, night: ClubNight
) -> None:
    tap(client, night, name="Rehema")
    tap(Client(), night, name=" asha ")

    assert here(night) == ["Asha", "Rehema"]
    assert night.club.players.count() == 3
    assert LogEntry.objects.filter(verb="door-name").count() == 1


def test_the_phone_is_known_at_the_next_night_too(
    client: Client, night: ClubNight, now: datetime
) -> None:
    tap(client, night, player=asha(night).pk)
    other = make.night(night.club, starts_at=now)
    other = open_door(night_id=other.pk, by=make.actor(at=now))

    assert "Karibu, Asha!" in client.get(door(other)).text
    client.post(door(other), {"do": "me"})

    assert here(other) == ["Asha"]
    assert "Tap your name" in client.post(door(other), {"do": "not-me"}, follow=True).text


def test_a_phone_whose_holder_was_merged_is_the_other_s_by_now(
    client: Client, night: ClubNight
) -> None:
    tap(client, night, player=asha(night).pk)
    juma = make.player("Juma", club=night.club)
    merge_players(player_id=asha(night).pk, into_id=juma.pk, by=make.actor())

    assert "<h1>Juma</h1>" in client.get(door(night)).text


def test_whoever_signs_in_is_known_by_that(client: Client, night: ClubNight) -> None:
    user = make.user(role=Role.MEMBER, club=night.club)
    client.force_login(user)
    assert "Tap your name" in client.get(door(night)).text

    Player.objects.filter(pk=asha(night).pk).update(user=user)

    assert "Karibu, Asha!" in client.get(door(night)).text


def test_whoever_said_they_come_stands_first(
    client: Client, night: ClubNight, now: datetime
) -> None:
    juma = make.player("Juma", club=night.club)
    Rsvp.objects.create(night=night, player=juma, yes=True, answered_at=now)

    page = client.get(door(night))

    assert page.context["expected"] == [(juma.pk, "Juma")]
    assert page.context["others"] == [(asha(night).pk, "Asha")]


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ({}, "Choose your name, or type it."),
        ({"player": "0"}, "Please choose one of these."),
        ({"name": " . "}, "Please write a name."),
    ],
)
def test_what_cannot_be_is_said_beside_its_field(
    client: Client, night: ClubNight, answer: dict[str, str], says: str
) -> None:
    assert says in tap(client, night, **answer).text
    assert here(night) == []


def test_somebody_of_another_club_is_not_let_in(night: ClubNight, now: datetime) -> None:
    stranger = make.player("Ali", club=make.club("Ilala"))

    with pytest.raises(Refused) as refusal:
        come_in(night_id=night.pk, player_id=stranger.pk, by=make.actor(at=now))

    assert refusal.value.question == "player"


def test_a_phone_lets_three_new_names_in_and_the_organiser_the_others(
    client: Client, night: ClubNight
) -> None:
    for name in ("Ali", "Eli", "Ida"):
        tap(client, night, name=name)
    before = night.club.players.count()

    page = tap(client, night, name="Oli")
    for name in ("Uli", "oli", "Imani"):
        tap(client, night, name=name)
    tap(client, night, name="juma")

    assert "Oli: the organiser has your name and lets you in." in page.text
    assert (night.club.players.count(), here(night)) == (before, ["Ali", "Eli", "Ida", "Juma"])
    desk, organiser = night.get_absolute_url(), Client()
    assert "wait at the door" not in client.get(desk).text
    organiser.force_login(make.user(role=Role.ORGANISER, club=night.club))
    people = reverse("night-people", args=[night.pk])
    forms = []
    for path in (desk, people):
        text = organiser.get(path).text
        assert "3 more names wait at the door" in text
        (form,) = [form for form in Forms(text, path).forms if "waiting" in form.fields]
        forms.append(form)
    oli, uli, imani = forms[0].fields["waiting"]

    organiser.post(forms[0].path, forms[0].pressing("decline", "1", waiting=[uli]))
    answer = organiser.post(forms[0].path, forms[0].pressing("let-in", "1"), follow=True)
    organiser.post(forms[1].path, forms[1].pressing("let-in", "1"))

    assert answer.redirect_chain[-1][0] == desk
    assert "Let in: Oli and Imani." in answer.text
    assert "at the door" not in answer.text.partition("<main")[2].partition("Let in")[2]
    assert here(night) == ["Ali", "Eli", "Ida", "Imani", "Juma", "Oli"]
    assert not Rsvp.objects.at_door(night).exists()
    assert imani
    assert oli
    assert "You are here, Oli." in tap(client, night, name="Oli").text


def test_whoever_throws_the_cookies_away_writes_no_hundred_names(
    night: ClubNight, now: datetime
) -> None:
    for number in range(NEW_NAMES_PER_NIGHT + MOST_WAITING + 5):
        page = tap(Client(), night, name=f"Nobody {number}")
    bare = Client().post(door(night), {"do": "here", "name": "Rehema"})

    for answer in (page, bare):
        assert "The list of new names is full. Please tell the organiser yours." in answer.text
    assert len(here(night)) == NEW_NAMES_PER_NIGHT
    assert night.club.players.count() == 2 + NEW_NAMES_PER_NIGHT
    assert Rsvp.objects.at_door(night).count() == MOST_WAITING
    by = make.actor(at=now)
    assert come_in(night_id=night.pk, player_id=asha(night).pk, by=by) == asha(night)


def test_a_name_that_waits_is_neither_expected_nor_lost(client: Client, night: ClubNight) -> None:
    Rsvp.objects.create(
        night=night, name="Oli", name_key="oli", yes=True, answered_at=night.starts_at
    )
    for name in ("Ali", "Eli", "Ida", "OLI"):
        tap(client, night, name=name)

    client.force_login(make.user(role=Role.ORGANISER, club=night.club))
    page = client.get(reverse("night-people", args=[night.pk]))

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
    client: Client, night: ClubNight, now: datetime, hours: int, says: str, *, ended: bool
) -> None:
    night.starts_at, night.ended_at = now + timedelta(hours=hours), now if ended else None
    night.save()

    page = tap(client, night, player=asha(night).pk)

    assert says in page.text
    assert f'href="{night.club.get_absolute_url()}">Results and standings of' in page.text
    assert here(night) == []
    with pytest.raises(Refused, match="Check-in is closed just now"):
        go_home(night_id=night.pk, player_id=asha(night).pk, by=make.actor(at=now))


def test_a_phone_left_on_after_the_end_is_told_so(client: Client, night: ClubNight) -> None:
    tap(client, night, player=asha(night).pk)
    ClubNight.objects.update(ended_at=timezone.now())

    for do in ("me", "home"):
        page = client.post(door(night), {"do": do}, follow=True)
        assert "Check-in is closed just now: ask the organiser." in page.text
    assert here(night) == ["Asha"]


# Going home


def test_whoever_holds_the_phone_goes_home_and_may_come_back(
    client: Client, night: ClubNight
) -> None:
    tap(client, night, player=asha(night).pk)

    pages = [client.post(door(night), {"do": "home"}, follow=True) for _ in range(2)]
    assert "Good night, Asha!" in pages[0].text
    assert "Good night" not in pages[1].text
    assert here(night) == []
    client.post(door(night), {"do": "me"})

    assert here(night) == ["Asha"]


def test_nobody_is_sent_home_from_another_phone(client: Client, night: ClubNight) -> None:
    tap(client, night, player=asha(night).pk)

    other = Client()
    other.get(door(night))
    other.post(door(night), {"do": "home", "player": asha(night).pk})
    # Who holds a phone is what its cookie says: anybody can write that.
    other.cookies[ME_AT_DOOR] = str(asha(night).pk)
    page = other.post(door(night), {"do": "home"}, follow=True)
    bare = Client()
    bare.cookies[ME_AT_DOOR] = str(asha(night).pk)
    bare.post(door(night), {"do": "home"})

    assert here(night) == ["Asha"]
    assert "This phone did not check you in. Tell the organiser that you go home." in page.text
    assert 'value="home"' not in page.text
    assert 'value="home"' in client.get(door(night)).text


def test_whom_the_organiser_checked_in_the_organiser_sends_home(
    client: Client, night: ClubNight, now: datetime
) -> None:
    user = make.user(role=Role.MEMBER, club=night.club)
    Player.objects.filter(pk=asha(night).pk).update(user=user)
    tap(client, night, player=asha(night).pk)
    leave(night_id=night.pk, players=[asha(night).pk], by=make.actor(at=now + timedelta(minutes=1)))
    arrive(
        night_id=night.pk, players=[asha(night).pk], by=make.actor(at=now + timedelta(minutes=2))
    )

    client.post(door(night), {"do": "home"})
    assert here(night) == ["Asha"]
    client.force_login(user)
    client.post(door(night), {"do": "home"})

    assert here(night) == []


def test_whoever_leaves_a_table_is_told_to_say_so(client: Client, night: ClubNight) -> None:
    tap(client, night, player=asha(night).pk)
    make.sitting("Asha", at=make.tournament(club=night.club))

    page = client.post(door(night), {"do": "home"}, follow=True)

    assert "You still have a seat at table 1" in page.text


# A private club


def test_a_private_club_shows_names_at_its_door_and_no_more(
    client: Client, night: ClubNight
) -> None:
    Club.objects.update(public=False)

    page = client.get(door(night))
    mine = tap(client, night, player=asha(night).pk)

    assert "Asha" in page.text
    assert reverse("players", args=[night.club_id]) not in page.text
    assert "You have no seat yet" in mine.text
    assert client.get(reverse("club", args=[night.club_id])).status_code == 404


def test_unknown_codes_lead_nowhere(client: Client) -> None:
    make.night(make.club())

    assert client.get(reverse("door", args=["None"])).status_code == 404
    assert client.get(reverse("door-qr", args=["forged"])).status_code == 404


@pytest.mark.parametrize("number", [1, 30])
def test_the_door_costs_the_same_however_many_there_are(
    client: Client, night: ClubNight, number: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for nth in range(number):
        make.player(f"Player {nth}", club=night.club)

    with django_assert_num_queries(3):  # the night, who said they come, the players
        client.get(door(night))
