"""The sentence of a log entry: the template of its verb, and the values of the placeholders.

A log entry stores its verb, the keys of rows in ``on`` and other values in ``numbers``, both JSON:
``{"sitting": 3, "hands": [5, 6]}`` and ``{"short": 2}``. A *sitting* is a table in one round, a
*sheet* a hand's result as JSON. Under "before" and "after" (the act), ``numbers`` may have a value,
the sheet of the only hand, or {hand number: sheet}, with ``STRUCK`` for a hand that was deleted.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import Any, TypeAlias

from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext, pgettext

from games.errors import gettext_noop
from games.sheet import Criterion, Sheet, criterion
from tracker.audit.queries.lookup import Lookup, entry_keys, name_list, phone_name
from tracker.audit.queries.phrases import CHOICES, COUNTED, setting_phrases
from tracker.common.columns import day
from tracker.common.figures import POINTS, signed
from tracker.criteria.ranking_criteria import criteria_of, in_words
from tracker.models import BLACKENED, AwardKind, LogEntry, RankedBy, Role, Tournament
from tracker.tables.table_now import TableNow

UNKNOWN = "…"  # the value of a placeholder whose row or number is missing
MOST_HANDS = 3  # how many hands ``%(hands)s`` gives with their results
# Keyed by placeholder: the name under which ``LogEntry.on`` has the key of the player to name.
_PLAYERS = {name: name for name in ("player", "into", "left", "came")} | {"from_player": "from"}
_POINTS = criterion("points", POINTS)  # what awards of older versions add to


class ActedBy(Enum):
    """What a sentence calls the one who acted."""

    USER = "the name of a user"
    TABLE_PHONE = "the phone at table 3, with the names of its side if known"
    ORGANISER = gettext_noop("the organiser")
    PHONE = gettext_noop("a phone")  # at no table
    SOMEBODY = gettext_noop("somebody")


@dataclass(frozen=True, slots=True)
class UndoButton:
    """The button that undoes an act, for readers with ``role``.

    It links to a page where the reader undoes the act; with ``at_once`` it posts to the page, which
    undoes the act. ``url`` returns the URL of the page, empty if the act cannot be undone any more.
    """

    label: str
    url: "Callable[[Act], str]"
    role: Role = Role.ORGANISER
    at_once: bool = False


@dataclass(frozen=True, slots=True)
class Verb:
    """The sentence of a verb, how to undo it, and who may read what.

    ``variant`` returns a key for an act. The act's sentence is the one that ``variants`` has under
    that key, or else ``sentence``. If a table's phone acted, the one that ``by_phone`` has
    under the key goes first: it omits the table, which %(who)s already names.
    """

    sentence: str
    variants: Mapping[str, str] = field(default_factory=dict)
    variant: "Callable[[Act], str]" = lambda _act: ""
    by_phone: Mapping[str, str] = field(default_factory=dict)
    undo: UndoButton | None = None
    # Maps settings whose values are not shown to what the sentence calls them.
    name_only: Mapping[str, str] = field(default_factory=dict)
    # Entries without user and phone, as those from imported files, are told as the organiser's.
    by_organisers: bool = False
    # Done on a table's page only: to readers who may not see users, it was the table's phone.
    at_table: bool = False
    hide_reason: bool = False  # the reason repeats the sentence, in the language of its time
    private: bool = False  # only organisers read whom it is about
    # Left out where phones' reports are listed: the report, which names the side, already says it.
    told_by_report: bool = False


Verbs: TypeAlias = Mapping[str, Verb]  # keyed by the name of the verb


@dataclass(frozen=True, slots=True, eq=False)
class Act:
    """A log entry with its verb and rows; ``act["who"]`` is the value of the placeholder %(who)s.

    A value is a player's name, a row's name, a choice or a counted phrase. For other placeholders
    it is what the method of that name returns (``_who`` for "who"). Without such a method, it is
    the value that ``numbers`` has under the name.
    """

    entry: LogEntry
    lookup: Lookup
    verb: Verb
    hide_users: bool = False  # for readers who may not know who runs the club

    def __getitem__(self, name: str) -> str:
        if name in _PLAYERS:
            return self.lookup.player(self.entry.on.get(_PLAYERS[name]))
        if name in {"tournament", "season", "team"}:
            row = self.tournament if name == "tournament" else self.row(name)
            return row.name if row else UNKNOWN
        if name in CHOICES:
            value_name, choices = CHOICES[name]
            chosen = self.value(value_name)
            return str(choices(chosen).label) if chosen in choices.values else UNKNOWN
        if name in COUNTED:
            value_name, phrase = COUNTED[name]
            count = self.value(value_name)
            return phrase % {"count": count if isinstance(count, int) else 0}
        if method := getattr(self, f"_{name}", None):
            return str(method() or UNKNOWN)
        value = self.value(name)
        return UNKNOWN if value is None else str(value)

    @property
    def sentence(self) -> str:
        variant = self.verb.variant(self)
        template = self.verb.variants.get(variant, self.verb.sentence)
        if self.acted_by is ActedBy.TABLE_PHONE:
            template = self.verb.by_phone.get(variant, template)
        sentence = str(capfirst(gettext(template) % self))  # fills in ``self["who"]`` and so on
        if not self.value("imported"):
            return sentence
        return gettext("Imported from a file: %(sentence)s") % {"sentence": sentence}

    @property
    def reason(self) -> str:
        """Return the reason; empty if it was erased or not given, or repeats the sentence."""
        shown = not self.verb.hide_reason and self.entry.reason not in {"", BLACKENED}
        return gettext(self.entry.reason) if shown else ""

    @property
    def undo_url(self) -> str:
        """Return the URL that undoes the act; empty if it cannot be undone, or not any more."""
        undo = self.verb.undo
        return undo.url(self) if undo and self.entry.pk not in self.lookup.undone_by else ""

    # What the entry names -------------------------------------------------------------------------

    def key(self, name: str) -> Any:
        """Return the key that the entry has under a name, 0 without one."""
        return self.entry.on.get(name) or 0

    def keys(self, *names: str) -> list[int]:
        return entry_keys(self.entry, *names)

    def value(self, name: str) -> Any:
        return self.entry.numbers.get(name)

    @property
    def table(self) -> TableNow | None:
        return self.lookup.tables.get(self.key("sitting"))

    @property
    def table_numbers(self) -> list[int]:
        """Return the numbers of the tables in ``sittings``."""
        tables = [self.lookup.tables.get(key) for key in self.keys("sittings")]
        return sorted(table.number for table in tables if table)

    def row(self, name: str) -> Any:
        """Return the row whose key the entry has under this name, if it still exists."""
        return self.lookup.rows(name).get(self.key(name))

    @property
    def tournament(self) -> Tournament | None:
        """Return the tournament that the entry names, or that of its table or round."""
        table_or_round = self.table or self.row("round")
        key = table_or_round.tournament_id if table_or_round else 0
        return self.lookup.tournaments.get(self.key("tournament") or key)

    # Who ------------------------------------------------------------------------------------------

    @property
    def acted_by(self) -> ActedBy:
        """Return what to call the one who acted; ``entry.device`` names a phone, if known."""
        if self.entry.user_id is not None and not self.hide_users:
            return ActedBy.USER
        if self.entry.user_id is not None:
            return ActedBy.TABLE_PHONE if self.verb.at_table and self.table else ActedBy.ORGANISER
        if self.verb.by_organisers and not self.entry.device:
            return ActedBy.ORGANISER
        if self.table:
            return ActedBy.TABLE_PHONE
        return ActedBy.PHONE if self.entry.device else ActedBy.SOMEBODY

    def _who(self) -> str:
        if self.acted_by is ActedBy.USER:
            return self.lookup.user(self.entry.user_id)
        # All but a table's phone are called by the text of their ``ActedBy``.
        if self.table is None or self.acted_by is not ActedBy.TABLE_PHONE:
            return gettext(self.acted_by.value)
        number = self.first_hand
        side = None if number is None else self.lookup.side_of_phone(self.entry)
        return phone_name(self.table, number, side)

    def _member(self) -> str:
        user = self.lookup.users.get(self.key("member"))
        return user.called if user and user.is_active else gettext("a former member")

    def _a_role(self) -> str:
        role = self.value("role")
        return Role(role).in_a_sentence if role in Role.values else ""

    def _gone(self) -> str:
        """Return the name of the player who was merged into another: their own, not the other's."""
        player = self.row("player")
        return player.name if player else gettext("a former player")

    def _people(self) -> str:
        return name_list([self.lookup.player(key) for key in self.keys("players")])

    def _entrant(self) -> str:
        return self.lookup.entrant(self.entry.on.get("entrant"))

    def _entrants(self) -> str:
        return name_list([self.lookup.entrant(key) for key in self.keys("entrants")])

    def _seated(self) -> str:
        """Return the names of those who swapped seats; older entries name only the seats."""
        seats = self.lookup.rows("seat")
        seated = [seats[key].player_id for key in self.keys("seats") if key in seats]
        return name_list([self.lookup.player(key) for key in self.keys("players") or seated])

    def _whom(self) -> str:
        """Return the name of the player who replied to a club night."""
        if "player" in self.entry.on:
            return self["player"]
        rsvp = self.row("rsvp")
        return rsvp.called if rsvp else gettext("somebody")

    # What and where -------------------------------------------------------------------------------

    def _verb(self) -> str:
        return self.entry.verb.replace("-", " ")

    def _settings(self) -> str:
        changed = setting_phrases(self.value("changed"), self.verb.name_only)
        return pgettext("between several settings", "; ").join(changed)

    def _table(self) -> str:
        return str(self.table.number if self.table else self.value("table") or "")

    def _at_tables(self) -> str:
        return name_list([*map(str, self.table_numbers)])

    def _round(self) -> str:
        """Return the round with its tournament: "round 2 of Friday Cup"."""
        names = {"round": self["round_number"], "tournament": self["tournament"]}
        return gettext("round %(round)s of %(tournament)s") % names

    def _round_number(self) -> str:
        round_ = self.row("round")
        return str(self.value("number") or (round_.number if round_ else ""))

    def _night(self) -> str:
        night = self.row("night")
        return day(night.starts_at) if night else ""

    def _dealer(self) -> str:
        """Return the name of the player at the place that was chosen to deal the next hand."""
        if self.table is None or self.value("place") is None:
            return ""
        number = int(self.value("after_hand") or 0) + 1  # of the hand to deal
        return self.table.names_at(number).at(int(self.value("place")))

    def _side(self) -> str:
        table, side = self.table, self.value("side")
        return "" if table is None or side is None else table.coming_names.sides[int(side)]

    def _award(self) -> str:
        """Return the points of an award with their sign: "+3".

        The *unit* is the key of the criterion that the award adds to. If that is in per cent, the
        amount is stored times 100. Without an amount, the award is for a round that the entrant
        sits out, and worth their average.
        """
        amount, tournament = self.value("amount"), self.tournament
        if not isinstance(amount, int):
            return gettext("their own average")
        if self.value("kind") == AwardKind.PENALTY:
            amount = -abs(amount)
        criteria = tournament.rules.tie_breaks(tournament.house_rules) if tournament else ()
        added_to = next((each for each in criteria if each.key == self.value("unit")), _POINTS)
        return signed(Fraction(amount, 100 if added_to.percent else 1), added_to)

    def criteria(self, when: str) -> tuple[Criterion, ...]:
        """Return what the standings went by, "before" or "after" the act; empty if not stored."""
        keys = self.value(f"criteria_{when}")
        if not keys or self.tournament is None:
            return ()
        return criteria_of(self.tournament, str(self.value(when)), keys[1:])

    def _criteria(self) -> str:
        return in_words(self.criteria("after"))

    def _criteria_before(self) -> str:
        return in_words(self.criteria("before"))

    def _ranked_before(self) -> str:
        return self._ranked_by("before")

    def _ranked_by(self, when: str = "after") -> str:
        """Return what the standings went by, "before" or "after" the act."""
        ranked_by = str(self.value(when))
        if ranked_by == RankedBy.MATCH_POINTS:
            return str(RankedBy.MATCH_POINTS.label)
        return gettext(self.tournament.ranking(ranked_by)[0].label) if self.tournament else ""

    # Hands ----------------------------------------------------------------------------------------

    @property
    def hand_numbers(self) -> list[int]:
        """Return the numbers of hands that have a sheet under "after", or else those in ``on``."""
        after = self.value("after")
        keys = after if isinstance(after, Mapping) else {}
        written = sorted(int(key) for key in keys if str(key).isdigit())
        return written or self.keys("hands") or self.keys("hand")

    @property
    def first_hand(self) -> int | None:
        """Return the number under "hand" in ``on``, or else the first of ``hand_numbers``."""
        return next(iter([*self.keys("hand"), *self.hand_numbers]), None)

    def sheet(self, when: str, number: object) -> Sheet | str | None:
        """Return the sheet of a hand, or ``STRUCK``; *when* is "before" or "after" the act."""
        stored = self.value(when)
        if not isinstance(stored, Mapping):
            return None
        keyed_by_number = all(str(key).isdigit() for key in stored)
        # If not keyed, it is the sheet itself: of the entry's only hand, whatever *number* is.
        return stored.get(str(number)) if keyed_by_number else stored

    def _hand(self) -> str:
        """Return the hand with its table: "hand 5 of table 2"."""
        return self._at_its_table(self._hand_name(self.first_hand or UNKNOWN))

    def _own_hand(self) -> str:
        """Return the hand; with its table, unless a phone at that table acted."""
        if self.acted_by is ActedBy.TABLE_PHONE:
            return self._hand_name(self.first_hand or UNKNOWN)
        return self._hand()

    def _at_its_table(self, hands: str) -> str:
        return gettext("%(hand)s of table %(table)s") % {"hand": hands, "table": self["table"]}

    def _hand_name(self, number: object) -> str:
        """Return a hand's name within a sentence: "hand 5"."""
        unit = self.table.one if self.table else gettext("hand")
        return gettext("%(one)s %(number)s") % {"one": unit, "number": number}

    def _which(self) -> str:
        """Return the hands that the entry is about: "hands 1 to 6 of table 2"."""
        numbers = self.hand_numbers or [0]
        first, last = numbers[0], numbers[-1]
        if first == last:
            return self._at_its_table(self._hand_name(first))
        # "hands", or the game's own word for them, as "deals".
        many = gettext(self.table.game.unit.many) if self.table else gettext("hands")
        if numbers == [*range(first, last + 1)]:
            values = {"many": many, "first": first, "last": last}
            return self._at_its_table(gettext("%(many)s %(first)d to %(last)d") % values)
        values = {"many": many, "numbers": name_list([str(number) for number in numbers])}
        return self._at_its_table(gettext("%(many)s %(numbers)s") % values)

    def _hands(self) -> str:
        """Return the first few hands with their results after the act, and how many more there are.

        Hands without a result are always counted among the "more".
        """
        numbers = self.hand_numbers
        results = []
        for number in numbers[:MOST_HANDS]:
            _before, after = self._before_and_after(number)
            if after:
                values = {"hand": self._hand_name(number), "result": after}
                results.append(gettext("%(hand)s: %(result)s") % values)
        more = len(numbers) - len(results)
        if more > 0:
            results.append(ngettext("%(more)d more", "%(more)d more", more) % {"more": more})
        return pgettext("between several results", "; ").join(results)

    def _before(self) -> str:
        """Return the result of the first hand before the act; hand 0 stands for no hand."""
        return self._before_and_after((self.hand_numbers or [0])[0])[0]

    def _after(self) -> str:
        return self._before_and_after((self.hand_numbers or [0])[0])[1]

    def _before_and_after(self, number: int) -> tuple[str, str]:
        """Return the results of a hand before and after the act, in words."""
        before, after = self.sheet("before", number), self.sheet("after", number)
        return self.lookup.before_and_after(self.table, number, before, after)


def variant_if(variant: str, **numbers: object) -> Callable[[Act], str]:
    """Return a function of an act: *variant* if the entry has these ``numbers``, else ""."""
    return lambda act: variant if all(act.value(name) == numbers[name] for name in numbers) else ""
