"""A hand's own page: what counts, and how it came to this, for whoever may read what."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests import make
from tests.make import NOON
from tracker.models import Role, Sitting
from tracker.results.services.corrections import correct_sitting

pytestmark = pytest.mark.django_db


@pytest.fixture
def sitting() -> Sitting:
    """Return a table whose first hand was agreed on, amended by nobody, and corrected."""
    sitting = make.sitting("Asha", "Neema", "Juma", "Baraka")
    make.report(sitting, {"eaten": [70, 50]}, device="a", side=0)
    make.report(sitting, {"eaten": [70, 50]}, number=1, device="b", side=1, now=after(1))
    marta = make.user("marta", role=Role.ORGANISER, club=sitting.round.tournament.club)
    correct_sitting(
        sitting_id=sitting.pk,
        changes={1: {"eaten": [50, 70]}},
        reason="typing slip",
        by=make.actor(marta, at=after(5)),
    )
    make.report(sitting, {"eaten": [60, 60]}, now=after(6))
    return sitting


def after(minutes: int) -> datetime:
    return NOON + timedelta(minutes=minutes)


def history(client: Client, sitting: Sitting) -> list[tuple[str, str]]:
    page = client.get(reverse("hand", args=[sitting.pk, 1]))
    return [(line.sentence, line.reason) for line in page.context["history"]]


REPORTED = [
    ("The phone at table 1 (Asha & Juma) wrote down hand 1: 70–50.", ""),
    ("The phone at table 1 (Neema & Baraka) sent the same for hand 1: 70–50.", ""),
]


def test_a_member_reads_who_corrected_it_and_why(client: Client, sitting: Sitting) -> None:
    client.force_login(make.user(role=Role.MEMBER, club=sitting.round.tournament.club))

    assert history(client, sitting) == [
        *REPORTED,
        ("Marta (organiser) corrected hand 1 of table 1: 70–50 became 50–70.", "typing slip"),
    ]


def test_a_stranger_reads_what_was_changed_and_no_more(client: Client, sitting: Sitting) -> None:
    assert history(client, sitting) == [
        *REPORTED,
        ("The organiser corrected hand 1 of table 1: 70–50 became 50–70.", ""),
    ]
    text = client.get(reverse("hand", args=[sitting.pk, 1])).text
    assert "Hand 1" in text
    assert "Neema &amp; Baraka" in text
    assert "typing slip" not in text
    assert "marta" not in text.casefold()


def test_whoever_is_signed_in_at_a_table_is_its_phone_to_a_stranger(client: Client) -> None:
    sitting = make.sitting("Asha", "Neema", "Juma", "Baraka")
    rukia = make.user("rukia", role=Role.MEMBER, club=sitting.round.tournament.club)
    for minutes, eaten in enumerate(([70, 50], [50, 70])):
        sheet = {"eaten": eaten}
        make.report(sitting, sheet, number=1, device="a", user=rukia, now=after(minutes))

    assert history(client, sitting) == [
        ("The phone at table 1 wrote down hand 1: 70–50.", ""),
        ("The phone at table 1 changed hand 1: 70–50 became 50–70.", ""),
    ]


def test_what_changes_beside_the_count_is_named(client: Client) -> None:
    sitting = make.sitting("Asha", "Neema", "Juma", "Baraka")
    count = {"eaten": [70, 50]}
    make.report(sitting, {**count, "dealer": 0}, device="a")
    make.report(sitting, {**count, "dealer": 1}, number=1, device="a", now=after(1))
    more: list[dict[str, Any]] = [{"dealer": 2}, {"dealer": 2, "trump": "H"}]
    for minutes, changes in enumerate(more, start=2):
        correct_sitting(
            sitting_id=sitting.pk,
            changes={1: {**count, **changes}},
            reason="",
            by=make.actor(make.user(), at=after(minutes)),
        )

    assert [sentence.partition("hand 1")[2] for sentence, _ in history(client, sitting)] == [
        ": 70–50.",
        ": 70–50 (Dealt Asha) became 70–50 (Dealt Neema).",
        " of table 1: 70–50 (Dealt Neema) became 70–50 (Dealt Juma).",
        " of table 1: 70–50 became 70–50 (What were trumps? hearts).",
    ]


def test_a_hand_that_is_none_has_no_page(client: Client, sitting: Sitting) -> None:
    assert client.get(reverse("hand", args=[sitting.pk, 9])).status_code == 404


def test_every_list_of_hands_leads_to_the_page(client: Client, sitting: Sitting) -> None:
    tournament = sitting.round.tournament
    there = reverse("hand", args=[sitting.pk, 1])
    assert there in client.get(reverse("hands", args=[tournament.pk])).text

    client.force_login(make.user(role=Role.SCORER, club=tournament.club))

    assert there in client.get(reverse("sitting", args=[sitting.pk])).text


@pytest.mark.parametrize("times", [0, 8])
def test_a_history_costs_the_same_however_long_it_is(
    client: Client,
    sitting: Sitting,
    times: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for again in range(times):
        correct_sitting(
            sitting_id=sitting.pk,
            changes={1: {"eaten": [60 + again, 60 - again]}},
            reason="",
            by=make.actor(make.user(), at=after(10 + again)),
        )

    # The table, its round, its hands; acts, reports, the table of them, what hands were played from.
    with django_assert_num_queries(7):
        client.get(reverse("hand", args=[sitting.pk, 1]))
