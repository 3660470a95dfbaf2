"""The lines of a page of the log, and of a hand's history."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext

from tracker.audit.logic import WISHES
from tracker.audit.queries.facts import Facts, keys_on
from tracker.audit.queries.moments import ACT, REPORT, acts_about_hand, reports_about_hand
from tracker.audit.queries.sentences.saying import reason_of, reported, said
from tracker.audit.queries.sentences.words import Words
from tracker.audit.queries.undoing import Undo, Undoing
from tracker.ledger.table import TableNow
from tracker.models import LogEntry, Report, Tournament


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
    undo: Undo | None = None
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
        if entry.verb in WISHES and not organises:
            entry.on, entry.numbers = {}, {}
    reports = Report.objects.in_bulk(keys[False]) if keys[False] else {}
    facts = Facts(club_id, [*entries.values()], [*reports.values()])
    undoing = Undoing(facts)
    acts: dict[tuple[str, int], LogLine] = {}
    for key, entry in entries.items():
        later = undoing.undone.get(key)
        acts[ACT, key] = LogLine(
            at=entry.at,
            sentence=said(entry, facts),
            reason=reason_of(entry),
            about=_about(entry, facts),
            undo=undoing.of(entry),
            undone_at=later.at if later else None,
        )
    for key, report in reports.items():
        table = facts.tables[report.sitting_id]
        acts[REPORT, key] = LogLine(
            at=report.received_at,
            sentence=reported(report, facts),
            about=_hand(table, report.number, facts.tournaments[table.tournament_id]),
        )
    return acts


def hand_history(table: TableNow, number: int, *, member: bool) -> list[LogLine]:
    """Return what became of a hand, from first to last.

    Who does not belong to the club reads neither who runs it nor what they gave as a reason.
    """
    entries = list(acts_about_hand(table.club_id, table.sitting_id, number))
    reports = list(reports_about_hand(table.sitting_id, number))
    facts = Facts(table.club_id, entries, reports)
    history = [
        LogLine(
            at=entry.at,
            sentence=said(entry, facts, nameless=not member),
            reason=reason_of(entry) if member else "",
        )
        for entry in entries
    ]
    history += [
        LogLine(at=report.received_at, sentence=reported(report, facts, nameless=not member))
        for report in reports
    ]
    return sorted(history, key=lambda line: line.at)


def _about(entry: LogEntry, facts: Facts) -> About | None:
    """Return what an act is about: the hand, or else the nearest thing that has a page."""
    on, words = entry.on, Words(entry, facts)
    tournament = facts.tournaments.get(on.get("tournament") or 0)
    if table := words.table:
        tournament = facts.tournaments[table.tournament_id]
        for number in (*keys_on(entry, "hand"), *keys_on(entry, "hands")):
            return _hand(table, number, tournament)
    round_ = facts.rounds.get(on.get("round") or 0)
    if round_ is not None:
        tournament = facts.tournaments[round_.tournament_id]
    if tournament is not None:
        return About(tournament.name, tournament.get_absolute_url())
    return _thing(on, facts)


def _thing(on: Mapping[str, Any], facts: Facts) -> About | None:
    """Return the night, the season, the team or the player that an act is about."""
    if night := facts.nights.get(on.get("night") or 0):
        return About(gettext("Club night"), night.get_absolute_url())
    if season := facts.seasons.get(on.get("season") or 0):
        return About(season.name, reverse("season", args=[season.pk]))
    if team := facts.teams.get(on.get("team") or 0):
        return About(team.name, reverse("team", args=[team.pk]))
    player = facts.players.get(on.get("into") or on.get("player") or 0)
    player = player.merged_into or player if player else None
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
