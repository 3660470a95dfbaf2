"""Replayer: a written hand played again, every state of it, or the first that cannot have been."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from games import catalogue
from games.errors import RuleError, gettext_noop
from games.game import AnyGame
from games.play.playing import AnyPlay, Step
from games.records.format import Record, RecordedMove, RecordError
from games.sheet import VOID, Sheet, plain
from games.wording import AtSeat, Text


class MoveError(RecordError):
    """The first move of a record that cannot be made there: ``number`` counts from 1."""

    def __init__(self, code: str, template: str, /, *, number: int, **params: Any) -> None:
        super().__init__(code, template, number=number, **params)
        self.number = number


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """A hand played again. ``session`` is what it was dealt in; ``states`` begin with the deal.

    ``sheet`` is what it leaves, ``None`` while it is unfinished.
    """

    game: AnyGame
    play: AnyPlay
    session: Any
    states: tuple[Any, ...]
    steps: tuple[Step, ...]
    sheet: Sheet | None


def replay(record: Record) -> Replay:
    """Play a written hand again, move by move.

    :raises MoveError: at the first move that is not allowed, or is not its seat's.
    :raises RecordError: if there can be no such table, pack or result.
    """
    game, play = _game(record)
    session = _session(game, record)
    _check_packs(play, session, record)
    state = play.deal(session, record.packs)
    steps = tuple(_steps(play, state, record.moves))
    states = (state, *(step.after for step in steps))
    over = play.seat_to_move(states[-1]) is None
    sheet = plain(play.fill_sheet(states[-1])) if over else None
    _check_result(record.sheet, sheet)
    if sheet is not None:
        game.add_sheet(session, sheet)
    return Replay(game=game, play=play, session=session, states=states, steps=steps, sheet=sheet)


def narrate(replayed: Replay) -> tuple[Text, ...]:
    """Return what the whole table saw happen at every move."""
    return tuple(replayed.play.describe_move(step.before, step.move) for step in replayed.steps)


def with_steps(record: Record, play: AnyPlay, steps: Sequence[Step], end: Any) -> Record:
    """Return the record with these moves, and the sheet of *end* if the hand is over there."""
    moves = tuple(RecordedMove(step.seat, play.move_code(step.move)) for step in steps)
    over = play.seat_to_move(end) is None
    return replace(record, moves=moves, sheet=plain(play.fill_sheet(end)) if over else None)


def _game(record: Record) -> tuple[AnyGame, AnyPlay]:
    game = catalogue.GAMES.get(record.game)
    if game is None:
        raise RecordError(
            "game-unknown",
            gettext_noop("There is no game “%(game)s” here. There are: %(known)s."),
            game=record.game,
            known=", ".join(catalogue.GAMES),
        )
    if game.play is None:
        raise RecordError(
            "not-played",
            gettext_noop("%(game)s is not played here: only its sheets are scored."),
            game=game.name,
        )
    return game, game.play


def _session(game: AnyGame, record: Record) -> Any:
    """Return the session after the hands before, with the dealer of this one."""
    options = game.complete_options(record.options)
    mode = game.mode(record.mode, options)
    if len(record.players) not in {0, mode.seats}:
        raise RecordError(
            "players",
            gettext_noop("There are %(seats)d seats at this table, but names for %(given)d."),
            seats=mode.seats,
            given=len(record.players),
        )
    if record.first_dealer not in range(mode.seats):
        raise RecordError(
            "seat-unknown",
            gettext_noop("There is no seat %(seat)d at this table: the seats are 0 to %(last)d."),
            seat=record.first_dealer,
            last=mode.seats - 1,
        )
    if len(record.dealt_before) not in {0, mode.seats}:
        raise RecordError(
            "dealt-before",
            gettext_noop("“dealt-before” is needed for each of %(seats)d seats, or not at all."),
            seats=mode.seats,
        )
    before = record.dealt_before or (None,) * mode.seats
    session = game.open_session(mode, options, record.first_dealer, before)
    for number, sheet in enumerate(record.before, start=1):
        try:
            session = game.add_sheet(session, sheet).session
        except RuleError as error:
            raise RecordError(
                "before",
                gettext_noop("Hand %(number)d before this one: %(reason)s"),
                number=number,
                reason=error,
            ) from error
    # A void hand can be dealt by whoever may deal at all; a dealer out of turn is a fact (S2).
    game.add_sheet(session, {"bare": VOID, "dealer": record.dealer})
    return replace(session, dealer=record.dealer)


def _check_packs(play: AnyPlay, session: Any, record: Record) -> None:
    shuffles = play.shuffles(session)
    if len(record.packs) != shuffles:
        raise RecordError(
            "packs",
            gettext_noop("This hand is dealt from %(needed)d shuffled packs, not %(given)d."),
            needed=shuffles,
            given=len(record.packs),
        )
    whole = Counter(play.pack(session))
    for number, pack in enumerate(record.packs, start=1):
        order = Counter(pack)
        if order != whole:
            raise RecordError(
                "pack",
                gettext_noop(
                    "Pack %(number)d is not the pack of this game: "
                    "missing are %(missing)s, too many %(extra)s."
                ),
                number=number,
                missing=" ".join((whole - order).elements()) or "–",
                extra=" ".join((order - whole).elements()) or "–",
            )


def _steps(play: AnyPlay, state: Any, moves: Sequence[RecordedMove]) -> Iterator[Step]:
    for number, recorded in enumerate(moves, start=1):
        seat = play.seat_to_move(state)
        if seat is None:
            raise MoveError(
                "after-the-end",
                gettext_noop("Move %(number)d, %(move)s: the hand is over by then; leave it out."),
                number=number,
                move=recorded.code,
            )
        if seat != recorded.seat:
            raise MoveError(
                "not-its-turn",
                gettext_noop("Move %(number)d, %(move)s: it is %(who)s’s turn."),
                number=number,
                move=recorded.code,
                who=AtSeat(seat),
            )
        try:
            move = play.parse_move(recorded.code)
            after = play.play(state, move)
        except RuleError as error:
            raise MoveError(
                error.code,
                gettext_noop("Move %(number)d, %(move)s: %(reason)s"),
                number=number,
                move=recorded.code,
                reason=error,
            ) from error
        yield Step(state, seat, move, after)
        state = after


def _check_result(written: Sheet | None, left: Sheet | None) -> None:
    if written == left:
        return
    if written is None:
        raise RecordError("result-missing", gettext_noop("The hand is over: write its result."))
    if left is None:
        raise RecordError("result-early", gettext_noop("Not over yet: write “result unfinished”."))
    nothing = "nothing"  # an answer of null is one
    name = next(
        key for key in (*left, *written) if written.get(key, nothing) != left.get(key, nothing)
    )
    raise RecordError(
        "result",
        gettext_noop("The moves come to %(name)s = %(found)s; the result says %(written)s."),
        name=name,
        found=str(left.get(name, nothing)),
        written=str(written.get(name, nothing)),
    )
