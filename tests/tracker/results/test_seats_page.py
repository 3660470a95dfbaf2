"""The page on which seats are changed: what it moves is seen first, and kept with a reason."""

import re
from collections.abc import Callable
from functools import partial
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests import act, make
from tests.reading import seen_on, shows, words
from tracker.models import LogEntry, Role, Round, RoundState, Season, Seat, Sitting, Tally
from tracker.results.pages import seat_changes
from tracker.results.services.preview import apply
from tracker.seating.services.seat_swaps import swap_seats

pytestmark = pytest.mark.django_db
FOUR = ["Asha", "Neema", "Juma", "Baraka"]
SWAPPED = ["Neema", "Asha", "Juma", "Baraka"]
WON = {"eaten": [70, 50]}
BACK = "Change it back"


@pytest.fixture
def table() -> Sitting:
    return make.sitting(*FOUR, at=make.tournament(hands=8))


@pytest.fixture
def played(table: Sitting) -> Sitting:
    make.report(table, WON)
    return table


def seat(table: Sitting, place: int) -> Seat:
    return Seat.objects.running().get(sitting=table, place=place)


def people(table: Sitting) -> list[str]:
    return [seat(table, place).player.name for place in range(4)]


def player(table: Sitting, name: str) -> int:
    return make.player(name, club=act.club_of(table)).pk


def asks(organiser: Client, table: Sitting, sent: dict[str, Any]) -> Any:
    return organiser.post(reverse("round-seats", args=[table.round_id]), sent, follow=True)


def keeps(organiser: Client, table: Sitting, look: Any, sent: dict[str, Any], why: str) -> Any:
    """Apply a change that was looked at, for this reason, and return the page that says so."""
    sent = {**sent, "step": "keep", "seen": seen_on(look.text), "reason": why}
    return asks(organiser, table, sent)


def swap_of(table: Sitting) -> dict[str, Any]:
    return {"do": "exchange", "seats": [seat(table, 0).pk, seat(table, 1).pk]}


def ali_takes_over(organiser: Client, table: Sitting) -> Any:
    sent = {"do": "substitute", "seat": seat(table, 2).pk, "player": player(table, "Ali")}
    return asks(organiser, table, sent)


def replacement_of(table: Sitting, name: str, **more: Any) -> dict[str, Any]:
    """Return what is sent where somebody else sat at the first place."""
    who = {"wrong": seat(table, 0).pk, "right": player(table, name)}
    return {"do": "replace", **who, "reach": "round", **more}


def test_swap_is_seen_and_then_kept_with_a_reason(organiser: Client, played: Sitting) -> None:
    def everything() -> list[Any]:
        rows = (Seat, Tally, LogEntry, Sitting)
        return [list(model.objects.order_by("pk").values_list()) for model in rows]

    before, swap = everything(), swap_of(played)

    look = asks(organiser, played, swap)
    unsaid = keeps(organiser, played, look, swap, "")

    assert everything() == before
    shows(look, "Table 1, round 1 Asha → Neema", "Asha 1 → 3 1 → 0")
    shows(look, "Asha Won 1 → 0 Eaten 58.3 % → 41.7 % Dealt 1 → 0 Dealt first 1 → 0")
    assert "Say why" not in words(look)
    shows(unsaid, "Say why: tap a reason, or type one.")
    page = keeps(organiser, played, look, swap, "They told me")
    assert people(played) == SWAPPED
    shows(page, f"Asha and Neema have changed seats, for all that was played. {BACK}")
    assert LogEntry.objects.get(verb="seats-exchanged").reason == "They told me"


def test_what_changed_since_is_seen_again(organiser: Client, played: Sitting) -> None:
    swap = swap_of(played)
    look = asks(organiser, played, swap)
    ali_takes_over(organiser, played)
    shows(keeps(organiser, played, look, swap, "They told me"), "What changes")
    assert people(played) == ["Asha", "Neema", "Ali", "Baraka"]


@pytest.mark.parametrize("do", ["exchange", "replace"])
def test_what_somebody_else_does_at_that_moment_is_seen_first(
    organiser: Client, played: Sitting, monkeypatch: pytest.MonkeyPatch, do: str
) -> None:
    sent = swap_of(played) if do == "exchange" else replacement_of(played, "Amina")
    look = asks(organiser, played, sent)
    seats = (seat(played, 0).pk, seat(played, 1).pk)
    others = [partial(swap_seats, seats=seats, by=make.actor())]

    def wait(change: Callable[[], LogEntry], **how: Any) -> LogEntry:
        """Keep it once somebody else has let go of the tournament."""
        if others:
            others.pop()()
        return apply(change, **how)

    monkeypatch.setattr(seat_changes, "apply", wait)
    page = keeps(organiser, played, look, sent, "So")
    swapped = people(played)
    keeps(organiser, played, page, sent, "So")

    shows(page, "What changes", 'value="So"')
    assert swapped == SWAPPED
    assert people(played) == (FOUR if do == "exchange" else ["Amina", *SWAPPED[1:]])


