"""What templates write themselves: the engines' words, their cards, and the mark of a person.

That is a colour and initials, the same on every page, beside the name.
"""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.how_to_play import HowToPlay
from games.play.layout import Face
from games.wording import Text
from tracker.common.wording import NAMELESS, say

COLOURS = 12  # as kula.css has them

register = template.Library()


@register.filter
def said(text: Text | str) -> str:
    """Return a sentence of the engines without names, in the reader's language."""
    return say(text, NAMELESS)


@register.filter
def card_of(code: str, guide: HowToPlay) -> Face:
    """Return the card of this code, as the guide of its game draws it."""
    return guide.face(code)


def initials(name: str) -> str:
    """Return one or two letters of a name.

    >>> initials("Juma Kapera Hassan"), initials("Juma K."), initials("Neema"), initials("🦊")
    ('JH', 'JK', 'Ne', '🦊')
    """
    first, *others = name.split()
    return f"{first[0]}{others[-1][0]}".upper() if others else first[:2]


@register.filter
def person_mark(player: int | None, name: str) -> SafeString:
    """Return the mark of a player, by their key; the name has to stand beside it."""
    if not player:
        return SafeString()
    return format_html(
        '<b class="initials hue-{}" data-who="{}" aria-hidden="true"></b>',
        player % COLOURS,
        initials(name),
    )
