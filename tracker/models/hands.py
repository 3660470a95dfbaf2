"""Reports, hands, their records card by card, issues, and tallies of marks.

A *sitting* is a table in one round, a *seat* one player at a *place* there, and a *side* the places
that score together. What a table writes down about a hand is a *sheet*: JSON, with its answers
keyed by question. The game turns it into *marks* for each place: whole numbers keyed by name, as
``{"points": 3}``. A *tally* is the sum of one mark. A *struck* hand was undone or taken out: its
row stays, but it counts for nothing.
"""

from collections.abc import Collection
from typing import Any, Self

from django.db import models
from django.db.models import Exists, F, Index, OuterRef, Q
from django.utils.translation import gettext, gettext_lazy as _

from tracker.models.base import check, one_of, unique
from tracker.models.clubs import User
from tracker.models.rounds import RoundState
from tracker.models.sittings import Seat, Sitting
from tracker.models.tournaments import Confirm, Entrant, Tournament


class Verdict(models.TextChoices):
    """What became of a report. An *issue* is a question that the organiser has to settle."""

    ACCEPTED = "accepted"  # the first of its hand: it made the hand
    AGREES = "agrees"  # a second report, with the same result; it may confirm the hand
    AMENDS = "amends"  # the phone that sent the last hand has changed it
    CONFLICTS = "conflicts"  # a second report, with another result: an issue, and no change
    LATE = "late"  # it came after the round was closed: an issue, and no change
    PARKED = "parked"  # the first, but its count does not add up: an issue; only who won counts
    CORRECTION = "correction"  # not from the table: an organiser changed the hand
    PROPOSES = "proposes"  # asks to change a hand that is not the last: an issue, and no change


class Report(models.Model):
    """One submission of a sheet.

    Triggers (migrations 2, 4, 17) refuse to change or delete it. Only the undo of an import may
    delete reports: those that came in its file.
    """

    entry = models.UUIDField(unique=True)  # from the phone: the same if it sends this report again
    sitting = models.ForeignKey(Sitting, models.PROTECT, related_name="reports")
    number = models.PositiveSmallIntegerField()  # of the hand in its sitting
    side = models.PositiveSmallIntegerField(null=True, blank=True)  # None is the whole table
    device = models.CharField(max_length=40, blank=True)  # the random name of the phone
    sent_by = models.ForeignKey(User, models.PROTECT, null=True, blank=True)
    sheet = models.JSONField()
    received_at = models.DateTimeField()
    verdict = models.CharField(max_length=10, choices=Verdict)
    # The answer to the phone, given again to the same ``entry``: next dealer, who may deal, whether
    # the game is over. {} if no phone sent the report.
    answer = models.JSONField()

    class Meta:
        constraints = [
            one_of("report_verdict_is_known", "verdict", Verdict),
            check("report_numbered_from_one", Q(number__gte=1)),
        ]
        indexes = [Index(fields=["sitting", "number"], name="report_by_hand")]

    def __str__(self) -> str:
        return f"{self.verdict} hand {self.number} of {self.sitting}"


class HandKind(models.TextChoices):
    """How much of a hand the table counted."""

    COUNTED = "counted"  # all sides
    BARE = "bare"  # none: there is only who won, or the finishing order
    DERIVED = "derived"  # all sides but one, whose count follows from the others


class ResultType(models.TextChoices):
    """Why an organiser entered a result in place of a sheet from the table."""

    WALKOVER = "walkover", _("walkover")  # one side did not turn up
    ASSIGNED = "assigned", _("assigned")  # the organiser decided who won
    NOT_PLAYED = "not_played", _("not played")  # a hand; nobody scores
    GAME_NOT_PLAYED = "game_not_played", _("not played")  # a whole game, in rounds of games
    VOID = "void", _("void")  # it was played, but nobody scores


class IssueKind(models.TextChoices):
    CONFLICT = "conflict"  # two reports of a hand differ
    PARKED = "parked"  # a report whose count does not add up was accepted
    LATE = "late"  # a report came after the round was closed
    QUERY = "query"  # a player thinks that a result is wrong
    CHANGE = "change"  # the table wants to change a hand that is not the last
    CALL = "call"  # a table wants the organiser to come


