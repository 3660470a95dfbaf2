"""A night run through the API alone, and the same night run through the pages."""

from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests import make
from tests.api_client import Kula, run_night
from tests.tracker.api.programs import in_process, program
from tracker.api import writing
from tracker.audit.queries.lines import act_of
from tracker.audit.queries.lookup import Lookup
from tracker.models import (
    ClubNight,
    Hand,
    LogEntry,
    Role,
    Round,
    Sitting,
    Tournament,
)
from tracker.nights.services.nights import current_or_new_night
from tracker.seating.pages import draw as draw_page

NAMES = ("Asha", "Neema", "Juma", "Baraka", "Omari", "Sefu", "Rehema")
WALK_IN = "Zuwena"
COUNTS = ((70, 50), (60, 60), (101, 19), (45, 75))


def counted(hand_number: int) -> list[int]:
    return list(COUNTS[hand_number % len(COUNTS)])


class Evening:
    """A club with a tournament of two rounds of four hands, a night, and its organiser."""

    def __init__(self) -> None:
        self.club = make.club()
        self.user = make.user("organiser", role=Role.ORGANISER, club=self.club)
        by = make.actor(self.user, at=timezone.now())
        self.night: ClubNight = current_or_new_night(club_id=self.club.pk, by=by)
        self.tournament: Tournament = make.tournament(club=self.club, hands=4, planned=2)
        self.players = [make.player(name, club=self.club).pk for name in NAMES]

    def outcome(self) -> dict[str, Any]:
        """Return the hands, standing, dealers and log, without keys and moments."""
        kula, entries = Kula(in_process), LogEntry.objects.filter(club=self.club).order_by("pk")
        path = f"/tournaments/{self.tournament.pk}"
        told = [*entries.exclude(verb__in=["token-made", "night-made"])]
        lookup = Lookup(self.club.pk, told)
        return {
            "hands": [_without_keys(hand) for hand in kula.items(f"{path}/hands")],
            "standing": _without_keys(kula.get(f"{path}/standings")),
            "after round 1": _without_keys(kula.get(f"{path}/standings", round=1)),
            "who dealt": [*Hand.objects.order_by("pk").values_list("dealer", "marks")],
            "next to deal": [
                *Sitting.objects.order_by("pk").values_list("next_dealer", "may_deal")
            ],
            "log": [act_of(entry, lookup).sentence for entry in told],
        }


def _without_keys(value: Any) -> Any:
    """Return what the API answered without the keys and moments that no two nights share."""
    if isinstance(value, list):
        return [_without_keys(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        name: _without_keys(each)
        for name, each in value.items()
        if name not in {"id", "uid"} and not name.endswith(("_id", "_at"))
    }


def through_the_api(evening: Evening) -> None:
    run_night(
        program(evening.club, user=evening.user),
        evening.night.pk,
        evening.tournament.pk,
        players=evening.players,
        walk_ins=[WALK_IN],
        rounds=2,
        count=lambda _table, number: {"eaten": counted(number)},
    )


def through_the_pages(evening: Evening) -> None:
    organiser = Client()
    organiser.force_login(evening.user)
    people = reverse("night-people", args=[evening.night.pk])
    organiser.post(people, {"people": evening.players, "names": WALK_IN})
    for _ in range(2):
        for button in ("draw", "publish", "open"):
            organiser.post(reverse("draw", args=[evening.tournament.pk]), {"do": button})
        round_ = Round.objects.get(tournament=evening.tournament, state="open")
        for sitting in round_.sittings.order_by("number"):
            phone = Client()
            for number in range(1, 5):
                ours, theirs = counted(number)
                sheet = {"number": number, "eaten_0": ours, "eaten_1": theirs, "how": "save"}
                phone.get(sitting.get_absolute_url())
                phone.post(sitting.get_absolute_url(), {**sheet, "entry": uuid4()})
        organiser.post(reverse("round-close", args=[round_.pk]), {"how": ""})


@pytest.mark.django_db
def test_a_night_through_the_api_is_one_through_the_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    outcomes = []
    for run in (through_the_api, through_the_pages):
        monkeypatch.setattr(writing, "DICE", Random(7))
        monkeypatch.setattr(draw_page, "DICE", Random(7))
        with transaction.atomic():
            evening = Evening()
            run(evening)
            outcomes.append(evening.outcome())
            transaction.set_rollback(True)
    by_api, by_pages = outcomes

    assert len(by_api["hands"]) == 16
    assert {row["name"] for row in by_api["standing"]["rows"]} == {*NAMES, WALK_IN}
    assert by_api == by_pages
