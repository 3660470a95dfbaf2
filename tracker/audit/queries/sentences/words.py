"""Values for the placeholders of a log sentence: names, numbers, days and results of hands."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from django.utils.translation import gettext, ngettext, pgettext

from games.sheet import Sheet, criterion
from tracker.audit.queries.facts import Facts, keys_on
from tracker.audit.queries.sentences.settings import settings
from tracker.common.cells import day
from tracker.common.figures import POINTS, signed
from tracker.ledger.table import TableNow
from tracker.models import AwardKind, CallReason, LogEntry, RankedBy, Role, TieResolution

UNKNOWN = "…"
MOST_NAMES, MOST_HANDS = 4, 3
# By hole, the name under which an entry has the player.
_PLAYERS = {name: name for name in ("player", "into", "left", "came")} | {"from_player": "from"}
_POINTS = criterion("points", POINTS)  # what older awards are said to be of
_OF_ORGANISERS = {"sitting-corrected", "issue-settled", "paper-written-down", "hands-confirmed"}
# What is done on the page of a table alone, by whoever may be signed in on its phone.
_OF_TABLES = {"hand-amended", "change-asked", "dealer-chosen"}


class Words:
    """The placeholder values of one log entry; an unknown one is "…"."""

    def __init__(self, entry: LogEntry, facts: Facts, *, nameless: bool = False) -> None:
        """Say *nameless* to readers who need not know who runs the club."""
        self.entry, self.facts, self.nameless = entry, facts, nameless

    def __getitem__(self, hole: str) -> str:
        if hole in _PLAYERS:
            return self.facts.player(self.entry.on.get(_PLAYERS[hole]))
        say: Callable[[], str] | None = getattr(self, f"_{hole}", None)
        if say is not None:
            return say() or UNKNOWN
        number = self.entry.numbers.get(hole)
        return UNKNOWN if number is None else str(number)

    # Who ------------------------------------------------------------------------------------------

    @property
    def by_phone(self) -> bool:
        """Say whether a phone did it that shows the page of a table."""
        if self.table is None:
            return False
        if self.entry.user_id is not None:
            return self.nameless and self.entry.verb in _OF_TABLES
        return bool(self.entry.device) or self.entry.verb not in _OF_ORGANISERS

    def _who(self) -> str:
        if self.entry.user_id is not None:
            if not self.nameless:
                return self.facts.user(self.entry.user_id)
            if not self.by_phone:
                return gettext("the organiser")
        if self.entry.verb in _OF_ORGANISERS and not self.entry.device:
            return gettext("the organiser")  # it came in a file, which says of nobody who they are
        if table := self.table:
            number = self.first_hand
            side = None if number is None else self.facts.side(self.entry)
            return phone_at(table, number or 1, side)
        return gettext("a phone") if self.entry.device else gettext("somebody")

    def _member(self) -> str:
        user = self.facts.users.get(self.entry.on.get("member", 0))
        return user.called if user and user.is_active else gettext("a former member")

    def _role(self) -> str:
        role = self.entry.numbers.get("role")
        return str(Role(role).label) if role in Role.values else ""

    def _a_role(self) -> str:
        role = self.entry.numbers.get("role")
        return Role(role).in_a_sentence if role in Role.values else ""

    def _gone(self) -> str:
        """Return the name of the player who was merged into another."""
        player = self.facts.players.get(self.entry.on.get("player", 0))
        return player.name if player else gettext("a former player")

    def _people(self) -> str:
        return listed([self.facts.player(key) for key in keys_on(self.entry, "players")])

    def _entrant(self) -> str:
        return self.facts.entrant(self.entry.on.get("entrant"))

    def _entrants(self) -> str:
        return listed([self.facts.entrant(key) for key in keys_on(self.entry, "entrants")])

    def _seated(self) -> str:
        if players := list(keys_on(self.entry, "players")):
            return listed([self.facts.player(key) for key in players])
        seats = [
            self.facts.seats[key] for key in keys_on(self.entry, "seats") if key in self.facts.seats
        ]
        return listed([self.facts.player(seat.player_id) for seat in seats])

    def _team(self) -> str:
        team = self.facts.teams.get(self.entry.on.get("team", 0))
        return team.name if team else ""

    def _whom(self) -> str:
        """Return whose reply to a night it is."""
        if "player" in self.entry.on:
            return self["player"]
        rsvp = self.facts.rsvps.get(self.entry.on.get("rsvp", 0))
        return rsvp.called if rsvp else gettext("somebody")

    # What and where -------------------------------------------------------------------------------

    @property
    def table(self) -> TableNow | None:
        return self.facts.tables.get(self.entry.on.get("sitting", 0))

    def _table(self) -> str:
        return str(self.table.number) if self.table else str(self.entry.numbers.get("table") or "")

    @property
    def tables(self) -> list[int]:
        """Return the numbers of the tables that an entry is about, where it names several."""
        known = [self.facts.tables.get(key) for key in keys_on(self.entry, "sittings")]
        return sorted(table.number for table in known if table)

    def _at_tables(self) -> str:
        return listed([str(number) for number in self.tables])

    def _round(self) -> str:
        round_ = self.facts.rounds.get(self.entry.on.get("round", 0))
        return str(self.entry.numbers.get("number") or (round_.number if round_ else ""))

    def _tournament(self) -> str:
        table = self.table
        key = self.entry.on.get("tournament") or (table.tournament_id if table else 0)
        tournament = self.facts.tournaments.get(key)
        return tournament.name if tournament else ""

    def settings(self) -> str:
        """Return the settings that the entry changed."""
        return pgettext("between several settings", "; ").join(
            settings(self.entry.verb, self.entry.numbers.get("changed"))
        )

    _settings = settings

    def _season(self) -> str:
        season = self.facts.seasons.get(self.entry.on.get("season") or 0)
        return season.name if season else ""

    def _night(self) -> str:
        night = self.facts.nights.get(self.entry.on.get("night", 0))
        return day(night.starts_at) if night else ""

    def _dealer(self) -> str:
        table, place = self.table, self.entry.numbers.get("place")
        if table is None or place is None:
            return ""
        return table.names_at(int(self.entry.numbers.get("after_hand", 0)) + 1).at(int(place))

    def _side(self) -> str:
        table, side = self.table, self.entry.numbers.get("side")
        return "" if table is None or side is None else table.coming_names.sides[int(side)]

    def _count(self, name: str) -> int:
        number = self.entry.numbers.get(name)
        return number if isinstance(number, int) else 0

    def _missing(self) -> str:
        short = self._count("short")
        words = ngettext("%(short)d result was missing", "%(short)d results were missing", short)
        return words % {"short": short}

    def _not_confirmed(self) -> str:
        left = self._count("unconfirmed")
        words = ngettext(
            "%(left)d result was not confirmed", "%(left)d results were not confirmed", left
        )
        return words % {"left": left}

    def _not_played(self) -> str:
        short = self._count("short")
        words = ngettext(
            "%(short)d result was recorded as not played",
            "%(short)d results were recorded as not played",
            short,
        )
        return words % {"short": short}

    def _call(self) -> str:
        reason = self.entry.numbers.get("reason")
        return str(CallReason(reason).label) if reason in CallReason.values else ""

    def _how(self) -> str:
        how = self.entry.numbers.get("how")
        return str(TieResolution(how).label) if how in TieResolution.values else ""

    def _award(self) -> str:
        """Return what an award is worth, with its sign."""
        numbers, known = self.entry.numbers, self.facts.tournaments
        amount, tournament = numbers.get("amount"), known.get(self.entry.on.get("tournament", 0))
        if not isinstance(amount, int):
            return gettext("their own average")
        if numbers.get("kind") == AwardKind.PENALTY:
            amount = -abs(amount)
        breaks = tournament.rules.tie_breaks(tournament.house_rules) if tournament else ()
        unit = next((each for each in breaks if each.key == numbers.get("unit")), _POINTS)
        return signed(Fraction(amount, 100 if unit.percent else 1), unit)

    def _ranked_by(self) -> str:
        return self._points_by("after")

    def _ranked_before(self) -> str:
        return self._points_by("before")

    def _points_by(self, name: str) -> str:
        tournament = self.facts.tournaments.get(self.entry.on.get("tournament", 0))
        ranked_by = str(self.entry.numbers.get(name))
        if ranked_by == RankedBy.MATCH_POINTS:
            return str(RankedBy.MATCH_POINTS.label)
        return gettext(tournament.ranking(ranked_by)[0].label) if tournament else ""

    # Hands ----------------------------------------------------------------------------------------

    @property
    def hand_numbers(self) -> list[int]:
        """Return the hands that the entry wrote, by number."""
        after = self.entry.numbers.get("after")
        written = [key for key in after if str(key).isdigit()] if isinstance(after, Mapping) else []
        numbers = sorted(map(int, written)) or [*keys_on(self.entry, "hands")]
        return numbers or [*keys_on(self.entry, "hand")]

    @property
    def first_hand(self) -> int | None:
        """Return the hand that the entry names, or else the first that it wrote."""
        return next(iter([*keys_on(self.entry, "hand"), *self.hand_numbers]), None)

    def sheet(self, when: str, number: object) -> Sheet | str | None:
        """Return the sheet of a hand *before* or *after*: of one alone, or by the number."""
        stored = self.entry.numbers.get(when)
        if not isinstance(stored, Mapping):
            return None
        if str(number) in stored:
            by_number: Sheet | str = stored[str(number)]
            return by_number
        return None if all(str(key).isdigit() for key in stored) else stored

    def _hand(self) -> str:
        number = self.first_hand
        return self._called(UNKNOWN if number is None else number)

    def _called(self, number: object) -> str:
        """Return what a hand is called within a sentence: "hand 5"."""
        unit = self.table.one if self.table else gettext("hand")
        return gettext("%(one)s %(number)s") % {"one": unit, "number": number}

    def _which(self) -> str:
        """Return which hands the entry is about: "hands 1 to 6"."""
        first, *others = self.hand_numbers or [0]
        if not others:
            return self._called(first)
        many = gettext(self.table.game.unit.many) if self.table else gettext("hands")
        if [first, *others] == [*range(first, others[-1] + 1)]:
            named = {"many": many, "first": first, "last": others[-1]}
            return gettext("%(many)s %(first)d to %(last)d") % named
        return gettext("%(many)s %(numbers)s") % {
            "many": many,
            "numbers": listed([str(number) for number in (first, *others)]),
        }

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
        """Return what a hand was and became; where its count stays, with the answers that do not."""
        before, after = self.sheet("before", number), self.sheet("after", number)
        was, became = self._result(number, before), self._result(number, after)
        if was != became or self.table is None:
            return was, became
        if not isinstance(before, Mapping) or not isinstance(after, Mapping):
            return was, became
        more = self.facts.differing(self.table.sitting_id, number, before, after)
        return _besides(was, more[0]), _besides(became, more[1])

    def _result(self, number: int, sheet: Sheet | str | None) -> str:
        """Return what a hand was or became, in a few words; nothing where it was not there."""
        if sheet == "struck":
            return gettext("deleted")
        if self.table is None or not isinstance(sheet, Mapping):
            return ""
        return self.facts.result(self.table.sitting_id, number, sheet)


def _besides(result: str, more: str) -> str:
    return gettext("%(result)s (%(more)s)") % {"result": result, "more": more} if more else result


def phone_at(table: TableNow, number: int, side: int | None) -> str:
    """Return what a phone at a table is called, with the names of its side if known."""
    who = gettext("the phone at table %(number)d") % {"number": table.number}
    names = table.names_at(number)
    if side is None or side >= len(names.sides):
        return who
    return gettext("%(who)s (%(side)s)") % {"who": who, "side": names.of(side)}


def listed(names: Sequence[str]) -> str:
    """Return names in a phrase, the first of many and how many more.

    >>> listed(["Asha"]), listed(["Asha", "Juma"]), listed(["A", "B", "C", "D", "E", "F"])
    ('Asha', 'Asha and Juma', 'A, B, C, D and 2 more')
    """
    names = [*dict.fromkeys(names)]
    if not names:
        return ""
    more = len(names) - MOST_NAMES
    if more > 0:
        last = ngettext("%(more)d more", "%(more)d more", more) % {"more": more}
        shown = names[:MOST_NAMES]
    else:
        *shown, last = names
    if not shown:
        return last
    separator = pgettext("between the names of several people", ", ")
    return gettext("%(others)s and %(last)s") % {"others": separator.join(shown), "last": last}
