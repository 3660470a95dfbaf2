"""One sitting as the database stores it: its columns with the round, the rules and the stints.

A *sitting*, here also called the table, is the people around one table in one round. A *place* is a
chair at it, numbered from 0 in the direction of play; a *side* is the places that score together.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Any, NamedTuple
from uuid import UUID

from django.urls import reverse

from games import catalogue
from games.game import AnyGame, Session
from games.mode import Mode
from games.option import Options
from tracker.models import Confirm, Format, ResultType, RoundState, TokenState
from tracker.models.sittings import spaced
from tracker.models.stints import covers


class Stint(NamedTuple):
    """One player at one place, from one hand to another."""

    seat_id: int
    place: int
    side: int
    entrant_id: int  # the player or team for which the player scores
    player_id: int
    name: str
    erased: bool  # whether the name was removed
    from_hand: int
    to_hand: int | None  # ``None`` while the player stays

    def covers(self, number: int) -> bool:
        return covers(self.from_hand, self.to_hand, number)


@lru_cache(maxsize=64)
def _rules(game_slug: str, options_json: str, mode_code: str) -> tuple[Options, Mode]:
    """Return the house rules and the mode of a table, which most tables of a round share."""
    game = catalogue.GAMES[game_slug]
    options = game.resume_options(json.loads(options_json))
    return options, game.mode(mode_code, options)


@dataclass(frozen=True, kw_only=True)
class TableRow:
    """A sitting with its round, tournament and stints.

    Columns of JSON are text until they are used. Moments are as the database returns them: on
    SQLite without a time zone. Dealers are places.
    """

    sitting_id: int
    sitting_uid: Any
    number: int  # of the table in the hall
    token: str  # the secret in the table page's URL
    token_state: str  # a ``TokenState``: open, closed with the round, or revoked (*withdrawn*)
    mode_code: str  # of the game's ``Mode``: how many players sit there, in which sides
    options_json: str
    first_dealer: int  # the place that deals the first hand
    dealt_before_json: str
    # The dealer that the people at the table chose, and the hand after which they did.
    chosen_dealer: int | None
    chosen_after: int | None
    finished: bool  # all results came, or the round was closed
    started_at: datetime
    last_at: datetime | None  # when the last hand was reported
    last_number: int  # of the last hand; 0 if none was reported
    session_json: str
    undone_report: int | None  # key of the report of the hand after the last one, if it was undone
    next_dealer: int
    may_deal_json: str
    over: bool  # the running game (such as a match of several hands) has ended
    # How many hands are not struck, games have ended, and hands or games were not played.
    hands_standing: int
    games_over: int
    not_played: int
    open_conflicts: int  # two different reports of one hand
    side_points_json: str | None
    decided_side: int | None  # the winner of a level match that was decided without another hand
    decided_by: str  # a ``DecidedBy``, or empty
    paced_until: float | None  # the rate limit of reports: see ``writing.paced_until``
    # The table's card with the QR code.
    card_token: str | None
    card_code: str | None
    card_withdrawn: bool
    round_id: int
    round_number: int
    round_state: str
    # How many hands or games the round has at each table; both ``None`` if it has no set end.
    hands: int | None
    games: int | None
    tournament_id: int
    tournament_name: str
    game_slug: str
    format: str
    confirm: str
    club_id: int
    stints: tuple[Stint, ...]  # in the order of their places and first hands

    # The rules --------------------------------------------------------------------------------

    @cached_property
    def game(self) -> AnyGame:
        return catalogue.GAMES[self.game_slug]

    @property
    def options(self) -> Options:
        """Return the house rules the table opened with, as the game knows them today."""
        return _rules(self.game_slug, self.options_json, self.mode_code)[0]

    @property
    def mode(self) -> Mode:
        return _rules(self.game_slug, self.options_json, self.mode_code)[1]

    # Sessions ---------------------------------------------------------------------------------

    @cached_property
    def stored_session(self) -> Mapping[str, Any]:
        session: Mapping[str, Any] = json.loads(self.session_json)
        return session

    @cached_property
    def dealt_before(self) -> tuple[int | None, ...]:
        """Return by place when each player last dealt: see ``dealing_history.DealtBefore``."""
        return tuple(json.loads(self.dealt_before_json))

    def opening_session(self) -> Session:
        session: Session = self.game.open_session(
            self.mode, self.options, self.first_dealer, self.dealt_before
        )
        return session

    def resume_session(self, stored: Mapping[str, Any] | None = None) -> Session:
        """Return the session stored with a hand, or by default the one after the last hand."""
        session: Session = self.game.resume_session(
            self.mode, self.options, self.stored_session if stored is None else stored
        )
        return session

    # The state --------------------------------------------------------------------------------

    @cached_property
    def may_deal(self) -> tuple[int, ...]:
        """Return the places that may deal the coming hand by the rules."""
        return tuple(json.loads(self.may_deal_json))

    @property
    def chosen(self) -> int | None:
        """Return the place that the table chose to deal the coming hand, if it did."""
        return self.chosen_dealer if self.chosen_after == self.last_number else None

    @cached_property
    def side_points(self) -> tuple[int, ...] | None:
        """Return the points of each side of a bracket match; ``None`` for other tables."""
        points = json.loads(self.side_points_json or "null")
        return None if points is None else tuple(points)

    @property
    def coming_number(self) -> int:
        return self.last_number + 1

    @property
    def begun(self) -> bool:
        """Return whether a hand was reported."""
        return self.last_number > 0

    @property
    def open(self) -> bool:
        """Return whether the sitting's round is being played."""
        return self.round_state == RoundState.OPEN

    @property
    def takes_reports(self) -> bool:
        """Return whether reports are accepted: both the round and the token are open."""
        return self.open and self.token_state == TokenState.OPEN

    @property
    def withdrawn(self) -> bool:
        """Return whether the table page's URL was withdrawn."""
        return self.token_state == TokenState.REVOKED

    @property
    def needs_both(self) -> bool:
        """Return whether another side has to confirm what one side reports."""
        return self.confirm == Confirm.BOTH

    @property
    def tallied(self) -> bool:
        """Return whether the hands are in the tallies: those of an undone round are not."""
        return self.round_state != RoundState.UNDONE

    @property
    def not_played_type(self) -> ResultType:
        """Return the result type of a hand that was not played; of a game, if these are counted."""
        return ResultType.NOT_PLAYED if self.games is None else ResultType.GAME_NOT_PLAYED

    @property
    def partners_change(self) -> bool:
        """Return whether players score for themselves and change partners from round to round."""
        return self.format == Format.PLAYERS and not self.mode.individual

    # The stints -------------------------------------------------------------------------------

    def during(self, number: int) -> Iterator[Stint]:
        """Yield the stints that include this hand."""
        return (stint for stint in self.stints if stint.covers(number))

    @property
    def opening_stints(self) -> tuple[Stint, ...]:
        """Return the first stint at each place."""
        # Of several stints at a place the dict keeps the last: in reversed order the earliest.
        first_stints = {stint.place: stint for stint in reversed(self.stints)}
        return tuple(first_stints[place] for place in range(self.mode.seats))

    def present_stint(self, player_id: int) -> Stint | None:
        """Return the present stint of a player, if any; ``None`` once the token is closed."""
        if self.token_state == TokenState.CLOSED:
            return None
        present = (stint for stint in self.stints if stint.to_hand is None)
        return next((stint for stint in present if stint.player_id == player_id), None)

    # Keys and URLs ----------------------------------------------------------------------------

    @property
    def uid(self) -> UUID:
        return UUID(str(self.sitting_uid))

    @property
    def log_keys(self) -> dict[str, Any]:
        """Return what every log entry about this table names: see ``audit_log.log``."""
        tournament, sitting = self.tournament_id, self.sitting_id
        return {"club_id": self.club_id, "tournament": tournament, "sitting": sitting}

    @property
    def spaced_code(self) -> str:
        return spaced(self.card_code or "")

    def get_absolute_url(self) -> str:
        return reverse("table", args=[self.token])
