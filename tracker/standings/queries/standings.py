"""The standing of a tournament, computed from stored tallies."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from typing import Any, NamedTuple

from django.utils.translation import gettext

from games.sheet import Criterion
from tracker.common.figures import figure, figures_in_a_row, in_halves, placing
from tracker.common.names import PageNames
from tracker.criteria.ranking_criteria import criteria_after, criteria_of, in_words
from tracker.criteria.results import Results
from tracker.criteria.tie_breaks import TieBreak
from tracker.models import Entrant, Format, Round, Tournament
from tracker.standings.logic.ranking import RankedEntrant, compare
from tracker.standings.queries.awards import GivenAward, with_amounts
from tracker.standings.queries.brackets import bracket_places
from tracker.standings.queries.final_rankings import carried_over
from tracker.standings.queries.ranking_data import ranking_data
from tracker.standings.queries.sums import Member, Sums, sums_by_entrant, sums_upto, team_members


@dataclass(frozen=True, slots=True)
class PublishedPlace:
    """The place of an entrant as it was published when a round closed."""

    place: int
    tied: bool
    points: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingRow:
    """The place of an entrant, and how it came about; entrant, player and team are keys.

    ``erased``: the player's name was removed. ``carried`` are points from earlier stages,
    ``rested`` those for sitting out; ``opened`` and ``dealt`` count the first hands of tables, and
    all hands, that it dealt.
    """

    ranked: RankedEntrant[int]
    player: int | None
    team: int | None
    name: str
    withdrawn: bool
    expelled: bool
    erased: bool
    hands: int
    carried: Fraction
    rested: Fraction | None
    opened: int
    dealt: int
    members: tuple[Member, ...]
    published: PublishedPlace | None

    @property
    def place(self) -> int:
        return self.ranked.place

    @property
    def tied(self) -> bool:
        return self.ranked.tied

    @property
    def entrant(self) -> int:
        return self.ranked.entrant

    @property
    def figures(self) -> Mapping[str, Fraction]:
        """Return the figures, keyed by the key of their criterion."""
        return self.ranked.figures

    @property
    def separated_by(self) -> Mapping[Criterion, Fraction]:
        """Return the tie-breaks, with figures, that separate it from neighbours of equal points."""
        return self.ranked.separated_by

    def called(self, names: PageNames) -> str:
        """Return the name of the row on a page with these short names."""
        return names.team(self.name) if self.team else names.player(self.player, self.name)

    @property
    def people(self) -> list[tuple[int, str]]:
        """Return key and name of each player in the row who is not erased."""
        alone = [(self.player, self.name)] if self.player and not self.erased else []
        return [*alone, *((each.player, each.name) for each in self.members if not each.erased)]


class _Entered(NamedTuple):
    """The fields of an entrant that a standing needs: whole models take a tenth longer."""

    pk: int
    player_id: int | None
    team_id: int | None
    withdrawn_at: datetime | None
    expelled: bool
    reserve_since: datetime | None
    player__name: str | None
    player__erased_at: datetime | None
    team__name: str | None

    @property
    def name(self) -> str:
        return self.player__name or self.team__name or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The ranked rows of a tournament.

    ``criteria`` are what ranks, the points first; ``columns`` the figures to show. ``halves`` are
    the keys of those whose figures are all whole numbers or halves. ``by_bracket``: a bracket gives
    the places, not the figures. ``results`` are who met whom, if that was asked for.
    """

    rows: tuple[StandingRow, ...]
    criteria: tuple[Criterion, ...]
    columns: tuple[Criterion, ...]
    awards: tuple[GivenAward, ...]
    halves: Collection[str]
    by_bracket: bool
    results: Results[int] | None = None

    @property
    def ranked_by(self) -> str:
        """Return the criteria in words, in their order."""
        if self.by_bracket:
            return gettext("how far they came")
        return in_words(self.criteria)

    @property
    def people(self) -> list[tuple[int, str]]:
        """Return key and name of each player in the rows who is not erased."""
        return [person for row in self.rows for person in row.people]

    @property
    def adds_opponents(self) -> bool:
        """Return whether a criterion adds up what opponents have scored."""
        return any(isinstance(each, TieBreak) and each.adds_opponents for each in self.criteria)

    def format_figure(self, value: Fraction, criterion: Criterion) -> str:
        """Return a figure as the column of its criterion shows it."""
        return figure(value, percent=criterion.percent, halves=criterion.key in self.halves)

    def points_of(self, row: StandingRow) -> str:
        """Return the points of a row in words."""
        points = self.criteria[0]
        return self.format_figure(row.figures[points.key], points)

    def line(self, row: StandingRow, name: str = "") -> tuple[str, str, str, str]:
        """Return place, name, points and deciding tie-breaks of a row, in words."""
        place = placing(row.place, tied=row.tied)
        return place, name or row.name, self.points_of(row), figures_in_a_row(row.separated_by)

    @property
    def placed_by(self) -> dict[int, str]:
        """Return in a few words, keyed by entrant, what set it apart from the next better place.

        For the first place it is what set it apart from the second.
        """
        of_place = {row.place: row for row in self.rows}
        next_better = dict(zip(list(of_place)[1:], of_place.values(), strict=False))
        second = next(iter(next_better), None)
        words = {}
        for row in self.rows:
            other = next_better.get(row.place) or of_place.get(second or 0)
            words[row.entrant] = self._what_decided(row, other) if other else gettext("level")
        return words

    def _what_decided(self, row: StandingRow, other: StandingRow) -> str:
        if self.by_bracket and row.ranked.bracket != other.ranked.bracket:
            return gettext("by the bracket")
        comparison = compare(row.ranked, other.ranked, self.criteria)
        if comparison.criterion is None:
            return gettext("tie settled")
        if comparison.criterion == self.criteria[0]:
            return gettext("by points")
        name = gettext(comparison.criterion.short or comparison.criterion.label)
        return f"{name} {self.format_figure(comparison.figures[0], comparison.criterion)}"

    @property
    def begun(self) -> bool:
        """Return whether there is any hand, award or carried point."""
        return bool(self.awards) or any(row.hands or row.carried for row in self.rows)

    @property
    def carries(self) -> bool:
        """Return whether any entrant brought points from an earlier stage."""
        return any(row.carried for row in self.rows)


