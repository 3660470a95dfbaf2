"""Nights known from algebra or a long search, counted from scratch."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

import pytest

from tests.tracker.movements.evenings import PAIRS, club
from tests.tracker.movements.test_arranging import night, repeats
from tracker.movements.fewest_repeats import fewest_repeats
from tracker.movements.stored_plans import (
    COLUMNS,
    PLANS,
    REPEAT_FREE,
    known_schedule,
    repeat_free,
    social_golfer,
    stored_plan,
)
from tracker.movements.types import MeetingKind


def pairs_at_tables(row: Sequence[int], size: int) -> Iterator[tuple[int, int]]:
    for start in range(0, len(row), size):
        yield from combinations(sorted(row[start : start + size]), 2)


@pytest.mark.parametrize("size", range(2, 11))
def test_nobody_meets_twice_in_rounds_of_golf(size: int) -> None:
    for tables in range(1, min(101 // size, 27) + 1):
        met: Counter[tuple[int, int]] = Counter()
        for row in social_golfer(tables, size):
            assert sorted(row) == list(range(tables * size))
            met.update(pairs_at_tables(row, size))
        assert max(met.values(), default=1) == 1


def test_nobody_meets_or_rests_twice_in_rounds_stored_as_repeat_free() -> None:
    for key in json.loads(REPEAT_FREE.read_text()):
        players, seen = int(key), Counter[tuple[int, ...]]()
        rounds = repeat_free(players)
        assert len(rounds) >= 6
        for row in rounds:
            assert len(set(row)) == len(row) == players - players % 4
            seen.update((player,) for player in set(range(players)) - set(row))
            seen.update(pairs_at_tables(row, 4))
        assert set(seen.values()) == {1}


@pytest.mark.parametrize("name", json.loads(PLANS.read_text()))
def test_in_a_stored_night_everybody_sits_once_and_rests_at_most_once(name: str) -> None:
    players, rounds = map(int, name.split("x"))
    rows = stored_plan(players, rounds)

    assert len(rows) == rounds
    sat = Counter(unit for row in rows for unit in row)
    assert all(len(row) == len(set(row)) == players - players % 4 for row in rows)
    assert set(sat) == set(range(players))
    assert min(sat.values()) >= rounds - 1


def test_whoever_rests_in_a_known_night_is_who_has_to() -> None:
    present = [[unit for unit in range(13) if unit != resting] for resting in (7, 2, 11)]

    start = known_schedule(present, PAIRS, Random(1))

    assert start is not None
    assert [sorted(row) for row in start[0]] == present


def test_a_whole_night_deals_evenly_and_gives_its_account() -> None:
    question, _ = night(12, 7)

    plan = fewest_repeats(question)

    assert repeats([seating.tables for seating in plan.rounds]) == {
        kind: plan.account.count(kind) for kind in MeetingKind
    }
    assert plan.account.count(MeetingKind.PARTNERS) == 0
    assert plan.account.count(MeetingKind.OPPONENTS) == plan.account.bounds[MeetingKind.OPPONENTS]
    opened = Counter(
        table.units[table.opener]
        for seating in plan.rounds
        for table in seating.tables
        if table.opener is not None
    )
    assert {opened[unit] for unit in question.present[0]} == {1, 2}
    assert fewest_repeats(question) == plan


def test_whole_nights_repeat_few_partners_and_opponents_and_bounds_are_by_counting() -> None:
    # Partners and opponents who meet again, and how many must.
    found = {(8, 7): (0, 28, 0, 28), (8, 8): (4, 36, 4, 36), (16, 8): (0, 9, 0, 8)}
    found |= {(12, 6): (0, 6, 0, 6), (12, 7): (0, 18, 0, 18), (12, 11): (0, 66, 0, 66)}
    free = ((16, 5), (20, 8), (24, 10), (32, 8), (40, 10), (100, 15))
    for (players, rounds), figures in (found | dict.fromkeys(free, (0, 0, 0, 0))).items():
        account = fewest_repeats(club([range(players)] * rounds)).account
        kinds = MeetingKind.PARTNERS, MeetingKind.OPPONENTS
        counted = (*map(account.count, kinds), *(account.bounds[kind] for kind in kinds))
        assert counted == figures, (players, rounds)


def test_whole_nights_repeat_as_few_meetings_as_searches_found_and_no_partners() -> None:
    found = {(12, 5): 24, (24, 8): 24, (25, 6): 0, (25, 8): 16, (29, 8): 3, (33, 8): 0}
    found |= {(37, 8): 0, (101, 15): 0, (200, 8): 0}
    for (players, rounds), meetings in found.items():
        account = fewest_repeats(club([range(players)] * rounds)).account
        kinds = MeetingKind.PARTNERS, MeetingKind.MEETING
        assert tuple(map(account.count, kinds)) == (0, meetings), players


@pytest.mark.parametrize(
    "resting",
    [
        ((7,), (2,), (7,)),  # rests twice
        ((7,), (2,), (1, 3, 4, 5, 6)),  # goes home
    ],
)
def test_no_night_is_known_for_people_who_come_and_go(resting: tuple[tuple[int, ...], ...]) -> None:
    present = [[unit for unit in range(13) if unit not in away] for away in resting]

    assert known_schedule(present, PAIRS, Random(1)) is None


def test_a_night_longer_than_a_perfect_one_begins_with_it() -> None:
    start = known_schedule([range(8)] * 8, PAIRS, Random(1))

    assert start is not None
    rows, best = start
    assert best
    partners = Counter(frozenset((row[at], row[at + 2])) for row in rows[:7] for at in (0, 1, 4, 5))
    assert len(rows) == 8
    assert set(partners.values()) == {1}
    assert len(partners) == 28


def test_only_what_algebra_does_not_know_is_stored() -> None:
    for name in json.loads(COLUMNS.read_text()):
        tables, size = map(int, name.split("x"))
        assert len(social_golfer(tables, size)) > len(social_golfer(tables, size, stored=False))
