"""A Swiss tournament: match points decide, then the game's own, and a bye is worth a win."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import pytest
from django.test import Client
from django.urls import reverse

from tests import make
from tests.drilled import FULL
from tests.tracker.formats.playing import Eaten, Match, Organiser, Row, announced
from tracker.models import Entrant

pytestmark = pytest.mark.django_db

PAIRS, ROUNDS = (11, 7) if FULL else (5, 3)
CLEAR, CLOSE, LEVEL = (105, 15), (70, 50), (60, 60)  # for 2 victory points, for 1, for none


def hands(one: str, other: str) -> Sequence[Eaten]:
    """Return two hands of which either side may win more, or they come out level."""
    first, second = int(one[1:3]), int(other[1:3])
    won = (CLEAR, CLOSE, LEVEL)[(first * second) % 3]
    lost = (CLOSE, LEVEL)[(first + second) // 2 % 2][::-1]
    return [won, lost] if first < second else [won[::-1], lost[::-1]]


def victory_points(match: Match) -> tuple[int, int]:
    one = sum((own > against) + (own > against and against < 20) for own, against in match.hands)
    other = sum((own > against) + (own > against and against < 20) for against, own in match.hands)
    return one, other


def match_points(pairs: Sequence[str], rounds: Sequence[Sequence[Match]]) -> Counter[str]:
    """Return 2 for a match won, 1 for a drawn one, and 2 for a bye."""
    points = Counter(dict.fromkeys(pairs, 0))
    for matches in rounds:
        for match in matches:
            one, other = victory_points(match)
            points[match.sides[0]] += 1 + (one > other) - (one < other)
            points[match.sides[1]] += 1 + (other > one) - (other < one)
        points.update(dict.fromkeys(bye(pairs, matches), 2))
    return points


def bye(pairs: Sequence[str], matches: Sequence[Match]) -> set[str]:
    return {*pairs}.difference(*(match.sides for match in matches))


def recounted(pairs: Sequence[str], rounds: Sequence[Sequence[Match]]) -> list[Row]:
    """Return who stands where with how many match points: nothing of the site is asked for it."""
    decided = match_points(pairs, rounds)
    figures: dict[str, list[Fraction]] = {pair: [Fraction(0)] * 4 for pair in pairs}
    there: Counter[str] = Counter()
    for match in (match for matches in rounds for match in matches):
        for pair, points, side in zip(match.sides, victory_points(match), (0, 1), strict=True):
            wins = [hand for hand in match.hands if hand[side] > hand[1 - side]]
            twos = sum(hand[1 - side] < 20 for hand in wins)
            own = (points, len(wins), twos, sum(hand[side] for hand in match.hands))
            figures[pair] = [had + new for had, new in zip(figures[pair], own, strict=True)]
            there[pair] += 120 * len(match.hands)
    merits = {}
    for pair in pairs:
        # The opponents' match points; a bye is an opponent as strong as oneself, at most with draws.
        strengths = [min(decided[pair], len(rounds)) for each in rounds if pair in bye(pairs, each)]
        for match in (match for matches in rounds for match in matches if pair in match.sides):
            strengths += [decided[other] for other in match.sides if other != pair]
        buchholz = (sum(strengths) - min(strengths), sum(strengths))
        sums = (*figures[pair][:3], figures[pair][3] / (there[pair] or 1))
        merits[pair] = (decided[pair], *buchholz, *sums)
    level = Counter(merits.values())
    rows = []
    for pair in pairs:
        place = 1 + sum(merits[other] > merits[pair] for other in pairs)
        rows.append(
            (f"{place}{'=' if level[merits[pair]] > 1 else ''}", pair, f"{decided[pair]:.2f}")
        )
    return sorted(rows)


def test_a_swiss_is_decided_by_match_points_to_its_final_ranking(client: Client) -> None:
    organiser = Organiser(client, make.club())
    pairs = organiser.make_pairs(PAIRS)
    organiser.make_tournament(
        movement="Swiss: against whoever has about as many points",
        rest_credit="as much as a win",
        planned=ROUNDS,
        length=2,
    )
    organiser.press("Draw round 1", more=pairs)
    rounds: list[tuple[Match, ...]] = []
    shown: list[list[Row]] = []
    for number in range(1, ROUNDS + 1):
        before = match_points(pairs, rounds)
        rounds.append(organiser.play_round(number, hands))
        shown.append(organiser.shown("Match points"))
        assert shown[-1] == recounted(pairs, rounds)
        if number > 1:
            for match in rounds[-1]:
                why_they_met(organiser, number, match, before)
        assert ("Next round" in organiser.page.buttons) == (number < ROUNDS)
        if number < ROUNDS:
            organiser.press("Next round")

    met = Counter(frozenset(match.sides) for matches in rounds for match in matches)
    byes = Counter(pair for matches in rounds for pair in bye(pairs, matches))
    assert max(met.values()) == max(byes.values()) == 1
    organiser.press("Publish the standings")
    organiser.press("No objections: make it official")
    page = organiser.go(organiser.standing)
    assert "Ranked by Match points, then Buchholz cut 1, then Buchholz, then Victory points" in page
    assert "A bye counts as a win." in page
    for number, matches in enumerate(rounds, start=1):
        assert page.count(f"Round {number}: bye, as a win") == len(bye(pairs, matches)) == 1
    assert organiser.shown("Match points") == recounted(pairs, rounds)
    assert organiser.final_ranking() == [row[:2] for row in recounted(pairs, rounds)]
    for number, then in enumerate(shown, start=1):
        assert announced(organiser, number) == then


def why_they_met(organiser: Organiser, number: int, match: Match, before: Counter[str]) -> None:
    """Make sure that each of the two is told the points by which they met."""
    tournament = organiser.club.tournaments.get()
    path = reverse("why", args=[tournament.pk, number])
    for own, other in (match.sides, match.sides[::-1]):
        entrant = Entrant.objects.get(tournament=tournament, team__name=own)
        page = " ".join(organiser.client.get(f"{path}?who={entrant.pk}").text.split())
        points = "point" if before[own] == 1 else "points"
        if before[own] == before[other]:
            assert f"You both have {before[own]} {points}." in page
        else:
            name = other.replace("&", "&amp;")
            assert f"You have {before[own]} {points} and {name} has {before[other]}" in page
