"""Games written down one after another: what is asked, refused, kept and passed on."""

from typing import Any

import pytest

from games.dalmuti import GAME
from games.dalmuti.scoring import SHARE, Session
from games.errors import ModeError, OptionError, SheetError
from games.mode import individuals
from games.sheet import Sheet
from tests.games.book import after, open_table


def table(seats: int = 4, dealer: int = 0, **house: Any) -> Session:
    session: Session = open_table(GAME, f"{seats}i", house, dealer)
    return session


def refusal(session: Session, sheet: Any) -> SheetError:
    with pytest.raises(SheetError) as refused:
        GAME.add_sheet(session, sheet)
    return refused.value


def test_s22_slave_deals_and_dalmuti_leads_the_next_game() -> None:
    session = after(table(), {"order": [2, 0, 3]})
    assert (session.order, session.leader) == ((2, 0, 3, 1), 2)
    assert (session.dealer, session.may_deal, session.over) == (1, (1,), False)


def test_first_game_may_be_dealt_by_anybody_and_is_led_by_the_next_seat() -> None:
    session = table(dealer=3)
    assert (session.dealer, session.may_deal, session.leader) == (3, (0, 1, 2, 3), 0)


@pytest.mark.parametrize("start", [{"opening": [3, 1, 0]}, {"draw": [[7], [4], [9], [2]]}])
def test_slave_of_the_first_order_deals_the_first_game(start: dict[str, Any]) -> None:
    scored = GAME.add_sheet(table(dealer=0), {"order": [0, 1, 2, 3], **start})
    assert scored.sheet["opening"] == [3, 1, 0, 2]
    assert (scored.sheet["dealer"], scored.warnings) == (2, ())


@pytest.mark.parametrize(
    "sheet", [{"order": [2, 0, 3, 1]}, {"bare": [2, 0, 3, 1]}, {"bare": "void"}]
)
def test_s2_who_dealt_a_first_game_is_unknown_unless_the_sheet_tells(sheet: Sheet) -> None:
    drawn, same, named = (
        GAME.add_sheet(table(dealer=3), {**sheet, **dealer})
        for dealer in ({}, {"dealer": None}, {"dealer": 2})
    )
    assert (drawn.sheet, drawn.warnings) == ({**sheet, "dealer": None}, ())
    assert same == drawn
    assert (named.sheet, named.warnings) == ({**sheet, "dealer": 2}, ())
    assert drawn.session == (table(dealer=3) if sheet == {"bare": "void"} else named.session)


def test_s2_the_dealer_of_a_later_game_is_the_slave_also_where_the_first_had_none() -> None:
    second = GAME.add_sheet(after(table(), {"order": [2, 0, 3, 1]}), {"order": [0, 1, 2, 3]})
    after_void = GAME.add_sheet(after(table(), {"bare": "void"}), {"order": [0, 1, 2, 3]})
    assert (second.sheet["dealer"], after_void.sheet["dealer"]) == (1, None)


def test_s2_another_dealer_than_the_slave_is_kept_with_a_warning() -> None:
    session, sheet = after(table(), {"order": [2, 0, 3, 1]}), {"order": [0, 1, 2, 3]}
    scored = GAME.add_sheet(session, {**sheet, "dealer": 2})
    assert scored.sheet["dealer"] == 2
    assert [warning.code for warning in scored.warnings] == ["dealer-not-by-rule"]
    assert scored.session.dealer == 3
    drawn = GAME.add_sheet(table(), {**sheet, "opening": [3, 1, 0, 2], "dealer": 0})
    assert [warning.code for warning in drawn.warnings] == ["dealer-not-by-rule"]


