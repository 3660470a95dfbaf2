"""The filters of the log page, and the log entries and reports that match them, newest first."""

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

# Rows with ``happened_at``, ``what`` (ACT or REPORT) and ``key`` (the primary key).
Events: TypeAlias = QuerySet[Any, dict[str, Any]]
ACT, REPORT = "act", "report"
RESULTS = "results"  # the kind of reports, which are stored apart from the log
# Reports that have a log entry as well, which also tells the result before.
REPORTS_WITH_ENTRY = Q(verdict__in=[Verdict.AMENDS, Verdict.PROPOSES, Verdict.CORRECTION]) | Q(
    answer={}
)
# Verbs of entries that say no more than the report they belong to.
VERBS_IN_REPORTS = [name for name, verb in VERBS.items() if verb.in_report]
PRIVATE_VERBS = [name for name, verb in VERBS.items() if verb.private]
SITTINGS = ("sitting", "sittings")


@dataclass(frozen=True, slots=True, kw_only=True)
class LogFilters:
    """Filters on the log; ``person`` is ``p`` for a player or ``u`` for a user, with the key."""

    person: str = ""
    tournament: int | None = None
    table: int | None = None
    kind: str = ""
    day: date | None = None


def matching_events(club: Club, filters: LogFilters, *, logins: bool) -> Events:
    """Return the events of a club that match, newest first.

    They include reports if *filters* names a table, or asks for the kind ``RESULTS``. Entries
    about *logins*, and whose a private entry is, are for those who run the club.
    """
    entries = _matching_entries(club, filters, logins=logins)
    acts = _as_events(entries, ACT, "at")
    sent = Report.objects.filter(sitting__in=matching_sittings(club, filters))
    sent = sent.exclude(REPORTS_WITH_ENTRY)
    if filters.day:
        sent = sent.filter(received_at__date=filters.day)
    if filters.person[:1] == "u":
        sent = sent.filter(sent_by=int(filters.person[1:]))
    reports = _as_events(sent, REPORT, "received_at")
    if filters.kind == RESULTS:
        return reports.order_by("-happened_at", "-key")
    if filters.table is None or filters.kind:
        return acts.order_by("-happened_at", "-key")
    acts = _as_events(entries.exclude(verb__in=VERBS_IN_REPORTS), ACT, "at")
    return acts.union(reports, all=True).order_by("-happened_at", "what", "-key")


def _as_events(rows: QuerySet[Any], what: str, at: str) -> Events:
    annotated = rows.order_by().annotate(happened_at=F(at), what=Value(what), key=F("pk"))
    events: Events = annotated.values("happened_at", "what", "key")
    return events


def _matching_entries(club: Club, filters: LogFilters, *, logins: bool) -> QuerySet[LogEntry]:
    entries = LogEntry.objects.filter(club=club).annotate(
        about=Cast("on", TextField()), at_table=Cast(KT("on__sitting"), TextField())
    )
    if not logins:
        entries = entries.exclude(verb__in=LOGINS)
    if filters.kind in KINDS:
        entries = entries.filter(verb__in=KINDS[filters.kind][1])
    if filters.day:
        entries = entries.filter(at__date=filters.day)
    if filters.person:
        entries = entries.filter(_by_or_about(club, filters.person, logins=logins))
    if filters.table is not None:
        at_table = mentions(SITTINGS, matching_sittings(club, filters).values_list("pk", flat=True))
        numbered = Q(numbers__table=filters.table)
        if filters.tournament is not None:
            numbered &= Q(on__tournament=filters.tournament)
        entries = entries.filter(at_table | numbered)
    elif filters.tournament is not None:
        # Some entries of older versions name only a table.
        sittings = matching_sittings(club, LogFilters(tournament=filters.tournament))
        tables = sittings.values_list("pk", flat=True)
        entries = entries.filter(Q(on__tournament=filters.tournament) | mentions(SITTINGS, tables))
    return entries


def _by_or_about(club: Club, person: str, *, logins: bool) -> Q:
    """Return the condition that an entry is by this person or about them."""
    kind, key = person[:1], int(person[1:])
    if kind == "u":
        return Q(user=key) | mentions(("member",), [key])
    # Players merged into this one are the same person.
    players = Player.objects.filter(Q(pk=key) | Q(merged_into=key), club=club)
    entrants = Entrant.objects.filter(player=key, tournament__club=club)
    about = mentions(PLAYER_NAMES, players.values_list("pk", flat=True)) | mentions(
        ("entrant", "entrants"), entrants.values_list("pk", flat=True)
    )
    # Or about hands in which they had a seat. The database looks up the tables, which may be
    # hundreds; of tables where they came later or left early only their hands count.
    seats = Seat.objects.filter(player=key).order_by()
    whole = seats.filter(from_hand=1, to_hand=None)
    seated = Q(at_table__in=whole.values_list(Cast("sitting", TextField())))
    parts = seats.exclude(from_hand=1, to_hand=None)
    tables: dict[range, list[str]] = {}
    for sitting, first, last in parts.values_list("sitting", "from_hand", "to_hand"):
        hands = range(first, (Tournament.LONGEST_ROUND if last is None else last) + 1)
        tables.setdefault(hands, []).append(str(sitting))
    for hands, sittings in tables.items():
        seated |= Q(at_table__in=sittings) & mentions(("hand", "hands"), hands)
    about |= Q(verb__in=HANDS) & seated
    if not logins:
        about &= ~Q(verb__in=PRIVATE_VERBS)
    user = Player.objects.filter(pk=key, club=club).values_list("user", flat=True).first()
    return about if user is None else about | Q(user=user) | mentions(("member",), [user])


def matching_sittings(club: Club, filters: LogFilters) -> QuerySet[Sitting]:
    sittings = Sitting.objects.filter(round__tournament__club=club).order_by()
    if filters.tournament is not None:
        sittings = sittings.filter(round__tournament=filters.tournament)
    if filters.table is not None:
        sittings = sittings.filter(number=filters.table)
    if filters.person[:1] == "p":
        seats = Seat.objects.filter(player=int(filters.person[1:]))
        sittings = sittings.filter(pk__in=seats.values("sitting"))
    return sittings
