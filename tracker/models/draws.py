"""Draws: who is to sit where in a coming round, looked at before it counts."""

from django.db import models
from django.db.models import Q

from tracker.models.tournaments import Tournament


class Draw(models.Model):
    """A round that is not opened yet: asked, drawn, perhaps changed by hand, perhaps published.

    ``question`` and ``seed`` say what it was drawn from; ``plan`` is the answer, as
    ``tracker.draws.logic.saved`` writes and reads both. Opening a round takes its draw away: the
    round then has all of it in ``seating_plan``.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="draws")
    number = models.PositiveSmallIntegerField()  # of the round it is for
    question = models.JSONField()
    seed = models.BigIntegerField()
    plan = models.JSONField()
    drawn_at = models.DateTimeField()
    published_at = models.DateTimeField(null=True, blank=True)  # until then the organiser's alone

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(number__gte=1), name="draw_numbered_from_one"),
            models.UniqueConstraint(
                fields=["tournament", "number"], name="draw_once_a_round_to_come"
            ),
        ]

    def __str__(self) -> str:
        return f"draw of round {self.number} of {self.tournament}"