def standings(
    tournament: Tournament, *, upto: Round | None = None, meetings: bool = False
) -> Standing:
    """Return the standing of a tournament, with one row per entrant.

    With *upto* it is the standing after that round, ranked as it was when published: later
    corrections are in it; entrants who came later, and awards of later rounds, are not. It takes a
    fixed number of queries, and those of ``carried_over`` if the stage carries points over. With
    *meetings* it has ``results``.
    """
    number = upto.number if upto else None
    criteria = criteria_after(upto) if upto else criteria_of(tournament)
    points = criteria[0]
    columns = tournament.rules.columns_after(points, tournament.house_rules)
    basis = ranking_data({tournament: criteria}, upto, meetings=meetings)[tournament.pk]
    # All mappings below are keyed by entrant. The sums come first, then the awards, which may be
    # averages of them; then who has a row, for which an award is enough, and the sums of these; and
    # last the ranking.
    hand_sums = sums_by_entrant(tournament) if number is None else sums_upto(tournament, number)
    all_sums = basis.with_match_points(hand_sums)
    awards = with_amounts(basis.awards, points, all_sums)
    published_of = published_places(upto)
    entrant_of = _entrants_shown(tournament, sums=all_sums, awards=awards, published=published_of)
    sums_of = {entrant: all_sums.get(entrant, Counter()) for entrant in entrant_of}
    members_of = team_members(tournament, number) if tournament.format == Format.TEAMS else {}
    carried_of = carried_over(tournament, points) if tournament.carries_over else {}
    rested_of: dict[int, Fraction] = defaultdict(Fraction)  # the points for sitting out
    for given in awards:
        if given.award.rested and given.counted_amount:
            rested_of[given.entrant] += given.counted_amount
    bracket_of = bracket_places([tournament], upto) if tournament.has_bracket else {}
    ranking = basis.rank(
        sums_of, awards=awards, carried=carried_of, bracket=bracket_of, upto=number, columns=columns
    )
    rows = []
    for ranked in ranking:
        entrant, marks = entrant_of[ranked.entrant], sums_of[ranked.entrant]
        row = StandingRow(
            ranked=ranked,
            player=entrant.player_id,
            team=entrant.team_id,
            name=entrant.name,
            withdrawn=entrant.withdrawn_at is not None,
            expelled=entrant.expelled,
            erased=entrant.player__erased_at is not None,
            hands=marks["hands"],
            opened=marks["opened"],
            dealt=marks["dealt"],
            carried=carried_of.get(entrant.pk, Fraction(0)),
            rested=rested_of.get(entrant.pk),
            members=members_of.get(entrant.pk, ()),
            published=published_of.get(entrant.pk),
        )
        rows.append(row)
    return Standing(
        rows=tuple(rows),
        criteria=criteria,
        columns=columns,
        awards=awards,
        halves={
            each.key
            for each in (*criteria, *columns)
            if in_halves(ranked.figures[each.key] for ranked in ranking)
        },
        by_bracket=bool(bracket_of),
        results=_with_scores(basis.results(sums_of, awards, carried_of, number), points, ranking)
        if meetings
        else None,
    )


def _with_scores(
    results: Results[int] | None, points: Criterion, ranking: Iterable[RankedEntrant[int]]
) -> Results[int] | None:
    if results is None:
        return None
    return replace(results, scores={each.entrant: each.figures[points.key] for each in ranking})


def _entrants_shown(
    tournament: Tournament, *, sums: Sums, awards: Iterable[GivenAward], published: Collection[int]
) -> dict[int, _Entered]:
    """Return the entrants who have a row in the standing, keyed by their key, in order of name.

    These are the entrants of the *published* standing (their keys) or, if it is empty, all who are
    not on the reserve list; and in any case those with a hand or an award.
    """
    awarded = {award.entrant for award in awards}
    named = Entrant.objects.filter(tournament=tournament).by_name()
    return {
        entrant.pk: entrant
        for entrant in map(_Entered._make, named.values_list(*_Entered._fields))
        if (entrant.pk in published if published else entrant.reserve_since is None)
        or entrant.pk in awarded
        or sums.get(entrant.pk)
    }


def standing_to_publish(round_: Round) -> dict[str, Any]:
    """Return what to store in ``Round.published_standing`` of a round that closes now.

    Every row of the standing is in it; but while nothing counts, when all share one place, none is.
    """
    tournament = round_.tournament
    standing = standings(tournament, upto=round_)
    points = standing.criteria[0].key
    rows = standing.rows if standing.begun else ()
    return {
        "ranked_by": tournament.ranked_by,
        "tie_breaks": tournament.tie_breaks,
        "standing": [
            {
                "entrant": row.entrant,
                "place": row.place,
                "tied": row.tied,
                "points": str(row.figures[points]),
            }
            for row in rows
        ],
    }


def published_places(upto: Round | None) -> dict[int, PublishedPlace]:
    """Return the places published when the round closed, keyed by entrant; empty if none were."""
    published = (upto.published_standing if upto else None) or {}
    return {
        row["entrant"]: PublishedPlace(row["place"], row["tied"], Fraction(row["points"]))
        for row in published.get("standing", [])
    }
