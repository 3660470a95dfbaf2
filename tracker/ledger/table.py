"""Current state of a table: its sitting, with the round, the rules and the players.

One value, whether it is read for a page or locked for a change: see ``statements``.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import add
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext

from games import catalogue
from games.game import AnyGame, Session
from games.mode import Mode
from games.option import Options
from games.sheet import Criterion, side_marks
from tracker.common.names import short_names
from tracker.common.wording import Names, names_of
from tracker.ledger.matches import match_says
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
from tracker.models.stints import covers

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
    round_id: int
    round_number: int
    round_state: str
    hands: int | None
    games: int | None
    tournament_id: int
    game_slug: str
    format: str
    confirm: str
    club_id: int
    stints: tuple[Stint, ...]

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
    def short(self) -> int:
        """Return how many results never came before the round was closed."""
        return 0 if self.round_state == RoundState.OPEN else self.progress.owed

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

    def add_points(
        self, side_points: tuple[int, ...] | None, marks: _Marks | None
    ) -> tuple[int, ...] | None:
        """Return what the sides of a match have after one more hand; ``None`` of other tables."""
        if side_points is None:
            return None
        return tuple(map(add, side_points, self.side_points_of([marks])))

    @property
    def match_says(self) -> str:
        """Return a bracket match's score in words, once it may be over; empty for other tables."""
        return match_says(
            self,
            self.match_points,
            sides=self.coming_names.sides,
            progress=self.progress,
            over=self.closed,
            one=self.one if self.games is None else gettext("game"),
        )

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

    def names_at(self, number: int, called: Mapping[int, str] | None = None) -> Names:
        """Return the names of those who played this hand, as short as tells them apart.

        *called* names people by player where a page has more of them than this table.
        """
        people = {stint.place: stint for stint in self.during(number)}
        if called is not None:
            return self._names(
                {place: called.get(s.player_id, s.name) for place, s in people.items()}
            )
        # The first word of "A former player" would say nothing.
        known = {place: stint.name for place, stint in people.items() if not stint.erased}
        return self._names(
            {place: stint.name for place, stint in people.items()} | short_names(known)
        )

    @cached_property
    def coming_names(self) -> Names:
        """Return the names of those who play the coming hand."""
        return self.names_at(self.last_number + 1)

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

    def get_absolute_url(self) -> str:
        return reverse("table", args=[self.token])
