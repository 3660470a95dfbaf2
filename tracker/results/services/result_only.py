"""Results without sheets: hands won by each side, walkovers, assigned, void or unplayed hands.

Each hand is stored with a *bare* sheet, which tells only who won: ``{"bare": side}``, with ``None``
for a tie, and ``VOID`` for a hand that counts for nobody. They are stored as a ``Paper``, like the
sheets that a table wrote on paper; a ``PaperReading`` compares them with the hands stored before.
"""

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


@transaction.atomic
def record_wins(
    *, token: str, first: int, wins: Sequence[int], ties: int, by: Actor
) -> PaperResult:
    """Record how many hands each side won, from hand *first* on, where nothing more is known.

    *wins* has a number for each side. For the order of the hands see ``bare_sheets``. Recording the
    same result again changes nothing.

    :raises Refused: ``token-unknown``, ``token-revoked``, ``round-closed``, ``wins-none``,
        ``too-many-reports``, or the refusal of the first hand that is refused.
    """
    table = lock_table(token=token)
    check_open(table, gettext_noop("This round has closed: tell the organiser the result."))
    sheets = bare_sheets(wins, ties)
    if not sheets:
        raise Refused("wins-none", gettext_noop("Say how many each side won."), question="won")
    new_hands = max(0, first + len(sheets) - 1 - table.last_number)
    new_paced_until = paced_until(table, by.at, hands=new_hands)  # checks the rate limit
    result = _store(table, Paper(sheets=dict(enumerate(sheets, start=first))), by, at_table=True)
    Sitting.objects.filter(pk=table.sitting_id).update(paced_until=new_paced_until)
    return result


@transaction.atomic
def record_result_type(
    *,
    sitting_id: int,
    result_type: ResultType,
    bare: object,
    times: int | None,
    reason: str,
    by: Actor,
    first: int | None = None,
) -> PaperResult:
    """Record the next hands of a table as not played out, with the reason.

    A walkover or an assigned result scores as *bare* says; the other types count for nothing.
    *times* is the number of hands, ``None`` for all that the round still lacks. Recording the same
    result again from the same *first* hand on changes nothing.

    :raises SheetError: if the rules cannot read *bare*.
    :raises Refused: ``times-missing`` in a round without end, ``round-full``, ``hand-otherwise``.
    """
    counts = result_type in {ResultType.WALKOVER, ResultType.ASSIGNED}
    sheet: Sheet = {"bare": bare if counts else VOID}
    table = lock_table(sitting_id=sitting_id)
    if first is not None and first != table.coming_number:
        # It may be a repeat: are these hands recorded with just this result?
        hands = hands_by_number(table.sitting_id)
        end = table.last_number if times is None else min(table.last_number, first + times - 1)
        numbers = tuple(range(first, end + 1))
        # Fewer than *times* were recorded if the round ended with them.
        enough = len(numbers) == times or table.progress.whole
        same = all(
            hand.struck_at is None
            and hand.result_type == result_type
            and plain(hand.accepted_report.sheet) == plain(sheet)
            for hand in (hands[number] for number in numbers)
        )
        if not (numbers and enough and same):
            why = gettext_noop("Something else has come in meanwhile. Look at the table first.")
            raise Refused("hand-otherwise", why)
        return PaperResult(same=numbers)
    # A round of so many games ends by itself, unless the hands are void: they never end a game.
    endless = table.hands is None and (table.games is None or sheet["bare"] == VOID)
    if times is None and endless:
        template = gettext_noop("Say how many: this round does not end by itself.")
        raise Refused("times-missing", template, question="times")
    # Without *times* these are too many: ``_store`` leaves out those the round has no room for.
    last = min(MOST_HANDS, table.last_number + (times or MOST_HANDS))
    coming = range(table.coming_number, last + 1)
    paper = Paper(sheets=dict.fromkeys(coming, sheet), result_type=result_type, hand_reason=reason)
    return _store(table, paper, by)


def bare_sheets(wins: Sequence[int], ties: int) -> list[Sheet]:
    """Return a bare sheet for each hand: ties first, the hands of the side that won most last.

    >>> bare_sheets([3, 1], 0)
    [{'bare': 1}, {'bare': 0}, {'bare': 0}, {'bare': 0}]
    """
    fewest_first = sorted(range(len(wins)), key=lambda side: wins[side])
    won = (side for side in fewest_first for _ in range(wins[side]))
    return [{"bare": winner} for winner in [*[None] * ties, *won]]


def _store(table: TableNow, paper: Paper, by: Actor, *, at_table: bool = False) -> PaperResult:
    """Store a paper at a locked table; hands not played out are left out once the round is full.

    :raises RuleError: the refusal of the first hand that is refused.
    """
    reading = PaperReading(table, hands_by_number(table.sitting_id), paper)
    if reading.refusals:
        refusal = reading.refusals[min(reading.refusals)]
        if not (paper.result_type and reading.new_entries and refusal.code == "round-full"):
            raise refusal
    return store_reading(reading, paper.hand_reason, by, at_table=at_table)
