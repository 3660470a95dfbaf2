"""Who deals now at every table, and who deals next, whatever happens there."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from django.utils.translation import gettext

from games.game import Forecast
from tracker.models import RoundState, Seat, Sitting, Tournament
from tracker.queries.wording import Names, names_of, say


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Who deals next if this comes about; ``dealer`` is ``None`` while nobody can know."""

    outcome: str
    side: int | None
    place: int | None
    dealer: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDeals:
    """The deal at one table: of which hand, by whom, and then by whom."""

    sitting: int
    round: int
    table: int
    hand: int
    of: int | None
    sides: tuple[str, ...]
    done: bool  # the round has no more hands here
    place: int
    dealer: str
    turns: tuple[Turn, ...]

    @property
    def sure(self) -> str | None:
        """Return who deals next whatever happens, if that is so."""
        dealers = {turn.dealer for turn in self.turns}
        return dealers.pop() if len(dealers) == 1 else None

    @property
    def by_sides(self) -> tuple[Turn, ...]:
        """Return what comes of each side's winning, and of a tie, at a table of two sides."""
        told = all(turn.dealer is not None for turn in self.turns)
        return self.turns if len(self.sides) == 2 and len(self.turns) == 3 and told else ()

    def if_wins(self, side: int) -> str | None:
        """Return who deals next if this side wins, where the rules know."""
        return next((turn.dealer for turn in self.turns if turn.side == side), None)


class When(IntEnum):
    """The most certain first."""

    NOW = 1
    NEXT = 2
    IF_THEY_WIN = 3
    PERHAPS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Deals:
    """When somebody of an entrant deals, at which table, and whose turn it is once they win."""

    when: When
    table: int
    turn: str | None


@dataclass(frozen=True, slots=True)
class DealersNow:
    """The tables of the rounds that are open, and what their deals mean to each entrant."""

    tables: tuple[TableDeals, ...]
    of_entrant: Mapping[int, Deals]


def dealers_now(tournament: Tournament) -> DealersNow:
    """Return who deals where, in two queries."""
    sittings = list(
        Sitting.objects.filter(round__tournament=tournament, round__state=RoundState.OPEN)
        .select_related("round")
        .order_by("round__number", "number")
    )
    people: dict[int, list[Seat]] = defaultdict(list)
    for seat in (
        Seat.objects.running()
        .filter(sitting__in=[sitting.pk for sitting in sittings])
        .select_related("player")
        .order_by("place")
    ):
        people[seat.sitting_id].append(seat)

    tables: list[TableDeals] = []
    of_entrant: dict[int, Deals] = {}
    for sitting in sittings:
        seats = people[sitting.pk]
        table = _table_deals(tournament, sitting, seats)
        tables.append(table)
        if not table.done:
            of_entrant.update(_of_entrants(table, seats))
    return DealersNow(tuple(tables), of_entrant)


def _table_deals(tournament: Tournament, sitting: Sitting, seats: Sequence[Seat]) -> TableDeals:
    game = tournament.rules
    mode = game.mode(sitting.mode, sitting.options)
    people = {seat.place: seat.player.name for seat in seats}
    names = names_of(mode, [people.get(place, gettext("nobody")) for place in range(mode.seats)])
    place = sitting.coming_dealer
    # As if the dealer the table chose were the rules' own: what follows depends on who deals.
    saved = {**sitting.session, "dealer": place} if "dealer" in sitting.session else sitting.session
    session = game.resume_session(mode, sitting.options, saved)
    return TableDeals(
        sitting=sitting.pk,
        round=sitting.round.number,
        table=sitting.number,
        hand=sitting.last_number + 1,
        of=sitting.round.hands,
        sides=names.sides,
        done=_is_done(sitting),
        place=place,
        dealer=names.at(place),
        turns=tuple(_turn(forecast, names) for forecast in game.forecast(session)),
    )


def _is_done(sitting: Sitting) -> bool:
    hands, games = sitting.round.hands, sitting.round.games
    return (
        sitting.finished_at is not None
        or (hands is not None and sitting.last_number >= hands)
        or (games is not None and sitting.games_over >= games)
    )


def _turn(forecast: Forecast, names: Names) -> Turn:
    return Turn(
        outcome=say(forecast.outcome, names),
        side=forecast.side,
        place=forecast.dealer,
        dealer=None if forecast.dealer is None else names.at(forecast.dealer),
    )


def _of_entrants(table: TableDeals, seats: Iterable[Seat]) -> dict[int, Deals]:
    """Return the most certain thing the deal holds for each entrant at the table."""
    found: dict[int, Deals] = {}
    for seat in seats:
        when = _when(table, seat)
        known = found.get(seat.entrant_id)
        if when and (known is None or when < known.when):
            found[seat.entrant_id] = Deals(
                when=when, table=table.table, turn=table.if_wins(seat.side)
            )
    return found


def _when(table: TableDeals, seat: Seat) -> When | None:
    if seat.place == table.place:
        return When.NOW
    turns = [turn for turn in table.turns if turn.place == seat.place]
    if not turns:
        return None
    if len(turns) == len(table.turns):
        return When.NEXT
    if any(turn.side == seat.side for turn in turns):
        return When.IF_THEY_WIN
    return When.PERHAPS
