"""Making a season, and changing it."""

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.common.names import clean_name
from tracker.models import Season, SeasonRule

MOST_COUNTED = 200


@transaction.atomic
def make_season(
    *, club_id: int, name: str, rule: SeasonRule = SeasonRule.BEST, best: int | None = 6, by: Actor
) -> Season:
    """Make a season of the club, into which its tournaments can be put.

    *best* is how many tournaments of each player count, under the rule of the best few.

    :raises Refused: if the name or the number cannot be kept, or another season has the name.
    """
    season = Season(club_id=club_id)
    _write(season, name, rule, best)
    log(
        by,
        "season-made",
        club_id=season.club_id,
        season=season.pk,
        numbers={"best": season.best_of},
    )
    return season


@transaction.atomic
def edit_season(
    *, season_id: int, name: str, rule: SeasonRule, best: int | None, by: Actor
) -> Season:
    """Call a season something else, or let other tournaments of each player count.

    :raises Refused: on the terms of ``make_season``.
    """
    season = Season.objects.select_for_update().get(pk=season_id)
    _write(season, name, rule, best)
    log(
        by,
        "season-changed",
        club_id=season.club_id,
        season=season.pk,
        numbers={"best": season.best_of},
    )
    return season


def _write(season: Season, name: str, rule: SeasonRule, best: int | None) -> None:
    season.name = clean_name(name, most=Season.name.field.max_length)
    others = Season.objects.filter(club=season.club_id, name=season.name).exclude(pk=season.pk)
    if others.exists():
        raise Refused(
            "season-taken",
            gettext_noop("There is a season called %(name)s already. Please choose another name."),
            question="name",
            name=season.name,
        )
    if rule == SeasonRule.BEST and not (best and 1 <= best <= MOST_COUNTED):
        raise Refused(
            "season-best-of-none",
            gettext_noop("How many count? From 1 to %(most)d."),
            question="best",
            most=MOST_COUNTED,
        )
    season.rule, season.best_of = rule, best if rule == SeasonRule.BEST else None
    season.save()
