"""Lookups of the rows that log entries name, and of the log entries that name given rows.

``LogEntry.on`` is JSON that maps a name to the key of one row, or the name with an "s" to a list of
keys: ``{"sitting": 3, "hands": [5, 6]}``. Under "hand" and "hands" are numbers of hands instead. A
*sitting* is the group at a table in one round, here read as a ``TableNow``. A *sheet* is a hand's
result as JSON. If the table did not count, "bare" in the sheet says only who won, or ``VOID``.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cached_property
from typing import Any

from django.db.models import Max, OuterRef, Q, QuerySet, Subquery, TextField
from django.db.models.functions import Cast
from django.db.models.lookups import Regex
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

MOST_NAMES = 4  # that ``name_list`` gives in full
# What ``LogEntry.numbers`` has in place of the sheet of a hand that was struck (deleted).
STRUCK = "struck"
# The names under which ``LogEntry.on`` has keys of players.
PLAYER_NAMES = ("player", "players", "into", "from", "left", "came")
# Maps a name in ``LogEntry.on`` to the rows it stands for, and the path from a row to its club.
_ROWS: Mapping[str, tuple[QuerySet[Any], str]] = {
    "award": (Award.objects.all(), "tournament__club"),
    "entrant": (Entrant.objects.select_related("player__merged_into", "team"), "tournament__club"),
    "night": (ClubNight.objects.all(), "club"),
    "round": (Round.objects.all(), "tournament__club"),
    "rsvp": (Rsvp.objects.all(), "night__club"),
    "season": (Season.objects.all(), "club"),
    "seat": (Seat.objects.all(), "round__tournament__club"),
    # A place in the hall with a QR code, unlike the sittings in ``Lookup.tables``.
    "table": (Table.objects.all(), "tournament__club"),
    "team": (Team.objects.all(), "club"),
}


class Lookup:
    """The rows that given entries and reports of a club name; each kind of row takes one query.

    The properties map primary keys to rows. Deleted rows and those of other clubs are missing.
    """

    def __init__(
        self, club_id: int, entries: Sequence[LogEntry], reports: Sequence[Report] = ()
    ) -> None:
        self.club_id, self.entries, self.reports = club_id, entries, reports
        self._rows: dict[str, Mapping[int, Any]] = {}
        # The results of ``last_entries``, keyed by its arguments.
        self._last_entries: dict[object, Mapping[tuple[int, int | None], int]] = {}

    def _keys(self, *names: str) -> set[int]:
        """Return the keys that the entries have in ``on`` under one of these names."""
        return {key for entry in self.entries for key in entry_keys(entry, *names)}

    @cached_property
    def users(self) -> Mapping[int, User]:
        """Return the users who acted, each with the current ``role`` in the club."""
        acting = {entry.user_id for entry in self.entries}
        acting |= {report.sent_by_id for report in self.reports}
        memberships = Membership.objects.filter(club=self.club_id, user=OuterRef("pk"))
        users = User.objects.annotate(role=Subquery(memberships.values("role")))
        return users.in_bulk({key for key in acting if key} | self._keys("member"))

    @cached_property
    def players(self) -> Mapping[int, Player]:
        seated = {seat.player_id for seat in self.rows("seat").values()}
        players = Player.objects.filter(club=self.club_id).select_related("merged_into")
        return players.in_bulk(self._keys(*PLAYER_NAMES) | seated)

    def rows(self, name: str) -> Mapping[int, Any]:
        """Map keys to the rows that the entries name: for "seat" those under "seat" and "seats"."""
        if name in {"player", "tournament"}:
            return self.players if name == "player" else self.tournaments
        if name not in self._rows:
            rows, path_to_club = _ROWS[name]
            of_club = rows.filter(**{path_to_club: self.club_id})
            self._rows[name] = of_club.in_bulk(self._keys(name, f"{name}s"))
        return self._rows[name]

    @cached_property
    def tables(self) -> Mapping[int, TableNow]:
        """Map the keys of sittings to the tables of the entries and reports."""
        sittings = self._keys("sitting", "sittings") | {row.sitting_id for row in self.reports}
        tables = read_tables(sittings=sorted(sittings))
        return {table.sitting_id: table for table in tables if table.club_id == self.club_id}

    @cached_property
    def _reports_by_phone(self) -> Mapping[tuple[int, str], Sequence[tuple[datetime, int | None]]]:
        """Map each (sitting, phone) to the times and sides of its reports, oldest first.

        A side, the seats that score together, is given by its number.
        """
        phones = {entry.device for entry in self.entries if entry.device}
        reports = Report.objects.filter(sitting__in=self.tables, device__in=phones)
        rows = reports.exclude(side=None).values_list("sitting", "device", "received_at", "side")
        sides: dict[tuple[int, str], list[tuple[datetime, int | None]]] = defaultdict(list)
        for sitting, device, received_at, side in rows.order_by("received_at", "pk"):
            sides[sitting, device].append((received_at, side))
        return sides

    def side_of_phone(self, entry: LogEntry) -> int | None:
        """Return the side for which the phone of an entry had last reported before the entry."""
        reports = self._reports_by_phone.get((entry.on.get("sitting", 0), entry.device), ())
        return next((side for time, side in reversed(reports) if time <= entry.at), None)

    @cached_property
    def tournaments(self) -> Mapping[int, Tournament]:
        """Return the tournaments of the entries, also those of their tables and rounds."""
        of_tables = {table.tournament_id for table in self.tables.values()}
        of_rounds = {round_.tournament_id for round_ in self.rows("round").values()}
        of_club = Tournament.objects.filter(club=self.club_id)
        return of_club.in_bulk(self._keys("tournament") | of_tables | of_rounds)

    # Later changes --------------------------------------------------------------------------------

    @cached_property
    def undone_by(self) -> Mapping[int, LogEntry]:
        """Map the key of each entry that was undone to the entry that undoes it."""
        keys = [entry.pk for entry in self.entries]
        undoing = LogEntry.objects.filter(undoes__in=keys).order_by("pk")
        return {entry.undoes_id: entry for entry in undoing if entry.undoes_id}

    def last_entries(
        self, verbs: frozenset[str], name: str
    ) -> Mapping[tuple[int, int | None], int]:
        """Return {(row's key, hand number): key of the last entry with one of these verbs}.

        *name* says which rows: "sitting" or "round". Under the number ``None`` is the last entry
        about the row, whatever hands it names.
        """
        if (verbs, name) not in self._last_entries:
            rows = self.tables if name == "sitting" else self.rows(name)
            of_club = LogEntry.objects.filter(club=self.club_id, verb__in=verbs)
            entries = of_club.filter(mentions((name,), rows))
            # Later entries replace earlier ones.
            self._last_entries[verbs, name] = {
                (entry.on[name], number): entry.pk
                for entry in entries.order_by("pk").only("on")
                for number in (*entry_keys(entry, "hand", "hands"), None)
            }
        return self._last_entries[verbs, name]

    @cached_property
    def last_rounds(self) -> Mapping[int, int]:
        """Map each tournament of the entries' rounds to the number of its last round not undone."""
        tournaments = {round_.tournament_id for round_ in self.rows("round").values()}
        rounds = Round.objects.filter(tournament__in=tournaments).not_undone()
        return dict(rounds.values_list("tournament").annotate(last=Max("number")))

    @cached_property
    def last_seats(self) -> Mapping[tuple[int, int], int]:
        """Map each (round of the entries, player) to the key of the player's last seat there."""
        seats = Seat.objects.filter(round__in=self.rows("round")).order_by("from_hand", "pk")
        keys = seats.values_list("round", "player", "pk")
        return {(round_id, player): pk for round_id, player, pk in keys}

    # Results of hands -----------------------------------------------------------------------------

    @cached_property
    def _sessions(self) -> Mapping[tuple[int, int], Mapping[str, Any]]:
        """Map each sitting and hand number to what the game carried into the hand, as JSON."""
        hands = Hand.objects.filter(sitting__in=self.tables)
        sessions = hands.values_list("sitting", "number", "session_before")
        return {(sitting, number): session for sitting, number, session in sessions}

    def result(self, table: TableNow | None, number: int, sheet: Sheet | str | None) -> str:
        """Return the result of a hand in a few words.

        It is "deleted" for ``STRUCK``, "" without a sheet, "counts for nothing" for a void hand.
        Else it is the counts of the sides, joined with dashes. If the sheet has no counts, it is
        the game's sentence about the result, or the reason why the rules refuse the sheet.
        """
        if sheet == STRUCK:
            return gettext("deleted")
        if table is None or not isinstance(sheet, Mapping):
            return ""
        if sheet.get("bare") == VOID:
            return gettext("counts for nothing")
        session, names = self._session(table, number), table.names_at(number)
        # A sheet may have counts beside "bare": they did not add up, and are shown as sent.
        sent = {name: answer for name, answer in sheet.items() if name != "bare"}
        try:
            complete = table.game.add_sheet(session, sheet).sheet
            sentence = say(table.game.headline(session, complete), names)
            return totals(table.game, session, sent if "bare" in sheet else complete) or sentence
        except RuleError as refusal:
            return totals(table.game, session, sent) or say(refusal, names)

    def before_and_after(
        self,
        table: TableNow | None,
        number: int,
        sheet_before: Sheet | str | None,
        sheet_after: Sheet | str | None,
    ) -> tuple[str, str]:
        """Return the results of a hand before and after a change, as ``result`` gives them.

        If both read the same, the answers in which the sheets differ are added to each.
        """
        before = self.result(table, number, sheet_before)
        after = self.result(table, number, sheet_after)
        if before != after or table is None:
            return before, after
        if not isinstance(sheet_before, Mapping) or not isinstance(sheet_after, Mapping):
            return before, after
        answers = [self._answers(table, number, sheet) for sheet in (sheet_before, sheet_after)]
        answers_before, answers_after = side_by_side(*answers)
        return _with_answers(before, answers_before), _with_answers(after, answers_after)

    def _answers(self, table: TableNow, number: int, sheet: Sheet) -> tuple[Line, ...]:
        session = self._session(table, number)
        with suppress(RuleError):  # a sheet that the rules refuse is shown as it is
            sheet = table.game.add_sheet(session, sheet).sheet
        return lines(table.game, session, sheet, table.names_at(number))

    def _session(self, table: TableNow, number: int) -> Session:
        """Return what the game carried into a hand; of a hand not stored, into the coming hand."""
        stored = self._sessions.get((table.sitting_id, number))
        return table.coming_session() if stored is None else table.resume_session(stored)

    # Names ----------------------------------------------------------------------------------------

    def user(self, key: int | None) -> str:
        """Return the name of a user, with the role in the club if it is above member."""
        user = self.users.get(key or 0)  # no user has the key 0
        if user is None or not user.is_active:
            return gettext("a former member")
        role = getattr(user, "role", None)
        if role is None or role == Role.MEMBER:
            return user.called
        return gettext("%(name)s (%(role)s)") % {"name": user.called, "role": Role(role).label}

    def player(self, key: object) -> str:
        return _player_name(self.players.get(key) if isinstance(key, int) else None)

    def entrant(self, key: object) -> str:
        entrant = self.rows("entrant").get(key) if isinstance(key, int) else None
        if entrant is not None and entrant.team is not None:
            return str(entrant.team)
        return _player_name(entrant and entrant.player)


def _player_name(player: Player | None) -> str:
    """Return the name of a player, or of the player they were merged into."""
    player = (player.merged_into or player) if player else None
    return gettext("a former player") if player is None or player.erased_at else player.name


def phone_name(table: TableNow, hand: int | None, side: int | None) -> str:
    """Return "the phone at table 3", with the names that its side has in this hand, if known."""
    phone = gettext("the phone at table %(number)d") % {"number": table.number}
    if hand is None or side is None:
        return phone
    names = table.names_at(hand)
    if side >= len(names.sides):
        return phone
    return gettext("%(who)s (%(side)s)") % {"who": phone, "side": names.of(side)}


def name_list(names: Sequence[str]) -> str:
    """Return different names as one phrase; of more than four, the first four and a count.

    >>> name_list(["Asha"]), name_list(["Asha", "Juma"]), name_list(["A", "B", "C", "D", "E", "F"])
    ('Asha', 'Asha and Juma', 'A, B, C, D and 2 more')
    """
    different = list(dict.fromkeys(names))
    shown, more = different[:MOST_NAMES], len(different[MOST_NAMES:])
    if more:
        shown.append(ngettext("%(more)d more", "%(more)d more", more) % {"more": more})
    return get_text_list(shown, gettext("and"))


def entry_keys(entry: LogEntry, *names: str) -> list[int]:
    """Return the keys that an entry has in ``on`` under these names, each one key or a list."""
    keys: list[Any] = []
    for name in names:
        stored = entry.on.get(name)
        keys += stored if isinstance(stored, list) else [stored]
    return [key for key in keys if isinstance(key, int)]


def mentions(names: Iterable[str], keys: Collection[int] | QuerySet[Any, int]) -> Q:
    """Return the condition that an entry has one of these keys under one of these names.

    SQLite cannot search a list in JSON, so the condition searches ``on`` as text, which SQLite and
    PostgreSQL write with one space after a colon and a comma: for "hand", "hands" and 5 the pattern
    finds ``"hand": 5}`` and ``"hands": [4, 5, 6]``. It ends with what may follow a key, so that 5
    is not found in 51.
    """
    any_key = "|".join(map(str, sorted(keys)))
    if not any_key:
        return Q(pk__in=[])
    pattern = rf'"({"|".join(names)})": (\[([0-9]+, )*)?({any_key})[],}}]'
    return Q(Regex(Cast("on", TextField()), pattern))


def _with_answers(result: str, answers: Iterable[Line]) -> str:
    """Return a result with the answers that differ in parentheses."""
    differing = [f"{line.label} {line.value}" for line in answers if line.differs]
    more = pgettext("between several answers", ", ").join(differing)
    return gettext("%(result)s (%(more)s)") % {"result": result, "more": more} if more else result
