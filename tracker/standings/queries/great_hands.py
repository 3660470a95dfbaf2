"""Great hands: those of a tournament that brought more points than usual, in words."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext, ngettext

from games.mode import Mode
from games.sheet import Criterion, side_marks
from tracker.common.figures import figure
from tracker.common.wording import together
from tracker.models import Hand, RoundState, Seat, Tournament
from tracker.models.stints import covers
from tracker.standings.logic.called import page_names
from tracker.standings.queries.race import Race

_MOST = 4  # hands of a round that are told, before they are only counted


@dataclass(frozen=True, slots=True)
class _Gain:
    """The most that a side got of one hand."""

    sitting: int
    round: int
    table: int
    number: int
    mode: Mode
    side: int
    points: Fraction


def great_hands(tournament: Tournament, run: Race) -> dict[int, list[str]]:
    """Return by round the hands that brought more than hands usually do, in two queries."""
    points = run.criterion
    gains = list(_gains(tournament, points))
    usual = {
        code: Counter(gain.points for gain in gains if gain.mode.code == code).most_common(1)[0][0]
        for code in {gain.mode.code for gain in gains}
    }
    great = [gain for gain in gains if gain.points > usual[gain.mode.code]]
    people: dict[int, list[Seat]] = defaultdict(list)
    seats = Seat.objects.filter(sitting__in={gain.sitting for gain in great})
    for seat in seats.select_related("player").order_by("place"):
        people[seat.sitting_id].append(seat)
    names = run.names
    if not names.of_player:  # of teams
        names = page_names(
            [
                (seat.player.pk, seat.player.name)
                for at_table in people.values()
                for seat in at_table
                if not seat.player.erased_at
            ]
        )

    by_round: dict[int, list[str]] = defaultdict(list)
    more: Counter[int] = Counter()
    unit = tournament.rules.unit
    for gain in great:
        if len(by_round[gain.round]) == _MOST:
            more[gain.round] += 1
            continue
        side = [
            names.player(seat.player_id, seat.player.name)
            for seat in people[gain.sitting]
            if seat.place in gain.mode.sides[gain.side]
            and covers(seat.from_hand, seat.to_hand, gain.number)
        ]
        words = {
            "names": together(side),
            "points": figure(gain.points, percent=points.percent),
            "hand": gettext(unit.numbered) % {"number": gain.number},
            "unit": gettext(unit.one),
            "table": gain.table,
        }
        by_round[gain.round].append(
            format_html(
                '{} <a href="{}">{}</a>',
                gettext("%(names)s took %(points)s in one %(unit)s.") % words,
                reverse("hand", args=[gain.sitting, gain.number]),
                gettext("Table %(table)d, %(hand)s") % words,
            )
        )
    for number, count in more.items():
        again = ngettext("And %(count)d more like it.", "And %(count)d more like it.", count)
        by_round[number].append(again % {"count": count})
    return by_round


def _gains(tournament: Tournament, points: Criterion) -> Iterator[_Gain]:
    """Yield the gain of the best side of every hand that counts, if it is above 0."""
    game = tournament.rules
    of_seats = game.seat_scoped
    modes: dict[str, Mode] = {}
    hands = (
        Hand.objects.filter(sitting__round__tournament=tournament, struck_at=None)
        .exclude(sitting__round__state=RoundState.UNDONE)
        .order_by("sitting__round__number", "sitting__number", "number")
        .values_list(
            "sitting_id",
            "sitting__round__number",
            "sitting__number",
            "number",
            "sitting__mode",
            "sitting__options",
            "marks",
        )
    )
    for sitting, round_, table, number, code, options, marks in hands:
        if marks is None:
            continue
        if code not in modes:
            modes[code] = game.mode(code, game.resume_options(options))
        mode = modes[code]
        got = [points.value(side_marks(marks, seats, of_seats)) for seats in mode.sides]
        if max(got) > 0:
            yield _Gain(sitting, round_, table, number, mode, got.index(max(got)), max(got))
