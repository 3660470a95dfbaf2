"""Answers come from anywhere: what fits is read, and the rest refused with its place."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from games import sheet_validation
from games.albastini import GAME
from games.errors import SheetError
from games.mode import teams
from games.wording import spoken
from tests.games.book import open_table

PAIRS = teams(4, 2, "four in two pairs")


def refused(read: Callable[[], object]) -> tuple[str, str | None, int | None]:
    """Return the code of the refusal, and beside which answer it belongs."""
    with pytest.raises(SheetError) as refusal:
        read()
    return refusal.value.code, refusal.value.question, refusal.value.place


REFUSED: list[tuple[str, Callable[[Any], object], dict[str, list[Any]]]] = [
    (
        "a sheet",
        lambda sheet: sheet_validation.answers_of(sheet, {"a"}),
        {"answer-unknown": [{"b": 1}], "sheet-shape": [None, [], "bare", 7]},
    ),
    ("a short sheet", sheet_validation.is_bare, {"sheet-shape": [["bare"]]}),
    (
        "eaten 1",
        lambda value: sheet_validation.whole_number(value, question="eaten", place=1, most=120),
        {
            "answer-missing": [None],
            "not-whole": [True, 7.0, "7", [7]],
            "negative": [-1],
            "too-high": [121],
        },
    ),
    (
        "eaten",
        lambda value: sheet_validation.listed(value, question="eaten"),
        {"answer-missing": [None], "not-listed": [{}]},
    ),
    (
        "eaten",
        lambda value: sheet_validation.of_every_side(value, PAIRS, question="eaten"),
        {"sides": [[1] * 4]},
    ),
    (
        "bids",
        lambda value: sheet_validation.of_every_seat(value, PAIRS, question="bids"),
        {"seats": [[1] * 2]},
    ),
    (
        "declarer 2",
        lambda value: sheet_validation.seat(value, range(4), question="declarer", place=2),
        {"answer-missing": [None], "seat-unknown": [False, 1.0, "1", 4, -1, [1]]},
    ),
    (
        "order",
        lambda value: sheet_validation.seats(value, range(4), question="order"),
        {"seat-unknown": [[2, 5]], "seat-twice": [[2, 2]]},
    ),
    (
        "colour",
        lambda value: sheet_validation.one_of(value, {"red"}, question="colour"),
        {"answer-missing": [None], "choice-unknown": ["green", 1]},
    ),
    (
        "bids 3",
        lambda value: sheet_validation.card(value, {"AS"}, question="bids", place=3),
        {"answer-missing": [None], "card-unknown": ["as", ["AS"]]},
    ),
    (
        "bare",
        lambda value: sheet_validation.bare_side({"bare": value}, PAIRS),
        {"bare-unknown": [2, -1, True, 1.0, "1", [0], {}]},
    ),
]


def test_what_fits_is_read() -> None:
    assert sheet_validation.answers_of({"a": 1, "dealer": 2}, {"a"}) == {"a": 1, "dealer": 2}
    assert sheet_validation.is_bare({"bare": None})
    assert not sheet_validation.is_bare({"eaten": [70, 50]})
    assert sheet_validation.whole_number(0, question="eaten", most=120) == 0
    assert sheet_validation.whole_number(120, question="eaten", most=120) == 120
    assert sheet_validation.whole_number(10**6, question="tokens") == 10**6
    assert sheet_validation.of_every_side([70, None], PAIRS, question="eaten") == (70, None)
    assert sheet_validation.of_every_seat((1, 2, 3, 4), PAIRS, question="bids") == (1, 2, 3, 4)
    assert sheet_validation.seats([2, 0], range(4), question="order") == (2, 0)
    assert sheet_validation.one_of("red", {"red"}, question="colour") == "red"
    assert sheet_validation.card("AS", {"AS"}, question="face_up") == "AS"
    for bare in (0, 1, None, "void"):
        assert sheet_validation.bare_side({"bare": bare, "dealer": 3}, PAIRS) == bare


@pytest.mark.parametrize(("beside", "read", "answers"), REFUSED)
def test_what_does_not_fit_is_refused_beside_its_answer(
    beside: str, read: Callable[[Any], object], answers: dict[str, list[Any]]
) -> None:
    question, _, place = beside.partition(" ")
    for code, values in answers.items():
        for value in values:
            error = refused(partial(read, value))
            if question == "a":
                assert error == (code, None, None)
            else:
                assert error == (code, question, int(place) if place else None)


def test_whoever_may_be_named_is_named_in_the_refusal() -> None:
    with pytest.raises(SheetError) as refusal:
        sheet_validation.seat(5, (1, 3), question="declarer")
    said = spoken(refusal.value, seat=["Asha", "Neema", "Juma", "Ali"].__getitem__, side=str)
    assert said == "That player cannot be named here, but these can: Neema, Ali."


def test_whoever_is_named_dealt_and_otherwise_whose_turn_it_was() -> None:
    session = open_table(GAME, "4t2", dealer=3)
    assert sheet_validation.dealer_of({}, session) == (3, ())
    assert sheet_validation.dealer_of({"dealer": None}, session) == (3, ())
    assert sheet_validation.dealer_of({"dealer": 3}, session) == (3, ())
    dealer, (warning,) = sheet_validation.dealer_of({"dealer": 0}, session)
    assert (dealer, warning.code) == (0, "dealer-not-by-rule")
    assert str(warning.text) == "seat 0 dealt, but it was seat 3’s turn to deal."
    assert refused(lambda: sheet_validation.dealer_of({"dealer": 4}, session)) == (
        "seat-unknown",
        "dealer",
        None,
    )
