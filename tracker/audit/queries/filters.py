"""The filters of the log page, and the log entries and phones' reports that match, newest first.

``LogEntry.on`` has the keys of the rows that an entry is about: ``{"sitting": 3, "players": [5]}``.
A *sitting* is a table in one round. Only organisers may read whom a *private* entry is about.
"""

from dataclasses import dataclass
from datetime import date
from typing import Any, TypeAlias

from django.db.models import F, Q, QuerySet, TextField, Value
from django.db.models.fields.json import KT
from django.db.models.functions import Cast

from tracker.audit.queries.lookup import PLAYER_NAMES, mentions
from tracker.audit.queries.verbs import KINDS, VERBS
from tracker.audit.queries.verbs_of_clubs import LOGINS
from tracker.audit.queries.verbs_of_play import HANDS
from tracker.models import (
    Club,
    Entrant,
    LogEntry,
    Player,
    Report,
    Seat,
    Sitting,
    Tournament,
    Verdict,
)

# Rows of log entries and reports in one list. Each has the time ``happened_at``; ``what``: ACT for
# a log entry, REPORT for a report; and ``key``, the primary key.
Events: TypeAlias = QuerySet[Any, dict[str, Any]]
ACT, REPORT = "act", "report"
# The choice of the kind filter that lists reports; all others are in ``KINDS``.
RESULTS = "results"
# Reports that are not listed, as each has a log entry with the results before and after it. Without
# an ``answer`` it is not from a phone: an organiser entered the result.
_WITH_ENTRY = [Verdict.AMENDS, Verdict.PROPOSES, Verdict.CORRECTION]
REPORTS_WITH_ENTRY = Q(verdict__in=_WITH_ENTRY) | Q(answer={})
# Verbs of entries that are left out where reports are listed, as the report says the same.
TOLD_BY_REPORTS = [name for name, verb in VERBS.items() if verb.told_by_report]
PRIVATE_VERBS = [name for name, verb in VERBS.items() if verb.private]
SITTINGS = ("sitting", "sittings")  # names under which ``on`` has keys of sittings


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedEvents:
    """What the reader chose in the filters; empty fields match all events."""

    player: int | None = None  # a key
    user: int | None = None  # a key; a user and a player are never both chosen
    tournament: int | None = None  # a key
    table: int | None = None  # the number of a table, in any tournament and round
    kind: str = ""  # a key of ``KINDS``, or ``RESULTS``
    day: date | None = None


def matching_events(club: Club, wanted: WantedEvents, *, for_organiser: bool) -> Events:
    """Return the events of a club that match, newest first.

    These are reports if the kind is ``RESULTS``, both log entries and reports if a table but no
    kind is chosen, and else log entries. Unless the list is *for_organiser*, entries about logins
    are missing, and private entries are not found by the person that they are about.
    """
    if wanted.kind == RESULTS:
        return _matching_reports(club, wanted).order_by("-happened_at", "-key")
    entries = _matching_entries(club, wanted, for_organiser=for_organiser)
    if wanted.kind or wanted.table is None:
        return _as_events(entries, ACT, "at").order_by("-happened_at", "-key")
    acts = _as_events(entries.exclude(verb__in=TOLD_BY_REPORTS), ACT, "at")
    both = acts.union(_matching_reports(club, wanted), all=True)
    # By ``what`` before ``key``: the keys of entries and of reports cannot be compared.
    return both.order_by("-happened_at", "what", "-key")


def _as_events(rows: QuerySet[Any], what: str, time_field: str) -> Events:
    annotated = rows.annotate(happened_at=F(time_field), what=Value(what), key=F("pk"))
    events: Events = annotated.values("happened_at", "what", "key")
    return events


def _matching_reports(club: Club, wanted: WantedEvents) -> Events:
    # For a player these are all reports of the sittings where the player had a seat.
    reports = Report.objects.filter(sitting__in=matching_sittings(club, wanted))
    reports = reports.exclude(REPORTS_WITH_ENTRY)
    if wanted.day:
        reports = reports.filter(received_at__date=wanted.day)
    if wanted.user is not None:
        reports = reports.filter(sent_by=wanted.user)
    return _as_events(reports, REPORT, "received_at")


