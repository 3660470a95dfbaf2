"""Recording of paper sheets: the hands of whole tables, from a form or a file, all or nothing.

A ``Paper`` is what is typed or uploaded for one table; a ``PaperReading`` compares it with the
stored hands without storing anything; ``store_reading`` stores it. A *struck* hand was deleted, or
undone by its table: it counts nowhere. A *bare* sheet tells only who won, in its answer ``bare``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from uuid import uuid4, uuid5

from django.db import transaction

from games.errors import RuleError, gettext_noop
from games.game import Session
from games.sheet import Scored, Sheet, plain
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.models import Hand, Progress, Tournament, Verdict
from tracker.results.services.corrections import rewrite
from tracker.results.services.submissions import MOST_HANDS, number_unfit, round_full
from tracker.tables.locks import hold_tables_of, lock_table
from tracker.tables.replay import HandEntry, hands_by_number
from tracker.tables.stored_hands import same_result, with_dealer
from tracker.tables.table_now import TableNow
from tracker.tables.writing import NewReport, add_report, add_report_unless_known


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """The sheets of one table, keyed by hand number."""

    sheets: Mapping[int, Sheet]
    # Hand number -> key of the report that was accepted when the writer looked, ``None`` without
    # one: a stored hand is replaced only if that report is still accepted.
    seen: Mapping[int, int | None] = field(default_factory=dict)
    # Hands whose line in the file could not be read; the hands after them are checked all the same.
    unread: frozenset[int] = frozenset()
    # Of all new hands, as in ``Hand``; both are empty for hands that were played out.
    result_type: str = ""
    hand_reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperResult:
    """The numbers of the hands that a paper added, changed or found the same."""

    added: tuple[int, ...] = ()
    changed: tuple[int, ...] = ()
    same: tuple[int, ...] = ()


class PaperRefused(Refused):
    """The refusals of hands: sitting key -> hand number -> error. No table stored anything."""

    def __init__(self, refusals: Mapping[int, Mapping[int, RuleError]]) -> None:
        template = gettext_noop("Some of it cannot be; nothing was written down.")
        super().__init__("paper-refused", template)
        self.refusals = refusals


def write_down(
    papers: Mapping[int, Paper], *, reason: str, by: Actor, keep: bool = True
) -> dict[int, PaperResult]:
    """Record the papers of tables, keyed by sitting, all or nothing; return what became of each.

    Hands that are stored with the same result are left alone, so that a paper may be sent twice.
    New hands follow the last one, also after the round has closed. The *reason* is for the log.
    With *keep* false everything is rolled back, and the result tells what would be stored.

    :raises PaperRefused: with every refusal.
    """
    recorded: dict[int, PaperResult] = {}
    refusals: dict[int, Mapping[int, RuleError]] = {}
    with transaction.atomic():
        if len(papers) > 1:
            tournaments = Tournament.objects.filter(rounds__sittings__in=papers)
            hold_tables_of(tournaments.values_list("pk", flat=True))
        for sitting_id in sorted(papers):
            table = lock_table(sitting_id=sitting_id)
            reading = PaperReading(table, hands_by_number(sitting_id), papers[sitting_id])
            if reading.refusals:
                refusals[sitting_id] = reading.refusals
            elif not refusals:
                recorded[sitting_id] = store_reading(reading, reason, by)
        if refusals:
            raise PaperRefused(refusals)
        transaction.set_rollback(not keep)
    return recorded


class PaperReading:
    """A paper compared with the stored hands: which are new, changed or the same. Stores nothing.

    Hands are read in order of their numbers. Once a hand is new or changed, each hand after it is
    scored from the session (dealer, match score …) that the hand before it leaves.
    """

    def __init__(self, table: TableNow, hands: Mapping[int, Hand], paper: Paper) -> None:
        self.table, self.all_hands, self.paper = table, hands, paper
        # A hand beyond the last number was undone by the table: it is recorded as a new one.
        self.hands = {n: hand for n, hand in hands.items() if n <= table.last_number}
        # What was read so far, by hand number.
        self.new_entries: dict[int, HandEntry] = {}  # of the new and the changed hands
        self.scored: dict[int, Scored[Session]] = {}  # of these, and of unchanged hands after them
        self.same: list[int] = []
        self.refusals: dict[int, RuleError] = {}
        for number in sorted({*self.hands, *paper.sheets}):
            hand, sheet = self.hands.get(number), paper.sheets.get(number)
            try:
                if hand is None:
                    self._read_new(number, paper.sheets[number])
                elif sheet is not None:
                    self._compare(hand, sheet)
                elif hand.struck_at is None:
                    self._replay(hand)
            except RuleError as refusal:
                # The other hands are read all the same, so that every refusal is reported.
                self.refusals[number] = refusal

    @property
    def result(self) -> PaperResult:
        return PaperResult(
            added=tuple(number for number in sorted(self.new_entries) if number not in self.hands),
            changed=tuple(number for number in sorted(self.new_entries) if number in self.hands),
            same=tuple(self.same),
        )

    @property
    def _progress(self) -> Progress:
        """Return how many results the table has, and should have, with the hands read so far."""
        stored = {n: hand for n, hand in self.hands.items() if hand.struck_at is None}
        standing = (stored | self.scored).values()  # new scores replace those stored
        result_types = [hand.result_type for hand in (stored | self.new_entries).values()]
        # A match of a bracket goes on while it is level: while its sides have equal points.
        in_match = self.table.side_points is not None
        points = self.table.side_points_of(hand.marks for hand in standing) if in_match else None
        return Progress.of_counts(
            self.table,
            hands_standing=len(standing),
            games_over=sum(hand.ends_game for hand in standing),
            not_played=result_types.count(self.table.not_played_type),
            level=self.table.level(points),
        )

    def _session_before(self, number: int) -> Session:
        """Return the session from which a hand is played, with the changes read so far."""
        if self.scored:
            return self.scored[max(self.scored)].session  # hands are read in order
        hand = self.hands.get(number)
        return self.table.resume_session(hand.session_before if hand else None)

    def _score(self, entry: HandEntry) -> Scored[Session]:
        before, sheet = self._session_before(entry.number), with_dealer(entry.sheet, entry.dealer)
        scored: Scored[Session] = self.table.game.add_sheet(before, sheet)
        return scored

    def _read_new(self, number: int, sheet: Sheet) -> None:
        """Score a hand that is not stored yet, if the round has room for it."""
        if not 1 <= number <= MOST_HANDS:
            raise number_unfit()
        if self._progress.whole:
            raise round_full()
        known_numbers = {*self.hands, *self.paper.sheets, *self.paper.unread}
        if number > 1 and number - 1 not in known_numbers:
            why = gettext_noop("The one before it is missing: write it down too, or delete it.")
            raise Refused("hand-missing", why)
        entry = HandEntry(
            number=number,
            sheet=sheet,
            dealer=self.table.chosen if number == self.table.coming_number else None,
            result_type=self.paper.result_type,
            reason=self.paper.hand_reason,
        )
        self.scored[number] = self._score(entry)
        self.new_entries[number] = entry

    def _compare(self, hand: Hand, sheet: Sheet) -> None:
        """Read the sheet of a stored hand: it has the same result, or changes it."""
        if hand.struck_at is not None:
            template = gettext_noop("This one was deleted; you can bring it back on its own page.")
            raise Refused("hand-struck", template)
        questions = self.table.game.questions(self._session_before(hand.number))
        if "bare" not in hand.sheet and "bare" not in sheet:
            # Paper does not ask for optional answers (trumps, bids, cards shown): they stay.
            optional = (question.name for question in questions if not question.required)
            sheet = {name: hand.sheet[name] for name in optional if name in hand.sheet} | {**sheet}
        entry = HandEntry(number=hand.number, sheet=sheet, dealer=hand.dealer)
        scored = self._score(entry)
        if same_result(questions, scored.sheet, hand.sheet):
            self.same.append(hand.number)
            self._replay(hand)
        elif self.paper.seen.get(hand.number) == hand.accepted_report_id:
            self.scored[hand.number], self.new_entries[hand.number] = scored, entry
        else:
            why = gettext_noop(
                "Another result stands here already. Look at it before you write over it."
            )
            raise Refused("hand-otherwise", why)

    def _replay(self, hand: Hand) -> None:
        """Score an unchanged hand again if a hand before it changed."""
        if self.scored:
            self.scored[hand.number] = self._score(HandEntry.of(hand))


def store_reading(
    reading: PaperReading, reason: str, by: Actor, *, at_table: bool = False
) -> PaperResult:
    """Store and log the new and changed hands of a reading, at the table that is still locked.

    The *reason* is for the log. A signed-in user's hands are confirmed, unless entered *at_table*.
    """
    table, result = reading.table, reading.result
    if not reading.new_entries:
        return result
    reports = {}
    for number in result.added:
        sheet = reading.new_entries[number].sheet
        report = NewReport(
            # Computed from the sheet, so that a paper sent twice has the same entry.
            entry=uuid5(table.uid, f"paper {number} {plain(sheet)}"),
            sitting_id=table.sitting_id,
            number=number,
            sheet=sheet,
            by=by,
            verdict=Verdict.ACCEPTED,
            answer={},
        )
        # The entry is in use if the hand had this sheet before, and another one since.
        report_id = add_report_unless_known(report) or add_report(replace(report, entry=uuid4()))
        reports[number] = report_id
    _replayed, log_numbers = rewrite(
        table, reading.all_hands, reading.new_entries, by=by, reports=reports, at_table=at_table
    )
    on = {**table.log_keys, "hands": sorted(reading.new_entries)}
    log(by, "paper-written-down", **on, numbers=log_numbers, reason=reason)
    return result