def test_d11_s23_marks_of_a_game() -> None:
    scored = GAME.add_sheet(table(seats=3), {"order": [1, 2, 0]})

    keys = ("dalmuti", "trader", "slave", "place", "points", "latest", "share", "shares")
    rows = (
        (0, 0, 1, 3, 0, 3, 0, 1),
        (1, 0, 0, 1, 2, 1, SHARE, 1),
        (0, 1, 0, 2, 1, 2, SHARE // 2, 1),
    )
    assert scored.marks == tuple(dict(zip(keys, row, strict=True)) for row in rows)


def test_d12_latest_adds_up_to_the_place_in_the_last_game() -> None:
    session, sums = table(seats=3), [0, 0, 0]
    for order in ([1, 2, 0], [0, 2, 1], [2, 1, 0]):
        scored = GAME.add_sheet(session, {"order": order})
        assert scored.marks is not None
        session = scored.session
        sums = [total + marked["latest"] for total, marked in zip(sums, scored.marks, strict=True)]
    assert sums == [3, 2, 1]


@pytest.mark.parametrize(
    ("counts", "dalmuti", "trader", "slave"),
    [(False, [1, 0, 0], [0, 1, 0], [0, 0, 1]), (True, [1, 0, 1], [0, 2, 0], [1, 0, 1])],
)
def test_opening_draw_counts_only_if_the_house_says_so(
    counts: bool, dalmuti: list[int], trader: list[int], slave: list[int]
) -> None:
    session = table(seats=3, count_opening_draw=counts)
    marks = GAME.add_sheet(session, {"order": [0, 1, 2], "opening": [2, 1, 0]}).marks
    statuses = [[each[status] for each in marks or ()] for status in ("dalmuti", "trader", "slave")]
    assert statuses == [dalmuti, trader, slave]


def test_opening_repeated_with_a_later_game_is_not_counted_again() -> None:
    session = after(table(seats=3, count_opening_draw=True), {"order": [0, 1, 2]})
    scored = GAME.add_sheet(session, {"order": [1, 0, 2], "opening": [0, 1, 2]})
    assert scored.marks is not None
    assert sum(marked["dalmuti"] for marked in scored.marks) == 1


def test_bare_order_is_as_good_as_a_counted_one() -> None:
    bare = GAME.add_sheet(table(), {"bare": [2, 0, 3]})
    counted = GAME.add_sheet(table(), {"order": [2, 0, 3]})
    assert bare.sheet == {"bare": [2, 0, 3, 1], "dealer": None}
    assert (bare.session, bare.marks) == (counted.session, counted.marks)


def test_void_game_gives_nothing_and_is_dealt_again() -> None:
    session = after(table(), {"order": [2, 0, 3, 1]})
    scored = GAME.add_sheet(session, {"bare": "void"})
    assert (scored.session, scored.marks) == (session, None)
    assert scored.sheet == {"bare": "void", "dealer": 1}
    again = after(session, {"bare": "void", "dealer": 3})
    assert (again.dealer, again.leader) == (3, 2)  # whoever dealt deals again


@pytest.mark.parametrize(
    ("sheet", "code", "question"),
    [
        ({"order": [0, 1, 1]}, "seat-twice", "order"),
        ({"order": [0, 1, 4]}, "seat-unknown", "order"),
        ({"order": [0, 1, True]}, "seat-unknown", "order"),
        ({}, "answer-missing", "order"),
        ({"order": "012"}, "not-listed", "order"),
        ({"order": [0, 1]}, "order-short", "order"),
        ({"order": [0, 1, 2, 3, 0]}, "seat-twice", "order"),
        ({"bare": [0, 1]}, "order-short", "bare"),
        ({"bare": None}, "answer-missing", "bare"),
        ({"bare": [0, 1, 2], "order": [0, 1, 2]}, "answer-unknown", None),
        ({"order": [0, 1, 2], "taxes": 2}, "answer-unknown", None),
        ({"order": [0, 1, 2], "dealer": 9}, "seat-unknown", "dealer"),
        ({"order": [0, 1, 2], "opening": [1, 1, 2]}, "seat-twice", "opening"),
        ({"order": [0, 1, 2], "draw": [[1], [2], [3]]}, "seats", "draw"),
        ({"order": [0, 1, 2], "draw": [[1], [2], [3], 4]}, "not-listed", "draw"),
        ({"order": [0, 1, 2], "draw": [[1], [2], [3], ["4"]]}, "draw-card", "draw"),
        ({"order": [0, 1, 2], "draw": [[1], [13], [3], [4]]}, "draw-card", "draw"),
        ({"order": [0, 1, 2], "draw": [[2, 5], [2, 6], [2, 7], [3]]}, "draw-copies", "draw"),
        ({"order": [0, 1, 2], "draw": [[2], [], [4], [3]]}, "answer-missing", "draw"),
        (
            {"order": [0, 1, 2], "opening": [0, 1, 2, 3], "draw": [[2], [1], [3], [4]]},
            "opening-draw",
            "opening",
        ),
        ([0, 1, 2], "sheet-shape", None),
    ],
)
def test_s21_sheet_no_game_could_leave_is_refused(
    sheet: Any, code: str, question: str | None
) -> None:
    error = refusal(table(), sheet)
    assert (error.code, error.question) == (code, question)


def test_draw_that_gives_the_order_written_is_kept_with_it() -> None:
    sheet = {"order": [0, 1, 2], "opening": [1, 0], "draw": [[2], [1], [3]]}
    scored = GAME.add_sheet(table(seats=3), sheet)
    assert scored.sheet == {
        "order": [0, 1, 2], "opening": [1, 0, 2], "draw": [[2], [1], [3]], "dealer": 2
    }  # fmt: skip


def test_new_playing_order_in_a_later_game_is_refused() -> None:
    session = after(table(), {"order": [2, 0, 3, 1]})
    error = refusal(session, {"order": [0, 1, 2, 3], "opening": [0, 1, 2, 3]})
    assert error.code == "opening-late"


def test_three_cannot_play_for_chips() -> None:
    options = GAME.complete_options({"dalmuti_points": "chips"})
    with pytest.raises(OptionError) as refused:
        GAME.open_session(individuals(3, "three, each alone"), options, 0, ())
    assert refused.value.code == "chips-three"


def test_more_than_the_house_seats_are_refused() -> None:
    house = GAME.complete_options({"max_players": 11})
    eleven = GAME.mode("11i", house)
    with pytest.raises(ModeError) as refused:
        GAME.open_session(eleven, GAME.default_options(), 0, ())
    assert refused.value.code == "table-size"
    assert GAME.open_session(eleven, house, 0, ()).mode is eleven


def test_first_game_is_asked_for_both_orders_and_the_next_in_playing_order() -> None:
    first = table()
    second = after(first, {"order": [2, 0, 3, 1]})
    order, opening = GAME.questions(first)
    (again,) = GAME.questions(second)
    assert (order.name, order.count, order.required) == ("order", (3, 4), True)
    assert (opening.name, opening.required, opening.aside) == ("opening", False, True)
    assert getattr(again, "seats") == (2, 0, 3, 1)  # noqa: B009 - an Order, as the next line says
    assert type(again).__name__ == "Order"
    assert (GAME.bare_question(second).name, GAME.bare_question(second).count) == ("bare", (3, 4))
