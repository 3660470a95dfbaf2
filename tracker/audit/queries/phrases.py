"""Phrases for placeholders, as %(call)s in a sentence of the log: choices, counts, settings."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, ngettext_lazy

from games.errors import gettext_noop as _
from tracker.models import CallReason, Confirm, Role, TieResolution, Tournament

# Keyed by placeholder: the name under which ``LogEntry.numbers`` has a choice, and the choices.
CHOICES: Mapping[str, tuple[str, Any]] = {
    "call": ("reason", CallReason),
    "how": ("how", TieResolution),
    "role": ("role", Role),
}
# Keyed by placeholder: the name under which ``LogEntry.numbers`` has a count, and its phrase.
COUNTED = {
    "missing": (
        "short",
        ngettext_lazy("%(count)d result was missing", "%(count)d results were missing", "count"),
    ),
    "not_confirmed": (
        "unconfirmed",
        ngettext_lazy(
            "%(count)d result was not confirmed", "%(count)d results were not confirmed", "count"
        ),
    ),
    "not_played": (
        "short",
        ngettext_lazy(
            "%(count)d result was recorded as not played",
            "%(count)d results were recorded as not played",
            "count",
        ),
    ),
}
# Keyed by setting and new value: phrases that say more than the setting's name and the value do.
_PHRASES: Mapping[tuple[str, object], str] = {
    ("confirm", Confirm.ONE.value): _("one phone is enough for a result"),
    ("confirm", Confirm.BOTH.value): _("another side must confirm each result"),
    ("third_place", True): _("a match for third place is played"),
    ("third_place", False): _("no match for third place is played"),
    ("public", True): _("everybody may read its pages"),
    ("public", False): _("only members may read its pages"),
}
# Columns of ``Tournament`` with choices, and with numbers; a number that is not set is ``None``.
_WITH_CHOICES = ("movement", "leftover", "rest_credit", "substitution")
_WITH_NUMBERS = ("hands", "games", "planned", "minutes", "rest_points")
# All known settings in the order of their phrases: PostgreSQL does not keep that of JSON keys.
_ORDER = (
    *("name", "public", "starts_at", "place"),
    *("confirm", "hands", "games", "planned", "minutes", "tie_breaks"),
    *("movement", "leftover", "third_place", "rest_credit", "rest_points", "substitution"),
)


def setting_phrases(changed: object, name_only: Mapping[str, str]) -> list[str]:
    """Return a phrase for each changed setting; unknown settings are left out.

    *changed* maps columns to ``[before, after]``, or to ``[]`` if the log may not keep the values.
    *name_only* maps columns whose values are not shown to names; the name is then the whole phrase.

    >>> changed = {"hands": [6, 8], "confirm": ["one", "both"], "name": []}
    >>> setting_phrases(changed, {"name": "its name"})
    ['its name', 'another side must confirm each result', 'hands a round: 6 becomes 8']
    """
    if not isinstance(changed, Mapping):
        return []
    known = [column for column in _ORDER if column in changed]
    phrases = (
        gettext(name_only[column]) if column in name_only else _phrase(column, changed[column])
        for column in known
    )
    return [phrase for phrase in phrases if phrase]


def _phrase(column: str, values: object) -> str:
    """Return the phrase of a setting; empty if the setting or its values are not known."""
    if not isinstance(values, list) or len(values) != 2:
        return ""
    after = values[1]
    if isinstance(after, str | bool) and (column, after) in _PHRASES:
        return gettext(_PHRASES[column, after])
    if column in _WITH_NUMBERS:
        before, after = (gettext("not set") if value is None else str(value) for value in values)
        names = {"what": _field(column).verbose_name, "before": before, "after": after}
        return gettext("%(what)s: %(before)s becomes %(after)s") % names
    if column in _WITH_CHOICES and after in (labels := dict(_field(column).choices)):
        names = {"what": _field(column).verbose_name, "chosen": labels[after]}
        return gettext("%(what)s: %(chosen)s") % names
    return ""


def _field(column: str) -> Any:
    """Return the model field of a column of ``Tournament``, with its name and choices."""
    setting: Any = getattr(Tournament, column)
    return setting.field
