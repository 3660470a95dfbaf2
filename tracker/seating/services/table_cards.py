"""Table cards, printed with a QR code and a typed code: make, renew and withdraw them.

The QR code has a token, and so has the URL of a *sitting*, the people around a table in one round.
A sitting's ``token_state`` says what this URL is: ``OPEN`` to reports, ``CLOSED`` with its round, or
``REVOKED`` as its card was withdrawn, so that it shows nothing. Old *keys* (tokens and codes) are
remembered as ``WithdrawnKey``, to tell people that the card was replaced.
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
    Round,
    RoundState,
    Sitting,
    Table,
    TokenState,
    Tournament,
    WithdrawnKey,
)
from tracker.tables.locks import hold_tables

# Without signs that look alike on paper and in bad light.
CODE_SIGNS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
MOST_TABLES = 60


@transaction.atomic
def create_cards(*, tournament_id: int, tables: int, rng: Random, by: Actor) -> int:
    """Create those of the tables 1 to *tables* that are missing, and return how many are new."""
    if not 1 <= tables <= MOST_TABLES:
        template = gettext_noop("Say how many tables, from 1 to %(most)d.")
        raise Refused("tables-many", template, question="tables", most=MOST_TABLES)
    # Locked, so that two organisers at once do not create the same table twice.
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    existing = set(tournament.tables.values_list("number", flat=True))
    new = [number for number in range(1, tables + 1) if number not in existing]
    for number in new:
        tournament.tables.create(
            number=number, card_token=secrets.token_urlsafe(16), code=unused_code(rng)
        )
    if new:
        club_id, numbers = tournament.club_id, {"tables": new}
        log(by, "cards-laid", club_id=club_id, tournament=tournament.pk, numbers=numbers)
    return len(new)


def lasting_tables(
    round_: Round, numbers: Sequence[int], *, now: datetime, rng: Random
) -> list[Table]:
    """Return the tables with these numbers, of the round's night or else of its tournament.

    Missing tables are created. A table keeps its card for good: table 3 of a night is table 3 of
    the club's earlier nights, so that table cards are printed once for a season.
    """
    column = "night_id" if round_.night_id else "tournament_id"
    owner = {column: getattr(round_, column)}
    tables = {table.number: table for table in Table.objects.filter(**owner)}
    past_nights = ClubNight.objects.over(now).filter(club=round_.tournament.club_id)
    past_tables = Table.objects.filter(night__in=past_nights)
    free = past_tables.exclude(sittings__round__state=RoundState.OPEN)
    for number in [number for number in numbers if number not in tables]:
        table = None
        if round_.night_id is not None:  # take over the table of an earlier night
            table = free.filter(number=number).order_by("-night__starts_at", "-pk").first()
        if table:
            table.night_id = round_.night_id
            table.save(update_fields=["night"])
        tables[number] = table or Table.objects.create(
            **owner, number=number, card_token=secrets.token_urlsafe(16), code=unused_code(rng)
        )
    return [tables[number] for number in numbers]


def unused_code(rng: Random) -> str:
    """Return a random code that no table has or ever had."""
    while True:
        code = "".join(rng.choices(CODE_SIGNS, k=Table.code.field.max_length or 0))
        used = Table.objects.filter(code=code).values("code")
        if not used.union(WithdrawnKey.objects.filter(key=code).values("key")).exists():
            return code


@transaction.atomic
def renew_cards(*, tables: Collection[int], rng: Random, by: Actor) -> list[int]:
    """Give tables new tokens and codes instead of the old ones, and return their numbers.

    Phones at a table carry on, unless its card was withdrawn: then they must scan the new card.
    """
    rows = _locked_tables(tables)
    for table in rows:
        was_withdrawn = table.withdrawn_at is not None
        _change_keys(table, rng, by.at)
        table.withdrawn_at = None
        table.save(update_fields=["card_token", "code", "withdrawn_at"])
        for sitting in _open_sittings(table).filter(token_state=TokenState.REVOKED):
            _change_token(sitting, by.at)
        undone_verb = "card-withdrawn" if was_withdrawn else ""
        _record(by, "card-renewed", table, _("Table %(number)d has a new card."), undone_verb)
    return [table.number for table in rows]


@transaction.atomic
def withdraw_card(*, table_id: int, rng: Random, by: Actor) -> int:
    """Make a table's card and code open nothing until it has a new card; return its number."""
    [table] = _locked_tables([table_id])
    if table.withdrawn_at is None:
        # The old keys open nothing, and the new ones are not printed.
        _change_keys(table, rng, by.at)
        table.withdrawn_at = by.at
        table.save(update_fields=["card_token", "code", "withdrawn_at"])
        shown = _open_sittings(table).filter(token_state=TokenState.OPEN)
        shown.update(token_state=TokenState.REVOKED)
        _record(by, "card-withdrawn", table, _("The card of table %(number)d opens nothing."))
    return table.number


@transaction.atomic
def renew_address(*, sitting_id: int, by: Actor) -> Sitting:
    """Give a sitting a new token, so a new URL: the phones there must scan the table card again."""
    sittings = Sitting.objects.select_for_update(of=("self",)).select_related("round__tournament")
    sitting = sittings.get(pk=sitting_id)
    if sitting.round.state != RoundState.OPEN or sitting.token_state == TokenState.CLOSED:
        template = gettext_noop("This round is over, and its address soon shows nothing by itself.")
        raise Refused("round-closed", template)
    _change_token(sitting, by.at)
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


def _locked_tables(tables: Collection[int]) -> list[Table]:
    """Lock the open sittings of tables, then the tables, as ``tracker.tables.locks`` orders."""
    open_sittings = Sitting.objects.filter(table__in=tables, round__state=RoundState.OPEN)
    hold_tables(open_sittings.values_list("pk", flat=True))
    rows = Table.objects.select_for_update(of=("self",)).select_related("night", "tournament")
    return list(rows.filter(pk__in=tables).order_by("pk"))


def _open_sittings(table: Table) -> QuerySet[Sitting]:
    return Sitting.objects.filter(table=table, round__state=RoundState.OPEN)


def _change_keys(table: Table, rng: Random, at: datetime) -> None:
    if table.withdrawn_at is None:  # the keys of a withdrawn table were never printed
        WithdrawnKey.objects.bulk_create(
            WithdrawnKey(key=key, table=table, withdrawn_at=at)
            for key in (table.card_token, table.code)
        )
    table.card_token, table.code = secrets.token_urlsafe(16), unused_code(rng)


def _change_token(sitting: Sitting, at: datetime) -> None:
    WithdrawnKey.objects.create(key=sitting.token, sitting=sitting, withdrawn_at=at)
    sitting.token, sitting.token_state = secrets.token_urlsafe(16), TokenState.OPEN
    sitting.save(update_fields=["token", "token_state"])


def _record(by: Actor, verb: str, table: Table, sentence: str, undone_verb: str = "") -> None:
    """Log what was done to a table's card; that undoes the last entry of *undone_verb*, if any."""
    home = table.tournament or table.night  # a table is of the one or of the other
    club_id = home.club_id if home else None
    log(
        by,
        verb,
        club_id=club_id,
        **({"tournament": table.tournament_id} if table.tournament_id else {}),
        table=table.pk,
        numbers={"table": table.number},
        undoes=last_entry(undone_verb, club_id=club_id, table=table.pk) if undone_verb else None,
        reason=sentence % {"number": table.number},
    )
