from collections.abc import Iterator
from itertools import permutations

import pytest

from games.counting import ALL_POINTS, are_reachable

# R15: a cell is unattainable and all sets, and unattainable without a side on 1.
TABLE = [
    (120, {2: (1, 61), 3: (60, 1261), 4: (1240, 13561), 5: (13231, 91606)}, 1),
    (118, {2: (1, 60), 3: (59, 1220), 4: (1200, 12920), 5: (12625, 85987)}, 25),
    (117, {2: (1, 59), 3: (59, 1200), 4: (1180, 12600), 5: (12345, 83273)}, 45),
    (116, {2: (1, 59), 3: (58, 1180), 4: (1160, 12300), 5: (12019, 80631)}, 29),
    (110, {2: (1, 56), 3: (55, 1064), 4: (1045, 10559), 5: (10280, 66055)}, 1),
    (109, {2: (1, 55), 3: (55, 1045), 4: (1027, 10279), 5: (10019, 63829)}, 1),
]
# R15 again, with the sides told apart.
ORDERED = [
    (120, {2: (2, 121), 3: (357, 7381), 4: (28330, 302621), 5: (1405995, 9381251)}, 20),
    (118, {2: (2, 119), 3: (351, 7140), 4: (27386, 287980), 5: (1337120, 8783390)}, 795),
    (117, {2: (2, 118), 3: (348, 7021), 4: (26920, 280840), 5: (1303985, 8495410)}, 1605),
    (116, {2: (2, 117), 3: (345, 6903), 4: (26458, 273819), 5: (1270120, 8214570)}, 1105),
    (110, {2: (2, 111), 3: (327, 6216), 4: (23770, 234136), 5: (1080745, 6672876)}, 20),
    (109, {2: (2, 110), 3: (324, 6105), 4: (23336, 227920), 5: (1051300, 6438740)}, 20),
]
CARDS = [11, 10, 4, 3, 2] * 4


def splits(total: int, sides: int, least: int = 0) -> Iterator[tuple[int, ...]]:
    """Yield every split of *total*, order ignored: each from its smallest up."""
    if sides == 1:
        yield (total,)
        return
    for first in range(least, total // sides + 1):
        for others in splits(total - first, sides - 1, first):
            yield (first, *others)


def orders(split: tuple[int, ...]) -> int:
    """Count the ways to tell the sides of a split apart."""
    ways, run = 1, 0
    for place, total in enumerate(split, 1):
        run = run + 1 if place > 1 and total == split[place - 2] else 1
        ways = ways * place // run
    return ways


def dealt_out(cards: list[int], sides: int) -> set[tuple[int, ...]]:
    """Return every split that comes of giving out these cards one by one."""
    reached = {(0,) * sides}
    for card in cards:
        reached = {
            tuple(sorted((*split[:side], split[side] + card, *split[side + 1 :])))
            for split in reached
            for side in range(sides)
        }
    return reached


@pytest.mark.parametrize(("there", "counts", "without_one"), TABLE)
@pytest.mark.parametrize("sides", [2, 3, 4, 5])
def test_as_many_sets_are_unattainable_as_the_book_says(
    there: int, counts: dict[int, tuple[int, int]], without_one: int, sides: int
) -> None:
    every = list(splits(there, sides))
    refused = [split for split in every if not are_reachable(split, ALL_POINTS - there)]
    assert (len(refused), len(every)) == counts[sides]
    # R16: with fewer than five sides it is a side on 1 and nothing else.
    assert sum(1 not in split for split in refused) == (without_one if sides == 5 else 0)
    assert sum(1 in split for split in every) == sum(1 in split for split in refused)


@pytest.mark.parametrize(("there", "counts", "without_one"), ORDERED)
@pytest.mark.parametrize("sides", [2, 3, 4, 5])
def test_and_as_many_with_the_sides_told_apart(
    there: int, counts: dict[int, tuple[int, int]], without_one: int, sides: int
) -> None:
    ways = {split: orders(split) for split in splits(there, sides)}
    refused = [split for split in ways if not are_reachable(split, ALL_POINTS - there)]
    assert (sum(ways[split] for split in refused), sum(ways.values())) == counts[sides]
    if sides == 5:
        assert sum(ways[split] for split in refused if 1 not in split) == without_one


@pytest.mark.parametrize("sides", [2, 3, 4])
@pytest.mark.parametrize("left_out", [0, 2, 3, 4, 10, 11])
def test_dealing_out_the_cards_one_by_one_reaches_the_same_splits(
    sides: int, left_out: int
) -> None:
    cards = sorted(CARDS)
    if left_out:
        cards.remove(left_out)
    every = splits(ALL_POINTS - left_out, sides)
    assert {split for split in every if are_reachable(split, left_out)} == dealt_out(cards, sides)


@pytest.mark.parametrize("left_out", [0, 2])
def test_dealing_out_to_five_sides_reaches_the_same_splits(left_out: int) -> None:
    cards = sorted(CARDS)
    if left_out:
        cards.remove(left_out)
    every = splits(ALL_POINTS - left_out, 5)
    assert {split for split in every if are_reachable(split, left_out)} == dealt_out(cards, 5)


@pytest.mark.parametrize(
    ("split", "left_out"),
    [
        ((60, 59, 1), 0),
        ((118, 1, 1), 0),
        ((119, 1, 0), 0),
        ((8, 9, 9, 9, 85), 0),
        ((8, 9, 9, 9, 75), 10),
        ((8, 9, 9, 9, 74), 11),
        ((2, 2, 2, 2, 110), 2),
        ((5, 5, 5, 5, 98), 2),
        ((3, 3, 3, 3, 105), 3),
        ((4, 9, 9, 9, 85), 4),
    ],
)
def test_typical_impossible_splits_in_whatever_order(split: tuple[int, ...], left_out: int) -> None:
    # R16, R17
    assert not any(are_reachable(ordered, left_out) for ordered in permutations(split))


@pytest.mark.parametrize(
    "split",
    [
        (2, 2, 2, 2, 112),
        (2, 2, 2, 3, 111),
        (2, 2, 2, 4, 110),
        (2, 2, 3, 3, 110),
        (2, 3, 3, 3, 109),
        (3, 3, 3, 3, 108),
    ],
)
def test_splits_only_tricks_would_rule_out_are_accepted(split: tuple[int, ...]) -> None:
    # R18
    assert are_reachable(split)


@pytest.mark.parametrize("split", [(60, 59), (60, 61), (130, -10), (), (70, 50, 1)])
def test_totals_that_do_not_add_up_or_are_negative_are_never_attainable(
    split: tuple[int, ...],
) -> None:
    assert not are_reachable(split)
