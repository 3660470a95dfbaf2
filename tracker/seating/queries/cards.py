"""Tables of a hall: numbers for a round, and lookups by card, code and sitting."""

from collections.abc import Mapping
from functools import reduce
from operator import or_

from django.db.models import Exists, Q, QuerySet

from tracker.common.rate_limit import RateLimit
from tracker.models import (
    Misses,
    RoundState,
    Sitting,
    Table,
    TokenState,
    Tournament,
    WithdrawnKey,
)


def tables_of(tournament: Tournament) -> QuerySet[Table]:
    """Return the tables of a tournament, and of the nights it is played at, by number."""
    ours = Q(tournament=tournament) | Q(sittings__round__tournament=tournament)
    return Table.objects.filter(ours).order_by("number", "pk").distinct()


def table_of_card(card_token: str) -> Table | None:
    """Return the table whose card has this address, with the club it belongs to."""
    return _tables().filter(card_token=card_token).first()


def table_of_sitting(sitting_id: int) -> Table | None:
    """Return the table at which a sitting is played, with the club it belongs to."""
    return _tables().filter(sittings=sitting_id).first()


def table_of_code(code: str, patience: Mapping[str, RateLimit], now: float) -> tuple[str, bool]:
    """Return the token of the card with this code, if any, and whether to say so, in one query.

    It is not said to whom no miss is allowed any more, or a code could be guessed without end.
    """
    spent = [Q(who=who, paid_off__gt=each.latest(now)) for who, each in patience.items()]
    asked = Exists(Misses.objects.filter(reduce(or_, spent)))
    tables = Table.objects.filter(code=code, withdrawn_at=None)
    return tables.values_list("card_token", ~asked).first() or ("", True)


def was_a_key(key: str) -> bool:
    """Say whether this key opened a table before it was withdrawn, in one query."""
    return WithdrawnKey.objects.filter(key=key).exists()


def sitting_there_now(table: Table) -> Sitting | None:
    """Return the sitting that plays at the table now: of the round opened last."""
    return (
        Sitting.objects.filter(
            table=table, round__state=RoundState.OPEN, token_state=TokenState.OPEN
        )
        .order_by("-started_at", "-pk")
        .first()
    )


def plays_on_there(sitting_id: int) -> bool:
    """Return whether another round is open at this table, in one query."""
    there = Sitting.objects.filter(
        table__sittings=sitting_id, round__state=RoundState.OPEN, token_state=TokenState.OPEN
    )
    return there.exclude(pk=sitting_id).exists()


def _tables() -> QuerySet[Table]:
    return Table.objects.select_related("tournament__club", "night__club")


def tables_with_sittings(tournament: Tournament) -> list[tuple[Table, Sitting | None]]:
    """Return the tables of a tournament with what is played there, in two queries."""
    tables = list(tables_of(tournament))
    open_sittings = Sitting.objects.filter(table__in=tables, round__state=RoundState.OPEN)
    # Of two that are open at one table the card leads to the later.
    there = {sitting.table_id: sitting for sitting in open_sittings.order_by("started_at", "pk")}
    return [(table, there.get(table.pk)) for table in tables]