def _matching_entries(
    club: Club, wanted: WantedEvents, *, for_organiser: bool
) -> QuerySet[LogEntry]:
    sitting_key = Cast(KT("on__sitting"), TextField())  # for ``_about_hands_of``
    entries = LogEntry.objects.filter(club=club).annotate(sitting_key=sitting_key)
    if not for_organiser:
        entries = entries.exclude(verb__in=LOGINS)
    if wanted.kind in KINDS:
        _label, verbs = KINDS[wanted.kind]
        entries = entries.filter(verb__in=verbs)
    if wanted.day:
        entries = entries.filter(at__date=wanted.day)
    if wanted.user is not None:
        entries = entries.filter(_by_or_about_user(wanted.user))
    if wanted.player is not None:
        entries = entries.filter(_by_or_about_player(club, wanted.player, for_organiser))
    if wanted.table is None and wanted.tournament is None:
        return entries
    # An entry may name the tournament and the number of the table, or a sitting, or both: a table
    # of a draw is no sitting yet, and some entries of older versions name only a sitting.
    named = Q() if wanted.table is None else Q(numbers__table=wanted.table)
    if wanted.tournament is not None:
        named &= Q(on__tournament=wanted.tournament)
    # With a table number, only sittings where a chosen player had a seat; without one, all sittings
    # of the tournament, as the player may have acted at the tables of others.
    of_tournament = WantedEvents(tournament=wanted.tournament)
    sittings = matching_sittings(club, of_tournament if wanted.table is None else wanted)
    return entries.filter(named | mentions(SITTINGS, sittings.values_list("pk", flat=True)))


def _by_or_about_player(club: Club, key: int, for_organiser: bool) -> Q:
    """Return the condition that an entry is by or about a player; needs ``sitting_key``."""
    # Entries keep the keys of players merged into this one; seats and entrants were moved to it.
    players = Player.objects.filter(Q(pk=key) | Q(merged_into=key), club=club)
    entrants = Entrant.objects.filter(player=key, tournament__club=club)
    about = mentions(PLAYER_NAMES, players.values_list("pk", flat=True))
    about |= mentions(("entrant", "entrants"), entrants.values_list("pk", flat=True))
    about |= Q(verb__in=HANDS) & _about_hands_of(key)
    if not for_organiser:
        about &= ~Q(verb__in=PRIVATE_VERBS)
    user = Player.objects.filter(pk=key, club=club).values_list("user", flat=True).first()
    return about if user is None else about | _by_or_about_user(user)


def _by_or_about_user(user: int) -> Q:
    """Return the condition that a user did it, or that it was done to a user as a *member*."""
    return Q(user=user) | mentions(("member",), [user])


def _about_hands_of(player: int) -> Q:
    """Return the condition that an entry is about a sitting where a player had a seat.

    Where the player held the seat only for a part of the round, it has to name a hand of that part.
    The entries need the annotation ``sitting_key``: the key under "sitting" in ``on``, as text.
    """
    seats = Seat.objects.filter(player=player)
    # Seats held for all of the round. As a subquery: there may be hundreds.
    whole = seats.filter(from_hand=1, to_hand=None)
    about = Q(sitting_key__in=whole.values_list(Cast("sitting", TextField())))
    # All other seats. Sittings with the same range of hands share one condition.
    partial = seats.exclude(from_hand=1, to_hand=None)
    sittings_by_hands: dict[range, list[str]] = {}
    for sitting, first, last in partial.values_list("sitting", "from_hand", "to_hand"):
        # Without a last hand, the player stays to the end, whenever that is.
        end = Tournament.LONGEST_ROUND if last is None else last
        sittings_by_hands.setdefault(range(first, end + 1), []).append(str(sitting))
    for hands, sittings in sittings_by_hands.items():
        about |= Q(sitting_key__in=sittings) & mentions(("hand", "hands"), hands)
    return about


def matching_sittings(club: Club, wanted: WantedEvents) -> QuerySet[Sitting]:
    """Return the sittings that match the tournament, table number and player, where chosen."""
    sittings = Sitting.objects.filter(round__tournament__club=club)
    if wanted.tournament is not None:
        sittings = sittings.filter(round__tournament=wanted.tournament)
    if wanted.table is not None:
        sittings = sittings.filter(number=wanted.table)
    if wanted.player is not None:
        seats = Seat.objects.filter(player=wanted.player)
        sittings = sittings.filter(pk__in=seats.values("sitting"))
    return sittings
