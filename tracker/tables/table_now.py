"""State of tables at this moment, as every page shows them: who deals, how far they are, names.

A *table* is the people around one table in one round; the *coming hand* is the next that they
report. A *place* is a chair, numbered from 0. A *match* is a table of a knock-out or Swiss
tournament, with two sides; it is *level* while they have equal points and nobody decided it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from functools import cached_property
from operator import add
from typing import NamedTuple, TypeAlias

from django.utils.timesince import timesince
from django.utils.timezone import is_aware, make_aware
from django.utils.translation import gettext

from games.game import Session
from games.sheet import Criterion, side_marks
from tracker.common.figures import figure
from tracker.common.names import PageNames, page_names, short_names
from tracker.common.wording import NAMELESS, Names, names_of, say
from tracker.models import Club, DecidedBy, Progress, Round, Tournament
from tracker.models.progress import RoundLength, is_level
from tracker.tables.next_dealer import DealForecast, DealsWhen, NextDealer
from tracker.tables.table_row import TableRow

# A table that has not reported for so long is shown as quiet; most report sooner.
QUIET_AFTER = timedelta(minutes=8)

# What a hand gave each place: whole numbers, keyed by what they count.
_Marks: TypeAlias = Sequence[Mapping[str, int]]


class ToDo(NamedTuple):
    """How much at a table waits for the organiser or a player."""

    issues: int  # open questions about results
    calls: int  # for the organiser
    # Hands that another side has yet to confirm: their numbers, and the side that reported each.
    unconfirmed: tuple[tuple[int, int | None], ...] = ()

    @property
    def unconfirmed_numbers(self) -> tuple[int, ...]:
        return tuple(number for number, _ in self.unconfirmed)


@dataclass(frozen=True, kw_only=True)
class TableNow(TableRow):
    """A table at this moment, read by ``sql.read_table`` or, to change it, ``locks.lock_table``."""

    read_to_do: ToDo | None = None  # if it was read with the table
    # Player id -> name, on a page that names people of other tables, too.
    short_names: Mapping[int, str] | None = None

    # Who deals --------------------------------------------------------------------------------

    def coming_session(self) -> Session:
        """Return the session before the coming hand, with the dealer the table chose, if any."""
        # A game's session need not store its dealer.
        if self.chosen is None or "dealer" not in self.stored_session:
            return self.resume_session()
        return self.resume_session({**self.stored_session, "dealer": self.chosen})

    @property
    def coming_dealer(self) -> int:
        """Return the place that deals the coming hand: as the table chose, or else by the rules."""
        return self.next_dealer if self.chosen is None else self.chosen

    @property
    def dealer_place(self) -> int | None:
        """Return the place that deals the coming hand; ``None`` until cards are drawn for it."""
        drawn = self.chosen is None and self.game.is_drawn(self.may_deal)
        return None if drawn else self.coming_dealer

    @property
    def dealer(self) -> str | None:
        """Return the name of the dealer of the coming hand; ``None`` until it is drawn."""
        return None if self.dealer_place is None else self.coming_names.at(self.dealer_place)

    @property
    def dealer_sentence(self) -> str:
        """Return in words who deals the coming hand, or that cards are drawn for it."""
        if self.dealer is None:
            return gettext("Draw for the deal")
        return gettext("%(name)s deals") % {"name": self.dealer}

    @cached_property
    def forecast(self) -> DealForecast:
        """Return who deals after each outcome of the coming hand."""
        names, place = self.coming_names, self.dealer_place
        turns = (
            NextDealer(
                outcome=say(turn.outcome, names),
                side=turn.side,
                side_names="" if turn.side is None else names.of(turn.side),
                place=turn.dealer,
                dealer=None if turn.dealer is None else names.at(turn.dealer),
                again=place is not None and turn.dealer == place,
            )
            for turn in self.game.forecast(self.coming_session())
        )
        return DealForecast(names.sides, place, tuple(turns))

    # How far it is ----------------------------------------------------------------------------

    @property
    def progress(self) -> Progress:
        """Return how many results came, and are still *owed*.

        It is *whole* if none is owed, and awaits *one more* if a match is level after them all.
        """
        return Progress.of_counts(
            self,
            hands_standing=self.hands_standing,
            games_over=self.games_over,
            not_played=self.not_played,
            level=self.level(self.side_points),
        )

    @property
    def done(self) -> bool:
        """Return whether no more results are expected: all came, or the round was ended here."""
        return bool(self.finished) or self.progress.whole

    def quiet_for(self, now: datetime) -> str:
        """Return in words for how long no result came, if that is long for a table that plays."""
        since = aware(self.last_at or self.started_at)
        is_quiet = self.open and not self.done and now - since >= QUIET_AFTER
        return timesince(since, now, depth=1) if is_quiet else ""

    @property
    def to_do(self) -> ToDo:
        """Return what is to be done at the table; ``LookupError`` if that was not read with it."""
        if self.read_to_do is None:
            raise LookupError("read the table with to_do=True")
        return self.read_to_do

    @property
    def is_incomplete(self) -> bool:
        """Return whether closing the round needs a warning: results are missing or in question."""
        progress, to_do = self.progress, self.to_do
        return bool(progress.owed or progress.level or to_do.issues or to_do.unconfirmed)

    @property
    def is_awaited(self) -> bool:
        """Return whether results of this table may still come or are in question."""
        return not self.done or bool(self.to_do.issues or self.to_do.unconfirmed)

    @property
    def undecided(self) -> bool:
        """Return whether this is a level match that one more hand or the organiser must decide."""
        return self.progress.one_more or (self.progress.level and not self.open)

    @property
    def short(self) -> int:
        """Return by how many results the table fell short when its round was closed."""
        return 0 if self.open else self.progress.owed

    @property
    def running_game_text(self) -> str:
        """Return the state of the running game; empty if rounds are not counted in games."""
        if self.games is None or self.done or self.progress.one_more:
            return ""
        session = self.resume_session()
        # After the last hand of a game, the note would still be about that game.
        note = None if session.over else self.game.notes(session).table
        note_text = say(note, NAMELESS) if note else ""
        game, hand = game_number_text(self, self.games_over), self.numbered(self.coming_number)
        return " · ".join(filter(None, (game, hand, note_text)))

    # A match of a bracket ---------------------------------------------------------------------

    @property
    def match_points(self) -> Criterion:
        return self.game.match_points(self.options, in_games=self.games is not None)

    def side_points_of(self, hands: Iterable[_Marks | None]) -> tuple[int, ...]:
        """Return the match points that each side has from the marks of these hands.

        They are whole numbers: fractions are multiplied by ``match_points.parts``. Where the fewest
        points win, they are below 0, so that the side with the higher number always leads.
        """
        points, sums = self.match_points, [0] * len(self.mode.sides)
        factor = -points.parts if points.fewest else points.parts
        for marks in filter(None, hands):
            for side, places in enumerate(self.mode.sides):
                marks_of_side = side_marks(marks, places, self.game.seat_scoped)
                sums[side] += int(factor * points.value(marks_of_side))
        return tuple(sums)

    def side_points_after(self, marks: _Marks | None) -> tuple[int, ...] | None:
        """Return the match points of each side after one more hand; ``None`` for other tables."""
        if self.side_points is None:
            return None
        return tuple(map(add, self.side_points, self.side_points_of([marks])))

    def level(self, side_points: Sequence[int] | None) -> bool:
        """Return whether the match would be undecided with these points."""
        return is_level(side_points, self.decided_side)

    @property
    def match_text(self) -> str:
        """Return a bracket match's score in words, once it may be over; empty for other tables."""
        points, progress = self.side_points, self.progress
        if points is None or (self.open and not (progress.whole or progress.one_more)):
            return ""
        score = score_text(points, self.match_points)
        if progress.one_more and self.open:
            unit = self.one if self.games is None else gettext("game")
            return gettext("%(score)s: one more %(one)s decides.") % {"score": score, "one": unit}
        if progress.level:
            return gettext("%(score)s: still to be decided.") % {"score": score}
        sides = self.coming_names.sides
        if self.decided_side is not None:
            params = {"score": score, "who": sides[self.decided_side]}
            return decision_template(self.decided_by) % params
        score = score_text(sorted(points, reverse=True), self.match_points)
        params = {"score": score, "who": sides[points.index(max(points))]}
        return gettext("Won %(score)s: %(who)s") % params

    # Names ------------------------------------------------------------------------------------

    @property
    def people(self) -> list[tuple[int, str]]:
        """Return who plays the coming hand: their player ids and whole names."""
        return [(stint.player_id, stint.name) for stint in self.during(self.coming_number)]

    def names_at(self, number: int) -> Names:
        """Return the names of those who played this hand, no longer than needed to differ."""
        stints, shown = [*self.during(number)], self.short_names
        if shown is None:
            # An erased name is "A former player", whose first word would say nothing.
            short = short_names({stint.place: stint.name for stint in stints if not stint.erased})
        else:
            short = {s.place: shown[s.player_id] for s in stints if s.player_id in shown}
        return self._names({stint.place: stint.name for stint in stints} | short)

    @cached_property
    def coming_names(self) -> Names:
        return self.names_at(self.coming_number)

    @property
    def full_names(self) -> Names:
        """Return the whole names of those who sit there now."""
        present = (stint for stint in self.stints if stint.to_hand is None)
        return self._names({stint.place: stint.name for stint in present})

    def _names(self, by_place: Mapping[int, str]) -> Names:
        places = range(self.mode.seats)
        return names_of(self.mode, [by_place.get(place) or gettext("nobody") for place in places])

    @cached_property
    def round(self) -> Round:
        """Return the round, with its tournament and club, in one query that only pages need."""
        return Round.objects.select_related("tournament__club").get(pk=self.round_id)

    @property
    def tournament(self) -> Tournament:
        return self.round.tournament

    @property
    def club(self) -> Club:
        return self.tournament.club

    @property
    def one(self) -> str:
        """Return the game's word for one hand, within a sentence: "deal"."""
        return gettext(self.game.unit.one)

    def numbered(self, number: int) -> str:
        """Return this hand's name: "Hand 5"."""
        return gettext(self.game.unit.numbered) % {"number": number}

    def numbered_of(self, number: int) -> str:
        """Return this hand's name with the number of hands: "Hand 5 of 8".

        After hands were undone, numbers may exceed the number of hands, which is then left out.
        """
        if self.hands is None or number > self.hands:
            return self.numbered(number)
        return gettext(self.game.unit.numbered_of) % {"number": number, "all": self.hands}

    @property
    def hand_called(self) -> str:
        """Return the name of the coming hand, or of the last one if no more come."""
        return self.numbered_of(self.last_number if self.finished else self.coming_number)

    def may_have_next(self, number: int) -> bool:
        """Return whether this round may have another hand after this number."""
        # Of a recorded hand, or where no number of hands is set (a level match may need more), all
        # that is known is whether the table has finished.
        if number <= self.last_number or self.hands is None or self.side_points is not None:
            return not self.finished
        return self.progress.owed > 1  # this hand and another

    def which_hand_question(self, number: int) -> str:
        """Return the question whether a sheet is for this hand, or the next if one may follow."""
        template = gettext("Is this %(one)s %(number)d?")
        if self.may_have_next(number):
            template = gettext("Is this %(one)s %(number)d, or the next?")
        return template % {"one": self.one, "number": number}


