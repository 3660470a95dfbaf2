"""Clubs, user accounts, the roles of users in clubs, and the audit log of what people did."""

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Index, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tracker.models.base import WithUid, check, one_of, unique


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
        constraints = [check("club_has_a_name", ~Q(name=""))]

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
    club = models.ForeignKey(Club, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=9, choices=Role)

    class Meta:
        constraints = [
            unique("membership_once_a_club", "club", "user"),
            one_of("membership_role_is_known", "role", Role),
        ]

    def __str__(self) -> str:
        return f"{self.user}, {self.role} of {self.club}"


# Replaces the name of an erased person in a log entry's ``reason``; triggers allow no other change.
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
    # The entry of the act that this one takes back.
    undoes = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="undone_by"
    )

    class Meta:
        constraints = [check("log_entry_has_a_verb", ~Q(verb=""))]
        indexes = [
            Index(fields=["club", "at"], name="log_entry_by_club_and_time"),
            # For ``tables.revisions``, by which polling pages notice changes.
            Index(fields=["club", "-id"], name="log_entry_by_club_newest"),
        ]

    def __str__(self) -> str:
        return f"{self.verb} at {self.at}"
