"""Entry of paper sheets, from a grid or a file: the hands of whole tables, all of them or none."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from uuid import uuid4, uuid5

from django.db import transaction
from django.utils.translation import gettext as _

from games.errors import RuleError, gettext_noop
from games.game import Session
from games.sheet import Scored, Sheet, plain
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.common.wording import say
from tracker.models import Hand, Progress, Tournament, Verdict
from tracker.results.services.corrections import rewrite
from tracker.results.services.submissions import MOST_HANDS, number_unfit, round_full
from tracker.tables.locks import hold_tables_of, lock_table
from tracker.tables.replay import HandEntry, hands_by_number
from tracker.tables.stored_hands import same_result, with_dealer
from tracker.tables.table_now import TableNow
from tracker.tables.writing import NewReport, add_report, add_report_unless_known

Seen = Mapping[int, int | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """What is on one table's paper: its sheets by the number of the hand.

    ``seen`` says which report stood for a hand when the writer looked. A hand that
    stands otherwise by now is not written over, and neither is one nobody looked at.
    ``unread`` are hands of which something is written that nobody could read: what
    follows them is looked at all the same. New hands are of the *result_type*, if nobody
    played them out, for a *reason*.
    """

    sheets: Mapping[int, Sheet]
    seen: Seen = field(default_factory=dict)
    unread: frozenset[int] = frozenset()
    result_type: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperResult:
    """What storing a paper did: the numbers of the hands it added, changed or found the same."""

    added: tuple[int, ...] = ()
    changed: tuple[int, ...] = ()
    same: tuple[int, ...] = ()  # stood like that already


class PaperRefused(Refused):
    """Refusals of hands by sitting and number; nothing was stored at any table."""

    def __init__(self, refusals: Mapping[int, Mapping[int, RuleError]]) -> None:
        super().__init__(
            "paper-refused", gettext_noop("Some of it cannot be; nothing was written down.")
        )
        self.refusals = refusals

    def of(self, sitting_id: int) -> Mapping[int, RuleError]:
        """Return what is refused at one table."""
        return self.refusals.get(sitting_id, {})


def write_down(
    papers: Mapping[int, Paper], *, reason: str, by: Actor, keep: bool = True
) -> dict[int, PaperResult]:
    """Let the tables, by the key of their sitting, stand as their papers say; all or nothing.

    What stands like that already is left alone, so that a paper may be sent twice. New
    hands follow the last one, also after the round has closed. With *keep* false nothing
    is kept: what would become of it is there to be looked at.

    :raises PaperRefused: with everything that cannot be.
    """
    taken: dict[int, PaperResult] = {}
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
                taken[sitting_id] = store_reading(reading, reason, by)
        if refusals:
            raise PaperRefused(refusals)
        transaction.set_rollback(not keep)
    return taken


class PaperReading:
    """A paper compared with the stored hands: what is new, changed or the same. Stores nothing."""

    def __init__(self, table: TableNow, hands: Mapping[int, Hand], paper: Paper) -> None:
        self.table, self.all_hands, self.paper = table, hands, paper
        # One that was undone is written down as though it had not been there.
        self.hands = {n: hand for n, hand in hands.items() if n <= table.last_number}
        self.session: Session | None = None  # after the last hand read, once something changed
        self.standing, self.games_over = table.hands_standing, table.games_over
        self.not_played = table.not_played
        self.marks = {n: hand.marks for n, hand in hands.items() if hand.struck_at is None}
        self.written: dict[int, HandEntry] = {}  # what is new, or changes
        self.same: list[int] = []
        self.refusals: dict[int, RuleError] = {}
        for number in sorted({*self.hands, *paper.sheets}):
            try:
                hand, sheet = self.hands.get(number), paper.sheets.get(number)
                if hand is None:
                    self._add(number, sheet or {})
                elif sheet is not None:
                    self._lay_over(hand, sheet)
                elif hand.struck_at is None:
                    self._pass(hand)
            except RuleError as refusal:
                # The others are read on without it, so that all is told at once.
                self.refusals[number] = refusal

    @property
    def result(self) -> PaperResult:
        return PaperResult(
            added=tuple(number for number in sorted(self.written) if number not in self.hands),
            changed=tuple(number for number in sorted(self.written) if number in self.hands),
            same=tuple(self.same),
        )

    def _before(self, number: int) -> Session:
        """Return the session a hand is played from, after what the paper has changed so far."""
        if self.session is not None:
            return self.session
        hand = self.hands.get(number)
        return self.table.resume_session(hand.session_before if hand else None)

    def _add(self, number: int, sheet: Sheet) -> None:
        """Take in a hand that is not there yet."""
        if number > MOST_HANDS or number < 1:
            raise number_unfit()
        progress = Progress.of_counts(
            self.table,
            hands_standing=self.standing,
            games_over=self.games_over,
            not_played=self.not_played,
            level=self.table.side_points is not None
            and self.table.level(self.table.side_points_of(self.marks.values())),
        )
        if progress.whole:
            raise round_full()
        if number - 1 not in {*self.hands, *self.paper.sheets, *self.paper.unread, 0}:
            raise Refused(
                "hand-missing",
                gettext_noop("The one before it is missing: write it down too, or delete it."),
            )
        written = HandEntry(
            number=number,
            sheet=sheet,
            dealer=self.table.chosen if number == self.table.coming_number else None,
            result_type=self.paper.result_type,
            reason=self.paper.reason,
        )
        self._count(number, self._score(written))
        self.standing += 1
        self.not_played += self.paper.result_type == self.table.never_played
        self.written[number] = written

    def _count(self, number: int, scored: Scored[Session]) -> None:
        """Go on with what a hand leaves, in place of what it left so far."""
        hand = self.hands.get(number)
        self.session = scored.session
        self.games_over += scored.ends_game - (hand is not None and hand.ends_game)
        self.marks[number] = scored.marks

    def _lay_over(self, hand: Hand, sheet: Sheet) -> None:
        """Read the sheet of a hand that is there: it says the same, or changes it."""
        if hand.struck_at is not None:
            raise Refused(
                "hand-struck",
                gettext_noop("This one was deleted; you can bring it back on its own page."),
            )
        before = self._before(hand.number)
        if "bare" not in hand.sheet and "bare" not in sheet:
            # What the paper does not ask stays: trumps, bids, cards shown.
            asides = {
                question.name: hand.sheet[question.name]
                for question in self.table.game.questions(before)
                if not question.required and question.name in hand.sheet
            }
            sheet = {**asides, **sheet}
        written = HandEntry(number=hand.number, sheet=sheet, dealer=hand.dealer)
        scored = self._score(written)
        if same_result(self.table.game.questions(before), scored.sheet, hand.sheet):
            self.same.append(hand.number)
            self._pass(hand)
            return
        if self.paper.seen.get(hand.number) != hand.accepted_report_id:
            raise Refused(
                "hand-otherwise",
                gettext_noop(
                    "Another result stands here already. Look at it before you write over it."
                ),
            )
        self._count(hand.number, scored)
        self.written[hand.number] = written

    def _score(self, written: HandEntry) -> Scored[Session]:
        scored: Scored[Session] = self.table.game.add_sheet(
            self._before(written.number), with_dealer(written.sheet, written.dealer)
        )
        return scored

    def _pass(self, hand: Hand) -> None:
        """Go on after a hand that stays, which is read again only where one before it changed."""
        if self.session is not None:
            self._count(hand.number, self._score(HandEntry.of(hand)))


def store_reading(
    reading: PaperReading, reason: str, by: Actor, *, at_table: bool = False
) -> PaperResult:
    """Store the hands of a reading without refusals, under the lock, and log it."""
    table, taken = reading.table, reading.result
    if not reading.written:
        return taken
    reports = {}
    for number in taken.added:
        sheet = reading.written[number].sheet
        report = NewReport(
            # Named after what it says, so that a paper is known again.
            entry=uuid5(table.uid, f"paper {number} {plain(sheet)}"),
            sitting_id=table.sitting_id,
            number=number,
            sheet=sheet,
            by=by,
            verdict=Verdict.ACCEPTED,
            answer={},
        )
        # The same may have been written down before, and something else since.
        report_id = add_report_unless_known(report) or add_report(replace(report, entry=uuid4()))
        reports[number] = report_id
    rewritten = rewrite(
        table, reading.all_hands, reading.written, by=by, reports=reports, at_table=at_table
    )
    log(
        by,
        "paper-written-down",
        **table.log_keys,
        hands=sorted(reading.written),
        numbers=rewritten.numbers,
        reason=reason,
    )
    return taken


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedLine:
    """A line of the file, with the hand and sheet it names, and its error if it has one."""

    line: int
    where: str
    as_written: str
    key: tuple[int, int] | None = None  # sitting and number
    sheet: Sheet | None = None
    error: str = ""
    new: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedFile:
    """A file that was read."""

    lines: tuple[ImportedLine, ...] = ()
    tables: Mapping[int, TableNow] = field(default_factory=dict)
    wrong: tuple[str, ...] = ()  # with the file as a whole
    stored: bool = False

    @property
    def errors(self) -> tuple[ImportedLine, ...]:
        """Return what is wrong, line by line; the file as a whole is line 1."""
        whole = tuple(
            ImportedLine(line=1, where="", as_written="", error=error) for error in self.wrong
        )
        return (*whole, *(line for line in self.lines if line.error))

    @property
    def new(self) -> int:
        return sum(line.new for line in self.lines)

    @property
    def papers(self) -> dict[int, Paper]:
        """Return the sheets of every table, by its sitting."""
        sheets: dict[int, dict[int, Sheet]] = defaultdict(dict)
        unread: dict[int, set[int]] = defaultdict(set)
        for line in self.lines:
            if line.key is None:
                continue
            sitting, number = line.key
            if line.sheet is None:
                unread[sitting].add(number)
            else:
                sheets[sitting][number] = line.sheet
        return {
            sitting: Paper(sheets=of_table, unread=frozenset(unread[sitting]))
            for sitting, of_table in sheets.items()
        }

    def refused(self, refusal: PaperRefused) -> "ImportedFile":
        """Return the file with what the rules say beside its lines."""

        def with_refusal(line: ImportedLine) -> ImportedLine:
            if line.key is None or line.error:
                return line
            sitting, number = line.key
            error = refusal.of(sitting).get(number)
            if error is None:
                return line
            names = self.tables[sitting].names_at(number)
            return replace(line, error=say(error, names))

        lines = tuple(map(with_refusal, self.lines))
        spoken = {line.key for line in lines if line.error}
        others = tuple(
            f"{whereabouts(table.round_number, table.number, number)}: "
            f"{say(error, table.names_at(number))}"
            for sitting, of_table in refusal.refusals.items()
            for table in [self.tables[sitting]]
            for number, error in of_table.items()
            if (sitting, number) not in spoken
        )
        return replace(self, lines=lines, wrong=(*self.wrong, *others))


def take_in(file: ImportedFile, *, keep: bool, by: Actor) -> ImportedFile:
    """Try a file of results and return what came of it; store it if *keep* and without errors."""
    keep = keep and not file.errors
    try:
        taken = write_down(file.papers, reason=_("HandEntry down from a file"), by=by, keep=keep)
    except PaperRefused as refused:
        return file.refused(refused)
    added = {(sitting, number) for sitting, of in taken.items() for number in of.added}
    lines = tuple(replace(line, new=line.key in added) for line in file.lines)
    return replace(file, lines=lines, stored=keep)


def whereabouts(round_: int, table: int, hand: int) -> str:
    """Say which hand a line speaks of."""
    return _("Round %(round)d, table %(table)d, no. %(hand)d") % {
        "round": round_,
        "table": table,
        "hand": hand,
    }
