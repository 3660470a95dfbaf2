"""Nights at the ends of what a calendar has: refused in words, or shown everywhere."""

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings
from pytest_django.asserts import assertContains

from tests import make
from tracker.models import Club, ClubNight, Role

pytestmark = pytest.mark.django_db

FAR = ["Pacific/Kiritimati", "Etc/GMT+12", "UTC"]


@pytest.fixture
def organiser(client: Client) -> Client:
    client.force_login(make.user(role=Role.ORGANISER, club=make.club()))
    return client


def announce(client: Client, when: str) -> str:
    path = reverse("night-new", args=[Club.objects.get().pk])
    return client.post(path, {"starts_at": when, "place": "", "games": ""}, follow=True).text


@pytest.mark.parametrize("zone", FAR)
@pytest.mark.parametrize(
    "when",
    [
        "9999-12-31T23:59",
        "9999-01-01T12:00",
        "2200-01-01T00:00",
        "1899-12-31T23:59",
        "0001-01-01T00:00",
    ],
)
def test_a_night_of_another_age_is_refused_in_words(
    organiser: Client, settings: Settings, zone: str, when: str
) -> None:
    settings.TIME_ZONE = zone

    assert "Please write a year from 1900 to 2199." in announce(organiser, when)
    assert not ClubNight.objects.exists()


@pytest.mark.parametrize("zone", FAR)
@pytest.mark.parametrize("when", ["2199-12-29T06:59", "1900-01-03T19:00"])
def test_the_first_and_the_last_night_are_shown_everywhere(
    organiser: Client, settings: Settings, zone: str, when: str
) -> None:
    settings.TIME_ZONE = zone
    announce(organiser, when)
    night = ClubNight.objects.get()
    club = [night.club_id]

    pages = [
        *(reverse(name, args=club) for name in ("club", "nights", "tonight", "my-table")),
        *(
            reverse(name, args=[night.pk])
            for name in ("night", "night-edit", "night-people", "night-display", "night-door")
        ),
        reverse("night-rsvp", args=[night.uid]),
        reverse("night-calendar", args=[night.uid]),
    ]
    assert {organiser.get(path).status_code for path in pages} == {200}
    assertContains(organiser.get(pages[-1]), "END:VCALENDAR")


@pytest.mark.parametrize(
    "when",
    ["10000-01-01T00:00", "99999999999999", "-1", "٢٠٢٦-١١-٢٧T١٩:٣٠", "x" * 5000, "2026-02-30"],
)
def test_what_is_no_day_is_refused_in_words(organiser: Client, when: str) -> None:
    said = announce(organiser, when)

    assert "Please write a day and a time" in said or ClubNight.objects.exists()
