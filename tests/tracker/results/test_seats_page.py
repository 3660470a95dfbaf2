"""The page on which seats are changed: what it moves is seen first, and kept with a reason."""

import re
from collections.abc import Callable
from functools import partial
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests import make
from tracker.models import LogEntry, Role, RoundState, Season, Seat, Sitting, Tally
from tracker.nights.services.closing import close_round
from tracker.results.pages import seat_changes
from tracker.results.services.preview import apply
from tracker.seating.services.seat_swaps import swap_seats
from tracker.standings.services.standings import finish_tournament

pytestmark = pytest.mark.django_db
FOUR = ("Asha", "Neema", "Juma", "Baraka")
WON = {"eaten": [70, 50]}


@pytest.fixture
def sitting() -> Sitting:
    return make.sitting(*FOUR, at=make.tournament(hands=8))


@pytest.fixture
def organiser(client: Client, sitting: Sitting) -> Client:
    club = sitting.round.tournament.club
    client.force_login(make.user(role=Role.ORGANISER, club=club))
    return client


def seat(sitting: Sitting, place: int) -> Seat:
    return Seat.objects.running().get(sitting=sitting, place=place)


def people(sitting: Sitting) -> list[str]:
    return [seat(sitting, place).player.name for place in range(4)]


def path_of(sitting: Sitting) -> str:
    return reverse("round-seats", args=[sitting.round_id])


def words(page: Any) -> str:
    plain = re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", page.text)))
    return plain.replace(" ,", ",").replace(" :", ":")


def seen(page: Any) -> str:
    field = re.search(r'name="seen" value="([^"]*)"', page.text)
    assert field
    return field.group(1)


def everything() -> list[Any]:
    rows = (Seat, Tally, LogEntry, Sitting)
    return [list(model.objects.order_by("pk").values_list()) for model in rows]


def swap_of(sitting: Sitting) -> dict[str, Any]:
    return {"do": "exchange", "seats": [seat(sitting, 0).pk, seat(sitting, 1).pk]}


def applied(organiser: Client, sitting: Sitting, sent: dict[str, Any]) -> Any:
    """Look at a change, apply it, and return the page that says so."""
    look = organiser.post(path_of(sitting), sent)
    sent = {**sent, "step": "keep", "seen": seen(look), "reason": "So"}
    return organiser.post(path_of(sitting), sent, follow=True)


def ali_takes_over(organiser: Client, sitting: Sitting) -> Any:
    ali = make.player("Ali", club=sitting.round.tournament.club)
    sent = {"do": "substitute", "seat": seat(sitting, 2).pk, "player": ali.pk}
    return organiser.post(path_of(sitting), sent, follow=True)


def replacement_of(sitting: Sitting, name: str, **more: Any) -> dict[str, Any]:
    right = make.player(name, club=sitting.round.tournament.club)
    return {
        "do": "replace",
        "wrong": seat(sitting, 0).pk,
        "right": right.pk,
        "reach": "round",
        **more,
    }


def test_a_swap_is_seen_before_it_is_kept(organiser: Client, sitting: Sitting) -> None:
    make.report(sitting, WON)
    before = everything()

    look = organiser.post(path_of(sitting), swap_of(sitting))

    assert everything() == before
    assert "Table 1, round 1 Asha → Neema" in words(look)
    assert "Asha 1 → 3 1 → 0" in words(look)
    assert "Asha Won 1 → 0 Eaten 58.3 % → 41.7 % Dealt 1 → 0 Dealt first 1 → 0" in words(look)

    sent = {**swap_of(sitting), "step": "keep", "seen": seen(look), "reason": "They told me"}
    page = organiser.post(path_of(sitting), sent, follow=True)

    assert people(sitting) == ["Neema", "Asha", "Juma", "Baraka"]
    assert "Asha and Neema have changed seats, for all that was played. Change it back" in words(
        page
    )
    assert LogEntry.objects.get(verb="seats-exchanged").reason == "They told me"


def test_a_swap_is_kept_only_with_a_reason(organiser: Client, sitting: Sitting) -> None:
    make.report(sitting, WON)
    look = organiser.post(path_of(sitting), swap_of(sitting))

    page = organiser.post(
        path_of(sitting), {**swap_of(sitting), "step": "keep", "seen": seen(look), "reason": ""}
    )

    assert "Say why: tap a reason, or type one." in words(page)
    assert "Say why" not in words(look)
    assert people(sitting) == list(FOUR)


