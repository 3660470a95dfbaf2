"""A hand's own page: what counts, and how it came to this, for whoever may read what."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests import act, make
from tests.make import NOON
from tests.reading import lacks, shows
from tracker.models import Role, Sitting

pytestmark = pytest.mark.django_db
COUNT = {"eaten": [70, 50]}
REPORTED = [
    ("The phone at table 1 (Asha & Juma) wrote down hand 1: 70–50.", ""),
    ("The phone at table 1 (Neema & Baraka) sent the same for hand 1: 70–50.", ""),
]


@pytest.fixture
def empty() -> Sitting:
    return make.sitting("Asha", "Neema", "Juma", "Baraka")


@pytest.fixture
def table(empty: Sitting) -> Sitting:
    """Return a table whose first hand was agreed on, amended by nobody, and corrected."""
    make.report(empty, COUNT, device="a", side=0)
    make.report(empty, COUNT, number=1, device="b", side=1, now=after(1))
    marta = make.user("marta", role=Role.ORGANISER, club=act.club_of(empty))
    act.correct(empty, {1: {"eaten": [50, 70]}}, "typing slip", who=marta, at=after(5))
    make.report(empty, {"eaten": [60, 60]}, now=after(6))
    return empty


def after(minutes: int) -> datetime:
    return NOON + timedelta(minutes=minutes)


def page_of(table: Sitting, number: int = 1) -> str:
    return reverse("hand", args=[table.pk, number])


def history(client: Client, table: Sitting) -> list[tuple[str, str]]:
    lines = client.get(page_of(table)).context["history"]
    return [(line.sentence, line.reason) for line in lines]


def test_a_member_reads_who_corrected_it_and_why(client: Client, table: Sitting) -> None:
    said = "corrected hand 1 of table 1: 70–50 became 50–70."
    member = act.sign_in(Role.MEMBER, table)
    assert history(member, table) == [*REPORTED, (f"Marta (organiser) {said}", "typing slip")]
    assert history(client, table) == [*REPORTED, (f"The organiser {said}", "")]  # a stranger
    lacks(client.get(page_of(table)).text.casefold(), "typing slip", "marta")


def test_member_at_a_table_is_its_phone_to_a_stranger(client: Client, empty: Sitting) -> None:
    rukia = make.user("rukia", role=Role.MEMBER, club=act.club_of(empty))
    for minutes, eaten in enumerate(([70, 50], [50, 70])):
        who: dict[str, Any] = {"device": "a", "user": rukia, "now": after(minutes)}
        make.report(empty, {"eaten": eaten}, number=1, **who)
    assert history(client, empty) == [
        ("The phone at table 1 wrote down hand 1: 70–50.", ""),
        ("The phone at table 1 changed hand 1: 70–50 became 50–70.", ""),
    ]


def test_what_changes_beside_the_count_is_named(client: Client, empty: Sitting) -> None:
    make.report(empty, {**COUNT, "dealer": 0}, device="a")
    make.report(empty, {**COUNT, "dealer": 1}, number=1, device="a", now=after(1))
    changes: list[dict[str, Any]] = [{"dealer": 2}, {"dealer": 2, "trump": "H"}]
    for minutes, more in enumerate(changes, start=2):
        act.correct(empty, {1: {**COUNT, **more}}, who=make.user(), at=after(minutes))

    assert [sentence.partition("hand 1")[2] for sentence, _ in history(client, empty)] == [
        ": 70–50.",
        ": 70–50 (Dealt Asha) became 70–50 (Dealt Neema).",
        " of table 1: 70–50 (Dealt Neema) became 70–50 (Dealt Juma).",
        " of table 1: 70–50 became 70–50 (What were trumps? hearts).",
    ]


def test_every_list_of_hands_leads_to_the_page_of_a_hand(scorer: Client, table: Sitting) -> None:
    for address in (
        reverse("hands", args=[table.round.tournament_id]),
        reverse("sitting", args=[table.pk]),
    ):
        shows(scorer.get(address), page_of(table))
    assert scorer.get(page_of(table, 9)).status_code == 404
