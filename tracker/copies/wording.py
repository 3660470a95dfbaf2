"""Losses in words."""

from collections.abc import Iterator

from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, ngettext_lazy

from tracker.copies.logic.losses import Loss

_ROWS = {
    "clubs": ngettext_lazy("%(count)d club", "%(count)d clubs", "count"),
    "players": ngettext_lazy("%(count)d player", "%(count)d players", "count"),
    "teams": ngettext_lazy("%(count)d team", "%(count)d teams", "count"),
    "seasons": ngettext_lazy("%(count)d season", "%(count)d seasons", "count"),
    "nights": ngettext_lazy("%(count)d club night", "%(count)d club nights", "count"),
    "tournaments": ngettext_lazy("%(count)d tournament", "%(count)d tournaments", "count"),
    "rounds": ngettext_lazy("%(count)d round", "%(count)d rounds", "count"),
}


def lines(loss: Loss) -> Iterator[str]:
    """Yield what would be lost, a line each."""
    if loss.since is not None:
        since = formats.date_format(timezone.localtime(loss.since), "DATETIME_FORMAT")
        hands = ngettext("%(count)d hand", "%(count)d hands", loss.hands) % {"count": loss.hands}
        tables = ngettext("%(count)d table", "%(count)d tables", loss.tables) % {
            "count": loss.tables
        }
        yield _("%(hands)s reported since %(since)s at %(tables)s") % {
            "hands": hands,
            "since": since,
            "tables": tables,
        }
    for of, count in loss.rows.items():
        yield _ROWS[of] % {"count": count}
    if loss.acts:
        acts = ngettext(
            "%(count)d other change that somebody made",
            "%(count)d other changes that people made",
            loss.acts,
        )
        yield acts % {"count": loss.acts}
