"""Clubs, user accounts, and the roles of users in clubs."""

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import CheckConstraint, Q, UniqueConstraint
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tracker.models.base import WithUid, one_of


class User(AbstractUser):
    """An account; the ``Player`` rows that belong to it may be in several clubs."""

    @property
    def called(self) -> str:
        return self.get_full_name() or self.get_username()

    @property
    def called_briefly(self) -> str:
        return self.called.split()[0]


class Club(WithUid):
    name = models.CharField(_("name"), max_length=80)
    # Whether its pages can be read without an account.
    public = models.BooleanField(_("public"), default=True)

    class Meta:
        constraints = [CheckConstraint(condition=~Q(name=""), name="club_has_a_name")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("club", args=[self.pk])


class Role(models.TextChoices):
    """What a member may do in a club, the highest role first."""

    OWNER = "owner", _("owner")
    ORGANISER = "organiser", _("organiser")
    SCORER = "scorer", _("scorer")
    MEMBER = "member", _("member")

    @property
    def in_a_sentence(self) -> str:
        """Return the role with its article, as in *joins as a member*."""
        return str(_WITH_ARTICLE[self])

    @property
    def rank(self) -> int:
        """Return the place of the role, 0 the highest."""
        return list(Role).index(self)


_WITH_ARTICLE = {
    Role.OWNER: _("an owner"),
    Role.ORGANISER: _("an organiser"),
    Role.SCORER: _("a scorer"),
    Role.MEMBER: _("a member"),
}


class Membership(models.Model):
    """The role of a user in a club."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=9, choices=Role)

    class Meta:
        constraints = [
            UniqueConstraint(fields=["club", "user"], name="membership_once_a_club"),
            one_of("role", Role, "membership_role_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user}, {self.role} of {self.club}"
