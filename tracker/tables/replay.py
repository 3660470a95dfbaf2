"""Replays: a table's hands scored again after a change, compared with the stored ones, and stored.

A *session* is what one hand leaves to the next: its dealer, the running game, tokens. Every hand is
stored with the session before it, so a replay starts at the first changed hand. A *struck* hand was
undone or taken out: its row stays, but it is in no sum.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from games.errors import SheetError
from games.game import Session
from games.sheet import Scored, Sheet, plain
from tracker.common.errors import Refused
from tracker.models import Hand, Issue, Progress
from tracker.tables.sql import execute
from tracker.tables.stored_hands import score_fields, with_dealer, without_templates
from tracker.tables.table_now import TableNow
from tracker.tables.tallies import HandMarks, Tallies, marks_of, tallies_of, tally_statements
from tracker.tables.writing import NewHand, TableState, add_hand, update_table


class ReplayRefused(Refused):
    """Refusal of a change because hand ``number`` cannot follow it; nothing was stored."""

    def __init__(self, cause: SheetError, number: int) -> None:
        super().__init__(
            cause.code, cause.template, question=cause.question, place=cause.place, **cause.params
        )
        self.number = number


@dataclass(frozen=True, slots=True, kw_only=True)
class HandEntry:
    """What is entered for a hand before it is scored."""

    number: int
    sheet: Sheet  # the answers written down after the hand
    dealer: int | None  # the place that dealt the hand, unless the sheet says otherwise
    struck: bool = False
    result_type: str = ""  # set for a hand that was not played out, like ``reason``
    reason: str = ""

    @property
    def played(self) -> bool:
        return not self.result_type

    @classmethod
    def of(cls, hand: Hand) -> "HandEntry":
        return cls(
            number=hand.number,
            sheet=hand.sheet,
            dealer=hand.dealer,
            struck=hand.struck_at is not None,
            result_type=hand.result_type,
            reason=hand.reason,
        )


@dataclass(frozen=True, slots=True)
class ReplayedHand:
    """The session before a hand and, unless it is struck, its score."""

    session_before: Session
    scored: Scored[Session] | None


@dataclass(frozen=True, kw_only=True)
class Replay:
    """A table's hands as stored and as some changes would leave them, keyed by hand number."""

    table: TableNow
    hands: Mapping[int, Hand]  # as they are stored
    entries: Mapping[int, HandEntry]  # all hands after the changes, struck ones too
    changed: frozenset[int]  # the numbers of the hands whose entries were given as changes
    replayed: Mapping[int, ReplayedHand]  # scored again: all from the first changed hand on
    session: Session  # after the last hand

    @property
    def last_number(self) -> int:
        """Return the last number in use.

        If the last hand is undone now, its number becomes free, unless a player took over a seat
        after it. An earlier version of Kula kept the numbers of struck hands: those stay in use.
        """
        struck_before = [
            number
            for number, hand in self.hands.items()
            if hand.struck_at is not None and number <= self.table.last_number
        ]
        before_latest_takeover = max(stint.from_hand for stint in self.table.stints) - 1
        return max([before_latest_takeover, *self.unstruck_numbers, *struck_before])

    @cached_property
    def unstruck_numbers(self) -> tuple[int, ...]:
        return tuple(number for number, entry in self.entries.items() if not entry.struck)

    @property
    def side_points(self) -> tuple[int, ...] | None:
        """Return the points of each side of a bracket match; ``None`` for other tables."""
        if self.table.side_points is None:
            return None
        return self.table.side_points_of(hand.marks for hand in self.hand_marks)

    @property
    def scored(self) -> dict[int, Scored[Session]]:
        """Return the scores of the replayed hands that are not struck."""
        replayed = self.replayed.items()
        return {number: hand.scored for number, hand in replayed if hand.scored is not None}

    @cached_property
    def tally_changes(self) -> Tallies:
        """Return by how much the tallies would change."""
        stored = tallies_of(marks_of(self.hands.values()), self.table)
        return tallies_of(self.hand_marks, self.table).less(stored)

    @property
    def hand_marks(self) -> list[HandMarks]:
        """Return what each hand after the changes adds to the tallies."""
        unchanged = (hand for number, hand in self.hands.items() if number not in self.replayed)
        return [
            *marks_of(unchanged),
            *(
                HandMarks(number, scored.sheet["dealer"], scored.marks, self.entries[number].played)
                for number, scored in self.scored.items()
            ),
        ]

    @property
    def keeps_all_marks(self) -> bool:
        """Return whether every replayed hand has the same marks as before."""
        return all(
            score_fields(scored)["marks"] == self.hands[number].marks
            for number, scored in self.scored.items()
        )

    @property
    def changes_nothing(self) -> bool:
        """Return whether every changed hand is already stored as the change would leave it."""
        return all(
            (hand := self.hands.get(number)) is not None
            and self.entries[number].struck == (hand.struck_at is not None)
            and self.entries[number].result_type == hand.result_type
            and not {"sheet", "dealer"} & self.changed_fields(number).keys()
            for number in self.changed
        )

    def changed_fields(self, number: int) -> dict[str, Any]:
        """Return the new values of the fields in which the replay differs from a stored hand.

        The same warning in other words is no difference: an earlier version may have worded it so.
        """
        hand, replayed = self.hands[number], self.replayed[number]
        fields = {"session_before": plain(self.table.game.save_session(replayed.session_before))}
        if replayed.scored is not None:
            fields |= score_fields(replayed.scored)
        changed = {name: value for name, value in fields.items() if getattr(hand, name) != value}
        if without_templates(changed.get("warnings", [])) == without_templates(hand.warnings):
            changed.pop("warnings", None)
        return changed

    def table_state(self, at: datetime) -> TableState:
        """Return the state of the table after the replay, to be stored at a moment."""
        table = self.table
        types = [self.entries[number].result_type for number in self.unstruck_numbers]
        ends_game = {number: hand.ends_game for number, hand in self.hands.items()}
        ends_game |= {number: scored.ends_game for number, scored in self.scored.items()}
        counts = {
            "hands_standing": len(self.unstruck_numbers),
            "games_over": sum(ends_game[number] for number in self.unstruck_numbers),
            "not_played": types.count(table.not_played_type),
        }
        progress = Progress.of_counts(table, **counts, level=table.level(self.side_points))
        # The dealer whom the table chose after its last hand stays, if that is still the last one.
        # After a change the hand must also be unchanged, and the rules must still allow the choice.
        last_number_changed = self.last_number in self.changed
        may_still_deal = table.chosen_dealer in self.session.may_deal
        choice_holds = table.chosen_after == self.last_number and (
            not self.changed or (may_still_deal and not last_number_changed)
        )
        return TableState(
            session=self.session,
            last_number=self.last_number,
            **counts,
            # A closed table stays finished, whatever its results are now.
            finished=progress.whole or (bool(table.finished) and not table.takes_reports),
            at=at,
            last_at=at if self.last_number > table.last_number else None,
            open_conflicts=Issue.objects.open_conflicts(table.sitting_id).count(),
            chosen_dealer=table.chosen_dealer if choice_holds else None,
            chosen_after=table.chosen_after if choice_holds else None,
            side_points=self.side_points,
        )


