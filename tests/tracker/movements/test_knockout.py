"""Knock-outs: seeds and byes as printed everywhere, one champion, walkovers, third place."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from tests.tracker.movements.evenings import THREE, TWO, unseatable
from tracker.movements.brackets import Bracket, Match, plan_matches, standard_order
from tracker.movements.eliminations import double_elimination, knockout
from tracker.movements.types import (
    Question,
    RoundSeating,
    SeatingPlan,
    TableSeating,
    UnseatableError,
    Wishes,
)

Choose = Callable[[Sequence[int]], int]


def field(units: int, *, third_place: bool = False, seeded: bool = True) -> Question:
    everybody = tuple(range(1, units + 1))
    return Question(
        present=(everybody,), shape=TWO, seeds=everybody if seeded else (), third_place=third_place
    )


def result(table: TableSeating, winner: int) -> TableSeating:
    return replace(table, merits=tuple((int(unit == winner),) for unit in table.units))


def after(question: Question, plan: SeatingPlan, choose: Choose) -> Question:
    """Play the round planned: *choose* says who wins."""
    (coming,) = plan.rounds
    tables = tuple(result(table, choose(table.units)) for table in coming.tables)
    played = RoundSeating(tables=tables, resting=coming.resting)
    return replace(question, played=(*question.played, played))


def coming(format_: Callable[[Question], Bracket], question: Question) -> SeatingPlan | None:
    """The plan of the next round, or ``None`` if all is decided."""
    try:
        planned = plan_matches(format_, question)
    except UnseatableError as over:
        if over.code in {"decided", "nobody-left"}:
            return None
        raise
    return planned


def played_out(
    format_: Callable[[Question], Bracket], question: Question, choose: Choose
) -> Question:
    while planned := coming(format_, question):
        question = after(question, planned, choose)
    return question


def matches(question: Question) -> list[TableSeating]:
    return [table for played in question.played for table in played.tables]


def pairs(plan: SeatingPlan) -> list[tuple[int, ...]]:
    return [table.units for table in plan.rounds[0].tables]


def labels(tables: Iterable[TableSeating]) -> list[str]:
    return [table.label for table in tables]


def test_sixteen_start_in_the_standard_order() -> None:
    assert standard_order(16) == (1, 16, 8, 9, 5, 12, 4, 13, 6, 11, 3, 14, 7, 10, 2, 15)
    planned = plan_matches(knockout, field(16))
    assert pairs(planned) == [
        (1, 16), (8, 9), (5, 12), (4, 13), (6, 11), (3, 14), (7, 10), (2, 15)
    ]  # fmt: skip
    assert labels(planned.rounds[0].tables)[2] == "round_of_16:3"


@pytest.mark.parametrize("places", [2, 4, 8, 16, 32, 64])
def test_if_the_better_always_wins_the_seeds_meet_as_late_as_they_can(places: int) -> None:
    question = played_out(knockout, field(places), min)
    for number, played in enumerate(question.played):
        left = places >> number
        assert all(sum(table.units) == left + 1 for table in played.tables)


@pytest.mark.parametrize(
    ("units", "byes", "first"),
    [
        (3, {1}, {(2, 3)}),
        (5, {1, 2, 3}, {(4, 5)}),
        (6, {1, 2}, {(4, 5), (3, 6)}),
        (7, {1}, {(4, 5), (3, 6), (2, 7)}),
        (11, {1, 2, 3, 4, 5}, {(8, 9), (6, 11), (7, 10)}),
    ],
)
def test_byes_go_to_the_best_seeds(units: int, byes: set[int], first: set[tuple[int, int]]) -> None:
    planned = plan_matches(knockout, field(units))
    assert set(planned.rounds[0].resting) == byes
    assert set(pairs(planned)) == first


@given(units=st.integers(2, 40), third=st.booleans(), seeded=st.booleans(), seed=st.integers(0, 99))
@settings(max_examples=50, deadline=None)
def test_everybody_but_the_champion_loses_once(
    units: int, third: bool, seeded: bool, seed: int
) -> None:
    question = replace(field(units, third_place=third, seeded=seeded), seed=seed)
    question = played_out(knockout, question, Random(seed).choice)
    assert len(matches(question)) == units - 1 + (third and units > 3)
    bracket = knockout(question)
    lost = Counter(match.loser for match in bracket.matches if match.label != "third_place")
    lost.pop(None, None)
    assert lost == dict.fromkeys(set(range(1, units + 1)) - {bracket.champion}, 1)
    places = knockout(question).placing
    assert places[0] == (bracket.champion,)
    assert sorted(unit for level in places for unit in level) == list(range(1, units + 1))
    if third and units > 2:
        assert [len(level) for level in places[:3]] == [1, 1, 1]


@given(units=st.integers(2, 24), seeded=st.booleans(), seed=st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_the_bracket_stays_as_it_was_drawn(units: int, seeded: bool, seed: int) -> None:
    dice = Random(seed)
    question = replace(field(units, seeded=seeded), seed=seed)
    before = knockout(question)
    while not before.champion:
        # Another seed and another order of those present, as every round has.
        shaken = tuple(dice.sample(question.present[0], units))
        question = after(question, plan_matches(knockout, question), dice.choice)
        question = replace(question, seed=dice.random().__hash__(), present=(shaken,))
        now = knockout(question)
        for old, new in zip(before.matches, now.matches, strict=True):
            assert old.label == new.label
            assert [side for side in old.units if side not in new.units] == []
        before = now


def test_the_labels_of_six_with_a_match_for_third_place() -> None:
    question = played_out(knockout, field(6, third_place=True), min)
    assert [labels(played.tables) for played in question.played] == [
        ["quarter_final:2", "quarter_final:3"],
        ["semi_final:1", "semi_final:2"],
        ["final", "third_place"],
    ]
    assert knockout(question).placing == ((1,), (2,), (3,), (4,), (5, 6))


def test_before_the_final_is_played_the_finalists_are_level_and_so_are_the_others() -> None:
    question = field(4, third_place=True)
    question = after(question, plan_matches(knockout, question), min)
    assert knockout(question).placing == ((1, 2), (3, 4))


def test_a_drawn_match_is_refused_until_another_hand_decides_it() -> None:
    question = field(4)
    coming = plan_matches(knockout, question).rounds[0]
    level = replace(coming.tables[0], merits=((1,), (1,)))
    question = replace(
        question, played=(replace(coming, tables=(level, result(coming.tables[1], 2))),)
    )
    with unseatable("match-level") as refused:
        plan_matches(knockout, question)
    assert set(refused.value.units) == {1, 4}
    assert knockout(question).matches[0].level
    question = replace(question, played=(replace(coming, tables=coming.tables),))
    with unseatable("match-open"):
        plan_matches(knockout, question)


def test_whoever_withdrew_loses_without_a_match_and_may_not_come_back_into_it() -> None:
    question = field(4)
    question = after(question, plan_matches(knockout, question), min)
    gone = replace(question, present=((2, 3, 4),))
    with unseatable("decided") as refused:
        plan_matches(knockout, gone)
    assert refused.value.units == (2,)
    assert knockout(gone).columns[-1][0].walkover

    question = field(8)
    question = after(question, plan_matches(knockout, question), min)
    planned = plan_matches(knockout, replace(question, present=(tuple(range(2, 9)),)))
    assert [note.code for note in planned.account.notes] == ["walkover", "waits"]
    question = after(question, planned, min)
    question = after(
        question, plan_matches(knockout, replace(question, present=(tuple(range(2, 9)),))), min
    )
    back = knockout(question)  # the first is present again
    assert back.champion == 2
    assert back.columns[1][0].winner == 4


@given(units=st.integers(3, 17), seed=st.integers(0, 200), double=st.booleans())
@settings(max_examples=60, deadline=None)
def test_however_people_leave_there_is_one_champion_or_nobody(
    units: int, seed: int, double: bool
) -> None:
    dice = Random(seed)
    format_ = double_elimination if double else knockout
    question = field(units, third_place=True)
    for _ in range(40):
        planned = coming(format_, question)
        if planned is None:
            break
        for table in planned.rounds[0].tables:
            assert set(table.units) <= set(question.present[0])
        question = after(question, planned, dice.choice)
        stay = [unit for unit in question.present[0] if dice.random() > 0.15]
        question = replace(question, present=(tuple(stay),))
    else:
        pytest.fail("it never ends")
    everybody = sorted(unit for level in format_(question).placing for unit in level)
    assert everybody == list(range(1, units + 1))


@pytest.mark.parametrize(
    ("question", "code"),
    [
        (field(1), "too-few"),
        (replace(field(6), shape=THREE), "two-sides"),
        (replace(field(2), wishes=Wishes(apart=frozenset({frozenset({1, 2})}))), "must-not-meet"),
    ],
)
def test_what_cannot_be_is_refused(question: Question, code: str) -> None:
    with unseatable(code):
        plan_matches(knockout, question)


@given(units=st.integers(2, 33), seed=st.integers(0, 99))
@settings(max_examples=50, deadline=None)
def test_at_double_elimination_everybody_but_the_champion_loses_twice(
    units: int, seed: int
) -> None:
    question = played_out(double_elimination, field(units), Random(seed).choice)
    bracket = double_elimination(question)
    lost = Counter(
        unit
        for table in matches(question)
        for unit, merit in zip(table.units, table.merits or (), strict=True)
        if merit == (0,)
    )
    champion = bracket.champion
    assert champion is not None
    assert lost[champion] == len(matches(question)) - 2 * (units - 1)
    assert all(lost[unit] == 2 for unit in range(1, units + 1) if unit != champion)
    assert double_elimination(question).placing[0] == (champion,)


def test_eight_play_fourteen_matches_or_fifteen() -> None:
    assert len(matches(played_out(double_elimination, field(8), min))) == 14

    def upset(units: Sequence[int]) -> int:
        return max(units) if set(units) == {1, 2} and next(beaten) else min(units)

    beaten = iter([False, True, False])
    question = played_out(double_elimination, field(8), upset)
    assert len(matches(question)) == 15
    assert labels(question.played[-1].tables) == ["grand_final_again"]
    assert double_elimination(question).placing[:3] == ((1,), (2,), (3,))


def test_the_losers_of_a_first_match_do_not_meet_again_in_the_second_round_of_losers() -> None:
    question = played_out(double_elimination, field(8), min)
    matches = {match.label: match for match in double_elimination(question).matches}
    assert [side.of for side in matches["losers:1:1"].sides] == ["winners:1:1", "winners:1:2"]
    assert [side.of for side in matches["losers:2:1"].sides] == ["losers:1:1", "winners:2:2"]
    assert [side.of for side in matches["grand_final"].sides] == ["winners:3:1", "losers:4:1"]


def test_the_bracket_shows_who_comes_from_where_and_when_they_played() -> None:
    question = field(5)
    bracket = knockout(after(question, plan_matches(knockout, question), min))
    first: Match = bracket.columns[0][1]
    assert (first.label, first.winner, first.loser, first.round) == ("quarter_final:2", 4, 5, 1)
    assert bracket.columns[0][0].sides[1].bye
    assert [side.of for side in bracket.columns[2][0].sides] == ["semi_final:1", "semi_final:2"]
    assert [side.seed for side in first.sides] == [4, 5]
