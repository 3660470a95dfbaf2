"""Two people at the same tables: as partners, and against each other."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import TypeAlias

from django.utils.translation import gettext

from games import catalogue
from games.sheet import Criterion
from tracker.careers.queries.stints import (
    SeatSums,
    Span,
    Stint,
    shared,
    stints_beside,
    sums_by_seat,
    sums_of_spans,
)
from tracker.models import Tournament
from tracker.standings.queries.games import figures_of, points_of

Met: TypeAlias = tuple[Span, Span]


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherLine:
    """Somebody at the same table, and what one got oneself beside or against them."""

    player: int
    name: str
    game: str
    hands: int
    points: Fraction
    average: Fraction  # points a hand
    criterion: Criterion


@dataclass(frozen=True, slots=True, kw_only=True)
class MeetingLine:
    """Two people at one table."""

    tournament: int
    tournament_name: str
    game: str
    when: datetime
    round: int
    table: int
    partners: bool
    hands: int
    points: tuple[Fraction, Fraction]  # of the one, of the other
    criterion: Criterion


@dataclass(frozen=True, slots=True, kw_only=True)
class Together:
    """What two people gathered as partners in one game."""

    game: str
    units: str
    hands: int
    figures: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """What two people gathered in one game against each other: label, the one's, the other's."""

    game: str
    units: str
    hands: int
    figures: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    together: tuple[Together, ...]
    duels: tuple[Duel, ...]
    meetings: tuple[MeetingLine, ...]  # the latest first


def pair(one: int, other: int) -> Pair:
    """Return what two players came to, beside and against each other.

    It takes three queries, and one more where a table changed its people between two hands.
    """
    stints = stints_beside(one, other)
    chosen = Tournament.objects.filter(pk__in={stint.tournament for stint in stints})
    tournaments = {one.pk: one for one in chosen}
    met = [
        spans
        for mine in stints
        if mine.player == one
        for theirs in stints
        if theirs.player == other and (spans := shared(mine, theirs))
    ]
    kept = sums_by_seat(one, other)
    sums = sums_of_spans((span for spans in met for span in spans), kept)
    met = [spans for spans in met if sums[spans[0]]["hands"]]
    meetings = [_meeting(spans, sums, tournaments) for spans in met]
    return Pair(
        together=tuple(_together(met, sums, tournaments)),
        duels=tuple(_duels(met, sums, tournaments)),
        meetings=tuple(sorted(meetings, key=lambda line: line.when, reverse=True)),
    )


def others(
    own: Sequence[Stint],
    beside: Iterable[Stint],
    kept: SeatSums,
    tournaments: Mapping[int, Tournament],
) -> tuple[tuple[OtherLine, ...], tuple[OtherLine, ...]]:
    """Return the partners, best first, and the opponents, most frequent first."""
    here: dict[int, list[Stint]] = defaultdict(list)
    for stint in own:
        here[stint.sitting].append(stint)
    met: dict[tuple[bool, int, str], list[Span]] = defaultdict(list)
    names: dict[int, str] = {}
    for other in beside:
        for stint in here[other.sitting]:
            if both := shared(stint, other):
                with_me = other.side == stint.side
                met[with_me, other.player, tournaments[stint.tournament].game].append(both[0])
                names[other.player] = other.name
    sums = sums_of_spans((span for spans in met.values() for span in spans), kept)
    lines: dict[bool, list[OtherLine]] = {True: [], False: []}
    for (with_me, player, game), spans in met.items():
        gathered = _total(sums, spans)
        if gathered["hands"]:
            lines[with_me].append(_other(player, names[player], game, gathered))
    partners = sorted(lines[True], key=_best_first)
    opponents = sorted(lines[False], key=lambda line: (-line.hands, line.name))
    return tuple(partners), tuple(opponents)


def _best_first(line: OtherLine) -> tuple[Fraction, int, str]:
    return (line.average if line.criterion.fewest else -line.average, -line.hands, line.name)


def _other(player: int, name: str, game: str, gathered: Counter[str]) -> OtherLine:
    rules = catalogue.GAMES[game]
    criterion = points_of(rules)
    points = criterion.value(gathered)
    return OtherLine(
        player=player,
        name=name,
        game=gettext(rules.name),
        hands=gathered["hands"],
        points=points,
        average=points if criterion.per else points / gathered["hands"],
        criterion=criterion,
    )


def _total(sums: Mapping[Span, Counter[str]], spans: Collection[Span]) -> Counter[str]:
    total: Counter[str] = Counter()
    for span in spans:
        total.update(sums[span])
    return total


def _partners(spans: Met) -> bool:
    return spans[0].stint.side == spans[1].stint.side


def _meeting(
    spans: Met, sums: Mapping[Span, Counter[str]], tournaments: Mapping[int, Tournament]
) -> MeetingLine:
    stint = spans[0].stint
    tournament = tournaments[stint.tournament]
    criterion = points_of(tournament.rules)
    mine, theirs = (criterion.value(sums[span]) for span in spans)
    return MeetingLine(
        tournament=tournament.pk,
        tournament_name=tournament.name,
        game=gettext(tournament.rules.name),
        when=stint.since,
        round=stint.round,
        table=stint.table,
        partners=_partners(spans),
        hands=sums[spans[0]]["hands"],
        points=(mine, theirs),
        criterion=criterion,
    )


def _by_game(
    met: Iterable[Met], tournaments: Mapping[int, Tournament], *, partners: bool
) -> dict[str, list[Met]]:
    found: dict[str, list[Met]] = defaultdict(list)
    for spans in met:
        if _partners(spans) is partners:
            found[tournaments[spans[0].stint.tournament].game].append(spans)
    return found


def _together(
    met: Iterable[Met],
    sums: Mapping[Span, Counter[str]],
    tournaments: Mapping[int, Tournament],
) -> Iterator[Together]:
    for slug, spans in _by_game(met, tournaments, partners=True).items():
        game = catalogue.GAMES[slug]
        gathered = _total(sums, [mine for mine, _ in spans])
        yield Together(
            game=gettext(game.name),
            units=gettext(game.unit.many),
            hands=gathered["hands"],
            figures=figures_of(game, gathered),
        )


def _duels(
    met: Iterable[Met],
    sums: Mapping[Span, Counter[str]],
    tournaments: Mapping[int, Tournament],
) -> Iterator[Duel]:
    for slug, spans in _by_game(met, tournaments, partners=False).items():
        game = catalogue.GAMES[slug]
        mine = _total(sums, [span for span, _ in spans])
        theirs = _total(sums, [span for _, span in spans])
        yield Duel(
            game=gettext(game.name),
            units=gettext(game.unit.many),
            hands=mine["hands"],
            figures=tuple(
                (label, value, other)
                for (label, value), (_, other) in zip(
                    figures_of(game, mine), figures_of(game, theirs), strict=True
                )
            ),
        )