def hands_by_number(sitting_id: int) -> dict[int, Hand]:
    """Return all hands of a sitting, keyed by number, each with the report that was accepted."""
    hands = Hand.objects.filter(sitting=sitting_id).select_related("accepted_report")
    return {hand.number: hand for hand in hands.order_by("number")}


def last_unstruck_number(hands: Mapping[int, Hand]) -> int:
    """Return the number of the last hand that is not struck, 0 if there is none."""
    return max((number for number, hand in hands.items() if hand.struck_at is None), default=0)


def replay(
    table: TableNow,
    hands: Mapping[int, Hand],
    changes: Mapping[int, HandEntry],
    *,
    first: int | None = None,
) -> Replay:
    """Score a table's hands with these *changes*, from hand *first* on, and store nothing.

    *hands* are the stored hands. Both mappings are keyed by hand number. By default *first* is the
    first change; a replay without changes needs it.

    :raises SheetError: if the first of the changes is itself refused.
    :raises ReplayRefused: if a later hand is refused, with its number.
    """
    entries = {number: HandEntry.of(hand) for number, hand in hands.items()} | dict(changes)
    if first is None:
        first = min(changes)
    if first <= 1:
        session = table.opening_session()
    elif first in hands:
        session = table.resume_session(hands[first].session_before)
    else:
        session = table.resume_session()  # a new hand follows the last one
    replayed: dict[int, ReplayedHand] = {}
    for number in sorted(number for number in entries if number >= first):
        entry = entries[number]
        if entry.struck:
            replayed[number] = ReplayedHand(session, None)
            continue
        try:
            scored = table.game.add_sheet(session, with_dealer(entry.sheet, entry.dealer))
        except SheetError as refusal:
            if changes and number == min(changes):
                raise
            raise ReplayRefused(refusal, number) from refusal
        replayed[number] = ReplayedHand(session, scored)
        session = scored.session
    return Replay(
        table=table,
        hands=hands,
        entries=entries,
        changed=frozenset(changes),
        replayed=replayed,
        session=session,
    )


