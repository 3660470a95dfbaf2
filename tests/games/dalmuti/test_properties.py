"""What no evening of Dalmuti can break."""

from typing import Any

from hypothesis import given, settings, strategies as st

from games.dalmuti import GAME
from games.dalmuti.scoring import Session
from games.errors import SheetError
from tests.games.dalmuti.test_scoring import table

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 14) | st.text(max_size=3) | st.floats(),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=12,
)
SHEETS = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(("order", "opening", "draw", "bare", "dealer", "x"), ANYTHING),
)


@st.composite
def evenings(draw: st.DrawFn) -> tuple[Session, list[dict[str, Any]]]:
    seats = draw(st.integers(3, 10))
    orders = st.permutations(range(seats))
    counted = st.fixed_dictionaries(
        {"order": orders}, optional={"dealer": st.integers(0, seats - 1)}
    )
    bare = st.fixed_dictionaries({"bare": st.just("void") | orders})
    sheets: list[dict[str, Any]] = draw(st.lists(counted | bare, max_size=8))
    if sheets and "order" in sheets[0] and draw(st.booleans()):
        sheets[0] = {**sheets[0], "opening": draw(orders)}
    house = {
        "dalmuti_points": draw(st.sampled_from(("status", "descending", "rank"))),
        "last_word": "slave",
    }
    return table(seats=seats, dealer=draw(st.integers(0, seats - 1)), **house), sheets


@settings(deadline=None)
@given(evenings())
def test_statuses_and_points_are_conserved(evening: tuple[Session, list[dict[str, Any]]]) -> None:
    session, sheets = evening
    seats = session.mode.seats
    for sheet in sheets:
        scored = GAME.add_sheet(session, sheet)
        session = scored.session
        if scored.marks is None:
            continue
        sums = {mark.key: sum(marked[mark.key] for marked in scored.marks) for mark in GAME.marks}
        assert (sums["dalmuti"], sums["trader"], sums["slave"]) == (1, seats - 2, 1)  # S23
        assert sums["points"] == seats * (seats - 1) // 2
        assert sums["place"] == seats * (seats + 1) // 2
        assert all(set(marked) == {mark.key for mark in GAME.marks} for marked in scored.marks)


@settings(deadline=None)
@given(evenings())
def test_completed_sheet_says_the_same_again(evening: tuple[Session, list[dict[str, Any]]]) -> None:
    session, sheets = evening
    for sheet in sheets:
        scored = GAME.add_sheet(session, sheet)
        assert GAME.add_sheet(session, scored.sheet) == scored
        saved = GAME.save_session(scored.session)
        session = GAME.resume_session(session.mode, session.options, saved)
        assert session == scored.session


@settings(deadline=None)
@given(seats=st.integers(3, 5), played=st.booleans(), sheet=SHEETS | ANYTHING)
def test_whatever_comes_is_taken_in_or_refused(seats: int, played: bool, sheet: Any) -> None:
    session = table(seats=seats)
    if played:
        session = GAME.add_sheet(session, {"order": list(range(seats))}).session
    try:
        scored = GAME.add_sheet(session, sheet)
    except SheetError:
        return
    assert GAME.add_sheet(session, scored.sheet) == scored
