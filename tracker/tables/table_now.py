"""State of a table at this moment, as every page shows it: who deals, how far it is, its names."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
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
from tracker.common.names import short_names
from tracker.common.wording import NAMELESS, Names, names_of, say
from tracker.models import Club, DecidedBy, Progress, Round, Tournament
from tracker.models.progress import RoundLength, is_level
from tracker.tables.next_dealer import DealForecast, NextDealer
from tracker.tables.table_row import TableRow

QUIET_AFTER = timedelta(minutes=8)  # most tables report sooner

_Marks: TypeAlias = Sequence[Mapping[str, int]]  # by place


class ToDo(NamedTuple):
    """Numbers of open issues and calls at a table, and its unconfirmed hands.

    Each unconfirmed hand has its number, and the side that reported it.
    """

    issues: int
    calls: int
    unconfirmed: tuple[tuple[int, int | None], ...] = ()

    @property
    def unconfirmed_numbers(self) -> tuple[int, ...]:
        return tuple(number for number, _ in self.unconfirmed)


@dataclass(frozen=True, kw_only=True)
class TableNow(TableRow):
    """A sitting at this moment, read by ``reading`` or, for a change, by ``locks.lock_table``.

    ``read_to_do`` is set if it was asked for. ``short_names``, by player, are those of a page
    that names people of other tables too.
    """

    read_to_do: ToDo | None = None
    short_names: Mapping[int, str] | None = None

    # Who deals --------------------------------------------------------------------------------

    def coming_session(self) -> Session:
        """Return the session before the coming hand, with the dealer the table chose, if any."""
        if self.chosen is None or "dealer" not in self.stored_session:
            return self.resume_session()
        return self.resume_session({**self.stored_session, "dealer": self.chosen})

    @property
    def coming_dealer(self) -> int:
        """Return the place that deals the coming hand: the table's choice, or by the rules."""
        return self.next_dealer if self.chosen is None else self.chosen

    @property
    def dealer_place(self) -> int | None:
        """Return the place that deals the coming hand; ``None`` while cards are to be drawn for it."""
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
                outcome=say(each.outcome, names),
                side=each.side,
                side_names="" if each.side is None else names.of(each.side),
                place=each.dealer,
                dealer=None if each.dealer is None else names.at(each.dealer),
                again=place is not None and each.dealer == place,
            )
            for each in self.game.forecast(self.coming_session())
        )
        return DealForecast(names.sides, place, tuple(turns))

    # How far it is ----------------------------------------------------------------------------

    @property
    def progress(self) -> Progress:
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

    @property
    def heard_at(self) -> datetime:
        """Return when the last hand came, or when the table began."""
        at = self.last_at or self.started_at
        return at if is_aware(at) else make_aware(at, UTC)

    def quiet_for(self, now: datetime) -> str:
        """Return in words for how long no result came, if that is long for a table that plays."""
        quiet = self.open and not self.done and now - self.heard_at >= QUIET_AFTER
        return timesince(self.heard_at, now, depth=1) if quiet else ""

    @property
    def to_do(self) -> ToDo:
        """Return what is to be done at the table.

        :raises LookupError: if it was not read with the table.
        """
        if self.read_to_do is None:
            raise LookupError("read the table with to_do=True")
        return self.read_to_do

    @property
    def is_incomplete(self) -> bool:
        """Return whether closing its round needs a warning: results are missing or in question."""
        progress = self.progress
        to_do = self.to_do
        return bool(progress.owed or progress.level or to_do.issues or to_do.unconfirmed)

    @property
    def is_awaited(self) -> bool:
        """Return whether the organiser waits for it; for a table without a set length, too."""
        return not self.done or bool(self.to_do.issues or self.to_do.unconfirmed)

    @property
    def undecided(self) -> bool:
        """Return whether it is a level match that one more hand, or the organiser, has to decide."""
        return self.progress.one_more or (self.progress.level and not self.open)

    @property
    def short(self) -> int:
        """Return how many results were missing when the round was closed."""
        return 0 if self.open else self.progress.owed

    @property
    def running_game_text(self) -> str:
        """Return the state of the running game; empty if rounds are not counted in games."""
        if self.games is None or self.done or self.progress.one_more:
            return ""
        session = self.resume_session()
        note = None if session.over else self.game.notes(session).table  # of the game before
        note_text = say(note, NAMELESS) if note else ""
        parts = (
            game_number_text(self, self.games_over),
            self.numbered(self.coming_number),
            note_text,
        )
        return " · ".join(filter(None, parts))

    # A match of a bracket ---------------------------------------------------------------------

    @property
    def match_points(self) -> Criterion:
        return self.game.match_points(self.options, in_games=self.games is not None)

    def side_points_of(self, hands: Iterable[_Marks | None]) -> tuple[int, ...]:
        """Return the match points of each side for the marks of these hands."""
        points, sums = self.match_points, [0] * len(self.mode.sides)
        sign = -points.parts if points.fewest else points.parts
        for marks in filter(None, hands):
            for side, places in enumerate(self.mode.sides):
                own = side_marks(marks, places, self.game.seat_scoped)
                sums[side] += int(sign * points.value(own))
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
            one = self.one if self.games is None else gettext("game")
            return gettext("%(score)s: one more %(one)s decides.") % {"score": score, "one": one}
        if progress.level:
            return gettext("%(score)s: still to be decided.") % {"score": score}
        sides = self.coming_names.sides
        if self.decided_side is not None:
            words = {"score": score, "who": sides[self.decided_side]}
            return decision_template(self.decided_by) % words
        won = sorted(points, reverse=True)
        words = {"score": score_text(won, self.match_points), "who": sides[points.index(won[0])]}
        return gettext("Won %(score)s: %(who)s") % words

    # Names ------------------------------------------------------------------------------------

    @property
    def people(self) -> list[tuple[int, str]]:
        """Return who plays the coming hand, by player and whole name."""
        return [(each.player_id, each.name) for each in self.during(self.coming_number)]

    def names_at(self, number: int) -> Names:
        """Return the names of those who played this hand, as short as tells them apart."""
        people, called = [*self.during(number)], self.short_names
        if called is None:
            # The first word of "A former player" would say nothing.
            short = short_names({s.place: s.name for s in people if not s.erased})
        else:
            short = {s.place: called[s.player_id] for s in people if s.player_id in called}
        return self._names({s.place: s.name for s in people} | short)

    @cached_property
    def coming_names(self) -> Names:
        return self.names_at(self.coming_number)

    @property
    def full_names(self) -> Names:
        """Return the whole names of those who sit there now."""
        return self._names(
            {stint.place: stint.name for stint in self.stints if stint.to_hand is None}
        )

    def _names(self, names: Mapping[int, str]) -> Names:
        places = range(self.mode.seats)
        return names_of(self.mode, [names.get(place) or gettext("nobody") for place in places])

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
        """Return the word for one hand of this game, within a sentence."""
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
        return self.numbered_of(self.last_number + (not self.finished))

    def may_have_next(self, number: int) -> bool:
        """Return whether this round may have another hand after this number."""
        if number <= self.last_number or self.hands is None or self.side_points is not None:
            return not self.finished
        return self.progress.owed > 1

    def which_hand_question(self, number: int) -> str:
        """Return the question whether a sheet is for this hand, or for the next if one may follow."""
        next_too = gettext("Is this %(one)s %(number)d, or the next?")
        words = next_too if self.may_have_next(number) else gettext("Is this %(one)s %(number)d?")
        return words % {"one": self.one, "number": number}


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
    """Return the points of a match as people write them, side by side."""
    return "–".join(figure(Fraction(abs(each), points.parts)) for each in side_points)
