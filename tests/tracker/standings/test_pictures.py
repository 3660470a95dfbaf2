"""Who leads, as a picture to send around, and what a passed-on link shows."""

import struct
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from tests import make
from tests.make import NOON
from tracker.common.poster import HEIGHT, WIDTH, Poster, draw_poster
from tracker.management.server.lanes import Lane, lane_of
from tracker.models import Club, Role, Season, Tournament
from tracker.standings.pages.standings import poster_of

pytestmark = pytest.mark.django_db

FOUR = ("Asha Mrisho", "Neema Mushi", "Juma Kapera", "Baraka Lyimo")


@pytest.fixture
def played() -> Tournament:
    tournament = make.tournament(hands=8)
    make.report(make.sitting(*FOUR, at=tournament), {"eaten": [70, 50]})
    return tournament


def picture_of(tournament: Tournament) -> str:
    return reverse("tournament-picture", args=[tournament.pk])


def size(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def test_the_picture_is_a_png_of_the_size_that_previews_show(
    client: Client, played: Tournament
) -> None:
    answer = client.get(picture_of(played))

    assert answer.headers["Content-Type"] == "image/png"
    assert size(answer.content) == (WIDTH, HEIGHT) == (1200, 630)
    assert len(answer.content) < 60_000


def test_it_says_who_leads(played: Tournament) -> None:
    poster = poster_of(played)

    assert (poster.title, poster.subtitle) == ("Friday Cup", "Provisional standings")
    assert poster.rows[:2] == (("1=", "Asha", "1"), ("1=", "Juma", "1"))


def test_before_the_first_hand_it_names_nobody(client: Client) -> None:
    tournament = make.tournament()
    make.sitting(*FOUR, at=tournament)

    assert poster_of(tournament).rows == ()
    assert client.get(picture_of(tournament)).status_code == 200


def test_a_name_without_an_end_is_still_drawn() -> None:
    long = "Wolfeschlegelsteinhausenbergerdorff " * 9

    assert size(draw_poster(Poster(long, long, long, (("1=", long, "1234.5"),) * 9))) == (
        WIDTH,
        HEIGHT,
    )


def test_who_has_the_latest_picture_hears_just_that(client: Client, played: Tournament) -> None:
    tag = client.get(picture_of(played)).headers["ETag"]

    assert client.get(picture_of(played), headers={"If-None-Match": tag}).status_code == 304
    make.report(played.rounds.get().sittings.get(), {"eaten": [50, 70]})
    assert client.get(picture_of(played), headers={"If-None-Match": tag}).status_code == 200


def test_drawing_keeps_nobody_waiting(played: Tournament) -> None:
    assert lane_of("GET", picture_of(played), "") is Lane.PUBLIC_HEAVY
    assert lane_of("GET", reverse("season-picture", args=[1]), "") is Lane.PUBLIC_HEAVY


def test_a_private_club_shows_no_picture_and_no_preview(client: Client, played: Tournament) -> None:
    Club.objects.update(public=False)

    assert client.get(picture_of(played)).status_code == 404
    client.force_login(make.user(role=Role.SCORER, club=played.club))
    assert client.get(picture_of(played)).status_code == 200
    assertNotContains(client.get(played.get_absolute_url()), "og:")


def test_a_link_that_is_passed_on_shows_words_and_the_picture(
    client: Client, played: Tournament
) -> None:
    page = client.get(played.get_absolute_url())

    for name, words in {
        "og:title": "Friday Cup",
        "og:site_name": "Upanga",
        "og:description": "Asha &amp; Juma are tied for the lead. Victory points: 1",
        "og:url": f"http://testserver{played.get_absolute_url()}",
        "og:image": f"http://testserver{picture_of(played)}",
    }.items():
        assertContains(page, f'<meta property="{name}" content="{words}">')


@pytest.mark.parametrize(
    ("more", "says"),
    [({}, "Asha leads. Victory points: 1"), ({"official_at": NOON}, "Asha won. Victory points: 1")],
)
def test_it_says_who_won(client: Client, more: dict[str, Any], says: str) -> None:
    tournament = make.tournament("albastini", "2i", hands=8)
    make.report(make.sitting("Asha", "Juma", at=tournament), {"eaten": [70, 50]})
    Tournament.objects.filter(pk=tournament.pk).update(**more)

    assertContains(client.get(tournament.get_absolute_url()), f'description" content="{says}"')


@pytest.mark.parametrize("address", ["story", "crosstable"])
def test_pages_beside_it_are_passed_on_too(
    client: Client, played: Tournament, address: str
) -> None:
    if address == "story":
        assertContains(client.get(reverse(address, args=[played.pk])), picture_of(played))
    else:
        assertNotContains(client.get(reverse(address, args=[played.pk])), "og:image")


def test_a_season_has_its_picture(client: Client, played: Tournament) -> None:
    season = Season.objects.create(club=played.club, name="Autumn", rule="sum")
    Tournament.objects.update(season=season, official_at=NOON)

    answer = client.get(reverse("season-picture", args=[season.pk]))
    page = client.get(reverse("season", args=[season.pk]))

    assert size(answer.content) == (WIDTH, HEIGHT)
    assertContains(
        page, f'content="http://testserver{reverse("season-picture", args=[season.pk])}"'
    )


def test_a_player_has_words_without_a_picture(client: Client, played: Tournament) -> None:
    asha = make.player("Asha Mrisho", club=played.club)

    page = client.get(reverse("player", args=[asha.pk]))

    assertContains(page, '<meta property="og:title" content="Asha Mrisho">')
    assertNotContains(page, "og:image")


def test_without_a_script_share_leads_to_the_picture(client: Client, played: Tournament) -> None:
    page = client.get(played.get_absolute_url())

    assertContains(page, f'href="{picture_of(played)}" data-share')
