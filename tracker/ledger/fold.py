"""Folding the sheets of a sitting again from the first: all of them stand, or none is changed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from games.errors import SheetError
from games.game import Session
from games.sheet import Scored, Sheet
from tracker.common.errors import Refused
from tracker.ledger import ledger, tallies
from tracker.ledger.ledger import After
from tracker.ledger.sheets import with_dealer
from tracker.ledger.table_now import TableNow
from tracker.ledger.tallies import Played, Tallied
from tracker.ledger.warnings import warning_to_json
from tracker.models import Hand


class ReplayRefused(Refused):
    """A change that one hand, ``number``, cannot follow; nothing was kept."""

    def __init__(self, cause: SheetError, number: int) -> None:
        super().__init__(
            cause.code,
            cause.template,
            question=cause.question,
            place=cause.place,
            **cause.params,
        )
        self.number = number


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What stands under a number, to be folded. The dealer is a fact even if the sheet is new."""

    number: int
    sheet: Sheet
    dealer: int | None
    struck: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """What a sitting's sheets come to: each hand by its number, and what they leave."""

    hands: Mapping[int, Scored[Session]]
    session: Session
    games_over: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """A sitting's hands as they would stand after some changes, beside those that do."""

    table: TableNow
    before: Mapping[int, Hand]
    written: Mapping[int, Written]
    changed: frozenset[int]
    fold: Fold

    @property
    def last_number(self) -> int:
        return max(self.written, default=0)

    def difference(self) -> Tallied:
        """Return by how much the tallies would move."""
        after = [
            Played(number, scored.sheet["dealer"], scored.marks)
            for number, scored in self.fold.hands.items()
        ]
        kept = tallies.standing_hands(self.before.values())
        return tallies.tallied(after, self.table).less(tallies.tallied(kept, self.table))

    def session_before(self, number: int) -> Session:
        """Return what the hands before this one leave."""
        last = max((earlier for earlier in self.fold.hands if earlier < number), default=None)
        return self.table.open_session() if last is None else self.fold.hands[last].session

    def moved(self) -> tuple[int, ...]:
        """Return the hands that would stand otherwise than they do."""
        return tuple(
            number
            for number, written in sorted(self.written.items())
            if number in self.changed or (not written.struck and self._otherwise(number))
        )

    def warned(self) -> tuple[int, ...]:
        """Return the hands about which something would be said that is not said yet."""
        return tuple(
            number
            for number, scored in sorted(self.fold.hands.items())
            if {warning.code for warning in scored.warnings}
            - {kept["code"] for kept in self._stored_warnings(number)}
        )

    def _stored_warnings(self, number: int) -> Sequence[Mapping[str, str]]:
        hand = self.before.get(number)
        return hand.warnings if hand and hand.struck_at is None else ()

    def _otherwise(self, number: int) -> bool:
        hand, scored = self.before[number], self.fold.hands[number]
        return as_stored(scored) != (hand.sheet, hand.marks, hand.warnings)


def hands_of(sitting_id: int) -> dict[int, Hand]:
    """Return all hands of a sitting by number, with the reports that stand for them."""
    hands = Hand.objects.filter(sitting_id=sitting_id).select_related("accepted_report")
    return {hand.number: hand for hand in hands.order_by("number")}


def as_written(hand: Hand) -> Written:
    """Return a hand as it stands, to be folded."""
    return Written(
        number=hand.number,
        sheet=hand.sheet,
        dealer=hand.dealer,
        struck=hand.struck_at is not None,
    )


def as_stored(scored: Scored[Session]) -> tuple[object, object, object]:
    """Return sheet, marks and warnings as they would be read back from the database."""
    warnings = [warning_to_json(warning) for warning in scored.warnings]
    return (
        ledger.plain(scored.sheet),
        ledger.plain_marks(scored.marks),
        ledger.plain(warnings),
    )


def fold(table: TableNow, written: Iterable[Written]) -> Fold:
    """Read these hands one after another, from the first; those struck are left out.

    :raises ReplayRefused: with the number of the first hand that the rules refuse.
    """
    session = table.open_session()
    hands: dict[int, Scored[Session]] = {}
    games_over = 0
    for one in sorted(written, key=lambda one: one.number):
        if one.struck:
            continue
        try:
            scored = table.rules.add_sheet(session, with_dealer(one.sheet, one.dealer))
        except SheetError as refusal:
            raise ReplayRefused(refusal, one.number) from refusal
        hands[one.number] = scored
        session = scored.session
        games_over += ends_game(scored)
    return Fold(hands=hands, session=session, games_over=games_over)


