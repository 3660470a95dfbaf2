"""View model of the table page: its hands so far, and what a phone may do about them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import takewhile

from django.utils.translation import gettext

from games.game import Session
from tracker.common.audit_log import last_entry
from tracker.common.figures import figure
from tracker.common.wording import Names, say
from tracker.models import Hand, Issue, IssueKind, Round, RoundState
from tracker.models.hands import TO_SETTLE_FIRST
from tracker.results.queries.hand_details import HandDetails, hand_details, sums_by_side
from tracker.results.queries.issues import IssueDetails, issue_details, open_issues
from tracker.tables.table_now import TableNow, game_number_text

# A closed round's addresses lie about on phones: once nobody stands in front of them, they tell
# nothing any more but where to go. A table looks at its last hands for as long as this.
OVER_IN_PLAY_AFTER = timedelta(minutes=30)  # while a later round is played
OVER_AFTER = timedelta(hours=12)


@dataclass(frozen=True, slots=True)
class Beside:
    """A note beside a name: a few words, and tokens drawn as dots, held or paid."""

    words: str
    dots: tuple[bool, ...] = ()


@dataclass(frozen=True, slots=True)
class SideNow:
    """A side: its letter, its people in the order they sit, and what it has so far."""

    letter: str
    name: str
    score: str
    beside: Beside | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePage:
    """A table as its people see it before a hand."""

    table: TableNow
    names: Names
    session: Session
    hands: tuple[HandDetails, ...]
    undone: HandDetails | None  # the coming hand as it was before its table undid it
    issues: tuple[IssueDetails, ...]
    call: Issue | None  # for the organiser, if one is open
    sides: tuple[SideNow, ...]
    score_label: str  # what is counted beside the names
    score_means: str  # in a few words; empty where the label says it
    notes: str
    leader: str
    instead: tuple[tuple[int, str], ...]  # who may deal instead: place and name

    @property
    def number(self) -> int:
        """Return the number of the coming hand."""
        return self.table.coming_number

    @property
    def called(self) -> str:
        """Return what the coming hand is called."""
        return self.table.numbered(self.number)

    @property
    def called_of(self) -> str:
        """Return what the coming hand is called, and of how many it is one."""
        return self.table.numbered_of(self.number)

    @property
    def where_parts(self) -> list[str]:
        """Return which round this is, and which hand of how many; no part is to break over two lines."""
        round_ = self.table.round
        parts = [round_.called, self.called_of if self.state == "open" else gettext("finished")]
        if self.state == "open" and (game := game_number_text(round_, self.table.games_over)):
            parts.insert(1, game)
        return parts

    @property
    def state(self) -> str:
        """Return ``closed``, ``done`` when the round has no more hands here, or ``open``."""
        if self.table.closed:
            return "closed"
        return "done" if self.table.finished else "open"

    @property
    def all_in(self) -> str:
        """Return the sentence for a table that has played everything, or plays no more."""
        played, hands = self.table.hands_standing, self.table.round.hands
        words = {"number": played, "all": hands, "many": self.many, "one": self.table.one}
        if self.unplayed:
            words |= {"number": self.table.round_number, "not": len(self.unplayed)}
            words["played"] = played - len(self.unplayed)
            return (
                gettext("Round %(number)d is finished: %(played)d %(many)s played, %(not)d not.")
                % words
            )
        fewer = self.table.closed and hands is not None and played < hands
        late = any(issue.row.kind == IssueKind.LATE for issue in self.waiting)
        if played == 0:
            said = gettext("No %(many)s count yet") if late else gettext("No %(many)s are in")
            return said % words
        if fewer and late:
            return gettext("%(number)d of %(all)d %(many)s count so far") % words
        if fewer:
            return gettext("%(number)d of %(all)d %(many)s are in") % words
        if played == 1:
            return gettext("The %(one)s is in") % words
        return gettext("All %(number)d %(many)s are in") % words

    @property
    def unplayed(self) -> tuple[HandDetails, ...]:
        """Return the hands at the end of a closed round that were recorded as not played."""
        kind = self.table.never_played
        never = takewhile(lambda hand: hand.row.result_type == kind, reversed(self.hands))
        return tuple(never)[::-1] if self.table.closed and self.table.round.games is None else ()

    @property
    def played(self) -> tuple[HandDetails, ...]:
        return self.hands[: len(self.hands) - len(self.unplayed)]

    @property
    def many(self) -> str:
        """Return what several of them are called."""
        return gettext(self.table.game.unit.many)

    @property
    def conflicts(self) -> tuple[IssueDetails, ...]:
        return tuple(issue for issue in self.issues if issue.is_conflict)

    @property
    def waiting(self) -> tuple[IssueDetails, ...]:
        """Return what the organiser has to settle."""
        return tuple(issue for issue in self.issues if not issue.is_conflict)

    @property
    def queried(self) -> frozenset[int]:
        return frozenset(m.row.number for m in self.issues if m.row.kind == IssueKind.QUERY)

    def hand(self, number: int) -> HandDetails | None:
        """Return the hand with this number, if it has been played."""
        return next((hand for hand in self.hands if hand.number == number), None)

    def names_of(self, number: int) -> Names:
        """Return the names of those who played this hand, or play the coming one."""
        hand = self.hand(number)
        return self.names if hand is None else hand.names

    def session_of(self, number: int) -> Session:
        """Return the session from which this hand was played, or the coming one is."""
        hand = self.hand(number)
        return self.session if hand is None else hand.before


def table_page(table: TableNow) -> TablePage:
    """Return the page of a table that was found already, in three more queries."""
    all_hands, waiting = hand_details(table), open_issues(table)
    hands = [hand for hand in all_hands if hand.number <= table.last_number]
    coming = table.coming_number
    game, names = table.game, table.coming_names
    session = table.coming_session()
    leading = game.ranking(table.options, table.partners_change)[0]
    beside = besides(table, session, names)
    scores = [
        figure(leading.value(sums), percent=leading.percent) for sums in sums_by_side(table, hands)
    ]
    notes = game.notes(session).table
    # What a column of the standing that counts the same says of itself.
    columns = game.columns(table.options)
    means = next((column.meaning for column in columns if column.key == leading.key), "")
    return TablePage(
        table=table,
        names=names,
        session=session,
        hands=tuple(hands),
        undone=next((hand for hand in all_hands if hand.number == coming), None),
        issues=issue_details(table, hands, waiting),
        call=next((issue for issue in waiting if issue.kind == IssueKind.CALL), None),
        sides=tuple(
            SideNow(letter, name, score, beside.get(seats[0]))
            for letter, name, score, seats in zip(
                table.mode.letters, names.sides, scores, table.mode.sides, strict=True
            )
        ),
        score_label=say(leading.label, names),
        score_means=say(means, names) if means else "",
        notes=say(notes, names) if notes is not None else "",
        leader=names.at(session.leader),
        instead=tuple(
            (place, names.at(place)) for place in table.may_deal if place != table.coming_dealer
        ),
    )


def is_over(table: TableNow, now: datetime) -> bool:
    """Say whether the page of a table that has closed has expired by now, in two queries."""
    undone = table.round.state == RoundState.UNDONE
    closed_at = table.round.opened_at if undone else table.round.closed_at
    if closed_at is None or now - closed_at < OVER_IN_PLAY_AFTER:
        return False
    later = Round.objects.filter(
        tournament=table.tournament_id, state=RoundState.OPEN, number__gt=table.round_number
    )
    return now - closed_at >= OVER_AFTER or later.exists()


def besides(table: TableNow, session: Session, names: Names) -> dict[int, Beside]:
    """Return what the game likes to see beside each name, by seat."""
    beside: dict[int, Beside] = {}
    for seat, text in enumerate(table.game.notes(session).seats):
        if text is not None:
            dots = text.params.get("dots")
            drawn = tuple(dot == "●" for dot in dots) if isinstance(dots, str) else ()
            beside[seat] = Beside(say(text, names), drawn)
    return beside


TAKEN_BACK, BROUGHT_BACK = "hand-taken-back", "hand-brought-back"


@dataclass(frozen=True, slots=True)
class LastHand:
    """What a phone may do with the last hand of its table, by number; 0 is none.

    It may ``change`` what it sent, ``take`` back what its side did, and ``bring`` that back.
    """

    number: int = 0
    change: int = 0
    take: int = 0
    bring: HandDetails | None = None


def last_hand(
    table: TableNow, hands: Sequence[HandDetails], *, device: str, side: int | None
) -> LastHand:
    """Return what a phone that speaks for *side* may do, in one query where a hand is struck."""

    def sent_here(hand: HandDetails) -> bool:
        return bool(device) and hand.device == device

    def is_own(hand: HandDetails) -> bool:
        return sent_here(hand) or (side is not None and hand.side == side)

    standing = next((hand for hand in reversed(hands) if not hand.struck), None)
    number = standing.number if standing else 0
    if table.closed:
        return LastHand(number)
    # Of several the one that was taken back last: the first of them.
    gone = next((hand for hand in hands if hand.number > number), None)
    return LastHand(
        number=number,
        change=number if standing and sent_here(standing) else 0,
        take=number if standing and is_own(standing) else 0,
        bring=gone if gone and is_own(gone) and was_taken_back(table, gone.row) else None,
    )


def was_taken_back(table: TableNow, hand: Hand) -> bool:
    """Say whether its own table struck this hand, and not the organiser, in one query."""
    if hand.struck_at is None:
        return False
    on = {"sitting": table.sitting_id, "hand": hand.number}
    taken = last_entry(TAKEN_BACK, club_id=table.club_id, **on)
    # The clock of whoever waited for the lock may have been behind.
    return taken is not None and hand.struck_at == max(taken.at, hand.recorded_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirming:
    """What a phone is asked where both sides must agree.

    ``asks_side`` before anything else, once, for whom it speaks; ``to_answer`` are the hands
    that another side wrote down, and ``waiting`` those of its own.
    """

    asks_side: bool
    speaks_for: str
    to_answer: tuple[HandDetails, ...]
    waiting: tuple[HandDetails, ...]


def confirming(page: TablePage, *, device: str, side: int | None, asked: bool) -> Confirming | None:
    """Return what a phone that speaks for *side* is asked; *asked* says that it was asked which."""
    table = page.table
    if not table.needs_both or table.closed:
        return None
    unconfirmed = unconfirmed_among(table, page.hands, page.issues)
    side = side if side in range(len(table.mode.sides)) else None
    others = [
        hand
        for hand in unconfirmed
        if side is not None
        and hand.side not in {None, side}
        and (not device or device != hand.device)
    ]
    return Confirming(
        asks_side=not asked,
        speaks_for="" if side is None else page.names.of(side),
        to_answer=tuple(others),
        waiting=tuple(hand for hand in unconfirmed if hand not in others),
    )


def unconfirmed_among(
    table: TableNow, hands: Iterable[HandDetails], issues: Iterable[IssueDetails]
) -> list[HandDetails]:
    """Return the unconfirmed ones of the given hands, as ``Hand.objects.unconfirmed`` does."""
    if not table.needs_both:
        return []
    to_settle = {issue.row.number for issue in issues if issue.row.kind in TO_SETTLE_FIRST}
    return [
        hand
        for hand in hands
        if hand.row.confirmed_at is None
        and not hand.struck
        and not hand.row.result_type
        and hand.number not in to_settle
    ]