def test_what_changed_since_is_seen_again(organiser: Client, sitting: Sitting) -> None:
    make.report(sitting, WON)
    look = organiser.post(path_of(sitting), swap_of(sitting))
    sent = {**swap_of(sitting), "step": "keep", "seen": seen(look), "reason": "They told me"}
    ali_takes_over(organiser, sitting)

    page = organiser.post(path_of(sitting), sent)

    assert "What changes" in words(page)
    assert people(sitting) == ["Asha", "Neema", "Ali", "Baraka"]


@pytest.mark.parametrize("do", ["exchange", "replace"])
def test_what_somebody_else_does_at_that_moment_is_seen_first(
    organiser: Client, sitting: Sitting, monkeypatch: pytest.MonkeyPatch, do: str
) -> None:
    make.report(sitting, WON)
    asked = swap_of(sitting) if do == "exchange" else replacement_of(sitting, "Amina")
    sent = {"step": "keep", "seen": seen(organiser.post(path_of(sitting), asked)), "reason": "So"}
    swap = [seat(sitting, place).pk for place in (0, 1)]
    others = [partial(swap_seats, seats=(swap[0], swap[1]), by=make.actor())]

    def wait(act: Callable[[], LogEntry], **how: Any) -> LogEntry:
        """Keep it once somebody else has let go of the tournament."""
        if others:
            others.pop()()
        return apply(act, **how)

    monkeypatch.setattr(seat_changes, "apply", wait)
    page = organiser.post(path_of(sitting), {**asked, **sent})
    swapped = people(sitting)
    organiser.post(path_of(sitting), {**asked, **sent, "seen": seen(page)})

    assert "What changes" in words(page)
    assert 'value="So"' in page.text
    assert swapped == ["Neema", "Asha", "Juma", "Baraka"]
    assert people(sitting) == (list(FOUR) if do == "exchange" else ["Amina", *swapped[1:]])


def test_a_wrong_person_is_replaced_and_it_can_be_changed_back(
    organiser: Client, sitting: Sitting
) -> None:
    make.report(sitting, WON)
    close_round(round_id=sitting.round_id, anyway=True, by=make.actor())
    sent = replacement_of(sitting, "Amina")
    look = organiser.post(path_of(sitting), sent)

    assert "Table 1, round 1 Asha → Amina" in words(look)
    assert "Amina – → 1 – → 1" in words(look)
    assert "Amina Hands – → 1 Dealt – → 1 Dealt first – → 1" in words(look)

    page = organiser.post(
        path_of(sitting),
        {**sent, "step": "keep", "seen": seen(look), "reason": "Misheard"},
        follow=True,
    )

    assert people(sitting) == ["Amina", "Neema", "Juma", "Baraka"]
    assert "It was Amina, and not Asha, in this round. Change it back" in words(page)
    [back] = re.findall(r'href="([^"]*)">Change it back', page.text)
    page = organiser.get(unescape(back))
    assert re.search(r'<option value="\d+" selected>Amina', page.text)
    assert re.search(r'<option value="\d+" selected>Asha', page.text)


@pytest.mark.parametrize(
    ("chosen", "says"),
    [
        ({"reach": "hands", "from_hand": "2"}, "from hand 2 on."),
        ({"reach": "tournament"}, "in the whole tournament."),
    ],
)
def test_it_is_said_for_how_much_somebody_was_replaced(
    organiser: Client, sitting: Sitting, chosen: dict[str, Any], says: str
) -> None:
    make.report(sitting, WON)
    make.report(sitting, WON)
    sent = replacement_of(sitting, "Amina", **chosen)

    page = applied(organiser, sitting, sent)

    assert f"It was Amina, and not Asha, {says} Change it back" in words(page)


def test_a_swap_of_two_people_alone_is_said_to_be_of_their_hands(
    organiser: Client, sitting: Sitting
) -> None:
    make.report(sitting, WON)
    ali_takes_over(organiser, sitting)
    make.report(sitting, WON)
    sent = {**swap_of(sitting), "who": "together"}

    page = applied(organiser, sitting, sent)

    assert "have changed seats, for the hands that both were there." in words(page)


