"""Sentences of the engines, with the names of people in them."""

from typing import Any

import pytest

from games.errors import SheetError
from games.mode import individuals, teams
from games.wording import AtSeat, OnSide, Text
from tracker.common.wording import Names, names_of, say, together

PEOPLE = ("Asha", "Neema", "Juma", "Baraka")
NAMED = names_of(teams(4, 2, "four in two pairs"), PEOPLE)


WHO_GOES_OUT = Text("%(who)s goes out first", {"who": AtSeat(3)})
REFUSED = SheetError("seat-twice", "%(who)s is named twice.", question="order", who=AtSeat(2))
DEALT = "%(who)s dealt, %(side)s win · %(points)d"


def test_sides_are_called_by_their_people_in_the_order_they_sit() -> None:
    assert Names(PEOPLE, ("Asha & Juma", "Neema & Baraka")) == NAMED
    assert names_of(individuals(3, "three"), PEOPLE[:3]).sides == ("Asha", "Neema", "Juma")
    assert [together(["Asha", "Juma", "Ali"][:many]) for many in range(4)] == [
        *("", "Asha", "Asha & Juma", "Asha, Juma & Ali"),
    ]


@pytest.mark.parametrize(
    ("sentence", "names", "said"),
    [
        (
            Text(DEALT, {"who": AtSeat(1), "side": OnSide(0), "points": 2}),
            NAMED,
            "Neema dealt, Asha & Juma win · 2",
        ),
        (Text("If %(what)s", {"what": WHO_GOES_OUT}), NAMED, "If Baraka goes out first"),
        (REFUSED, NAMED, "Juma is named twice."),
        ("Who won?", NAMED, "Who won?"),
        ("", NAMED, ""),
        # A seat that nobody took is named by its number from one.
        (Text("%(a)s, %(b)s", {"a": AtSeat(4), "b": OnSide(0)}), Names((), ()), "Seat 5, Side 1"),
        # A percent sign in a name is left alone.
        (
            Text("%(who)s deals", {"who": AtSeat(0)}),
            Names(("100%(who)s",), ("100%(who)s",)),
            "100%(who)s deals",
        ),
    ],
)
def test_seats_and_sides_in_a_sentence_become_names(sentence: Any, names: Names, said: str) -> None:
    assert say(sentence, names) == said
