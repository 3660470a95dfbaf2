from collections.abc import Iterator
from itertools import permutations

import pytest

from games.counting import ALL_POINTS, are_reachable

# Albastini R15, by what there is and the number of sides: how many splits are unattainable, and how
# many there are; then both with the sides told apart.
TABLE = {
    120: {2: (1, 61, 2, 121), 3: (60, 1261, 357, 7381), 4: (1240, 13561, 28330, 302621), 5: (13231, 91606, 1405995, 9381251)},
    118: {2: (1, 60, 2, 119), 3: (59, 1220, 351, 7140), 4: (1200, 12920, 27386, 287980), 5: (12625, 85987, 1337120, 8783390)},
    117: {2: (1, 59, 2, 118), 3: (59, 1200, 348, 7021), 4: (1180, 12600, 26920, 280840), 5: (12345, 83273, 1303985, 8495410)},
    116: {2: (1, 59, 2, 117), 3: (58, 1180, 345, 6903), 4: (1160, 12300, 26458, 273819), 5: (12019, 80631, 1270120, 8214570)},
    110: {2: (1, 56, 2, 111), 3: (55, 1064, 327, 6216), 4: (1045, 10559, 23770, 234136), 5: (10280, 66055, 1080745, 6672876)},
    109: {2: (1, 55, 2, 110), 3: (55, 1045, 324, 6105), 4: (1027, 10279, 23336, 227920), 5: (10019, 63829, 1051300, 6438740)},
}  # fmt: skip
# Those of five sides that are unattainable without a side on 1; and so with the sides told apart.
WITHOUT_ONE = {
    120: (1, 20),
    118: (25, 795),
    117: (45, 1605),
    116: (29, 1105),
    110: (1, 20),
    109: (1, 20),
}
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


@pytest.mark.parametrize("there", TABLE)
@pytest.mark.parametrize("sides", [2, 3, 4, 5])
def test_as_many_splits_are_unattainable_as_the_book_says(there: int, sides: int) -> None:
    ways = {split: orders(split) for split in splits(there, sides)}
    refused = [split for split in ways if not are_reachable(split, ALL_POINTS - there)]
    told_apart = sum(ways[split] for split in refused), sum(ways.values())
    assert (len(refused), len(ways), *told_apart) == TABLE[there][sides]
    # Albastini R16: with fewer than five sides it is a side on 1 and nothing else.
    others = [split for split in refused if 1 not in split]
    expected = WITHOUT_ONE[there] if sides == 5 else (0, 0)
    assert (len(others), sum(ways[split] for split in others)) == expected
    assert sum(1 in split for split in ways) == len(refused) - len(others)


@pytest.mark.parametrize(
    ("sides", "left_out"),
    [(sides, out) for sides in (2, 3, 4) for out in (0, 2, 3, 4, 10, 11)] + [(5, 0), (5, 2)],
)
def test_dealing_out_the_cards_one_by_one_reaches_the_same_splits(
    sides: int, left_out: int
) -> None:
    cards = sorted(CARDS)
    if left_out:
        cards.remove(left_out)
    every = splits(ALL_POINTS - left_out, sides)
    assert {split for split in every if are_reachable(split, left_out)} == dealt_out(cards, sides)


def test_typical_splits_in_whatever_order() -> None:
    impossible = [  # Albastini R14, R16, R17 and Briscola R7
        ((60, 59, 1), 0),
        ((118, 1, 1), 0),
        ((8, 9, 9, 9, 85), 0),
        ((8, 9, 9, 9, 75), 10),
        ((8, 9, 9, 9, 74), 11),
        ((2, 2, 2, 2, 110), 2),
        ((3, 3, 3, 3, 105), 3),
        ((4, 9, 9, 9, 85), 4),
    ]
    for split, left_out in impossible:
        assert not any(are_reachable(ordered, left_out) for ordered in permutations(split))
    # Albastini R18: only tricks would rule these out.
    for split in ((2, 2, 2, 2, 112), (2, 2, 2, 4, 110), (2, 3, 3, 3, 109), (3, 3, 3, 3, 108)):
        assert are_reachable(split)
    for split in ((60, 59), (60, 61), (130, -10), (), (70, 50, 1)):  # they do not add up
        assert not are_reachable(split)
