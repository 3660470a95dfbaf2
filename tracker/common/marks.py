"""The mark of a person: a colour and initials, the same on every page, beside the name."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

COLOURS = 12  # as kula.css has them

register = template.Library()


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
