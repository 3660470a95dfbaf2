"""Number words: so many cards, and the places in which people go out, as people say them."""

from games.errors import gettext_noop
from games.wording import Text, _

_COUNTS = (
    gettext_noop("no"),
    gettext_noop("one"),
    gettext_noop("two"),
    gettext_noop("three"),
    gettext_noop("four"),
    gettext_noop("five"),
    gettext_noop("six"),
    gettext_noop("seven"),
    gettext_noop("eight"),
    gettext_noop("nine"),
    gettext_noop("ten"),
    gettext_noop("eleven"),
    gettext_noop("twelve"),
)
_PLACES = (
    gettext_noop("first"),
    gettext_noop("second"),
    gettext_noop("third"),
    gettext_noop("fourth"),
    gettext_noop("fifth"),
    gettext_noop("sixth"),
    gettext_noop("seventh"),
    gettext_noop("eighth"),
    gettext_noop("ninth"),
    gettext_noop("tenth"),
)


def counted(count: int) -> Text:
    """Return how many cards there are of one value, at most twelve.

    >>> str(counted(3))
    'three'
    """
    return Text(_COUNTS[count])


def nth(place: int) -> Text:
    """Return which place this is, of at most twenty.

    >>> str(nth(2)), str(nth(19))
    ('second', '19th')
    """
    if place <= len(_PLACES):
        return Text(_PLACES[place - 1])
    return _("%(place)dth", place=place)
