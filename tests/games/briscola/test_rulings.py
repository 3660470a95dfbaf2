"""The rules of counting and of sheets that no other test names."""

import pytest

from games.briscola import GAME
from games.counting import are_reachable
from games.errors import SheetError
from tests.games.briscola.table import opened


def test_r7_whole_splits_are_decided_from_the_cards() -> None:
    pairs = [(a, 120 - a) for a in range(121)]
    three = [(a, b, 120 - a - b) for a in range(121) for b in range(121 - a)]
    assert [split for split in pairs if not are_reachable(split)] == [(1, 119), (119, 1)]
    impossible = [split for split in three if not are_reachable(split)]
    assert (len(impossible), len(three)) == (357, 7381)
    assert all(1 in split for split in impossible)


@pytest.mark.parametrize(
    ("points", "winners"),
    [([61, 59], [0]), ([60, 60], []), ([40, 41, 39], [1]), ([50, 50, 20], [])],
)
def test_r8_most_wins_and_level_at_the_top_is_a_draw(points: list[int], winners: list[int]) -> None:
    marks = GAME.add_sheet(opened(f"{len(points)}i"), {"points": points}).marks
    assert marks is not None
    assert [seat for seat, mark in enumerate(marks) if mark["won"]] == winners
    assert {mark["drawn"] for mark in marks} == ({0} if winners else {1})


def test_s1_s41_a_refused_sheet_leaves_nothing() -> None:
    with pytest.raises(SheetError) as refusal:
        GAME.add_sheet(opened("4t2"), {"points": [70, None]})
    assert refusal.value.code == "not-counted"


def test_s2_a_dealer_out_of_turn_is_warned_about() -> None:
    scored = GAME.add_sheet(opened("4t2"), {"points": [70, 50], "dealer": 2})
    assert [warning.code for warning in scored.warnings] == ["dealer-not-by-rule"]
    assert scored.session.dealer == 3


def test_s40_s42_s43_a_deal_leaves_who_won_and_the_match() -> None:
    session = opened("2i")
    for _ in range(3):
        session = GAME.add_sheet(session, {"points": [70, 50], "face_up": "13B"}).session
    assert (session.wins, session.over) == ((3, 0), True)
    keys = [each.key for each in GAME.ranking({}, False)]
    assert keys == ["matches", "head_to_head", "won", "points"]
