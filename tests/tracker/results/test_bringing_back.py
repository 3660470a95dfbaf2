"""Whatever removes hands names them, before and after, and each of them can be brought back."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests import act, make
from tests.reading import seen_on, shows, words
from tracker.models import Hand, LogEntry, Sitting, Tally
from tracker.results.services.corrections import RESTORE, STRIKE
from tracker.results.services.issues import query_hand
from tracker.seating.services.rounds import restore_round, undo_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(table: Sitting) -> Sitting:
    make.report(table, {"eaten": [70, 50]})
    make.report(table, {"eaten": [45, 75]})
    return table


def points() -> int:
    return Tally.objects.get(entrant__player__name="Asha", key="victory_points").amount


def link(page: Any, said: str) -> str:
    """Return where the link in a message leads."""
    [address] = re.findall(rf'<a href="([^"]+)">{said}</a>', page.text)
    return str(address)


def test_a_round_names_hands_that_go_out_and_come_back(organiser: Client, table: Sitting) -> None:
    url = reverse("round-undo", args=[table.round_id])
    asked = words(organiser.get(url))
    desk = organiser.post(url, follow=True)
    gone = words(organiser.get(link(desk, "See which, or bring it back")))

    shows(asked, "2 results will not count", "Table 3: 2 results Asha & Juma – Neema & Baraka")
    shows(asked, "Hand 1: 70–50, Asha & Juma win", "Hand 2: 45–75, Neema & Baraka win")
    assert "Round 1 is undone: 2 results no longer count." in words(desk)
    shows(gone, "2 results that do not count now", "Hand 2: 45–75")
    assert "Round 1 is back: 2 results count again." in words(organiser.post(url, follow=True))


def test_of_a_round_without_hands_none_are_said_to_go(organiser: Client, table: Sitting) -> None:
    act.close(table.round, anyway=True)
    empty = make.round_of(table.round.tournament)
    url = reverse("round-undo", args=[make.sitting(in_round=empty).round_id])
    gone, back = organiser.post(url, follow=True), organiser.post(url, follow=True)
    assert "Round 2 is undone; it had no results. Bring it back" in words(gone)
    assert "Round 2 is back." in words(back)


def test_the_log_keeps_which_hands_went_with_a_round(table: Sitting) -> None:
    act.correct(table, {1: STRIKE})
    undo_round(round_id=table.round_id, by=make.actor())
    restore_round(round_id=table.round_id, by=make.actor())
    entries = LogEntry.objects.filter(verb__in=["round-undone", "round-restored"])
    assert [entry.numbers["hands"] for entry in entries] == [{"3": [2]}, {"3": [2]}]


def test_a_struck_hand_is_named_and_comes_back_as_it_was(organiser: Client, table: Sitting) -> None:
    url = reverse("hand-correct", args=[table.pk, 1])
    sent = {"change": "strike", "reason": "Twice"}
    asked = organiser.post(url, sent)
    keep = {"step": "keep", "seen": seen_on(asked.text)}
    struck = organiser.post(url, sent | keep, follow=True)

    assert "Hand 1 would be deleted: 70–50, Asha & Juma win" in words(asked)
    assert "Table 3, Hand 1 no longer counts: 70–50, Asha & Juma win" in words(struck)
    back = organiser.get(link(struck, "Bring it back"))
    assert "Hand 1 would count again: 70–50, Asha & Juma win" in words(back)
    assert Hand.objects.get(number=1).struck_at  # what was only looked at is not kept


def test_a_void_hand_is_named_and_comes_back_as_it_was(organiser: Client, table: Sitting) -> None:
    before = points()
    query = query_hand(token=table.token, number=1, note="", by=make.actor(device="phone"))
    issue = reverse("issue", args=[query.pk])
    asked = organiser.get(issue)
    sent = {"outcome": "void", "reason": "Misdeal", "seen": seen_on(asked.text)}
    settled = organiser.post(issue, sent, follow=True)
    void = points()
    offered = words(organiser.get(link(settled, "Bring it back")))
    act.correct(table, {1: RESTORE})

    won = "70–50, Asha & Juma win · 1 victory point"
    assert f"table 3, Hand 1 ({won}) then counts for nobody" in words(asked)
    assert "Table 3, Hand 1 no longer counts: 70–50, Asha & Juma win" in words(settled)
    assert f"the same dealer deals again” becomes “{won}”." in offered
    assert (before, void, points()) == (1, 0, 1)
    assert Hand.objects.get(number=1).sheet["eaten"] == [70, 50]


def test_a_hand_that_was_never_changed_has_nothing_to_go_back_to(table: Sitting) -> None:
    with act.refused("nothing-changed"):
        act.correct(table, {1: RESTORE})
