"""Changes by hand to the draw of the coming round: swapping entrants, locking tables."""

from dataclasses import replace

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.draws.logic.changes import swap_units, wish_broken, with_opener
from tracker.draws.logic.saved import account_to_json, round_from_json, round_to_json
from tracker.draws.queries.question import account_of, question_of
from tracker.draws.services.drawing import locked_draw
from tracker.draws.services.planning import of_round, refused
from tracker.models import Draw


@transaction.atomic
def swap(*, tournament_id: int, units: tuple[int, int], by: Actor) -> Draw:
    """Exchange the places of two entrants of the coming round; one of them may rest.

    :raises Refused: ``draw-gone``, ``swap-two`` if they are not two of the draw, or
        ``swap-wish`` if it puts two together who must not be.
    """
    draw = locked_draw(tournament_id, by).drawn[0]
    draw.plan = swapped_plan(draw, units)
    draw.save(update_fields=["plan"])
    log(
        by,
        "draw-swapped",
        club_id=draw.tournament.club_id,
        tournament=tournament_id,
        entrants=sorted(units),
        numbers={"number": draw.number},
    )
    return draw


@transaction.atomic
def lock_table(*, tournament_id: int, number: int, locked: bool, by: Actor) -> Draw:
    """Lock or unlock a table of the coming round: a locked one stays when the rest is redrawn.

    :raises Refused: ``draw-gone``.
    """
    draw = locked_draw(tournament_id, by).drawn[0]
    for table in draw.plan["tables"]:
        if table["number"] == number:
            table["locked"] = locked
    draw.save(update_fields=["plan"])
    log(
        by,
        "draw-table-kept" if locked else "draw-table-freed",
        club_id=draw.tournament.club_id,
        tournament=tournament_id,
        numbers={"number": draw.number, "table": number},
    )
    return draw


def swapped_plan(draw: Draw, units: tuple[int, int]) -> dict[str, object]:
    """Return the plan of a draw as it would be with two entrants exchanged.

    :raises Refused: as ``swap`` does.
    """
    question = question_of(draw)
    seating = round_from_json(draw.plan)
    if len(set(units)) != 2 or not seating.units.issuperset(units):
        raise Refused("swap-two", gettext_noop("Tap the two who change places."))
    changed = swap_units(seating, units)
    if clash := wish_broken(changed, question.wishes):
        raise refused(clash)
    changed = replace(
        changed,
        tables=tuple(
            with_opener(table, question) if set(units) & set(table.units) else table
            for table in changed.tables
        ),
    )
    seen = account_of(draw, question, changed)
    by_number = {table["number"]: table for table in draw.plan["tables"]}
    plan = {**round_to_json(changed), "account": account_to_json(of_round(seen, draw.number))}
    for table in plan["tables"]:
        known = by_number[table["number"]]
        table["locked"] = known["locked"]
        table["by_hand"] = known["by_hand"] or bool(set(units) & set(table["units"]))
    return plan
