"""Counting a pile of eaten cards at the table, without a script: nothing is stored by it."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from games import catalogue
from tests import make
from tracker.models import Report, Sitting

pytestmark = pytest.mark.django_db


def counted(client: Client, table: Sitting, **sent: Any) -> Any:
    fields = {"entry": str(uuid4()), "number": 1, "how": "count", **sent}
    return client.post(reverse("table", args=[table.token]), fields)


def values(page: Any, *fields: str) -> list[object]:
    return [page.context["form"][field].value() for field in fields]


@pytest.mark.every_game
@pytest.mark.parametrize("game", catalogue.GAMES)
def test_a_pile_is_offered_where_cards_are_counted(client: Client, game: str) -> None:
    table = make.sitting(at=make.tournament(game))

    page = client.get(reverse("table", args=[table.token]))

    assert ("data-pile" in page.text) is bool(catalogue.GAMES[game].countable)


def test_a_pile_is_counted_into_the_sheet(client: Client, table: Sitting) -> None:
    page = counted(client, table, pile_side="1", pile=["AS", "7H", "AS"], eaten_0="50")

    assert values(page, "eaten_0", "eaten_1") == ["50", "21"]
    assert page.context["pile"].points == 21
    assert 'role="alert"' not in page.text
    assert not Report.objects.exists()


def test_without_a_side_it_only_counts(client: Client, table: Sitting) -> None:
    page = counted(client, table, pile=["AS"], eaten_0="x")

    assert page.context["pile"].points == 11
    assert values(page, "eaten_0", "eaten_1") == ["x", None]


@pytest.mark.parametrize("odd", [{"pile": ["9Z", "\x00", ""]}, {"pile_side": "7"}, {}])
def test_odd_piles_count_for_nothing(client: Client, table: Sitting, odd: Any) -> None:
    page = counted(client, table, **odd)

    assert (page.status_code, page.context["pile"].points) == (200, 0)


def test_where_nothing_is_counted_the_sheet_stays_as_it_was(client: Client) -> None:
    page = counted(client, make.sitting(at=make.tournament("dalmuti", "4i")), order_0="1")

    assert values(page, "order_0") == ["1"]
    assert page.context["pile"] is None


def test_the_pile_is_still_there_when_the_sheet_is_refused(client: Client, table: Sitting) -> None:
    page = counted(client, table, how="save", pile=["AS"], eaten_0="70", eaten_1="48")

    assert 'role="alert"' in page.text
    assert page.context["pile"].points == 11
