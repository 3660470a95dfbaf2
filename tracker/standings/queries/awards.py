"""Awards: points given or taken besides the hands, their amounts, and their page."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from django.db.models import BigIntegerField, Case, Count, OuterRef, Q, Subquery, Sum, When
from django.utils.translation import gettext, gettext_noop

from games.sheet import Criterion, criterion
from tracker.common.figures import signed
from tracker.models import (
    Award,
    AwardKind,
    AwardRule,
    Entrant,
    Round,
    RoundState,
    SeatTally,
    Sitting,
    Tournament,
)
from tracker.standings.queries.criteria import MATCH_POINTS
from tracker.standings.queries.matches import DECIDED
from tracker.standings.queries.sums import Sums

# What closing a round gives as the reason: opening it again takes exactly that back.
RESTED = gettext_noop("Rested")


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenAward:
    """An award with its amount worked out; below 0 it takes points away."""

    entrant: int
    kind: AwardKind
    round: int | None
    reason: str
    amount: Fraction
    unit: Criterion  # of what the amount is
    counts: bool = True  # as what it is of is what ranks
    rounds: int | None = None  # of an average: of how many rounds it is
    part: tuple[int, int, str] | None = None  # of a rest's round: how much was played of what
    rested: bool = False  # given for sitting out, and for nothing else

    @property
    def points(self) -> Fraction:
        return self.amount if self.counts else Fraction(0)


def live_awards(tournaments: Collection[Tournament], upto: Round | None = None) -> list[Award]:
    """Return the awards that stand in these tournaments.

    *upto* leaves out those of later rounds, or given later for no round. It takes one query. Where an average is among them, a second one tells those in how many
    rounds their entrant has played, and a rest how many tables its round has and what they have
    played of it: hands, or where the round does not count those, how many have played at all.
    """
    live = Award.objects.filter(tournament__in=tournaments, withdrawn_at=None)
    live = live.exclude(round__state=RoundState.UNDONE)
    if upto is not None:
        of_none = Q(round=None, given_at__isnull=False)
        if upto.closed_at is not None:
            of_none &= Q(given_at__lte=upto.closed_at)
        live = live.filter(Q(round__number__lte=upto.number) | of_none)
    awards = list(live.select_related("round").order_by("pk"))
    averages = {award.pk: award for award in awards if award.rule == AwardRule.AVERAGE}
    for pk, rounds, tables, played in (
        _counted(averages, upto.number if upto else None) if averages else ()
    ):
        averages[pk].rounds_played = rounds
        averages[pk].tables, averages[pk].played = tables, played
    known = {tournament.pk: tournament for tournament in tournaments}
    for award in awards:
        award.tournament = known[award.tournament_id]
    return awards


def _counted(awards: Collection[int], upto: int | None) -> Iterable[tuple[int, ...]]:
    """Yield by award the rounds its entrant has played, its round's tables, and their play."""
    played = SeatTally.objects.filter(
        seat__entrant=OuterRef("entrant"), key="hands", amount__gt=0
    ).exclude(seat__round__state=RoundState.UNDONE)
    if upto is not None:
        played = played.filter(seat__round__number__lte=upto)
    by_entrant = played.order_by().values("seat__entrant")
    rounds = by_entrant.annotate(rounds=Count("seat__round", distinct=True))
    rest = Q(kind=AwardKind.RESTING)
    tables = Sitting.objects.filter(round=OuterRef("round")).order_by().values("round")
    # At place 0 somebody sat for every hand, and one alone.
    hands = SeatTally.objects.filter(
        seat__round=OuterRef("round"), seat__place=0, key="hands", amount__gt=0
    )
    by_round = hands.order_by().values("seat__round")
    tables_played = by_round.values_list(Count("seat__sitting", distinct=True))
    return Award.objects.filter(pk__in=awards).values_list(
        "pk",
        Subquery(rounds.values_list("rounds", flat=True)),
        Case(When(rest, then=Subquery(tables.values_list(Count("pk"))))),
        Case(
            When(rest & Q(round__hands=None), then=Subquery(tables_played)),
            When(rest, then=Subquery(by_round.values_list(Sum("amount")))),
            output_field=BigIntegerField(),
        ),
    )


