"""A round robin: everybody meets everybody, and then it is over."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import pytest
from django.test import Client
from django.urls import reverse

from tests import make
from tests.tracker.formats.playing import Eaten, Match, Organiser, Row, announced

pytestmark = pytest.mark.django_db

HANDS = 2
CLEAR, CLOSE, LEVEL = (105, 15), (70, 50), (60, 60)  # for 2 victory points, for 1, for none


def hands(one: str, other: str) -> Sequence[Eaten]:
    """Return what the two eat: the stronger wins clearly, close by somebody, or they are level."""
    apart = int(other[1:3]) - int(one[1:3])
    first = (CLEAR, CLOSE, LEVEL)[abs(apart) // 2 % 3]
    return [first if apart > 0 else first[::-1], (50, 70)]


def recounted(pairs: Sequence[str], rounds: Sequence[Sequence[Match]]) -> list[Row]:
    """Return who stands where with how many points: nothing of the site is asked for it."""
    points: Counter[str] = Counter()
    won: Counter[str] = Counter()
    twos: Counter[str] = Counter()
    eaten: Counter[str] = Counter()
    there: Counter[str] = Counter()
    rests: Counter[str] = Counter()
    for matches in rounds:
        rests.update({*pairs}.difference(*(match.sides for match in matches)))
        for match in matches:
            for hand in match.hands:
                for pair, own, against in zip(match.sides, hand, hand[::-1], strict=True):
                    points[pair] += (own > against) + (own > against and against < 20)
                    won[pair] += own > against
                    twos[pair] += own > against and against < 20
                    eaten[pair] += own
                    there[pair] += 120
    totals = {
        # Who sits out gets what two hands usually bring them.
        pair: points[pair] + Fraction(points[pair] * HANDS * rests[pair] * 120, there[pair] or 1)
        for pair in pairs
    }
    merits = {
        pair: (totals[pair], won[pair], twos[pair], Fraction(eaten[pair], there[pair] or 1))
        for pair in pairs
    }
    better = {pair: sum(merits[other] > merits[pair] for other in pairs) for pair in pairs}
    level = Counter(merits.values())
    return sorted(
        (
            f"{better[pair] + 1}{'=' if level[merits[pair]] > 1 else ''}",
            pair,
            f"{float(totals[pair]):.2f}",
        )
        for pair in pairs
    )


def test_five_pairs_meet_each_other_once_and_it_ends(client: Client) -> None:
    organiser = Organiser(client, make.club())
    pairs = organiser.make_pairs(5)
    organiser.make_tournament(movement="everybody against everybody", length=HANDS)
    organiser.press("Draw round 1", more=pairs)
    rounds: list[tuple[Match, ...]] = []
    shown: list[list[Row]] = []
    while True:
        number = len(rounds) + 1
        rounds.append(organiser.play_round(number, hands))
        shown.append(organiser.shown())
        assert shown[-1] == recounted(pairs, rounds)
        if "Next round" not in organiser.page.buttons:
            break
        assert number < 6, "it never ends"
        organiser.press("Next round")

    met = Counter(frozenset(match.sides) for matches in rounds for match in matches)
    assert len(rounds) == 5
    assert met == Counter(map(frozenset, combinations(pairs, 2)))  # everybody once
    assert "Everybody has met everybody." in organiser.text
    # Whoever wants a second cycle plans it.
    for planned, offered in (("10", True), ("", False)):
        organiser.go(organiser.page.links["Settings Name, rounds, seating"])
        organiser.press("Save", planned=planned)
        assert ("Next round" in organiser.page.buttons) == offered
    organiser.press("Publish the standings")
    organiser.press("No objections: make it official")
    assert "its standings are official" in organiser.go(organiser.desk)
    assert organiser.shown() == recounted(pairs, rounds)
    assert organiser.final_ranking() == [row[:2] for row in recounted(pairs, rounds)]
    for number, then in enumerate(shown, start=1):
        assert announced(organiser, number) == then


def test_it_ends_when_those_who_still_play_have_met_each_other(client: Client) -> None:
    organiser = Organiser(client, make.club())
    *first, late = organiser.make_pairs(5)
    organiser.make_tournament(movement="everybody against everybody", length=1)
    organiser.press("Draw round 1", more=first)
    gone, met = first[0], set[frozenset[str]]()

    def play(number: int) -> None:
        matches = organiser.play_round(number, lambda *sides: hands(*sides)[:1])
        met.update(frozenset(match.sides) for match in matches)

    play(1)
    organiser.press("Next round")
    organiser.press("Draw round 2 like this", more=[late])
    play(2)
    organiser.go(reverse("entrants", args=[organiser.club.tournaments.get().pk]))
    organiser.press(f"Withdraw: {gone}")
    organiser.go(organiser.desk)
    playing = {frozenset(two) for two in combinations([*first[1:], late], 2)}
    number = 2
    while playing - met:
        number += 1
        organiser.press("Next round")
        if "Update the draw" in organiser.page.buttons:
            organiser.press("Update the draw")
        play(number)

    assert number <= 6
    assert "Next round" not in organiser.page.buttons
    assert "Everybody has met everybody." in organiser.text