def store_replay(
    replay: Replay, reports: Mapping[int, int], *, at: datetime, confirmed: bool = False
) -> None:
    """Store the hands of a replay, the changes to tallies, and the state of the table.

    *reports* maps the numbers of the hands with new sheets to the ids of their accepted reports.
    If *confirmed*, no other side needs to agree to these hands.
    """
    table = replay.table
    # New hands come after the table's last one, and overwrite undone hands with their numbers.
    added = {number for number in reports if number > table.last_number}
    for number in sorted(replay.replayed):
        if number in replay.hands and number not in added:
            _update_hand(replay, number, reports.get(number), at=at, confirmed=confirmed)
    for number in sorted(added & replay.scored.keys()):
        _add_hand(replay, number, reports[number], at=at, confirmed=confirmed)
    statements = tally_statements(replay.tally_changes) if table.tallied else []
    execute(*statements, update_table(table, replay.table_state(at)))


def _add_hand(
    replay: Replay, number: int, report_id: int, *, at: datetime, confirmed: bool
) -> None:
    table, entry, replayed = replay.table, replay.entries[number], replay.replayed[number]
    before = json.dumps(table.game.save_session(replayed.session_before))
    scored = replay.scored[number]
    hand = NewHand(number=number, report_id=report_id, session_before=before, scored=scored)
    add_hand(table, hand, at)
    values: dict[str, Any] = {}
    if entry.result_type:
        values = {"result_type": entry.result_type, "reason": entry.reason}
    if confirmed and table.needs_both:
        values["confirmed_at"] = at
    if values:
        Hand.objects.filter(sitting=table.sitting_id, number=number).update(**values)


def _update_hand(
    replay: Replay, number: int, report_id: int | None, *, at: datetime, confirmed: bool
) -> None:
    hand, entry = replay.hands[number], replay.entries[number]
    values = replay.changed_fields(number)
    # A request that waited for the lock may have read the clock before the hand was recorded.
    at = max(at, hand.recorded_at)
    if entry.struck != (hand.struck_at is not None):
        values["struck_at"] = at if entry.struck else None
    if report_id is not None:
        values |= {
            "accepted_report": report_id,
            "confirmed_at": at if confirmed else None,
            "result_type": entry.result_type,
            "reason": entry.reason,
        }
    if values:
        Hand.objects.filter(pk=hand.pk).update(**values)
