"""What people did, never forgotten; what they were awarded besides their hands."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tracker.models.base import WithUid, one_of
from tracker.models.clubs import Club, User
from tracker.models.tournaments import Entrant, Round, Tournament

# Only somebody's name may be struck out of a reason, when that person is erased: see the triggers.
BLACKENED = "[…]"


class LogEntry(models.Model):
    """Who did what to which rows, and why. Only ever added to: triggers see to it.

    Names are not kept here but rendered when read, so that an erased person's
    name is gone from the log as well.
    """

    club = models.ForeignKey(
        Club, models.PROTECT, null=True, blank=True, related_name="log_entries"
    )
    at = models.DateTimeField()
    user = models.ForeignKey(
        User, models.PROTECT, null=True, blank=True, related_name="log_entries"
    )
    device = models.CharField(max_length=40, blank=True)
    verb = models.CharField(max_length=40)
    on = models.JSONField(default=dict)  # {"sitting": 3, "hand": 5}
    numbers = models.JSONField(default=dict)
    reason = models.CharField(max_length=300, blank=True)
    undoes = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="undone_by"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(verb=""), name="act_has_a_verb"),
        ]
        indexes = [models.Index(fields=["club", "at"], name="log_entry_by_club_and_time")]

    def __str__(self) -> str:
        return f"{self.verb} at {self.at}"


class Snapshot(models.Model):
    """A copy of the data made before an act that might be regretted."""

    before = models.ForeignKey(LogEntry, models.PROTECT, related_name="snapshots")
    where = models.CharField(max_length=300)
    made_at = models.DateTimeField()
    until = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(until__gt=F("made_at")), name="snapshot_lasts_a_while"
            ),
        ]

    def __str__(self) -> str:
        return self.where


class AwardKind(models.TextChoices):
    PENALTY = "penalty", _("Penalty")
    AWARD = "award", _("Award")
    RESTING = "resting", _("Resting")
    BYE = "bye", _("Bye")
    FORFEIT = "forfeit", _("Forfeit")


class AwardRule(models.TextChoices):
    AVERAGE = "average"


class Award(WithUid):
    """Points given or taken beside the hands. Standings add the live ones to the tallies."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="awards")
    entrant = models.ForeignKey(Entrant, models.CASCADE, related_name="awards")
    round = models.ForeignKey(Round, models.CASCADE, null=True, blank=True, related_name="awards")
    kind = models.CharField(max_length=7, choices=AwardKind)
    amount = models.IntegerField(null=True, blank=True)
    rule = models.CharField(max_length=7, choices=AwardRule, blank=True)
    reason = models.CharField(max_length=300)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            one_of("kind", AwardKind, "award_kind_is_known"),
            models.CheckConstraint(
                condition=Q(amount__isnull=False, rule="") | Q(amount=None, rule="average"),
                name="award_is_an_amount_or_a_rule",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="award_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.entrant}"