# Until such an issue is settled, no side can confirm the hand: its result is in question.
TO_SETTLE_FIRST = (IssueKind.CONFLICT, IssueKind.PARKED)
# While such an issue is open a result is missing, and no standing becomes official.
MISSING_RESULT = (*TO_SETTLE_FIRST, IssueKind.LATE)
# What is to be settled. A call has a ``CallReason`` instead.
_ISSUE_TEXTS = {
    IssueKind.CONFLICT: _("two different counts"),
    IssueKind.PARKED: _("it would not add up"),
    IssueKind.LATE: _("it came after the round was closed"),
    IssueKind.QUERY: _("a player thinks it is wrong"),
    IssueKind.CHANGE: _("the table asks to change it"),
}


class HandQuerySet(models.QuerySet["Hand"]):
    def unconfirmed(self) -> "HandQuerySet":
        """Filter to played hands that another side has to confirm, in tournaments that ask for it.

        Left out are hands with a conflict or a parked report, which the organiser settles first.
        """
        to_settle = Issue.objects.filter(
            sitting=OuterRef("sitting"),
            number=OuterRef("number"),
            settled_at=None,
            kind__in=TO_SETTLE_FIRST,
        )
        return self.filter(
            ~Exists(to_settle),
            sitting__round__tournament__confirm=Confirm.BOTH,
            confirmed_at=None,
            struck_at=None,
            result_type="",
        )


class Hand(models.Model):
    """One hand of a sitting, as ``accepted_report`` has it: the report that counts at present."""

    sitting = models.ForeignKey(Sitting, models.PROTECT, related_name="hands")
    number = models.PositiveSmallIntegerField()  # in its sitting, from 1
    accepted_report = models.OneToOneField(Report, models.PROTECT, related_name="stands_for")
    # The state of the game before it, such as who may deal: from ``Game.save_session``.
    session_before = models.JSONField()
    sheet = models.JSONField()  # with the answers that follow from the others
    # The place that dealt; None if cards were drawn for the deal, and nobody wrote down who dealt.
    dealer = models.PositiveSmallIntegerField(null=True, blank=True)
    marks = models.JSONField(null=True)  # a list by place; None if the hand does not count
    kind = models.CharField(max_length=7, choices=HandKind)
    warnings = models.JSONField(default=list)  # sentences: what is unusual, though allowed
    # Whether a game of several hands ended with it; tables of some rounds play a number of games.
    ends_game = models.BooleanField(default=False)
    confirmed_at = models.DateTimeField(null=True, blank=True)  # by another side
    struck_at = models.DateTimeField(null=True, blank=True)
    recorded_at = models.DateTimeField()
    # Why a result was entered, and the organiser's words for it; empty for a hand from the table.
    # The defaults are also in the database, for the hand-written SQL that inserts hands.
    result_type = models.CharField(max_length=15, choices=ResultType, blank=True, db_default="")
    reason = models.CharField(max_length=300, blank=True, db_default="")

    objects = HandQuerySet.as_manager()

    class Meta:
        constraints = [
            unique("hand_number_once_a_sitting", "sitting", "number"),
            check("hand_numbered_from_one", Q(number__gte=1)),
            one_of("hand_kind_is_known", "kind", HandKind),
            check(
                "hand_dealer_unknown_by_its_sheet",
                Q(dealer__isnull=False) | Q(sheet__has_key="dealer", sheet__dealer=None),
            ),
            check(
                "hand_confirmed_after_recorded",
                Q(confirmed_at=None) | Q(confirmed_at__gte=F("recorded_at")),
            ),
            check(
                "hand_struck_after_recorded", Q(struck_at=None) | Q(struck_at__gte=F("recorded_at"))
            ),
            check(
                "hand_not_played_out_for_a_reason",
                Q(result_type="", reason="")
                | (Q(result_type__in=tuple(ResultType.values)) & ~Q(reason="")),
            ),
        ]

    def __str__(self) -> str:
        return f"hand {self.number} of {self.sitting}"

    @property
    def played(self) -> bool:
        """Return whether it comes from a sheet of the table, and no result was entered for it."""
        return not self.result_type


class CallReason(models.TextChoices):
    """What a table needs from the organiser that it calls."""

    RULING = "ruling", _("a ruling")
    COUNT = "count", _("help with the count")
    PLAYER = "player", _("somebody is missing or leaves")
    CARDS = "cards", _("the cards")
    OTHER = "other", _("something else")


