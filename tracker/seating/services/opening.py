"""Opening a round: from a movement at once, or from a draw."""

from collections.abc import Sequence
from dataclasses import asdict
from random import Random

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.errors import Refused
from tracker.models import Entrant, Format, Movement, Round, Tournament
from tracker.movements.types import RoundSeating
from tracker.seating.logic.saved_draws import (
    Settings,
    account_to_json,
    question_to_json,
    round_from_json,
    round_to_json,
)
from tracker.seating.queries.coming_round import coming_round
from tracker.seating.queries.movement_question import account_of, question_of
from tracker.seating.queries.rounds import lineups, opening_counts
from tracker.seating.services.clocks import start_clock
from tracker.seating.services.drawing import locked_draw
from tracker.seating.services.planning import of_round, plan_rounds
from tracker.seating.services.rounds import open_round
from tracker.seating.services.table_setup import TablePlan
from tracker.tournaments.services.tournaments import checked_length, in_units


@transaction.atomic
def seat_round(
    *,
    tournament_id: int,
    entrants: Sequence[int],
    by: Actor,
    rng: Random,
    mode: str | None = None,
    hands: int | None = None,
    games: int | None = None,
    movement: str = Movement.IN_ORDER,
    odd_tables: bool = False,
    night_id: int | None = None,
) -> Round:
    """Seat the entrants by a movement, and open the round at once.

    :raises Refused: on the terms of ``plan_rounds``, ``table_plans`` and ``open_round``.
    :raises ModeError: if the game has no such tables.
    """
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    settings = Settings(
        movement=movement,
        mode=mode or tournament.mode,
        odd_tables=odd_tables,
        length=hands or games,
    )
    number = coming_round(tournament, now=by.at).number
    (planned,) = plan_rounds(
        tournament,
        settings,
        entrants,
        number=number,
        seed=rng.getrandbits(32),
        night_id=night_id,
        beside=tournament.movement == Movement.FREE,
    )
    playing = Entrant.objects.playing().filter(tournament=tournament).values_list("pk", flat=True)
    return open_round(
        tournament_id=tournament_id,
        tables=table_plans(tournament, planned.seating),
        by=by,
        rng=rng,
        hands=hands,
        games=games,
        resting=planned.seating.resting,
        seating_plan={
            "settings": asdict(settings),
            "order": list(entrants),
            "left_out": [each for each in playing if each not in set(entrants)],
            "question": question_to_json(planned.question),
            "seating": round_to_json(planned.seating),
            "account": account_to_json(planned.account),
        },
        night_id=night_id,
    )


@transaction.atomic
def open_draw(*, tournament_id: int, by: Actor, rng: Random) -> Round:
    """Open the coming round as it was drawn: what was shown is what opens.

    :raises Refused: ``draw-gone`` if nothing is drawn, ``draw-stale`` if somebody came or went
        since, or on the terms of ``table_plans`` and ``open_round``.
    """
    coming = locked_draw(tournament_id, by)
    tournament, draw = coming.tournament, coming.drawn[0]
    if coming.changes():
        raise Refused("draw-stale", gettext_noop("Somebody came or went: have another look."))
    settings = Settings(**draw.question["settings"])
    length = in_units(tournament.rules, checked_length(settings.length)) if settings.length else {}
    seating = round_from_json(draw.plan)
    question = question_of(draw)
    seen = of_round(account_of(draw, question, seating), draw.number)
    round_ = open_round(
        tournament_id=tournament_id,
        tables=table_plans(tournament, seating),
        by=by,
        rng=rng,
        resting=seating.resting,
        seating_plan={
            "settings": asdict(settings),
            "order": draw.question["present"],
            "left_out": draw.question["left_out"],
            "question": question_to_json(question),
            "seating": {**draw.plan, "account": None},
            "account": account_to_json(seen),
        },
        night_id=coming.night_id,
        **length,
    )
    if settings.minutes is not None:
        return start_clock(round_id=round_.pk, minutes=settings.minutes, by=by)
    return round_


def table_plans(tournament: Tournament, seating: RoundSeating) -> list[TablePlan]:
    """Return who takes which place at every table, and who deals first there.

    If a team opens, its member who has opened least in the tournament does.

    :raises Refused: ``not-entered``, or ``team-short`` if a team has too few people.
    """
    wanted = [entrant for table in seating.tables for entrant in table.units]
    named = Entrant.objects.filter(tournament=tournament, pk__in=wanted)
    entered = {entrant.pk: entrant for entrant in named.select_related("player", "team")}
    if len(entered) != len(set(wanted)):
        raise Refused(
            "not-entered",
            gettext_noop("Somebody at these tables is not in the tournament: add them first."),
        )
    people = lineups(entered.values())
    fixed = tournament.format == Format.TEAMS
    opened = opening_counts(tournament.pk) if fixed else None
    plans = []
    for table in seating.tables:
        mode = tournament.rules.mode(table.shape.code, tournament.house_rules)
        players, entrants = [0] * mode.seats, [0] * mode.seats
        sides = mode.sides if fixed else [(place,) for place in range(mode.seats)]
        for side, entrant in zip(sides, table.units, strict=True):
            if len(people[entrant]) < len(side):
                raise Refused(
                    "team-short",
                    gettext_noop("%(team)s needs %(needed)d people at the table, but has %(has)d."),
                    team=str(entered[entrant]),
                    needed=len(side),
                    has=len(people[entrant]),
                )
            for place, player in zip(side, people[entrant], strict=False):
                players[place], entrants[place] = player, entrant
        opener = table.opener
        if opened is not None and opener is not None:
            # Of the team's people, who opened least, then dealt least.
            turns = [
                (
                    opened.by_player.get(players[place], 0),
                    opened.dealt.get(players[place], 0),
                    place,
                )
                for place in mode.sides[opener]
            ]
            opener = min(turns)[-1]
        plans.append(
            TablePlan(
                mode=mode.code,
                players=tuple(players),
                entrants=tuple(entrants),
                opener=opener or 0,
                number=table.number,
                is_match=tournament.has_bracket and bool(table.label),
            )
        )
    return plans
