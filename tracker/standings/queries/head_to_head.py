"""Head to head: two people at the same tables, as partners and against each other."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import TypeAlias

from django.db.models import F, Value
from django.db.models.functions import Coalesce

from games import catalogue
from games.game import AnyGame
from games.sheet import Criterion
from tracker.common.figures import average, game_figures
from tracker.models import Hand, RoundState, Seat, SeatTally, Tournament
from tracker.models.stints import Hands, covers, overlap

SeatSums: TypeAlias = Mapping[int, Counter[str]]  # by seat, by mark


@dataclass(frozen=True, slots=True, kw_only=True)
class CareerStint:
    """A player at one place of a table, from one hand to another."""

    pk: int
    sitting_id: int
    place: int
    side: int
    from_hand: int
    to_hand: int | None
    player_id: int
    name: str
    entrant_id: int
    entered_by: int | None  # the player whose entrant it is
    team: int | None
    team_name: str
    tournament: int
    round_number: int
    table: int
    since: datetime

    @property
    def hands(self) -> Hands:
        return self.from_hand, self.to_hand


@dataclass(frozen=True, slots=True)
class Span:
    """The part of a stint during which another player sat at the same table."""

    stint: CareerStint
    hands: Hands


Met: TypeAlias = tuple[Span, Span]  # the same hands, of each of the two
SpanSums: TypeAlias = Mapping[Span, Counter[str]]


def stints_beside(*players: int) -> tuple[CareerStint, ...]:
    """Return every stint at the tables where all these players sat, in one query."""
    seats = Seat.objects.exclude(round__state=RoundState.UNDONE)
    for player in players:
        seats = seats.filter(sitting__in=Seat.objects.filter(player=player).values("sitting"))
    rows = seats.order_by("sitting__started_at", "sitting", "place", "from_hand").values(
        *("pk", "sitting_id", "place", "side", "from_hand", "to_hand", "player_id", "entrant_id"),
        name=F("player__name"),
        entered_by=F("entrant__player"),
        team=F("entrant__team"),
        team_name=Coalesce("entrant__team__name", Value("")),
        tournament=F("round__tournament"),
        round_number=F("round__number"),
        table=F("sitting__number"),
        since=F("sitting__started_at"),
    )
    return tuple(CareerStint(**row) for row in rows)


def sums_by_seat(*players: int) -> SeatSums:
    """Return what these players gathered on each of their seats, in one query."""
    sums: dict[int, Counter[str]] = defaultdict(Counter)
    rows = SeatTally.objects.filter(seat__player__in=players)
    for seat, key, amount in rows.values_list("seat_id", "key", "amount"):
        sums[seat][key] += amount
    return sums


def shared_spans(stint: CareerStint, other: CareerStint) -> tuple[Span, Span] | None:
    """Return the hands that two stints share at one table, as a span of each."""
    if stint.sitting_id != other.sitting_id or stint.place == other.place:
        return None
    hands = overlap(stint.hands, other.hands)
    return (Span(stint, hands), Span(other, hands)) if hands else None


def sums_of_spans(spans: Iterable[Span], seat_sums: SeatSums) -> dict[Span, Counter[str]]:
    """Return what was gathered in these spans, in one query where a stint was broken, else none.

    Tallies are sums over whole stints, so the hands tell of parts.
    """
    sums: dict[Span, Counter[str]] = {}
    parts: list[Span] = []
    for span in set(spans):
        if span.hands == span.stint.hands:
            sums[span] = seat_sums.get(span.stint.pk, Counter())
        else:
            parts.append(span)
    if not parts:
        return sums
    hands: dict[int, list[tuple[int, list[Mapping[str, int]]]]] = defaultdict(list)
    rows = Hand.objects.filter(
        sitting__in={span.stint.sitting_id for span in parts}, struck_at=None
    )
    for sitting, number, marks in rows.values_list("sitting_id", "number", "marks"):
        if marks is not None:
            hands[sitting].append((number, marks))
    for span in parts:
        sums[span] = Counter()
        for number, marks in hands[span.stint.sitting_id]:
            if covers(*span.hands, number):
                sums[span].update(marks[span.stint.place])
                sums[span]["hands"] += 1
    return sums


@dataclass(frozen=True, slots=True, kw_only=True)
class Companion:
    """A partner or opponent, with the points of the career's own player beside or against them."""

    player: int
    name: str
    game: AnyGame
    hands: int
    points: Fraction

    @property
    def criterion(self) -> Criterion:
        return self.game.usual_points

    @property
    def average(self) -> Fraction:
        """Return the points a hand."""
        return self.points if self.criterion.per else self.points / self.hands

    @property
    def on_average(self) -> str:
        """Return the points a hand as people write them."""
        return average(self.average)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeetingLine:
    """One table at which two people met, with the points of each."""

    tournament: Tournament
    stint: CareerStint  # of the one
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
    own: Sequence[CareerStint],
    beside: Iterable[CareerStint],
    seat_sums: SeatSums,
    tournaments: Mapping[int, Tournament],
) -> tuple[tuple[Companion, ...], tuple[Companion, ...]]:
    """Return the partners, best first, and the opponents, most frequent first."""
    here: dict[int, list[CareerStint]] = defaultdict(list)
    for stint in own:
        here[stint.sitting_id].append(stint)
    met: dict[tuple[bool, int, str], list[Span]] = defaultdict(list)
    names: dict[int, str] = {}
    for other in beside:
        for stint in here[other.sitting_id]:
            if spans := shared_spans(stint, other):
                slug = tournaments[stint.tournament].game
                met[_on_one_side(spans), other.player_id, slug].append(spans[0])
                names[other.player_id] = other.name
    sums = sums_of_spans((span for spans in met.values() for span in spans), seat_sums)

    lines: dict[bool, list[Companion]] = {True: [], False: []}
    for (partners, player, slug), mine in met.items():
        gathered = _total(sums, mine)
        if not gathered["hands"]:
            continue
        game = catalogue.GAMES[slug]
        lines[partners].append(
            Companion(
                player=player,
                name=names[player],
                game=game,
                hands=gathered["hands"],
                points=game.usual_points.value(gathered),
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
