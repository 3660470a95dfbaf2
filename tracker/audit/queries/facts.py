"""Rows that the entries of a log page name, fetched lazily for the whole page."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cached_property
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery
from django.utils.translation import gettext, pgettext

from games.errors import RuleError
from games.game import Session
from games.sheet import VOID, Sheet
from tracker.common.sheet_lines import Line, lines, side_by_side, totals
from tracker.common.wording import say
from tracker.ledger.statements import read_tables
from tracker.ledger.table import TableNow
from tracker.models import (
    ClubNight,
    Entrant,
    Hand,
    Issue,
    LogEntry,
    Membership,
    Player,
    Report,
    Role,
    Round,
    Rsvp,
    Season,
    Seat,
    Team,
    Tournament,
    User,
)

# The names under which an entry has the keys of players.
PLAYER_NAMES = ("player", "players", "into", "from", "left", "came")


class Facts:
    """Rows named by some entries and reports, by key; each kind is one query.

    What is gone since, or is not of *club_id*, is not there.
    """

    def __init__(
        self, club_id: int, entries: Sequence[LogEntry], reports: Sequence[Report] = ()
    ) -> None:
        self.club_id, self.entries, self.reports = club_id, entries, reports

    def _named(self, *names: str) -> set[int]:
        return {key for entry in self.entries for name in names for key in keys_on(entry, name)}

    @cached_property
    def users(self) -> Mapping[int, User]:
        """Return who acted, each with the ``role`` held in the club today."""
        acting = {each.user_id for each in self.entries} | {
            each.sent_by_id for each in self.reports
        }
        held = Membership.objects.filter(club=self.club_id, user=OuterRef("pk")).values("role")
        users = User.objects.annotate(role=Subquery(held))
        return _by_key(users, {key for key in acting if key} | self._named("member"))

    @cached_property
    def players(self) -> Mapping[int, Player]:
        seated = {seat.player_id for seat in self.seats.values()}
        players = Player.objects.filter(club=self.club_id).select_related("merged_into")
        return _by_key(players, self._named(*PLAYER_NAMES) | seated)

    @cached_property
    def seats(self) -> Mapping[int, Seat]:
        return _by_key(Seat.objects.all(), self._named("seats"))

    @cached_property
    def entrants(self) -> Mapping[int, Entrant]:
        named = Entrant.objects.select_related("player__merged_into", "team")
        of_club = named.filter(tournament__club=self.club_id)
        return _by_key(of_club, self._named("entrant", "entrants"))

    @cached_property
    def teams(self) -> Mapping[int, Team]:
        return _by_key(Team.objects.filter(club=self.club_id), self._named("team"))

    @cached_property
    def nights(self) -> Mapping[int, ClubNight]:
        return _by_key(ClubNight.objects.filter(club=self.club_id), self._named("night"))

    @cached_property
    def seasons(self) -> Mapping[int, Season]:
        return _by_key(Season.objects.filter(club=self.club_id), self._named("season"))

    @cached_property
    def rsvps(self) -> Mapping[int, Rsvp]:
        return _by_key(Rsvp.objects.filter(night__club=self.club_id), self._named("rsvp"))

    @cached_property
    def issues(self) -> Mapping[int, Issue]:
        return _by_key(Issue.objects.all(), self._named("issue"))

    @cached_property
    def tables(self) -> Mapping[int, TableNow]:
        """Return the tables of the entries and reports, by their sittings."""
        sittings = self._named("sitting", "sittings") | {each.sitting_id for each in self.reports}
        here = read_tables(sittings=sorted(sittings))
        return {table.sitting_id: table for table in here if table.club_id == self.club_id}

    @cached_property
    def _sides(self) -> Mapping[tuple[int, str], Sequence[tuple[datetime, int]]]:
        """Return for which side the phones of the entries reported, and when, by sitting and phone."""
        phones = {each.device for each in self.entries if each.device}
        if not phones or not self.tables:
            return {}
        sent = Report.objects.filter(sitting__in=self.tables, device__in=phones, side__gte=0)
        sides: dict[tuple[int, str], list[tuple[datetime, int]]] = {}
        columns = sent.order_by("received_at", "pk").values_list(
            "sitting", "device", "received_at", "side"
        )
        for sitting, device, at, side in columns:
            sides.setdefault((sitting, device), []).append((at, side or 0))
        return sides

    def side(self, entry: LogEntry) -> int | None:
        """Return for which side the phone spoke that did something, by what it last reported."""
        reported = self._sides.get((entry.on.get("sitting", 0), entry.device), ())
        return next((side for at, side in reversed(reported) if at <= entry.at), None)

    @cached_property
    def rounds(self) -> Mapping[int, Round]:
        here = Round.objects.filter(tournament__club=self.club_id)
        return _by_key(here, self._named("round"))

    @cached_property
    def tournaments(self) -> Mapping[int, Tournament]:
        played = {table.tournament_id for table in self.tables.values()}
        opened = {round_.tournament_id for round_ in self.rounds.values()}
        here = Tournament.objects.filter(club=self.club_id)
        return _by_key(here, self._named("tournament") | played | opened)

    @cached_property
    def _sessions(self) -> Mapping[tuple[int, int], Mapping[str, Any]]:
        """Return by sitting and number what the hands that stand there were played from."""
        hands = Hand.objects.filter(sitting__in=self.tables)
        sessions = hands.values_list("sitting", "number", "session_before")
        return {(sitting, number): session for sitting, number, session in sessions}

    def result(self, sitting_id: int, number: int, sheet: Sheet) -> str:
        """Return what a sheet of a hand says: its count, or else who won.

        Of one that does not add up it is the count, of one from older rules what they say of it.
        """
        if sheet.get("bare") == VOID:
            return gettext("counts for nothing")
        table = self.tables[sitting_id]
        session, names = self._session(table, number), table.names_at(number)
        # Of a parked sheet, what it counted beside what it was parked with.
        counted = {name: value for name, value in sheet.items() if name != "bare"}
        try:
            complete = table.game.add_sheet(session, sheet).sheet
            return totals(table.game, session, counted if "bare" in sheet else complete) or say(
                table.game.headline(session, complete), names
            )
        except RuleError as refusal:
            return totals(table.game, session, counted) or say(refusal, names)

    def differing(self, sitting_id: int, number: int, *sheets: Sheet) -> tuple[str, str]:
        """Return the answers in which two sheets of a hand differ, of each sheet."""
        table = self.tables[sitting_id]
        session, names = self._session(table, number), table.names_at(number)
        answers = []
        for sheet in sheets:
            completed = sheet
            with suppress(RuleError):  # it is left as it is where the rules do not take it
                completed = table.game.add_sheet(session, sheet).sheet
            answers.append(lines(table.game, session, completed, names))
        first, second = side_by_side(*answers)
        return _marked(first), _marked(second)

    def _session(self, table: TableNow, number: int) -> Session:
        """Return the session a hand was played from."""
        saved = self._sessions.get((table.sitting_id, number))
        return table.coming_session() if saved is None else table.resume_session(saved)

    def user(self, key: int | None) -> str:
        """Return the name of a user, with the role in the club."""
        user = self.users.get(key or 0)
        if user is None or not user.is_active:
            return gettext("a former member")
        role = getattr(user, "role", None)
        if role is None or role == Role.MEMBER:
            return user.called
        return gettext("%(name)s (%(role)s)") % {"name": user.called, "role": Role(role).label}

    def player(self, key: object) -> str:
        """Return the name of a player, or of the one they were merged into."""
        player = self.players.get(key) if isinstance(key, int) else None
        return _called(player.merged_into or player) if player else gettext("a former player")

    def entrant(self, key: object) -> str:
        entrant = self.entrants.get(key) if isinstance(key, int) else None
        if entrant is None:
            return gettext("a former player")
        if entrant.player is not None:
            return _called(entrant.player.merged_into or entrant.player)
        return str(entrant.team)


def _called(player: Player) -> str:
    """Return a player's name, or "a former player" if it was erased."""
    return gettext("a former player") if player.erased_at else player.name


def keys_on(entry: LogEntry, name: str) -> Iterable[int]:
    """Return the keys that an entry has under this name, be it one or several."""
    value = entry.on.get(name)
    several = value if isinstance(value, list) else [value]
    return [key for key in several if isinstance(key, int)]


def _by_key(rows: QuerySet[Any], keys: Collection[int]) -> dict[int, Any]:
    return rows.in_bulk(sorted(keys)) if keys else {}


def _marked(answers: Iterable[Line]) -> str:
    named = (f"{line.label} {line.value}" for line in answers if line.differs)
    return pgettext("between several answers", ", ").join(named)
