"""Dealing history: when each player last dealt in a tournament, so that turns rotate across tables.

A table stores it in ``dealt_before`` when it opens. It is refreshed when players swap seats, or
when the dealer of an earlier hand is corrected.
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
from tracker.tables.locks import lock_table
from tracker.tables.replay import hands_by_number, replay, store_replay
from tracker.tables.sql import read_tables
from tracker.tables.table_now import TableNow

DealtBefore: TypeAlias = tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class DealingHistory:
    """The hands that each player of a tournament dealt: the last one of each round."""

    dealt: Mapping[int, Sequence[tuple[int, int]]]  # by player: round number, hand number

    def before(self, round_number: int, players: Sequence[int]) -> DealtBefore:
        """Return for each of these players when they last dealt before a round.

        ``None`` is never; otherwise the number is below 0, and a larger number is later. Hands of
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

    def before_table(self, table: TableNow) -> DealtBefore:
        """Return when the players who sat down first at a table had last dealt, by place."""
        return self.before(table.round_number, [stint.player_id for stint in table.opening_stints])


def dealing_history(tournament_id: int) -> DealingHistory:
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
    return DealingHistory(dealt)


def refresh_dealt_before(tournament_id: int, *, after_round: int, at: datetime) -> tuple[int, ...]:
    """Update ``dealt_before`` at the tables of later rounds, and return the tables that changed.

    An undone round is skipped: it is refreshed when it is restored. The dealers and marks of
    hands stay the same; only who is expected to deal, and warnings, may change.
    """
    rounds = Round.objects.filter(tournament=tournament_id, number__gt=after_round)
    later = list(rounds.exclude(state=RoundState.UNDONE).values_list("pk", flat=True))
    if not later:
        return ()
    history = dealing_history(tournament_id)
    stale = sorted(
        table.sitting_id
        for table in read_tables(rounds=later)
        if history.before_table(table) != table.dealt_before
    )
    for sitting_id in stale:
        table = lock_table(sitting_id=sitting_id)
        dealt_before = history.before_table(table)
        Sitting.objects.filter(pk=sitting_id).update(dealt_before=list(dealt_before))
        refreshed = replace(table, dealt_before_json=json.dumps(dealt_before))
        store_replay(replay(refreshed, hands_by_number(sitting_id), {}, first=1), {}, at=at)
    return tuple(stale)
