"""The lines of a page of the log, and of a hand's history."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext

from games.errors import gettext_noop as _
from tracker.audit.queries.acts import Act, Reversal
from tracker.audit.queries.facts import Facts, phone_at
from tracker.audit.queries.moments import (
    ACT,
    PRIVATE,
    REPORT,
    acts_about_hand,
    reports_about_hand,
)
from tracker.audit.queries.verbs import UNKNOWN_VERB, VERBS
from tracker.models import LogEntry, Report, Tournament, Verdict
from tracker.tables.table_now import TableNow

_REPORTED: Mapping[str, str] = {
    Verdict.ACCEPTED: _("%(who)s wrote down %(hand)s: %(result)s."),
    Verdict.AGREES: _("%(who)s sent the same for %(hand)s: %(result)s."),
    Verdict.AMENDS: _("%(who)s changed %(hand)s to %(result)s."),
    Verdict.CONFLICTS: _("%(who)s sent a different count for %(hand)s: %(result)s."),
    Verdict.LATE: _("%(who)s sent %(hand)s, which came after the round was closed: %(result)s."),
    Verdict.PARKED: _("%(who)s sent %(hand)s, which did not add up: %(result)s."),
    Verdict.PROPOSES: _("%(who)s asked to change %(hand)s to %(result)s."),
    Verdict.CORRECTION: _("%(hand)s was corrected: %(result)s."),
}


@dataclass(frozen=True, slots=True)
class About:
    """What a line is about, and where that is to be seen."""

    label: str
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """One thing that happened, in words."""

    at: datetime
    sentence: str
    reason: str = ""
    about: About | None = None
    undo: Reversal | None = None
    undo_address: str = ""  # empty where it cannot be undone any more
    undone_at: datetime | None = None


def lines(
    club_id: int, page: Iterable[Mapping[str, Any]], *, organises: bool
) -> dict[tuple[str, int], LogLine]:
    """Return the lines of these moments, by what and key, in a number of queries that is fixed.

    Who does not organise reads of a promise that there was one, and not whose.
    """
    keys: dict[bool, list[int]] = {True: [], False: []}
    for moment in page:
        keys[moment["what"] == ACT].append(moment["key"])
    entries = LogEntry.objects.in_bulk(keys[True]) if keys[True] else {}
    for entry in entries.values():
        if entry.verb in PRIVATE and not organises:
            entry.on, entry.numbers = {}, {}
    reports = Report.objects.in_bulk(keys[False]) if keys[False] else {}
    facts = Facts(club_id, [*entries.values()], [*reports.values()])
    found: dict[tuple[str, int], LogLine] = {}
    for key, entry in entries.items():
        act = act_of(entry, facts)
        later = facts.undone.get(key)
        found[ACT, key] = LogLine(
            at=entry.at,
            sentence=act.sentence,
            reason=act.reason,
            about=_about(act),
            undo=act.verb.undo,
            undo_address=act.undo_address,
            undone_at=later.at if later else None,
        )
    for key, report in reports.items():
        table = facts.tables[report.sitting_id]
        found[REPORT, key] = LogLine(
            at=report.received_at,
            sentence=_reported(report, facts, nameless=False),
            about=_hand(table, report.number, facts.tournaments[table.tournament_id]),
        )
    return found


def hand_history(table: TableNow, number: int, *, member: bool) -> list[LogLine]:
    """Return what became of a hand, from first to last.

    Who does not belong to the club reads neither who runs it nor what they gave as a reason.
    """
    entries = list(acts_about_hand(table.club_id, table.sitting_id, number))
    reports = list(reports_about_hand(table.sitting_id, number))
    facts = Facts(table.club_id, entries, reports)
    acts = [act_of(entry, facts, nameless=not member) for entry in entries]
    history = [
        LogLine(at=act.entry.at, sentence=act.sentence, reason=act.reason if member else "")
        for act in acts
    ]
    history += [
        LogLine(at=report.received_at, sentence=_reported(report, facts, nameless=not member))
        for report in reports
    ]
    return sorted(history, key=lambda line: line.at)


def act_of(entry: LogEntry, facts: Facts, *, nameless: bool = False) -> Act:
    """Return the act of an entry; *nameless* leaves out of its sentence who runs the club."""
    return Act(entry, facts, VERBS.get(entry.verb, UNKNOWN_VERB), nameless=nameless)


def _reported(report: Report, facts: Facts, *, nameless: bool) -> str:
    """Return what a table sent, in a sentence."""
    table = facts.tables[report.sitting_id]
    # Whoever is signed in on a phone of the table need not run the club.
    if report.sent_by_id is not None and not nameless:
        who = facts.user(report.sent_by_id)
    else:
        who = phone_at(table, report.number, report.side)
    named = {
        "who": who,
        "hand": gettext("%(one)s %(number)s") % {"one": table.one, "number": report.number},
        "result": facts.result(table, report.number, report.sheet),
    }
    return str(capfirst(gettext(_REPORTED[report.verdict]) % named))


def _about(act: Act) -> About | None:
    """Return what an act is about: the hand, or else the nearest thing that has a page."""
    facts, table, tournament = act.facts, act.table, act.tournament
    hands = act.keys("hand", "hands")
    if table and tournament and hands:
        return _hand(table, hands[0], tournament)
    if tournament:
        return About(tournament.name, tournament.get_absolute_url())
    if night := act.row("night"):
        return About(gettext("Club night"), night.get_absolute_url())
    season, team = act.row("season"), act.row("team")
    if row := season or team:
        return About(row.name, reverse("season" if season else "team", args=[row.pk]))
    player = facts.players.get(act.key("into") or act.key("player"))
    if player is not None:
        player = player.merged_into or player
    if player is None or player.erased_at:
        return None
    return About(player.name, reverse("player", args=[player.pk]))


def _hand(table: TableNow, number: int, tournament: Tournament) -> About:
    where = {
        "tournament": tournament.name,
        "round": table.round_number,
        "table": table.number,
    }
    return About(
        gettext("%(tournament)s, round %(round)d, table %(table)d") % where,
        reverse("hand", args=[table.sitting_id, number]),
    )
