"""Seasons, club nights, replies to their invitations, and attendance.

A *club night* is an evening of a club, on which one or more tournaments are played.
"""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from uuid import UUID

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Count, F, Q
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy as _, ngettext

from tracker.models.base import WithUid, check, one_of, unique
from tracker.models.clubs import Club
from tracker.models.players import Player

# How long a night goes on, past midnight too, unless it is ended. How early before its start it
# already counts as going on, so that it can be prepared.
LASTS, EARLY = timedelta(hours=16), timedelta(hours=8)
# Limits of dates: those near ``datetime.min`` and ``max`` overflow in other time zones.
EARLIEST, LATEST = datetime(1900, 1, 2, tzinfo=UTC), datetime(2199, 12, 30, tzinfo=UTC)
_THIS_AGE = _("Please write a year from 1900 to 2199.")


class SeasonRule(models.TextChoices):
    """How the points of a player's tournaments are put together."""

    BEST = "best_n", _("the best tournaments of each player")
    SUM = "sum", _("all tournaments, added up")
    AVERAGE = "average", _("the average of all tournaments")


class SeasonManager(models.Manager["Season"]):
    def latest_of(self, club_id: int) -> "Season | None":
        """Return the newest season of a club, the default for its tournaments."""
        return self.filter(club=club_id).order_by("pk").last()


