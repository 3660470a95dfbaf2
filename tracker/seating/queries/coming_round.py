"""The coming round of a tournament: its number, what is drawn of it, who plays, who came or went."""

from collections import Counter, defaultdict
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
from tracker.seating.logic.saved_draws import Settings
from tracker.seating.queries.players import waiting_players

MOST_AHEAD = 30  # rounds drawn at once; a round robin of many is drawn on from there


@dataclass(frozen=True, slots=True, kw_only=True)
class ComingRound:
    """The coming round, after the *last* one that was not undone.

    ``drawn`` are the draws of this round and those after it; none where this one is not drawn.
    """

    tournament: Tournament
    last: Round | None
    night: ClubNight | None
    drawn: tuple[Draw, ...]

    @property
    def number(self) -> int:
        return self.last.number + 1 if self.last else 1

    @property
    def draw(self) -> Draw | None:
        return self.drawn[0] if self.drawn else None

    @property
    def night_id(self) -> int | None:
        return self.night.pk if self.night else None

    def settings(self) -> Settings:
        """Return the settings of the draw, or the defaults for a new one."""
        if self.draw:
            return Settings(**self.draw.question["settings"])
        tournament = self.tournament
        settings = self.last.seating_plan.get("settings", {}) if self.last else {}
        return Settings(
            movement=tournament.movement,
            mode=settings.get("mode", tournament.mode),
            odd_tables=settings.get("odd_tables", tournament.leftover == Leftover.ODD_TABLE),
            length=tournament.games or tournament.hands,
            minutes=tournament.minutes,
        )

    def rounds(self, movement: str) -> int:
        """Return how many rounds to draw at once: those still planned, if the movement plans ahead."""
        if self.drawn:
            return len(self.drawn)
        planned = self.tournament.planned
        if movement not in MOVEMENTS or not MOVEMENTS[movement].whole:
            return 1
        if planned is not None:
            left = planned - self.number + 1
        elif movement == Movement.ROUND_ROBIN:
            left = rounds_until_all_met(self.tournament)
        else:
            left = 1
        return max(1, min(left, MOST_AHEAD))

    def able(self) -> list[int]:
        """Return the entrants who have a place and are here, in the order of the last round.

        Those who entered since come after them. Whoever has withdrawn, waits on the reserve list
        or has gone home from the night is not able to; a team stays, having others.
        """
        playing = Entrant.objects.playing().filter(tournament=self.tournament)
        entrants = dict(playing.order_by("pk").values_list("pk", "player"))
        last_order = self.last.seating_plan.get("order", ()) if self.last else ()
        order = [
            entrant for entrant in dict.fromkeys([*last_order, *entrants]) if entrant in entrants
        ]
        if self.night is None:
            return order
        alone = [player for player in entrants.values() if player is not None]
        gone = Attendance.objects.gone_home(self.night, alone)
        return [entrant for entrant in order if entrants[entrant] not in gone]

    def present(self) -> list[int]:
        """Return who plays: those drawn, or those able to play and not left out of the last round."""
        if self.draw:
            present: list[int] = self.draw.question["present"]
            return present
        left_out = set(self.last.seating_plan.get("left_out", ())) if self.last else set()
        return [entrant for entrant in self.able() if entrant not in left_out]

    def arrivals(self) -> list[int]:
        """Return the players who are at the night, have no seat, and never entered.

        Where several tournaments are played at once nobody knows for which they came: none then.
        """
        if self.night is None or self.tournament.format == Format.TEAMS:
            return []
        others = Round.objects.filter(night=self.night, tournament__official_at=None)
        others = others.exclude(tournament=self.tournament).exclude(state=RoundState.UNDONE)
        if others.exists():
            return []
        entered = set(self.tournament.entrants.values_list("player", flat=True))
        return [player for player in waiting_players(self.night) if player not in entered]

    def changes(self) -> "Changes":
        """Return who came or went since the round was drawn; empty where it is not drawn."""
        if self.draw is None:
            return Changes(gone=(), new=(), arrived=())
        able = self.able()
        drawn = self.draw.question["present"]
        known = {*drawn, *self.draw.question["left_out"]}
        return Changes(
            gone=tuple(entrant for entrant in drawn if entrant not in set(able)),
            new=tuple(entrant for entrant in able if entrant not in known),
            arrived=tuple(self.arrivals()),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """Who came or went since a round was drawn: entrants, and players who are not entered yet."""

    gone: tuple[int, ...]
    new: tuple[int, ...]
    arrived: tuple[int, ...]

    def __bool__(self) -> bool:
        return bool(self.gone or self.new or self.arrived)


def coming_round(tournament: Tournament, *, now: datetime) -> ComingRound:
    """Return the coming round of a tournament, in three queries."""
    last = tournament.rounds.exclude(state=RoundState.UNDONE).order_by("-number").first()
    number = last.number + 1 if last else 1
    drawn = list(Draw.objects.filter(tournament=tournament, number__gte=number).order_by("number"))
    for draw in drawn:
        draw.tournament = tournament  # known already: no question of its own
    return ComingRound(
        tournament=tournament,
        last=last,
        night=ClubNight.objects.going_on(tournament.club_id, now),
        # After a round was taken back the draws there are may be of later ones.
        drawn=tuple(drawn) if drawn and drawn[0].number == number else (),
    )


def entrants_by_name(tournament: Tournament) -> list[tuple[int, str]]:
    """Return those who have a place in the tournament, in one query."""
    return list(Entrant.objects.playing().filter(tournament=tournament).names().items())


def table_numbers(
    tournament_id: int, night_id: int | None, wanted: int, *, ours_free: bool = False
) -> list[int]:
    """Return the numbers of the tables for the tournament's coming round, in one query.

    A tournament keeps the tables it had last where they are free, then takes the lowest free
    ones, so that numbers follow the cards that lie there. A table is free unless an open round
    is played at it; with *ours_free* the tournament's own rounds will be over by then. Outside
    a night a tournament is alone in its hall.
    """
    there = Q(round__tournament=tournament_id)
    if night_id is not None:
        there = Q(round__night=night_id) & (there | Q(round__state=RoundState.OPEN))
    sittings = (
        Sitting.objects.filter(there)
        .exclude(round__state=RoundState.UNDONE)
        .order_by("round__number")
        .values_list("number", "round__state", "round__tournament", "round__number")
    )
    busy: set[int] = set()
    played: dict[int, set[int]] = {}  # the tournament's tables by round, the last one last
    for number, state, tournament, round_number in sittings:
        ours = tournament == tournament_id
        if state == RoundState.OPEN and not (ours and ours_free):
            busy.add(number)
        if ours and night_id is not None:
            played.setdefault(round_number, set()).add(number)
    *_, last = (set[int](), *played.values())
    still_free = sorted(last - busy)
    free = (number for number in count(1) if number not in busy | last)
    return sorted([*still_free, *islice(free, max(0, wanted - len(still_free)))][:wanted])


def rounds_until_all_met(tournament: Tournament) -> int:
    """Return how many rounds a round robin still takes, 0 once everybody has met everybody.

    It is about those who have not withdrawn, and takes two queries.
    """
    mode = tournament.table_mode
    seats = Seat.objects.running().filter(round__tournament=tournament)
    at_table: dict[int, set[int]] = defaultdict(set)
    standing = seats.exclude(round__state=RoundState.UNDONE)
    for sitting, entrant in standing.values_list("sitting", "entrant"):
        at_table[sitting].add(entrant)
    met = Counter(two for units in at_table.values() for two in combinations(sorted(units), 2))
    playing = Entrant.objects.playing().filter(tournament=tournament).values_list("pk", flat=True)
    return rounds_left(playing, len(mode.sides), met)
