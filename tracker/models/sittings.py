"""Tables, sittings and seats; table codes and URLs that are no longer valid; wrong codes.

A *table* stands in the hall for a night or a tournament. A *sitting* is one table in one round:
people at *places*, numbered from 0 in the direction of play, some of them together on a *side*.
"""

from typing import Any

from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tracker.models.base import WithUid, check, one_of, unique
from tracker.models.nights import ClubNight
from tracker.models.players import Player
from tracker.models.rounds import Round, RoundState
from tracker.models.tournaments import Entrant, Tournament


class Table(WithUid):
    """A table in the hall; the QR code on its card leads to the sitting that is there now."""

    # It belongs to a night or to a tournament, not to both.
    night = models.ForeignKey(
        ClubNight, models.CASCADE, null=True, blank=True, related_name="tables"
    )
    tournament = models.ForeignKey(
        Tournament, models.CASCADE, null=True, blank=True, related_name="tables"
    )
    number = models.PositiveSmallIntegerField()
    card_token = models.CharField(max_length=32, unique=True)  # in the URL of the QR code
    # On the card, to be typed in place of the QR code; 4 characters on old cards.
    code = models.CharField(max_length=6, unique=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)  # its card is invalid since then

    class Meta:
        constraints = [
            check(
                "table_of_a_night_or_a_tournament",
                Q(night__isnull=True) ^ Q(tournament__isnull=True),
            ),
            check("table_numbered_from_one", Q(number__gte=1)),
            unique("table_number_once_a_night", "night", "number"),
            unique("table_number_once_a_tournament", "tournament", "number"),
        ]

    def __str__(self) -> str:
        return f"table {self.number}"

    def get_absolute_url(self) -> str:
        return reverse("card", args=[self.card_token])

    @property
    def spaced_code(self) -> str:
        return spaced(self.code)


def spaced(code: str) -> str:
    """Return a table's code in groups of three, if it has six characters."""
    return f"{code[:3]} {code[3:]}" if len(code) > 4 else code


class TokenState(models.TextChoices):
    """Whether reports may be sent to a sitting's URL, which has its token."""

    OPEN = "open"
    CLOSED = "closed"  # the round is closed: what comes in now is late
    REVOKED = "revoked"  # withdrawn by an organiser


class DecidedBy(models.TextChoices):
    """Who chose the winner of a *level* match: one in which both sides have equal points."""

    LOT = "lot", _("lot")
    ORGANISER = "organiser", _("the organiser")


class SittingQuerySet(models.QuerySet["Sitting"]):
    def owing(self, tournament: Tournament) -> "SittingQuerySet":
        """Filter to tables of closed rounds that lack results: see ``Progress.owed``."""
        closed = self.filter(round__tournament=tournament, round__state=RoundState.CLOSED)
        hands = Q(hands_standing__lt=F("round__hands"))
        games = Q(games_over__lt=F("round__games") - F("not_played"))
        # A correction may leave a match of a bracket without a winner.
        level = Q(side_points__0=F("side_points__1"), decided_side=None)
        return closed.filter(hands | games | level)


