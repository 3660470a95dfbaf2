"""Lookups of tables by the QR code or typed code of their table card, and what is played there now."""

from collections.abc import Mapping
from functools import reduce
from operator import or_

from django.db.models import Exists, Q, QuerySet

from tracker.models import Misses, RoundState, Sitting, Table, TokenState, Tournament, WithdrawnKey
from tracker.tables.failed_lookups import RateLimit


def tables_of(tournament: Tournament) -> QuerySet[Table]:
    """Return a tournament's own tables and those of nights where it is played, in order of number."""
    used = Q(tournament=tournament) | Q(sittings__round__tournament=tournament)
    return Table.objects.filter(used).order_by("number", "pk").distinct()


def table_with_club(**known: object) -> Table | None:
    """Return the table of a ``card_token``, or of the key of a sitting there (``sittings``)."""
    tables = Table.objects.select_related("tournament__club", "night__club")
    return tables.filter(**known).first()


def table_of_code(code: str, limits: Mapping[str, RateLimit], now: float) -> tuple[str, bool]:
    """Return the token of the card with this code, and whether no limit is used up, in one query.

    For an unknown code these are "" and true. *limits* are keyed by the source of the codes. If one
    is used up, the caller must not tell the token, or codes could be guessed.
    """
    # ``paid_off`` is when all wrong codes of a source are forgotten: each moves it further away.
    used_up = [Q(who=who, paid_off__gt=limit.latest(now)) for who, limit in limits.items()]
    past_limit = Exists(Misses.objects.filter(reduce(or_, used_up)))
    tables = Table.objects.filter(code=code, withdrawn_at=None)
    return tables.values_list("card_token", ~past_limit).first() or ("", True)


def is_withdrawn_key(key: str) -> bool:
    """Return whether this card token, code or sitting's token was withdrawn, in one query."""
    return WithdrawnKey.objects.filter(key=key).exists()


def _open_sittings() -> QuerySet[Sitting]:
    return Sitting.objects.filter(round__state=RoundState.OPEN, token_state=TokenState.OPEN)


def open_sitting_at(table: Table) -> Sitting | None:
    """Return the sitting at a table now, the latest one if several rounds are open there."""
    return _open_sittings().filter(table=table).order_by("-started_at", "-pk").first()


def has_other_open_sitting(sitting_id: int) -> bool:
    """Return whether another sitting is open at the table of this one, in one query."""
    return _open_sittings().filter(table__sittings=sitting_id).exclude(pk=sitting_id).exists()


def tables_with_sittings(tournament: Tournament) -> list[tuple[Table, Sitting | None]]:
    """Return the tables of a tournament with their open sittings, in two queries."""
    tables = list(tables_of(tournament))
    open_sittings = Sitting.objects.filter(table__in=tables, round__state=RoundState.OPEN)
    # Of two at one table the later one counts, as in ``open_sitting_at``.
    last = {sitting.table_id: sitting for sitting in open_sittings.order_by("started_at", "pk")}
    return [(table, last.get(table.pk)) for table in tables]
