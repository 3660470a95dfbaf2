"""Saving seasons."""

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.common.names import clean_name
from tracker.models import Season, SeasonRule


@transaction.atomic
def save_season(season: Season, *, by: Actor) -> Season:
    """Save a new or changed season of a club; refuse the name of another season of the club."""
    season.name = clean_name(season.name, most=Season.name.field.max_length)
    if Season.objects.filter(club=season.club_id, name=season.name).exclude(pk=season.pk).exists():
        text = gettext_noop(
            "There is a season called %(name)s already. Please choose another name."
        )
        raise Refused("season-taken", text, question="name", name=season.name)
    # How many of the best tournaments count; under other rules this says nothing.
    if season.rule != SeasonRule.BEST:
        season.best_of = None
    verb = "season-changed" if season.pk else "season-made"
    season.save()
    numbers = {"best": season.best_of, "least": season.least_played}
    log(by, verb, club_id=season.club_id, season=season.pk, numbers=numbers)
    return season
