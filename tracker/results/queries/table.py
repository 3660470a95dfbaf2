"""View model of the table page: its hands, issues and scores so far, the same for every phone.

The *coming* hand is the one that the page asks for next. An *issue* waits for a person. A conflict
(two counts of one hand) the table may settle itself. The others are for the organiser: a *call* for
help, a *query* (a player questions a result), a late result.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from django.utils.translation import gettext

from games.game import Session
from tracker.common.audit_log import last_entry
from tracker.common.figures import figure
from tracker.common.wording import Names, say
from tracker.models import Hand, Issue, IssueKind
from tracker.models.hands import TO_SETTLE_FIRST
from tracker.results.queries.hand_details import HandDetails, hand_details, sums_by_side
from tracker.results.queries.issues import IssueDetails, issue_details, open_issues
from tracker.tables.sql import has_open_issues
from tracker.tables.table_now import TableNow, game_number_text

# Verbs of the log.
TAKEN_BACK, BROUGHT_BACK = "hand-taken-back", "hand-brought-back"


@dataclass(frozen=True, slots=True)
class SeatNote:
    """A note of the game beside a player's name: a few words, and tokens as dots."""

    words: str
    dots: tuple[bool, ...] = ()  # for each token whether the player still holds it


@dataclass(frozen=True, slots=True)
class SideNow:
    """A side: the players who score together, or one player where everybody plays alone."""

    letter: str
    name: str  # of its people, in the order they sit
    score: str  # so far
    beside: SeatNote | None  # of its first player


@dataclass(frozen=True, kw_only=True)
class TablePage:
    """A table as its people see it before a hand."""

    table: TableNow
    names: Names
    session: Session  # from which the coming hand is played: dealer, tokens, match
    hands: tuple[HandDetails, ...]
    undone: HandDetails | None  # the coming hand as it was before its table undid it, if it did
    issues: tuple[IssueDetails, ...]  # the open ones about hands
    call: Issue | None  # the open call for the organiser, if there is one
    sides: tuple[SideNow, ...]
    score_label: str  # what is counted beside the names
    score_means: str  # in a few words; empty where the label says it
    notes: str  # of the game about the whole table
    leader: str  # the name of the player who plays first
    instead: tuple[tuple[int, str], ...]  # place and name of others who may deal the coming hand

    @property
    def number(self) -> int:
        """Return the number of the coming hand."""
        return self.table.coming_number

    @property
    def called(self) -> str:
        return self.table.numbered(self.number)

    @property
    def called_of(self) -> str:
        """Return what the coming hand is called, and of how many it is one."""
        return self.table.numbered_of(self.number)

    @property
    def where_parts(self) -> list[str]:
        """Return the round and the hand, in parts that the page keeps on one line each."""
        round_ = self.table.round
        parts = [round_.called, self.called_of if self.state == "open" else gettext("finished")]
        if self.state == "open" and (game := game_number_text(round_, self.table.games_over)):
            parts.insert(1, game)
        return parts

    @property
    def state(self) -> str:
        """Return ``closed``, ``done`` when the round has no more hands here, or ``open``."""
        if not self.table.takes_reports:
            return "closed"
        return "done" if self.table.finished else "open"

    @property
    def all_in(self) -> str:
        """Return the sentence for a table with all its hands played, or of a closed round."""
        results, hands = self.table.hands_standing, self.table.round.hands
        if unplayed := len(self.unplayed):
            params = {"number": self.table.round_number, "many": self.many}
            params |= {"played": results - unplayed, "not": unplayed}
            template = gettext(
                "Round %(number)d is finished: %(played)d %(many)s played, %(not)d not."
            )
            return template % params
        params = {"number": results, "all": hands, "many": self.many, "one": self.table.one}
        some_lack = not self.table.takes_reports and hands is not None and results < hands
        some_are_late = any(issue.row.kind == IssueKind.LATE for issue in self.waiting)
        match results, some_lack, some_are_late:
            case 0, _, True:
                template = gettext("No %(many)s count yet")
            case 0, _, False:
                template = gettext("No %(many)s are in")
            case _, True, True:
                template = gettext("%(number)d of %(all)d %(many)s count so far")
            case _, True, False:
                template = gettext("%(number)d of %(all)d %(many)s are in")
            case 1, _, _:
                template = gettext("The %(one)s is in")
            case _:
                template = gettext("All %(number)d %(many)s are in")
        return template % params

    @property
    def unplayed(self) -> tuple[HandDetails, ...]:
        """Return the last hands of a closed round that were not played; none if it counts games."""
        if self.table.takes_reports or self.table.round.games is not None:
            return ()
        not_played = self.table.not_played_type
        latest = takewhile(lambda hand: hand.row.result_type == not_played, reversed(self.hands))
        return tuple(latest)[::-1]

    @property
    def played(self) -> tuple[HandDetails, ...]:
        """Return the hands before the ``unplayed`` ones."""
        return self.hands[: len(self.hands) - len(self.unplayed)]

    @property
    def many(self) -> str:
        """Return the game's word for hands, within a sentence: "deals"."""
        return gettext(self.table.game.unit.many)

    @property
    def conflicts(self) -> tuple[IssueDetails, ...]:
        return tuple(issue for issue in self.issues if issue.is_conflict)

    @property
    def waiting(self) -> tuple[IssueDetails, ...]:
        """Return the issues for the organiser."""
        return tuple(issue for issue in self.issues if not issue.is_conflict)

    @cached_property
    def unconfirmed(self) -> list[HandDetails]:
        """Return the hands that another side has yet to confirm."""
        return unconfirmed_among(self.table, self.hands, self.issues)

    @property
    def queried(self) -> frozenset[int]:
        """Return the numbers of the hands that a player has questioned."""
        queries = (issue.row for issue in self.issues if issue.row.kind == IssueKind.QUERY)
        return frozenset(query.number for query in queries)

    @cached_property
    def devices(self) -> frozenset[str]:
        """Return the names of the phones that have sent what the page shows."""
        hands = [*self.hands, *filter(None, [self.undone])]
        counts = [count for issue in self.issues for count in (issue.standing, issue.other)]
        of_counts = {count.device for count in counts if count}
        return frozenset({hand.device for hand in hands} | of_counts) - {""}

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
        return self.session if hand is None else hand.session_before


