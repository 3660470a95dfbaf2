"""Services of the practice table, which stores nothing, and of records of a club's hands."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from django.db import transaction

from games import catalogue
from games.errors import gettext_noop
from games.game import FirstDealer
from games.option import Options
from games.play.playing import Budget, IllegalMoveError, Step
from games.play.worth_knowing import worth_knowing
from games.records.format import Record, write
from games.records.parser import read
from games.records.replayer import replay as replay_record
from games.records.replayer import with_steps
from games.sheet import plain
from games.wording import Text
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.models import Hand, HandKind, HandRecord
from tracker.practice.queries import differing, head_of
from tracker.practice.state import (
    ME,
    REMEMBERED,
    PracticeHand,
    PracticeTable,
    replay,
    seat_draw,
)
from tracker.tables.statements import lock_table
from tracker.tables.table import TableNow

# The practice table: each move makes a new hand ---------------------------------------------

STRENGTHS = ("beginner", "steady", "strong")  # how well bots play, the best last
_QUICK, _ABLE = "steady", "strong"
_A_MOVE = 0.15  # seconds a bot may think at most
_ALTOGETHER = 0.9  # seconds for all that bots do between two of one's own moves
_SHARE = 6  # the part of what is left of it that one move may take
_HURRY = 0.06  # with less left than this, nobody thinks long any more

Clock = Callable[[], float]


def deal_hand(
    *, game: str, mode: str, options: Options, strength: str, name: str, seed: int, clock: Clock
) -> PracticeHand:
    """Seat a person with bots and deal; the bots move until it is the person's turn.

    :raises RuleError: if the game is not played like this.
    """
    rules = catalogue.GAMES[game]
    complete = rules.complete_options(options)
    seated = rules.mode(mode, complete)
    drawn = rules.first_dealer is FirstDealer.DRAWN
    dealer = 0 if drawn else Random(seed).randrange(seated.seats)
    session = rules.open_session(seated, complete, dealer, (None,) * seated.seats)
    draw = seat_draw(rules, seated, complete, seed)
    places = draw.places if draw else ()
    mine = places.index(ME) if places else 0
    hand = PracticeHand(
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
        # Counted from whoever practises, who came first.
        drawn=places[mine:] + places[:mine],
    )
    return _bots_move(replay(hand), clock)


def make_move(*, table: PracticeTable, code: str, clock: Clock) -> PracticeHand:
    """Return the hand after one's own move, and those of the bots that follow it.

    :raises IllegalMoveError: if the rules refuse the move.
    """
    if table.to_move != ME:
        raise IllegalMoveError("hand-over", gettext_noop("It is not your turn."))
    move = table.play.parse_move(code)
    return _bots_move(_after(table, ME, move), clock)


def next_hand(
    *, table: PracticeTable, seed: int, clock: Clock, dealer: int | None = None
) -> PracticeHand:
    """Return the next hand of the same table; before the end, the same hand.

    The session goes on as it would after the sheet of this hand. *dealer* is one of those who
    may deal, where that is for the person's side to say.
    """
    hand, game = table.hand, table.game
    if table.to_move is not None:
        return hand
    scored = game.add_sheet(table.session, table.play.fill_sheet(table.state))
    session = scored.session
    if ME in session.may_deal and dealer in session.may_deal:
        session = replace(session, dealer=dealer)
    before = hand.before
    if before is not None:
        before = None if len(before) == REMEMBERED else (*before, plain(scored.sheet))
    following = replace(
        hand,
        session=game.save_session(session),
        seed=seed,
        number=hand.number + 1,
        sums=hand.sums_with(scored.marks),
        before=before,
        codes=(),
    )
    return _bots_move(replay(following), clock)


def hint(table: PracticeTable) -> str | None:
    """Return the code of what a strong player would do now; ``None`` when it is not one's turn."""
    if table.to_move != ME:
        return None
    play = table.play
    best = next(strength for strength in reversed(STRENGTHS) if strength in play.bots)
    move = play.bots[best](play.view(table.state, ME), _dice(table), Budget(seconds=_A_MOVE))
    return play.move_code(move)