def aware(at: datetime) -> datetime:
    """Return a moment with its time zone, which SQL on SQLite leaves out."""
    return at if is_aware(at) else make_aware(at, UTC)


def game_number_text(length: RoundLength, games_over: int) -> str:
    """Return which game of its round is played, "Game 2 of 3"; empty if there is only one."""
    if length.games is None or length.games < 2:
        return ""
    numbers = {"number": min(games_over + 1, length.games), "all": length.games}
    return gettext("Game %(number)d of %(all)d") % numbers


def decision_template(decided_by: str) -> str:
    """Return the sentence, with placeholders, of a level match that was decided without a hand."""
    if decided_by == DecidedBy.LOT:
        return gettext("Won by lot at %(score)s: %(who)s")
    return gettext("Decided by the organiser at %(score)s: %(who)s")


def score_text(side_points: Sequence[int], points: Criterion) -> str:
    """Return the points of a match as people write them, "3-1"."""
    return "–".join(figure(Fraction(abs(amount), points.parts)) for amount in side_points)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deals:
    """When an entrant deals at ``table`` (a number); ``turn``: who deals next if its side wins."""

    when: DealsWhen
    table: int
    turn: str | None


@dataclass(frozen=True)
class DealersNow:
    """Open tables, when each entrant deals, and the short names of the page."""

    tables: tuple[TableNow, ...]
    of_entrant: Mapping[int, Deals]
    names: PageNames

    @cached_property
    def by_sides(self) -> bool:
        """Return whether every table still playing fits three columns: A wins, B wins, tied."""
        playing = [table for table in self.tables if not table.finished]
        return bool(playing) and all(table.forecast.by_sides for table in playing)