def table_page(table: TableNow) -> TablePage:
    """Return the page of a table, in three queries, or four if anything is open there."""
    all_hands = hand_details(table)
    # Rarely: and to ask whether takes a tenth of the time.
    issues = open_issues(table) if has_open_issues(table.sitting_id) else []
    hands = [hand for hand in all_hands if hand.number <= table.last_number]
    coming = table.coming_number
    game, names = table.game, table.coming_names
    session = table.coming_session()
    # The score is the figure by which the standings rank first; the column of the standings with
    # the same key has an explanation of it.
    criterion = game.ranking(table.options, table.partners_change)[0]
    notes = seat_notes(table, session, names)
    scores = [
        figure(criterion.value(sums), percent=criterion.percent)
        for sums in sums_by_side(table, hands)
    ]
    columns = game.columns(table.options)
    meaning = next((column.meaning for column in columns if column.key == criterion.key), "")
    return TablePage(
        table=table,
        names=names,
        session=session,
        hands=tuple(hands),
        undone=next((hand for hand in all_hands if hand.number == coming), None),
        issues=issue_details(table, hands, issues),
        call=next((issue for issue in issues if issue.kind == IssueKind.CALL), None),
        sides=tuple(
            SideNow(letter, name, score, notes.get(seats[0]))
            for letter, name, score, seats in zip(
                table.mode.letters, names.sides, scores, table.mode.sides, strict=True
            )
        ),
        score_label=say(criterion.label, names),
        score_means=say(meaning, names),
        notes=say(game.notes(session).table, names),
        leader=names.at(session.leader),
        instead=tuple(
            (place, names.at(place)) for place in table.may_deal if place != table.coming_dealer
        ),
    )


def seat_notes(table: TableNow, session: Session, names: Names) -> dict[int, SeatNote]:
    """Return the notes of the game beside the players' names, keyed by place."""
    notes: dict[int, SeatNote] = {}
    for seat, text in enumerate(table.game.notes(session).seats):
        if text is not None:
            dots = text.params.get("dots")  # as text: "●●○"
            held = tuple(dot == "●" for dot in dots) if isinstance(dots, str) else ()
            notes[seat] = SeatNote(say(text, names), held)
    return notes


def was_taken_back(table: TableNow, hand: Hand) -> bool:
    """Return whether the table itself undid this hand, and not the organiser, in one query.

    That is so if the hand was struck at the time of the log's last entry about such an undo.
    """
    if hand.struck_at is None:
        return False
    on = {"sitting": table.sitting_id, "hand": hand.number}
    undo = last_entry(TAKEN_BACK, club_id=table.club_id, **on)
    # Trap: a request that waited for the lock may have read the clock before the hand was stored.
    # The hand is then struck at the time it was recorded: see ``replay``.
    return undo is not None and hand.struck_at == max(undo.at, hand.recorded_at)


def unconfirmed_among(
    table: TableNow, hands: Iterable[HandDetails], issues: Iterable[IssueDetails]
) -> list[HandDetails]:
    """Return the hands to confirm among these: the same as ``Hand.objects.unconfirmed`` finds."""
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
