"""Who sits where in every round that was played, or is drawn for everybody to see."""

from dataclasses import dataclass

from tracker.draws.logic.saved import account_from_json, round_from_json
from tracker.draws.queries.shown import ShownRound, shown_round
from tracker.models import Draw, Entrant, Movement, RoundState, Tournament
from tracker.seating.logic.movements.seam import RoundSeating
from tracker.standings.queries.history import history


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRound:
    """Where somebody sits in one round; without a table they rest, or are not in it."""

    number: int
    table: int | None
    partners: tuple[str, ...]
    opponents: tuple[str, ...]
    opens: bool
    resting: bool
    to_come: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """Every round by its number, and everybody's table in each: a row for each entrant."""

    rounds: tuple[int, ...]
    to_come: frozenset[int]
    rows: tuple[tuple[int, str, tuple[int | None, ...]], ...]
    own: tuple[OwnRound, ...]
    me: int | None


def schedule_of(tournament: Tournament, me: int | None) -> Schedule:
    """Return the schedule of a tournament, with the rounds of one entrant, in five queries."""
    numbers = list(
        tournament.rounds.exclude(state=RoundState.UNDONE)
        .order_by("number")
        .values_list("number", flat=True)
    )
    rounds = dict(zip(numbers, history(tournament), strict=True))
    drawn = Draw.objects.filter(tournament=tournament, published_at__isnull=False)
    to_come = {
        draw.number: round_from_json(draw.plan) for draw in drawn if draw.number not in rounds
    }
    every = dict(sorted({**rounds, **to_come}.items()))
    named = Entrant.objects.filter(tournament=tournament).by_name()
    names = {entrant.pk: str(entrant) for entrant in named}
    tables = {
        number: {unit: table.number for table in seating.tables for unit in table.units}
        for number, seating in every.items()
    }
    rows = tuple(
        (entrant, name, tuple(tables[number].get(entrant) for number in every))
        for entrant, name in names.items()
        if any(entrant in there for there in tables.values())
        or any(entrant in seating.resting for seating in every.values())
    )
    own = (
        ()
        if me not in names
        else tuple(
            _own(number, seating, me, names, to_come=number in to_come)
            for number, seating in every.items()
        )
    )
    return Schedule(
        rounds=tuple(every),
        to_come=frozenset(to_come),
        rows=rows,
        own=own,
        me=me if me in names else None,
    )


def _own(
    number: int, seating: RoundSeating, me: int, names: dict[int, str], *, to_come: bool
) -> OwnRound:
    table = next((table for table in seating.tables if me in table.units), None)
    partners: tuple[str, ...] = ()
    opponents: tuple[str, ...] = ()
    if table is not None:
        place = table.units.index(me)
        side = next(side for side in table.shape.sides if place in side)
        partners = tuple(names[table.units[each]] for each in side if each != place)
        opponents = tuple(names[unit] for each, unit in enumerate(table.units) if each not in side)
    return OwnRound(
        number=number,
        table=table.number if table else None,
        partners=partners,
        opponents=opponents,
        opens=table is not None and table.opener is not None and table.units[table.opener] == me,
        resting=me in seating.resting,
        to_come=to_come,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """A round with everything it was drawn from, for whoever asks why."""

    round: ShownRound
    movement: str
    seed: int
    players: int


def explained(tournament: Tournament, number: int) -> Explained | None:
    """Return how a round was drawn: one that was opened, or is drawn for everybody to see."""
    standing = tournament.rounds.exclude(state=RoundState.UNDONE).filter(number=number)
    plan = standing.values_list("seating_plan", flat=True).first()
    if plan is None:
        published = Draw.objects.filter(tournament=tournament, published_at__isnull=False)
        draw = published.filter(number=number).first()
        if draw is None:
            return None
        plan = {
            "seating": draw.plan,
            "account": draw.plan["account"],
            "question": draw.question["question"],
            "settings": draw.question["settings"],
            "order": draw.question["present"],
        }
    if "seating" not in plan:  # it was opened from no draw
        return None
    settings = plan["settings"]
    return Explained(
        round=shown_round(
            tournament,
            number,
            plan["seating"],
            settings["mode"],
            account_from_json(plan["account"]),
        ),
        movement=str(Movement(settings["movement"]).label),
        seed=plan["question"]["seed"],
        players=len(plan["order"]),
    )
