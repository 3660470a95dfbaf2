"""The search: players, teams, tournaments and nights, by what people remember of them."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests import make
from tracker.models import Club, Role, Tournament
from tracker.nights.pages.search import SHOWN

pytestmark = pytest.mark.django_db
NOVEMBER = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)  # a Friday


@pytest.fixture
def club() -> Club:
    """Return a club in which there is something of every kind to be found."""
    club = make.club()
    make.team(make.player("José Mushi", club=club), make.player("Abdul Juma", club=club))
    make.player("Juma Kapera", club=club)
    make.tournament(club=club, name="Friday Cup")
    make.tournament("dalmuti", "5i", club=club, name="Kombe")
    Tournament.objects.update(created_at=NOVEMBER)
    make.night(club, NOVEMBER, place="Bar Kijiji", games="Briscola")
    return club


def search(client: Client, club: Club, asked: str, **more: str) -> Any:
    return client.get(reverse("search", args=[club.pk]), {"q": asked, **more})


def found(client: Client, club: Club, asked: str) -> dict[str, list[str]]:
    groups = search(client, club, asked).context["found"]
    return {group.key: [hit.name for hit in group.hits] for group in groups}


@pytest.mark.parametrize(
    ("asked", "keys"),
    [
        ("jose", {"players": ["José Mushi"], "teams": ["José Mushi & Abdul Juma"]}),
        ("JUMA", {"players": ["Juma Kapera", "Abdul Juma"], "teams": ["José Mushi & Abdul Juma"]}),
        ("kap ju", {"players": ["Juma Kapera"]}),
        ("dalm nov", {"tournaments": ["Kombe"]}),
        ("kijiji", {"nights": 1}),
        ("friday november 2026", {"tournaments": 2, "nights": 1}),
        ("uma", {}),
        (" ", {}),
        ("x" * 300, {}),
    ],
)
def test_it_finds_by_the_beginnings_of_words(
    client: Client, club: Club, asked: str, keys: dict[str, list[str] | int]
) -> None:
    hits = found(client, club, asked)

    assert {
        key: len(names) if isinstance(keys.get(key), int) else names for key, names in hits.items()
    } == keys


def test_whoever_was_merged_or_erased_or_is_elsewhere_is_not_found(
    client: Client, club: Club
) -> None:
    make.player("Zuwena", club=make.club("Elsewhere"))
    gone = make.player("Zuwena K", club=club)
    gone.merged_into = make.player("Bibi", club=club)
    gone.save()
    hidden = make.player("Fatma", club=club)
    hidden.full_name = "Zuwena Fatma"
    hidden.save()

    assert found(client, club, "zuwena") == {}


def test_of_many_a_few_are_shown_and_a_link_leads_to_all(client: Client, club: Club) -> None:
    for number in range(SHOWN + 3):
        make.player(f"Rehema {number}", club=club)

    page = search(client, club, "rehema")
    link = "?q=rehema&amp;only=players"

    assert link in page.text
    assert len(page.context["found"][0].hits) == SHOWN
    whole = search(client, club, "rehema", only="players")
    assert len(whole.context["found"][0].hits) == SHOWN + 3
    assert link not in whole.text


@pytest.mark.parametrize("many", [1, 5])
def test_it_costs_the_same_however_much_there_is(
    client: Client, club: Club, many: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(many):
        make.player(f"Asha {number}", club=club)
        make.tournament(club=club, name=f"Asha Cup {number}")

    with django_assert_num_queries(5):  # the club, and one of each kind
        assert len(found(client, club, "asha")["players"]) == many


def test_a_private_club_tells_its_own_people_alone(client: Client) -> None:
    club = make.club(public=False)
    make.player("Asha", club=club)
    assert search(client, club, "asha").status_code == 404

    client.force_login(make.user(role=Role.MEMBER, club=club))

    assert found(client, club, "asha") == {"players": ["Asha"]}


def test_every_page_of_a_club_has_the_box(client: Client, club: Club) -> None:
    box = f'action="{reverse("search", args=[club.pk])}"'

    for name in ("club", "players", "tournaments", "search"):
        assert client.get(reverse(name, args=[club.pk])).text.count(box) == 1


def test_tournaments_of_one_name_are_told_apart_by_their_days(client: Client, club: Club) -> None:
    for day, hour in ((6, 18), (13, 18), (13, 20)):
        cup = make.tournament(club=club, name="Cup")
        Tournament.objects.filter(pk=cup.pk).update(
            created_at=datetime(2026, 11, day, hour, 0, tzinfo=UTC)
        )

    (group,) = search(client, club, "cup", only="tournaments").context["found"]

    assert [(hit.name, hit.beside) for hit in group.hits] == [
        ("Cup", "Albastini · 13 Nov 2026, 20:00"),
        ("Cup", "Albastini · 13 Nov 2026, 18:00"),
        ("Cup", "Albastini · 6 Nov 2026"),
        ("Friday Cup", "Albastini"),
    ]