def test_whoever_sat_for_one_hand_is_chosen_by_that_hand(
    organiser: Client, sitting: Sitting
) -> None:
    make.report(sitting, WON)
    ali_takes_over(organiser, sitting)

    page = words(organiser.get(path_of(sitting)))

    assert "Juma, hand 1 " in page
    assert "Ali, from hand 2 " in page


def test_partners_stand_together_behind_their_letter(organiser: Client, sitting: Sitting) -> None:
    page = organiser.get(path_of(sitting)).text

    sides = re.findall('<div class="seat-side">(.*?)</div>', page, re.DOTALL)
    assert [re.sub("<[^>]+>", " ", side).split() for side in sides] == [
        ["A", "Asha", "Juma"],
        ["B", "Neema", "Baraka"],
    ]


def test_whom_to_tap_is_said_once(organiser: Client, sitting: Sitting) -> None:
    page = organiser.post(path_of(sitting), {"do": "exchange", "seats": [seat(sitting, 0).pk]})

    assert words(page).count("Tap the two who change seats.") == 1


def test_what_cannot_be_replaced_is_said_beside_its_field(
    organiser: Client, sitting: Sitting
) -> None:
    make.report(sitting, WON)

    page = organiser.post(path_of(sitting), replacement_of(sitting, "Neema"))

    assert "Neema sits at table 1 in round 1. Swap the two instead." in words(page)
    assert people(sitting) == list(FOUR)


def test_the_season_is_in_what_a_swap_moves(organiser: Client, sitting: Sitting) -> None:
    tournament = sitting.round.tournament
    tournament.season = Season.objects.create(club=tournament.club, name="Season 2026")
    tournament.save()
    make.report(sitting, WON)
    close_round(round_id=sitting.round_id, anyway=True, by=make.actor())
    assert "In the season" not in words(organiser.post(path_of(sitting), swap_of(sitting)))
    finish_tournament(tournament_id=tournament.pk, by=make.actor())

    look = organiser.post(path_of(sitting), swap_of(sitting))

    assert "In the season: Season 2026" in words(look)
    assert "Neema 3 → 1 16.7 → 83.3" in words(look)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({}, "scores for themselves"),
        ({"substitution": "absent"}, "scores for the absent player"),
        ({"teams": True, "substitution": "absent"}, "scores for the team"),
    ],
)
def test_the_page_says_for_whom_a_substitute_plays(
    client: Client, more: dict[str, Any], says: str
) -> None:
    sitting = make.sitting(*FOUR, at=make.tournament(**more))
    club = sitting.round.tournament.club
    client.force_login(make.user(role=Role.ORGANISER, club=club))

    assert says in client.get(reverse("round-seats", args=[sitting.round_id])).text


def test_somebody_takes_over_on_the_page(organiser: Client, sitting: Sitting) -> None:
    taken = ali_takes_over(organiser, sitting)

    assert people(sitting) == ["Asha", "Neema", "Ali", "Baraka"]
    assert "Ali takes over." in taken.text


@pytest.mark.parametrize(
    ("do", "sentence"),
    [
        ("exchange", "Tap the two who change seats."),
        ("substitute", "Please choose one of these."),
    ],
)
def test_what_cannot_be_put_right_is_said(client: Client, do: str, sentence: str) -> None:
    sitting = make.sitting(*FOUR)
    client.force_login(make.user(role=Role.ORGANISER, club=sitting.round.tournament.club))
    asha, juma = seat(sitting, 0), seat(sitting, 2)

    page = client.post(
        reverse("round-seats", args=[sitting.round_id]),
        {
            "do": do,
            "seats": [asha.pk],
            "seat": asha.pk,
            "player": juma.player_id,
        },
    )

    assert sentence in page.text
    assert people(sitting) == list(FOUR)


def test_a_seat_nobody_can_take_over_any_more_is_said(client: Client) -> None:
    sitting = make.sitting(*FOUR)
    club = sitting.round.tournament.club
    ali = make.player("Ali", club=club)
    client.force_login(make.user(role=Role.ORGANISER, club=club))
    sitting.round.state = RoundState.CLOSED
    sitting.round.save()

    page = client.post(
        reverse("round-seats", args=[sitting.round_id]),
        {"do": "substitute", "seat": seat(sitting, 0).pk, "player": ali.pk},
    )
    empty = client.post(reverse("round-seats", args=[sitting.round_id]), {"do": "exchange"})

    assert "This round is not being played: only an open one can be changed." in page.text
    assert "Tap the two who change seats." in empty.text
