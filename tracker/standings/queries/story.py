"""The story of a tournament, round by round, in sentences, with its great hands."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_noop, ngettext

from games.mode import Mode
from games.sheet import Criterion, side_marks
from tracker.common.figures import figure, in_halves, placing
from tracker.common.wording import together
from tracker.models import Hand, Issue, IssueKind, Round, RoundState, Seat, Tournament
from tracker.models.stints import covers
from tracker.standings.queries.criteria import criteria_after
from tracker.standings.queries.race import Race, Runner, names_of, race
from tracker.standings.queries.standings import published_places, standings

_MOST = 4  # hands of a round that are told, before they are only counted
_NAMED = 3  # of those who share something, before they are only counted
_CLIMBS = 2
_STEEP = 3  # places, before it is called a climb
_SETTLED = {
    "keep": gettext_noop("Two different counts of %(hand)s at table %(table)d: the first stood."),
    "take": gettext_noop("Two different counts of %(hand)s at table %(table)d: the other counted."),
    "two": gettext_noop("Two counts at table %(table)d were two hands: %(hand)s and one more."),
}
_SETTLED_ELSE = gettext_noop("Two different counts of %(hand)s at table %(table)d were settled.")
_PARKED = gettext_noop("%(hand)s at table %(table)d did not add up, and was settled.")


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
        names = names_of(seat.player for at_table in people.values() for seat in at_table)

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


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedLine:
    """A line of the standing as published when the round closed; ``now`` has today's points."""

    place: str
    name: str
    points: str
    now: str

    @property
    def differs(self) -> bool:
        return self.points != self.now


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundStory:
    round: Round
    moments: tuple[str, ...]
    published: tuple[PublishedLine, ...]
    unit: str  # of what was published

    @property
    def mended(self) -> bool:
        """Return whether points were corrected since the standing was published."""
        return any(line.differs for line in self.published)


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    race: Race
    rounds: tuple[RoundStory, ...]  # the first one first


def story(tournament: Tournament) -> Story:
    """Return how the tournament went, in seven queries."""
    run = race(tournament)
    great = great_hands(tournament, run)
    settled = _settled(tournament)
    stories = []
    for round_ in tournament.rounds.filter(state__in=[RoundState.OPEN, RoundState.CLOSED]).order_by(
        "number"
    ):
        moments: list[str] = []
        if round_.number in run.rounds:
            position = run.rounds.index(round_.number)
            moments += [*_lead(run, position), *_climbs(run, position)]
        moments += [*great.get(round_.number, ()), *settled.get(round_.number, ())]
        stories.append(
            RoundStory(
                round=round_,
                moments=tuple(moments),
                published=_published_lines(round_, run),
                unit=gettext(criteria_after(round_)[0].label),
            )
        )
    return Story(race=run, rounds=tuple(stories))


def points_after(run: Race, runner: Runner, position: int) -> str:
    """Return the points of a runner after a round, formatted."""
    points = runner.points[position + 1]
    return figure(points, percent=run.criterion.percent, halves=run.halves)


def _lead(run: Race, position: int) -> Iterator[str]:
    """Say who leads after a round, and whether that is news."""
    now = [runner for runner in run.runners if runner.places[position] == 1]
    before = [runner for runner in run.runners if position and runner.places[position - 1] == 1]
    params = {
        "points": points_after(run, now[0], position),
        "name": now[0].called,
    }
    if len(now) > 1:
        if len(now) == len(run.runners) and not now[0].points[position + 1]:
            yield gettext("All tied, nothing decided yet.")
            return
        params["names"] = _names(now)
        most = now[0].points[position + 1]
        equals = [runner for runner in run.runners if runner.points[position + 1] == most]
        if len(equals) > len(now):  # and a tie-break tells them apart
            params["equals"] = _names(equals)
            yield gettext("%(equals)s have %(points)s each; %(names)s are placed first.") % params
            return
        yield gettext("%(names)s tied for the lead, with %(points)s each.") % params
    elif not before:
        yield gettext("%(name)s took the lead at the start, with %(points)s.") % params
    elif now == before:
        yield gettext("%(name)s stayed in the lead, with %(points)s.") % params
    elif now[0] in before:
        yield gettext("%(name)s took the lead alone, with %(points)s.") % params
    else:
        params["before"] = _names(before)
        sentence = gettext("%(name)s went past %(before)s into the lead, with %(points)s.")
        yield sentence % params


def _climbs(run: Race, position: int) -> Iterator[str]:
    """Say who came up from far behind, as seen from the round before."""
    if not position:
        return
    steep = max(_STEEP, len(run.runners) // 4)
    climbs = sorted(
        (
            (runner.places[position - 1] - runner.places[position], runner)
            for runner in run.runners
            if sum(runner.hands[:position]) and runner.hands[position]
        ),
        key=lambda climb: (-climb[0], climb[1].places[position]),
    )
    for climbed, runner in climbs[:_CLIMBS]:
        if climbed >= steep:
            yield gettext("%(name)s came up from place %(before)d to place %(now)d.") % {
                "name": runner.called,
                "before": runner.places[position - 1],
                "now": runner.places[position],
            }


def _settled(tournament: Tournament) -> dict[int, list[str]]:
    """Return by round what was settled there, in one query."""
    issues = (
        Issue.objects.filter(
            sitting__round__tournament=tournament,
            kind__in=[IssueKind.CONFLICT, IssueKind.PARKED],
            settled_at__isnull=False,
        )
        .exclude(sitting__round__state=RoundState.UNDONE)
        # A settled hand can settle others at the same instant: so by table and hand, too.
        .order_by("settled_at", "sitting__number", "number", "kind", "outcome")
        .values_list("kind", "outcome", "sitting__round__number", "sitting__number", "number")
    )
    sentences: dict[int, list[str]] = defaultdict(list)
    for kind, outcome, round_, table, number in issues:
        template = _PARKED if kind == IssueKind.PARKED else _SETTLED.get(outcome, _SETTLED_ELSE)
        hand = gettext(tournament.rules.unit.numbered) % {"number": number}
        sentences[round_].append(gettext(template) % {"hand": hand, "table": table})
    return sentences


def _published_lines(round_: Round, run: Race) -> tuple[PublishedLine, ...]:
    """Return what was shown when the round closed, beside what is known of it today.

    It recomputes the standing only of a round that was ranked by something else.
    """
    runners = {runner.entrant.pk: runner for runner in run.runners}
    played = [number for number in run.rounds if number <= round_.number]
    published, unit = published_places(round_), criteria_after(round_)[0]
    halves = in_halves(then.points for then in published.values())
    if unit == run.criterion:
        now = {key: runner.points[len(played)] for key, runner in runners.items()}
    elif published:
        shown = standings(round_.tournament, upto=round_)
        now = {row.entrant: row.figures[unit.key] for row in shown.rows}
    return tuple(
        PublishedLine(
            place=placing(then.place, tied=then.tied),
            name=runners[entrant].called if entrant in runners else gettext("somebody who left"),
            points=figure(then.points, percent=unit.percent, halves=halves),
            now=figure(now.get(entrant, then.points), percent=unit.percent, halves=halves),
        )
        for entrant, then in published.items()
    )


def _names(runners: Sequence[Runner]) -> str:
    if len(runners) > _NAMED:
        count = len(runners)
        if runners[0].entrant.team:
            return ngettext("%(count)d team", "%(count)d teams", count) % {"count": count}
        return ngettext("%(count)d player", "%(count)d players", count) % {"count": count}
    return together([runner.called for runner in runners])
