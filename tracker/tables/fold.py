"""The fold: a table's sheets read one after another, from the first that changes.

Every hand keeps the session it was played from, so that nobody reads those before it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from games.errors import SheetError
from games.game import Session
from games.sheet import Scored, Sheet, plain
from tracker.common.errors import Refused
from tracker.models import Hand
from tracker.tables.table import TableNow
from tracker.tables.tallies import Counted, Tallied, standing_hands, tallied
from tracker.tables.warnings import warning_to_json, without_words
from tracker.tables.writing import kind_of, same_result, with_dealer


class ReplayRefused(Refused):
    """Refusal of a change because hand ``number`` cannot follow it; nothing was stored."""

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
    """What is written for a hand, to be folded. The dealer is a fact even if the sheet is new."""

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
    def of(cls, hand: Hand) -> "Written":
        """Return what is written down for a stored hand."""
        return cls(
            number=hand.number,
            sheet=hand.sheet,
            dealer=hand.dealer,
            struck=hand.struck_at is not None,
            result_type=hand.result_type,
            reason=hand.reason,
        )


@dataclass(frozen=True, slots=True)
class Folded:
    """A hand as the fold reads it: the session before it and, unless it is struck, its score."""

    before: Session
    scored: Scored[Session] | None


@dataclass(frozen=True, kw_only=True)
class Fold:
    """A table's hands as they would stand after some changes, beside those that do.

    Only the hands from the first changed one on are read; the others stand as they do.
    """

    table: TableNow
    hands: Mapping[int, Hand]  # that stand now, by number
    written: Mapping[int, Written]  # all that are to stand, struck ones too
    changed: frozenset[int]
    folded: Mapping[int, Folded]  # from the first changed one on
    session: Session  # after the last

    @property
    def last_number(self) -> int:
        """Return the last number in use.

        An undone last hand frees its number, unless a player took over a seat after it or an
        earlier version of Kula counted it as used.
        """
        now = self.table.last_number
        struck = [n for n, hand in self.hands.items() if n <= now and hand.struck_at is not None]
        came_after = max(stint.from_hand for stint in self.table.stints) - 1
        return max([came_after, *self.standing, *struck])

    @cached_property
    def standing(self) -> tuple[int, ...]:
        """Return the numbers of the hands that are not struck."""
        return tuple(number for number, stands in self.written.items() if not stands.struck)

    @property
    def counts(self) -> dict[str, int]:
        """Return what ``Progress`` is worked out from."""
        types = [self.written[number].result_type for number in self.standing]
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
        """Return what each side of a match of a bracket would have."""
        if self.table.side_points is None:
            return None
        return self.table.side_points_of(hand.marks for hand in self.counted)

    @property
    def scored(self) -> dict[int, Scored[Session]]:
        """Return the scores of the hands that were read, by number, the struck ones left out."""
        return {
            number: each.scored for number, each in self.folded.items() if each.scored is not None
        }

    @cached_property
    def difference(self) -> Tallied:
        """Return by how much the tallies would move."""
        stored = tallied(standing_hands(self.hands.values()), self.table)
        return tallied(self.counted, self.table).less(stored)

    @property
    def counted(self) -> list[Counted]:
        """Return what is tallied of the hands as they would stand."""
        unread = (hand for number, hand in self.hands.items() if number not in self.folded)
        return [
            *standing_hands(unread),
            *(
                Counted(number, scored.sheet["dealer"], scored.marks, self.written[number].played)
                for number, scored in self.scored.items()
            ),
        ]

    @property
    def moves_no_mark(self) -> bool:
        """Say whether every hand gives what it gives now."""
        return all(
            as_stored(scored)["marks"] == self.hands[number].marks
            for number, scored in self.scored.items()
        )

    @property
    def changes_nothing(self) -> bool:
        """Return whether every changed hand is stored already as the change would leave it."""
        for number in self.changed:
            hand, stands = self.hands.get(number), self.written[number]
            if (
                hand is None
                or stands.struck != (hand.struck_at is not None)
                or stands.result_type != hand.result_type
                or {"sheet", "dealer"} & differing(self, number).keys()
            ):
                return False
        return True


def hands_of(sitting_id: int) -> dict[int, Hand]:
    """Return all hands of a sitting by number, with the reports that were accepted."""
    hands = Hand.objects.filter(sitting=sitting_id).select_related("accepted_report")
    return {hand.number: hand for hand in hands.order_by("number")}


def last_standing(hands: Mapping[int, Hand]) -> int:
    """Return the number of the last hand that is not struck, 0 where there is none."""
    return max((number for number, hand in hands.items() if hand.struck_at is None), default=0)


def fold(
    table: TableNow,
    hands: Mapping[int, Hand],
    changes: Mapping[int, Written],
    *,
    first: int | None = None,
) -> Fold:
    """Return how a table would stand with these changes; nothing is written.

    It is read from the first change on, or from hand *first*.

    :raises SheetError: if the first of the changes is itself refused.
    :raises ReplayRefused: if a later hand is, with its number.
    """
    written = {number: Written.of(hand) for number, hand in hands.items()} | dict(changes)
    start = min(changes) if first is None else first
    if start <= 1:
        session = table.opening_session()
    elif start in hands:
        session = table.resume_session(hands[start].session_before)
    else:
        session = table.resume_session()
    folded: dict[int, Folded] = {}
    for number in sorted(number for number in written if number >= start):
        stands = written[number]
        if stands.struck:
            folded[number] = Folded(session, None)
            continue
        try:
            scored = table.game.add_sheet(session, with_dealer(stands.sheet, stands.dealer))
        except SheetError as refusal:
            if changes and number == min(changes):
                raise
            raise ReplayRefused(refusal, number) from refusal
        folded[number] = Folded(session, scored)
        session = scored.session
    return Fold(
        table=table,
        hands=hands,
        written=written,
        changed=frozenset(changes),
        folded=folded,
        session=session,
    )


def says_the_same(table: TableNow, session: Session, sheet: Sheet, stands: Sheet) -> bool:
    """Say whether a sheet comes to the result that stands; without a dealer it means that one's.

    :raises SheetError: if no such hand could be played from this *session*.
    """
    scored = table.game.add_sheet(session, with_dealer(sheet, stands["dealer"]))
    return same_result(table.game.questions(session), scored.sheet, stands)


def as_stored(scored: Scored[Session]) -> dict[str, Any]:
    """Return the fields of a hand that store its score, as read back from the database."""
    return {
        "sheet": plain(scored.sheet),
        "dealer": scored.sheet["dealer"],
        "marks": None if scored.marks is None else [dict(marks) for marks in scored.marks],
        "kind": kind_of(scored.sheet).value,
        "warnings": plain([warning_to_json(warning) for warning in scored.warnings]),
        "ends_game": scored.ends_game,
    }


def differing(fold_: Fold, number: int) -> dict[str, Any]:
    """Return the fields in which a stored hand differs from the fold, with the fold's values.

    The same warning in other words is no difference: an earlier version may have worded it so.
    """
    hand, each = fold_.hands[number], fold_.folded[number]
    made: dict[str, Any] = {"session_before": plain(fold_.table.game.save_session(each.before))}
    if each.scored is not None:
        made |= as_stored(each.scored)
    differs = {name: value for name, value in made.items() if getattr(hand, name) != value}
    if without_words(differs.get("warnings", [])) == without_words(hand.warnings):
        differs.pop("warnings", None)
    return differs
