"""Log lines: entries and phones' reports as sentences, on the log page and in hands' histories."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from django.db.models import Q, Subquery
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext

from games.errors import gettext_noop as _
from tracker.audit.queries.filters import ACT, REPORT, REPORTS_WITH_ENTRY, TOLD_BY_REPORTS
from tracker.audit.queries.lookup import Lookup, mentions, phone_name
from tracker.audit.queries.sentences import Act, UndoButton
from tracker.audit.queries.verbs import UNKNOWN_VERB, VERBS
from tracker.audit.queries.verbs_of_play import RESEATING
from tracker.models import LogEntry, Report, Sitting, Tournament, Verdict
from tracker.tables.table_now import TableNow

# Keyed by what became of a report; %(result)s is what the phone sent.
REPORT_SENTENCES: Mapping[str, str] = {
    Verdict.ACCEPTED: _("%(who)s wrote down %(hand)s: %(result)s."),
    Verdict.AGREES: _("%(who)s sent the same for %(hand)s: %(result)s."),
    Verdict.AMENDS: _("%(who)s changed %(hand)s to %(result)s."),
    Verdict.CONFLICTS: _("%(who)s sent a different count for %(hand)s: %(result)s."),
    Verdict.LATE: _("%(who)s sent %(hand)s, which came after the round was closed: %(result)s."),
    Verdict.PARKED: _("%(who)s sent %(hand)s, which did not add up: %(result)s."),
    Verdict.PROPOSES: _("%(who)s asked to change %(hand)s to %(result)s."),
    Verdict.CORRECTION: _("%(hand)s was corrected: %(result)s."),
}


# The page that a line of the log is about, for a link: its label and URL.
Subject: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """One line of the log or of a hand's history; only lines of the log have links and buttons."""

    at: datetime
    sentence: str
    reason: str = ""
    about: Subject | None = None
    undo: UndoButton | None = None
    undo_url: str = ""  # empty if the act cannot be undone, or not any more
    undone_at: datetime | None = None


def lines(
    club_id: int, events: Iterable[Mapping[str, Any]], *, organises: bool
) -> dict[tuple[str, int], LogLine]:
    """Return {(what, key): line} for these events, in a fixed number of queries.

    An event has ``what``, ACT for a log entry or REPORT for a report, and ``key``, the primary key.
    Unless the reader *organises* the club, private entries do not say whom they are about.
    """
    keys: dict[str, list[int]] = {ACT: [], REPORT: []}
    for event in events:
        keys[event["what"]].append(event["key"])
    entries = LogEntry.objects.in_bulk(keys[ACT])
    for entry in entries.values():
        if not organises and VERBS.get(entry.verb, UNKNOWN_VERB).private:
            # So no sentence or link can name anyone. Never saved: the database refuses changes.
            entry.on, entry.numbers = {}, {}
    reports = Report.objects.in_bulk(keys[REPORT])
    lookup = Lookup(club_id, [*entries.values()], [*reports.values()])
    line_of: dict[tuple[str, int], LogLine] = {}
    for key, entry in entries.items():
        act = act_of(entry, lookup)
        undoing = lookup.undone_by.get(key)
        line_of[ACT, key] = LogLine(
            at=entry.at,
            sentence=act.sentence,
            reason=act.reason,
            about=_subject(act),
            undo=act.verb.undo,
            undo_url=act.undo_url,
            undone_at=undoing.at if undoing else None,
        )
    for key, report in reports.items():
        table = lookup.tables[report.sitting_id]
        hand = _hand_subject(table, report.number, lookup.tournaments[table.tournament_id])
        line_of[REPORT, key] = _report_line(report, lookup, about=hand)
    return line_of


def hand_history(table: TableNow, number: int, *, member: bool) -> list[LogLine]:
    """Return the lines of what happened to a hand, oldest first.

    Readers who are no *member* of the club see neither the names of users nor their reasons. What a
    report and an entry both tell has one line: that of the entry if it has the results before and
    after, else that of the report, which names the side that sent it.
    """
    # Entries are indexed by time and not by table: search only since the table opened.
    opened = Sitting.objects.filter(pk=table.sitting_id).values("started_at")
    since_opened = LogEntry.objects.filter(club=table.club_id, at__gte=Subquery(opened))
    at_table = Q(on__sitting=table.sitting_id)
    about_hand = at_table & mentions(("hand", "hands"), [number])
    # The dealer of a hand is chosen after the hand before.
    chose_dealer = at_table & Q(verb="dealer-chosen", numbers__after_hand=number - 1)
    reseated = Q(verb__in=RESEATING) & mentions(("sittings",), [table.sitting_id])
    told = since_opened.filter(about_hand | chose_dealer | reseated)
    entries = list(told.exclude(verb__in=TOLD_BY_REPORTS).order_by("at", "pk"))
    sent = Report.objects.filter(sitting=table.sitting_id, number=number)
    reports = list(sent.exclude(REPORTS_WITH_ENTRY).order_by("received_at", "pk"))
    lookup = Lookup(table.club_id, entries, reports)
    acts = [act_of(entry, lookup, hide_users=not member) for entry in entries]
    history = [
        LogLine(at=act.entry.at, sentence=act.sentence, reason=act.reason if member else "")
        for act in acts
    ]
    history += [_report_line(report, lookup, hide_users=not member) for report in reports]
    return sorted(history, key=lambda line: line.at)


def act_of(entry: LogEntry, lookup: Lookup, *, hide_users: bool = False) -> Act:
    """Return an entry with its verb; *hide_users* leaves the names of users out of its sentence."""
    return Act(entry, lookup, VERBS.get(entry.verb, UNKNOWN_VERB), hide_users=hide_users)


def _report_line(
    report: Report, lookup: Lookup, *, hide_users: bool = False, about: Subject | None = None
) -> LogLine:
    table = lookup.tables[report.sitting_id]
    by_user = report.sent_by_id is not None and not hide_users
    phone = phone_name(table, report.number, report.side)
    placeholders = {
        "who": lookup.user(report.sent_by_id) if by_user else phone,
        "hand": gettext("%(one)s %(number)s") % {"one": table.one, "number": report.number},
        "result": lookup.result(table, report.number, report.sheet),
    }
    sentence = str(capfirst(gettext(REPORT_SENTENCES[report.verdict]) % placeholders))
    return LogLine(at=report.received_at, sentence=sentence, about=about)


def _subject(act: Act) -> Subject | None:
    """Return the hand, tournament, night, season, team or player of an act: the first it names."""
    table, tournament, hands = act.table, act.tournament, act.keys("hand", "hands")
    if table and tournament and hands:
        return _hand_subject(table, hands[0], tournament)
    if tournament:
        return tournament.name, tournament.get_absolute_url()
    if night := act.row("night"):
        return gettext("Club night"), night.get_absolute_url()
    season, team = act.row("season"), act.row("team")
    if row := season or team:
        return row.name, reverse("season" if season else "team", args=[row.pk])
    # A merge names two players: "player" was merged into the one under "into".
    player = act.lookup.players.get(act.key("into") or act.key("player"))
    if player and player.merged_into:
        player = player.merged_into
    if player is None or player.erased_at:
        return None
    return player.name, reverse("player", args=[player.pk])


def _hand_subject(table: TableNow, number: int, tournament: Tournament) -> Subject:
    where = {"tournament": tournament.name, "round": table.round_number, "table": table.number}
    return (
        gettext("%(tournament)s, round %(round)d, table %(table)d") % where,
        reverse("hand", args=[table.sitting_id, number]),
    )
