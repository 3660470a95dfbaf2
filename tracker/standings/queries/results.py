"""Results in words: who leads or won, the prizes and their ties, and the awards."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext, ngettext

from games.errors import gettext_noop
from games.sheet import Criterion
from tracker.common.figures import figure, figures_in_a_row, in_halves, placing, signed
from tracker.common.poster import MOST_ROWS, Poster
from tracker.common.wording import together
from tracker.models import Round, TieResolution, Tournament
from tracker.standings.logic.called import PageNames, page_names
from tracker.standings.queries.awards import GivenAward
from tracker.standings.queries.criteria import DRAW, MATCH_POINTS, WIN
from tracker.standings.queries.events import Event
from tracker.standings.queries.finishes import FinalPlace, named_rankings
from tracker.standings.queries.standings import Standing, StandingRow, standings

PRIZES = 3  # places for which a tie is worth settling
_RESOLVED = {
    TieResolution.SHARE: gettext_noop("%(names)s share the prize."),
    TieResolution.CUT: gettext_noop("%(names)s: in this order by the cut of the cards."),
    TieResolution.PLAY_OFF: gettext_noop("%(names)s: in this order by a play-off."),
}
_SAT_OUT = gettext_noop("Round %(number)d: sat out")
_BYES: Mapping[tuple[str, Fraction | int], str] = {
    (MATCH_POINTS.key, WIN): gettext_noop("Round %(number)d: bye, as a win"),
    (MATCH_POINTS.key, DRAW): gettext_noop("Round %(number)d: bye, as a draw"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """Some who stand level at a place that has a prize."""

    place: int
    entrants: tuple[tuple[int, str], ...]  # with names


def prize_rows(standing: Standing) -> list[StandingRow]:
    """Return the rows of the places with a prize, without those who have nothing yet."""
    return [row for row in standing.rows if row.place <= PRIZES and (row.hands or row.carried)]


def open_ties(tournament: Tournament, rows: Iterable[StandingRow | FinalPlace]) -> list[Tie]:
    """Return the ties for a prize that are not resolved yet."""
    resolved = {frozenset(each["order"]) for each in tournament.tie_resolutions or ()}
    level: dict[int, list[tuple[int, str]]] = {}
    for row in rows:
        if row.tied and row.place <= PRIZES and row.hands:
            level.setdefault(row.place, []).append((row.entrant, row.name))
    return [
        Tie(place=place, entrants=tuple(tied))
        for place, tied in level.items()
        if frozenset(entrant for entrant, _ in tied) not in resolved
    ]


def resolution_lines(tournament: Tournament, rows: Iterable[StandingRow | FinalPlace]) -> list[str]:
    """Return in words how the ties that still stand were settled."""
    by_entrant = {row.entrant: row for row in rows}
    lines = []
    for resolution in tournament.tie_resolutions or ():
        how = TieResolution(resolution["how"])
        tied = [by_entrant[entrant] for entrant in resolution["order"] if entrant in by_entrant]
        steps = [0] * len(tied) if how is TieResolution.SHARE else range(len(tied))
        if tied and [row.place for row in tied] == [tied[0].place + step for step in steps]:
            names = ", ".join(row.name for row in tied)
            lines.append(gettext(_RESOLVED[how]) % {"names": names})
    return lines


@dataclass(frozen=True, slots=True, kw_only=True)
class EventResult:
    """The final ranking of an event, including entrants who only sat out."""

    event: Event
    rows: tuple[FinalPlace, ...]

    @property
    def lines(self) -> list[tuple[str, str, str, str, int]]:
        """Return place, name, points, deciding tie-breaks and hands of each row, in words."""
        finishes = [row.finish for row in self.rows if row.finish]
        halves = in_halves(finish.points for finish in finishes)
        return [
            (
                placing(row.place, tied=row.tied),
                row.name,
                figure(row.finish.points, percent=row.finish.criterion.percent, halves=halves)
                if row.finish
                else "",
                figures_in_a_row(row.finish.separated_by) if row.finish else "",
                row.hands,
            )
            for row in self.rows
        ]

    @property
    def first(self) -> list[tuple[str, str, str, str]]:
        """Return the lines of the places with a prize, without the number of hands."""
        lines = zip(self.lines, self.rows, strict=True)
        return [line[:4] for line, row in lines if row.place <= PRIZES and row.hands]

    @property
    def tied(self) -> list[Tournament]:
        """Return the official stages that have an unsettled tie for a prize."""
        return [
            stage
            for stage in self.event.stages
            if stage.official_at is not None
            and not self.event.after(stage)
            and open_ties(stage, [row for row in self.rows if row.stage.pk == stage.pk])
        ]

    @property
    def settled(self) -> list[str]:
        """Say how ties for a prize were settled."""
        return [line for stage in self.event.stages for line in resolution_lines(stage, self.rows)]


def results_of(events: Collection[Event]) -> list[EventResult]:
    """Return the results of these events, in the queries of ``named_rankings``."""
    rankings = named_rankings(events)
    every = [EventResult(event=event, rows=rankings[event.root.pk]) for event in events]
    return [result for result in every if any(row.hands for row in result.rows)]


def award_lines(standing: Standing, names: PageNames | None = None) -> list[tuple[str, str, str]]:
    """Return for each award the name as the page shows it, its kind and reason, and its points."""
    names = names or page_names(standing.people)
    called = {row.entrant: row.called(names) for row in standing.rows}
    return [
        (
            called[given.entrant],
            _says(given, standing.criteria[0]),
            signed(given.amount, given.unit) if given.amount else "",
        )
        for given in standing.awards
    ]


def _says(given: GivenAward, points: Criterion) -> str:
    award = given.award
    words = {
        "kind": award.get_kind_display(),
        "number": award.round and award.round.number,
        "reason": award.reason,
        "unit": gettext(points.label),
    }
    if award.rested and award.part and not award.part[0]:
        return gettext("Round %(number)d: sat out, but no table played") % words
    if award.rested:
        by_name = given.rounds is None and given.counts
        template = _BYES.get((given.unit.key, given.amount), _SAT_OUT) if by_name else _SAT_OUT
        sentence = gettext(template) % words
    elif award.round is not None:
        sentence = gettext("%(kind)s, round %(number)d: %(reason)s") % words
    else:
        sentence = gettext("%(kind)s: %(reason)s") % words
    if given.rounds and given.amount:
        words |= {"sentence": sentence, "rounds": given.rounds}
        average = (
            gettext("%(sentence)s, earns the own average")
            if award.rested
            else ngettext(
                "%(sentence)s: own average of %(rounds)d round",
                "%(sentence)s: own average of %(rounds)d rounds",
                given.rounds,
            )
        )
        sentence = average % words
    if not given.counts:
        words["sentence"] = sentence
        return gettext("%(sentence)s; it does not count where %(unit)s decides") % words
    return sentence


def poster_of(tournament: Tournament) -> Poster:
    """Return who leads, in as many queries as ``standings`` takes."""
    standing = standings(tournament)
    names = page_names(standing.people)
    rows = standing.rows[:MOST_ROWS] if standing.begun else ()
    before = gettext("Provisional standings") if standing.begun else gettext("about to begin")
    return Poster(
        club=tournament.club.name,
        title=tournament.name,
        says=gettext("Official standings") if tournament.official_at else before,
        rows=tuple(standing.line(row, row.called(names))[:3] for row in rows),
    )


def leads_in_words(tournament: Tournament, standing: Standing) -> str:
    """Say who leads or has won, for a link that is passed on."""
    first = [row for row in standing.rows if row.place == 1]
    if not standing.begun or not first:
        return gettext("%(game)s at %(club)s") % {
            "game": gettext(tournament.rules.name),
            "club": tournament.club.name,
        }
    names = page_names(standing.people)
    words = {
        "names": together([row.called(names) for row in first[:3]]),
        "count": len(first),
        "points": standing.points_of(first[0]),
        "label": gettext(standing.criteria[0].label),
    }
    if len(first) > 3:
        return gettext("%(count)d are tied for the lead. %(label)s: %(points)s") % words
    if len(first) > 1:
        return gettext("%(names)s are tied for the lead. %(label)s: %(points)s") % words
    if tournament.official_at:
        return gettext("%(names)s won. %(label)s: %(points)s") % words
    return gettext("%(names)s leads. %(label)s: %(points)s") % words


def corrections_in_words(upto: Round, standing: Standing, names: PageNames) -> str:
    """Say which points, and how many places besides, have changed since they were announced."""
    points = standing.criteria[0].key
    if upto.published_standing is None:
        return ""
    other, moved = [], 0
    for row in standing.rows:
        if row.published is None:  # not announced, as nothing counted yet
            if row.hands or row.figures[points]:
                other.append(row.called(names))
        elif row.published.points != row.figures[points]:
            other.append(row.called(names))
        elif (row.published.place, row.published.tied) != (row.place, row.tied):
            moved += 1
    says = [together(other)] if other else []
    if moved:
        places = ngettext("%(count)d other place", "%(count)d other places", moved)
        says.append(places % {"count": moved})
    return "; ".join(says)


def column_meanings(standing: Standing) -> tuple[str, ...]:
    """Return a line of explanation for each column whose heading does not say enough."""
    line = gettext("%(heading)s: %(meaning)s")
    own = (
        (gettext(column.label), gettext(column.meaning))
        for column in standing.columns
        if column.meaning
    )
    dealing = (gettext("Dealt first"), gettext("at how many tables they dealt the first hand"))
    return tuple(
        line % {"heading": heading, "meaning": meaning} for heading, meaning in (*own, dealing)
    )
