"""Hand ranking: which of two hands is the better one, and what a hand is called (R7)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum

from games.cards import CardSuit
from games.errors import gettext_noop
from games.mambassa.cards import NUMBERS, SUITS, Card
from games.option import Options
from games.wording import Text, _

Hand = Sequence[Card]
Strength = tuple[int, ...]

_ACE = NUMBERS.index(1)


class HandClass(IntEnum):
    """The seven classes, the weakest first so that they compare."""

    POINTS = 1
    SHORT_SEQUENCE = 2
    TRIS = 3
    LONG_SEQUENCE = 4
    QUARTINA = 5
    QUARANTUNA = 6
    MAMBASSA = 7


def strength(hand: Hand, options: Options) -> Strength:
    """Return a tuple that is greater for the better hand; only hands of points can tie (M-14).

    Three of a rank are a tris (M-9); a card beside it, or a short sequence, is nothing (M-15).

    >>> from games.mambassa.cards import parse_card
    >>> rules = {"tris_aces": "low", "ace_low_sequence": False}
    >>> strength([parse_card(code) for code in ("1D", "13D", "11D", "7D")], rules)
    (<HandClass.POINTS: 1>, 38)
    """
    number, often = Counter(card.number for card in hand).most_common(1)[0]
    if often == 4:
        return (HandClass.MAMBASSA,) if number == 1 else (HandClass.QUARTINA, _of_a_rank(number))
    if often == 3:
        # As four of a rank (M-10), the aces lowest or highest (M-11).
        aces_high = number == 1 and options["tris_aces"] == "high"
        return HandClass.TRIS, _ACE + 1 if aces_high else _of_a_rank(number)

    length, top, suit = longest_run(hand, ace_low=bool(options["ace_low_sequence"]))
    if length == 4:
        if top == _ACE:
            return HandClass.QUARANTUNA, suit
        return HandClass.LONG_SEQUENCE, top, suit
    if length == 3:
        return HandClass.SHORT_SEQUENCE, top, suit
    return HandClass.POINTS, best_sum(hand)


def longest_run(hand: Iterable[Card], *, ace_low: bool) -> tuple[int, int, int]:
    """Return length, height of the top card and suit of the best run in one suit (M-12, M-13).

    The ace stands on top; with *ace_low* it may also stand below the 2, in another run.
    """
    best = (0, 0, 0)
    for suit_power, suit in enumerate(SUITS):
        heights = {card.height for card in hand if card.suit is suit}
        if ace_low and _ACE in heights:
            heights.add(-1)
        for top in heights:
            length = 1
            while top - length in heights:
                length += 1
            best = max(best, (length, top, suit_power))
    return best


def best_sum(hand: Iterable[Card]) -> int:
    """Return the most that the cards of one suit count together (M-16).

    >>> from games.mambassa.cards import parse_card
    >>> best_sum([parse_card(code) for code in ("1D", "7S", "5S", "13B")])
    12
    """
    sums: Counter[CardSuit] = Counter()
    for card in hand:
        sums[card.suit] += card.value
    return max(sums.values())


def weakest(strengths: Mapping[int, Strength]) -> list[int]:
    """Return the seats that hold the lowest hand; a tie holds all of them (R8)."""
    least = min(strengths.values())
    return [seat for seat, held in sorted(strengths.items()) if held == least]


def _of_a_rank(number: int) -> int:
    """Return how good cards of one rank are together: twos best, then up to the kings (R7)."""
    return _ACE - NUMBERS.index(number)


_QUARTINA = {
    2: gettext_noop("four 2s"),
    3: gettext_noop("four 3s"),
    4: gettext_noop("four 4s"),
    5: gettext_noop("four 5s"),
    6: gettext_noop("four 6s"),
    7: gettext_noop("four 7s"),
    11: gettext_noop("four Jacks"),
    12: gettext_noop("four Horses"),
    13: gettext_noop("four Kings"),
}
_TRIS = {
    1: gettext_noop("three Aces"),
    2: gettext_noop("three 2s"),
    3: gettext_noop("three 3s"),
    4: gettext_noop("three 4s"),
    5: gettext_noop("three 5s"),
    6: gettext_noop("three 6s"),
    7: gettext_noop("three 7s"),
    11: gettext_noop("three Jacks"),
    12: gettext_noop("three Horses"),
    13: gettext_noop("three Kings"),
}
_GREAT = {
    HandClass.MAMBASSA: gettext_noop("Mambassa"),
    HandClass.QUARANTUNA: gettext_noop("Quarantuna"),
}


def hand_name(hand: Hand, options: Options) -> Text:
    """Return what this hand is, as R7 ranks it.

    >>> from games.mambassa.cards import parse_card
    >>> rules = {"tris_aces": "low", "ace_low_sequence": False}
    >>> str(hand_name([parse_card(code) for code in ("1D", "13D", "12D", "7S")], rules))
    'three in a row, up to the Ace of coins'
    """
    held, *detail = strength(hand, options)
    numbers = [card.number for card in hand]
    most = max(numbers, key=numbers.count)
    match held:
        case HandClass.QUARTINA:
            return Text(_QUARTINA[most])
        case HandClass.TRIS:
            return Text(_TRIS[most])
        case HandClass.LONG_SEQUENCE:
            return _sequence(gettext_noop("four in a row, up to the %(card)s"), *detail)
        case HandClass.SHORT_SEQUENCE:
            return _sequence(gettext_noop("three in a row, up to the %(card)s"), *detail)
        case HandClass.POINTS:
            return _("%(points)d points", points=detail[0])
        case _:
            return Text(_GREAT[HandClass(held)])


def _sequence(template: str, top: int, suit: int) -> Text:
    return Text(template, {"card": Text(Card(NUMBERS[top], SUITS[suit]).label)})