def with_short_names(
    tables: Collection[TableNow], others: Iterable[tuple[int, str]] = ()
) -> tuple[list[TableNow], PageNames]:
    """Return the tables with the short names of one page, and these names.

    *others* are key and name of each further player on the page.
    """
    stints = [stint for table in tables for stint in table.stints if not stint.erased]
    names = page_names([*others, *((stint.player_id, stint.name) for stint in stints)])
    return [replace(table, short_names=names.of_player) for table in tables], names


def dealers_now(tables: Collection[TableNow], others: Iterable[tuple[int, str]] = ()) -> DealersNow:
    """Return who deals at these tables of open rounds; *others* are further players on the page."""
    named, names = with_short_names(tables, others)
    of_entrant: dict[int, Deals] = {}
    for table in named:
        # Only in free play are several rounds open. If a team sits at tables of two of them, the
        # later round counts: the tables are in the order of their rounds.
        if not table.finished:
            of_entrant |= _deals_at(table)
    return DealersNow(tuple(named), of_entrant, names)


def _deals_at(table: TableNow) -> dict[int, Deals]:
    """Return when each entrant deals at this table: the most certain turn of its players there."""
    of_entrant: dict[int, Deals] = {}
    for stint in table.stints:
        if stint.to_hand is not None:  # the stint is over
            continue
        when = table.forecast.deals_when(stint.place, stint.side)
        known = of_entrant.get(stint.entrant_id)
        if when and (known is None or when < known.when):  # the lesser is the more certain
            turn = table.forecast.if_wins(stint.side)
            of_entrant[stint.entrant_id] = Deals(when=when, table=table.number, turn=turn)
    return of_entrant
