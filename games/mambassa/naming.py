"""What a hand is called at the table."""

from games.errors import gettext_noop
from games.game import Options
from games.mambassa.cards import NUMBERS, SUITS, Card
from games.mambassa.ranking import Hand, HandClass, strength
from games.wording import Text

_QUARTINA = {
    2: gettext_noop("four 2s"),
    3: gettext_noop("four 3s"),
    4: gettext_noop("four 4s"),
    5: gettext_noop("four 5s"),
    6: gettext_noop("four 6s"),
    7: gettext_noop("four 7s"),
    11: gettext_noop("four jacks"),
    12: gettext_noop("four horses"),
    13: gettext_noop("four kings"),
}
_TRIS = {
    1: gettext_noop("three aces"),
    2: gettext_noop("three 2s"),
    3: gettext_noop("three 3s"),
    4: gettext_noop("three 4s"),
    5: gettext_noop("three 5s"),
    6: gettext_noop("three 6s"),
    7: gettext_noop("three 7s"),
    11: gettext_noop("three jacks"),
    12: gettext_noop("three horses"),
    13: gettext_noop("three kings"),
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
    'three in order from the ace of coins'
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
            return _sequence(gettext_noop("four in order from the %(card)s"), *detail)
        case HandClass.SHORT_SEQUENCE:
            return _sequence(gettext_noop("three in order from the %(card)s"), *detail)
        case HandClass.POINTS:
            return Text(gettext_noop("points: %(points)d"), {"points": detail[0]})
        case _:
            return Text(_GREAT[HandClass(held)])


def _sequence(template: str, top: int, suit: int) -> Text:
    return Text(template, {"card": Text(Card(NUMBERS[top], SUITS[suit]).label)})
