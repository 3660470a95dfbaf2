"""The coming round of a tournament: number, settings, saved draws, who plays, and at which tables."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations, count, islice

from django.db.models import Q

from tracker.models import (
    Attendance,
    ClubNight,
    Draw,
    Entrant,
    Format,
    Leftover,
    Movement,
    Round,
    RoundState,
    Seat,
    Sitting,
    Tournament,
)
from tracker.movements.catalogue import MOVEMENTS
from tracker.movements.round_robin import rounds_left
from tracker.seating.logic.saved_draws import DrawSettings
from tracker.seating.queries.players import waiting_players

# How many rounds are drawn at once, at most: a longer round robin is drawn in several goes.
MOST_AHEAD = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterChanges:
    """Who came or went since a round was drawn.

    ``gone`` are entrants (keys) who were drawn and cannot play any more, ``new`` are entrants who
    can play and were neither drawn nor left out. ``arrived`` are players (keys) not entered yet.
    """

    gone: tuple[int, ...] = ()
    new: tuple[int, ...] = ()
    arrived: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.gone or self.new or self.arrived)


@dataclass(frozen=True, slots=True, kw_only=True)
class ComingRound:
    """The round after ``last``, which is the tournament's last round that was not undone.

    ``night`` is the club's evening that goes on now. ``draws`` are the saved draws of the coming
    round and those after it; there are none if the coming round is not drawn. The JSON
    ``draw.question`` has the ``settings`` of the draw, and the keys of the entrants that are drawn
    (``present``, in order) and of others who could play (``left_out``). ``last.seating_plan`` has
    the same of the last round, but calls ``present`` ``order``; it is empty if nothing was drawn.
    """

    tournament: Tournament
    last: Round | None
    night: ClubNight | None
    draws: tuple[Draw, ...]

    @property
    def number(self) -> int:
        return self.last.number + 1 if self.last else 1

    @property
    def draw(self) -> Draw | None:
        return self.draws[0] if self.draws else None

    @property
    def night_id(self) -> int | None:
        return self.night.pk if self.night else None

    def settings(self) -> DrawSettings:
        """Return the settings of the draw, or the defaults for a new one."""
        if self.draw:
            return DrawSettings(**self.draw.question["settings"])
        tournament = self.tournament
        # Mode and odd tables stay as chosen for the last round; the rest is the tournament's.
        last_settings = self.last.seating_plan.get("settings", {}) if self.last else {}
        return DrawSettings(
            movement=tournament.movement,
            mode=last_settings.get("mode", tournament.mode),
            odd_tables=last_settings.get("odd_tables", tournament.leftover == Leftover.ODD_TABLE),
            length=tournament.games or tournament.hands,
            minutes=tournament.minutes,
        )

    def rounds_to_draw(self, movement: str) -> int:
        """Return how many rounds to draw at once: as many as are drawn now, if any are.

        Otherwise all that remain, if their number is known and the movement plans them as a
        *whole*, as that repeats fewer meetings; or else one.
        """
        if self.draws:
            return len(self.draws)
        if movement not in MOVEMENTS or not MOVEMENTS[movement].whole:
            return 1
        if self.tournament.planned is not None:  # how many rounds it is to have
            remaining = self.tournament.planned - self.number + 1
        elif movement == Movement.ROUND_ROBIN:
            remaining = rounds_until_all_met(self.tournament)
        else:
            remaining = 1
        return max(1, min(remaining, MOST_AHEAD))

    def available(self) -> list[int]:
        """Return the keys of entrants who can play, in the order of the last round, newer ones last.

        Entrants who withdrew, are on the reserve list or have gone home from the night are left
        out. A team stays when one of its players goes home.
        """
        playing = Entrant.objects.playing().filter(tournament=self.tournament)
        player_of = dict(playing.order_by("pk").values_list("pk", "player"))  # ``None`` for a team
        last_order = self.last.seating_plan.get("order", ()) if self.last else ()
        order = [key for key in dict.fromkeys([*last_order, *player_of]) if key in player_of]
        if self.night is None:
            return order
        players = [player for player in player_of.values() if player is not None]
        gone = Attendance.objects.gone_home(self.night, players)
        return [entrant for entrant in order if player_of[entrant] not in gone]

    def present(self) -> list[int]:
        """Return who plays (keys): the drawn, or else the available who were not left out last."""
        if self.draw:
            return list(self.draw.question["present"])
        left_out = set(self.last.seating_plan.get("left_out", ())) if self.last else set()
        return [entrant for entrant in self.available() if entrant not in left_out]

    def arrivals(self) -> list[int]:
        """Return the keys of players at the night who have no seat and are not entered.

        Empty if other unfinished tournaments are played there: people may have come for those.
        """
        if self.night is None or self.tournament.format == Format.TEAMS:
            return []
        rounds = self.night.rounds.filter(tournament__official_at=None)
        if rounds.exclude(tournament=self.tournament).not_undone().exists():
            return []
        entered = set(self.tournament.entrants.values_list("player", flat=True))
        return [player for player in waiting_players(self.night) if player not in entered]

    def changes(self) -> RosterChanges:
        """Return who came or went since the round was drawn; empty if it is not drawn."""
        if self.draw is None:
            return RosterChanges()
        available = self.available()
        drawn = self.draw.question["present"]
        considered = {*drawn, *self.draw.question["left_out"]}
        return RosterChanges(
            gone=tuple(entrant for entrant in drawn if entrant not in set(available)),
            new=tuple(entrant for entrant in available if entrant not in considered),
            arrived=tuple(self.arrivals()),
        )


def read_coming_round(tournament: Tournament, *, now: datetime) -> ComingRound:
    """Return the coming round of a tournament, in three queries."""
    last = tournament.rounds.not_undone().order_by("-number").first()
    number = last.number + 1 if last else 1
    draws = list(tournament.draws.filter(number__gte=number).order_by("number"))
    return ComingRound(
        tournament=tournament,
        last=last,
        night=ClubNight.objects.going_on(tournament.club_id, now),
        # After a round was undone the first draw may be of a later one: the coming is not drawn.
        draws=tuple(draws) if draws and draws[0].number == number else (),
    )


def rounds_until_all_met(tournament: Tournament) -> int:
    """Return how many rounds a round robin takes until all who have not withdrawn have met."""
    # ``running()`` leaves out seats that another player took over during the round.
    seats = Seat.objects.running().filter(round__tournament=tournament)
    at_table: dict[int, set[int]] = defaultdict(set)
    not_undone = seats.exclude(round__state=RoundState.UNDONE)
    for sitting, entrant in not_undone.values_list("sitting", "entrant"):
        at_table[sitting].add(entrant)
    meetings = (pair for met in at_table.values() for pair in combinations(sorted(met), 2))
    playing = Entrant.objects.playing().filter(tournament=tournament).values_list("pk", flat=True)
    entrants_at_table = len(tournament.table_mode.sides)  # a team, or a player, is a side
    return rounds_left(playing, entrants_at_table, Counter(meetings))


def table_numbers(
    tournament_id: int,
    night_id: int | None,
    wanted: int,
    *,
    planned: Sequence[int | None] = (),
    ours_free: bool = False,
) -> list[int]:
    """Return *wanted* table numbers for the tournament's coming round, best first, in one query.

    At a night a tournament keeps its last tables while they are free, then takes the lowest free
    ones, so that table cards stay where they lie. A table is free unless an open round is played at
    it; with *ours_free* the tournament's own open rounds count as over. Outside a night only the
    tournament's own rounds are looked at.
    """
    rounds = own_rounds = Q(round__tournament=tournament_id)
    if night_id is not None:
        rounds = Q(round__night=night_id) & (own_rounds | Q(round__state=RoundState.OPEN))
    sittings = Sitting.objects.filter(rounds).exclude(round__state=RoundState.UNDONE)
    columns = "number", "round__state", "round__tournament", "round__number"
    busy: set[int] = set()
    own_tables: dict[int, set[int]] = {}  # {round number: tables}, of a night, the last round last
    rows = sittings.order_by("round__number").values_list(*columns)
    for number, state, tournament, round_number in rows:
        is_own = tournament == tournament_id
        if state == RoundState.OPEN and not (is_own and ours_free):
            busy.add(number)
        if is_own and night_id is not None:
            own_tables.setdefault(round_number, set()).add(number)
    numbers = [number for number in planned if number is not None]
    if len(numbers) == wanted and busy.isdisjoint(numbers):
        return numbers
    last_tables = next(reversed(own_tables.values()), set[int]())
    still_free = sorted(last_tables - busy)
    lowest_free = (number for number in count(1) if number not in busy | last_tables)
    missing = max(0, wanted - len(still_free))
    return [*still_free[:wanted], *islice(lowest_free, missing)]
