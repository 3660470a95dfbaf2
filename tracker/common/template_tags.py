"""Template filters: sentences of the games, and the coloured initials beside a name."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.wording import Text
from tracker.common.wording import NAMELESS, say

COLOURS = 12  # classes hue-0 to hue-11 in kula.css

register = template.Library()


@register.filter
def translated(text: Text | str) -> str:
    """Return a sentence of a game, without names, in the reader's language."""
    return say(text, NAMELESS)


def initials(name: str) -> str:
    """Return one or two letters of a name.

    >>> initials("Juma Kapera Hassan"), initials("Juma K."), initials("Neema"), initials("🦊")
    ('JH', 'JK', 'Ne', '🦊')
    """
    first, *others = name.split()
    return f"{first[0]}{others[-1][0]}".upper() if others else first[:2]


@register.filter
def person_mark(player: int | None, name: str) -> SafeString:
    """Return a badge with a player's initials, in a colour that depends on the player's key."""
    if not player:
        return SafeString()
    return format_html(
        '<b class="initials hue-{}" data-who="{}" aria-hidden="true"></b>',
        player % COLOURS,
        initials(name),
    )
