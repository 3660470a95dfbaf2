"""Links by which people come into a club."""

from django.db import models
from django.db.models import F, Q

from tracker.models.base import one_of
from tracker.models.clubs import Club, Role, User
from tracker.models.players import Player


class Invitation(models.Model):
    """A link that gives its reader a role in the club, or connects them with a player.

    The link itself is not kept: it is signed, and can be made again from the row.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=9, choices=Role)
    player = models.ForeignKey(
        Player, models.CASCADE, null=True, blank=True, related_name="invitations"
    )
    many = models.BooleanField(default=False)  # it may be used more than once
    used = models.PositiveSmallIntegerField(default=0)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True)
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            one_of("role", Role, "invitation_role_is_known"),
            models.CheckConstraint(condition=Q(many=True) | Q(used__lte=1), name="invitation_once"),
            models.CheckConstraint(
                condition=Q(player=None) | Q(many=False), name="invitation_of_a_player_is_for_one"
            ),
            models.CheckConstraint(
                condition=Q(expires_at__gt=F("made_at")), name="invitation_lasts_a_while"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role} of {self.club}"
