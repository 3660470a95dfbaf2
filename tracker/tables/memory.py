"""The dealers' memory: how long ago each player at a table last dealt in the tournament.

A table is told it when it opens, so that turns to deal rotate across tables. It goes with
the people: when they swap seats, or who dealt before is put right, it is told anew.
"""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias

from django.db.models import F, Max

from tracker.models import Hand, Round, RoundState, Sitting
from tracker.models.stints import covering
from tracker.tables.fold import fold, hands_of
from tracker.tables.rewriting import keep
from tracker.tables.statements import lock_table, read_tables
from tracker.tables.table import TableNow

DealtBefore: TypeAlias = tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class DealersMemory:
    """When the players of a tournament dealt: by player, the last hand of each round."""

    dealt: Mapping[int, Sequence[tuple[int, int]]]

    def before(self, round_number: int, players: Sequence[int]) -> DealtBefore:
        """Return by place when these players last dealt in the rounds before.

        ``None`` is never; otherwise the number is below 0, and the larger the later. Hands of
        the same number dealt in the same round are level.
        """
        last = [
            max(
                (when for when in self.dealt.get(player, ()) if when[0] < round_number),
                default=None,
            )
            for player in players
        ]
        times = sorted({when for when in last if when is not None})
        return tuple(None if when is None else times.index(when) - len(times) for when in last)


def dealers_memory(tournament_id: int) -> DealersMemory:
    """Return who dealt when in a tournament, in one query; only hands that were played count."""
    rows = (
        Hand.objects.filter(
            covering(F("number"), "sitting__seats__"),
            sitting__seats__place=F("dealer"),
            sitting__round__tournament=tournament_id,
            struck_at=None,
            result_type="",
        )
        .exclude(sitting__round__state=RoundState.UNDONE)
        .values_list("sitting__seats__player", "sitting__round__number")
        .annotate(last=Max("number"))
        .order_by()
    )
    dealt: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for player, round_number, last in rows:
        dealt[player].append((round_number, last))
    return DealersMemory(dealt)


def dealt_before(memory: DealersMemory, table: TableNow) -> DealtBefore:
    """Return what a table is to know when it opens: of those who sit down first."""
    return memory.before(table.round_number, [stint.player_id for stint in table.opening_stints])


def renew_memory(tournament_id: int, *, after_round: int, at: datetime) -> tuple[int, ...]:
    """Let the tables of later rounds know what differs, and return which they were.

    A round that was taken back knows when it is brought back.
    It changes no dealer and no mark of any hand, only who is expected to deal, and warnings.
    """
    rounds = Round.objects.filter(tournament=tournament_id, number__gt=after_round)
    later = list(rounds.exclude(state=RoundState.UNDONE).values_list("pk", flat=True))
    if not later:
        return ()
    memory = dealers_memory(tournament_id)
    stale = sorted(
        table.sitting_id
        for table in read_tables(rounds=later)
        if dealt_before(memory, table) != table.dealt_before
    )
    for sitting_id in stale:
        table = lock_table(sitting_id=sitting_id)
        known = dealt_before(memory, table)
        Sitting.objects.filter(pk=sitting_id).update(dealt_before=list(known))
        renewed = replace(table, dealt_before_json=json.dumps(known))
        keep(fold(renewed, hands_of(sitting_id), {}, first=1), {}, at=at)
    return tuple(stale)
