"""Awards and penalties: points besides those of hands.

An *entrant* is a player or a team of a tournament; its *standing* ranks them. A *tally* is the sum
of one kind of points over an entrant's hands. To *rest* is to sit out in a round.
"""

from datetime import datetime
from fractions import Fraction

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _, gettext_noop

from tracker.models.base import WithUid, check, one_of
from tracker.models.rounds import Round
from tracker.models.tournaments import Entrant, Tournament


class AwardKind(models.TextChoices):
    PENALTY = "penalty", _("Penalty")
    AWARD = "award", _("Award")
    RESTING = "resting", _("Sat out")
    BYE = "bye", _("Bye")  # the entrant had no opponents
    FORFEIT = "forfeit", _("Forfeit")  # the opponents did not come to play


class AwardRule(models.TextChoices):
    """How the amount of an award is found if it is not fixed."""

    AVERAGE = "average"  # what the entrant gets on average in a round


# The reason of awards given when a round is closed; opening it again withdraws exactly these.
RESTED = gettext_noop("Rested")


class Award(WithUid):
    """Points given or taken besides the hands; standings add those not withdrawn to the tallies."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="awards")
    entrant = models.ForeignKey(Entrant, models.CASCADE, related_name="awards")
    round = models.ForeignKey(Round, models.CASCADE, null=True, blank=True, related_name="awards")
    kind = models.CharField(max_length=7, choices=AwardKind)
    amount = models.IntegerField(null=True, blank=True)
    rule = models.CharField(max_length=7, choices=AwardRule, blank=True)
    # The key of the criterion that the amount adds to; "" (in old rows) is the first criterion.
    unit = models.CharField(max_length=40, blank=True, default="", db_default="")
    reason = models.CharField(max_length=300)
    given_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    # Not columns: ``standings.queries.awards.live_awards`` sets these, to find an average.
    rounds_played = 0  # by the entrant
    part_played: Fraction | None = None  # of a rest: how much of its round was played, 0 to 1

    class Meta:
        constraints = [
            one_of("award_kind_is_known", "kind", AwardKind),
            check(
                "award_is_an_amount_or_a_rule",
                Q(amount__isnull=False, rule="") | Q(amount=None, rule="average"),
            ),
            check("award_has_a_reason", ~Q(reason="")),
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.entrant}"

    @property
    def rested(self) -> bool:
        """Return whether it was given for sitting out when the round was closed."""
        of_a_round = self.kind == AwardKind.RESTING and self.round is not None
        return of_a_round and self.reason == RESTED

    def stands_after(self, number: int, closed_at: datetime | None) -> bool:
        """Return whether it counts in the standing after round *number*, which may be open."""
        if self.round is not None:
            return self.round.number <= number
        given_at = self.given_at  # of an award for no round
        return given_at is not None and (closed_at is None or given_at <= closed_at)