def amounts(
    awards: Iterable[Award],
    points: Criterion,
    sums: Sums,
    rounds_played: Mapping[int, int] | None = None,
) -> tuple[GivenAward, ...]:
    """Work out the amounts of awards of a tournament.

    *points* is what the tournament ranks by first, and *sums* what each entrant got of it by
    playing. An average is what an entrant usually gets in as many hands as were to be played,
    or where no number was set, in a round. The rounds they have played are those that
    ``live_awards`` counted, unless *rounds_played* has others, by entrant.
    """

    def rounds(award: Award) -> int:
        counted = award.rounds_played or 0
        return counted if rounds_played is None else rounds_played.get(award.entrant_id, 0)

    def average(award: Award, part: tuple[int, int, str] | None) -> Fraction:
        own = sums.get(award.entrant_id, Counter())
        if points.per or not own["hands"]:
            # A share needs no credit, and who has not played has no average.
            return Fraction(0)
        share = Fraction(*part[:2]) if part else 1
        if points.key == MATCH_POINTS.key:
            return points.value(own) / max(1, own[DECIDED]) * share
        hands = award.round.hands if award.round else award.tournament.hands
        if hands is None:
            return points.value(own) / rounds(award) * share
        return points.value(own) * hands / own["hands"] * share

    def one(award: Award) -> GivenAward:
        unit, kind, part = unit_of(award, points), AwardKind(award.kind), _part(award)
        return GivenAward(
            entrant=award.entrant_id,
            kind=kind,
            round=award.round.number if award.round else None,
            reason=award.reason,
            amount=average(award, part)
            if award.amount is None
            else fixed_points(kind, award.amount, unit),
            unit=unit,
            counts=unit.key == points.key,
            rounds=rounds(award) if award.amount is None else None,
            part=part,
            rested=_rested(award),
        )

    return tuple(map(one, awards))


def unit_of(award: Award, points: Criterion) -> Criterion:
    """Return of what an award is: what ranked when it was given, of an older one what ranks now."""
    if award.unit in {"", points.key}:
        return points
    rules, options = award.tournament.rules, award.tournament.house_rules
    known = {each.key: each for each in (MATCH_POINTS, *rules.tie_breaks(options))}
    return known.get(award.unit, criterion(award.unit, award.unit))


def _rested(award: Award) -> bool:
    """Say whether it was given for sitting out, when the round was closed."""
    return award.kind == AwardKind.RESTING and award.round is not None and award.reason == RESTED


def _part(award: Award) -> tuple[int, int, str] | None:
    """Return the units played in an averaged rest's round, their full number, and their name.

    What is entered or struck later moves it. Any other award stands for a whole round.
    """
    if award.rule != AwardRule.AVERAGE or award.kind != AwardKind.RESTING or award.round is None:
        return None
    whole, units = award.tables or 1, gettext("tables")
    if award.round.hands is not None:
        whole, units = whole * award.round.hands, gettext(award.tournament.rules.unit.many)
    return min(whole, award.played or 0), whole, units


def fixed_points(kind: AwardKind, amount: int, points: Criterion) -> Fraction:
    """Return what to add: a penalty harms and a prize helps, also where the fewest is best.

    Where a share decides, a point is one of a hundred.
    """
    harm = 1 if points.fewest else -1
    whole = 100 if points.percent else 1
    match kind:
        case AwardKind.PENALTY:
            return Fraction(harm * abs(amount), whole)
        case AwardKind.AWARD:
            return Fraction(-harm * amount, whole)
        case _:
            return Fraction(amount, whole)


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardPage:
    """The awards of a tournament, and the entrants and rounds to choose from for a new one."""

    awards: tuple[tuple[Award, str, str], ...]  # withdrawn ones too; with points and reason
    entrants: tuple[tuple[int, str], ...]
    rounds: tuple[tuple[int, int], ...]


def award_page(tournament: Tournament, ranked_by: Criterion) -> AwardPage:
    """Return every award of a tournament, the latest first, in three queries.

    *ranked_by* is what the tournament ranks by first.
    """
    entrants = Entrant.objects.filter(tournament=tournament).by_name()
    rounds = tournament.rounds.filter(state__in=[RoundState.OPEN, RoundState.CLOSED])
    awards = tournament.awards.select_related("entrant__player", "entrant__team", "round")

    def points(award: Award) -> str:
        if award.amount is None:
            return gettext("own average")
        amount = -abs(award.amount) if award.kind == AwardKind.PENALTY else award.amount
        unit = unit_of(award, ranked_by)
        return signed(Fraction(amount, 100 if unit.percent else 1), unit)

    return AwardPage(
        awards=tuple(
            (award, points(award), "" if _rested(award) else gettext(award.reason))
            for award in awards.order_by("-pk")
        ),
        entrants=tuple((entrant.pk, str(entrant)) for entrant in entrants),
        rounds=tuple(rounds.order_by("-number").values_list("pk", "number")),
    )
