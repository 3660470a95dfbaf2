"""Playing a hand for practice against bots. Nothing of it is stored: each move makes a new hand."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from games import catalogue
from games.errors import gettext_noop
from games.game import AnyGame, FirstDealer, Options
from games.play.playing import Budget, IllegalMoveError
from games.records.format import plain
from games.sheet import Sheet
from tracker.practice.state import ME, REMEMBERED, Practised, Replayed, replay

STRENGTHS = ("beginner", "steady", "strong")
_QUICK, _ABLE = "steady", "strong"
_A_MOVE = 0.15  # seconds a bot may think at most
_ALTOGETHER = 0.9  # seconds for all that bots do between two of one's own moves
_SHARE = 6  # the part of what is left of it that one move may take
_HURRY = 0.06  # with less left than this, nobody thinks long any more

Clock = Callable[[], float]


def strengths(game: AnyGame) -> tuple[str, ...]:
    """Return how well bots can play this game, the best last."""
    bots = game.play.bots if game.play else {}
    return tuple(strength for strength in STRENGTHS if strength in bots)


def deal_hand(
    *, game: str, mode: str, options: Options, strength: str, name: str, seed: int, clock: Clock
) -> Practised:
    """Sit somebody down with bots and deal; they move until it is his turn.

    :raises RuleError: if the game is not played like this.
    """
    rules = catalogue.GAMES[game]
    complete = rules.complete_options(options)
    seated = rules.mode(mode, complete)
    drawn = rules.first_dealer is FirstDealer.DRAWN
    dealer = 0 if drawn else Random(seed).randrange(seated.seats)
    session = rules.open_session(seated, complete, dealer, (None,) * seated.seats)
    hand = Practised(
        game=game,
        mode=mode,
        options=complete,
        session=rules.save_session(session),
        seed=seed,
        strength=strength,
        name=name,
        sums=tuple({mark.key: 0 for mark in rules.marks} for _ in range(seated.seats)),
        first_dealer=dealer,
        before=(),
    )
    return _bots_move(replay(hand), clock)


def make_move(*, replayed: Replayed, code: str, clock: Clock) -> Practised:
    """Return the hand after one's own move, and those of the bots that follow it.

    :raises IllegalMoveError: if the rules refuse the move.
    """
    if replayed.to_move != ME:
        raise IllegalMoveError("hand-over", gettext_noop("It is not your turn."))
    move = replayed.play.parse_move(code)
    return _bots_move(_after(replayed, ME, move), clock)


def next_hand(*, replayed: Replayed, seed: int, clock: Clock) -> Practised:
    """Return the next hand of the same table; before the end, the same hand.

    The session goes on as it would after the sheet of this hand.
    """
    hand, game = replayed.hand, replayed.game
    if replayed.to_move is not None:
        return hand
    scored = game.add_sheet(replayed.session, replayed.play.fill_sheet(replayed.state))
    sums = tuple(
        {key: before[key] + marks[key] for key in before}
        for before, marks in zip(hand.sums, scored.marks or (), strict=True)
    )
    following = replace(
        hand,
        session=game.save_session(scored.session),
        seed=seed,
        number=hand.number + 1,
        sums=sums,
        before=_remembered(hand.before, scored.sheet),
        codes=(),
    )
    return _bots_move(replay(following), clock)


def _remembered(before: Sequence[Sheet] | None, sheet: Sheet) -> Sequence[Sheet] | None:
    """Return the sheets with one more, ``None`` if that is one too many."""
    if before is None or len(before) == REMEMBERED:
        return None
    return *before, plain(sheet)


def hint(replayed: Replayed) -> str | None:
    """Return the code of what a strong player would do now; ``None`` when it is not one's turn."""
    if replayed.to_move != ME:
        return None
    view = replayed.play.view(replayed.state, ME)
    bot = replayed.play.bots[strengths(replayed.game)[-1]]
    move = bot(view, _dice(replayed), Budget(seconds=_A_MOVE))
    return replayed.play.move_code(move)


def _bots_move(replayed: Replayed, clock: Clock) -> Practised:
    """Let the bots move until it is one's own turn, or the hand is over."""
    play = replayed.play
    until = clock() + _ALTOGETHER
    while (seat := replayed.to_move) not in {ME, None}:
        left = until - clock()
        hurried = left < _HURRY and replayed.hand.strength == _ABLE
        bot = play.bots[_QUICK if hurried else replayed.hand.strength]
        budget = Budget(seconds=max(min(_A_MOVE, left / _SHARE), 0.001))
        move = bot(play.view(replayed.state, seat), _dice(replayed), budget)
        replayed = _after(replayed, seat, move)
    return replayed.hand


def _after(replayed: Replayed, seat: int | None, move: Any) -> Replayed:
    code = replayed.play.move_code(move)
    return replace(
        replayed,
        hand=replace(replayed.hand, codes=(*replayed.hand.codes, code)),
        states=(*replayed.states, replayed.play.play(replayed.state, move)),
        moves=(*replayed.moves, (seat, move)),
    )


def _dice(replayed: Replayed) -> Random:
    """Return dice that fall the same whenever this position is asked about."""
    return Random(f"{replayed.hand.seed}/{len(replayed.moves)}")