class Season(WithUid):
    """Tournaments of a club over which its players are ranked together."""

    MOST_COUNTED = 200  # tournaments

    club = models.ForeignKey(Club, models.CASCADE, related_name="seasons")
    name = models.CharField(_("name"), max_length=80)
    rule = models.CharField(max_length=7, choices=SeasonRule, default=SeasonRule.BEST)
    # By the rule BEST: how many tournaments of a player count.
    best_of = models.PositiveSmallIntegerField(null=True, blank=True, default=6)
    # By the rule AVERAGE: how many tournaments a player needs for a place.
    least_played = models.PositiveSmallIntegerField(default=3)

    objects = SeasonManager()

    class Meta:
        constraints = [
            one_of("season_rule_is_known", "rule", SeasonRule),
            check(
                "season_best_of_at_least_one",
                ~Q(rule="best_n") | Q(best_of__isnull=False, best_of__gte=1),
            ),
            check("season_least_played_at_least_one", Q(least_played__gte=1)),
            unique("season_name_once_a_club", "club", "name"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def rule_in_words(self) -> str:
        """Return a sentence on which tournaments of a player count."""
        match SeasonRule(self.rule):
            case SeasonRule.SUM:
                return gettext("Everybody’s tournaments are added up.")
            case SeasonRule.AVERAGE:
                return ngettext(
                    "The average of everybody’s tournaments counts.",
                    "The average counts of everybody who has played %(least)d tournaments or more.",
                    self.least_played,
                ) % {"least": self.least_played}
            case SeasonRule.BEST:
                return ngettext(
                    "Everybody’s best tournament counts.",
                    "Everybody’s best %(best)d tournaments are added up.",
                    self.best_of or 1,
                ) % {"best": self.best_of or 1}


class ClubNightQuerySet(models.QuerySet["ClubNight"]):
    def over(self, now: datetime) -> "ClubNightQuerySet":
        """Filter to nights that were ended, or began so long ago that they are over."""
        return self.filter(Q(ended_at__isnull=False) | Q(starts_at__lte=now - LASTS))

    def to_come(self, now: datetime) -> "ClubNightQuerySet":
        """Filter to nights that are not over, in order of their start."""
        not_over = self.filter(ended_at=None, starts_at__gt=now - LASTS)
        return not_over.order_by("starts_at", "pk")

    def going_on(self, club_id: int, now: datetime) -> "ClubNight | None":
        """Return the current night: the last that has begun, or else the next that begins soon."""
        return ClubNight.going_on_of(self.about_now(club_id, now), now)

    def counted(self) -> "ClubNightQuerySet":
        """Annotate nights with how many replied “yes” (``coming``) and how many came (``came``)."""
        return self.annotate(
            coming=Count("rsvps", filter=Q(rsvps__yes=True), distinct=True),
            came=Count("attendances__player", distinct=True),
        )

    def about_now(self, club_id: int, now: datetime) -> "ClubNightQuerySet":
        """Filter to nights of a club that go on or begin soon, in order of their start."""
        return self.to_come(now).filter(club=club_id, starts_at__lte=now + EARLY)


class ClubNight(WithUid):
    club = models.ForeignKey(Club, models.CASCADE, related_name="nights")
    place = models.CharField(_("place"), max_length=120, blank=True)
    starts_at = models.DateTimeField(
        _("starts at"),
        validators=[
            MinValueValidator(EARLIEST, message=_THIS_AGE),
            MaxValueValidator(LATEST, message=_THIS_AGE),
        ],
    )
    # What will be played, as the invitation says it.
    games = models.CharField(_("games"), max_length=200, blank=True)
    break_until = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    # In the URL of the check-in page, shown as a QR code at the door; made when first shown.
    door_token = models.CharField(max_length=32, unique=True, null=True, blank=True)
    # In the URL of the reply page after its link was renewed. Until then the uid is there.
    new_link = models.UUIDField(unique=True, null=True, blank=True)

    objects = ClubNightQuerySet.as_manager()

    class Meta:
        constraints = [
            check("night_is_of_this_age", Q(starts_at__gte=EARLIEST, starts_at__lte=LATEST))
        ]

    def __str__(self) -> str:
        return f"{self.starts_at:%Y-%m-%d}"

    @staticmethod
    def going_on_of(not_over: Iterable["ClubNight"], now: datetime) -> "ClubNight | None":
        """Return the current one of a club's nights from ``to_come``: see ``going_on``."""
        nights = [night for night in not_over if night.starts_at <= now + EARLY]
        begun = [night for night in nights if night.starts_at <= now]
        return begun[-1] if begun else next(iter(nights), None)

    def goes_on(self, now: datetime) -> bool:
        """Return whether the night is about to begin or under way."""
        return self.ended_at is None and self.starts_at - EARLY <= now < self.starts_at + LASTS

    def get_absolute_url(self) -> str:
        return reverse("night", args=[self.pk])

    @property
    def reply_id(self) -> UUID:
        """Return the key in the URL of the reply page."""
        return self.new_link or self.uid


class RsvpQuerySet(models.QuerySet["Rsvp"]):
    def at_door(self, night: ClubNight) -> "RsvpQuerySet":
        """Filter to new names written at the door that wait for an organiser, the oldest first."""
        waiting = self.filter(night=night, player=None).exclude(at_door_since=None)
        return waiting.order_by("at_door_since", "pk")


class Rsvp(models.Model):
    """The reply of a player, or of a name that is no player yet, whether they come to a night."""

    night = models.ForeignKey(ClubNight, models.CASCADE, related_name="rsvps")
    player = models.ForeignKey(Player, models.CASCADE, null=True, blank=True, related_name="rsvps")
    name = models.CharField(max_length=60, blank=True)
    name_key = models.CharField(max_length=180, blank=True, editable=False)
    yes = models.BooleanField()  # whether they come
    answered_at = models.DateTimeField()
    # Since when a new name, written at the door, waits for an organiser to make it a player.
    at_door_since = models.DateTimeField(null=True, blank=True)

    objects = RsvpQuerySet.as_manager()

    class Meta:
        constraints = [
            check(
                "rsvp_is_a_player_or_a_name",
                Q(player__isnull=False, name="", name_key="") | (Q(player=None) & ~Q(name_key="")),
            ),
            unique("rsvp_once_a_player", "night", "player"),
            unique("rsvp_once_a_name", "night", "name_key", where=Q(player=None)),
        ]

    def __str__(self) -> str:
        return f"{self.called} for {self.night}"

    @property
    def called(self) -> str:
        return self.player.name if self.player else self.name


class AttendanceQuerySet(models.QuerySet["Attendance"]):
    def here(self, night: ClubNight) -> "AttendanceQuerySet":
        """Filter to stays at the night that have not ended."""
        return self.filter(night=night, until=None)

    def people(self) -> models.QuerySet[Player]:
        """Return the players of these stays, by name."""
        return Player.objects.filter(pk__in=self.values("player")).order_by("name_key")

    def gone_home(self, night: ClubNight, players: Iterable[int]) -> set[int]:
        """Return the keys of those of *players* who were at the night and have left."""
        stays = self.filter(night=night, player__in=list(players))
        still_here = set(stays.here(night).values_list("player", flat=True))
        return set(stays.values_list("player", flat=True)) - still_here

    def end(self, now: datetime) -> list[int]:
        """End these stays, and return the keys of their players."""
        players = []
        for stay in self:
            stay.until = max(now, stay.since)  # no stay may end before it began
            stay.save(update_fields=["until"])
            players.append(stay.player_id)
        return players


class Attendance(models.Model):
    """A stay of a player at a night; a player who leaves and comes back has two."""

    night = models.ForeignKey(ClubNight, models.CASCADE, related_name="attendances")
    player = models.ForeignKey(Player, models.PROTECT, related_name="attendances")
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)

    objects = AttendanceQuerySet.as_manager()

    class Meta:
        constraints = [
            check("attendance_ends_after_it_began", Q(until=None) | Q(until__gte=F("since"))),
            unique("attendance_once_at_a_time", "night", "player", where=Q(until=None)),
        ]

    def __str__(self) -> str:
        return f"{self.player} at {self.night}"
