"""Results without the hands behind them: so many won each, a walkover, void, not played."""

from collections.abc import Sequence

from django.db import transaction

from games.errors import gettext_noop
from games.sheet import VOID, Sheet, plain
from tracker.common.actor import Actor
from tracker.common.errors import Refused
from tracker.models import ResultType, Sitting
from tracker.results.services.paper import Paper, PaperReading, PaperResult, store_reading
from tracker.results.services.submissions import MOST_HANDS, check_open
from tracker.tables.locks import lock_table
from tracker.tables.replay import hands_by_number
from tracker.tables.table_now import TableNow
from tracker.tables.writing import paced_until


def record_wins(
    *, token: str, first: int, wins: Sequence[int], ties: int, by: Actor
) -> PaperResult:
    """Record how many hands each side won, from hand *first* on, where nothing more is known.

    Each becomes a bare hand, the winner's own the last: a match that was won ends with
    the deal that won it. Sent again, it says the same.

    :raises Refused: ``token-unknown``, ``token-revoked``, ``round-closed``, ``wins-none``,
        ``too-many-reports``, or what the first hand that cannot be is refused with.
    """
    with transaction.atomic():
        table = lock_table(token=token)
        check_open(table, gettext_noop("This round has closed: tell the organiser the result."))
        sheets = won_so_often(wins, ties)
        if not sheets:
            raise Refused("wins-none", gettext_noop("Say how many each side won."), question="won")
        new = max(0, first + len(sheets) - 1 - table.last_number)
        until = paced_until(table, by.at, hands=new)
        paper = Paper(sheets=dict(enumerate(sheets, start=first)))
        taken = _keep(table, paper, by, at_table=True)
        Sitting.objects.filter(pk=table.sitting_id).update(paced_until=until)
        return taken


def record_result_only(
    *,
    sitting_id: int,
    result_type: ResultType,
    bare: object,
    times: int | None,
    reason: str,
    by: Actor,
    first: int | None = None,
) -> PaperResult:
    """Let the coming hands of a table stand without having been played out, and say why.

    A walkover or a result that is assigned gives what *bare* says, the other two count
    for nothing. Without *times* all that the round still wants stands like that. Sent again
    for the same *first* hand, it says the same.

    :raises SheetError: if the rules cannot read *bare*.
    :raises Refused: ``times-missing`` where the round has no end, ``round-full``, or
        ``hand-otherwise`` if another hand than *first* is the coming one by now.
    """
    counts = result_type in {ResultType.WALKOVER, ResultType.ASSIGNED}
    sheet: Sheet = {"bare": bare if counts else VOID}
    with transaction.atomic():
        table = lock_table(sitting_id=sitting_id)
        if first is not None and first != table.coming_number:
            # The hands from there on are named where just this was written down as them before.
            hands = hands_by_number(table.sitting_id)
            end = table.last_number if times is None else min(table.last_number, first + times - 1)
            numbers = tuple(range(first, end + 1))
            # Fewer than were asked for are written down where the round ends with them.
            enough = len(numbers) == times or table.progress.whole
            same = all(
                hand.struck_at is None
                and hand.result_type == result_type
                and plain(hand.accepted_report.sheet) == plain(sheet)
                for hand in map(hands.__getitem__, numbers)
            )
            if not (numbers and enough and same):
                raise Refused(
                    "hand-otherwise",
                    gettext_noop("Something else has come in meanwhile. Look at the table first."),
                )
            return PaperResult(same=numbers)
        endless = table.hands is None and (table.games is None or sheet["bare"] == VOID)
        if times is None and endless:
            raise Refused(
                "times-missing",
                gettext_noop("Say how many: this round does not end by itself."),
                question="times",
            )
        last = min(MOST_HANDS, table.last_number + (times or MOST_HANDS))
        coming = range(table.coming_number, last + 1)
        paper = Paper(sheets=dict.fromkeys(coming, sheet), result_type=result_type, reason=reason)
        return _keep(table, paper, by)


def won_so_often(wins: Sequence[int], ties: int) -> list[Sheet]:
    """Return a bare sheet for every hand: ties first, and who won most last.

    >>> won_so_often([3, 1], 0)
    [{'bare': 1}, {'bare': 0}, {'bare': 0}, {'bare': 0}]
    """
    rising = sorted(range(len(wins)), key=lambda side: wins[side])
    return [
        *({"bare": None} for _ in range(ties)),
        *({"bare": side} for side in rising for _ in range(wins[side])),
    ]


def _keep(table: TableNow, paper: Paper, by: Actor, *, at_table: bool = False) -> PaperResult:
    """Keep a paper under the lock; of hands that were not played, as many as the round wants.

    :raises RuleError: what the first hand that cannot be is refused with.
    """
    reading = PaperReading(table, hands_by_number(table.sitting_id), paper)
    if reading.refusals:
        first = reading.refusals[min(reading.refusals)]
        if not (paper.result_type and reading.written and first.code == "round-full"):
            raise first
    return store_reading(reading, paper.reason, by, at_table=at_table)
