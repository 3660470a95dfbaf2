"""Counting what came in a file: every sheet read again, and refused where it says otherwise."""

from collections.abc import Mapping
from dataclasses import replace

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.ledger.fold import ReplayRefused, differing, fold, hands_of
from tracker.ledger.memory import DealersMemory, dealers_memory, dealt_before
from tracker.ledger.statements import read_tables
from tracker.ledger.table import TableNow
from tracker.ledger.tallies import Tallied, tallied
from tracker.models import Tournament
from tracker.reports.services.recount import differing_table
from tracker.tournament_files.logic.misfit import Misfit


def count(tournament: Tournament, places: Mapping[int, str], by: Actor) -> Tallied:
    """Return the sum of the marks; *places* say by sitting where it stands in the file.

    :raises Misfit: at the first hand or table that its sheets do not leave as the file says.
    """
    memory = dealers_memory(tournament.pk)
    sums = Tallied()
    for table in read_tables(sittings=places):
        _count_table(table, memory, places[table.sitting_id], by, sums)
    return sums


def _count_table(
    table: TableNow, memory: DealersMemory, where: str, by: Actor, sums: Tallied
) -> None:
    if table.tallied and dealt_before(memory, table) != table.dealt_before:
        counted = replace(table, dealt_before_json=str(list(dealt_before(memory, table))))
        raise _differs(f"{where}.dealt_before", table.dealt_before_json, counted.dealt_before_json)
    hands = hands_of(table.sitting_id)
    try:
        folded = fold(table, hands, {}, first=1)
    except ReplayRefused as refusal:
        raise Misfit.of(refusal, f"{where}.hands[{refusal.number - 1}].sheet") from refusal
    for number, hand in hands.items():
        for name, made in differing(folded, number).items():
            place = f"{where}.hands[{number - 1}].{name}"
            raise _differs(place, getattr(hand, name), made)
    for finding in differing_table(where, folded, by):
        raise _differs(f"{where}.{finding.what}", finding.stored, finding.counted)
    if table.tallied:
        sums.add(tallied(folded.counted, table))


def _differs(where: str, stored: object, counted: object) -> Misfit:
    template = gettext_noop("here stands %(kept)s, and the sheets make it %(counted)s.")
    return Misfit(
        "differs", template, where=where, kept=str(stored)[:200], counted=str(counted)[:200]
    )
