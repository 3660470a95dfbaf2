"""Tests of the charts on a player's page, and of the numbers that tell the same."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from tests import make
from tests.make import NOON
from tracker.models import Player, Sitting, Tournament
from tracker.standings.pages.careers import (
    BOTTOM,
    LEFT,
    RIGHT,
    TOP,
    TOURNAMENTS_SHOWN,
    place_chart,
    where_points_came_from,
)
from tracker.standings.queries.careers import career

pytestmark = pytest.mark.django_db

FOUR = ("Asha", "Neema", "Juma", "Baraka")
NIGHTS = (
    ([70, 50], 0),
    ([30, 90], 7),
    ([60, 60], 14),
)  # what the sides ate, and after how many days


@pytest.fixture
def asha() -> Player:
    club = make.club()
    for eaten, days in NIGHTS:
        tournament = make.tournament(club=club, name=f"Night {days}", hands=8)
        make.report(make.sitting(*FOUR, at=tournament), {"eaten": eaten})
        night = NOON + timedelta(days=days)
        Tournament.objects.filter(pk=tournament.pk).update(created_at=night)
        Sitting.objects.filter(round__tournament=tournament).update(started_at=night)
    return make.player("Asha", club=club)


def page_of(client: Client, player: Player) -> str:
    return client.get(reverse("player", args=[player.pk])).text


def test_form_goes_from_the_first_night_to_the_last(asha: Player) -> None:
    form = place_chart(career(asha).tournaments)

    assert form is not None
    assert [figure for *_, figure in form.numbers] == ["1= of 4", "3= of 4", "1= of 4"]
    assert (form.first, form.last) == ("20 Nov 2026", "4 Dec 2026")
    best, third = TOP, TOP + (BOTTOM - TOP) * 2 / 3
    middle = (LEFT + RIGHT) / 2
    assert form.dots == ((LEFT, best), (middle, round(third, 1)), (RIGHT, best))


def test_one_night_is_no_form() -> None:
    tournament = make.tournament(hands=8)
    make.report(make.sitting(*FOUR, at=tournament), {"eaten": [70, 50]})

    assert place_chart(career(make.player("Asha", club=tournament.club)).tournaments) is None


def test_only_the_latest_are_drawn(asha: Player) -> None:
    form = place_chart(career(asha).tournaments * 20)

    assert form is not None
    assert len(form.dots) == len(form.numbers) == TOURNAMENTS_SHOWN


def test_points_are_told_by_partner_or_where_there_is_one_by_opponent(asha: Player) -> None:
    bars = where_points_came_from(career(asha))

    assert bars is not None
    assert bars.title == "Victory points in Albastini, by opponent"
    assert bars.rows == (("Baraka", "1", 100), ("Neema", "1", 100))


def test_a_page_has_two_charts_of_which_the_line_is_there_in_numbers_too(
    client: Client, asha: Player
) -> None:
    page = client.get(reverse("player", args=[asha.pk]))

    assertContains(page, 'class="panel plot"', count=2)
    assertContains(page, '<polyline class="plot-line"', count=1)
    assertContains(page, '<title id="form-title">Form</title>')
    assertContains(page, "In numbers", count=1)
    assertContains(page, "<dt>Night 14 ")
    assertNotContains(page, "style=")


def test_every_table_is_downloaded_from_one_place(client: Client, asha: Player) -> None:
    text = page_of(client, asha)

    assert text.count("_export=csv") == 3
    assert text.index("<summary>Download</summary>") < text.index("_export=csv")
