"""What no evening of Dalmuti can break."""

from typing import Any

from hypothesis import given, settings, strategies as st

from games.dalmuti import GAME
from tests.games.dalmuti.test_scoring import table


@settings(deadline=None)
@given(data=st.data(), seats=st.integers(3, 10))
def test_s23_statuses_and_points_are_conserved(data: st.DataObject, seats: int) -> None:
    orders = st.permutations(range(seats))
    counted = st.fixed_dictionaries(
        {"order": orders}, optional={"dealer": st.integers(0, seats - 1)}
    )
    bare = st.fixed_dictionaries({"bare": st.just("void") | orders})
    sheets: list[dict[str, Any]] = data.draw(st.lists(counted | bare, max_size=8))
    if sheets and "order" in sheets[0] and data.draw(st.booleans()):
        sheets[0] = {**sheets[0], "opening": data.draw(orders)}
    system = data.draw(st.sampled_from(("status", "descending", "rank")))
    session = table(seats, data.draw(st.integers(0, seats - 1)), dalmuti_points=system)
    for sheet in sheets:
        scored = GAME.add_sheet(session, sheet)
        session = scored.session
        if scored.marks is None:
            continue
        sums = {mark.key: sum(marked[mark.key] for marked in scored.marks) for mark in GAME.marks}
        assert (sums["dalmuti"], sums["trader"], sums["slave"]) == (1, seats - 2, 1)
        assert sums["points"] == seats * (seats - 1) // 2
        assert sums["place"] == seats * (seats + 1) // 2
