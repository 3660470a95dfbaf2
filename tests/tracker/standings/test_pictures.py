"""Who leads, as a picture to send around, and what a passed-on link shows."""

import struct

import pytest
from django.test import Client

from tests import act, make
from tests.make import NOON
from tests.reading import lacks, path, shows
from tests.tracker.standings.tables import eaten, play, played
from tracker.common.poster import HEIGHT, WIDTH, Poster, draw_poster
from tracker.management.server.lanes import Lane, lane_of
from tracker.models import Club, Role, Season, Tournament
from tracker.standings.pages.standings import poster_of

pytestmark = pytest.mark.django_db

PEOPLE = ("Asha Mrisho", "Neema Mushi", "Juma Kapera", "Baraka Lyimo")


@pytest.fixture
def tournament() -> Tournament:
    tournament = make.tournament(hands=8)
    played(tournament, *eaten(70), names=PEOPLE)
    return tournament


def picture_of(tournament: Tournament) -> str:
    return path("tournament-picture", tournament)


def size(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def test_the_picture_is_as_previews_show_it(client: Client, tournament: Tournament) -> None:
    answer, poster = client.get(picture_of(tournament)), poster_of(tournament)

    assert answer.headers["Content-Type"] == "image/png"
    assert size(answer.content) == (WIDTH, HEIGHT) == (1200, 630)
    assert len(answer.content) < 60_000
    assert (poster.title, poster.subtitle) == ("Friday Cup", "Provisional standings")
    assert poster.rows[:2] == (("1=", "Asha", "1"), ("1=", "Juma", "1"))


def test_before_the_first_hand_it_names_nobody(client: Client) -> None:
    tournament = make.tournament()
    make.sitting(at=tournament)
    assert poster_of(tournament).rows == ()
    assert client.get(picture_of(tournament)).status_code == 200
    long = "Wolfeschlegelsteinhausenbergerdorff " * 9  # a name without an end is drawn
    drawn = draw_poster(Poster(long, long, long, (("1=", long, "1234.5"),) * 9))
    assert size(drawn) == (WIDTH, HEIGHT)


def test_who_has_the_latest_picture_hears_just_that(client: Client, tournament: Tournament) -> None:
    tag = client.get(picture_of(tournament)).headers["ETag"]
    assert client.get(picture_of(tournament), headers={"If-None-Match": tag}).status_code == 304
    play(tournament.rounds.get().sittings.get(), *eaten(50))
    assert client.get(picture_of(tournament), headers={"If-None-Match": tag}).status_code == 200


def test_drawing_keeps_nobody_waiting(tournament: Tournament) -> None:
    for address in (picture_of(tournament), path("season-picture", 1)):
        assert lane_of("GET", address, "") is Lane.PUBLIC_HEAVY


def test_a_link_passed_on_shows_words_and_picture(client: Client, tournament: Tournament) -> None:
    page = client.get(tournament.get_absolute_url())

    for name, words in {
        "og:title": "Friday Cup",
        "og:site_name": "Upanga",
        "og:description": "Asha &amp; Juma are tied for the lead. Victory points: 1",
        "og:url": f"http://testserver{tournament.get_absolute_url()}",
        "og:image": f"http://testserver{picture_of(tournament)}",
    }.items():
        shows(page, f'<meta property="{name}" content="{words}">')
    # Without a script, Share leads to the picture.
    shows(page, f'href="{picture_of(tournament)}" data-share')
    shows(client.get(path("story", tournament)), picture_of(tournament))
    lacks(client.get(path("crosstable", tournament)), "og:image")
    player = client.get(path("player", make.player("Asha Mrisho", club=tournament.club)))
    shows(player, '<meta property="og:title" content="Asha Mrisho">')
    lacks(player, "og:image")
    Club.objects.update(public=False)
    lacks(act.sign_in(Role.SCORER, tournament).get(tournament.get_absolute_url()), "og:")


def test_it_says_who_leads_and_who_won(client: Client) -> None:
    tournament = make.tournament("albastini", "2i", hands=8)
    played(tournament, *eaten(70), names=("Asha", "Juma"))
    for says in ("In the lead: Asha. Victory points: 1", "Asha won. Victory points: 1"):
        shows(client.get(tournament.get_absolute_url()), f'description" content="{says}"')
        Tournament.objects.update(official_at=NOON)


def test_a_season_has_its_picture(client: Client, tournament: Tournament) -> None:
    season = Season.objects.create(club=tournament.club, name="Autumn", rule="sum")
    Tournament.objects.update(season=season, official_at=NOON)
    picture = path("season-picture", season)

    assert size(client.get(picture).content) == (WIDTH, HEIGHT)
    shows(client.get(path("season", season)), f'content="http://testserver{picture}"')
