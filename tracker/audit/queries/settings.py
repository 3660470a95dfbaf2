"""Settings that were changed, in plain words: which, and what each became."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from django.utils.translation import gettext

from games.errors import gettext_noop as _
from tracker.models import Confirm, Leftover, Movement, RestCredit, Substitution, Tournament

# What says by itself what it is about.
_SENTENCES: Mapping[tuple[str, object], str] = MappingProxyType(
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
# As they are told: PostgreSQL keeps no order.
_IN_ORDER = (
    *("name", "public", "starts_at", "place"),
    *("confirm", "hands", "games", "planned", "minutes", "tie_breaks"),
    *("movement", "leftover", "third_place", "rest_credit", "rest_points", "substitution"),
)


def settings(changed: object, untold: Mapping[str, str]) -> list[str]:
    """Return what an act set otherwise, each in a phrase; what is not understood is left out.

    Of the settings in *untold* only the name is said: their values are free text or lists of keys.

    >>> settings({"hands": [6, 8], "confirm": ["one", "both"], "name": []}, {"name": "its name"})
    ['its name', 'another side must confirm each result', 'hands a round: 6 becomes 8']
    """
    if not isinstance(changed, Mapping):
        return []
    known = [column for column in _IN_ORDER if column in changed]
    phrases = (
        gettext(untold[column]) if column in untold else _phrase(column, changed[column])
        for column in known
    )
    return [phrase for phrase in phrases if phrase]


def _phrase(column: str, values: object) -> str:
    if not isinstance(values, list) or len(values) != 2:
        return ""
    after = values[1]
    if isinstance(after, str | bool) and (column, after) in _SENTENCES:
        return gettext(_SENTENCES[column, after])
    setting: Any = getattr(Tournament, column, None)
    if column in _COUNTS:
        shown = [gettext("not set") if number is None else str(number) for number in values]
        named = {"what": setting.field.verbose_name, "before": shown[0], "after": shown[1]}
        return gettext("%(what)s: %(before)s becomes %(after)s") % named
    if column in _CHOICES and after in _CHOICES[column].values:
        chosen = {"what": setting.field.verbose_name, "chosen": _CHOICES[column](after).label}
        return gettext("%(what)s: %(chosen)s") % chosen
    return ""