def test_wrong_person_is_replaced_and_back_again(organiser: Client, played: Sitting) -> None:
    act.close(played.round, anyway=True)
    sent = replacement_of(played, "Amina")

    look = asks(organiser, played, sent)
    shows(look, "Table 1, round 1 Asha → Amina", "Amina – → 1 – → 1")
    shows(look, "Amina Hands – → 1 Dealt – → 1 Dealt first – → 1")
    page = keeps(organiser, played, look, sent, "Misheard")

    assert people(played) == ["Amina", "Neema", "Juma", "Baraka"]
    shows(page, f"It was Amina, and not Asha, in this round. {BACK}")
    [back] = re.findall(rf'href="([^"]*)">{BACK}', page.text)
    selected = re.findall(r'<option value="\d+" selected>(\w+)', organiser.get(unescape(back)).text)
    assert {"Amina", "Asha"} <= {*selected}


@pytest.mark.parametrize(
    ("chosen", "says"),
    [
        ({"reach": "hands", "from_hand": "2"}, "from hand 2 on."),
        ({"reach": "tournament"}, "in the whole tournament."),
    ],
)
def test_it_is_said_for_how_much_somebody_was_replaced(
    organiser: Client, played: Sitting, chosen: dict[str, Any], says: str
) -> None:
    make.report(played, WON)
    sent = replacement_of(played, "Amina", **chosen)
    page = keeps(organiser, played, asks(organiser, played, sent), sent, "So")
    shows(page, f"It was Amina, and not Asha, {says} {BACK}")


def test_whoever_sat_for_some_hands_is_chosen_by_them_and_swaps_those_alone(
    organiser: Client, played: Sitting
) -> None:
    shows(ali_takes_over(organiser, played), "Ali takes over.")
    page = organiser.get(reverse("round-seats", args=[played.round_id]))
    shows(page, "Juma, hand 1 ", "Ali, from hand 2 ")
    assert people(played) == ["Asha", "Neema", "Ali", "Baraka"]
    make.report(played, WON)
    sent = {**swap_of(played), "who": "together"}
    page = keeps(organiser, played, asks(organiser, played, sent), sent, "So")
    shows(page, "have changed seats, for the hands that both were there.")


def test_partners_stand_together_behind_their_letter(organiser: Client, table: Sitting) -> None:
    page = organiser.get(reverse("round-seats", args=[table.round_id])).text
    sides = re.findall('<div class="seat-side">(.*?)</div>', page, re.DOTALL)
    assert [words(side) for side in sides] == ["A Asha Juma", "B Neema Baraka"]


def test_the_season_is_in_what_a_swap_moves(organiser: Client, played: Sitting) -> None:
    tournament = played.round.tournament
    tournament.season = Season.objects.create(club=tournament.club, name="Season 2026")
    tournament.save()
    act.close(played.round, not_played=True)
    assert "In the season" not in words(asks(organiser, played, swap_of(played)))
    act.finish(tournament)
    look = asks(organiser, played, swap_of(played))
    shows(look, "In the season: Season 2026", "Neema 3 → 1 16.7 → 83.3")


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({}, "scores for themselves"),
        ({"substitution": "absent"}, "scores for the absent player"),
        ({"teams": True, "substitution": "absent"}, "scores for the team"),
    ],
)
def test_the_page_says_for_whom_a_substitute_plays(more: dict[str, Any], says: str) -> None:
    table = make.sitting(*FOUR, at=make.tournament(**more))
    organiser = act.sign_in(Role.ORGANISER, table)
    shows(organiser.get(reverse("round-seats", args=[table.round_id])), says)


def test_what_cannot_be_changed_is_said_beside_it(organiser: Client, played: Sitting) -> None:
    asha, ali, juma = seat(played, 0).pk, player(played, "Ali"), player(played, "Juma")
    whom = "Tap the two who change seats."

    assert words(asks(organiser, played, {"do": "exchange", "seats": [asha]})).count(whom) == 1
    sits = asks(organiser, played, replacement_of(played, "Neema"))
    shows(sits, "Neema sits at table 1 in round 1. Swap the two instead.")
    seated = asks(organiser, played, {"do": "substitute", "seat": asha, "player": juma})
    shows(seated, "Please choose one of these.")
    Round.objects.update(state=RoundState.CLOSED)
    closed = asks(organiser, played, {"do": "substitute", "seat": asha, "player": ali})
    shows(closed, "This round is not being played: only an open one can be changed.")
    shows(asks(organiser, played, {"do": "exchange"}), whom)
    assert people(played) == FOUR
