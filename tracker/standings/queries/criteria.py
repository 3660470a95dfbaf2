"""Criteria: what a tournament ranks by, its game's points for tables as they are, then tie-breaks."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Count

from games.sheet import Criterion
from tracker.models import CarryOver, Format, RoundState, Sitting, Tournament
from tracker.standings.logic.tiebreaks import criteria_for
from tracker.standings.queries.sums import Sums, sums_by_table


@dataclass(slots=True)
class _Tables:
    """How the tables of a tournament have stood: of which sizes, and how many at once."""

    seats: set[int] = field(default_factory=set)
    most: int = 0


def criteria_of(tournament: Tournament) -> tuple[Criterion, ...]:
    """Return what a tournament ranks by, the points first.

    It takes one query where the game compares several tables otherwise than a single one.
    """
    return criteria_of_each([tournament])[tournament.pk]


def criteria_of_each(tournaments: Collection[Tournament]) -> Mapping[int, tuple[Criterion, ...]]:
    """Return what each of these tournaments ranks by, in one query at most."""
    across = [each for each in tournaments if each.rules.across is not None]
    tables = _tables(across) if across else {}
    return {each.pk: _criteria(each, tables.get(each.pk)) for each in tournaments}


def at_one_table(tournament: Tournament) -> tuple[Criterion, ...]:
    """Return what a single table of the tournament would be ranked by."""
    return _criteria(tournament, None)


def tables_met(
    criteria_by: Mapping[Tournament, Sequence[Criterion]], upto: int | None = None
) -> Mapping[int, list[tuple[int, Sums]]]:
    """Return who got what at which table, with its round, of the tournaments that ask for it.

    It takes one query where a tie-break goes by what those who are level got of each other.
    """
    head_to_head = {
        tournament: [criterion for criterion in criteria if criterion.head_to_head]
        for tournament, criteria in criteria_by.items()
    }
    asking = [tournament for tournament, criteria in head_to_head.items() if criteria]
    if not asking:
        return {}
    keys = {
        key
        for criteria in head_to_head.values()
        for criterion in criteria
        for key in (*(term for term, _ in criterion.terms), *criterion.per)
    }
    return sums_by_table(asking, keys, upto)


def _criteria(tournament: Tournament, tables: _Tables | None) -> tuple[Criterion, ...]:
    game = tournament.rules
    options = tournament.house_rules
    unequal = tables is not None and len(tables.seats) > 1
    # What a stage carries over are points across tables, also if it is played at a single one.
    carries = tournament.carry_over != CarryOver.NOTHING
    several = unequal or carries or (tables is not None and tables.most > 1)
    if game.across is not None and several:
        ranking = game.across(options, unequal)
    else:
        alone = game.mode(tournament.mode, options).individual
        changing = tournament.format == Format.PLAYERS and not alone
        ranking = game.ranking(options, changing)
    return criteria_for(ranking, tournament.tie_breaks, game.columns(options))


def _tables(tournaments: Collection[Tournament]) -> dict[int, _Tables]:
    tables_of: dict[int, _Tables] = defaultdict(_Tables)
    at_once: dict[tuple[int, int], int] = defaultdict(int)
    games = {each.pk: each.rules for each in tournaments}
    options = {each.pk: each.house_rules for each in tournaments}
    rows = (
        Sitting.objects.filter(round__tournament__in=tournaments)
        .exclude(round__state=RoundState.UNDONE)
        .values_list("round__tournament_id", "round_id", "mode")
        .annotate(tables=Count("pk"))
        .order_by()
    )
    for tournament, round_, mode, tables in rows:
        tables_of[tournament].seats.add(games[tournament].mode(mode, options[tournament]).seats)
        at_once[tournament, round_] += tables
    for (tournament, _), tables in at_once.items():
        tables_of[tournament].most = max(tables_of[tournament].most, tables)
    return dict(tables_of)
