"""The lasting card of a table: its address, its code, its QR code."""

from datetime import UTC, datetime

import pytest
from django.test import Client, RequestFactory
from django.urls import reverse
from pytest_django import Settings

from tests import make
from tracker.models import Club, Round, RoundState, Sitting, Table, TokenState, Tournament
from tracker.seating.pages.table_cards import card_url
from tracker.seating.services.rounds import record_round

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.fixture
def place() -> Table:
    tournament = Tournament.objects.create(
        club=Club.objects.create(name="Pwani"),
        name="Friday cup",
        game="albastini",
        mode="4t2",
        created_at=NOON,
    )
    return Table.objects.create(tournament=tournament, number=3, card_token="lasting", code="K7MX")


def sit_down(at: Table, number: int, state: RoundState = RoundState.OPEN) -> Sitting:
    assert at.tournament is not None
    return Sitting.objects.create(
        round=Round.objects.create(tournament=at.tournament, number=number, state=state),
        table=at,
        number=at.number,
        mode="4t2",
        token=f"sitting-{number}",
        started_at=NOON.replace(hour=12 + number),
        session={},
        next_dealer=0,
    )


def test_card_waits_while_nobody_sits_there(client: Client, place: Table) -> None:
    page = client.get(place.get_absolute_url())

    assert (page.status_code, "Nobody sits here yet" in page.text) == (200, True)


def test_card_leads_to_the_sitting_of_the_round_that_is_open(client: Client, place: Table) -> None:
    sit_down(place, 1, RoundState.CLOSED)
    here = sit_down(place, 2)

    answer = client.get(place.get_absolute_url())

    assert answer.headers["Location"] == here.get_absolute_url()


def test_card_does_not_lead_to_a_closed_token(client: Client, place: Table) -> None:
    here = sit_down(place, 1)
    here.token_state = TokenState.CLOSED
    here.save()

    assert client.get(place.get_absolute_url()).status_code == 200


def test_waiting_page_moves_on_by_itself(client: Client, place: Table) -> None:
    waiting = client.get(place.get_absolute_url())
    look = {"If-None-Match": waiting.headers["ETag"]}
    still = client.get(place.get_absolute_url(), headers=look)
    here = sit_down(place, 1)
    record_round(make.actor(), "round-opened", here.round)
    now = client.get(place.get_absolute_url(), headers=look)

    assert "data-live" in waiting.text
    assert still.status_code == 304
    assert now.headers["Location"] == here.get_absolute_url()


def test_card_nobody_printed_is_not_found(client: Client) -> None:
    assert client.get(reverse("card", args=["forged"])).status_code == 404


@pytest.mark.parametrize("typed", ["K7MX", "k7mx", " k7 mx "])
def test_code_leads_to_the_table_however_it_is_typed(
    client: Client, place: Table, typed: str
) -> None:
    answer = client.post(reverse("card-code"), {"code": typed})

    assert answer.headers["Location"] == place.get_absolute_url()


def test_unknown_code_is_answered_beside_the_field_and_kept(client: Client, place: Table) -> None:
    page = client.post(reverse("card-code"), {"code": "zz9q"})

    assert page.status_code == 200
    assert "No table has the code ZZ9Q." in page.text
    assert 'value="zz9q"' in page.text


def test_qr_code_is_an_image_of_this_sites_own(client: Client, place: Table) -> None:
    image = client.get(reverse("card-qr", args=[place.card_token]))

    assert image.headers["Content-Type"] == "image/svg+xml"
    assert image.content.startswith(b"<?xml")
    assert b"<svg" in image.content


@pytest.mark.parametrize(
    ("asked_at", "site", "phones", "answer"),
    [
        ("localhost", "", "http://192.0.2.7:8000", "http://192.0.2.7:8000/c/lasting/"),
        ("192.0.2.7", "", "http://192.0.2.8:8000", "http://192.0.2.7/c/lasting/"),
        (
            "localhost",
            "https://kula.example",
            "http://192.0.2.7",
            "https://kula.example/c/lasting/",
        ),
        ("localhost", "", "", "http://localhost/c/lasting/"),
    ],
)
def test_address_on_a_card_is_one_that_phones_reach(  # noqa: PLR0917
    place: Table,
    rf: RequestFactory,
    settings: Settings,
    asked_at: str,
    site: str,
    phones: str,
    answer: str,
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    settings.SITE_URL, settings.PHONES_URL = site, phones

    assert card_url(rf.get("/", headers={"host": asked_at}), place) == answer
