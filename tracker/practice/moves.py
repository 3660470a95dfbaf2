"""Moves at the practice table, where one person plays bots: deal, move, deal the next hand.

Nothing is stored: each function returns a new hand.
"""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from games import catalogue
from games.errors import gettext_noop
from games.game import FirstDealer
from games.option import Options
from games.play.playing import Budget, IllegalMoveError, Step
from games.play.worth_knowing import worth_knowing
from games.sheet import plain
from games.wording import Text
from tracker.practice.state import (
    ME,
    REMEMBERED,
    PracticeHand,
    PracticeTable,
    replay_hand,
    seat_draw,
)

STRENGTHS = ("beginner", "steady", "strong")  # of bots, the best last
# How long bots may think: all of them between two moves of the person, and one of them at most.
_SECONDS_A_TURN = 0.9
_SECONDS_A_MOVE = 0.15
_MOVES_AHEAD = 6  # one move may take a sixth of the time that remains for all of them
_HURRY = 0.06  # seconds; with less time remaining, strong bots play like steady ones
_LEAST_BUDGET = 0.001  # seconds, however late it is

Clock = Callable[[], float]  # returns seconds


def deal_hand(
    *, game: str, mode: str, options: Options, strength: str, name: str, seed: int, clock: Clock
) -> PracticeHand:
    """Seat a person with bots and deal; the bots move until it is the person's turn.

    :raises RuleError: if the game has no such mode or options.
    """
    rules = catalogue.GAMES[game]
    all_options = rules.complete_options(options)
    table_mode = rules.mode(mode, all_options)
    # Where cards drawn in the hand itself decide who deals, seat 0 is the dealer until then.
    cards_decide = rules.first_dealer is FirstDealer.DRAWN
    dealer = 0 if cards_decide else Random(seed).randrange(table_mode.seats)
    dealt_before = (None,) * table_mode.seats  # nobody has dealt at another table
    session = rules.open_session(table_mode, all_options, dealer, dealt_before)
    draw = seat_draw(rules, table_mode, all_options, seed)
    places = draw.places if draw else ()
    own_seat = places.index(ME) if places else 0
    hand = PracticeHand(
        game=game,
        mode=mode,
        options=all_options,
        session=rules.save_session(session),
        seed=seed,
        strength=strength,
        name=name,
        sums=tuple({mark.key: 0 for mark in rules.marks} for _ in range(table_mode.seats)),
        first_dealer=dealer,
        earlier_sheets=(),
        # Rotated so that the person has seat 0.
        drawn=places[own_seat:] + places[:own_seat],
    )
    return _move_bots(replay_hand(hand), clock)


def make_move(*, table: PracticeTable, code: str, clock: Clock) -> PracticeHand:
    """Return the hand after the person's move and the bots' moves that follow it.

    :raises IllegalMoveError: if the rules refuse the move, or it is another seat's turn.
    """
    if table.to_move != ME:
        raise IllegalMoveError("hand-over", gettext_noop("It is not your turn."))
    return _move_bots(_after_move(table, ME, table.play.parse_move(code)), clock)


def next_hand(
    *, table: PracticeTable, seed: int, clock: Clock, dealer: int | None = None
) -> PracticeHand:
    """Deal the next hand of the same table; return the same hand if it is not over.

    *dealer* is the seat that deals, if the person's side may choose.
    """
    hand, game = table.hand, table.game
    if table.to_move is not None:
        return hand
    scored = game.add_sheet(table.session, table.play.fill_sheet(table.state))
    session = scored.session
    if ME in session.may_deal and dealer in session.may_deal:
        session = replace(session, dealer=dealer)
    sheets = hand.earlier_sheets  # ``None`` once there are too many for the URL
    if sheets is not None:
        sheets = None if len(sheets) == REMEMBERED else (*sheets, plain(scored.sheet))
    following = replace(
        hand,
        session=game.save_session(session),
        seed=seed,
        number=hand.number + 1,
        sums=hand.sums_after(scored.marks),
        earlier_sheets=sheets,
        codes=(),
    )
    return _move_bots(replay_hand(following), clock)


def hint(table: PracticeTable) -> str | None:
    """Return the code of a strong bot's move; ``None`` if it is not the person's turn."""
    if table.to_move != ME:
        return None
    play = table.play
    best = next(strength for strength in reversed(STRENGTHS) if strength in play.bots)
    move = play.bots[best](play.view(table.state, ME), _rng(table), Budget(seconds=_SECONDS_A_MOVE))
    return play.move_code(move)


def closer_look(table: PracticeTable) -> Text | None:
    """Return a strong bot's comment on the person's moves in a finished hand, if there is one."""
    if table.to_move is not None:
        return None
    return worth_knowing(table.play, table.steps, ME, Random(table.hand.seed))


def _move_bots(table: PracticeTable, clock: Clock) -> PracticeHand:
    """Let the bots move until it is the person's turn or the hand is over."""
    play = table.play
    deadline = clock() + _SECONDS_A_TURN
    while (seat := table.to_move) not in {ME, None}:
        remaining = deadline - clock()
        hurried = remaining < _HURRY and table.hand.strength == "strong"
        bot = play.bots["steady" if hurried else table.hand.strength]
        budget = Budget(seconds=max(min(_SECONDS_A_MOVE, remaining / _MOVES_AHEAD), _LEAST_BUDGET))
        move = bot(play.view(table.state, seat), _rng(table), budget)
        table = _after_move(table, seat, move)
    return table.hand


def _after_move(table: PracticeTable, seat: int, move: Any) -> PracticeTable:
    step = Step(table.state, seat, move, table.play.play(table.state, move))
    hand = replace(table.hand, codes=(*table.hand.codes, table.play.move_code(move)))
    return replace(table, hand=hand, steps=(*table.steps, step))


def _rng(table: PracticeTable) -> Random:
    """Return a generator seeded by hand and position: the same bot makes the same move again."""
    return Random(f"{table.hand.seed}/{len(table.steps)}")
