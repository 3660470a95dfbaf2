"""An act of the log: its verb, the rows its entry names, and its sentence."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext, ngettext_lazy, pgettext

from games.sheet import Sheet, criterion
from tracker.audit.queries.facts import Facts, keys_on, listed, phone_at
from tracker.audit.queries.settings import settings
from tracker.common.cells import day
from tracker.common.figures import POINTS, signed
from tracker.models import (
    BLACKENED,
    AwardKind,
    CallReason,
    LogEntry,
    RankedBy,
    Role,
    TieResolution,
    Tournament,
)
from tracker.tables.table_now import TableNow

UNKNOWN = "…"
MOST_HANDS = 3
# By placeholder, the name under which an entry has the player.
_PLAYERS = {name: name for name in ("player", "into", "left", "came")} | {"from_player": "from"}
# By placeholder, the number that chooses, and the choices.
_CHOICES: Mapping[str, tuple[str, Any]] = {
    "call": ("reason", CallReason),
    "how": ("how", TieResolution),
    "role": ("role", Role),
}
# By placeholder, the number that is counted, and the phrase.
_COUNTED = {
    "missing": (
        "short",
        ngettext_lazy("%(short)d result was missing", "%(short)d results were missing", "short"),
    ),
    "not_confirmed": (
        "unconfirmed",
        ngettext_lazy(
            "%(left)d result was not confirmed", "%(left)d results were not confirmed", "left"
        ),
    ),
    "not_played": (
        "short",
        ngettext_lazy(
            "%(short)d result was recorded as not played",
            "%(short)d results were recorded as not played",
            "short",
        ),
    ),
}
_POINTS = criterion("points", POINTS)  # what older awards are said to be of


@dataclass(frozen=True, slots=True)
class Reversal:
    """The button that undoes an act: it leads to a page, or is sent there *at_once*.

    ``keys`` are those of the page; there are none once the act cannot be undone any more.
    """

    label: str
    page: str
    keys: "Callable[[Act], Sequence[int]]"
    query: "Callable[[Act], str]" = lambda _act: ""
    role: Role = Role.ORGANISER
    at_once: bool = False

    def address(self, act: "Act") -> str:
        keys = self.keys(act)
        return reverse(self.page, args=keys) + self.query(act) if keys else ""


@dataclass(frozen=True, slots=True)
class Verb:
    """What the log knows of one verb.

    ``finer`` returns the key of a sentence in ``more`` that fits an act better, if one does. If a
    table's phone did it, the key ends with "phone": the phone's name says at which table.
    """

    sentence: str
    more: Mapping[str, str] = field(default_factory=dict)
    finer: "Callable[[Act], str]" = lambda _act: ""
    undo: Reversal | None = None
    # Of these settings only the name is said, without the values before and after.
    untold: Mapping[str, str] = field(default_factory=dict)
    # Only organisers do it, if it was no phone.
    organisers: bool = False
    # It is done on the page of a table alone, by whoever is signed in there.
    at_table: bool = False
    # Its reason is left out: written in the language of that day, it says what the sentence says.
    own_reason: bool = False
    # Only organisers read whose it is.
    private: bool = False
    # It has no line of its own: the line of the report that agreed says it, and names the side.
    in_report: bool = False


# By name; of most verbs there is only a sentence to know.
Verbs: TypeAlias = Mapping[str, Verb | str]


class Act:
    """A log entry with its verb and rows; ``act["who"]`` is the value of a placeholder.

    An unknown one is "…".
    """

    def __init__(
        self, entry: LogEntry, facts: Facts, verb: Verb, *, nameless: bool = False
    ) -> None:
        """Say *nameless* to readers who need not know who runs the club."""
        self.entry, self.facts, self.verb, self.nameless = entry, facts, verb, nameless

    def __getitem__(self, name: str) -> str:
        if name in _PLAYERS:
            return self.facts.player(self.entry.on.get(_PLAYERS[name]))
        if name in {"tournament", "season", "team"}:
            row = self.tournament if name == "tournament" else self.row(name)
            return row.name if row else UNKNOWN
        if name in _CHOICES:
            number, choices = _CHOICES[name]
            chosen = self.value(number)
            return str(choices(chosen).label) if chosen in choices.values else UNKNOWN
        if name in _COUNTED:
            number, phrase = _COUNTED[name]
            count = self.value(number) if isinstance(self.value(number), int) else 0
            return phrase % {"short": count, "left": count}
        say: Callable[[], str] | None = getattr(self, f"_{name}", None)
        if say is not None:
            return say() or UNKNOWN
        value = self.value(name)
        return UNKNOWN if value is None else str(value)

    @property
    def sentence(self) -> str:
        finer, more = self.verb.finer(self), self.verb.more
        template = more.get(finer, self.verb.sentence)
        if self.by_phone:
            template = more.get(f"{finer}, phone" if finer else "phone", template)
        sentence = str(capfirst(gettext(template) % self))
        if self.value("imported"):
            return gettext("Imported from a file: %(sentence)s") % {"sentence": sentence}
        return sentence

    @property
    def reason(self) -> str:
        """Return the reason that was given, unless the sentence tells it; empty without one."""
        if self.verb.own_reason or self.entry.reason in {"", BLACKENED}:
            return ""
        return gettext(self.entry.reason)

    @property
    def undo_address(self) -> str:
        """Return where the act is undone; empty if nowhere, or not any more."""
        undo, undone = self.verb.undo, self.entry.pk in self.facts.undone
        return undo.address(self) if undo and not undone else ""

    # What the entry names -------------------------------------------------------------------------

    def key(self, name: str) -> Any:
        """Return the key that the entry has under a name, 0 without one."""
        return self.entry.on.get(name) or 0

    def keys(self, *names: str) -> list[int]:
        return keys_on(self.entry, *names)

    def value(self, name: str) -> Any:
        return self.entry.numbers.get(name)

    @property
    def table(self) -> TableNow | None:
        return self.facts.tables.get(self.key("sitting"))

    @property
    def table_numbers(self) -> list[int]:
        """Return the numbers of the tables that the entry is about, where it names several."""
        known = [self.facts.tables.get(key) for key in self.keys("sittings")]
        return sorted(table.number for table in known if table)

    def row(self, name: str) -> Any:
        """Return the row that the entry has under a name, if it is still there."""
        return self.facts.rows(name).get(self.key(name))

    @property
    def tournament(self) -> Tournament | None:
        """Return the tournament that is named; without one, that of the table or round."""
        played = self.table or self.row("round")
        key = self.key("tournament") or (played.tournament_id if played else 0)
        return self.facts.tournaments.get(key)

    # Who ------------------------------------------------------------------------------------------

    @property
    def by_phone(self) -> bool:
        """Say whether it was done on a phone that shows a table's page."""
        if self.table is None:
            return False
        if self.entry.user_id is not None:
            return self.nameless and self.verb.at_table
        return bool(self.entry.device) or not self.verb.organisers

    def _who(self) -> str:
        if self.entry.user_id is not None:
            if not self.nameless:
                return self.facts.user(self.entry.user_id)
            if not self.by_phone:
                return gettext("the organiser")
        if self.verb.organisers and not self.entry.device:
            return gettext("the organiser")  # it came in a file, which says of nobody who they are
        if table := self.table:
            number = self.first_hand
            side = None if number is None else self.facts.side(self.entry)
            return phone_at(table, number or 1, side)
        return gettext("a phone") if self.entry.device else gettext("somebody")

    def _member(self) -> str:
        user = self.facts.users.get(self.key("member"))
        return user.called if user and user.is_active else gettext("a former member")

    def _a_role(self) -> str:
        role = self.value("role")
        return Role(role).in_a_sentence if role in Role.values else ""

    def _gone(self) -> str:
        """Return the name of the player who was merged into another."""
        player = self.row("player")
        return player.name if player else gettext("a former player")

    def _people(self) -> str:
        return listed([self.facts.player(key) for key in self.keys("players")])

    def _entrant(self) -> str:
        return self.facts.entrant(self.entry.on.get("entrant"))

    def _entrants(self) -> str:
        return listed([self.facts.entrant(key) for key in self.keys("entrants")])

    def _seated(self) -> str:
        seats = self.facts.rows("seat")
        seated = [seats[key].player_id for key in self.keys("seats") if key in seats]
        return listed([self.facts.player(key) for key in self.keys("players") or seated])

    def _whom(self) -> str:
        """Return the player whose reply to a night it is."""
        if "player" in self.entry.on:
            return self["player"]
        rsvp = self.row("rsvp")
        return rsvp.called if rsvp else gettext("somebody")

    # What and where -------------------------------------------------------------------------------

    def _verb(self) -> str:
        return self.entry.verb.replace("-", " ")

    def _settings(self) -> str:
        """Return the settings that were changed."""
        changed = settings(self.value("changed"), self.verb.untold)
        return pgettext("between several settings", "; ").join(changed)

    def _table(self) -> str:
        return str(self.table.number if self.table else self.value("table") or "")

    def _at_tables(self) -> str:
        return listed([str(number) for number in self.table_numbers])

    def _round(self) -> str:
        """Return the round with its tournament: "round 2 of Friday Cup"."""
        where = {"round": self["round_number"], "tournament": self["tournament"]}
        return gettext("round %(round)s of %(tournament)s") % where

    def _round_number(self) -> str:
        round_ = self.row("round")
        return str(self.value("number") or (round_.number if round_ else ""))

    def _night(self) -> str:
        night = self.row("night")
        return day(night.starts_at) if night else ""

    def _dealer(self) -> str:
        table, place = self.table, self.value("place")
        if table is None or place is None:
            return ""
        return table.names_at(int(self.entry.numbers.get("after_hand", 0)) + 1).at(int(place))

    def _side(self) -> str:
        table, side = self.table, self.value("side")
        return "" if table is None or side is None else table.coming_names.sides[int(side)]

    def _award(self) -> str:
        """Return what an award is worth, with its sign."""
        amount, tournament = self.value("amount"), self.tournament
        if not isinstance(amount, int):
            return gettext("their own average")
        if self.value("kind") == AwardKind.PENALTY:
            amount = -abs(amount)
        breaks = tournament.rules.tie_breaks(tournament.house_rules) if tournament else ()
        unit = next((each for each in breaks if each.key == self.value("unit")), _POINTS)
        return signed(Fraction(amount, 100 if unit.percent else 1), unit)

    def _ranked_by(self) -> str:
        return self._points_by("after")

    def _ranked_before(self) -> str:
        return self._points_by("before")

    def _points_by(self, name: str) -> str:
        ranked_by = str(self.value(name))
        if ranked_by == RankedBy.MATCH_POINTS:
            return str(RankedBy.MATCH_POINTS.label)
        return gettext(self.tournament.ranking(ranked_by)[0].label) if self.tournament else ""

    # Hands ----------------------------------------------------------------------------------------

    @property
    def hand_numbers(self) -> list[int]:
        """Return the hands that the entry wrote, by number."""
        after = self.value("after")
        written = [key for key in after if str(key).isdigit()] if isinstance(after, Mapping) else []
        return sorted(map(int, written)) or self.keys("hands") or self.keys("hand")

    @property
    def first_hand(self) -> int | None:
        """Return the hand that the entry names; without one, the first that it wrote."""
        return next(iter([*self.keys("hand"), *self.hand_numbers]), None)

    def sheet(self, when: str, number: object) -> Sheet | str | None:
        """Return the sheet of a hand *before* or *after*: of one alone, or by the number."""
        stored = self.value(when)
        if not isinstance(stored, Mapping):
            return None
        if str(number) in stored:
            by_number: Sheet | str = stored[str(number)]
            return by_number
        return None if all(str(key).isdigit() for key in stored) else stored

    def _hand(self) -> str:
        """Return the hand with its table: "hand 5 of table 2"."""
        return self._of_table(self._called(self.first_hand or UNKNOWN))

    def _own_hand(self) -> str:
        """Return the hand; with its table, unless a phone of that table did it."""
        return self._called(self.first_hand or UNKNOWN) if self.by_phone else self._hand()

    def _of_table(self, hands: str) -> str:
        return gettext("%(hand)s of table %(table)s") % {"hand": hands, "table": self["table"]}

    def _called(self, number: object) -> str:
        """Return what a hand is called within a sentence: "hand 5"."""
        unit = self.table.one if self.table else gettext("hand")
        return gettext("%(one)s %(number)s") % {"one": unit, "number": number}

    def _which(self) -> str:
        """Return which hands the entry is about: "hands 1 to 6 of table 2"."""
        first, *others = self.hand_numbers or [0]
        if not others:
            return self._of_table(self._called(first))
        many = gettext(self.table.game.unit.many) if self.table else gettext("hands")
        if [first, *others] == [*range(first, others[-1] + 1)]:
            named = {"many": many, "first": first, "last": others[-1]}
            return self._of_table(gettext("%(many)s %(first)d to %(last)d") % named)
        numbers = listed([str(number) for number in (first, *others)])
        named = {"many": many, "numbers": numbers}
        return self._of_table(gettext("%(many)s %(numbers)s") % named)

    def _hands(self) -> str:
        """Return the hands that were written, each with what it became."""
        numbers = self.hand_numbers
        results = [
            gettext("%(hand)s: %(result)s") % {"hand": self._called(number), "result": after}
            for number in numbers[:MOST_HANDS]
            if (after := self._before_and_after(number)[1])
        ]
        more = len(numbers) - len(results)
        if more > 0:
            results.append(ngettext("%(more)d more", "%(more)d more", more) % {"more": more})
        return pgettext("between several results", "; ").join(results)

    def _before(self) -> str:
        """Return what the hand, or the first of several, was."""
        return self._before_and_after(next(iter(self.hand_numbers), 0))[0]

    def _after(self) -> str:
        """Return what the hand, or the first of several, became."""
        return self._before_and_after(next(iter(self.hand_numbers), 0))[1]

    def _before_and_after(self, number: int) -> tuple[str, str]:
        sheets = self.sheet("before", number), self.sheet("after", number)
        return self.facts.before_and_after(self.table, number, *sheets)
