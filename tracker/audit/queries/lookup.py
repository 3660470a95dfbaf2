"""The rows that log entries name, fetched together for a whole page; entries by the rows they name."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cached_property
from typing import Any

from django.db.models import Max, OuterRef, Q, QuerySet, Subquery, TextField
from django.db.models.functions import Cast
from django.utils.text import get_text_list
from django.utils.translation import gettext, ngettext, pgettext

from games.errors import RuleError
from games.game import Session
from games.sheet import VOID, Sheet
from tracker.common.sheet_lines import Line, lines, side_by_side, totals
from tracker.common.wording import say
from tracker.models import (
    Award,
    ClubNight,
    Entrant,
    Hand,
    LogEntry,
    Membership,
    Player,
    Report,
    Role,
    Round,
    RoundState,
    Rsvp,
    Season,
    Seat,
    Table,
    Team,
    Tournament,
    User,
)
from tracker.tables.sql import read_tables
from tracker.tables.table_now import TableNow

MOST_NAMES = 4
# The names under which ``LogEntry.on`` has keys of players.
PLAYER_NAMES = ("player", "players", "into", "from", "left", "came")
# By the name in ``LogEntry.on`` of one key (several keys have an "s" added): rows, path to their club.
_ROWS: Mapping[str, tuple[QuerySet[Any], str]] = {
    "award": (Award.objects.all(), "tournament__club"),
    "entrant": (Entrant.objects.select_related("player__merged_into", "team"), "tournament__club"),
    "night": (ClubNight.objects.all(), "club"),
    "round": (Round.objects.all(), "tournament__club"),
    "rsvp": (Rsvp.objects.all(), "night__club"),
    "season": (Season.objects.all(), "club"),
    "seat": (Seat.objects.all(), "round__tournament__club"),
    "table": (Table.objects.all(), "tournament__club"),  # of a tournament, with a card
    "team": (Team.objects.all(), "club"),
}


class Lookup:
    """Rows that some entries and reports of one club name, by key; each kind of row is one query.

    Deleted rows and those of other clubs are missing.
    """

    def __init__(
        self, club_id: int, entries: Sequence[LogEntry], reports: Sequence[Report] = ()
    ) -> None:
        self.club_id, self.entries, self.reports = club_id, entries, reports
        self._rows: dict[str, Mapping[int, Any]] = {}
        self._last_entries: dict[frozenset[str], Mapping[tuple[int, int | None], int]] = {}

    def _keys(self, *names: str) -> set[int]:
        return {key for entry in self.entries for key in entry_keys(entry, *names)}

    @cached_property
    def users(self) -> Mapping[int, User]:
        """Return the users who acted, each with the current ``role`` in the club."""
        acting = {each.user_id for each in self.entries} | {
            each.sent_by_id for each in self.reports
        }
        held = Membership.objects.filter(club=self.club_id, user=OuterRef("pk")).values("role")
        users = User.objects.annotate(role=Subquery(held))
        return users.in_bulk({key for key in acting if key} | self._keys("member"))

    @cached_property
    def players(self) -> Mapping[int, Player]:
        seated = {seat.player_id for seat in self.rows("seat").values()}
        players = Player.objects.filter(club=self.club_id).select_related("merged_into")
        return players.in_bulk(self._keys(*PLAYER_NAMES) | seated)

    def rows(self, name: str) -> Mapping[int, Any]:
        """Return the rows that the entries have under a name in ``on``, by key."""
        if name in {"player", "tournament"}:
            named: Mapping[int, Any] = self.players if name == "player" else self.tournaments
            return named
        if name not in self._rows:
            rows, club = _ROWS[name]
            of_club = rows.filter(**{club: self.club_id})
            self._rows[name] = of_club.in_bulk(self._keys(name, f"{name}s"))
        return self._rows[name]

    @cached_property
    def tables(self) -> Mapping[int, TableNow]:
        sittings = self._keys("sitting", "sittings") | {each.sitting_id for each in self.reports}
        here = read_tables(sittings=sorted(sittings))
        return {table.sitting_id: table for table in here if table.club_id == self.club_id}

    @cached_property
    def _reports_by_phone(self) -> Mapping[tuple[int, str], Sequence[tuple[datetime, int]]]:
        """Return time and side of what the phones reported, by sitting and phone."""
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

    def side_of_phone(self, entry: LogEntry) -> int | None:
        """Return the side for which the phone of an entry had last reported."""
        reported = self._reports_by_phone.get((entry.on.get("sitting", 0), entry.device), ())
        return next((side for at, side in reversed(reported) if at <= entry.at), None)

    @cached_property
    def tournaments(self) -> Mapping[int, Tournament]:
        played = {table.tournament_id for table in self.tables.values()}
        opened = {round_.tournament_id for round_ in self.rows("round").values()}
        of_club = Tournament.objects.filter(club=self.club_id)
        return of_club.in_bulk(self._keys("tournament") | played | opened)

    # Later changes --------------------------------------------------------------------------------

    @cached_property
    def undone(self) -> Mapping[int, LogEntry]:
        """Return the entries that undo entries of the page, by the keys of the latter."""
        keys = [entry.pk for entry in self.entries]
        later = LogEntry.objects.filter(undoes__in=keys).order_by("pk")
        return {entry.undoes_id: entry for entry in later if entry.undoes_id}

    def last_entries(
        self, verbs: frozenset[str], name: str, rows: Collection[int]
    ) -> Mapping[tuple[int, int | None], int]:
        """Return the last entry of these *verbs* by row and hand (``None``: any hand)."""
        if verbs not in self._last_entries:
            acts = entries_mentioning(self.club_id, (name,), rows).filter(verb__in=verbs)
            self._last_entries[verbs] = {
                (entry.on[name], number): entry.pk
                for entry in acts.order_by("pk").only("on")
                for number in (*entry_keys(entry, "hand", "hands"), None)
            }
        return self._last_entries[verbs]

    @cached_property
    def last_rounds(self) -> Mapping[int, int]:
        """Return the number of the last round, not undone, of each tournament."""
        tournaments = {round_.tournament_id for round_ in self.rows("round").values()}
        standing = Round.objects.filter(tournament__in=tournaments).exclude(state=RoundState.UNDONE)
        by_tournament = standing.values_list("tournament").annotate(last=Max("number"))
        return dict(by_tournament.order_by())

    @cached_property
    def last_seats(self) -> Mapping[tuple[int, int], int]:
        """Return the last seat of each player in the rounds of the page, by round and player."""
        seats = Seat.objects.filter(round__in=self.rows("round")).order_by("from_hand", "pk")
        keys = seats.values_list("round", "player", "pk")
        return {(round_id, player): pk for round_id, player, pk in keys}

    # Results of hands -----------------------------------------------------------------------------

    @cached_property
    def _sessions(self) -> Mapping[tuple[int, int], Mapping[str, Any]]:
        """Return the session before each hand, by sitting and number."""
        hands = Hand.objects.filter(sitting__in=self.tables)
        sessions = hands.values_list("sitting", "number", "session_before")
        return {(sitting, number): session for sitting, number, session in sessions}

    def result(self, table: TableNow | None, number: int, sheet: Sheet | str | None) -> str:
        """Return the totals of a sheet, or else its headline; empty without a sheet.

        If the rules refuse the sheet, it is the totals, or else the refusal.
        """
        if sheet == "struck":
            return gettext("deleted")
        if table is None or not isinstance(sheet, Mapping):
            return ""
        if sheet.get("bare") == VOID:
            return gettext("counts for nothing")
        session, names = self._session(table, number), table.names_at(number)
        # A parked sheet has its totals beside the reason in "bare".
        counted = {name: value for name, value in sheet.items() if name != "bare"}
        try:
            complete = table.game.add_sheet(session, sheet).sheet
            return totals(table.game, session, counted if "bare" in sheet else complete) or say(
                table.game.headline(session, complete), names
            )
        except RuleError as refusal:
            return totals(table.game, session, counted) or say(refusal, names)

    def before_and_after(
        self, table: TableNow | None, number: int, *sheets: Sheet | str | None
    ) -> tuple[str, str]:
        """Return the results before and after; if these are equal, with the answers that differ."""
        before, after = (self.result(table, number, sheet) for sheet in sheets)
        if before != after or table is None:
            return before, after
        session, names = self._session(table, number), table.names_at(number)
        answers = []
        for sheet in sheets:
            if not isinstance(sheet, Mapping):
                return before, after
            completed = sheet
            with suppress(RuleError):  # a refused sheet is shown as it is
                completed = table.game.add_sheet(session, sheet).sheet
            answers.append(lines(table.game, session, completed, names))
        first, second = side_by_side(*answers)
        return _with_answers(before, first), _with_answers(after, second)

    def _session(self, table: TableNow, number: int) -> Session:
        saved = self._sessions.get((table.sitting_id, number))
        return table.coming_session() if saved is None else table.resume_session(saved)

    # Names ----------------------------------------------------------------------------------------

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
        return _player_name(player.merged_into or player) if player else gettext("a former player")

    def entrant(self, key: object) -> str:
        entrant = self.rows("entrant").get(key) if isinstance(key, int) else None
        if entrant is None:
            return gettext("a former player")
        if entrant.player is not None:
            return _player_name(entrant.player.merged_into or entrant.player)
        return str(entrant.team)


def _player_name(player: Player) -> str:
    return gettext("a former player") if player.erased_at else player.name


def phone_name(table: TableNow, number: int, side: int | None) -> str:
    """Return "the phone at table 3", with the names of its side if known."""
    who = gettext("the phone at table %(number)d") % {"number": table.number}
    names = table.names_at(number)
    if side is None or side >= len(names.sides):
        return who
    return gettext("%(who)s (%(side)s)") % {"who": who, "side": names.of(side)}


def name_list(names: Sequence[str]) -> str:
    """Return names as one phrase; of more than four, the first four and a count.

    >>> name_list(["Asha"]), name_list(["Asha", "Juma"]), name_list(["A", "B", "C", "D", "E", "F"])
    ('Asha', 'Asha and Juma', 'A, B, C, D and 2 more')
    """
    names = [*dict.fromkeys(names)]
    if more := len(names[MOST_NAMES:]):
        names[MOST_NAMES:] = [ngettext("%(more)d more", "%(more)d more", more) % {"more": more}]
    return get_text_list(names, gettext("and"))


def entry_keys(entry: LogEntry, *names: str) -> list[int]:
    """Return the keys that an entry has under these names, each one key or a list."""
    values = [entry.on.get(name) for name in names]
    several = [key for value in values for key in (value if isinstance(value, list) else [value])]
    return [key for key in several if isinstance(key, int)]


def mentions(names: Iterable[str], keys: Collection[int] | QuerySet[Any, int]) -> Q:
    """Return the condition that an entry has one of these keys under one of these names.

    It searches ``on`` as text, annotated as ``about``, as SQLite cannot search a list in JSON.
    Both databases write JSON with one space after a colon and a comma.
    """
    known = sorted(keys)
    if not known:
        return Q(pk__in=[])
    either = "|".join(map(str, known))
    return Q(about__regex=rf'"({"|".join(names)})": (\[([0-9]+, )*)?({either})[],}}]')


def entries_mentioning(
    club_id: int, names: Iterable[str], keys: Collection[int]
) -> QuerySet[LogEntry]:
    """Return the entries of a club that have one of these keys under one of these names."""
    entries = LogEntry.objects.filter(club=club_id).annotate(about=Cast("on", TextField()))
    return entries.filter(mentions(names, keys))


def _with_answers(result: str, answers: Iterable[Line]) -> str:
    """Return a result with the answers of its sheet that differ from the other's."""
    differing = [f"{line.label} {line.value}" for line in answers if line.differs]
    if not differing:
        return result
    more = pgettext("between several answers", ", ").join(differing)
    return gettext("%(result)s (%(more)s)") % {"result": result, "more": more}
