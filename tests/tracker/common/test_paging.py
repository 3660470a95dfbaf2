"""Tables page by page: whatever an address asks for, a page of a length that can be borne."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests import make
from tracker.common.columns import ClubTable
from tracker.models import Club

pytestmark = pytest.mark.django_db

MANY = ClubTable.most_a_page + 7


@pytest.fixture
def club() -> Club:
    club = make.club()
    for number in range(MANY):
        make.player(f"Player {number:03}", club=club)
    return club


def shown(client: Client, club: Club, query: str) -> Any:
    """Return the page of the table of players that an address asks for."""
    answer = client.get(f"{reverse('players', args=[club.pk])}?{query}")
    assert answer.status_code == 200
    return answer.context["table"].page


@pytest.mark.parametrize(
    ("said", "rows"),
    [
        ("5", 5),
        ("5000", ClubTable.most_a_page),
        ("99999999999999999999", 25),
        ("0", 25),
        ("-1", 25),
        ("1e3", 25),
        ("%00", 25),
        ("", 25),
    ],
)
def test_a_page_has_a_length_that_can_be_borne(
    client: Client, club: Club, said: str, rows: int
) -> None:
    assert len(shown(client, club, f"per_page={said}").object_list) == rows


@pytest.mark.parametrize(
    ("said", "number"),
    [("2", 2), ("0", 5), ("-1", 5), ("999999999999999999999999", 5), ("x", 1), ("²", 1), ("", 1)],
)
def test_a_page_that_is_not_there_is_another(
    client: Client, club: Club, said: str, number: int
) -> None:
    assert shown(client, club, f"page={said}").number == number


@pytest.mark.parametrize("sort", ["name", "-name", "nonsense", "-", "", "--name", "pk", "%00"])
def test_a_table_is_sorted_by_what_it_can_be(client: Client, club: Club, sort: str) -> None:
    assert shown(client, club, "&".join([f"sort={sort}"] * 900)).number == 1


@pytest.mark.parametrize("prefix", ["tournaments", "partners", "opponents"])
@pytest.mark.parametrize("said", ["-1", "0", "5000", "x"])
def test_tables_that_share_a_page_are_paged_alike(client: Client, prefix: str, said: str) -> None:
    table = make.sitting()
    make.report(table, {"eaten": [70, 50]})
    player = table.seats.get(place=0).player

    path = reverse("player", args=[player.pk])
    page = client.get(f"{path}?{prefix}-per_page={said}&{prefix}-page={said}&{prefix}-sort={said}")

    assert page.status_code == 200