class Sitting(WithUid):
    """One table in one round, shown as “Table 3”.

    ``session`` and the columns below it are updated with every hand: the state of the game after
    the last hand, and values derived from that state, so that pages need not score the hands.
    """

    round = models.ForeignKey(Round, models.CASCADE, related_name="sittings")
    table = models.ForeignKey(
        Table, models.SET_NULL, null=True, blank=True, related_name="sittings"
    )
    number = models.PositiveSmallIntegerField()
    # How many sit there, in which sides: the code of a ``games.mode.Mode``, as ``4t2``.
    mode = models.CharField(max_length=8)
    options = models.JSONField(default=dict, blank=True)  # a copy of the tournament's house rules
    token = models.CharField(max_length=32, unique=True)  # in the URL of the table page
    token_state = models.CharField(max_length=7, choices=TokenState, default=TokenState.OPEN)
    # For the rate limit of reports: when the hands reported so far would have ended, if they were
    # played one after the other at the fastest pace; in seconds since 1970.
    paced_until = models.FloatField(null=True, blank=True)
    first_dealer = models.PositiveSmallIntegerField(default=0)  # a place
    # By place, when its player last dealt in earlier rounds: -1 is these players' latest deal,
    # -2 the one before, and so on; None if they never dealt.
    dealt_before = models.JSONField(default=list)
    # The next dealer, if the table chose one, and the number of the last hand at that time.
    chosen_dealer = models.PositiveSmallIntegerField(null=True, blank=True)
    chosen_after = models.PositiveSmallIntegerField(null=True, blank=True)
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)

    session = models.JSONField()  # from ``Game.save_session``
    # The number of the last hand, also if it was struck (undone or taken out), and when it came.
    last_number = models.PositiveSmallIntegerField(default=0)
    last_at = models.DateTimeField(null=True, blank=True)
    # Places: who should deal the next hand, and all who may by the rules.
    next_dealer = models.PositiveSmallIntegerField()
    may_deal = models.JSONField(default=list)
    over = models.BooleanField(default=False)  # by the rules no hand can follow
    hands_standing = models.PositiveSmallIntegerField(default=0)  # without struck ones
    games_over = models.PositiveSmallIntegerField(default=0)
    # Results entered without playing: of hands, or of games if the round counts games.
    not_played = models.PositiveSmallIntegerField(default=0)
    open_conflicts = models.PositiveSmallIntegerField(default=0)  # pairs of reports that differ
    # Points of each side in a match of a bracket, in the units of ``Game.match_points``. Matches of
    # earlier versions have none; there the tie-breaks decide.
    side_points = models.JSONField(null=True, blank=True)
    # The winner of a level match decided without another hand, until a correction makes it unequal.
    decided_side = models.PositiveSmallIntegerField(null=True, blank=True)
    decided_by = models.CharField(
        max_length=9, choices=DecidedBy, blank=True, default="", db_default=""
    )
    # Counts changes that show on pages but are not in the log: see ``tables.revisions``.
    revision = models.PositiveIntegerField(default=0, db_default=0)

    objects = SittingQuerySet.as_manager()

    class Meta:
        constraints = [
            one_of("sitting_token_state_is_known", "token_state", TokenState),
            unique("sitting_number_once_a_round", "round", "number"),
            unique(
                "sitting_once_a_table_and_round", "round", "table", where=Q(table__isnull=False)
            ),
            check("sitting_numbered_from_one", Q(number__gte=1)),
            check(
                "sitting_dealer_chosen_after_a_hand",
                Q(chosen_dealer=None, chosen_after=None)
                | Q(chosen_dealer__isnull=False, chosen_after__isnull=False),
            ),
            check(
                "sitting_dealer_chosen_after_a_played_hand",
                Q(chosen_after=None) | Q(chosen_after__lte=F("last_number")),
            ),
            check(
                "sitting_counts_no_hand_it_does_not_have",
                Q(hands_standing__lte=F("last_number")) & Q(not_played__lte=F("hands_standing")),
            ),
            check(
                "sitting_decided_for_a_side_in_a_known_way",
                Q(decided_side=None, decided_by="")
                | Q(
                    decided_side__isnull=False,
                    decided_by__in=DecidedBy.values,
                    side_points__isnull=False,
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"table {self.number} in {self.round}"

    def get_absolute_url(self) -> str:
        return reverse("table", args=[self.token])


class ImportedTable(models.Model):
    """A table in a round that came from a file, with all that was reported at it."""

    sitting = models.OneToOneField(Sitting, models.CASCADE, primary_key=True, related_name="+")
    # The key of the last report in the file. Undoing the import may delete it and those before it.
    last_report = models.BigIntegerField()

    def __str__(self) -> str:
        return f"{self.sitting} from a file"


class SeatQuerySet(models.QuerySet["Seat"]):
    def running(self) -> "SeatQuerySet":
        """Filter to stints that have not ended."""
        return self.filter(to_hand=None)

    def active(self) -> "SeatQuerySet":
        """Filter to running stints of open rounds: of each player at most one."""
        return self.filter(active=True)


class Seat(models.Model):
    """A stint: one player at one place of a sitting, from one hand to another."""

    sitting = models.ForeignKey(Sitting, models.CASCADE, related_name="seats")
    # The sitting's round again, so that the database can refuse a second running seat in it.
    round = models.ForeignKey(Round, models.CASCADE, related_name="seats")
    place = models.PositiveSmallIntegerField()
    side = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, models.PROTECT, related_name="seats")
    entrant = models.ForeignKey(Entrant, models.PROTECT, related_name="seats")
    # The numbers of the first and the last hand; while the stint runs there is no last one.
    from_hand = models.PositiveSmallIntegerField(default=1)
    to_hand = models.PositiveSmallIntegerField(null=True, blank=True)
    # Whether the stint runs and its round is open: see ``save``.
    active = models.BooleanField(default=False, db_default=False, editable=False)

    objects = SeatQuerySet.as_manager()

    class Meta:
        constraints = [
            unique("seat_one_running_a_player_and_round", "round", "player", where=Q(to_hand=None)),
            unique("seat_one_active_a_player", "player", where=Q(active=True)),
            # The trigger ``seat_stints_do_not_overlap`` compares all stints of a place.
            unique("seat_one_running_a_place", "sitting", "place", where=Q(to_hand=None)),
            check("seat_from_hand_one", Q(from_hand__gte=1)),
            # If one less, the stint ended before its first hand was played.
            check("seat_ends_after_it_began", Q(to_hand=None) | Q(to_hand__gte=F("from_hand") - 1)),
        ]

    def __str__(self) -> str:
        return f"{self.player} at place {self.place} of {self.sitting}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save the row as not active; triggers of the database set ``active`` if it is."""
        self.active = False
        super().save(*args, **kwargs)


class WithdrawnKey(models.Model):
    """A key that once led to a table: the token or code of a table card, or a sitting's token.

    People who still use it are told that it was replaced, and not that there is no such table.
    """

    key = models.CharField(max_length=32, unique=True)
    table = models.ForeignKey(
        Table, models.CASCADE, null=True, blank=True, related_name="withdrawn_keys"
    )
    sitting = models.ForeignKey(
        Sitting, models.CASCADE, null=True, blank=True, related_name="withdrawn_keys"
    )
    withdrawn_at = models.DateTimeField()

    class Meta:
        constraints = [
            check("withdrawn_key_is_not_empty", ~Q(key="")),
            check(
                "withdrawn_key_of_a_table_or_a_sitting",
                Q(table__isnull=True) ^ Q(sitting__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"an old key of {self.table or self.sitting}"


class Misses(models.Model):
    """A rate limit of wrong table codes from one sender: see ``tables.failed_lookups``."""

    who = models.CharField(max_length=64, primary_key=True)  # a key made from the sender
    paid_off = models.FloatField()  # when the wrong codes are forgotten, in seconds since 1970

    class Meta:
        constraints = [check("misses_are_somebodys", ~Q(who=""))]

    def __str__(self) -> str:
        return f"misses of {self.who}"