def closer_look(table: PracticeTable) -> Text | None:
    """Return one thing worth knowing of a hand that is over, as a strong player sees it.

    ``None`` before the end, and where there is nothing to say.
    """
    if table.to_move is not None:
        return None
    return worth_knowing(table.play, table.steps, ME, Random(table.hand.seed))


def _bots_move(table: PracticeTable, clock: Clock) -> PracticeHand:
    """Let the bots move until it is one's own turn, or the hand is over."""
    play = table.play
    until = clock() + _ALTOGETHER
    while (seat := table.to_move) not in {ME, None}:
        left = until - clock()
        hurried = left < _HURRY and table.hand.strength == _ABLE
        bot = play.bots[_QUICK if hurried else table.hand.strength]
        budget = Budget(seconds=max(min(_A_MOVE, left / _SHARE), 0.001))
        move = bot(play.view(table.state, seat), _dice(table), budget)
        table = _after(table, seat, move)
    return table.hand


def _after(table: PracticeTable, seat: int, move: Any) -> PracticeTable:
    code = table.play.move_code(move)
    step = Step(table.state, seat, move, table.play.play(table.state, move))
    return replace(
        table,
        hand=replace(table.hand, codes=(*table.hand.codes, code)),
        steps=(*table.steps, step),
    )


def _dice(table: PracticeTable) -> Random:
    """Return dice that fall the same whenever this position is asked about."""
    return Random(f"{table.hand.seed}/{len(table.steps)}")


# The record of a hand: how it was played, card by card ----------------------------------------


@transaction.atomic
def attach_record(*, sitting_id: int, number: int, text: str, by: Actor) -> HandRecord:
    """Keep the record of a hand, in place of any other.

    It is played again as the hand of this table, after the hands that stand before it.
    Only what the rules know is kept: no names, and no remarks.

    :raises RecordError: if the text is no record, or of a hand that cannot have been.
    :raises Refused: ``record-not-counted`` ``record-elsewhere`` ``record-unfinished``
        or ``record-differs``.
    """
    table = lock_table(sitting_id=sitting_id)
    hand = Hand.objects.get(sitting=sitting_id, number=number)
    record = _of_this_hand(table, hand, read(text))
    replayed = replay_record(record)
    if replayed.sheet is None:
        raise Refused("record-unfinished", gettext_noop("The moves stop before the hand is over."))
    amiss = differing(table.game, replayed.session, hand.sheet, replayed.sheet)
    if amiss is not None:
        raise Refused(
            "record-differs",
            gettext_noop("These moves and the result of this hand disagree: %(about)s"),
            about=amiss,
        )
    whole = with_steps(record, replayed.play, replayed.steps, replayed.states[-1])
    stored, _ = HandRecord.objects.update_or_create(
        hand=hand, defaults={"text": write(whole), "kept_at": by.at}
    )
    log(by, "record-attached", **table.log_keys, hand=number)
    return stored


@transaction.atomic
def detach_record(*, sitting_id: int, number: int, by: Actor) -> None:
    """Take the record of a hand away, if it has one."""
    table = lock_table(sitting_id=sitting_id)
    if HandRecord.objects.filter(hand__sitting=sitting_id, hand__number=number).delete()[0]:
        log(by, "record-removed", **table.log_keys, hand=number)


def _of_this_hand(table: TableNow, hand: Hand, record: Record) -> Record:
    """Return the cards and moves of a record, after what this table has played."""
    if hand.kind == HandKind.BARE or hand.result_type or hand.struck_at is not None:
        raise Refused(
            "record-not-counted",
            gettext_noop("Nobody counted this hand: there is nothing to compare its moves with."),
        )
    head = head_of(table, hand.number, record.dealer)
    if (record.game, record.mode) != (head.game, head.mode) or (
        table.game.complete_options(record.options) != dict(table.options)
    ):
        raise Refused(
            "record-elsewhere",
            gettext_noop(
                "These moves are from another game, another number of players or other house "
                "rules than this table’s."
            ),
        )
    return replace(head, packs=record.packs, moves=record.moves, sheet=record.sheet)
