"""Perfect endings for two, held to trying everything."""

from random import Random

import pytest

from games.bots.endgame import best_card, gain
from games.bots.fast_tricks import Deck, Position

DECK = Deck((0, 0, 0, 2, 3, 4, 10, 11))


def laid(seed: int, held: int, stock: int) -> Position:
    """Return a position of cards by lot, nothing played yet."""
    cards = Random(seed).sample(range(DECK.none), 2 * held + stock)
    hands = [cards[:held], cards[held : 2 * held]]
    return Position(DECK, hands, cards[2 * held :], 0, (0, 1), [0, 0], DECK.none)


def tried_out(position: Position) -> int:
    """Return by how much seat 0 comes out ahead, by trying every card of everybody."""
    hand = position.hands[position.turn]
    if not hand:
        return position.points[0] - position.points[1]
    ends = []
    for card in hand:
        trial = position.copy()
        trial.play(card)
        ends.append(tried_out(trial))
    return max(ends) if position.turn == 0 else min(ends)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("held", "stock"), [(1, 0), (3, 0), (2, 2), (1, 4)])
def test_the_best_card_is_the_best_there_is(seed: int, held: int, stock: int) -> None:
    position = laid(seed, held, stock)
    led = best_card(position)
    assert gain(position, led) == tried_out(position)
    position.play(led)
    assert -gain(position, best_card(position)) == tried_out(position)


def test_of_equals_the_one_worth_least_is_played() -> None:
    position = Position(DECK, [[15, 8], [0, 1]], [], 0, (0, 1), [0, 0], DECK.none)
    assert best_card(position) == 8
