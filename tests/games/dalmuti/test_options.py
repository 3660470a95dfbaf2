"""Who may sit down, what is compared, and what is said."""

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from games.dalmuti import GAME
from games.sheet import Criterion
from tests.games.book import after
from tests.games.dalmuti.test_scoring import table


def test_three_to_ten_play_unless_the_house_says_more() -> None:
    usual = [mode.code for mode in GAME.modes(GAME.default_options())]
    more = GAME.modes(GAME.complete_options({"max_players": 20}))
    assert usual == [f"{seats}i" for seats in range(3, 11)]
    assert (len(more), more[-1].code, more[-1].name) == (18, "20i", "twenty, each alone")


def ranks(options: Any) -> list[tuple[str, bool]]:
    criteria: tuple[Criterion, ...] = GAME.ranking(GAME.complete_options(options), False)
    return [(criterion.key, criterion.fewest) for criterion in criteria]


def test_statuses_rank_unless_the_house_plays_for_points() -> None:
    statuses = [("dalmuti", False), ("slave", True), ("latest", True)]
    assert ranks({}) == statuses
    assert ranks({"dalmuti_points": "descending"}) == [("points", False), *statuses]
    assert ranks({"dalmuti_points": "rank"}) == [("points", True), *statuses]
    assert ranks({"dalmuti_points": "chips"}) == [("points", False), *statuses]


def ranks_across(options: Any, *, unequal: bool) -> list[str]:
    assert GAME.across is not None
    return [criterion.key for criterion in GAME.across(GAME.complete_options(options), unequal)]


@pytest.mark.parametrize("system", ["status", "descending", "rank"])
def test_several_tables_compare_by_points_and_unequal_ones_by_the_share(system: str) -> None:
    statuses = ["dalmuti", "slave", "latest"]
    assert ranks_across({"dalmuti_points": system}, unequal=False) == ["points", *statuses]
    assert ranks_across({"dalmuti_points": system}, unequal=True) == ["share", *statuses]


@pytest.mark.parametrize("system", ["status", "descending", "rank"])
def test_shares_of_tables_of_different_sizes_are_averaged_exactly(system: str) -> None:
    columns = GAME.columns(GAME.complete_options({"dalmuti_points": system}))
    sums: Counter[str] = Counter()
    for seats, place in ((4, 2), (20, 1), (3, 3)):  # 2/3, 1 and 0 of the others
        order = list(range(1, seats))
        order.insert(place - 1, 0)
        session = table(seats=seats, dalmuti_points=system, max_players=20)
        sums.update((GAME.add_sheet(session, {"order": order}).marks or [{}])[0])
    assert columns[-1].value(sums) == (Fraction(2, 3) + 1 + 0) / 3


def test_chips_are_for_four_and_compare_tables_of_any_size_without_a_share() -> None:
    house = {"dalmuti_points": "chips"}
    assert GAME.modes(GAME.complete_options(house))[0].code == "4i"
    assert ranks_across(house, unequal=True)[0] == "points"
    columns = GAME.columns(GAME.complete_options(house))
    assert [(column.key, column.label) for column in columns] == [
        ("points", "Chips"), ("dalmuti", "Dalmuti"), ("trader", "Trader"), ("slave", "Peon")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("word", "label", "now", "sentence"),
    [
        ("peon", "Peon", "now Peon", "seat 1 is left over, and is Peon."),
        ("slave", "Slave", "now Slave", "seat 1 is left over, and is Slave."),
        ("last", "Last", "now last", "seat 1 is left over."),
    ],
)
def test_the_last_is_called_what_the_house_calls_it(
    word: str, label: str, now: str, sentence: str
) -> None:
    session = table(last_word=word)
    scored = GAME.add_sheet(session, {"order": [2, 0, 3, 1]})
    columns = {column.key: column.label for column in GAME.columns(session.options)}
    assert columns["slave"] == label
    assert str(GAME.explain(session, scored.sheet)) == sentence
    notes = [note and str(note) for note in GAME.notes(scored.session).seats]
    assert notes == [None, now, "now Dalmuti", None]


@pytest.mark.parametrize("sheet", [{"order": [2, 0, 3, 1]}, {"bare": [2, 0, 3, 1]}])
def test_headline_names_the_dalmuti(sheet: Any) -> None:
    assert str(GAME.headline(table(), sheet)) == "seat 2 is Dalmuti"


def test_void_game_is_called_so_and_needs_no_explaining() -> None:
    void = {"bare": "void", "dealer": 0}
    assert str(GAME.headline(table(), void)) == "This game counts for nothing"
    assert GAME.explain(table(), void) is None


def test_nobody_knows_who_deals_next() -> None:
    (only,) = GAME.forecast(after(table(), {"order": [2, 0, 3, 1]}))
    assert (str(only.outcome), only.side, only.dealer) == ("whoever goes out last", None, None)


@pytest.mark.parametrize(
    ("seats", "extra", "sentence"),
    [
        (6, "dalmuti_end", "13 cards each"),
        (8, "dalmuti_end", "9 cards each, and one more for the first 6 to play"),
        (8, "slave_end", "9 cards each, and one more for the last 6 to play"),
    ],
)
def test_table_is_told_how_many_cards_to_deal(seats: int, extra: str, sentence: str) -> None:
    notes = GAME.notes(table(seats=seats, extra_cards=extra))
    assert str(notes.table) == sentence
    assert notes.seats == (None,) * seats
