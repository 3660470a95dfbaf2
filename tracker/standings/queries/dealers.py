"""Dealers: who deals now at every table, and who deals next after each outcome."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

from django.utils.translation import gettext

from games.game import FirstDealer
from tracker.common.wording import say
from tracker.ledger.statements import read_open_tables
from tracker.ledger.table import TableNow
from tracker.models import Tournament
from tracker.standings.logic.called import PageNames, page_names


class When(IntEnum):
    """The most certain first."""

    NOW = 1
    NEXT = 2
    IF_THEY_WIN = 3
    PERHAPS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """The next dealer after one outcome of a hand; ``dealer`` is ``None`` while it is unknown."""

    outcome: str
    side: int | None
    of: str  # the side's people
    place: int | None
    dealer: str | None
    again: bool = False

    @property
    def heading(self) -> str:
        """Return the heading of the column for this outcome."""
        match self.side:
            case 0:
                return gettext("Next if A wins")
            case 1:
                return gettext("Next if B wins")
            case _:
                return gettext("Next if tied")

    @property
    def in_words(self) -> str | None:
        """Return the dealer's name, and whether they deal twice in a row."""
        return gettext("%(name)s again") % {"name": self.dealer} if self.again else self.dealer


@dataclass(frozen=True, kw_only=True)
class TableDeals:
    """The deal at one table: the hand, its dealer, and the possible next dealers."""

    sitting: int
    round: int
    table: int
    hand: int
    called: str  # what the table calls it: "Hand 5 of 8"
    sides: tuple[str, ...]
    done: bool  # the round has no more hands here
    place: int | None  # None while the table's own draw is to say who deals
    dealer: str | None
    turns: tuple[Turn, ...]

    @property
    def named(self) -> str:
        return gettext("Table %(number)d") % {"number": self.table}

    @cached_property
    def by_sides(self) -> tuple[Turn, ...]:
        """Return what comes of each side's winning, and of a tie, where two sides differ in it."""
        two_sides = [turn.side for turn in self.turns] == [0, 1, None]
        differ = len({turn.place for turn in self.turns}) > 1
        return self.turns if two_sides and differ else ()

    @property
    def lines(self) -> tuple[str, ...]:
        """Say in as few sentences as can be who deals next."""
        first, *others = self.turns
        if others and all(turn.place == first.place for turn in others):
            return (gettext("%(name)s, whoever wins") % {"name": first.dealer},)
        if not others and first.dealer is not None:
            params = {"name": first.dealer, "outcome": first.outcome}
            return (gettext("%(name)s, %(outcome)s") % params,)
        own = [
            turn
            for turn in self.turns
            if turn.side is not None and self.sides[turn.side] == turn.dealer
        ]
        if len(own) < len(self.sides):
            return tuple(self._line(turn) for turn in self.turns)
        rest = tuple(self._line(turn) for turn in self.turns if turn not in own)
        return (gettext("Whoever wins"), *rest)

    def _line(self, turn: Turn) -> str:
        if turn.dealer is None:
            return turn.outcome
        params = {"outcome": turn.outcome, "name": turn.dealer}
        if turn.again:
            return gettext("%(outcome)s: %(name)s again") % params
        return gettext("%(outcome)s: %(name)s") % params

    def when(self, place: int, side: int) -> When | None:
        """Return when this seat of this side deals, as far as can be known."""
        if place == self.place:
            return When.NOW
        turns = [turn for turn in self.turns if turn.place == place]
        if not turns:
            return None
        if len(turns) == len(self.turns):
            return When.NEXT
        return When.IF_THEY_WIN if side in {turn.side for turn in turns} else When.PERHAPS

    def if_wins(self, side: int) -> str | None:
        """Return who deals next if this side wins, where the rules know."""
        return next((turn.dealer for turn in self.turns if turn.side == side), None)


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

    tables: tuple[TableDeals, ...]
    of_entrant: Mapping[int, Deals]
    names: PageNames

    @cached_property
    def by_sides(self) -> bool:
        """Return whether every table still playing fits three columns: A wins, B wins, tied."""
        playing = [table for table in self.tables if not table.done]
        return bool(playing) and all(table.by_sides for table in playing)


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
    told: list[TableDeals] = []
    of_entrant: dict[int, Deals] = {}
    for table in tables:
        deals = table_deals(table, names)
        told.append(deals)
        if not deals.done:
            of_entrant.update(_of_entrants(deals, table))
    return DealersNow(tuple(told), of_entrant, names)


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


def table_deals(table: TableNow, on_page: PageNames | None = None) -> TableDeals:
    """Return who deals at a table that is read already, and who may deal next."""
    names = table.names_at(table.last_number + 1, on_page and on_page.of_player)
    place = table.dealer_place
    hand = table.last_number + (not table.finished)
    return TableDeals(
        sitting=table.sitting_id,
        round=table.round_number,
        table=table.number,
        hand=hand,
        called=table.numbered_of(hand),
        sides=names.sides,
        done=bool(table.finished),
        place=place,
        dealer=None if place is None else names.at(place),
        turns=tuple(
            Turn(
                outcome=say(forecast.outcome, names),
                side=forecast.side,
                of="" if forecast.side is None else names.of(forecast.side),
                place=forecast.dealer,
                dealer=None if forecast.dealer is None else names.at(forecast.dealer),
                again=place is not None and forecast.dealer == place,
            )
            for forecast in table.game.forecast(table.coming_session())
        ),
    )


def _of_entrants(deals: TableDeals, table: TableNow) -> dict[int, Deals]:
    """Return the most certain thing the deal holds for each entrant at the table."""
    of_entrant: dict[int, Deals] = {}
    for stint in table.stints:
        when = None if stint.to_hand is not None else deals.when(stint.place, stint.side)
        known = of_entrant.get(stint.entrant_id)
        if when and (known is None or when < known.when):
            of_entrant[stint.entrant_id] = Deals(
                when=when, table=deals.table, turn=deals.if_wins(stint.side)
            )
    return of_entrant
