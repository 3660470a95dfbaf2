"""Answers come from anywhere: what fits is read, and the rest refused with its place."""

from collections.abc import Callable
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


def test_a_sheet_is_a_set_of_known_answers() -> None:
    assert sheet_validation.answers_of({"a": 1, "dealer": 2}, {"a"}) == {"a": 1, "dealer": 2}
    assert refused(lambda: sheet_validation.answers_of({"b": 1}, {"a"})) == (
        "answer-unknown",
        None,
        None,
    )


@pytest.mark.parametrize("sheet", [None, [], "bare", 7])
def test_anything_else_is_no_sheet(sheet: Any) -> None:
    assert refused(lambda: sheet_validation.answers_of(sheet, {"a"}))[0] == "sheet-shape"


def test_a_short_sheet_is_known_by_its_key() -> None:
    assert sheet_validation.is_bare({"bare": None})
    assert not sheet_validation.is_bare({"eaten": [70, 50]})
    assert refused(lambda: sheet_validation.is_bare(["bare"]))[0] == "sheet-shape"


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (None, "answer-missing"),
        (True, "not-whole"),
        (7.0, "not-whole"),
        ("7", "not-whole"),
        ([7], "not-whole"),
        (-1, "negative"),
        (121, "too-high"),
    ],
)
def test_only_whole_numbers_within_bounds_are_read(value: Any, code: str) -> None:
    def read() -> int:
        return sheet_validation.whole_number(value, question="eaten", place=1, most=120)

    assert refused(read) == (code, "eaten", 1)


def test_a_whole_number_is_read() -> None:
    assert sheet_validation.whole_number(0, question="eaten", most=120) == 0
    assert sheet_validation.whole_number(120, question="eaten", most=120) == 120
    assert sheet_validation.whole_number(10**6, question="tokens") == 10**6


@pytest.mark.parametrize(("value", "code"), [(None, "answer-missing"), ({}, "not-listed")])
def test_a_list_must_be_one(value: Any, code: str) -> None:
    assert refused(lambda: sheet_validation.listed(value, question="eaten")) == (
        code,
        "eaten",
        None,
    )


def test_sides_and_seats_are_counted() -> None:
    assert sheet_validation.of_every_side([70, None], PAIRS, question="eaten") == (70, None)
    assert sheet_validation.of_every_seat((1, 2, 3, 4), PAIRS, question="bids") == (1, 2, 3, 4)
    assert refused(lambda: sheet_validation.of_every_side([1] * 4, PAIRS, question="eaten")) == (
        "sides",
        "eaten",
        None,
    )
    assert refused(lambda: sheet_validation.of_every_seat([1] * 2, PAIRS, question="bids")) == (
        "seats",
        "bids",
        None,
    )


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (None, "answer-missing"),
        (False, "seat-unknown"),
        (1.0, "seat-unknown"),
        ("1", "seat-unknown"),
        (4, "seat-unknown"),
        (-1, "seat-unknown"),
        ([1], "seat-unknown"),
    ],
)
def test_only_a_seat_of_the_table_is_read(value: Any, code: str) -> None:
    def read() -> int:
        return sheet_validation.seat(value, range(4), question="declarer", place=2)

    assert refused(read) == (code, "declarer", 2)


def test_whoever_may_be_named_is_named_in_the_refusal() -> None:
    with pytest.raises(SheetError) as refusal:
        sheet_validation.seat(5, (1, 3), question="declarer")
    said = spoken(refusal.value, seat=["Asha", "Neema", "Juma", "Ali"].__getitem__, side=str)
    assert said == "That player cannot be named here, but these can: Neema, Ali."


def test_seats_are_read_in_their_order_and_once() -> None:
    assert sheet_validation.seats([2, 0], range(4), question="order") == (2, 0)
    assert (
        refused(lambda: sheet_validation.seats([2, 5], range(4), question="order"))[0]
        == "seat-unknown"
    )
    assert refused(lambda: sheet_validation.seats([2, 2], range(4), question="order")) == (
        "seat-twice",
        "order",
        None,
    )


@pytest.mark.parametrize(
    ("value", "code"),
    [(None, "answer-missing"), ("green", "choice-unknown"), (1, "choice-unknown")],
)
def test_only_an_offered_word_is_read(value: Any, code: str) -> None:
    assert refused(lambda: sheet_validation.one_of(value, {"red"}, question="colour")) == (
        code,
        "colour",
        None,
    )


@pytest.mark.parametrize(
    ("value", "code"),
    [(None, "answer-missing"), ("as", "card-unknown"), (["AS"], "card-unknown")],
)
def test_only_a_card_of_the_pack_is_read(value: Any, code: str) -> None:
    def read() -> str:
        return sheet_validation.card(value, {"AS"}, question="bids", place=3)

    assert refused(read) == (code, "bids", 3)


def test_words_and_cards_are_read() -> None:
    assert sheet_validation.one_of("red", {"red"}, question="colour") == "red"
    assert sheet_validation.card("AS", {"AS"}, question="face_up") == "AS"


@pytest.mark.parametrize("bare", [0, 1, None, "void"])
def test_a_short_sheet_names_a_side_or_nobody_or_is_void(bare: Any) -> None:
    assert sheet_validation.bare_side({"bare": bare, "dealer": 3}, PAIRS) == bare


@pytest.mark.parametrize("bare", [2, -1, True, 1.0, "1", [0], {}])
def test_a_short_sheet_names_no_other_side(bare: Any) -> None:
    def read() -> object:
        return sheet_validation.bare_side({"bare": bare}, PAIRS)

    assert refused(read) == ("bare-unknown", "bare", None)


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
