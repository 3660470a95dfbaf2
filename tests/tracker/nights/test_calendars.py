"""Calendar feeds of clubs and players: what is in them, who may read them, and what they cost."""

from datetime import timedelta
from html import unescape
from typing import Any

import icalendar
import pytest
from django.contrib.auth.hashers import make_password
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests import act, make
from tests.reading import costs, lacks, shows
from tracker.models import Club, ClubNight, Membership, Player, Role, User
from tracker.nights.services.attendance import arrive, record_rsvp
from tracker.nights.services.nights import edit_night
from tracker.people.services.merging import merge_players

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture(params=[True, False], ids=["public", "private"])
def club(request: pytest.FixtureRequest) -> Club:
    return make.club(public=request.param)


def feeds(player: Player) -> tuple[str, str]:
    club_feed = reverse("club-calendar", args=[player.club_id])
    return club_feed, reverse("player-calendar", args=[player.pk])


def address_on(page: Any) -> str:
    """Return the address of the feed that a page shows, from its path on."""
    field = page.text.partition('id="calendar" value="')[2]
    return unescape(field.partition('"')[0]).removeprefix("http://testserver")


def addresses(player: Player, reader: Client) -> tuple[str, str]:
    """Return the addresses of both feeds, as this reader finds them on the pages."""
    club_page = reader.get(reverse("nights", args=[player.club_id]))
    player_page = reader.get(reverse("player", args=[player.pk]))
    return address_on(club_page), address_on(player_page)


def events(path: str) -> dict[str, Any]:
    """Return the events that a calendar program, which cannot sign in, reads there, by uid."""
    answer = Client().get(path)
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    read = icalendar.Calendar.from_ical(answer.content).events
    return {str(event["UID"]): event for event in read}


def uids(*nights: ClubNight) -> set[str]:
    return {f"{night.uid}@kula" for night in nights}


def test_feeds_have_the_nights_of_the_club_and_of_the_player(club: Club) -> None:
    now, asha = timezone.now(), make.player("Asha", club=club)
    long_ago, missed, came, coming, declined, unanswered = (
        make.night(club, now + days * DAY) for days in (-366, -14, -7, 7, 14, 500)
    )
    make.night(make.club("Elsewhere"), now + DAY)
    for night in (came, long_ago):
        arrive(night_id=night.pk, players=[asha.pk], by=make.actor())
    for night in (coming, came, declined):
        yes = night != declined
        record_rsvp(night_id=night.pk, player_id=asha.pk, yes=yes, by=make.actor())
    of_club, of_player = addresses(asha, act.sign_in(Role.MEMBER, club))

    assert events(of_club).keys() == uids(missed, came, coming, declined, unanswered)
    assert events(of_player).keys() == uids(came, coming)


def test_a_moved_night_is_the_same_event_in_every_calendar_and_a_deleted_one_is_gone(
    club: Club,
) -> None:
    asha, night = make.player("Asha", club=club), make.night(club, timezone.now() + DAY)
    record_rsvp(night_id=night.pk, player_id=asha.pk, yes=True, by=make.actor())
    feeds = addresses(asha, act.sign_in(Role.MEMBER, club))
    file = reverse("night-calendar", args=[night.reply_id])
    client, later = Client(), night.starts_at.replace(microsecond=0) + DAY
    tags = [client.get(path).headers["ETag"] for path in feeds]
    edit_night(night_id=night.pk, starts_at=later, place="Café", games="Dalmuti", by=make.actor())

    for path in (*feeds, file):
        [(uid, event)] = events(path).items()
        assert {uid} == uids(night)
        assert (event.start, event.end) == (later, later + timedelta(hours=4))
        assert (event["LOCATION"], event["DESCRIPTION"]) == ("Café", "Dalmuti")
        # A calendar that reads the file in again takes what has the later stamp.
        assert (event["DTSTAMP"].dt < later) is (path == file)
    for path, tag in zip(feeds, tags, strict=True):
        changed = client.get(path, headers={"If-None-Match": tag})
        again = client.get(path, headers={"If-None-Match": changed.headers["ETag"]})
        assert (changed.status_code, again.status_code, again.content) == (200, 304, b"")
    night.delete()
    assert [events(path) for path in feeds] == [{}, {}]


