"""Which place and which table everybody takes."""

from collections import Counter
from dataclasses import replace
from random import Random

from hypothesis import given, settings, strategies as st

from tests.tracker.movements.evenings import PAIRS, THREE_PAIRS, alone, arranged, club, people
from tracker.movements.frames import round_frames
from tracker.movements.meetings import meetings_at
from tracker.movements.seat_balance import balance_seats
from tracker.movements.table_numbers import number_tables
from tracker.movements.types import RoundSeating, TableSeating, TableShape, Wishes


def spread_of_places(rounds: tuple[RoundSeating, ...], shape: TableShape = PAIRS) -> int:
    """Return by how much anybody's times at two places of a shape differ at most."""
    times = Counter(
        (unit, place)
        for seating in rounds
        for table in seating.tables
        if table.shape == shape
        for place, unit in enumerate(table.units)
    )
    everybody = {unit for unit, _ in times}
    by_unit = [[times[unit, place] for place in range(shape.size)] for unit in everybody]
    return max((max(each) - min(each) for each in by_unit), default=0)


@given(
    present=st.integers(8, 40),
    rounds=st.sampled_from((1, 2, 3, 5, 6, 7, 9, 10)),
    seed=st.integers(0, 999),
)
@settings(max_examples=25, deadline=None)
def test_everybody_takes_the_four_places_equally_often_within_one(
    present: int, rounds: int, seed: int
) -> None:
    present -= present % 4  # with rests, some play a multiple of four rounds
    question = club([range(present)] * rounds, seed=seed)

    assert spread_of_places(balance_seats(question, arranged(question, seed))) <= 1


@given(present=st.integers(8, 33), rounds=st.integers(1, 12), seed=st.integers(0, 999))
@settings(max_examples=15, deadline=None)
def test_no_place_is_taken_three_times_more_often_than_another(
    present: int, rounds: int, seed: int
) -> None:
    question = club([range(present)] * rounds, seed=seed)

    assert spread_of_places(balance_seats(question, arranged(question, seed))) <= 2


@given(present=st.integers(8, 30), rounds=st.integers(1, 6), seed=st.integers(0, 999))
@settings(max_examples=20, deadline=None)
def test_taking_chairs_changes_neither_partners_nor_opponents(
    present: int, rounds: int, seed: int
) -> None:
    question = club([range(present)] * rounds, odd_tables=True, seed=seed)
    before = arranged(question, seed)

    after = number_tables(question, balance_seats(question, before))

    for old, new in zip(before, after, strict=True):
        assert sorted(meetings_at(old.tables)) == sorted(meetings_at(new.tables))
        assert [table.number for table in new.tables] == list(range(1, len(new.tables) + 1))
        assert new.resting == old.resting
    assert after == number_tables(question, balance_seats(question, before))


def test_individuals_take_the_five_places_in_turn() -> None:
    question = replace(club([range(20)] * 7), shape=alone(5))
    dice = Random(3)
    rounds: list[RoundSeating] = []
    for _ in range(7):
        row = dice.sample(range(20), 20)
        tables = [
            TableSeating(shape=alone(5), units=tuple(row[at : at + 5])) for at in (0, 5, 10, 15)
        ]
        rounds.append(RoundSeating(tables=tuple(tables)))

    assert spread_of_places(balance_seats(question, rounds), alone(5)) <= 1


def test_played_rounds_count() -> None:
    first = club([range(16)] * 3)
    played = balance_seats(first, arranged(first))
    then = replace(club([range(16)] * 2, played=played, seed=9))

    planned = balance_seats(then, arranged(then, 4))

    assert spread_of_places((*played, *planned)) <= 2


def test_whoever_opened_still_does_from_another_chair() -> None:
    question = club([range(16)] * 5)
    rounds = [
        replace(seating, tables=tuple(replace(table, opener=2) for table in seating.tables))
        for seating in arranged(question)
    ]

    seated = balance_seats(question, rounds)

    for old, new in zip(rounds, seated, strict=True):
        openers = {table.units[table.opener or 0] for table in new.tables}
        assert openers == {table.units[2] for table in old.tables}


def test_whoever_keeps_a_table_sits_at_it_and_the_others_go_round() -> None:
    question = replace(club([range(16)] * 6), wishes=Wishes(keeps={5: 3, 6: 7}))
    planned = round_frames(question)
    rounds: list[RoundSeating] = []
    for frame in planned:
        units = [unit for unit in frame.units if unit not in (5, 6)]
        Random(len(rounds)).shuffle(units)
        row = [5, *units[:3], 6, *units[3:]]
        tables = [TableSeating(shape=PAIRS, units=tuple(row[at : at + 4])) for at in (0, 4, 8, 12)]
        rounds.append(RoundSeating(tables=tuple(tables)))

    seated = number_tables(question, balance_seats(question, rounds))

    for seating in seated:
        assert [table.number for table in seating.tables] == [1, 2, 3, 7]
        assert sorted(people(seating)) == list(range(16))
        assert {5: 3, 6: 7}.items() <= {
            unit: table.number for table in seating.tables for unit in table.units
        }.items()


def test_nobody_stays_at_a_table_all_night() -> None:
    question = club([range(40)] * 7)

    seated = number_tables(question, arranged(question))

    times = Counter(
        (unit, table.number) for each in seated for table in each.tables for unit in table.units
    )
    assert max(times.values()) <= 3


def test_partners_change_places_so_that_both_are_taken_equally_often_after_every_round() -> None:
    question = club([range(18)] * 9, odd_tables=True)

    seated = balance_seats(question, arranged(question))

    for rounds in range(1, 10):
        for side in (*PAIRS.sides, *THREE_PAIRS.sides):
            shape = PAIRS if side in PAIRS.sides else THREE_PAIRS
            times = Counter(
                (table.units[place], place)
                for seating in seated[:rounds]
                for table in seating.tables
                if table.shape == shape
                for place in side
            )
            for unit in range(18):
                assert abs(times[unit, side[0]] - times[unit, side[1]]) <= 1