def session_before(table: TableNow, hands: Mapping[int, Hand], number: int) -> Session:
    """Return the session that the hands before this number leave."""
    return fold(
        table, (as_written(hand) for hand in hands.values() if hand.number < number)
    ).session


def replay(table: TableNow, hands: Mapping[int, Hand], changes: Mapping[int, Written]) -> Replay:
    """Return how the sitting would stand with these changes; nothing is written.

    :raises SheetError: if the first of the changes is itself refused.
    :raises ReplayRefused: if a later hand is, with its number.
    """
    written = {number: as_written(hand) for number, hand in hands.items()} | dict(changes)
    try:
        folded = fold(table, written.values())
    except ReplayRefused as refusal:
        cause = refusal.__cause__
        if refusal.number == min(changes) and isinstance(cause, SheetError):
            raise cause from None
        raise
    return Replay(
        table=table, before=hands, written=written, changed=frozenset(changes), fold=folded
    )


def keep(
    done: Replay,
    standings: Mapping[int, int],
    *,
    open_conflicts: int,
    now: datetime,
    confirmed: bool = False,
) -> None:
    """Write a replay down: hands, tallies, and what is kept with the sitting.

    *standings* are the reports that stand for the hands that have new sheets.
    """
    for number in done.moved():
        if number not in done.before:
            ledger.add_hand(
                sitting_id=done.table.sitting_id,
                number=number,
                accepted_report_id=standings[number],
                scored=done.fold.hands[number],
                now=now,
            )
        else:
            _keep_hand(done, number, standings.get(number), now=now, confirmed=confirmed)
    if done.table.tallied:
        tallies.move(done.difference())
    ledger.keep_sitting(done.table, _after(done, open_conflicts=open_conflicts, now=now))


def is_finished(table: TableNow, folded: Fold) -> bool:
    """Say whether a table has nothing more to write down: all is in, or its round was closed."""
    full = is_full(table, len(folded.hands), folded.games_over)
    return full or (table.closed and table.finished)


def ends_game(scored: Scored[Session]) -> bool:
    """Say whether this hand was the last of a game; one that counts for nothing never is."""
    return scored.session.over and scored.marks is not None


def is_full(table: TableNow, hands: int, games_over: int) -> bool:
    """Say whether so many hands, or finished games, are all that the round has."""
    if table.hands is not None:
        return hands >= table.hands
    return table.games is not None and games_over >= table.games


def _keep_hand(
    done: Replay, number: int, accepted_report_id: int | None, *, now: datetime, confirmed: bool
) -> None:
    hand, written = done.before[number], done.written[number]
    row = Hand.objects.filter(pk=hand.pk)
    # Who waited for the lock may have looked at the clock before the hand was written.
    at = max(now, hand.recorded_at)
    if written.struck:
        row.update(struck_at=hand.struck_at or at)
        return
    scored = done.fold.hands[number]
    sheet, marks, warnings = as_stored(scored)
    row.update(
        sheet=sheet,
        marks=marks,
        warnings=warnings,
        dealer=scored.sheet["dealer"],
        kind=ledger.kind_of(scored.sheet),
        struck_at=None,
    )
    if accepted_report_id is not None:
        row.update(
            accepted_report_id=accepted_report_id,
            confirmed_at=at if confirmed else None,
            result_type="",
            reason="",
        )


def _after(done: Replay, *, open_conflicts: int, now: datetime) -> After:
    table, folded = done.table, done.fold
    # The table's own choice of a dealer rests on the last hand, and on what the rules leave open.
    stays = (
        table.chosen_after == done.last_number
        and table.chosen_after not in done.changed
        and table.chosen_dealer in folded.session.may_deal
    )
    added = done.last_number > table.last_number
    return After(
        session=folded.session,
        last_number=done.last_number,
        games_over=folded.games_over,
        finished=is_finished(table, folded),
        now=now,
        last_at=now if added else None,
        open_conflicts=open_conflicts,
        chosen_dealer=table.chosen_dealer if stays else None,
        chosen_after=table.chosen_after if stays else None,
    )
