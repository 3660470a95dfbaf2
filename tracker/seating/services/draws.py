"""Drawing the coming round: again, after people come or go, changed by hand, published, discarded."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from random import Random
from types import MappingProxyType
from typing import Any

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.models import Draw, Tournament
from tracker.movements.types import TableSeating
from tracker.seating.logic.drawn_seats import swap_units, wish_broken, with_opener
from tracker.seating.logic.saved_draws import (
    Settings,
    account_to_json,
    question_to_json,
    round_from_json,
    round_to_json,
)
from tracker.seating.queries.coming_round import ComingRound, coming_round
from tracker.seating.queries.movement_plans import (
    PlannedRound,
    account_of,
    of_round,
    plan_rounds,
    question_of,
    refused,
)
from tracker.tournaments.services.entry_lists import enter_newcomers
from tracker.tournaments.services.tournaments import check_goes_on


@transaction.atomic
def draw_rounds(
    *,
    tournament_id: int,
    by: Actor,
    rng: Random,
    settings: Settings | None = None,
    entrants: Sequence[int] | None = None,
    newcomers: Sequence[int] = (),
    new_names: Sequence[str] = (),
    rounds: int | None = None,
    locked: Sequence[TableSeating] = (),
) -> list[Draw]:
    """Draw the coming round, or several, in the place of what was drawn before.

    Without *rounds* those that are still planned are drawn at once, where that is better.

    The *entrants* play, in this order where the movement goes by it: without them those who
    are here and were not left out of the last round. *newcomers*, players of the club or its teams,
    and people new by name are entered, and play, too. Tables that are *locked* stay as they are.

    :raises Refused: ``tournament-over``, or on the terms of ``plan_rounds``, ``enter_players``
        and ``add_players``; then the draw before stands.
    """
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    check_goes_on(tournament)
    entered = enter_newcomers(tournament, newcomers, new_names, by)
    new = [entrant.pk for entrant in entered if entrant.has_place]
    coming = coming_round(tournament, now=by.at)
    settings = settings or coming.settings()
    able = coming.able()
    wanted = coming.present() if entrants is None else entrants
    present = [each for each in dict.fromkeys([*wanted, *new]) if each in set(able)]
    rounds = rounds or coming.rounds(settings.movement)
    seed = rng.getrandbits(32)
    planned = plan_rounds(
        tournament,
        settings,
        present,
        number=coming.number,
        rounds=rounds,
        locked=locked,
        seed=seed,
        night_id=coming.night_id,
    )
    asked = {
        "settings": asdict(settings),
        "present": present,
        "left_out": [each for each in able if each not in set(present)],
    }
    drawn = _replace_draws(coming, planned, asked, locked=locked, seed=seed, by=by)
    _log(by, "round-drawn", drawn[0], rounds=rounds, players=len(present))
    return drawn


@transaction.atomic
def redraw(*, tournament_id: int, by: Actor, rng: Random) -> list[Draw]:
    """Draw the same rounds again with new dice; locked tables stay.

    :raises Refused: ``draw-gone`` if nothing is drawn, or on the terms of ``draw_rounds``.
    """
    drawn = locked_draw(tournament_id, by).drawn
    return _again(drawn, locked_tables(drawn[0]), by, rng)


@transaction.atomic
def mend_draw(
    *,
    tournament_id: int,
    by: Actor,
    rng: Random,
    newcomers: Sequence[int] = (),
    new_names: Sequence[str] = (),
) -> list[Draw]:
    """Draw again because people came or went: complete tables stay, if they can.

    *newcomers* and people new by name are entered first.

    If a new entrant would get no place so, or there is no such seating, only the locked tables
    that are complete stay.

    :raises Refused: as ``redraw`` does.
    """
    coming = locked_draw(tournament_id, by)
    drawn = coming.drawn
    enter_newcomers(coming.tournament, newcomers, new_names, by)
    changes = coming.changes()
    gone, new = set(changes.gone), set(changes.new)
    whole = [
        table for table in round_from_json(drawn[0].plan).tables if not gone & set(table.units)
    ]
    marked = {table.units for table in locked_tables(drawn[0])}
    here = transaction.savepoint()
    try:
        mended = _again(drawn, whole, by, rng, more=changes.new)
        everybody_new_sits = not new & set(mended[0].plan["resting"])
    except Refused:
        everybody_new_sits = False
    if not everybody_new_sits:
        transaction.savepoint_rollback(here)
        still = [table for table in whole if table.units in marked]
        return _again(drawn, still, by, rng, more=changes.new)
    transaction.savepoint_commit(here)
    for table in mended[0].plan["tables"]:
        table["locked"] = tuple(table["units"]) in marked
    mended[0].save(update_fields=["plan"])
    return mended


@transaction.atomic
def publish_draws(*, tournament_id: int, by: Actor) -> list[Draw]:
    """Publish the draws on phones, on the display and on paper.

    :raises Refused: ``draw-gone``.
    """
    drawn = locked_draw(tournament_id, by).drawn
    Draw.objects.filter(tournament=tournament_id, published_at=None).update(published_at=by.at)
    _log(by, "draw-published", drawn[0], rounds=len(drawn))
    return list(Draw.objects.filter(tournament=tournament_id).order_by("number"))


@transaction.atomic
def discard_draws(*, tournament_id: int, by: Actor) -> None:
    """Take what is drawn away; nothing was played by it."""
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    gone, _ = tournament.draws.all().delete()
    if gone:
        log(by, "draw-discarded", club_id=tournament.club_id, tournament=tournament.pk)


def locked_tables(draw: Draw) -> list[TableSeating]:
    """Return the tables of a draw that stay when it is redrawn."""
    tables = round_from_json(draw.plan).tables
    return [
        table for table, saved in zip(tables, draw.plan["tables"], strict=True) if saved["locked"]
    ]


def _again(
    drawn: Sequence[Draw],
    locked: Sequence[TableSeating],
    by: Actor,
    rng: Random,
    more: Sequence[int] = (),
) -> list[Draw]:
    """Draw the same rounds with the same settings, *more* entrants beside those of before."""
    asked = drawn[0].question
    return draw_rounds(
        tournament_id=drawn[0].tournament_id,
        by=by,
        rng=rng,
        settings=Settings(**asked["settings"]),
        entrants=[*asked["present"], *more],
        rounds=len(drawn),
        locked=locked,
    )


def _replace_draws(
    coming: ComingRound,
    planned: Sequence[PlannedRound],
    asked: Mapping[str, object],
    *,
    locked: Sequence[TableSeating],
    seed: int,
    by: Actor,
) -> list[Draw]:
    """Write what is planned in the place of what was drawn; if that was public, so is this."""
    published_at = coming.draw.published_at if coming.draw else None
    coming.tournament.draws.all().delete()
    locked_units = {table.units for table in locked}
    draws = []
    for each in planned:
        plan = {**round_to_json(each.seating), "account": account_to_json(each.account)}
        for table in plan["tables"]:
            of_coming = each.number == coming.number
            table["locked"] = of_coming and tuple(table["units"]) in locked_units
            table["by_hand"] = False
        draw = Draw.objects.create(
            tournament=coming.tournament,
            number=each.number,
            question={**asked, "question": question_to_json(each.question)},
            seed=seed,
            plan=plan,
            drawn_at=by.at,
            published_at=published_at,
        )
        draws.append(draw)
    return draws


def locked_draw(tournament_id: int, by: Actor) -> ComingRound:
    """Return the coming round, which is drawn, under the lock of its tournament.

    :raises Refused: ``draw-gone`` if it is not drawn.
    """
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    coming = coming_round(tournament, now=by.at)
    if not coming.drawn:
        raise Refused("draw-gone", gettext_noop("Nothing is drawn yet: draw the round first."))
    return coming


@transaction.atomic
def swap(*, tournament_id: int, units: tuple[int, int], by: Actor) -> Draw:
    """Exchange the places of two entrants of the coming round; one of them may rest.

    :raises Refused: ``draw-gone``, ``swap-two`` if they are not two of the draw, or
        ``swap-wish`` if it puts two together who must not be.
    """
    draw = locked_draw(tournament_id, by).drawn[0]
    draw.plan = swapped_plan(draw, units)
    draw.save(update_fields=["plan"])
    _log(by, "draw-swapped", draw, on={"entrants": sorted(units)})
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
    _log(by, "draw-table-kept" if locked else "draw-table-freed", draw, table=number)
    return draw


def _log(
    by: Actor,
    verb: str,
    draw: Draw,
    *,
    on: Mapping[str, Any] = MappingProxyType({}),
    **numbers: int,
) -> None:
    club_id, numbers = draw.tournament.club_id, {"number": draw.number, **numbers}
    log(by, verb, club_id=club_id, tournament=draw.tournament_id, numbers=numbers, **on)


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
