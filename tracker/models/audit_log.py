"""The audit log of what people did."""

from django.db import models
from django.db.models import CheckConstraint, Index, Q

from tracker.models.clubs import Club, User

# Replaces the name of an erased person in a reason, the only change that the triggers allow.
BLACKENED = "[…]"


class LogEntry(models.Model):
    """Who did what to which rows, and why. Triggers of the database forbid changes and deletions.

    Names are not stored but looked up when an entry is read, so that an erased person's name is
    gone from the log as well.
    """

    club = models.ForeignKey(
        Club, models.PROTECT, null=True, blank=True, related_name="log_entries"
    )
    at = models.DateTimeField()
    user = models.ForeignKey(
        User, models.PROTECT, null=True, blank=True, related_name="log_entries"
    )
    device = models.CharField(max_length=40, blank=True)  # the browser's random name
    verb = models.CharField(max_length=40)  # such as ``hand-amended``
    on = models.JSONField(default=dict)  # the keys of the rows: {"sitting": 3, "hand": 5}
    numbers = models.JSONField(default=dict)  # what else its sentence needs, such as the old value
    reason = models.CharField(max_length=300, blank=True)
    undoes = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="undone_by"
    )

    class Meta:
        constraints = [CheckConstraint(condition=~Q(verb=""), name="log_entry_has_a_verb")]
        indexes = [
            Index(fields=["club", "at"], name="log_entry_by_club_and_time"),
            # For ``tables.revisions``, by which polling pages notice changes.
            Index(fields=["club", "-id"], name="log_entry_by_club_newest"),
        ]

    def __str__(self) -> str:
        return f"{self.verb} at {self.at}"
