"""Whose deal it is, over an evening (R11, A-13, S14)."""

import pytest
from hypothesis import given, settings, strategies as st

from games.albastini import GAME
from games.albastini.options import threshold
from games.option import Options
from games.sheet import Sheet
from tests.games.book import open_table

RULES: Options = {"allow_6i": True}
MODES = [mode.code for mode in GAME.modes(RULES)]


@st.composite
def sheets(draw: st.DrawFn, mode: str) -> Sheet:
    """Return a sheet of whole cards dealt out among the sides, or a bare one."""
    sides = len(GAME.mode(mode, RULES).sides)
    if draw(st.integers(0, 9)) == 0:
        return {"bare": draw(st.sampled_from([*range(sides), None, "void"]))}
    taken = draw(st.lists(st.integers(0, sides - 1), min_size=20, max_size=20))
    eaten = [0] * sides
    for card, side in zip([11, 10, 4, 3, 2] * 4, taken, strict=True):
        eaten[side] += card
    return {"eaten": eaten, "face_up": "3"}


@pytest.mark.parametrize("mode", MODES)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_points_go_to_one_side_or_to_nobody(mode: str, data: st.DataObject) -> None:
    session = open_table(GAME, mode, RULES)
    sheet = data.draw(sheets(mode))
    scored = GAME.add_sheet(session, sheet)
    assert GAME.add_sheet(session, scored.sheet) == scored
    if scored.marks is None:
        assert sheet == {"bare": "void"}
        return
    points = [scored.marks[seats[0]]["victory_points"] for seats in session.mode.sides]
    assert max(points) in {0, 1, 2}
    assert sum(value > 0 for value in points) <= 1
    # S14: nobody scores exactly when the top is shared.
    assert (max(points) == 0) == bool(scored.marks[0]["tied"])
    if "eaten" in sheet and max(points):
        assert points.index(max(points)) == sheet["eaten"].index(max(sheet["eaten"]))
        assert (max(points) == 2) == (min(sheet["eaten"]) < threshold(session.mode))


@pytest.mark.parametrize("mode", MODES)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_the_next_dealer_may_deal_and_waited_longest(mode: str, data: st.DataObject) -> None:
    session = open_table(GAME, mode, RULES)
    last: dict[int, int] = {}
    for number in range(data.draw(st.integers(1, 12))):
        scored = GAME.add_sheet(session, data.draw(sheets(mode)))
        last[scored.sheet["dealer"]] = number
        session = scored.session
        assert session.dealer in session.may_deal
        assert scored.warnings == ()
        waited = {seat: last.get(seat, -1) for seat in session.may_deal}
        assert waited[session.dealer] == min(waited.values())
