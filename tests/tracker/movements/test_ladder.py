"""The ladder: winners go up a table, losers down, and people are slotted in at the bottom."""

from dataclasses import replace

from tests.tracker.movements.evenings import PAIRS, TWO, unseatable
from tracker.movements.by_standing import ladder as plan
from tracker.movements.types import (
    MeetingKind,
    Question,
    RoundSeating,
    TableShape,
    Wishes,
)


def first(units: int, shape: TableShape = TWO) -> Question:
    everybody = tuple(range(1, units + 1))
    return Question(present=(everybody,), shape=shape, seeds=everybody)


def after(question: Question, merits: dict[int, int]) -> Question:
    """The question of the next round, once the one planned is played with these merits."""
    coming = plan(question).rounds[0]
    tables = tuple(
        replace(table, merits=tuple((merits.get(unit, 0),) for unit in table.units), opener=0)
        for table in coming.tables
    )
    return replace(
        question, played=(*question.played, RoundSeating(tables=tables, resting=coming.resting))
    )


def tables(question: Question) -> list[set[int]]:
    return [set(table.units) for table in plan(question).rounds[0].tables]


def test_the_first_round_is_by_seeds() -> None:
    assert tables(first(6)) == [{1, 2}, {3, 4}, {5, 6}]


def test_winners_go_up_and_losers_down_and_the_top_and_bottom_stay() -> None:
    # The first beats the second, the fourth the third, the fifth the sixth.
    assert tables(after(first(6), {1: 1, 4: 1, 5: 1})) == [{1, 4}, {2, 5}, {3, 6}]


def test_of_four_players_two_go_up_and_two_down() -> None:
    question = after(first(8, PAIRS), {1: 9, 3: 9, 6: 9, 8: 9})
    assert tables(question) == [{1, 3, 6, 8}, {2, 4, 5, 7}]


def test_partners_change() -> None:
    question = first(4, PAIRS)
    for _ in range(3):
        assert not plan(question).account.count(MeetingKind.PARTNERS)
        question = after(question, {1: 1})
    assert plan(question).account.count(MeetingKind.PARTNERS) == 2


def test_who_rested_comes_in_at_the_bottom_and_another_rests() -> None:
    question = after(first(5), {1: 1, 3: 1})
    assert question.played[0].resting == (5,)
    assert tables(question) == [{1, 3}, {2, 5}]
    assert plan(question).rounds[0].resting == (4,)


def test_who_left_is_closed_up_to_and_who_is_new_starts_at_the_bottom() -> None:
    question = after(first(6), {1: 1, 4: 1, 5: 1})
    question = replace(question, present=((1, 3, 4, 5, 6, 7),))  # 2 left, 7 is new
    assert tables(question) == [{1, 4}, {5, 3}, {6, 7}]


def test_the_level_are_parted_by_the_standing() -> None:
    question = replace(after(first(4), {}), standing=((2,), (1,), (4,), (3,)))
    assert tables(question) == [{2, 4}, {1, 3}]


def test_the_ladder_is_known_by_its_labels_whatever_the_table_in_the_hall() -> None:
    question = replace(first(6), wishes=Wishes(keeps={1: 3}))
    planned = plan(question).rounds[0]
    assert [(table.label, table.number) for table in planned.tables] == [
        ("ladder:1", 3),
        ("ladder:2", 1),
        ("ladder:3", 2),
    ]
    question = after(question, {1: 1, 4: 1, 5: 1})
    shaken = replace(question.played[0], tables=question.played[0].tables[::-1])
    assert tables(replace(question, played=(shaken,))) == [{1, 4}, {2, 5}, {3, 6}]


def test_a_locked_table_keeps_its_rung() -> None:
    question = first(6)
    locked = plan(question).rounds[0].tables[1]
    planned = plan(replace(question, present=((6, 5, 4, 3, 2, 1),), locked=(locked,)))
    assert planned.rounds[0].tables[1] == locked
    assert len(planned.rounds[0].tables) == 3


def test_who_must_not_meet_or_partner_does_not() -> None:
    question = replace(first(6), wishes=Wishes(apart=frozenset({frozenset({1, 2})})))
    assert {1, 2} not in tables(question)
    with unseatable("must-not-meet"):
        plan(replace(first(2), wishes=question.wishes))
    barred = frozenset(frozenset({1, other}) for other in (2, 3, 4))
    with unseatable("must-not-partner"):
        plan(replace(first(4, PAIRS), wishes=Wishes(not_partners=barred)))


def test_the_best_climbs_to_the_top() -> None:
    question = first(10)
    strength = {unit: unit for unit in range(1, 11)}  # the seeds are upside down
    for _ in range(8):
        question = after(question, strength)
    assert 10 in tables(question)[0]


def test_a_round_seated_otherwise_is_a_ladder_by_its_tables() -> None:
    question = after(first(6), {1: 1, 4: 1, 5: 1})
    tables_now = question.played[0].tables
    unlabelled = tuple(replace(table, label="") for table in tables_now[::-1])
    unnumbered = tuple(replace(table, label="", number=None) for table in tables_now)

    for past in (unlabelled, unnumbered):
        assert tables(replace(question, played=(RoundSeating(tables=past),))) == [
            {1, 4},
            {2, 5},
            {3, 6},
        ]


def test_at_large_tables_partners_are_looked_for_too() -> None:
    eight = TableShape("8t2", (tuple(range(0, 8, 2)), tuple(range(1, 8, 2))))
    barred = frozenset({1, 2})
    question = replace(first(8, eight), wishes=Wishes(not_partners=frozenset({barred})))

    (table,) = plan(question).rounds[0].tables

    assert sorted(table.units) == list(range(1, 9))
    assert not any(barred <= {table.units[at] for at in side} for side in eight.sides)


def test_two_who_do_not_meet_cannot_keep_one_table() -> None:
    question = replace(first(4), wishes=Wishes(keeps={1: 1, 3: 1}))

    with unseatable("table-kept-twice"):
        plan(question)
