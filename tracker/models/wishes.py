"""Seating wishes of players, which hold in every tournament."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tracker.models.base import one_of
from tracker.models.clubs import Club
from tracker.models.players import Player


class WishKind(models.TextChoices):
    KEEPS_TABLE = "table", _("keeps a table")
    NOT_PARTNERS = "partner", _("never partners of")
    NOT_MEET = "meet", _("never at one table with")


class SeatingWish(models.Model):
    """A table that a player keeps, or a player they must not meet. Only organisers read it."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="seating_wishes")
    kind = models.CharField(max_length=7, choices=WishKind)
    player = models.ForeignKey(Player, models.CASCADE, related_name="seating_wishes")
    other = models.ForeignKey(Player, models.CASCADE, null=True, blank=True, related_name="+")
    table = models.PositiveSmallIntegerField(null=True, blank=True)  # its number in the hall

    class Meta:
        constraints = [
            one_of("kind", WishKind, "seating_wish_kind_is_known"),
            models.CheckConstraint(
                condition=Q(kind="table", other=None, table__gte=1)
                | (~Q(kind="table") & Q(other__isnull=False, table=None)),
                name="seating_wish_is_of_a_table_or_of_somebody",
            ),
            # Of two people the one who was entered first comes first, so that no wish is there twice.
            models.CheckConstraint(
                condition=Q(other=None) | Q(player__lt=F("other")),
                name="seating_wish_is_of_two_people",
            ),
            models.UniqueConstraint(
                fields=["player"],
                condition=Q(kind="table"),
                name="seating_wish_one_table_a_player",
            ),
            models.UniqueConstraint(
                fields=["kind", "player", "other"], name="seating_wish_once_two_people"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} {self.kind} {self.other or self.table}"
