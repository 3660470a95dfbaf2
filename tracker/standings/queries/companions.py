"""Partners and opponents of a player: the hands they shared at a table, and the points of these.

A *sitting* is a table in one round, a *seat* a player at one of its places for a range of hands, a
*span* the part of that range in which a certain other player sat there. A *mark* is a whole number
that a hand gives to a place by a key. Sums, and stored tallies, have "hands", their number, too.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import NamedTuple, TypeAlias

from games import catalogue
from games.game import AnyGame
from games.sheet import Criterion
from tracker.common.figures import average
from tracker.models import Hand, RoundState, Seat, SeatTally, Tournament
from tracker.models.stints import HandRange, covers, overlap

SeatSums: TypeAlias = Mapping[int, Counter[str]]  # of marks, keyed by seat


class Span(NamedTuple):
    seat: Seat
    hand_range: HandRange  # numbers of the first and the last, ``None`` while the table plays


SharedSpans: TypeAlias = tuple[Span, Span]  # of two players, with the same hands


def seats_beside(*players: int) -> list[Seat]:
    """Return every seat at the tables where all these players sat, in one query."""
    seats = Seat.objects.exclude(round__state=RoundState.UNDONE)
    for player in players:
        seats = seats.filter(sitting__in=Seat.objects.filter(player=player).values("sitting"))
    related = seats.select_related("player", "entrant__team", "round", "sitting").only(
        *("sitting_id", "round_id", "place", "side", "from_hand", "to_hand"),
        *("player__name", "entrant__player_id", "entrant__team__name"),
        *("round__tournament_id", "round__number", "sitting__number", "sitting__started_at"),
    )
    return list(related.order_by("sitting__started_at", "sitting", "place", "from_hand"))


def sums_by_seat(*players: int) -> SeatSums:
    """Return the sums of each seat of these players, in one query."""
    sums: dict[int, Counter[str]] = defaultdict(Counter)
    rows = SeatTally.objects.filter(seat__player__in=players)
    for seat, key, amount in rows.values_list("seat_id", "key", "amount"):
        sums[seat][key] += amount
    return sums


def range_of(seat: Seat) -> HandRange:
    return seat.from_hand, seat.to_hand


def shared_spans(seat: Seat, other: Seat) -> SharedSpans | None:
    """Return the hands that two seats share at one table, as a span of each."""
    if seat.sitting_id != other.sitting_id or seat.place == other.place:
        return None
    hands = overlap(range_of(seat), range_of(other))
    return (Span(seat, hands), Span(other, hands)) if hands else None


def are_partners(spans: SharedSpans) -> bool:
    return spans[0].seat.side == spans[1].seat.side


def sums_of_spans(spans: Iterable[Span], seat_sums: SeatSums) -> dict[Span, Counter[str]]:
    """Return the sums of each span, in one query, or in none if all spans are whole seats.

    *seat_sums* are over all hands of a seat; a span of only some of them is summed hand by hand.
    """
    sums: dict[Span, Counter[str]] = {}
    partial: dict[int, list[Span]] = defaultdict(list)  # keyed by sitting
    for span in set(spans):
        if span.hand_range == range_of(span.seat):
            sums[span] = seat_sums.get(span.seat.pk, Counter())
        else:
            sums[span] = Counter()
            partial[span.seat.sitting_id].append(span)
    if not partial:
        return sums
    hands = Hand.objects.filter(sitting__in=partial, struck_at=None)
    for sitting, number, marks in hands.values_list("sitting_id", "number", "marks"):
        for span in partial[sitting]:
            # A hand that does not count has ``None`` for its marks.
            if marks is not None and covers(*span.hand_range, number):
                sums[span].update(marks[span.seat.place])
                sums[span]["hands"] += 1
    return sums


def total(sums: Iterable[Counter[str]]) -> Counter[str]:
    """Return these sums added up, also where one is below 0."""
    added: Counter[str] = Counter()
    for marks in sums:
        added.update(marks)
    return added


@dataclass(frozen=True, slots=True, kw_only=True)
class Companion:
    """A partner or opponent in one game, with the points of the player whose career it is."""

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
        """Return the points per hand; points that are a share are an average already."""
        return self.points if self.criterion.per else self.points / self.hands

    @property
    def on_average(self) -> str:
        """Return the points per hand in words."""
        return average(self.average)


def companions(
    own: Sequence[Seat],
    beside: Iterable[Seat],
    seat_sums: SeatSums,
    tournaments: Mapping[int, Tournament],
) -> tuple[tuple[Companion, ...], tuple[Companion, ...]]:
    """Return the partners, best first, and the opponents, most frequent first.

    *own* are the player's seats, *beside* all seats there, the own ones too, which share no hands.
    Averages of different games are compared as mere numbers, if the caller chose no single game.
    """
    own_at: dict[int, list[Seat]] = defaultdict(list)  # keyed by sitting
    for seat in own:
        own_at[seat.sitting_id].append(seat)
    # The player's spans, keyed by (whether the other is a partner, the other, slug of the game).
    spans_with: dict[tuple[bool, int, str], list[Span]] = defaultdict(list)
    names: dict[int, str] = {}
    for other in beside:
        for seat in own_at[other.sitting_id]:
            if spans := shared_spans(seat, other):
                slug = tournaments[seat.round.tournament_id].game
                spans_with[are_partners(spans), other.player_id, slug].append(spans[0])
                names[other.player_id] = other.player.name
    sums = sums_of_spans(chain.from_iterable(spans_with.values()), seat_sums)
    partners: list[Companion] = []
    opponents: list[Companion] = []
    for (is_partner, player, slug), own_spans in spans_with.items():
        marks, game = total(sums[span] for span in own_spans), catalogue.GAMES[slug]
        hands, points = marks["hands"], game.usual_points.value(marks)
        if not hands:
            continue
        line = Companion(player=player, name=names[player], game=game, hands=hands, points=points)
        (partners if is_partner else opponents).append(line)

    def best_first(line: Companion) -> tuple[Fraction, int, str]:
        return (line.average if line.criterion.fewest else -line.average, -line.hands, line.name)

    opponents.sort(key=lambda line: (-line.hands, line.name))
    return tuple(sorted(partners, key=best_first)), tuple(opponents)


def most_played(lines: Iterable[Companion]) -> str:
    """Return the slug of the game with most hands in these lines; empty for no lines."""
    hands_by_game: Counter[str] = Counter()
    for line in lines:
        hands_by_game[line.game.slug] += line.hands
    return max(hands_by_game, key=hands_by_game.__getitem__, default="")
