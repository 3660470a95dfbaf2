"""A sitting as it is under its lock, with what its round, tournament and seats say of it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from games import catalogue
from games.game import AnyGame, Options, Session
from games.mode import Mode
from tracker.models import RoundState, TokenState


@dataclass(frozen=True, slots=True)
class Stint:
    """Somebody at a place, from one hand to another; ``to_hand`` is ``None`` while they stay."""

    seat_id: int
    place: int
    side: int
    entrant_id: int
    from_hand: int
    to_hand: int | None


@dataclass(frozen=True, kw_only=True)
class TableNow:
    """A sitting under its lock, with what its round, tournament and seats say of it."""

    sitting_id: int
    round_id: int
    mode_code: str
    options: Options
    token_state: str
    first_dealer: int
    dealt_before: tuple[int | None, ...]
    chosen_dealer: int | None
    chosen_after: int | None
    finished: bool
    saved: Mapping[str, Any]  # the session after the last hand
    last_number: int
    next_dealer: int
    may_deal: tuple[int, ...]
    over: bool
    games_over: int
    open_conflicts: int
    round_state: str
    hands: int | None
    games: int | None
    tournament_id: int
    game: str
    club_id: int
    stints: tuple[Stint, ...]

    @property
    def closed(self) -> bool:
        """Say whether reports come too late here."""
        return self.token_state != TokenState.OPEN or self.round_state in {
            RoundState.CLOSED,
            RoundState.UNDONE,
        }

    @property
    def tallied(self) -> bool:
        """Say whether its hands count: those of an undone round do not."""
        return self.round_state != RoundState.UNDONE

    @property
    def coming_dealer(self) -> int:
        """Return who deals the coming hand: the one the table chose, or the rules' own."""
        if self.chosen_dealer is not None and self.chosen_after == self.last_number:
            return self.chosen_dealer
        return self.next_dealer

    @cached_property
    def rules(self) -> AnyGame:
        return catalogue.GAMES[self.game]

    @cached_property
    def house(self) -> Options:
        """Return the house rules, also those the game has learnt since the table opened."""
        return self.rules.resume_options(self.options)

    @cached_property
    def mode(self) -> Mode:
        return self.rules.mode(self.mode_code, self.house)

    def open_session(self) -> Session:
        """Return the session before the first hand."""
        session: Session = self.rules.open_session(
            self.mode, self.house, self.first_dealer, self.dealt_before
        )
        return session

    def resume_session(self) -> Session:
        """Return the session after the last hand, without a look at the hands before."""
        session: Session = self.rules.resume_session(self.mode, self.house, self.saved)
        return session


def table_now(sitting: Sequence[Any], about: Sequence[Sequence[Any]]) -> TableNow:
    """Return the sitting of one row, and of one row more for each of its seats."""
    return TableNow(
        sitting_id=sitting[0],
        round_id=sitting[1],
        mode_code=sitting[2],
        options=json.loads(sitting[3]),
        token_state=sitting[4],
        first_dealer=sitting[5],
        dealt_before=tuple(json.loads(sitting[6])),
        chosen_dealer=sitting[7],
        chosen_after=sitting[8],
        finished=bool(sitting[9]),
        saved=json.loads(sitting[10]),
        last_number=sitting[11],
        next_dealer=sitting[12],
        may_deal=tuple(json.loads(sitting[13])),
        over=bool(sitting[14]),
        games_over=sitting[15],
        open_conflicts=sitting[16],
        round_state=about[0][0],
        hands=about[0][1],
        games=about[0][2],
        tournament_id=about[0][3],
        game=about[0][4],
        club_id=about[0][5],
        stints=tuple(Stint(*row[6:]) for row in about),
    )
