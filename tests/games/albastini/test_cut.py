"""The cut for partners (A-3): the highest cards against the lowest, level ones drawn again."""

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st

from games.albastini import GAME
from games.albastini.cards import PACK, RANKS, parse_card
from games.albastini.cut import draw_seats
from games.game import SeatDraw
from games.wording import AtSeat

CUT = {**GAME.default_options(), "partners": "cut"}
ORDER = "".join(RANKS)  # R2, the weakest first
WITH_PARTNERS = ["4t2", "6t2", "6t3"]


class Stacked(Random):
    """Dice that shuffle the packs in these orders, one after another."""

    def __init__(self, *packs: Iterable[str]) -> None:
        super().__init__(0)
        self._packs = iter(packs)

    def sample(self, population: Sequence[Any], k: int, **_more: Any) -> list[Any]:
        first = [parse_card(code) for code in next(self._packs)]
        rest = [card for card in population if card not in first]
        return [*rest, *reversed(first)][-k:]


def cut(mode: str, rng: Random) -> SeatDraw:
    draw = draw_seats(GAME.mode(mode, CUT), CUT, rng)
    assert draw is not None
    return draw


def drawn(draw: SeatDraw) -> dict[int, list[int]]:
    """Return what everybody drew, one after another, as it is told."""
    strengths: dict[int, list[int]] = {}
    for line in draw.story:
        who, card = line.params["who"], line.params["card"]
        assert isinstance(who, AtSeat)
        assert ("again" in str(line)) == (who.seat in strengths)
        strengths.setdefault(who.seat, []).append(ORDER.index(str(card)[0]))
    return strengths


@pytest.mark.parametrize("mode", WITH_PARTNERS)
@given(seed=st.integers(0, 2**32))
def test_a3_the_highest_play_against_the_lowest(mode: str, seed: int) -> None:
    sides = GAME.mode(mode, CUT).sides
    draw = cut(mode, Random(seed))
    strengths = drawn(draw)
    assert sorted(draw.places) == sorted(strengths) == list(range(len(draw.places)))
    in_order = [draw.places[seat] for side in sides for seat in side]
    by_strength = [strengths[person] for person in in_order]
    assert by_strength == sorted(by_strength, reverse=True)
    assert draw == cut(mode, Random(seed))


@pytest.mark.parametrize("mode", WITH_PARTNERS)
@given(seed=st.integers(0, 2**32))
def test_a3_only_level_ones_draw_again_until_they_are_not(mode: str, seed: int) -> None:
    strengths = drawn(cut(mode, Random(seed)))
    for again in range(1, max(map(len, strengths.values())) + 1):
        before = Counter(tuple(cards[:again]) for cards in strengths.values())
        for cards in strengths.values():
            assert (len(cards) > again) == (
                before[tuple(cards[:again])] > 1 and len(cards) >= again
            )


def test_a3_a_cut_as_it_is_told() -> None:
    draw = cut("4t2", Stacked(["AS", "KH", "AD", "3C", "QH", "7D"]))
    assert draw.places == (2, 1, 0, 3)
    assert [str(line) for line in draw.story] == [
        "seat 0 draws A♠.",
        "seat 1 draws K♥.",
        "seat 2 draws A♦.",
        "seat 3 draws 3♣.",
        "seat 0 draws again, Q♥.",
        "seat 2 draws again, 7♦.",
    ]


def test_a3_a_pack_that_never_parts_them_is_shuffled_again() -> None:
    ranks_by_fours = [f"{rank}{suit}" for rank in ORDER for suit in "SHDC"]
    draw = cut("4t2", Stacked(ranks_by_fours, ["3S", "4S", "AS", "7S"]))
    assert len(draw.story) == len(PACK) + 4
    assert draw.places == (2, 1, 3, 0)


def test_a3_who_plays_alone_or_sits_as_the_house_seats_does_not_cut() -> None:
    for mode, options in (("2i", CUT), ("5i", CUT), ("4t2", GAME.default_options())):
        assert draw_seats(GAME.mode(mode, options), options, Random(1)) is None
