"""Players and teams, the links by which people come into a club, and seating wishes."""

import unicodedata
from datetime import datetime
from typing import Self

from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tracker.models.base import WithUid, check, one_of, unique
from tracker.models.clubs import Club, Role, User


def name_key(name: str) -> str:
    """Return the form of a name by which spellings are compared.

    >>> name_key("  JUMA  Kapera ") == name_key("Juma kapera")
    True
    """
    return unicodedata.normalize("NFC", " ".join(name.split())).casefold()


class PlayerQuerySet(models.QuerySet["Player"]):
    def present(self) -> "PlayerQuerySet":
        """Exclude merged and erased players."""
        return self.filter(merged_into=None, erased_at=None)


class Player(WithUid):
    """A person who plays in a club, with or without a user account."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="players")
    # Shown on all pages; it may be a nickname.
    name = models.CharField(_("name"), max_length=60)
    name_key = models.CharField(max_length=180, editable=False)  # one letter may become three
    # The name behind a nickname. Trap: no public page may show it.
    full_name = models.CharField(_("full name"), max_length=120, blank=True)
    user = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="players")
    # A user who claims to be this player, until an organiser has answered.
    claimed_by = models.ForeignKey(
        User, models.SET_NULL, null=True, blank=True, related_name="claims"
    )
    visitor_from = models.CharField(_("home club"), max_length=80, blank=True)
    # False for visitors, unless an organiser ticks it.
    in_season = models.BooleanField(_("counts for the season"), default=True)
    # The player that this one turned out to be; all results are that player's.
    merged_into = models.ForeignKey("self", models.PROTECT, null=True, blank=True)
    # When all that identifies the person was erased, as they wished; the results stay.
    erased_at = models.DateTimeField(null=True, blank=True)

    objects = PlayerQuerySet.as_manager()

    class Meta:
        constraints = [
            check("player_has_a_name", ~Q(name_key="")),
            unique(
                "player_name_once_a_club",
                "club",
                "name_key",
                where=Q(merged_into=None, erased_at=None),
            ),
            unique(
                "player_once_a_user_and_club",
                "club",
                "user",
                where=Q(user__isnull=False, merged_into=None),
            ),
            check("player_not_merged_into_itself", Q(merged_into=None) | ~Q(merged_into=F("pk"))),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def team_names(self) -> str:
        return ", ".join(team.name for team in self.teams.all())


class Team(WithUid):
    """Players who enter together. Who played at a table is in its ``Seat`` rows."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="teams")
    name = models.CharField(_("name"), max_length=80)
    name_key = models.CharField(max_length=240, editable=False)
    roster = models.ManyToManyField(Player, related_name="teams", verbose_name=_("players"))

    class Meta:
        constraints = [
            check("team_has_a_name", ~Q(name_key="")),
            unique("team_name_once_a_club", "club", "name_key"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("teams", args=[self.club_id])

    @property
    def roster_names(self) -> str:
        return ", ".join(player.name for player in self.roster.all())

    @property
    def name_lists_players(self) -> bool:
        """Return whether the team's name consists of its players' names, as it does by default."""
        return set(self.name.split(" & ")) == {player.name for player in self.roster.all()}


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def usable(self, at: datetime) -> Self:
        """Filter to invitations that can be used at this moment, the newest first."""
        valid = self.filter(Q(many=True) | Q(used=0), withdrawn_at=None, expires_at__gt=at)
        return valid.order_by("-made_at", "-pk")


class Invitation(models.Model):
    """A link that makes a user a member of the club, and may connect the user with a player.

    The link itself is not stored: it is the signed key of this row.
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

    objects = InvitationQuerySet.as_manager()

    class Meta:
        constraints = [
            one_of("invitation_role_is_known", "role", Role),
            check("invitation_once", Q(many=True) | Q(used__lte=1)),
            check("invitation_of_a_player_is_for_one", Q(player=None) | Q(many=False)),
            check("invitation_lasts_a_while", Q(expires_at__gt=F("made_at"))),
        ]

    def __str__(self) -> str:
        return f"{self.role} of {self.club}"


class WishKind(models.TextChoices):
    KEEPS_TABLE = "table", _("keeps a table")
    NOT_PARTNERS = "partner", _("never partners of")
    NOT_MEET = "meet", _("never at one table with")


class SeatingWish(models.Model):
    """A table that a player never leaves, or a player they must not meet; seen by organisers."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="seating_wishes")
    kind = models.CharField(max_length=7, choices=WishKind)
    player = models.ForeignKey(Player, models.CASCADE, related_name="seating_wishes")
    other = models.ForeignKey(Player, models.CASCADE, null=True, blank=True, related_name="+")
    table = models.PositiveSmallIntegerField(null=True, blank=True)  # its number in the hall

    class Meta:
        constraints = [
            one_of("seating_wish_kind_is_known", "kind", WishKind),
            check(
                "seating_wish_is_of_a_table_or_of_somebody",
                Q(kind="table", other=None, table__gte=1)
                | (~Q(kind="table") & Q(other__isnull=False, table=None)),
            ),
            # The player with the smaller key comes first, so that no wish is stored twice.
            check("seating_wish_is_of_two_people", Q(other=None) | Q(player__lt=F("other"))),
            unique("seating_wish_one_table_a_player", "player", where=Q(kind="table")),
            unique("seating_wish_once_two_people", "kind", "player", "other"),
        ]

    def __str__(self) -> str:
        return f"{self.player} {self.kind} {self.other or self.table}"
