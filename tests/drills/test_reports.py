"""Many phones at once against the real site in four processes: nothing twice, nothing lost.

Short by default, whole with ``KULA_DRILLS=full``; on SQLite, or on what ``DATABASE_URL`` names.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any
from uuid import uuid4

import pytest

from tests.drilled import FULL
from tests.drills import hall
from tests.drills.phones import Answered, Phone, at_once, eaten
from tests.drills.processes import workers
from tests.serving import Site, serving, wait_until

TABLES, HANDS = (40, 20) if FULL else (12, 8)
QUARRELS = 20 if FULL else 6
PHONES = 50
UNDONE = 8  # a table undoes no more than ten times a minute


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serving(tmp_path_factory.mktemp("drill"), "--workers", "4") as site:
        yield site


def test_four_processes_answer(site: Site) -> None:
    wait_until(lambda: len(workers(site)) == 4, "for four processes")


def test_the_same_report_fifty_times_at_once_is_one_hand(site: Site) -> None:
    [token] = hall.seat(site.data, 1)
    phone = Phone(site.port, token).open_page()
    entry = uuid4()

    answers = at_once([partial(phone.report, 1, (70, 50), entry)] * PHONES)

    assert answers == [Answered(303, 1, "accepted")] * PHONES
    [table] = hall.read(site.data, [token])
    assert table.hands == [1]
    assert table.verdicts == {str(entry): "accepted"}


def test_fifty_phones_that_say_the_same_are_one_hand(site: Site) -> None:
    [token] = hall.seat(site.data, 1)
    phones = at_once([Phone(site.port, token).open_page] * PHONES)

    answers = at_once([partial(phone.report, 1, (70, 50)) for phone in phones])

    assert {answer.status for answer in answers} == {303}
    assert Counter(answer.verdict for answer in answers) == {"accepted": 1, "agrees": PHONES - 1}
    [table] = hall.read(site.data, [token])
    assert table.hands == [1]
    assert Counter(table.verdicts.values()) == {"accepted": 1, "agrees": PHONES - 1}


def test_a_hall_of_tables_reports_at_once_without_a_gap(site: Site) -> None:
    tokens = hall.seat(site.data, TABLES)
    sent = {token: {number: uuid4() for number in range(1, HANDS + 1)} for token in tokens}

    def evening(token: str) -> list[Answered]:
        phone = Phone(site.port, token).open_page()
        return [phone.report(number, eaten(number), entry) for number, entry in sent[token].items()]

    answers = at_once([partial(evening, token) for token in tokens])

    numbers = list(range(1, HANDS + 1))
    assert answers == [[Answered(303, number, "accepted") for number in numbers]] * TABLES
    for token, table in zip(tokens, hall.read(site.data, tokens), strict=True):
        assert table.last_number == HANDS
        assert table.hands == numbers
        assert table.standing == [str(entry) for entry in sent[token].values()]
        assert table.verdicts == {str(entry): "accepted" for entry in sent[token].values()}
    assert "0 differences" in hall.recount(site.data)


def two_phones(site: Site, token: str) -> tuple[Phone, Phone]:
    return Phone(site.port, token).open_page(), Phone(site.port, token).open_page()


@pytest.mark.parametrize(
    ("says", "expected", "hands"),
    [
        pytest.param("", [200, 303], [1], id="one-is-asked"),
        pytest.param("no", [303, 303], [1], id="both-are-kept"),
        pytest.param("yes", [303, 303], [1, 2], id="it-was-the-next"),
    ],
)
def test_two_phones_that_differ_at_once(
    site: Site, says: str, expected: list[int], hands: list[int]
) -> None:
    tokens = hall.seat(site.data, QUARRELS)
    pairs = [two_phones(site, token) for token in tokens]

    answers = at_once(
        [
            partial(phone.report, 1, totals, is_next=says)
            for pair in pairs
            for phone, totals in zip(pair, ((70, 50), (50, 70)), strict=True)
        ]
    )

    for first, second in zip(answers[::2], answers[1::2], strict=True):
        assert sorted([first.status, second.status]) == expected
    conflicts = int(says == "no")
    for table in hall.read(site.data, tokens):
        assert table.hands == hands
        assert table.conflicts == conflicts
        assert Counter(table.verdicts.values())["accepted"] == len(hands)
        assert Counter(table.verdicts.values())["conflicts"] == conflicts
    assert "0 differences" in hall.recount(site.data)


def test_hands_undone_and_written_anew_while_others_send_them_late(site: Site) -> None:
    """At each table one phone undoes each hand and writes it anew; another has counts of its own.

    The other one sends what it has again and again, before, while and after the hand is undone: it
    agrees with what was undone, waits for a person, or is answered as at first. No hand of it counts.
    """
    tokens = hall.seat(site.data, TABLES)
    anew = {token: {number: uuid4() for number in range(1, UNDONE + 1)} for token in tokens}

    def evening(token: str) -> list[Answered]:
        phone, other = two_phones(site, token)
        answers = []
        for number, entry in anew[token].items():
            first = phone.report(number, eaten(number), uuid4())
            late = partial(other.report, number, eaten(number), uuid4())
            acts: list[Callable[[], Any]] = [late, late, partial(phone.undo, number)]
            *_, undone = at_once(acts)
            asked = other.report(number, eaten(number + 2), is_next="no")
            write = partial(phone.report, number, eaten(number + 1), entry, undone=undone)
            *repeats, again, written = at_once([late, write, write])
            assert {repeat.verdict for repeat in repeats} <= {"agrees", ""}
            assert (first.verdict, asked.verdict, again) == ("accepted", "", written)
            answers.append(written)
        return answers

    answers = at_once([partial(evening, token) for token in tokens])

    numbers = list(range(1, UNDONE + 1))
    assert answers == [[Answered(303, number, "accepted") for number in numbers]] * TABLES
    for token, table in zip(tokens, hall.read(site.data, tokens), strict=True):
        assert (table.last_number, table.hands, table.struck) == (UNDONE, numbers, [])
        assert table.standing == [str(entry) for entry in anew[token].values()]
        assert Counter(table.verdicts.values())["accepted"] == 2 * UNDONE
        assert table.conflicts == 0
    assert "0 differences" in hall.recount(site.data)


def test_fifty_phones_that_send_a_hand_that_was_undone_are_asked(site: Site) -> None:
    [token] = hall.seat(site.data, 1)
    phones = at_once([Phone(site.port, token).open_page] * PHONES)
    phones[0].report(1, (70, 50))
    undone = phones[0].undo(1)

    asked = at_once([partial(phone.report, 1, (70, 50)) for phone in phones])
    told = at_once([partial(phone.report, 1, (70, 50), undone=undone) for phone in phones])

    assert {(answer.status, answer.verdict) for answer in asked} == {(200, "")}
    assert Counter(answer.verdict for answer in told) == {"accepted": 1, "agrees": PHONES - 1}
    [table] = hall.read(site.data, [token])
    assert (table.hands, table.struck) == ([1], [])
    assert "0 differences" in hall.recount(site.data)
