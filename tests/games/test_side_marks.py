"""What a side has of a hand together, from the marks of its seats."""

from games.catalogue import GAMES
from games.sheet import Scope, side_marks


def test_a_mark_of_a_side_counts_once_and_one_of_a_seat_is_summed() -> None:
    marks = {0: {"won": 0, "twos": 1}, 2: {"won": 3, "twos": 2, "fined": 1}, 3: {"won": 9}}
    assert side_marks(marks, (0, 2), {"twos", "fined"}) == {"won": 3, "twos": 3, "fined": 1}
    assert side_marks(marks, (), {"twos"}) == {}


def test_every_game_says_which_marks_are_of_a_seat() -> None:
    for game in GAMES.values():
        assert game.seat_scoped == {mark.key for mark in game.marks if mark.scope is Scope.SEAT}
