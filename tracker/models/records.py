"""Hands that were written down card by card."""

from django.db import models

from tracker.models.hands import Hand


class HandRecord(models.Model):
    """The moves of a hand, as ``games.records.format`` writes them, without names."""

    hand = models.OneToOneField(Hand, models.CASCADE, related_name="record")
    text = models.TextField()
    kept_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(text__startswith="Kula hand "), name="record_is_of_a_hand"
            )
        ]

    def __str__(self) -> str:
        return f"record of {self.hand}"
