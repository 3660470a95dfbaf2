"""Replays: a table's hands scored again after a change, compared with the stored ones, and stored.

Every hand is stored with the session it was played from, so a replay starts at the first
changed hand.
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
    """What is entered for a hand before it is scored. Its dealer stays when its sheet changes."""

    number: int
    sheet: Sheet
    dealer: int | None
    struck: bool = False
    result_type: str = ""
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

    before: Session
    scored: Scored[Session] | None


@dataclass(frozen=True, kw_only=True)
class Replay:
    """A table's hands as they would be after some changes, beside the stored ones."""

    table: TableNow
    hands: Mapping[int, Hand]  # the stored ones, by number
    entries: Mapping[int, HandEntry]  # of all hands after the changes, struck ones too
    changed: frozenset[int]
    replayed: Mapping[int, ReplayedHand]  # from the first changed one on
    session: Session  # after the last hand

    @property
    def last_number(self) -> int:
        """Return the last number in use.

        An undone last hand frees its number, unless a player took over a seat after it or an
        earlier version of Kula counted it as used.
        """
        now = self.table.last_number
        struck = [n for n, hand in self.hands.items() if n <= now and hand.struck_at is not None]
        before_latest_stint = max(stint.from_hand for stint in self.table.stints) - 1
        return max([before_latest_stint, *self.standing, *struck])

    @cached_property
    def standing(self) -> tuple[int, ...]:
        """Return the numbers of the hands that are not struck."""
        return tuple(number for number, entry in self.entries.items() if not entry.struck)

    @property
    def counts(self) -> dict[str, int]:
        """Return the counts from which ``Progress`` is made."""
        types = [self.entries[number].result_type for number in self.standing]
        scored = self.scored
        return {
            "hands_standing": len(self.standing),
            "games_over": sum(
                scored[number].ends_game if number in scored else self.hands[number].ends_game
                for number in self.standing
            ),
            "not_played": types.count(self.table.never_played),
        }

    @property
    def side_points(self) -> tuple[int, ...] | None:
        """Return the points of each side of a bracket match; ``None`` for other tables."""
        if self.table.side_points is None:
            return None
        return self.table.side_points_of(hand.marks for hand in self.hand_marks)

    @property
    def scored(self) -> dict[int, Scored[Session]]:
        """Return the scores of the replayed hands by number, without the struck ones."""
        return {
            number: each.scored for number, each in self.replayed.items() if each.scored is not None
        }

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
        """Return whether every hand has the same marks as before."""
        return all(
            score_fields(scored)["marks"] == self.hands[number].marks
            for number, scored in self.scored.items()
        )

    @property
    def changes_nothing(self) -> bool:
        """Return whether every changed hand is already stored as the change would leave it."""
        for number in self.changed:
            hand, entry = self.hands.get(number), self.entries[number]
            if (
                hand is None
                or entry.struck != (hand.struck_at is not None)
                or entry.result_type != hand.result_type
                or {"sheet", "dealer"} & self.changed_fields(number).keys()
            ):
                return False
        return True

    def changed_fields(self, number: int) -> dict[str, Any]:
        """Return the new values of the fields in which the replay differs from a stored hand.

        The same warning in other words is no difference: an earlier version may have worded it so.
        """
        hand, each = self.hands[number], self.replayed[number]
        fields = {"session_before": plain(self.table.game.save_session(each.before))}
        if each.scored is not None:
            fields |= score_fields(each.scored)
        changed = {name: value for name, value in fields.items() if getattr(hand, name) != value}
        if without_templates(changed.get("warnings", [])) == without_templates(hand.warnings):
            changed.pop("warnings", None)
        return changed

    def table_state(self, at: datetime) -> TableState:
        table, counts = self.table, self.counts
        progress = Progress.of_counts(table, **counts, level=table.level(self.side_points))
        # The table's own choice of a dealer depends on the last hand, and on who may deal.
        choice_holds = table.chosen_after == self.last_number and (
            not self.changed
            or (
                table.chosen_after not in self.changed
                and table.chosen_dealer in self.session.may_deal
            )
        )
        return TableState(
            session=self.session,
            last_number=self.last_number,
            **counts,
            finished=progress.whole or (table.closed and bool(table.finished)),
            at=at,
            last_at=at if self.last_number > table.last_number else None,
            open_conflicts=Issue.objects.open_conflicts(table.sitting_id).count(),
            chosen_dealer=table.chosen_dealer if choice_holds else None,
            chosen_after=table.chosen_after if choice_holds else None,
            side_points=self.side_points,
        )


def hands_by_number(sitting_id: int) -> dict[int, Hand]:
    """Return all hands of a sitting by number, with the reports that were accepted."""
    hands = Hand.objects.filter(sitting=sitting_id).select_related("accepted_report")
    return {hand.number: hand for hand in hands.order_by("number")}


def last_standing_number(hands: Mapping[int, Hand]) -> int:
    """Return the number of the last hand that is not struck, 0 if there is none."""
    return max((number for number, hand in hands.items() if hand.struck_at is None), default=0)


def replay(
    table: TableNow,
    hands: Mapping[int, Hand],
    changes: Mapping[int, HandEntry],
    *,
    first: int | None = None,
) -> Replay:
    """Score a table's hands with these changes, from the first change or hand *first* on.

    Nothing is stored.

    :raises SheetError: if the first of the changes is itself refused.
    :raises ReplayRefused: if a later hand is refused, with its number.
    """
    entries = {number: HandEntry.of(hand) for number, hand in hands.items()} | dict(changes)
    start = min(changes) if first is None else first
    if start <= 1:
        session = table.opening_session()
    elif start in hands:
        session = table.resume_session(hands[start].session_before)
    else:
        session = table.resume_session()
    replayed: dict[int, ReplayedHand] = {}
    for number in sorted(number for number in entries if number >= start):
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

    *reports* are the accepted reports, by number, of the hands with new sheets. If *confirmed*,
    no other side needs to agree.
    """
    table = replay.table
    # Those with a new report beyond the last number are new, or were undone and are written anew.
    added = {number for number in reports if number > table.last_number}
    for number in sorted(replay.replayed):
        if number in replay.hands and number not in added:
            _update_hand(replay, number, reports.get(number), at=at, confirmed=confirmed)
    for number, scored in replay.scored.items():
        if number not in added:
            continue
        before = json.dumps(table.game.save_session(replay.replayed[number].before))
        hand = NewHand(number=number, report_id=reports[number], before=before, scored=scored)
        entry = replay.entries[number]
        add_hand(table, hand, at)
        values: dict[str, Any] = {}
        if entry.result_type:
            values = {"result_type": entry.result_type, "reason": entry.reason}
        if confirmed and table.needs_both:
            values["confirmed_at"] = at
        if values:
            Hand.objects.filter(sitting=table.sitting_id, number=number).update(**values)
    statements = tally_statements(replay.tally_changes) if table.tallied else []
    execute(*statements, update_table(table, replay.table_state(at)))


def _update_hand(
    replay: Replay, number: int, report_id: int | None, *, at: datetime, confirmed: bool
) -> None:
    hand, entry = replay.hands[number], replay.entries[number]
    values = replay.changed_fields(number)
    # A writer that waited for the lock may have read the clock before the hand was written.
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
