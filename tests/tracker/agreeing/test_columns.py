"""A column is written in one way, and a file in numbers."""

import pytest
from django.test import Client
from django.urls import reverse

from tests import make
from tests.tracker.agreeing.page import csv_rows, opened
from tracker.models import Award, AwardKind, AwardRule

pytestmark = pytest.mark.django_db


def test_halves_are_decimals_where_an_average_in_their_column_is_a_third(client: Client) -> None:
    tournament = make.tournament("briscola", "4t2", hands=4)
    table = make.sitting("Asha", "Neema", "Juma", "Baraka", at=tournament)
    for points in ([60, 60], [70, 50], [70, 50]):
        make.report(table, {"points": points})
    written = {"Asha": "2½", "Juma": "2½", "Baraka": "½", "Neema": "½"}
    assert points_on(client, tournament.get_absolute_url()) == written

    Award.objects.create(
        tournament=tournament,
        entrant=tournament.entrants.get(player__name="Asha"),
        kind=AwardKind.AWARD,
        rule=AwardRule.AVERAGE,
        reason="was called away",
    )

    written = {"Asha": "5.83", "Juma": "2.50", "Baraka": "0.50", "Neema": "0.50"}
    display = reverse("tournament-display", args=[tournament.pk]) + "?sheet=2"
    assert points_on(client, tournament.get_absolute_url()) == written
    assert points_on(client, reverse("club", args=[tournament.club_id])) == written
    assert points_on(client, display) == written
    rows = csv_rows(client, f"{tournament.get_absolute_url()}?_export=csv")
    assert [row["Points"] for row in rows] == ["5.8333", "2.5", "0.5", "0.5"]


def points_on(client: Client, path: str) -> dict[str, str]:
    """Return everybody's points by name, from the page's table of places."""
    rows = opened(client, path).table("Place", "Points")
    return {row.get("Player") or row.get("Name") or row["Who"]: row["Points"] for row in rows}
