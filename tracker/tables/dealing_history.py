"""Dealing history: when each player last dealt in a tournament, so that turns rotate across tables.

When a table (sitting) opens, it stores the history of its players in ``Sitting.dealt_before``: from
it the rules tell who deals. That value is refreshed when players swap seats, or when the dealer of
an earlier hand is corrected.
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

# For each player the rank of their last deal, or None if they never dealt: -1 is the latest deal,
# -2 the one before. Players who dealt hands of one number in one round have the same rank.
DealtBefore: TypeAlias = tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class DealingHistory:
    """The last hand that each player dealt in each round of a tournament."""

    dealt: Mapping[int, Sequence[tuple[int, int]]]  # player -> pairs of round and hand number

    def before(self, round_number: int, players: Sequence[int]) -> DealtBefore:
        """Return for each of these players when they last dealt before this round."""
        last_deals = []  # for each player the (round, hand) of the last deal, or None
        for player in players:
            earlier = (deal for deal in self.dealt.get(player, ()) if deal[0] < round_number)
            last_deals.append(max(earlier, default=None))
        ranked = sorted({deal for deal in last_deals if deal is not None})
        return tuple(
            None if deal is None else ranked.index(deal) - len(ranked) for deal in last_deals
        )

    def before_table(self, table: TableNow) -> DealtBefore:
        """Return, indexed by place, when the first player at each place had last dealt."""
        return self.before(table.round_number, [stint.player_id for stint in table.opening_stints])


def dealing_history(tournament_id: int) -> DealingHistory:
    """Return who dealt when in a tournament, in one query; only hands that were played count."""
    rows = (
        Hand.objects.filter(
            # Join each hand with the seat of its dealer: at the dealer's place, during the hand.
            covering(F("number"), "sitting__seats__"),
            sitting__seats__place=F("dealer"),
            sitting__round__tournament=tournament_id,
            struck_at=None,
            result_type="",  # it is set for hands that were not played out
        )
        .exclude(sitting__round__state=RoundState.UNDONE)
        .values_list("sitting__seats__player", "sitting__round__number")
        .annotate(last=Max("number"))
        .order_by()  # the order of the model would be grouped by, too
    )
    dealt: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for player, round_number, last in rows:
        dealt[player].append((round_number, last))
    return DealingHistory(dealt)


def refresh_dealt_before(tournament_id: int, *, after_round: int, at: datetime) -> tuple[int, ...]:
    """Update ``dealt_before`` at tables of rounds after *after_round*; return their sitting ids.

    Only tables whose value differs are written, and their hands scored again: who is expected to
    deal, and warnings, may change, but not the dealers and marks of hands. An undone round is
    skipped: it is refreshed when it is restored.
    """
    rounds = Round.objects.filter(tournament=tournament_id, number__gt=after_round)
    later_rounds = list(rounds.not_undone().values_list("pk", flat=True))
    if not later_rounds:
        return ()
    history = dealing_history(tournament_id)
    stale_sittings = sorted(
        table.sitting_id
        for table in read_tables(rounds=later_rounds)
        if history.before_table(table) != table.dealt_before
    )
    for sitting_id in stale_sittings:
        table = lock_table(sitting_id=sitting_id)  # and read it again, as it may have changed
        dealt_before = history.before_table(table)
        Sitting.objects.filter(pk=sitting_id).update(dealt_before=list(dealt_before))
        refreshed = replace(table, dealt_before_json=json.dumps(dealt_before))
        rescored = replay(refreshed, hands_by_number(sitting_id), changes={}, first=1)
        store_replay(rescored, reports={}, at=at)
    return tuple(stale_sittings)
