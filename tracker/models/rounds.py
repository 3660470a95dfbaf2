"""Rounds of a tournament, rests in them, and draws of rounds to come.

An *entrant* is a player or a team of a tournament; one that *rests* in a round sits at no table.
"""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext, gettext_lazy as _

from tracker.models.base import WithUid, check, one_of, unique
from tracker.models.nights import ClubNight
from tracker.models.players import Player
from tracker.models.tournaments import Entrant, Tournament


class RoundState(models.TextChoices):
    OPEN = "open", _("open")
    CLOSED = "closed", _("closed")
    # Opened by mistake: it counts for nothing, and its number is used again.
    UNDONE = "undone", _("undone")


class RoundQuerySet(models.QuerySet["Round"]):
    def not_undone(self) -> "RoundQuerySet":
        return self.exclude(state=RoundState.UNDONE)


class Round(WithUid):
    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="rounds")
    night = models.ForeignKey(
        ClubNight, models.SET_NULL, null=True, blank=True, related_name="rounds"
    )
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=7, choices=RoundState, default=RoundState.OPEN)
    # How many hands, or finished games, each table plays; neither if there is no set length.
    hands = models.PositiveSmallIntegerField(null=True, blank=True)
    games = models.PositiveSmallIntegerField(null=True, blank=True)
    clock = models.JSONField(default=dict, blank=True)  # from ``Clock.to_json``; {} without one
    # What its ``Draw`` had when the round was opened: question, seed and seating; {} without one.
    seating_plan = models.JSONField(default=dict, blank=True)
    published_standing = models.JSONField(null=True, blank=True)  # as it was when the round closed
    opened_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    objects = RoundQuerySet.as_manager()

    class Meta:
        constraints = [
            one_of("round_state_is_known", "state", RoundState),
            check("round_numbered_from_one", Q(number__gte=1)),
            unique(
                "round_number_once_a_tournament", "tournament", "number", where=~Q(state="undone")
            ),
            check("round_counts_hands_or_games", Q(hands=None) | Q(games=None)),
            check(
                "round_is_not_empty",
                (Q(hands=None) | Q(hands__gte=1)) & (Q(games=None) | Q(games__gte=1)),
            ),
        ]

    def __str__(self) -> str:
        return f"round {self.number} of {self.tournament}"

    @property
    def is_last(self) -> bool:
        """Return whether no more rounds are planned; more can be played all the same."""
        planned = self.tournament.planned
        return planned is not None and self.number >= planned

    @property
    def called(self) -> str:
        """Return “Round 2 of 3”, or “Round 4” beyond the planned ones."""
        planned = self.tournament.planned
        if planned is None or planned < self.number:
            return gettext("Round %(number)d") % {"number": self.number}
        numbers = {"number": self.number, "all": planned}
        return gettext("Round %(number)d of %(all)d") % numbers


class RestQuerySet(models.QuerySet["Rest"]):
    def sat_out(self) -> "RestQuerySet":
        """Exclude rests of entrants who were seated after all, and of undone rounds."""
        standing = self.exclude(round__state=RoundState.UNDONE)
        return standing.exclude(round__seats__entrant=F("entrant"))

    def people(self) -> models.QuerySet[Player]:
        """Return the players who rest, alone or in a team."""
        alone, of_teams = self.values("entrant__player"), self.values("entrant__team__roster")
        return Player.objects.filter(Q(pk__in=alone) | Q(pk__in=of_teams))


class Rest(models.Model):
    round = models.ForeignKey(Round, models.CASCADE, related_name="rests")
    entrant = models.ForeignKey(Entrant, models.CASCADE, related_name="rests")

    objects = RestQuerySet.as_manager()

    class Meta:
        constraints = [unique("rest_once_an_entrant_and_round", "round", "entrant")]

    def __str__(self) -> str:
        return f"{self.entrant} rests in {self.round}"


class Draw(models.Model):
    """The tables drawn for a round that is not opened yet, perhaps changed by hand or published.

    Opening the round deletes its draw, and stores all of it in ``Round.seating_plan``.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="draws")
    number = models.PositiveSmallIntegerField()  # of the round it is for
    # The question to a movement (who plays, who has met), its random seed, and its answer:
    # ``tracker.seating.logic.saved_draws`` writes and reads them.
    question = models.JSONField()
    seed = models.BigIntegerField()
    plan = models.JSONField()
    drawn_at = models.DateTimeField()
    published_at = models.DateTimeField(null=True, blank=True)  # before, only organisers see it

    class Meta:
        constraints = [
            check("draw_numbered_from_one", Q(number__gte=1)),
            unique("draw_once_a_round_to_come", "tournament", "number"),
        ]

    def __str__(self) -> str:
        return f"draw of round {self.number} of {self.tournament}"
