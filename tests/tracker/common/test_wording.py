"""Sentences of the engines, with the names of people in them."""

import pytest

from games.errors import SheetError
from games.mode import individuals, teams
from games.wording import AtSeat, OnSide, Text
from tracker.common.wording import Names, names_of, say, together

PEOPLE = ("Asha", "Neema", "Juma", "Baraka")
NAMED = names_of(teams(4, 2, "four in two pairs"), PEOPLE)


def test_a_side_is_called_by_its_people_in_the_order_they_sit() -> None:
    assert Names(PEOPLE, ("Asha & Juma", "Neema & Baraka")) == NAMED


def test_somebody_alone_is_a_side_of_that_name() -> None:
    assert names_of(individuals(3, "three"), PEOPLE[:3]).sides == ("Asha", "Neema", "Juma")


@pytest.mark.parametrize(
    ("people", "phrase"),
    [
        ([], ""),
        (["Asha"], "Asha"),
        (["Asha", "Juma"], "Asha & Juma"),
        (["Asha", "Juma", "Ali"], "Asha, Juma & Ali"),
    ],
)
def test_people_together_make_a_phrase(people: list[str], phrase: str) -> None:
    assert together(people) == phrase


def test_seats_and_sides_in_a_sentence_become_names() -> None:
    text = Text("%(who)s dealt, %(side)s win · %(points)d", {
        "who": AtSeat(1), "side": OnSide(0), "points": 2,
    })  # fmt: skip

    assert say(text, NAMED) == "Neema dealt, Asha & Juma win · 2"


def test_a_sentence_within_a_sentence_is_said_too() -> None:
    inner = Text("%(who)s goes out first", {"who": AtSeat(3)})

    assert say(Text("If %(what)s", {"what": inner}), NAMED) == "If Baraka goes out first"


def test_a_refusal_is_said_like_any_sentence() -> None:
    refusal = SheetError("seat-twice", "%(who)s is named twice.", question="order", who=AtSeat(2))

    assert say(refusal, NAMED) == "Juma is named twice."


def test_a_plain_label_is_said_as_it_stands_and_nothing_stays_nothing() -> None:
    assert (say("Who won?", NAMED), say("", NAMED)) == ("Who won?", "")


def test_a_seat_nobody_took_is_named_by_its_number_from_one() -> None:
    nobody = Names((), ())

    assert say(Text("%(a)s, %(b)s", {"a": AtSeat(4), "b": OnSide(0)}), nobody) == "Seat 5, Side 1"


def test_a_percent_sign_in_a_name_is_left_alone() -> None:
    names = Names(("100%(who)s",), ("100%(who)s",))

    assert say(Text("%(who)s deals", {"who": AtSeat(0)}), names) == "100%(who)s deals"
