"""Players and teams."""

import unicodedata

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tracker.models.base import WithUid
from tracker.models.clubs import Club, User


def name_key(name: str) -> str:
    """Return what two spellings of one name share.

    >>> name_key("  JUMA  Kapera ") == name_key("Juma kapera")
    True
    """
    return unicodedata.normalize("NFC", " ".join(name.split())).casefold()


class PlayerQuerySet(models.QuerySet["Player"]):
    def present(self) -> "PlayerQuerySet":
        """Leave out those merged into another and those erased."""
        return self.filter(merged_into=None, erased_at=None)


class Player(WithUid):
    club = models.ForeignKey(Club, models.CASCADE, related_name="players")
    # What everybody reads, everywhere: a nickname, if that is how somebody wishes it.
    name = models.CharField(_("name"), max_length=60)
    name_key = models.CharField(max_length=180, editable=False)
    # What is behind a nickname. No public page may ask for it.
    full_name = models.CharField(_("full name"), max_length=120, blank=True)
    user = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="players")
    # Who says "this is me", until somebody who runs the club has answered.
    claimed_by = models.ForeignKey(
        User, models.SET_NULL, null=True, blank=True, related_name="claims"
    )
    visitor_from = models.CharField(_("home club"), max_length=80, blank=True)
    # A visitor counts for the night alone, unless somebody ticks otherwise.
    in_season = models.BooleanField(_("counts for the season"), default=True)
    merged_into = models.ForeignKey("self", models.PROTECT, null=True, blank=True)
    erased_at = models.DateTimeField(null=True, blank=True)

    objects = PlayerQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(name_key=""), name="player_has_a_name"),
            models.UniqueConstraint(
                fields=["club", "name_key"],
                condition=Q(merged_into=None, erased_at=None),
                name="player_name_once_a_club",
            ),
            models.UniqueConstraint(
                fields=["club", "user"],
                condition=Q(user__isnull=False, merged_into=None),
                name="player_once_a_user_and_club",
            ),
            models.CheckConstraint(
                condition=Q(merged_into=None) | ~Q(merged_into=models.F("pk")),
                name="player_not_merged_into_itself",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def team_names(self) -> str:
        return ", ".join(team.name for team in self.teams.all())


class Team(WithUid):
    """People who play together; the seats say who really played."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="teams")
    name = models.CharField(_("name"), max_length=80)
    name_key = models.CharField(max_length=240, editable=False)
    roster = models.ManyToManyField(Player, related_name="teams", verbose_name=_("players"))

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(name_key=""), name="team_has_a_name"),
            models.UniqueConstraint(fields=["club", "name_key"], name="team_name_once_a_club"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("teams", args=[self.club_id])

    @property
    def roster_names(self) -> str:
        return ", ".join(player.name for player in self.roster.all())

    @property
    def says_all(self) -> bool:
        """Say whether the name already says who they are."""
        return set(self.name.split(" & ")) == {player.name for player in self.roster.all()}
