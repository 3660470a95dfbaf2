"""What no game of Mambassa can break."""

from typing import Any

from hypothesis import given, settings, strategies as st

from games.errors import SheetError
from games.mambassa import GAME
from games.mambassa.cards import PACK
from games.mambassa.scoring import Session
from tests.games.mambassa.test_table import pays, table

CODES = tuple(map(str, PACK))
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 14) | st.sampled_from((*CODES, "normal", "x")),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=12,
)
FIELDS = (
    "event", "declarer", "payers", "hands", "monte", "knocker", "tokens", "pool", "dealer"
)  # fmt: skip
SHEETS = st.fixed_dictionaries({}, optional=dict.fromkeys((*FIELDS, "bare", "x"), ANYTHING))


@st.composite
def deals(draw: st.DrawFn, session: Session) -> dict[str, Any]:
    """Draw a deal that this table could have had, in any of the ways to write it down."""
    playing = session.stakes.playing
    event = draw(st.sampled_from(("normal", "normal", "mambassa", "quarantuna", "shown")))
    if event == "shown":
        cards = draw(st.permutations(CODES))
        hands = [
            cards[4 * seat : 4 * seat + 4] if seat in playing else None
            for seat in range(session.mode.seats)
        ]
        return {"hands": hands}
    if event == "mambassa":
        return {"event": event, "declarer": draw(st.sampled_from(playing))}
    if event == "normal":
        return pays(*draw(st.sets(st.sampled_from(playing), min_size=1)))
    declarer = draw(st.sampled_from(playing))
    others = [seat for seat in playing if seat != declarer]
    payers = draw(st.sets(st.sampled_from(others), min_size=1))
    return {"event": event, "declarer": declarer, "payers": sorted(payers)}


@settings(deadline=None)
@given(seats=st.integers(3, 8), spared=st.booleans(), length=st.integers(1, 30), data=st.data())
def test_s33_tokens_are_conserved_and_the_winner_takes_them_all(
    seats: int, spared: bool, length: int, data: st.DataObject
) -> None:
    session = table(seats, dealer=seats - 1, mambassa_spares_declarer=spared)
    left: list[int] = []  # in the order of leaving this game
    for _ in range(length):
        before = session
        sheet = data.draw(deals(session))
        scored = GAME.add_sheet(session, sheet)
        session = scored.session
        assert GAME.add_sheet(before, scored.sheet) == scored
        assert sum(session.tokens) + session.pool == 4 * seats
        assert session.pool >= seats
        assert session.dealer in session.stakes.playing
        assert scored.marks is not None
        sums = {key: sum(marked[key] for marked in scored.marks) for key in scored.marks[0]}
        if session.over:
            assert sums["tokens"] == 4 * seats
            assert sums["games"] == 1
            assert sums["outlasted"] == seats * (seats - 1)
            outlasted = [marked["outlasted"] for marked in scored.marks]
            assert [outlasted[seat] for seat in left] == sorted(outlasted[seat] for seat in left)
            left = []
        else:
            assert not any(sums.values())
            left += [seat for seat in before.stakes.playing if not session.tokens[seat]]


@settings(deadline=None)
@given(seats=st.integers(3, 8), paid=st.lists(st.integers(0, 7), max_size=12), data=st.data())
def test_s33_game_closed_by_its_order_is_worth_as_much(
    seats: int, paid: list[int], data: st.DataObject
) -> None:
    session = table(seats)
    for seat in paid:
        if seat in session.stakes.playing:
            session = GAME.add_sheet(session, pays(seat)).session
    order = data.draw(st.permutations(session.stakes.playing))
    scored = GAME.add_sheet(session, {"bare": list(order)})
    assert scored.marks is not None
    assert sum(marked["outlasted"] for marked in scored.marks) == seats * (seats - 1)
    assert scored.marks[order[0]]["tokens"] == 4 * seats
    assert GAME.add_sheet(session, scored.sheet) == scored


@settings(deadline=None)
@given(seats=st.integers(3, 5), length=st.integers(0, 10), data=st.data())
def test_session_kept_as_json_goes_on_alike(seats: int, length: int, data: st.DataObject) -> None:
    session = table(seats)
    for _ in range(length):
        session = GAME.add_sheet(session, data.draw(deals(session))).session
        saved = GAME.save_session(session)
        assert GAME.resume_session(session.mode, session.options, saved) == session


@settings(deadline=None)
@given(seats=st.integers(3, 5), out=st.booleans(), sheet=SHEETS | ANYTHING)
def test_whatever_comes_is_taken_in_or_refused(seats: int, out: bool, sheet: Any) -> None:
    session = table(seats)
    if out:
        for _ in range(3):
            session = GAME.add_sheet(session, pays(1)).session
    try:
        scored = GAME.add_sheet(session, sheet)
    except SheetError:
        return
    assert GAME.add_sheet(session, scored.sheet) == scored
