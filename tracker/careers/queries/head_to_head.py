"""Head to head: two people at the same tables, as partners and against each other."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from games import catalogue
from games.game import AnyGame
from games.sheet import Criterion
from tracker.careers.queries.stints import (
    SeatSums,
    Span,
    Stint,
    shared_spans,
    stints_beside,
    sums_by_seat,
    sums_of_spans,
)
from tracker.common.figures import average, game_figures
from tracker.models import Tournament

Met: TypeAlias = tuple[Span, Span]  # the same hands, of each of the two
SpanSums: TypeAlias = Mapping[Span, Counter[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Companion:
    """A partner or opponent, with the points of the career's own player beside or against them."""

    player: int
    name: str
    game: AnyGame
    hands: int
    points: Fraction
    average: Fraction  # points a hand
    criterion: Criterion

    @property
    def on_average(self) -> str:
        """Return the points a hand as people write them."""
        return average(self.average)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeetingLine:
    """One table at which two people met, with the points of each."""

    tournament: Tournament
    stint: Stint  # of the one
    partners: bool
    hands: int
    points: tuple[Fraction, Fraction]  # of the one, of the other

    @property
    def game(self) -> AnyGame:
        return self.tournament.rules

    @property
    def criterion(self) -> Criterion:
        return self.game.usual_points


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSums:
    """What two people gathered in one game: labels with one value as partners, else with each's."""

    game: AnyGame
    hands: int
    figures: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    together: tuple[GameSums, ...]
    duels: tuple[GameSums, ...]
    meetings: tuple[MeetingLine, ...]  # the latest first


def pair(player: int, other: int) -> Pair:
    """Return the record of two players as partners and as opponents.

    It takes three queries, and one more where a table changed its people between two hands.
    """
    stints = stints_beside(player, other)
    chosen = Tournament.objects.filter(pk__in={stint.tournament for stint in stints})
    tournaments = {tournament.pk: tournament for tournament in chosen}
    met = [
        spans
        for mine in stints
        if mine.player_id == player
        for theirs in stints
        if theirs.player_id == other and (spans := shared_spans(mine, theirs))
    ]
    sums = sums_of_spans((span for spans in met for span in spans), sums_by_seat(player, other))
    met = [spans for spans in met if sums[spans[0]]["hands"]]
    partners: dict[str, list[Met]] = defaultdict(list)
    opponents: dict[str, list[Met]] = defaultdict(list)
    for spans in met:
        by_game = partners if _on_one_side(spans) else opponents
        by_game[tournaments[spans[0].stint.tournament].game].append(spans)
    meetings = []
    for mine, theirs in met:
        tournament = tournaments[mine.stint.tournament]
        value = tournament.rules.usual_points.value
        meeting = MeetingLine(
            tournament=tournament,
            stint=mine.stint,
            partners=_on_one_side((mine, theirs)),
            hands=sums[mine]["hands"],
            points=(value(sums[mine]), value(sums[theirs])),
        )
        meetings.append(meeting)
    return Pair(
        together=tuple(_by_game(sums, partners, people=1)),
        duels=tuple(_by_game(sums, opponents, people=2)),
        meetings=tuple(sorted(meetings, key=lambda line: line.stint.since, reverse=True)),
    )


def _by_game(
    sums: SpanSums, met: Mapping[str, Collection[Met]], *, people: int
) -> Iterator[GameSums]:
    for slug, spans in met.items():
        game = catalogue.GAMES[slug]
        gathered = [_total(sums, [each[person] for each in spans]) for person in range(people)]
        rows = zip(*(game_figures(game, own) for own in gathered), strict=True)
        yield GameSums(
            game=game,
            hands=gathered[0]["hands"],
            figures=tuple((row[0][0], *(value for _label, value in row)) for row in rows),
        )


def companions(
    own: Sequence[Stint],
    beside: Iterable[Stint],
    seat_sums: SeatSums,
    tournaments: Mapping[int, Tournament],
) -> tuple[tuple[Companion, ...], tuple[Companion, ...]]:
    """Return the partners, best first, and the opponents, most frequent first."""
    here: dict[int, list[Stint]] = defaultdict(list)
    for stint in own:
        here[stint.sitting_id].append(stint)
    met: dict[tuple[bool, int, str], list[Span]] = defaultdict(list)
    names: dict[int, str] = {}
    for other in beside:
        for stint in here[other.sitting_id]:
            if spans := shared_spans(stint, other):
                game = tournaments[stint.tournament].game
                met[_on_one_side(spans), other.player_id, game].append(spans[0])
                names[other.player_id] = other.name
    sums = sums_of_spans((span for spans in met.values() for span in spans), seat_sums)

    lines: dict[bool, list[Companion]] = {True: [], False: []}
    for (partners, player, slug), mine in met.items():
        gathered = _total(sums, mine)
        if not gathered["hands"]:
            continue
        criterion = catalogue.GAMES[slug].usual_points
        points = criterion.value(gathered)
        lines[partners].append(
            Companion(
                player=player,
                name=names[player],
                game=catalogue.GAMES[slug],
                hands=gathered["hands"],
                points=points,
                average=points if criterion.per else points / gathered["hands"],
                criterion=criterion,
            )
        )

    def best_first(line: Companion) -> tuple[Fraction, int, str]:
        return (line.average if line.criterion.fewest else -line.average, -line.hands, line.name)

    most_frequent_first = sorted(lines[False], key=lambda line: (-line.hands, line.name))
    return tuple(sorted(lines[True], key=best_first)), tuple(most_frequent_first)


def most_played(lines: Iterable[Companion]) -> str:
    """Return the game in which most hands were played with these; empty for none."""
    hands: Counter[str] = Counter()
    for line in lines:
        hands[line.game.slug] += line.hands
    return max(hands, key=lambda game: hands[game], default="")


def _on_one_side(spans: Met) -> bool:
    return spans[0].stint.side == spans[1].stint.side


def _total(sums: SpanSums, spans: Iterable[Span]) -> Counter[str]:
    total: Counter[str] = Counter()
    for span in spans:
        total.update(sums[span])
    return total
