"""The audit log: what people did, never forgotten."""

from django.db import models
from django.db.models import Q

from tracker.models.clubs import Club, User

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
        constraints = [models.CheckConstraint(condition=~Q(verb=""), name="log_entry_has_a_verb")]
        indexes = [
            models.Index(fields=["club", "at"], name="log_entry_by_club_and_time"),
            # What a club's watchers are answered by: see ``ledger.revisions``.
            models.Index(fields=["club", "-id"], name="log_entry_by_club_newest"),
        ]

    def __str__(self) -> str:
        return f"{self.verb} at {self.at}"
