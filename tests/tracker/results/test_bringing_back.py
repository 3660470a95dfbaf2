"""Whatever removes hands names them, before and after, and each of them can be brought back."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests import make
from tests.reading import seen_on
from tracker.common.errors import Refused
from tracker.models import Hand, LogEntry, Role, Sitting, Tally, Tournament
from tracker.results.services.corrections import RESTORE, STRIKE, correct_sitting
from tracker.results.services.issues import query_hand
from tracker.seating.services.rounds import restore_round, undo_round

pytestmark = pytest.mark.django_db
WON = {"eaten": [70, 50]}


@pytest.fixture
def tournament() -> Tournament:
    return make.tournament(hands=8)


@pytest.fixture
def table(tournament: Tournament) -> Sitting:
    sitting = make.sitting("Asha", "Neema", "Juma", "Baraka", at=tournament, number=3)
    make.report(sitting, WON)
    make.report(sitting, {"eaten": [45, 75]})
    return sitting


@pytest.fixture
def organiser(client: Client, tournament: Tournament) -> Client:
    client.force_login(make.user(role=Role.ORGANISER, club=tournament.club))
    return client


def words(page: Any) -> str:
    plain = re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", page.text)))
    return plain.replace(" ,", ",").replace(" :", ":").replace("\u2060", "")


def points() -> int:
    return Tally.objects.get(entrant__player__name="Asha", key="victory_points").amount


def link(page: Any, words_: str) -> str:
    """Return where the link in a message leads."""
    match = re.search(rf'<a href="([^"]+)">{words_}</a>', page.text)
    assert match
    return match.group(1)


def test_a_round_names_the_hands_that_go_out_and_come_back(
    organiser: Client, table: Sitting
) -> None:
    url = reverse("round-undo", args=[table.round_id])

    asked = words(organiser.get(url))
    desk = organiser.post(url, follow=True)
    gone = organiser.get(link(desk, "See which, or bring it back"))
    back = organiser.post(url, follow=True)

    assert "2 results will not count" in asked
    assert "Table 3: 2 results Asha & Juma – Neema & Baraka" in asked
    assert "Hand 1: 70–50, Asha & Juma win" in asked
    assert "Hand 2: 45–75, Neema & Baraka win" in asked
    assert "Round 1 is undone: 2 results no longer count." in words(desk)
    assert "2 results that do not count now" in words(gone)
    assert "Hand 2: 45–75" in words(gone)
    assert "Round 1 is back: 2 results count again." in words(back)


def test_of_a_round_without_hands_none_are_said_to_go(
    organiser: Client, tournament: Tournament
) -> None:
    url = reverse("round-undo", args=[make.sitting(at=tournament).round_id])

    gone, back = organiser.post(url, follow=True), organiser.post(url, follow=True)

    assert "Round 1 is undone; it had no results. Bring it back" in words(gone)
    assert "Round 1 is back." in words(back)


def test_the_log_keeps_which_hands_went_with_a_round(table: Sitting) -> None:
    correct_sitting(sitting_id=table.pk, changes={1: STRIKE}, reason="Twice", by=make.actor())

    undo_round(round_id=table.round_id, by=make.actor())
    restore_round(round_id=table.round_id, by=make.actor())

    entries = LogEntry.objects.filter(verb__in=["round-undone", "round-restored"])
    assert [entry.numbers["hands"] for entry in entries] == [{"3": [2]}, {"3": [2]}]


@pytest.mark.parametrize("tables", [1, 3])
def test_a_round_to_be_taken_back_costs_the_same_however_many_tables(
    organiser: Client,
    tournament: Tournament,
    tables: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for _ in range(tables):
        sitting = make.sitting(at=tournament)
        make.report(sitting, WON)

    # session, user, round with its tournament and club, role; the tables with people, their hands
    with django_assert_num_queries(5):
        organiser.get(reverse("round-undo", args=[sitting.round_id]))


def test_a_struck_hand_is_named_and_comes_back_as_it_was(organiser: Client, table: Sitting) -> None:
    url = reverse("hand-correct", args=[table.pk, 1])
    asked = organiser.post(url, {"change": "strike", "reason": "Twice"})
    seen = re.search(r'name="seen" value="([^"]*)"', asked.text)
    assert seen
    keep = {"reason": "Twice", "step": "keep", "seen": unescape(seen.group(1))}

    struck = organiser.post(url, {**keep, "change": "strike"}, follow=True)

    assert "Hand 1 would be deleted: 70–50, Asha & Juma win" in words(asked)
    assert "Table 3, Hand 1 no longer counts: 70–50, Asha & Juma win" in words(struck)
    back = link(struck, "Bring it back")
    assert "Hand 1 would count again: 70–50, Asha & Juma win" in words(organiser.get(back))
    assert Hand.objects.get(number=1).struck_at  # what was only looked at is not kept


def test_a_hand_made_void_is_named_and_comes_back_as_it_was(
    organiser: Client, table: Sitting
) -> None:
    before = points()
    query = query_hand(token=table.token, number=1, note="", by=make.actor(device="phone"))
    issue = reverse("issue", args=[query.pk])

    asked = organiser.get(issue)
    sent = {"outcome": "void", "reason": "Misdeal", "seen": seen_on(asked.text)}
    settled = organiser.post(issue, sent, follow=True)
    void = points()
    hand = link(settled, "Bring it back")
    offered = organiser.get(hand).text.replace("\u2060", "")
    correct_sitting(sitting_id=table.pk, changes={1: RESTORE}, reason="No", by=make.actor())

    assert (
        "table 3, Hand 1 (70–50, Asha & Juma win · 1 victory point) then counts for nobody"
        in words(asked)
    )
    assert "Table 3, Hand 1 no longer counts: 70–50, Asha & Juma win" in words(settled)
    assert (
        "the same dealer deals again” becomes “70–50, Asha &amp; Juma win · 1 victory point”."
        in offered
    )
    assert (before, void, points()) == (1, 0, 1)
    assert Hand.objects.get(number=1).sheet["eaten"] == [70, 50]


def test_a_hand_that_was_never_changed_has_nothing_to_go_back_to(table: Sitting) -> None:
    with pytest.raises(Refused) as refusal:
        correct_sitting(sitting_id=table.pk, changes={1: RESTORE}, reason="", by=make.actor())

    assert refusal.value.code == "nothing-changed"
