"""Hands in words: every hand of a table, with the session it was played from."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext, gettext_noop

from games.game import Session
from games.sheet import VOID, Sheet, side_marks
from tracker.common.sheet_lines import totals
from tracker.common.wording import Names, say
from tracker.ledger.table import TableNow
from tracker.ledger.warnings import warning_from_json
from tracker.models import Hand, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class HandDetails:
    """A hand as it is now, with the session it was played from and the sentences about it."""

    number: int
    called: str
    sheet: Sheet
    before: Session
    marks: Sequence[Mapping[str, int]] | None
    names: Names
    dealer: str  # empty where nobody knows
    totals: str
    headline: str
    why: str
    warnings: tuple[str, ...]
    kind: str
    result_type: str  # why it was not played out, if it was not
    reason: str
    struck_at: datetime | None
    confirmed_at: datetime | None
    badge: str  # whether it was corrected or confirmed
    recorded_at: datetime
    report: int  # that stands
    side: int | None
    device: str

    @property
    def struck(self) -> bool:
        return self.struck_at is not None

    @property
    def result(self) -> str:
        """Return what it came to, in a line."""
        return ", ".join(filter(None, [self.totals, self.headline]))

    @property
    def void(self) -> bool:
        """Return whether the hand counts for nothing without having been struck."""
        return not self.struck and self.sheet.get("bare") == VOID

    @property
    def reporter(self) -> str:
        """Return the side that wrote it down, if the phone said so."""
        return "" if self.side is None else self.names.of(self.side)


def hand_details(table: TableNow) -> list[HandDetails]:
    """Return every hand of the table, in one query."""
    hands = Hand.objects.filter(sitting=table.sitting_id).select_related("accepted_report")
    return [_details(table, hand) for hand in hands.order_by("number")]


def details_by_table(tables: Sequence[TableNow]) -> dict[int, list[HandDetails]]:
    """Return every hand of these tables, by the keys of their sittings, in one query."""
    known: dict[int, list[HandDetails]] = {table.sitting_id: [] for table in tables}
    by_key = {table.sitting_id: table for table in tables}
    hands = Hand.objects.filter(sitting__in=by_key).select_related("accepted_report")
    for hand in hands.order_by("number"):
        known[hand.sitting_id].append(_details(by_key[hand.sitting_id], hand))
    return known


def sums_by_side(table: TableNow, hands: Iterable[HandDetails]) -> list[dict[str, int]]:
    """Return what each side of the table has gathered here, by mark."""
    sums: list[dict[str, int]] = [{} for _side in table.mode.sides]
    for hand in hands:
        if hand.struck or hand.marks is None:
            continue
        for side, seats in enumerate(table.mode.sides):
            for key, amount in side_marks(hand.marks, seats, table.game.seat_scoped).items():
                sums[side][key] = sums[side].get(key, 0) + amount
    return sums


def _details(table: TableNow, hand: Hand) -> HandDetails:
    names, game = table.names_at(hand.number), table.game
    before = table.resume_session(hand.session_before)
    struck = hand.struck_at is not None
    why = None if struck else game.explain(before, hand.sheet)
    headline = gettext_noop("Deleted") if struck else game.headline(before, hand.sheet)
    badge = gettext("confirmed") if hand.confirmed_at else ""
    if hand.accepted_report.verdict == Verdict.CORRECTION and not hand.result_type:
        badge = gettext("corrected")
    return HandDetails(
        number=hand.number,
        called=table.numbered(hand.number),
        sheet=hand.sheet,
        before=before,
        marks=hand.marks,
        names=names,
        dealer="" if hand.dealer is None else names.at(hand.dealer),
        totals=totals(game, before, hand.sheet),
        headline=say(headline, names),
        why=say(why, names) if why is not None else "",
        warnings=tuple(say(warning_from_json(warning).text, names) for warning in hand.warnings),
        kind=hand.kind,
        result_type=hand.get_result_type_display() if hand.result_type else "",
        reason=gettext(hand.reason) if hand.reason else "",
        struck_at=hand.struck_at,
        confirmed_at=hand.confirmed_at,
        badge=badge,
        recorded_at=hand.recorded_at,
        report=hand.accepted_report_id,
        side=hand.accepted_report.side,
        device=hand.accepted_report.device,
    )
