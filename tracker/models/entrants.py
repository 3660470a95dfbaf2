"""Entrants: the players and teams of a tournament."""

from django.db import models
from django.db.models import F, Q

from tracker.models.base import WithUid
from tracker.models.players import Player, Team
from tracker.models.tournaments import Tournament


class EntrantQuerySet(models.QuerySet["Entrant"]):
    def playing(self) -> "EntrantQuerySet":
        """Keep those who have a place: neither withdrawn nor on the reserve list."""
        return self.filter(withdrawn_at=None, reserve_since=None)

    def entered_by_seed(self) -> "EntrantQuerySet":
        """Keep those who do not wait for a place: by seed, then those without one as they entered."""
        entered = self.filter(reserve_since=None)
        return entered.order_by(F("seed").asc(nulls_last=True), "pk")

    def by_name(self) -> "EntrantQuerySet":
        """Sort them by their names, which come along."""
        named = self.select_related("player", "team")
        return named.order_by("player__name_key", "team__name_key", "pk")

    def names(self) -> dict[int, str]:
        """Return their names by their keys, in the order of the names."""
        return {entrant.pk: str(entrant) for entrant in self.by_name()}


class Entrant(WithUid):
    """A player or a team of a tournament, as the standing ranks it."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="entrants")
    player = models.ForeignKey(
        Player, models.PROTECT, null=True, blank=True, related_name="entrants"
    )
    team = models.ForeignKey(Team, models.PROTECT, null=True, blank=True, related_name="entrants")
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    reserve_since = models.DateTimeField(null=True, blank=True)  # waits for a place
    seed = models.PositiveSmallIntegerField(null=True, blank=True)  # 1 is the strongest

    objects = EntrantQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(player__isnull=True) ^ Q(team__isnull=True),
                name="entrant_is_a_player_or_a_team",
            ),
            models.UniqueConstraint(
                fields=["tournament", "player"], name="entrant_player_once_a_tournament"
            ),
            models.UniqueConstraint(
                fields=["tournament", "team"], name="entrant_team_once_a_tournament"
            ),
            models.UniqueConstraint(
                fields=["tournament", "seed"],
                condition=Q(seed__isnull=False),
                name="entrant_seed_once_a_tournament",
            ),
            models.CheckConstraint(
                condition=Q(seed=None) | Q(seed__gte=1), name="entrant_seeds_begin_at_one"
            ),
            models.CheckConstraint(
                condition=Q(withdrawn_at=None) | Q(reserve_since=None),
                name="entrant_waits_or_has_withdrawn",
            ),
        ]

    def __str__(self) -> str:
        return str(self.player or self.team)

    @property
    def has_place(self) -> bool:
        """Say whether they play: neither withdrawn nor on the reserve list."""
        return self.withdrawn_at is None and self.reserve_since is None
