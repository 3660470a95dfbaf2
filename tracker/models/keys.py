"""Keys of tables: those that open nothing any more, and the codes that were guessed wrong."""

from django.db import models
from django.db.models import Q

from tracker.models.sittings import Sitting, Table


class WithdrawnKey(models.Model):
    """What once opened a table: a card's token or code, or a sitting's address.

    Whoever still has it is told so, and not that there never was such a table.
    """

    key = models.CharField(max_length=32, unique=True)
    table = models.ForeignKey(
        Table, models.CASCADE, null=True, blank=True, related_name="withdrawn_keys"
    )
    sitting = models.ForeignKey(
        Sitting, models.CASCADE, null=True, blank=True, related_name="withdrawn_keys"
    )
    withdrawn_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(key=""), name="withdrawn_key_is_not_empty"),
            models.CheckConstraint(
                condition=Q(table__isnull=True) ^ Q(sitting__isnull=True),
                name="withdrawn_key_of_a_table_or_a_sitting",
            ),
        ]

    def __str__(self) -> str:
        return f"an old key of {self.table or self.sitting}"


class Misses(models.Model):
    """When each guesser's wrong table codes are forgiven: see ``guessing``."""

    who = models.CharField(max_length=64, primary_key=True)
    paid_off = models.FloatField()  # seconds since 1970; every miss puts it off

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(who=""), name="misses_are_somebodys"),
        ]

    def __str__(self) -> str:
        return f"misses of {self.who}"
