"""Club nights: when and where people meet, who means to come, and who came."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from uuid import UUID

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Count, F, Q
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from tracker.models.base import WithUid, one_of
from tracker.models.clubs import Club
from tracker.models.players import Player

LASTS = timedelta(hours=16)  # past midnight it is still the same night
EARLY = timedelta(hours=8)  # before it begins somebody puts up the tables
# Beyond these a calendar has no hour after the last one, nor a zone east of it its day.
FIRST, LAST = datetime(1900, 1, 2, tzinfo=UTC), datetime(2199, 12, 30, tzinfo=UTC)
_THIS_AGE = _("Please write a year from 1900 to 2199.")


class SeasonRule(models.TextChoices):
    BEST = "best_n", _("the best tournaments of each player")
    SUM = "sum", _("all tournaments, added up")
    AVERAGE = "average", _("the average of all tournaments")


class SeasonManager(models.Manager["Season"]):
    def latest_of(self, club_id: int) -> "Season | None":
        """Return the newest season of a club, the usual one for its tournaments."""
        return self.filter(club=club_id).order_by("pk").last()


class Season(WithUid):
    """Many tournaments of a club in one standing.

    ``best_of`` is of the rule of the best, ``least_played`` of the average: of how many
    tournaments a player must have played to have a place.
    """

    MOST_COUNTED = 200  # tournaments

    club = models.ForeignKey(Club, models.CASCADE, related_name="seasons")
    name = models.CharField(_("name"), max_length=80)
    rule = models.CharField(max_length=7, choices=SeasonRule, default=SeasonRule.BEST)
    best_of = models.PositiveSmallIntegerField(null=True, blank=True, default=6)
    least_played = models.PositiveSmallIntegerField(default=3)

    objects = SeasonManager()

    class Meta:
        constraints = [
            one_of("rule", SeasonRule, "season_rule_is_known"),
            models.CheckConstraint(
                condition=~Q(rule="best_n") | Q(best_of__isnull=False, best_of__gte=1),
                name="season_best_of_at_least_one",
            ),
            models.CheckConstraint(
                condition=Q(least_played__gte=1), name="season_least_played_at_least_one"
            ),
            models.UniqueConstraint(fields=["club", "name"], name="season_name_once_a_club"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def rule_in_words(self) -> str:
        """Return a sentence that says which tournaments of a player count."""
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
        """Keep the nights that were ended, or began too long ago to go on."""
        return self.filter(Q(ended_at__isnull=False) | Q(starts_at__lte=now - LASTS))

    def to_come(self, now: datetime) -> "ClubNightQuerySet":
        """Keep the nights that are not over, the next one first."""
        coming = self.filter(ended_at=None, starts_at__gt=now - LASTS)
        return coming.order_by("starts_at", "pk")

    def going_on(self, club_id: int, now: datetime) -> "ClubNight | None":
        """Return the night that goes on: the one begun last, or else the one about to begin."""
        return ClubNight.going_on_of(self.about_now(club_id, now), now)

    def counted(self) -> "ClubNightQuerySet":
        """Annotate each with ``coming``, how many said yes, and ``came``, how many were there."""
        return self.annotate(
            coming=Count("rsvps", filter=Q(rsvps__yes=True), distinct=True),
            came=Count("attendances__player", distinct=True),
        )

    def about_now(self, club_id: int, now: datetime) -> "ClubNightQuerySet":
        """Keep the nights of a club that go on or are about to begin, the first one first."""
        return self.to_come(now).filter(club=club_id, starts_at__lte=now + EARLY)


class ClubNight(WithUid):
    club = models.ForeignKey(Club, models.CASCADE, related_name="nights")
    place = models.CharField(_("place"), max_length=120, blank=True)
    starts_at = models.DateTimeField(
        _("starts at"),
        validators=[
            MinValueValidator(FIRST, message=_THIS_AGE),
            MaxValueValidator(LAST, message=_THIS_AGE),
        ],
    )
    games = models.CharField(_("games"), max_length=200, blank=True)
    break_until = models.DateTimeField(null=True, blank=True)  # everybody is at the bar
    ended_at = models.DateTimeField(null=True, blank=True)
    # Behind the QR code at the door, where people check themselves in; made when first shown.
    door_token = models.CharField(max_length=32, unique=True, null=True, blank=True)
    # Once the link by which people say whether they come was renewed: what is good instead of it.
    new_link = models.UUIDField(unique=True, null=True, blank=True)

    objects = ClubNightQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(starts_at__gte=FIRST, starts_at__lte=LAST), name="night_is_of_this_age"
            )
        ]

    def __str__(self) -> str:
        return f"{self.starts_at:%Y-%m-%d}"

    @staticmethod
    def going_on_of(coming: Iterable["ClubNight"], now: datetime) -> "ClubNight | None":
        """Return which of the nights to come goes on: the one begun last, or else the next."""
        nights = [night for night in coming if night.starts_at <= now + EARLY]
        begun = [night for night in nights if night.starts_at <= now]
        return begun[-1] if begun else next(iter(nights), None)

    def goes_on(self, now: datetime) -> bool:
        """Say whether people come and go: the night is about to begin, or not over."""
        return self.ended_at is None and self.starts_at - EARLY <= now < self.starts_at + LASTS

    def get_absolute_url(self) -> str:
        return reverse("night", args=[self.pk])

    @property
    def reply_id(self) -> UUID:
        """Return the key in the address of the reply page."""
        return self.new_link or self.uid


class RsvpQuerySet(models.QuerySet["Rsvp"]):
    def at_door(self, night: ClubNight) -> "RsvpQuerySet":
        """Keep the new names that wait at the door for the organiser, the first one first."""
        waiting = self.filter(night=night, player=None).exclude(at_door_since=None)
        return waiting.order_by("at_door_since", "pk")


class Rsvp(models.Model):
    """The answer of a player, or of a name not known yet, whether they come to a night.

    With ``at_door_since`` it is a new name that was written at the door, and waits there.
    """

    night = models.ForeignKey(ClubNight, models.CASCADE, related_name="rsvps")
    player = models.ForeignKey(Player, models.CASCADE, null=True, blank=True, related_name="rsvps")
    name = models.CharField(max_length=60, blank=True)
    name_key = models.CharField(max_length=180, blank=True, editable=False)
    yes = models.BooleanField()
    answered_at = models.DateTimeField()
    at_door_since = models.DateTimeField(null=True, blank=True)

    objects = RsvpQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(player__isnull=False, name="", name_key="")
                | (Q(player=None) & ~Q(name_key="")),
                name="rsvp_is_a_player_or_a_name",
            ),
            models.UniqueConstraint(fields=["night", "player"], name="rsvp_once_a_player"),
            models.UniqueConstraint(
                fields=["night", "name_key"], condition=Q(player=None), name="rsvp_once_a_name"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.called} for {self.night}"

    @property
    def called(self) -> str:
        """Return the name of the one who answered."""
        return self.player.name if self.player else self.name


class AttendanceQuerySet(models.QuerySet["Attendance"]):
    def here(self, night: ClubNight) -> "AttendanceQuerySet":
        """Keep the stays at the night that have not ended."""
        return self.filter(night=night, until=None)

    def people(self) -> models.QuerySet[Player]:
        """Return whose stays these are, by name."""
        return Player.objects.filter(pk__in=self.values("player")).order_by("name_key")

    def gone_home(self, night: ClubNight, players: Iterable[int]) -> set[int]:
        """Return who of *players* was at the night and has left it."""
        stays = self.filter(night=night, player__in=list(players))
        here = set(stays.here(night).values_list("player", flat=True))
        return set(stays.values_list("player", flat=True)) - here

    def end(self, now: datetime) -> list[int]:
        """End these stays, none before it began, and return whose they were."""
        gone = []
        for stay in self:
            stay.until = max(now, stay.since)
            stay.save(update_fields=["until"])
            gone.append(stay.player_id)
        return gone


class Attendance(models.Model):
    """One stay of a player at a night; who leaves and comes back has two."""

    night = models.ForeignKey(ClubNight, models.CASCADE, related_name="attendances")
    player = models.ForeignKey(Player, models.PROTECT, related_name="attendances")
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)

    objects = AttendanceQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(until=None) | Q(until__gte=F("since")),
                name="attendance_ends_after_it_began",
            ),
            models.UniqueConstraint(
                fields=["night", "player"],
                condition=Q(until=None),
                name="attendance_once_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} at {self.night}"
