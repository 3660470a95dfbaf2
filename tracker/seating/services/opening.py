"""What opening a round lays on the tables: cards, seats, who deals first."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random

from django.db.models import Q

from games.game import FirstDealer, Options
from games.mode import Mode
from tracker.ledger.memory import DealersMemory, dealers_memory
from tracker.models import Round, RoundState, Seat, Sitting, Table
from tracker.nights.queries.nights import LASTS
from tracker.seating.logic.openings import Candidate, first_dealers
from tracker.seating.queries.rounds import openings
from tracker.seating.queries.tables import table_numbers

# Nothing that can be read as something else, on paper and in bad light.
CODE_SIGNS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
CODE_LENGTH = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlan:
    """A table to be: how it is played, who takes each place, and for which entrant."""

    mode: str
    players: tuple[int, ...]
    entrants: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Laid:
    """A plan with everything the sitting needs to know of it."""

    plan: TablePlan
    mode: Mode
    first_dealer: int
    dealt_before: tuple[int | None, ...]


def lay_tables(
    *, round_: Round, plans: Sequence[TablePlan], now: datetime, rng: Random
) -> list[Sitting]:
    """Seat everybody of *plans* in *round_*, in the order of the tables."""
    tournament = round_.tournament
    options = tournament.house_rules
    tables = lasting_tables(round_, len(plans), now=now, rng=rng)
    sittings = []
    for laid, table in zip(_laid(round_, plans, options, rng), tables, strict=True):
        sitting = _sitting(laid, round_=round_, table=table, options=options, now=now)
        sittings.append(sitting)
        Seat.objects.bulk_create(
            Seat(
                sitting=sitting,
                round=round_,
                place=place,
                side=laid.mode.side_of(place),
                player_id=player,
                entrant_id=entrant,
            )
            for place, (player, entrant) in enumerate(
                zip(laid.plan.players, laid.plan.entrants, strict=True)
            )
        )
    return sittings


def lasting_tables(round_: Round, wanted: int, *, now: datetime, rng: Random) -> list[Table]:
    """Return so many tables for the round: of its night, or else of its tournament.

    Each keeps its card for good. Table 3 of a night is table 3 of the club's nights
    before, so that cards are printed once for the season.
    """
    whose = (
        {"night_id": round_.night_id}
        if round_.night_id is not None
        else {"tournament_id": round_.tournament_id}
    )
    numbers = table_numbers(round_.tournament_id, round_.night_id, wanted)
    known = {table.number: table for table in Table.objects.filter(**whose)}
    for number in numbers:
        if number not in known:
            known[number] = _of_an_earlier_night(round_, number, now) or Table.objects.create(
                **whose,
                number=number,
                card_token=secrets.token_urlsafe(16),
                code=unused_code(rng),
            )
    return [known[number] for number in numbers]


def _of_an_earlier_night(round_: Round, number: int, now: datetime) -> Table | None:
    """Let the night have the club's table of an earlier one, if it stands free."""
    if round_.night_id is None:
        return None
    over = Q(night__ended_at__isnull=False) | Q(night__starts_at__lte=now - LASTS)
    table = (
        Table.objects.filter(over, night__club=round_.tournament.club_id, number=number)
        .exclude(sittings__round__state=RoundState.OPEN)
        .order_by("-night__starts_at", "-pk")
        .first()
    )
    if table:
        table.night_id = round_.night_id
        table.save(update_fields=["night"])
    return table


def unused_code(rng: Random) -> str:
    """Return a code that no table has."""
    while True:
        code = "".join(rng.choices(CODE_SIGNS, k=CODE_LENGTH))
        if not Table.objects.filter(code=code).exists():
            return code


def _laid(round_: Round, plans: Sequence[TablePlan], options: Options, rng: Random) -> list[_Laid]:
    memory = dealers_memory(round_.tournament_id)
    rules = round_.tournament.rules
    dealers = _first_dealers(round_, plans, memory, rng)
    return [
        _Laid(
            plan=plan,
            mode=rules.mode(plan.mode, options),
            first_dealer=dealer,
            dealt_before=memory.before(round_.number, plan.players),
        )
        for plan, dealer in zip(plans, dealers, strict=True)
    ]


def _first_dealers(
    round_: Round, plans: Sequence[TablePlan], memory: DealersMemory, rng: Random
) -> tuple[int, ...]:
    way = round_.tournament.rules.first_dealer
    if way is FirstDealer.LOT:
        return tuple(rng.randrange(len(plan.players)) for plan in plans)
    if way is FirstDealer.DRAWN:  # by the table itself, when it opens
        return (0,) * len(plans)
    opened = openings(round_.tournament_id)
    players = [player for plan in plans for player in plan.players]
    before = dict(zip(players, memory.before(round_.number, players), strict=True))
    tables = [
        [
            Candidate(
                opened=opened.by_player.get(player, 0),
                entrant=entrant,
                dealt=opened.dealt.get(player, 0),
                dealt_before=before[player],
            )
            for player, entrant in zip(plan.players, plan.entrants, strict=True)
        ]
        for plan in plans
    ]
    return first_dealers(tables, opened.by_entrant)


def _sitting(
    laid: _Laid, *, round_: Round, table: Table, options: Options, now: datetime
) -> Sitting:
    rules = round_.tournament.rules
    session = rules.open_session(laid.mode, options, laid.first_dealer, laid.dealt_before)
    return Sitting.objects.create(
        round=round_,
        table=table,
        number=table.number,
        mode=laid.mode.code,
        options=dict(options),
        token=secrets.token_urlsafe(16),
        first_dealer=laid.first_dealer,
        dealt_before=list(laid.dealt_before),
        started_at=now,
        session=rules.save_session(session),
        next_dealer=session.dealer,
        may_deal=list(session.may_deal),
        over=session.over,
    )
