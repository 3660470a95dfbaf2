"""The rulings on counting and dealing that no other test names."""

import pytest

from games.albastini import GAME
from games.albastini.options import threshold
from games.counting import are_reachable
from games.errors import ModeError, SheetError
from tests.games.albastini.table import MODES, opened
from tests.games.book import open_table


def test_a2_four_may_play_in_pairs_or_alone() -> None:
    of_four = [mode.code for mode in GAME.modes({}) if mode.seats == 4]
    assert of_four == ["4t2", "4i"]  # the usual one first


@pytest.mark.parametrize("mode", MODES)
def test_a12_the_most_is_never_short(mode: str) -> None:
    sides = len(opened(mode).mode.sides)
    least_to_win = -(-109 // sides)  # with five, an ace may be left over
    assert least_to_win >= threshold(opened(mode).mode)


def test_r12_a14_a_session_is_as_long_as_people_like() -> None:
    session = opened("2i")
    for _ in range(30):
        session = GAME.add_sheet(session, {"eaten": [111, 9]}).session
    assert session.over is False


def test_r12_a15_everybody_of_a_side_is_credited() -> None:
    marks = GAME.add_sheet(opened("6t3"), {"eaten": [80, 40]}).marks
    assert marks is not None
    assert [mark["victory_points"] for mark in marks] == [1, 0, 1, 0, 1, 0]


def test_r13_eight_suits_are_another_game() -> None:
    with pytest.raises(ModeError):
        GAME.mode("8i", {})


def test_r14_r15_r16_whole_splits_are_decided_from_the_cards() -> None:
    three = [(a, b, 120 - a - b) for a in range(121) for b in range(121 - a)]
    impossible = [split for split in three if not are_reachable(split)]
    assert (len(impossible), len(three)) == (357, 7381)
    assert all(1 in split for split in impossible)


def test_r17_with_five_sides_there_is_more() -> None:
    assert not are_reachable([8, 9, 9, 9, 85])
    assert are_reachable([8, 9, 9, 10, 84])


def test_s11_s13_a_refused_sheet_leaves_nothing_and_a_good_one_the_next_deal() -> None:
    session = open_table(GAME, "4t2")
    with pytest.raises(SheetError):
        GAME.add_sheet(session, {"eaten": [70, 49]})
    after = GAME.add_sheet(session, {"eaten": [49, 71]}).session
    assert (after.may_deal, after.dealer) == ((1, 3), 1)


def test_s15_a_tournament_adds_up_points_then_wins_then_twos_then_the_share() -> None:
    keys = [criterion.key for criterion in GAME.ranking({}, False)]
    assert keys == ["victory_points", "won", "twos", "share"]
