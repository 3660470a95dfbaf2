"""What a movement is asked about the coming round of a tournament."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from games.game import FirstDealer
from games.mode import Mode
from tracker.draws.logic.saved import account_from_json, question_from_json
from tracker.draws.logic.settings import Settings
from tracker.ledger.memory import dealers_memory
from tracker.models import (
    Attendance,
    ClubNight,
    Draw,
    Entrant,
    Format,
    Leftover,
    Round,
    RoundState,
    Tournament,
)
from tracker.seating.logic.movements.account import account
from tracker.seating.logic.movements.bracket_rounds import BRACKET_REASONS
from tracker.seating.logic.movements.catalogue import MOVEMENTS
from tracker.seating.logic.movements.seam import (
    Account,
    Dealt,
    OpenedBy,
    Question,
    RoundSeating,
    TableSeating,
)
from tracker.seating.queries.rounds import lineups, openings
from tracker.seating.queries.seats import waiting_players
from tracker.seating.queries.wishes import wishes_of
from tracker.standings.queries.history import history, seeds_of, shape_of
from tracker.standings.queries.standings import standings

MOST_AHEAD = 30  # rounds drawn at once; a round robin of many is drawn on from there
_OPENED_BY = {
    FirstDealer.LOT: OpenedBy.LOT,
    FirstDealer.DRAWN: OpenedBy.TABLE,
}


def last_round(tournament: Tournament) -> Round | None:
    """Return the last round that stands, in one query."""
    rounds = tournament.rounds.exclude(state=RoundState.UNDONE)
    return rounds.order_by("-number").first()


def usual_settings(tournament: Tournament, last: Round | None) -> Settings:
    """Return how the coming round is drawn unless somebody says otherwise: as the last was."""
    kept = last.seating_plan.get("settings", {}) if last else {}
    return Settings(
        movement=tournament.movement,
        mode=kept.get("mode", tournament.mode),
        odd_tables=kept.get("odd_tables", tournament.leftover == Leftover.ODD_TABLE),
        length=tournament.games or tournament.hands,
        minutes=tournament.minutes,
    )


def able_to_play(tournament: Tournament, night: ClubNight | None, last: Round | None) -> list[int]:
    """Return the entrants who have a place and are here, in the order of the last round.

    Those who entered since come after them. Whoever has withdrawn, waits on the reserve list
    or has gone home from the *night* is not able to; a team stays, having others.
    """
    playing = Entrant.objects.playing().filter(tournament=tournament)
    entrants = dict(playing.order_by("pk").values_list("pk", "player"))
    kept = last.seating_plan.get("order", ()) if last else ()
    order = [entrant for entrant in dict.fromkeys([*kept, *entrants]) if entrant in entrants]
    if night is None:
        return order
    alone = [player for player in entrants.values() if player is not None]
    gone = Attendance.objects.gone_home(night, alone)
    return [entrant for entrant in order if entrants[entrant] not in gone]


def who_plays(tournament: Tournament, night: ClubNight | None, last: Round | None) -> list[int]:
    """Return who plays the coming round unless somebody says otherwise.

    That is whoever is able to, but for those who were left out of the last round.
    """
    left_out = set(last.seating_plan.get("left_out", ())) if last else set()
    return [each for each in able_to_play(tournament, night, last) if each not in left_out]


def modes_of(tournament: Tournament) -> tuple[Mode, ...]:
    """Return how tables of the tournament may be played: by fixed teams only in sides."""
    modes = tournament.rules.modes(tournament.house_rules)
    if tournament.format == Format.TEAMS:
        return tuple(mode for mode in modes if not mode.individual)
    return modes


def question_for(
    tournament: Tournament,
    settings: Settings,
    present: Sequence[int],
    *,
    number: int,
    rounds: int = 1,
    locked: Sequence[TableSeating] = (),
    seed: int,
) -> Question:
    """Return the question whose answer seats round *number* and those after it.

    The standing is asked only by movements that go by it, and what everybody got at each
    table only by those that follow winners.

    :raises ModeError: if the game has no such tables.
    """
    fixed = tournament.format == Format.TEAMS
    movement = MOVEMENTS[settings.movement]
    entrants = list(Entrant.objects.filter(pk__in=present).select_related("player", "team"))
    mode = tournament.rules.mode(settings.mode, tournament.house_rules)
    others = [
        other
        for other in modes_of(tournament)
        if other.code != mode.code and (not fixed or len(other.sides[0]) == len(mode.sides[0]))
    ]
    return Question(
        present=(tuple(present),) * rounds,
        shape=shape_of(mode, fixed=fixed),
        other_shapes=tuple(shape_of(other, fixed=fixed) for other in others),
        odd_tables=settings.odd_tables,
        played=history(tournament, before=number, with_merits=movement.by_results),
        locked=tuple(locked),
        wishes=wishes_of(tournament, entrants),
        places=_places(tournament) if movement.by_standing else (),
        seeds=seeds_of(tournament),
        dealt=_dealt(tournament, entrants, number),
        opened_by=_OPENED_BY.get(tournament.rules.first_dealer, OpenedBy.TURN),
        third_place=tournament.third_place,
        seed=seed,
    )


def coming_number(tournament: Tournament) -> int:
    """Return the number of the round to be drawn next: after the last that stands."""
    last = last_round(tournament)
    return last.number + 1 if last else 1


def usual_rounds(tournament: Tournament, movement: str, number: int) -> int:
    """Return how many rounds to draw at once: those still planned, where a movement wants them."""
    if tournament.planned is None or movement not in MOVEMENTS or not MOVEMENTS[movement].whole:
        return 1
    return max(1, min(tournament.planned - number + 1, MOST_AHEAD))


def draws_of(tournament: Tournament) -> list[Draw]:
    """Return the rounds drawn and not opened, the coming one first, in one query."""
    return list(Draw.objects.filter(tournament=tournament).order_by("number"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """Who came or went since a round was drawn: entrants, and players who are not entered yet."""

    gone: tuple[int, ...]
    new: tuple[int, ...]
    arrived: tuple[int, ...]

    def __bool__(self) -> bool:
        return bool(self.gone or self.new or self.arrived)


def changes_since(draw: Draw, *, night: ClubNight | None) -> Changes:
    """Return who is in a draw and plays no more, and who plays and is not in it."""
    tournament = draw.tournament
    playing = able_to_play(tournament, night, last_round(tournament))
    drawn = draw.question["present"]
    known = {*drawn, *draw.question["left_out"]}
    return Changes(
        gone=tuple(entrant for entrant in drawn if entrant not in set(playing)),
        new=tuple(entrant for entrant in playing if entrant not in known),
        arrived=tuple(arrivals(tournament, night)),
    )


def arrivals(tournament: Tournament, night: ClubNight | None) -> list[int]:
    """Return the players who are at the night, have no seat, and never entered the tournament.

    Where several tournaments are played at once nobody knows which they came for: none then.
    """
    if night is None or tournament.format == Format.TEAMS:
        return []
    others = Round.objects.filter(night=night, tournament__official_at=None)
    if others.exclude(tournament=tournament).exclude(state=RoundState.UNDONE).exists():
        return []
    entered = set(tournament.entrants.values_list("player", flat=True))
    return [player for player in waiting_players(night) if player not in entered]


def question_of(draw: Draw) -> Question:
    """Return the question a draw answers, with what was played and dealt since it was drawn."""
    asked = question_from_json(draw.question["question"])
    present = draw.question["present"]
    entrants = Entrant.objects.filter(pk__in=present).select_related("player", "team")
    return replace(
        asked,
        present=(tuple(present),),
        played=history(draw.tournament, before=draw.number),
        dealt=_dealt(draw.tournament, entrants, draw.number),
    )


def account_of(draw: Draw, question: Question, seating: RoundSeating) -> Account:
    """Return what *seating* repeats in place of the round drawn, and why some do not play.

    Where nobody rests in turn, the reasons are those given when the round was drawn.
    """
    reasons = None
    if MOVEMENTS[draw.question["settings"]["movement"]].bracket:
        drawn = account_from_json(draw.plan["account"])
        reasons = [note for note in drawn.notes if note.code in BRACKET_REASONS]
    return account(question, [seating], reasons=reasons)


def _places(tournament: Tournament) -> tuple[tuple[int, ...], ...]:
    rows = standings(tournament).rows
    return tuple(
        tuple(row.entrant for row in level) for _, level in groupby(rows, key=lambda row: row.place)
    )


def _dealt(tournament: Tournament, entrants: Iterable[Entrant], number: int) -> dict[int, Dealt]:
    """Return how often every entrant opened and dealt; of a team, all of its people."""
    opened = openings(tournament.pk)
    memory = dealers_memory(tournament.pk)
    people = lineups(entrants)
    everybody = [player for players in people.values() for player in players]
    before = dict(zip(everybody, memory.before(number, everybody), strict=True))
    dealt = {}
    for entrant, players in people.items():
        times = [before[player] for player in players]
        last = [time for time in times if time is not None]
        dealt[entrant] = Dealt(
            opened=opened.by_entrant.get(entrant, 0),
            dealt=sum(opened.dealt.get(player, 0) for player in players),
            dealt_before=max(last, default=None),
        )
    return dealt
