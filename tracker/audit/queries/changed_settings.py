"""Phrases for the settings that a log entry changed: which, and to what."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from django.utils.translation import gettext

from games.errors import gettext_noop as _
from tracker.models import Confirm, Leftover, Movement, RestCredit, Substitution, Tournament

# Values whose phrase needs no name of the setting.
_PHRASES: Mapping[tuple[str, object], str] = MappingProxyType(
    {
        ("confirm", Confirm.ONE.value): _("one phone is enough for a result"),
        ("confirm", Confirm.BOTH.value): _("another side must confirm each result"),
        ("third_place", True): _("a match for third place is played"),
        ("third_place", False): _("no match for third place is played"),
        ("public", True): _("everybody may read its pages"),
        ("public", False): _("only members may read its pages"),
    }
)
_CHOICES = MappingProxyType(
    {
        "movement": Movement,
        "leftover": Leftover,
        "rest_credit": RestCredit,
        "substitution": Substitution,
    }
)
_COUNTS = ("hands", "games", "planned", "minutes", "rest_points")
# The order of the phrases: PostgreSQL does not keep the order of JSON keys.
_IN_ORDER = (
    *("name", "public", "starts_at", "place"),
    *("confirm", "hands", "games", "planned", "minutes", "tie_breaks"),
    *("movement", "leftover", "third_place", "rest_credit", "rest_points", "substitution"),
)


def setting_phrases(changed: object, name_only: Mapping[str, str]) -> list[str]:
    """Return a phrase for each changed setting; unknown settings are left out.

    *changed* maps settings to their values before and after. Of the settings in *name_only*, which
    hold free text or lists of keys, the phrase is that name alone.

    >>> setting_phrases({"hands": [6, 8], "confirm": ["one", "both"], "name": []}, {"name": "its name"})
    ['its name', 'another side must confirm each result', 'hands a round: 6 becomes 8']
    """
    if not isinstance(changed, Mapping):
        return []
    known = [column for column in _IN_ORDER if column in changed]
    phrases = (
        gettext(name_only[column]) if column in name_only else _phrase(column, changed[column])
        for column in known
    )
    return [phrase for phrase in phrases if phrase]


def _phrase(column: str, values: object) -> str:
    if not isinstance(values, list) or len(values) != 2:
        return ""
    after = values[1]
    if isinstance(after, str | bool) and (column, after) in _PHRASES:
        return gettext(_PHRASES[column, after])
    setting: Any = getattr(Tournament, column, None)
    if column in _COUNTS:
        shown = [gettext("not set") if number is None else str(number) for number in values]
        named = {"what": setting.field.verbose_name, "before": shown[0], "after": shown[1]}
        return gettext("%(what)s: %(before)s becomes %(after)s") % named
    if column in _CHOICES and after in _CHOICES[column].values:
        chosen = {"what": setting.field.verbose_name, "chosen": _CHOICES[column](after).label}
        return gettext("%(what)s: %(chosen)s") % chosen
    return ""
