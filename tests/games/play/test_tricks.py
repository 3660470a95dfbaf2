"""What every game of tricks does: deal, take, draw."""

import pytest

from games.albastini.cards import Suit, parse_card
from games.play.tricks import deal_hands, draw_round, round_from, winning_place


@pytest.mark.parametrize(
    ("trick", "trump", "place"),
    [
        ("AS", "H", 0),
        ("3S 7S KS", "H", 1),
        ("3S AD AC", "H", 0),  # only the suit led can win
        ("AS 3H", "H", 1),  # any trump beats any plain card
        ("3H AS 4H 7D", "H", 2),
        ("AD 3H 4H KH 7H", "H", 4),
    ],
)
def test_trumps_win_then_the_suit_led(trick: str, trump: str, place: int) -> None:
    cards = [parse_card(code) for code in trick.split()]
    assert winning_place(cards, Suit(trump)) == place


def test_a_round_begins_anywhere_and_comes_round() -> None:
    assert round_from(0, 3) == (0, 1, 2)
    assert round_from(4, 5) == (4, 0, 1, 2, 3)


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_cards_are_dealt_one_at_a_time(seats: int) -> None:
    pack = range(36)
    hands, stock = deal_hands(pack, first=1, seats=seats, each=5)
    assert hands[1 % seats][:2] == (0, seats)
    assert hands[0][0] == seats - 1
    assert [len(hand) for hand in hands] == [5] * seats
    assert sorted([*stock, *(card for hand in hands for card in hand)]) == list(pack)


def test_all_draw_or_nobody_does() -> None:
    hands = ((1,), (2,), (3,))
    assert draw_round(hands, (7, 8, 9), first=2) == (((1, 8), (2, 9), (3, 7)), ())
    assert draw_round(hands, (7, 8), first=2) == (hands, (7, 8))


def test_without_trumps_the_suit_led_wins() -> None:
    assert winning_place([parse_card(code) for code in ("3S", "AD", "5S")], None) == 2
