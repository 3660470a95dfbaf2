"""Draws of the coming rounds: make, redraw, update, change by hand, publish and discard them.

The column ``question`` of a draw has the organiser's *choices*: ``settings``, who is ``present``, who
is ``left_out``; and, under the same name ``question``, what the movement was asked. A *locked* table
of its ``plan`` is kept when the others are drawn; ``by_hand`` only marks changed tables. Functions
that change a draw refuse with ``draw-gone`` if there is none.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace
from random import Random
from typing import Any

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.models import Draw, Tournament
from tracker.movements.turns import choose_first_dealers
from tracker.movements.types import OpenedBy, TableSeating
from tracker.seating.logic import saved_draws
from tracker.seating.logic.seatings import broken_wish, swap_units
from tracker.seating.queries import movement_plans
from tracker.seating.queries.coming_round import ComingRound, read_coming_round
from tracker.tournaments.services.entry_lists import enter_newcomers
from tracker.tournaments.services.tournaments import check_goes_on


@transaction.atomic
def draw_rounds(
    *,
    tournament_id: int,
    by: Actor,
    rng: Random,
    settings: saved_draws.DrawSettings | None = None,
    entrants: Sequence[int] | None = None,
    newcomers: Sequence[int] = (),
    new_names: Sequence[str] = (),
    rounds: int | None = None,
    locked: Sequence[TableSeating] = (),
) -> list[Draw]:
    """Draw the coming round, or several rounds, in place of the saved draws.

    *settings*, *rounds* (a number) and *entrants* default to those of the saved draw, or to the
    usual ones for a new draw. Some movements seat the entrants in their order. *newcomers*, keys of
    players or teams of the club, and people with *new_names* are entered and play too. *locked*
    tables stay as they are.

    :raises Refused: ``tournament-over``, or as ``plan_rounds`` and ``enter_newcomers`` do; the
        saved draws stay then.
    """
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    check_goes_on(tournament)
    entered = enter_newcomers(tournament, newcomers, new_names, by)
    coming_round = read_coming_round(tournament, now=by.at)
    settings = settings or coming_round.settings()
    available = coming_round.available()
    chosen = coming_round.present() if entrants is None else entrants
    new_units = [entrant.pk for entrant in entered if entrant.has_place]  # others are in reserve
    present = [unit for unit in dict.fromkeys([*chosen, *new_units]) if unit in set(available)]
    rounds = rounds or coming_round.rounds_to_draw(settings.movement)
    seed = rng.getrandbits(32)
    planned = movement_plans.plan_rounds(
        tournament,
        settings,
        present,
        number=coming_round.number,
        rounds=rounds,
        locked=locked,
        seed=seed,
        night_id=coming_round.night_id,
    )
    left_out = [unit for unit in available if unit not in set(present)]
    choices = {"settings": asdict(settings), "present": present, "left_out": left_out}
    draws = _replace_draws(coming_round, planned, choices, locked=locked, seed=seed, by=by)
    _log(by, "round-drawn", draws[0], rounds=rounds, players=len(present))
    return draws


def _replace_draws(
    coming_round: ComingRound,
    planned: Sequence[movement_plans.PlannedRound],
    choices: Mapping[str, object],
    *,
    locked: Sequence[TableSeating],
    seed: int,
    by: Actor,
) -> list[Draw]:
    """Save rounds *planned* from *choices* in place of the old draws; published, if those were."""
    tournament, old = coming_round.tournament, coming_round.draw
    tournament.draws.all().delete()
    locked_units = {table.units for table in locked}
    common = {"seed": seed, "drawn_at": by.at, "published_at": old.published_at if old else None}
    draws = []
    for round_ in planned:
        account = saved_draws.account_to_json(round_.account)
        plan = {**saved_draws.round_to_json(round_.seating), "account": account}
        is_next = round_.number == coming_round.number  # no later round has locked tables
        _mark_drawn_tables(plan, locked_units if is_next else ())
        column = {**choices, "question": saved_draws.question_to_json(round_.question)}
        draw = tournament.draws.create(number=round_.number, question=column, plan=plan, **common)
        draws.append(draw)
    return draws


@transaction.atomic
def redraw(*, tournament_id: int, by: Actor, rng: Random) -> list[Draw]:
    """Draw the same rounds again with another seed; locked tables of the coming round stay."""
    draws = locked_coming_round(tournament_id, by).draws
    return _draw_again(draws, _kept_tables(draws[0]), by, rng, ())


@transaction.atomic
def update_draw(
    *,
    tournament_id: int,
    by: Actor,
    rng: Random,
    newcomers: Sequence[int] = (),
    new_names: Sequence[str] = (),
) -> list[Draw]:
    """Draw again after people came or went; complete tables stay, if they can.

    *newcomers* and people with *new_names* are entered first. *Complete* tables are those that
    nobody left. If the draw cannot keep all of them, it keeps only those that the organiser locked.
    """
    coming_round = locked_coming_round(tournament_id, by)
    enter_newcomers(coming_round.tournament, newcomers, new_names, by)
    changes, draw = coming_round.changes(), coming_round.draws[0]
    tables, gone = saved_draws.round_from_json(draw.plan).tables, set(changes.gone)
    complete = [table for table in tables if gone.isdisjoint(table.units)]
    locked_units = {table.units for table in _kept_tables(draw)}
    draws = _try_keeping_all(coming_round.draws, complete, by, rng, changes.new)
    if draws is None:
        locked = [table for table in complete if table.units in locked_units]
        return _draw_again(coming_round.draws, locked, by, rng, changes.new)
    # All kept tables are marked as locked now; keep only the organiser's marks.
    _mark_drawn_tables(draws[0].plan, locked_units)
    draws[0].save(update_fields=["plan"])
    return draws


def _try_keeping_all(
    draws: Sequence[Draw], kept: Sequence[TableSeating], by: Actor, rng: Random, new: Sequence[int]
) -> list[Draw] | None:
    """Draw again with all *kept* tables; ``None`` if that fails or one of *new* would sit out."""
    try:
        with transaction.atomic():
            new_draws = _draw_again(draws, kept, by, rng, new)
            all_sit = set(new).isdisjoint(new_draws[0].plan["resting"])
            transaction.set_rollback(not all_sit)  # of this block only
    except Refused:
        return None
    return new_draws if all_sit else None


def _draw_again(
    draws: Sequence[Draw], kept: Sequence[TableSeating], by: Actor, rng: Random, new: Sequence[int]
) -> list[Draw]:
    """Draw the same rounds with the same settings, for the same entrants and *new* ones."""
    choices = draws[0].question  # entrants who are gone are left out by ``draw_rounds``
    return draw_rounds(
        tournament_id=draws[0].tournament_id,
        by=by,
        rng=rng,
        settings=saved_draws.DrawSettings(**choices["settings"]),
        entrants=[*choices["present"], *new],
        rounds=len(draws),
        locked=kept,
    )


def _kept_tables(draw: Draw) -> list[TableSeating]:
    tables = zip(saved_draws.round_from_json(draw.plan).tables, draw.plan["tables"], strict=True)
    return [table for table, saved in tables if saved["locked"]]


def _mark_drawn_tables(plan: Mapping[str, Any], locked_units: Collection[tuple[int, ...]]) -> None:
    """Mark the tables of a newly drawn plan: those at which *locked_units* sit are locked."""
    for table in plan["tables"]:
        table.update(locked=tuple(table["units"]) in locked_units, by_hand=False)


def locked_coming_round(tournament_id: int, by: Actor) -> ComingRound:
    """Lock a tournament and return its coming round; refuse if that has no draw, ``draws[0]``."""
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    coming_round = read_coming_round(tournament, now=by.at)
    if not coming_round.draws:
        raise Refused("draw-gone", gettext_noop("Nothing is drawn yet: draw the round first."))
    return coming_round


@transaction.atomic
def swap_entrants(*, tournament_id: int, units: tuple[int, int], by: Actor) -> Draw:
    """Swap two entrants (*units*) of the coming round's draw; one of them may sit out."""
    draw = locked_coming_round(tournament_id, by).draws[0]
    draw.plan = swapped_plan(draw, units)
    draw.save(update_fields=["plan"])
    _log(by, "draw-swapped", draw, entrants=units)
    return draw