class IssueQuerySet(models.QuerySet["Issue"]):
    def open_conflicts(self, sitting_id: int) -> Self:
        """Filter to the open conflicts of a table."""
        return self.filter(sitting=sitting_id, kind=IssueKind.CONFLICT, settled_at=None)

    def missing_results(self, tournament: Tournament) -> Self:
        """Filter to open issues that keep the standing of a tournament from becoming official."""
        return self.waiting_in([tournament]).filter(kind__in=MISSING_RESULT)

    def waiting_in(self, tournaments: Collection[Tournament] | models.QuerySet[Any]) -> Self:
        """Filter to open issues of these tournaments, including calls for the organiser."""
        open_ = self.filter(sitting__round__tournament__in=tournaments, settled_at=None)
        return open_.exclude(sitting__round__state=RoundState.UNDONE)


class Issue(models.Model):
    """A question about a hand that a person has to settle, or a call for the organiser."""

    sitting = models.ForeignKey(Sitting, models.CASCADE, related_name="issues")
    # The number of the hand; for a call that of the hand being played, which has no row yet.
    number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=8, choices=IssueKind)
    # The report that raised it; None for a query or call, which no report raises.
    report = models.ForeignKey(Report, models.PROTECT, null=True, blank=True)
    note = models.CharField(max_length=200, blank=True)  # the words of a query
    raised_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True, blank=True)
    # How it was settled, "" while open. ``settling.IssueOutcome`` has the organiser's decisions,
    # ``issues`` and ``calls`` beside it the rest, such as "withdrawn" for a call.
    outcome = models.CharField(max_length=12, blank=True)
    # Only for calls: why, and since when an organiser is on the way.
    reason = models.CharField(max_length=6, choices=CallReason, blank=True)
    taken_at = models.DateTimeField(null=True, blank=True)

    objects = IssueQuerySet.as_manager()

    class Meta:
        constraints = [
            one_of("issue_kind_is_known", "kind", IssueKind),
            check(
                "issue_settled_with_an_outcome",
                Q(settled_at=None, outcome="") | (Q(settled_at__isnull=False) & ~Q(outcome="")),
            ),
            check(
                "issue_is_about_a_report", Q(kind__in=["query", "call"]) | Q(report__isnull=False)
            ),
            check(
                "issue_call_has_a_reason",
                Q(kind="call", reason__in=tuple(CallReason.values))
                | (~Q(kind="call") & Q(reason="", taken_at=None)),
            ),
            unique("issue_one_open_call_a_table", "sitting", where=Q(kind="call", settled_at=None)),
        ]
        indexes = [Index(fields=["sitting"], condition=Q(settled_at=None), name="issue_open")]

    def __str__(self) -> str:
        return f"{self.kind} about hand {self.number} of {self.sitting}"

    @property
    def hand_label(self) -> str:
        """Return “Hand 6”."""
        unit = self.sitting.round.tournament.rules.unit
        return gettext(unit.numbered) % {"number": self.number}

    @property
    def is_missing_result(self) -> bool:
        return self.kind in MISSING_RESULT

    @property
    def says(self) -> str:
        """Return what has to be settled, or why the table calls the organiser."""
        if self.kind == IssueKind.CALL:
            return str(CallReason(self.reason).label)
        return str(_ISSUE_TEXTS[IssueKind(self.kind)])


class SeatTally(models.Model):
    """The sum of one mark over the hands of one seat: what each player of a team contributed."""

    seat = models.ForeignKey(Seat, models.CASCADE, related_name="tallies")
    key = models.CharField(max_length=30)  # of the mark
    amount = models.BigIntegerField()  # large, as some marks are in very small units

    class Meta:
        constraints = [unique("seat_tally_once_a_key", "seat", "key")]

    def __str__(self) -> str:
        return f"{self.key} {self.amount} of {self.seat}"


class Tally(models.Model):
    """The sum of one mark over the hands of one entrant. Standings read these, and no hands."""

    entrant = models.ForeignKey(Entrant, models.CASCADE, related_name="tallies")
    key = models.CharField(max_length=30)  # of the mark
    amount = models.BigIntegerField()  # large, as some marks are in very small units

    class Meta:
        constraints = [unique("tally_once_a_key", "entrant", "key")]

    def __str__(self) -> str:
        return f"{self.key} {self.amount} of {self.entrant}"


class HandRecord(models.Model):
    """The moves of a hand, as ``games.records.format`` writes them, without names."""

    hand = models.OneToOneField(Hand, models.CASCADE, related_name="record")
    text = models.TextField()
    kept_at = models.DateTimeField()

    class Meta:
        constraints = [check("record_is_of_a_hand", Q(text__startswith="Kula hand "))]

    def __str__(self) -> str:
        return f"record of {self.hand}"
