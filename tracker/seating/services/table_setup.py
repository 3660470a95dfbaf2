"""What opening a round lays on the tables: cards, seats, who deals first."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random

from games.errors import gettext_noop
from tracker.common.errors import Refused
from tracker.models import (
    ClubNight,
    Round,
    RoundState,
    Seat,
    Sitting,
    Table,
    WithdrawnKey,
)
from tracker.seating.queries.tables import table_numbers
from tracker.tables.memory import dealers_memory

# Nothing that can be read as something else, on paper and in bad light.
CODE_SIGNS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlan:
    """A table to be: how it is played, who takes each place, for which entrant, and who opens.

    ``number`` is the table's in the hall, if that was said. ``is_match`` of a bracket: it is
    played until one side leads.
    """

    mode: str
    players: tuple[int, ...]
    entrants: tuple[int, ...]
    opener: int = 0
    number: int | None = None
    is_match: bool = False


def check_tables(round_: Round) -> None:
    """Make sure that no open round has any of this round's tables.

    :raises Refused: ``table-taken``.
    """
    tables = round_.sittings.exclude(table=None).values_list("table", flat=True)
    taken = (
        Sitting.objects.filter(table__in=list(tables), round__state=RoundState.OPEN)
        .select_related("round__tournament")
        .order_by("number")
        .first()
    )
    if taken:
        raise Refused(
            "table-taken",
            gettext_noop(
                "Table %(table)d is taken by “%(tournament)s”: close round %(round)d there first."
            ),
            table=taken.number,
            tournament=taken.round.tournament.name,
            round=taken.round.number,
        )


def lay_tables(*, round_: Round, plans: Sequence[TablePlan], now: datetime, rng: Random) -> None:
    """Create the sittings and seats of *plans* in *round_*, in the order of the tables."""
    rules, options = round_.tournament.rules, round_.tournament.house_rules
    memory = dealers_memory(round_.tournament_id)
    numbers = [plan.number for plan in plans if plan.number is not None]
    free = table_numbers(round_.tournament_id, round_.night_id, max([len(plans), *numbers]))
    if len(numbers) < len(plans) or not set(numbers) <= set(free):  # one is taken by now
        numbers = free[: len(plans)]
    tables = lasting_tables(round_, numbers, now=now, rng=rng)
    for plan, table in zip(plans, tables, strict=True):
        mode = rules.mode(plan.mode, options)
        dealt_before = memory.before(round_.number, plan.players)
        session = rules.open_session(mode, options, plan.opener, dealt_before)
        sitting = Sitting.objects.create(
            round=round_,
            table=table,
            number=table.number,
            mode=mode.code,
            options=dict(options),
            token=secrets.token_urlsafe(16),
            first_dealer=plan.opener,
            dealt_before=list(dealt_before),
            started_at=now,
            session=rules.save_session(session),
            next_dealer=session.dealer,
            may_deal=list(session.may_deal),
            over=session.over,
            side_points=[0] * len(mode.sides) if plan.is_match else None,
        )
        people = zip(plan.players, plan.entrants, strict=True)
        Seat.objects.bulk_create(
            Seat(
                sitting=sitting,
                round=round_,
                place=place,
                side=mode.side_of(place),
                player_id=player,
                entrant_id=entrant,
            )
            for place, (player, entrant) in enumerate(people)
        )


def lasting_tables(
    round_: Round, numbers: Sequence[int], *, now: datetime, rng: Random
) -> list[Table]:
    """Return the tables of these numbers: of the round's night, or else of its tournament.

    Each keeps its card for good. Table 3 of a night is table 3 of the club's nights
    before, so that cards are printed once for the season.
    """
    whose = (
        {"night_id": round_.night_id}
        if round_.night_id is not None
        else {"tournament_id": round_.tournament_id}
    )
    known = {table.number: table for table in Table.objects.filter(**whose)}
    over = ClubNight.objects.over(now).filter(club=round_.tournament.club_id)
    free = Table.objects.filter(night__in=over).exclude(sittings__round__state=RoundState.OPEN)
    for number in numbers:
        if number in known:
            continue
        table = None
        if round_.night_id is not None:  # the club's table of an earlier night moves to this one
            table = free.filter(number=number).order_by("-night__starts_at", "-pk").first()
        if table:
            table.night_id = round_.night_id
            table.save(update_fields=["night"])
        known[number] = table or Table.objects.create(
            **whose, number=number, card_token=secrets.token_urlsafe(16), code=unused_code(rng)
        )
    return [known[number] for number in numbers]


def unused_code(rng: Random) -> str:
    """Return a code that no table has, or ever had."""
    while True:
        code = "".join(rng.choices(CODE_SIGNS, k=Table.code.field.max_length or 0))
        there = Table.objects.filter(code=code).values("code")
        if not there.union(WithdrawnKey.objects.filter(key=code).values("key")).exists():
            return code
