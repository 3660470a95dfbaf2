"""What a plan repeats, how little it could, and whose turn it was."""

from collections import Counter
from dataclasses import replace
from random import Random

from hypothesis import given, settings, strategies as st

from tests.tracker.movements.evenings import PAIRS, Evening, arranged, club
from tracker.movements.plan_account import account_for
from tracker.movements.types import MeetingKind, Repeat, RoundSeating, TableSeating


def one_table(*units: int) -> RoundSeating:
    return RoundSeating(tables=(TableSeating(shape=PAIRS, units=units),))


@given(
    players=st.integers(4, 24),
    played=st.integers(0, 4),
    rounds=st.integers(1, 6),
    odd_tables=st.booleans(),
    seed=st.integers(0, 999),
)
@settings(max_examples=40, deadline=None)
def test_no_plan_repeats_less_than_its_bound(
    players: int, played: int, rounds: int, odd_tables: bool, seed: int
) -> None:
    first = club([range(players)] * played, odd_tables=odd_tables and players != 4)
    before = arranged(first, seed) if played else ()
    question = replace(first, present=(tuple(range(players)),) * rounds, played=before)

    answer = account_for(question, arranged(question, seed + 1))

    for kind, least in answer.bounds.items():
        assert answer.count(kind) >= least
    for repeat in answer.repeats:
        assert repeat.before
        assert max(repeat.before) < repeat.round


def test_meetings_are_counted_in_all_three_ways() -> None:
    question = club([range(4)] * 2, played=[one_table(0, 1, 2, 3)])

    answer = account_for(question, [one_table(0, 1, 3, 2), one_table(2, 3, 0, 1)])

    again = Repeat(kind=MeetingKind.PARTNERS, units=(0, 2), round=3, before=(1,))
    assert again in answer.repeats
    assert {kind: answer.count(kind) for kind in MeetingKind} == {
        MeetingKind.MEETING: 12,
        MeetingKind.PARTNERS: 2,
        MeetingKind.OPPONENTS: 6,
    }
    assert answer.bounds[MeetingKind.MEETING] == 12


def test_it_says_whose_turn_it_is_to_rest_and_counts_the_repeats_that_must_be() -> None:
    question = club([range(9)] * 9)

    seen = account_for(question, arranged(question))
    notes = seen.notes

    assert [note.round for note in notes if note.code == "rest"] == list(range(1, 10))
    assert {note.template for note in notes if note.code == "rest"} == {
        "Sitting out: %(who)s (nobody has sat out less)."
    }
    assert seen.bounds[MeetingKind.OPPONENTS] == 9 * 8 // 2


def test_it_says_whose_turn_it_is_at_the_odd_table() -> None:
    question = club([range(13)] * 3, odd_tables=True)

    notes = account_for(question, arranged(question)).notes

    odd = [note for note in notes if note.code == "odd-table"]
    assert [len(note.units) for note in odd] == [5, 5, 5]
    assert {note.template for note in odd} == {
        "At the odd table: %(who)s (sat there least so far)."
    }


def test_it_says_what_the_organiser_did() -> None:
    question = club([range(5)], played=[replace(one_table(0, 1, 2, 3), resting=(4,))])
    locked = replace(question, present=(tuple(range(8)),), locked=one_table(4, 5, 6, 7).tables)

    (note, *_) = account_for(question, [replace(one_table(3, 2, 1, 0), resting=(4,))]).notes
    assert note.template == "Sitting out: %(who)s (the organiser’s choice)."
    assert (note.units, note.round) == ((4,), 2)
    tables = (*locked.locked, *one_table(0, 1, 2, 3).tables)
    codes = [each.code for each in account_for(locked, [RoundSeating(tables=tables)]).notes]
    assert codes[0] == "locked"


def test_a_latecomer_is_compared_by_the_time_they_are_here() -> None:
    counts = Counter[int]()
    played: list[RoundSeating] = []
    for number in range(10):
        present = range(5) if number < 5 else range(6)
        question = club([present], played=played)
        (coming,) = arranged(question, number)
        (note, *_) = account_for(question, [coming]).notes
        assert "organiser" not in note.template
        counts.update(coming.resting)
        played.append(coming)
    assert max(counts[unit] for unit in range(5)) - min(counts[unit] for unit in range(5)) <= 1


def test_as_people_come_and_go_turns_are_by_the_time_they_are_here() -> None:
    templates = set()
    for seed in range(8):
        evening = Evening(present=list(range(9)), dice=Random(seed), odd_tables=True)
        for _ in range(10):
            before = tuple(evening.played)
            evening.play()
            question = club([evening.present], played=before, odd_tables=True)
            notes = account_for(question, [evening.played[-1]]).notes
            templates |= {note.template for note in notes if note.code == "odd-table"}
            evening.come_and_go(come=1, go=1)

    assert templates == {
        "At the odd table: %(who)s (sat there least so far).",
        "At the odd table: %(who)s (sat there least so far for the time they are here).",
    }
