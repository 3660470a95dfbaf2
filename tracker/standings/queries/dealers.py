"""Dealers: who deals now at every table, and who deals next after each outcome."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from django.utils.translation import gettext

from games.game import FirstDealer
from tracker.ledger.statements import read_open_tables
from tracker.ledger.table import TableNow
from tracker.ledger.turns import When
from tracker.models import Tournament
from tracker.standings.logic.called import PageNames, page_names


@dataclass(frozen=True, slots=True, kw_only=True)
class Deals:
    """When an entrant deals, at which table, and who of them deals next if they win."""

    when: When
    table: int
    turn: str | None


@dataclass(frozen=True)
class DealersNow:
    """The tables of the rounds that are open, and what their deals mean to each entrant.

    ``names`` are those of the page, of whoever sits at these tables and whoever is there beside.
    """

    tables: tuple[TableNow, ...]
    of_entrant: Mapping[int, Deals]
    names: PageNames

    @cached_property
    def by_sides(self) -> bool:
        """Return whether every table still playing fits three columns: A wins, B wins, tied."""
        playing = [table for table in self.tables if not table.finished]
        return bool(playing) and all(table.forecast.by_sides for table in playing)


def dealers_now(tournament: Tournament, beside: Iterable[tuple[int, str]] = ()) -> DealersNow:
    """Return who deals where, in one query.

    People are called so that they are told apart from each other and from those *beside*
    them on the page, by player and name.
    """
    tables = read_open_tables(tournament=tournament.pk)
    seated = [
        (stint.player_id, stint.name)
        for table in tables
        for stint in table.stints
        if not stint.erased
    ]
    names = page_names([*beside, *seated])
    tables = [replace(table, short_names=names.of_player) for table in tables]
    of_entrant: dict[int, Deals] = {}
    for table in tables:
        if table.finished:
            continue
        # The most certain thing the deal holds for each entrant at the table.
        deals: dict[int, Deals] = {}
        for stint in table.stints:
            if stint.to_hand is not None:
                continue
            when = table.forecast.when(stint.place, stint.side)
            known = deals.get(stint.entrant_id)
            if when and (known is None or when < known.when):
                turn = table.forecast.if_wins(stint.side)
                deals[stint.entrant_id] = Deals(when=when, table=table.number, turn=turn)
        of_entrant |= deals
    return DealersNow(tuple(tables), of_entrant, names)


def rule_of_dealing(tournament: Tournament) -> tuple[str, ...]:
    """Say who deals next by the rules of the game, and who deals first at a new table."""
    game = tournament.rules
    match game.first_dealer:
        case FirstDealer.CHOSEN:
            first = gettext("At a new table, whoever has dealt first least often starts.")
        case FirstDealer.LOT:
            first = gettext("At a new table the first dealer is picked at random.")
        case FirstDealer.DRAWN:
            first = gettext("At a new table the cards drawn say who deals first.")
    return (*([gettext(game.deals_next)] if game.deals_next else []), first)
