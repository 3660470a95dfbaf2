"""The cards, codes and addresses of tables: laid before anybody sits there, renewed, withdrawn.

Whoever comes with an old key is told that it was replaced: see ``WithdrawnKey``.
"""

import secrets
from collections.abc import Collection, Sequence
from datetime import datetime
from random import Random

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import last_entry, log
from tracker.common.errors import Refused
from tracker.models import (
    ClubNight,
    LogEntry,
    Round,
    RoundState,
    Sitting,
    Table,
    TokenState,
    Tournament,
    WithdrawnKey,
)
from tracker.tables.locks import hold_tables

# Nothing that can be read as something else, on paper and in bad light.
CODE_SIGNS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"

MOST_TABLES = 60


@transaction.atomic
def lay_cards(*, tournament_id: int, tables: int, rng: Random, by: Actor) -> int:
    """See that tables 1 to *tables* have their cards, and return how many are new.

    :raises Refused: ``tables-many``.
    """
    if not 1 <= tables <= MOST_TABLES:
        raise Refused(
            "tables-many",
            gettext_noop("Say how many tables, from 1 to %(most)d."),
            question="tables",
            most=MOST_TABLES,
        )
    # One at a time, so that two who press at once do not lay the same table twice.
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    there = set(tournament.tables.values_list("number", flat=True))
    new = [number for number in range(1, tables + 1) if number not in there]
    for number in new:
        tournament.tables.create(
            number=number, card_token=secrets.token_urlsafe(16), code=unused_code(rng)
        )
    if new:
        log(
            by,
            "cards-laid",
            club_id=tournament.club_id,
            tournament=tournament.pk,
            numbers={"tables": new},
        )
    return len(new)


@transaction.atomic
def renew_cards(*, tables: Collection[int], rng: Random, by: Actor) -> list[int]:
    """Give tables new cards and codes, and return their numbers; the old ones open nothing.

    Phones that are at a table go on, unless its card had been withdrawn: then they scan the new.
    """
    rows = _locked(tables)
    for table in rows:
        home = table.tournament or table.night
        undoes = None
        if home is not None and table.withdrawn_at is not None:
            undoes = last_entry("card-withdrawn", club_id=home.club_id, table=table.pk)
        _change_keys(table, rng, by.at)
        table.withdrawn_at = None
        table.save(update_fields=["card_token", "code", "withdrawn_at"])
        for sitting in _played_at(table).filter(token_state=TokenState.REVOKED):
            _change_address(sitting, by.at)
        _record(by, "card-renewed", table, _("Table %(number)d has a new card."), undoes)
    return [table.number for table in rows]


@transaction.atomic
def withdraw_card(*, table_id: int, rng: Random, by: Actor) -> int:
    """Let a table's card, its code and the address where it is played open nothing any more.

    Return its number. A new card makes it open again.
    """
    [table] = _locked([table_id])
    if table.withdrawn_at is None:
        _change_keys(table, rng, by.at)
        table.withdrawn_at = by.at
        table.save(update_fields=["card_token", "code", "withdrawn_at"])
        _played_at(table).filter(token_state=TokenState.OPEN).update(token_state=TokenState.REVOKED)
        _record(by, "card-withdrawn", table, _("The card of table %(number)d opens nothing."))
    return table.number


@transaction.atomic
def renew_address(*, sitting_id: int, by: Actor) -> Sitting:
    """Give a table that is played at a new address; phones that had the old one scan its card.

    :raises Refused: ``round-closed``.
    """
    sitting = (
        Sitting.objects.select_for_update(of=("self",))
        .select_related("round__tournament")
        .get(pk=sitting_id)
    )
    if sitting.round.state != RoundState.OPEN or sitting.token_state == TokenState.CLOSED:
        raise Refused(
            "round-closed",
            gettext_noop("This round is over, and its address soon shows nothing by itself."),
        )
    _change_address(sitting, by.at)
    log(
        by,
        "address-renewed",
        club_id=sitting.round.tournament.club_id,
        tournament=sitting.round.tournament_id,
        sitting=sitting.pk,
        numbers={"table": sitting.number},
        reason=_("Table %(number)d has a new address.") % {"number": sitting.number},
    )
    return sitting


def _locked(tables: Collection[int]) -> list[Table]:
    """Lock tables by their keys, and before them what is played there: see ``ledger.locks``."""
    played = Sitting.objects.filter(table__in=tables, round__state=RoundState.OPEN)
    hold_tables(played.values_list("pk", flat=True))
    rows = Table.objects.select_for_update(of=("self",)).select_related("night", "tournament")
    return list(rows.filter(pk__in=tables).order_by("pk"))


def _played_at(table: Table) -> QuerySet[Sitting]:
    return Sitting.objects.filter(table=table, round__state=RoundState.OPEN)


def _change_keys(table: Table, rng: Random, at: datetime) -> None:
    if table.withdrawn_at is None:  # or else nobody ever saw them
        WithdrawnKey.objects.bulk_create(
            WithdrawnKey(key=key, table=table, withdrawn_at=at)
            for key in (table.card_token, table.code)
        )
    table.card_token, table.code = secrets.token_urlsafe(16), unused_code(rng)


def _change_address(sitting: Sitting, at: datetime) -> None:
    WithdrawnKey.objects.create(key=sitting.token, sitting=sitting, withdrawn_at=at)
    sitting.token, sitting.token_state = secrets.token_urlsafe(16), TokenState.OPEN
    sitting.save(update_fields=["token", "token_state"])


def _record(
    by: Actor, verb: str, table: Table, sentence: str, undoes: LogEntry | None = None
) -> None:
    home = table.tournament or table.night
    log(
        by,
        verb,
        club_id=home.club_id if home else None,
        **({"tournament": table.tournament_id} if table.tournament_id else {}),
        table=table.pk,
        numbers={"table": table.number},
        undoes=undoes,
        reason=sentence % {"number": table.number},
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
