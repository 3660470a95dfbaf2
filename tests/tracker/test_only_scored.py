"""Every game is scored by the site, with its play or without it.

``tests/test_scoring_only.py`` runs this in a copy of the code that has no play.
"""

from typing import Any

import pytest
from django.conf import settings
from django.core.management import find_commands, load_command_class
from django.test import Client
from django.urls import reverse

from games import catalogue
from games.game import is_installed
from tests import act, make
from tests.reading import Forms, Tables
from tracker.models import Hand, HandRecord, Role

pytestmark = pytest.mark.django_db
PLAYED = is_installed("games.play")
# What the phone of a table for four sends, and who is first in the standing by that.
REPORTED: dict[str, tuple[dict[str, Any], str]] = {
    "albastini": ({"eaten_0": 71, "eaten_1": 49}, "Asha"),
    "briscola": ({"points_0": 45, "points_1": 75}, "Neema"),
    "dalmuti": ({"order_0": 2, "order_1": 3, "order_2": 1}, "Juma"),
    "mambassa": ({"event": "normal", "payers": [0]}, "Asha"),
}


@pytest.mark.parametrize("slug", REPORTED)
def test_a_hand_is_reported_corrected_and_stands(client: Client, slug: str) -> None:
    tournament = make.tournament(slug)
    table = make.sitting("Asha", "Neema", "Juma", "Baraka", at=tournament).get_absolute_url()
    phone, (answers, first) = Client(), REPORTED[slug]
    (form,) = [form for form in Forms(phone.get(table).text, table).forms if "entry" in form.fields]

    sent = phone.post(form.path, form.pressing("how", "save", **answers))

    assert sent.status_code in {302, 303}, sent.text
    assert phone.get(sent.headers["Location"]).status_code == 200
    hand = Hand.objects.get()
    HandRecord.objects.create(hand=hand, text="Kula hand 1", kept_at=make.NOON)
    act.sign_in(Role.ORGANISER, tournament, client)
    corrections = reverse("sitting", args=[hand.sitting_id])
    for page in (corrections, reverse("hands", args=[tournament.pk])):
        answer = client.get(page)
        assert answer.status_code == 200
        assert ("/hands/1/record/" in answer.text) is PLAYED, page
    page = phone.get(reverse("tournament", args=[tournament.pk])).text
    assert first in next(row for row in Tables(page).rows if {"Asha", "Neema", "Juma"} & {*row})


@pytest.mark.parametrize("slug", REPORTED)
def test_rules_are_shown(client: Client, slug: str) -> None:
    game = catalogue.GAMES[slug]
    assert (game.play is not None) is PLAYED

    for name in ("how-to-play", "referee"):
        page = client.get(reverse(name, args=[slug]))
        assert page.status_code == 200
        assert game.name in page.text
        assert (f"/practice/{slug}/" in page.text) is PLAYED


def test_practice_is_there_where_games_are_played(client: Client) -> None:
    status = 200 if PLAYED else 404

    for address in ("/practice/", "/practice/briscola/", "/replay/"):
        assert client.get(address).status_code == status
    home = reverse("home")
    new = client.get(home).text  # of a site without a club
    club = make.club()
    stranger = client.get(home, follow=True).text
    client.force_login(make.user(role=Role.OWNER, club=club))
    for page in (new, stranger, client.get(home, follow=True).text):
        assert ('href="/practice/"' in page) is PLAYED


def test_every_command_is_there() -> None:
    for name in find_commands(str(settings.BASE_DIR / "tracker/management")):
        load_command_class("tracker", name)