def test_a_public_feed_needs_no_key_and_a_private_one_tells_nothing_without(club: Club) -> None:
    asha, statuses = make.player("Asha", club=club), []
    make.night(club, timezone.now() + DAY)
    elsewhere = make.player("Asha", club=make.club("Elsewhere", public=False))
    foreign = addresses(elsewhere, act.sign_in(Role.OWNER, elsewhere.club))
    for path, key in zip(feeds(asha), foreign, strict=True):
        wrong = ("", "?for=", "?for=1:x", f"?for=é%00{'9' * 99}:x", f"?{key.partition('?')[2]}")
        statuses += [Client().get(path + query).status_code for query in wrong]

    assert set(statuses) == ({200} if club.public else {404})
    shown = addresses(asha, act.sign_in(Role.MEMBER, club))
    assert (shown == feeds(asha)) is club.public


@pytest.mark.parametrize("club", [False], indirect=True)
def test_a_key_works_until_its_user_leaves_is_closed_out_or_changes_the_password(
    club: Club,
) -> None:
    asha = make.player("Asha", club=club)
    user = make.user(role=Role.MEMBER, club=club)
    client = Client()

    def opened() -> set[int]:
        return {Client().get(path).status_code for path in shown}

    for spoil in (
        lambda: Membership.objects.filter(user=user).delete(),
        lambda: User.objects.filter(pk=user.pk).update(is_active=False),
        lambda: User.objects.filter(pk=user.pk).update(password=make_password("of diamonds")),
    ):
        Membership.objects.get_or_create(user=user, club=club, defaults={"role": Role.MEMBER})
        User.objects.filter(pk=user.pk).update(is_active=True)
        client.force_login(user)
        shown = addresses(asha, client)
        assert opened() == {200}
        Membership.objects.filter(user=user).update(role=Role.SCORER)
        assert opened() == {200}
        spoil()
        assert opened() == {404}


def test_a_page_with_a_key_is_stored_nowhere_and_says_whose_it_is(club: Club) -> None:
    asha, member = make.player("Asha", club=club), act.sign_in(Role.MEMBER, club)
    for page in (reverse("nights", args=[club.pk]), reverse("player", args=[asha.pk])):
        answer = member.get(page)
        assert ("no-store" in answer.headers["Cache-Control"]) is not club.public
        kept = member.get(page, secure=True).headers["Kula-Keep"]  # by an installed site
        assert (kept == "0") is not club.public
        (lacks if club.public else shows)(answer, "The address is yours alone")


def test_feeds_cost_the_same_however_many_nights(club: Club) -> None:
    asha, reader = make.player("Asha", club=club), act.sign_in(Role.MEMBER, club)
    shown = addresses(asha, reader)
    for _ in range(2):
        for _ in range(3):
            night = make.night(club, timezone.now())
            record_rsvp(night_id=night.pk, player_id=asha.pk, yes=True, by=make.actor())
        for path in shown:
            # The club, or the player with it; the member of the key; the nights.
            with costs(2 if club.public else 3):
                assert Client().get(path).status_code == 200


def test_the_feed_of_a_merged_player_goes_on_as_that_of_who_they_are(club: Club) -> None:
    asha, twice = (make.player(name, club=club) for name in ("Asha", "Asha K."))
    night = make.night(club, timezone.now() + DAY)
    record_rsvp(night_id=night.pk, player_id=twice.pk, yes=True, by=make.actor())
    _, path = addresses(twice, act.sign_in(Role.MEMBER, club))
    merge_players(player_id=twice.pk, into_id=asha.pk, by=make.actor())

    answer = Client().get(path, follow=True)
    assert answer.redirect_chain == [(path.replace(f"/{twice.pk}/", f"/{asha.pk}/"), 302)]
    assert f"UID:{night.uid}@kula".encode() in answer.content
    Player.objects.filter(pk=asha.pk).update(erased_at=timezone.now())
    assert Client().get(path, follow=True).status_code == 404
