"""What no game of Mambassa can break."""

from typing import Any

from hypothesis import given, settings, strategies as st

from games.mambassa import GAME
from games.mambassa.cards import PACK
from games.mambassa.scoring import Session
from tests.games.mambassa.test_table import pays, table

CODES = tuple(map(str, PACK))


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