def swapped_plan(draw: Draw, units: tuple[int, int]) -> dict[str, object]:
    """Return the plan of a draw as it would be with two entrants swapped.

    :raises Refused: ``swap-two`` if they are not two entrants of the draw, or ``swap-wish`` if two
        would sit together against a wish.
    """
    seating, question = saved_draws.round_from_json(draw.plan), movement_plans.question_of(draw)
    if len(set(units)) != 2 or not seating.units.issuperset(units):
        raise Refused("swap-two", gettext_noop("Tap the two who change places."))
    swapped = swap_units(seating, units)
    if error := broken_wish(swapped, question.wishes):
        raise movement_plans.refusal_of(error)
    if question.opened_by is OpenedBy.TURN:
        # At the tables of the two swapped entrants it may be somebody else's turn to deal first.
        tables = (
            table if set(units).isdisjoint(table.units) else replace(table, opener=None)
            for table in swapped.tables
        )
        [swapped] = choose_first_dealers(question, [replace(swapped, tables=tuple(tables))])
    all_rounds = movement_plans.account_of(draw, question, swapped)
    account = movement_plans.account_of_round(all_rounds, draw.number)
    plan = {**saved_draws.round_to_json(swapped), "account": saved_draws.account_to_json(account)}
    # A swap changes neither the order of the tables nor what is locked.
    for table, saved in zip(plan["tables"], draw.plan["tables"], strict=True):
        is_changed = table["units"] != saved["units"]
        table.update(locked=saved["locked"], by_hand=saved["by_hand"] or is_changed)
    return plan


@transaction.atomic
def lock_table(*, tournament_id: int, number: int, locked: bool, by: Actor) -> Draw:
    """Lock or unlock the table with this number; an unknown one is logged, but changes nothing."""
    draw = locked_coming_round(tournament_id, by).draws[0]
    for table in draw.plan["tables"]:
        if table["number"] == number:
            table["locked"] = locked
    draw.save(update_fields=["plan"])
    _log(by, "draw-table-kept" if locked else "draw-table-freed", draw, table=number)
    return draw


@transaction.atomic
def publish_draws(*, tournament_id: int, by: Actor) -> None:
    """Show the draws to everybody: on phones, on the display and on paper."""
    draws = locked_coming_round(tournament_id, by).draws
    Draw.objects.filter(tournament=tournament_id, published_at=None).update(published_at=by.at)
    _log(by, "draw-published", draws[0], rounds=len(draws))


@transaction.atomic
def discard_draws(*, tournament_id: int, by: Actor) -> None:
    """Delete all draws of a tournament."""
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    deleted, _ = tournament.draws.all().delete()
    if deleted:
        log(by, "draw-discarded", club_id=tournament.club_id, tournament=tournament.pk)


def _log(by: Actor, verb: str, draw: Draw, *, entrants: Sequence[int] = (), **numbers: int) -> None:
    """Log what was done to a draw, with the number of its round and other *numbers*."""
    rows: dict[str, Any] = {"entrants": sorted(entrants)} if entrants else {}
    rows |= {"tournament": draw.tournament_id, "numbers": {"number": draw.number, **numbers}}
    log(by, verb, club_id=draw.tournament.club_id, **rows)
