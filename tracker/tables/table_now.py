"""Current state of a table: its sitting, with the round, the rules and the players.

One value, whether it is read for a page or locked for a change: see ``statements``.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from operator import add
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID

from django.urls import reverse
from django.utils.timesince import timesince
from django.utils.timezone import is_aware, make_aware
from django.utils.translation import gettext

from games import catalogue
from games.game import AnyGame, Session
from games.mode import Mode
from games.option import Options
from games.sheet import Criterion, side_marks
from tracker.common.names import short_names
from tracker.common.wording import NAMELESS, Names, names_of, say
from tracker.models import (
    Club,
    Confirm,
    Format,
    Progress,
    ResultType,
    Round,
    RoundState,
    TokenState,
    Tournament,
)
from tracker.models.progress import is_level
from tracker.models.sittings import spaced
from tracker.models.stints import covers
from tracker.tables.next_dealer import DealForecast, NextDealer, decided_says, game_says, score_of

QUIET_AFTER = timedelta(minutes=8)  # a table that plays is usually heard of sooner

_Marks: TypeAlias = Sequence[Mapping[str, int]]  # by place


class Stint(NamedTuple):
    """A player at a place, from one hand to another; ``to_hand`` is ``None`` while they stay."""

    seat_id: int
    place: int
    side: int
    entrant_id: int
    player_id: int
    name: str
    erased: bool
    from_hand: int
    to_hand: int | None

    def covers(self, number: int) -> bool:
        """Return whether the stint includes this hand."""
        return covers(self.from_hand, self.to_hand, number)


class ToDo(NamedTuple):
    """What is to be done at a table: issues to settle, calls, hands that another side has to confirm."""

    issues: int
    calls: int
    unconfirmed: tuple[tuple[int, int | None], ...] = ()  # number, and the side that wrote it

    @property
    def unconfirmed_numbers(self) -> tuple[int, ...]:
        return tuple(number for number, _ in self.unconfirmed)


@dataclass(frozen=True, kw_only=True)
class TableNow:
    """A sitting as it is this moment.

    What the database keeps as JSON comes as text, and is read when it is asked for.
    """

    sitting_id: int
    sitting_uid: Any
    number: int
    token: str
    token_state: str
    mode_code: str
    options_json: str
    first_dealer: int
    dealt_before_json: str
    chosen_dealer: int | None
    chosen_after: int | None
    finished: bool
    started_at: datetime  # as the database has it, on SQLite without a zone: see ``heard_at``
    last_at: datetime | None
    session_json: str
    last_number: int
    undone_report: int | None  # of the coming hand, if it was there and was undone: see ``fold``
    next_dealer: int
    may_deal_json: str
    over: bool
    hands_standing: int
    games_over: int
    not_played: int
    open_conflicts: int
    side_points_json: str | None
    decided_side: int | None
    decided_by: str
    paced_until: float | None
    card_token: str | None
    card_code: str | None
    card_withdrawn: bool
    round_id: int
    round_number: int
    round_state: str
    hands: int | None
    games: int | None
    tournament_id: int
    tournament_name: str
    game_slug: str
    format: str
    confirm: str
    club_id: int
    stints: tuple[Stint, ...]
    read_to_do: ToDo | None = None  # where it was read: see ``to_do``
    short_names: Mapping[int, str] | None = None  # by player, on a page with more people

    # The rules --------------------------------------------------------------------------------

    @cached_property
    def game(self) -> AnyGame:
        return catalogue.GAMES[self.game_slug]

    @cached_property
    def options(self) -> Options:
        """Return the house rules the table opened with, as the game knows them today."""
        return self.game.resume_options(json.loads(self.options_json))

    @cached_property
    def mode(self) -> Mode:
        return self.game.mode(self.mode_code, self.options)

    # Sessions ---------------------------------------------------------------------------------

    @cached_property
    def saved(self) -> Mapping[str, Any]:
        """Return the stored session after the last hand."""
        session: Mapping[str, Any] = json.loads(self.session_json)
        return session

    @cached_property
    def dealt_before(self) -> tuple[int | None, ...]:
        """Return by place how long ago each had dealt when the table opened: see ``memory``."""
        return tuple(json.loads(self.dealt_before_json))

    def opening_session(self) -> Session:
        """Return the session before the first hand."""
        session: Session = self.game.open_session(
            self.mode, self.options, self.first_dealer, self.dealt_before
        )
        return session

    def resume_session(self, saved: Mapping[str, Any] | None = None) -> Session:
        """Return the session stored with a hand, or by default the one after the last hand."""
        session: Session = self.game.resume_session(
            self.mode, self.options, self.saved if saved is None else saved
        )
        return session

    def coming_session(self) -> Session:
        """Return the session before the coming hand, with the dealer the table chose, if any."""
        if self.chosen is None or "dealer" not in self.saved:
            return self.resume_session()
        return self.resume_session({**self.saved, "dealer": self.chosen})

    # Who deals --------------------------------------------------------------------------------

    @cached_property
    def may_deal(self) -> tuple[int, ...]:
        return tuple(json.loads(self.may_deal_json))

    @property
    def chosen(self) -> int | None:
        """Return who deals the coming hand by the table's own choice, if it made one."""
        return self.chosen_dealer if self.chosen_after == self.last_number else None

    @property
    def coming_dealer(self) -> int:
        """Return who deals the coming hand: the one the table chose, or the rules' own."""
        return self.next_dealer if self.chosen is None else self.chosen

    @property
    def dealer_place(self) -> int | None:
        """Return who deals the coming hand; ``None`` while the table's own draw is to decide it."""
        drawn = self.chosen is None and self.game.is_drawn(self.may_deal)
        return None if drawn else self.coming_dealer

    @property
    def dealer(self) -> str | None:
        """Return the name of who deals the coming hand; ``None`` while the cards are to say it."""
        return None if self.dealer_place is None else self.coming_names.at(self.dealer_place)

    @property
    def deal_says(self) -> str:
        """Return in words who deals the coming hand, or that cards decide it."""
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
                of="" if each.side is None else names.of(each.side),
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
    def open(self) -> bool:
        """Say whether its round is being played."""
        return self.round_state == RoundState.OPEN

    @property
    def done(self) -> bool:
        """Say whether no more results are expected: its round is whole, or was ended here."""
        return bool(self.finished) or self.progress.whole

    @property
    def coming_number(self) -> int:
        """Return the number of the coming hand."""
        return self.last_number + 1

    @property
    def begun(self) -> bool:
        """Say whether something of it was written down."""
        return self.last_number > 0

    @property
    def heard_at(self) -> datetime:
        """Return when the last hand came, or when the table began."""
        at = self.last_at or self.started_at
        return at if is_aware(at) else make_aware(at, UTC)

    def quiet_for(self, now: datetime) -> str:
        """Return for how long no result came, if that is long for a table that still plays."""
        quiet = self.open and not self.done and now - self.heard_at >= QUIET_AFTER
        return timesince(self.heard_at, now, depth=1) if quiet else ""

    @property
    def to_do(self) -> ToDo:
        """Return what is to be done there.

        :raises LookupError: if it was not read with the table.
        """
        if self.read_to_do is None:
            raise LookupError("read the table with to_do=True")
        return self.read_to_do

    @property
    def owes(self) -> bool:
        """Say whether its round should not be closed without a word about it."""
        progress = self.progress
        to_do = self.to_do
        return bool(progress.owed or progress.level or to_do.issues or to_do.unconfirmed)

    @property
    def waits(self) -> bool:
        """Say whether the organiser waits for it; for a table without a set length, too."""
        return not self.done or bool(self.to_do.issues or self.to_do.unconfirmed)

    @property
    def undecided(self) -> bool:
        """Say whether it is a level match in which one more hand decides, or the organiser."""
        return self.progress.one_more or (self.progress.level and not self.open)

    @property
    def short(self) -> int:
        """Return how many results never came before the round was closed."""
        return 0 if self.open else self.progress.owed

    @cached_property
    def side_points(self) -> tuple[int, ...] | None:
        """Return what each side of a match of a bracket has; ``None`` of other tables."""
        kept = json.loads(self.side_points_json or "null")
        return None if kept is None else tuple(kept)

    @property
    def match_points(self) -> Criterion:
        """Return what decides a match at this table."""
        return self.game.match_points(self.options, in_games=self.games is not None)

    def side_points_of(self, hands: Iterable[_Marks | None]) -> tuple[int, ...]:
        """Return what each side has of these hands, by their marks, as a match counts it."""
        points, sums = self.match_points, [0] * len(self.mode.sides)
        sign = -points.parts if points.fewest else points.parts
        for marks in filter(None, hands):
            for side, places in enumerate(self.mode.sides):
                own = side_marks(marks, places, self.game.seat_scoped)
                sums[side] += int(sign * points.value(own))
        return tuple(sums)

    def side_points_after(self, marks: _Marks | None) -> tuple[int, ...] | None:
        """Return what the sides of a match have after one more hand; ``None`` of other tables."""
        if self.side_points is None:
            return None
        return tuple(map(add, self.side_points, self.side_points_of([marks])))

    @property
    def running_says(self) -> str:
        """Return the state of the running game; empty if rounds are not counted in games."""
        if self.games is None or self.done or self.progress.one_more:
            return ""
        session = self.resume_session()
        note = None if session.over else self.game.notes(session).table  # of the game before
        said = say(note, NAMELESS) if note else ""
        parts = (game_says(self, self.games_over), self.numbered(self.coming_number), said)
        return " · ".join(filter(None, parts))

    @property
    def match_says(self) -> str:
        """Return a bracket match's score in words, once it may be over; empty for other tables."""
        points, progress = self.side_points, self.progress
        if points is None or (self.open and not (progress.whole or progress.one_more)):
            return ""
        score = score_of(points, self.match_points)
        if progress.one_more and self.open:
            one = self.one if self.games is None else gettext("game")
            return gettext("%(score)s: one more %(one)s decides.") % {"score": score, "one": one}
        if progress.level:
            return gettext("%(score)s: still to be decided.") % {"score": score}
        sides = self.coming_names.sides
        if self.decided_side is not None:
            return decided_says(self.decided_by) % {"score": score, "who": sides[self.decided_side]}
        won = sorted(points, reverse=True)
        words = {"score": score_of(won, self.match_points), "who": sides[points.index(won[0])]}
        return gettext("Won %(score)s: %(who)s") % words

    def level(self, side_points: Sequence[int] | None) -> bool:
        """Say whether the match would be undecided with these points."""
        return is_level(side_points, self.decided_side)

    @property
    def never_played(self) -> ResultType:
        """Return the result type of this round for a result that was not played."""
        return ResultType.NOT_PLAYED if self.games is None else ResultType.GAME_NOT_PLAYED

    @property
    def closed(self) -> bool:
        """Say whether reports come too late here."""
        ended = self.round_state in {RoundState.CLOSED, RoundState.UNDONE}
        return ended or self.token_state != TokenState.OPEN

    @property
    def withdrawn(self) -> bool:
        """Say whether the table's address opens nothing any more."""
        return self.token_state == TokenState.REVOKED

    @property
    def needs_both(self) -> bool:
        """Say whether another side has to agree with what one reports."""
        return self.confirm == Confirm.BOTH

    @property
    def tallied(self) -> bool:
        """Say whether its hands count: those of an undone round do not."""
        return self.round_state != RoundState.UNDONE

    # Who sits there ---------------------------------------------------------------------------

    def during(self, number: int) -> Iterator[Stint]:
        """Yield the stints that include this hand."""
        return (stint for stint in self.stints if stint.covers(number))

    @property
    def people(self) -> list[tuple[int, str]]:
        """Return who plays the coming hand, by player and whole name."""
        return [(each.player_id, each.name) for each in self.during(self.coming_number)]

    @property
    def opening_stints(self) -> tuple[Stint, ...]:
        """Return by place who sat down first."""
        return tuple(
            {stint.place: stint for stint in reversed(self.stints)}[place]
            for place in range(self.mode.seats)
        )

    @property
    def partners_change(self) -> bool:
        """Return whether players score for themselves and change partners from round to round."""
        return self.format == Format.PLAYERS and not self.mode.individual

    def seat_of(self, player_id: int) -> Stint | None:
        """Return where a player sits now, ``None`` where they do not or the table takes nothing."""
        if self.token_state == TokenState.CLOSED:
            return None
        own = (s for s in self.stints if s.player_id == player_id and s.to_hand is None)
        return next(own, None)

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
        """Return the names of those who play the coming hand."""
        return self.names_at(self.coming_number)

    @property
    def full_names(self) -> Names:
        """Return the whole names of those who sit there now."""
        return self._names(
            {stint.place: stint.name for stint in self.stints if stint.to_hand is None}
        )

    def _names(self, called: Mapping[int, str]) -> Names:
        places = range(self.mode.seats)
        return names_of(self.mode, [called.get(place) or gettext("nobody") for place in places])

    # What pages say ---------------------------------------------------------------------------

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
    def uid(self) -> UUID:
        return UUID(str(self.sitting_uid))

    @property
    def log_keys(self) -> dict[str, Any]:
        """Return what every log entry about this table names: see ``audit_log.log``."""
        return {
            "club_id": self.club_id,
            "tournament": self.tournament_id,
            "sitting": self.sitting_id,
        }

    @property
    def one(self) -> str:
        """Return what a hand is called at this table, within a sentence."""
        return gettext(self.game.unit.one)

    def numbered(self, number: int) -> str:
        """Return what the table calls this hand: "Hand 5"."""
        return gettext(self.game.unit.numbered) % {"number": number}

    def numbered_of(self, number: int) -> str:
        """Return what the table calls this hand, and of how many it is one: "Hand 5 of 8".

        Where some were taken back the numbers go beyond, and it is one of no such many.
        """
        if self.hands is None or number > self.hands:
            return self.numbered(number)
        return gettext(self.game.unit.numbered_of) % {"number": number, "all": self.hands}

    @property
    def hand_called(self) -> str:
        """Return what the coming hand is called, or the last one if no more come."""
        return self.numbered_of(self.last_number + (not self.finished))

    def may_have_next(self, number: int) -> bool:
        """Say whether this round may have another hand after this number."""
        if number <= self.last_number or self.hands is None or self.side_points is not None:
            return not self.finished
        return self.progress.owed > 1

    def which_hand_question(self, number: int) -> str:
        """Return the question whether a sheet is for this hand, or for the next if one may follow."""
        next_too = gettext("Is this %(one)s %(number)d, or the next?")
        words = next_too if self.may_have_next(number) else gettext("Is this %(one)s %(number)d?")
        return words % {"one": self.one, "number": number}

    @property
    def spaced_code(self) -> str:
        return spaced(self.card_code or "")

    def get_absolute_url(self) -> str:
        return reverse("table", args=[self.token])
