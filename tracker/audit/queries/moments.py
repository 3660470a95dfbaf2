"""What happened in a club: acts and what tables reported, together in the order of time."""

from dataclasses import dataclass
from datetime import date
from functools import reduce
from operator import or_
from typing import Any, TypeAlias

from django.db.models import F, Q, QuerySet, Subquery, TextField, Value
from django.db.models.fields.json import KT
from django.db.models.functions import Cast

from tracker.audit.queries.facts import PLAYER_NAMES, naming
from tracker.audit.queries.verbs import KINDS, VERBS
from tracker.audit.queries.verbs_of_clubs import LOGINS
from tracker.audit.queries.verbs_of_play import HANDS, RESEATING
from tracker.models import (
    Club,
    Entrant,
    LogEntry,
    Player,
    Report,
    Seat,
    Sitting,
    Tournament,
    User,
    Verdict,
)

Moments: TypeAlias = QuerySet[Any, dict[str, Any]]
ACT, REPORT = "act", "report"
RESULTS = "results"  # what tables reported, as a kind: it is kept beside the log
# Of these an act tells as well, with what stood before.
_TOLD_BY_AN_ACT = Q(verdict__in=[Verdict.AMENDS, Verdict.PROPOSES, Verdict.CORRECTION]) | Q(
    answer={}
)
_TOLD_BY_A_REPORT = [name for name, verb in VERBS.items() if verb.in_report]
PRIVATE = [name for name, verb in VERBS.items() if verb.private]
_OF_SITTINGS = ("sitting", "sittings")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Filters on the log; ``person`` is ``p`` for a player or ``u`` for a user, with the key."""

    person: str = ""
    tournament: int | None = None
    table: int | None = None
    kind: str = ""
    day: date | None = None


def moments(club: Club, wanted: Wanted, *, logins: bool) -> Moments:
    """Return the moments of a club that match, as ``at``, ``what`` and ``key``, newest first.

    What tables reported is among it for a table, or where results are asked for. *logins* may
    be read by those who run the club.
    """
    entries = _acts(club, wanted, logins=logins)
    acts = _moments(entries, ACT, "at")
    sent = Report.objects.filter(sitting__in=_sittings(club, wanted)).exclude(_TOLD_BY_AN_ACT)
    if wanted.day:
        sent = sent.filter(received_at__date=wanted.day)
    if wanted.person[:1] == "u":
        sent = sent.filter(sent_by=int(wanted.person[1:]))
    reports = _moments(sent, REPORT, "received_at")
    if wanted.kind == RESULTS:
        return reports.order_by("-moment", "-key")
    if wanted.table is None or wanted.kind:
        return acts.order_by("-moment", "-key")
    beside = entries.exclude(verb__in=_TOLD_BY_A_REPORT)
    return _moments(beside, ACT, "at").union(reports, all=True).order_by("-moment", "what", "-key")


def _moments(rows: QuerySet[Any], what: str, at: str) -> Moments:
    annotated = rows.order_by().annotate(moment=F(at), what=Value(what), key=F("pk"))
    moments: Moments = annotated.values("moment", "what", "key")
    return moments


def _acts(club: Club, wanted: Wanted, *, logins: bool) -> QuerySet[LogEntry]:
    acts = LogEntry.objects.filter(club=club).annotate(
        about=Cast("on", TextField()), at_table=Cast(KT("on__sitting"), TextField())
    )
    if not logins:
        acts = acts.exclude(verb__in=LOGINS)
    if wanted.kind in KINDS:
        acts = acts.filter(verb__in=KINDS[wanted.kind][1])
    if wanted.day:
        acts = acts.filter(at__date=wanted.day)
    if wanted.person:
        acts = acts.filter(_by_or_about(club, wanted.person, logins=logins))
    if wanted.table is not None:
        at_table = naming(_OF_SITTINGS, _sittings(club, wanted).values_list("pk", flat=True))
        numbered = Q(numbers__table=wanted.table)
        if wanted.tournament is not None:
            numbered &= Q(on__tournament=wanted.tournament)
        acts = acts.filter(at_table | numbered)
    elif wanted.tournament is not None:
        # Some acts of older versions name a table alone.
        tables = _sittings(club, Wanted(tournament=wanted.tournament)).values_list("pk", flat=True)
        acts = acts.filter(Q(on__tournament=wanted.tournament) | naming(_OF_SITTINGS, tables))
    return acts


def _by_or_about(club: Club, person: str, *, logins: bool) -> Q:
    """Return the condition that an entry is by this person or about them."""
    kind, key = person[:1], int(person[1:])
    if kind == "u":
        return Q(user=key) | naming(("member",), [key])
    # Whoever turned out to be the same person did what they did.
    players = Player.objects.filter(Q(pk=key) | Q(merged_into=key), club=club)
    entrants = Entrant.objects.filter(player=key, tournament__club=club)
    about = naming(PLAYER_NAMES, players.values_list("pk", flat=True)) | naming(
        ("entrant", "entrants"), entrants.values_list("pk", flat=True)
    )
    # Or about hands in which they had a seat. The tables are looked up by the database, as
    # somebody may have sat at hundreds; where they came later or left, the hands are told apart.
    seats = Seat.objects.filter(player=key).order_by()
    whole = seats.filter(from_hand=1, to_hand=None)
    there = Q(at_table__in=whole.values_list(Cast("sitting", TextField())))
    parts = seats.exclude(from_hand=1, to_hand=None)
    tables: dict[range, list[str]] = {}
    for sitting, first, last in parts.values_list("sitting", "from_hand", "to_hand"):
        hands = range(first, (Tournament.LONGEST_ROUND if last is None else last) + 1)
        tables.setdefault(hands, []).append(str(sitting))
    for hands, sittings in tables.items():
        there |= Q(at_table__in=sittings) & naming(("hand", "hands"), hands)
    about |= Q(verb__in=HANDS) & there
    if not logins:
        about &= ~Q(verb__in=PRIVATE)
    user = Player.objects.filter(pk=key, club=club).values_list("user", flat=True).first()
    return about if user is None else about | Q(user=user) | naming(("member",), [user])


def _sittings(club: Club, wanted: Wanted) -> QuerySet[Sitting]:
    sittings = Sitting.objects.filter(round__tournament__club=club).order_by()
    if wanted.tournament is not None:
        sittings = sittings.filter(round__tournament=wanted.tournament)
    if wanted.table is not None:
        sittings = sittings.filter(number=wanted.table)
    if wanted.person[:1] == "p":
        seats = Seat.objects.filter(player=int(wanted.person[1:]))
        sittings = sittings.filter(pk__in=seats.values("sitting"))
    return sittings


def acts_about_hand(club_id: int, sitting_id: int, number: int) -> QuerySet[LogEntry]:
    """Return what people did to one hand, and who was to deal it."""
    # Only since the table opened: an index knows when, and none what an act is about.
    opened = Sitting.objects.filter(pk=sitting_id).values("started_at")
    since = LogEntry.objects.filter(club=club_id, at__gte=Subquery(opened))
    acts = since.annotate(about=Cast("on", TextField()))
    conditions = [
        Q(on__sitting=sitting_id) & naming(("hand", "hands"), [number]),
        Q(on__sitting=sitting_id, verb="dealer-chosen", numbers__after_hand=number - 1),
        Q(verb__in=RESEATING) & naming(("sittings",), [sitting_id]),
    ]
    return (
        acts.filter(reduce(or_, conditions))
        .exclude(verb__in=_TOLD_BY_A_REPORT)
        .order_by("at", "pk")
    )


def reports_about_hand(sitting_id: int, number: int) -> QuerySet[Report]:
    """Return what phones sent about one hand, but for what an act tells as well."""
    reports = Report.objects.filter(sitting=sitting_id, number=number).exclude(_TOLD_BY_AN_ACT)
    return reports.order_by("received_at", "pk")


def people_of(club: Club) -> list[tuple[str, str]]:
    """Return the people to filter by, sorted by name: players, and members who are none."""
    players = list(Player.objects.present().filter(club=club).order_by("name_key"))
    known = {player.user_id for player in players}
    members = User.objects.filter(memberships__club=club).exclude(
        pk__in=[key for key in known if key]
    )
    named = [(f"p{player.pk}", player.name) for player in players]
    named += [(f"u{user.pk}", user.called) for user in members]
    return sorted(named, key=lambda each: each[1].casefold())


def tables_of(club: Club, tournament: int | None) -> list[int]:
    """Return the numbers of the tables of a club, or of one of its tournaments."""
    there = _sittings(club, Wanted(tournament=tournament)).values_list("number", flat=True)
    return sorted(set(there.distinct()))
