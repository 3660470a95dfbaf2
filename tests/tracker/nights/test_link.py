"""The link by which people say whether they come to a night: renewed, and the old one dead."""

import re
from html import unescape
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse

from tests import make
from tracker.models import ClubNight, LogEntry, Role

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> ClubNight:
    return make.night(make.club(public=False), make.NOON.replace(year=2036))


def words(page: Any) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", page.text)))


def rsvp(link: UUID) -> str:
    return reverse("night-rsvp", args=[link])


def calendar(link: UUID) -> str:
    return reverse("night-calendar", args=[link])


def test_a_new_link_is_good_and_the_old_one_says_that_it_is_not(
    client: Client, night: ClubNight
) -> None:
    organiser = make.user(role=Role.ORGANISER, club=night.club)
    client.force_login(organiser)
    before = night.reply_id

    page = client.post(night.get_absolute_url(), {"do": "new-link"}, follow=True)
    night.refresh_from_db()
    old, new = Client().get(rsvp(before)), Client().get(rsvp(night.reply_id))

    assert "the old one no longer works" in words(page)
    assert rsvp(night.reply_id) in page.text
    assert rsvp(before) not in page.text
    assert (old.status_code, new.status_code) == (404, 200)
    assert "Ask the organiser for the new link" in words(old)
    assert Client().get(calendar(before)).status_code == 404
    assert night.reply_id != before == night.uid
    assert rsvp(night.reply_id) in Client().get(calendar(night.reply_id)).text.replace("\r\n ", "")
    entry = LogEntry.objects.get()
    assert (entry.verb, entry.user_id) == ("night-link-renewed", organiser.pk)
    assert entry.reason == "The night has a new link; the old one leads nowhere."


def test_a_link_is_renewed_again_and_again(client: Client, night: ClubNight) -> None:
    client.force_login(make.user(role=Role.ORGANISER, club=night.club))
    links = [night.reply_id]
    for _ in range(2):
        client.post(night.get_absolute_url(), {"do": "new-link"})
        night.refresh_from_db()
        links.append(night.reply_id)

    assert [Client().get(rsvp(link)).status_code for link in links] == [404, 404, 200]


@pytest.mark.parametrize("role", [Role.MEMBER, Role.SCORER])
def test_only_organisers_renew_it(client: Client, night: ClubNight, role: Role) -> None:
    client.force_login(make.user(role=role, club=night.club))

    answer = client.post(night.get_absolute_url(), {"do": "new-link"})

    night.refresh_from_db()
    assert (answer.status_code, night.new_link) == (403, None)
