"""The coming round drawn, changed by hand, mended when people come and go, and opened as shown."""

from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Any

import pytest

from tests import act, make
from tests.tracker.movements.evenings import PAIRS
from tests.tracker.seating.seats import close
from tracker.common.errors import Refused
from tracker.models import (
    Attendance,
    ClubNight,
    Draw,
    Entrant,
    LogEntry,
    Movement,
    Player,
    Round,
    Tournament,
)
from tracker.movements.catalogue import MOVEMENTS
from tracker.movements.types import RoundSeating, TableSeating, Wishes
from tracker.nights.services.attendance import arrive, leave
from tracker.nights.services.tonight import seat_table
from tracker.seating.logic.saved_draws import question_from_json, round_from_json, round_to_json
from tracker.seating.logic.seatings import broken_wish, swap_units
from tracker.seating.services.draws import (
    discard_draws,
    lock_table,
    redraw,
    swap_entrants,
    update_draw,
)
from tracker.seating.services.round_opening import seat_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament() -> Tournament:
    return make.tournament(hands=1)


@pytest.fixture
def night(tournament: Tournament) -> ClubNight:
    return make.night(tournament.club)


def draws_of(tournament: Tournament) -> list[Draw]:
    return list(tournament.draws.order_by("number"))


def people(tournament: Tournament, number: int, initial: str = "P") -> list[int]:
    names = (f"{initial}{each:02d}" for each in range(number))
    return [entrant.pk for entrant in act.enter(tournament, *names)]


def drawn(tournament: Tournament, seed: int = 7, **more: Any) -> Draw:
    return act.draw(tournament, seed, **more)[0]


def drawn_again(tournament: Tournament, seed: int) -> Draw:
    return redraw(tournament_id=tournament.pk, by=make.actor(), rng=Random(seed))[0]


def mended(tournament: Tournament, **more: Any) -> Draw:
    return update_draw(tournament_id=tournament.pk, by=make.actor(), rng=Random(3), **more)[0]


def lock(tournament: Tournament, number: int) -> None:
    lock_table(tournament_id=tournament.pk, number=number, locked=True, by=make.actor())


def swap(tournament: Tournament, *units: int) -> Draw:
    unit, other = units
    return swap_entrants(tournament_id=tournament.pk, units=(unit, other), by=make.actor())


def numbers_of(draw: Draw) -> list[int]:
    return [table["number"] for table in draw.plan["tables"]]


def seated(draw: Draw) -> list[list[int]]:
    return [table["units"] for table in draw.plan["tables"]]


def everybody_at(draw: Draw, *, resting: bool = True) -> list[int]:
    return sum(seated(draw), draw.plan["resting"] if resting else [])


def sat(round_: Round) -> list[list[int]]:
    """Return the entrants at every table by place."""
    return [
        list(sitting.seats.order_by("place").values_list("entrant", flat=True))
        for sitting in round_.sittings.order_by("number")
    ]


def partners(tables: list[list[int]]) -> list[frozenset[int]]:
    sides = [side for a, b, c, d in tables for side in ((a, c), (b, d))]
    return [frozenset(side) for side in sides]


# Drawn and opened -------------------------------------------------------------------------------


def test_what_is_shown_is_what_opens(tournament: Tournament) -> None:
    people(tournament, 9)
    draw = drawn(tournament)
    openers = [table["opener"] for table in draw.plan["tables"]]
    # A draw reads back as it was written.
    for wrote, table in zip(
        draw.plan["tables"], round_to_json(round_from_json(draw.plan))["tables"], strict=True
    ):
        assert {key: wrote[key] for key in table} == table
    round_ = act.open_drawn(tournament)

    assert sat(round_) == seated(draw)
    sittings = round_.sittings.order_by("number")
    assert [(each.number, each.first_dealer) for each in sittings] == [*enumerate(openers, 1)]
    assert not Draw.objects.exists()


def test_a_night_of_twelve_repeats_no_partner_in_seven_rounds(tournament: Tournament) -> None:
    people(tournament, 12)
    seen: list[frozenset[int]] = []

    for _round in range(7):
        drawn(tournament)
        round_ = act.open_drawn(tournament)
        seen += partners(sat(round_))
        close(round_)

    assert len(seen) == len(set(seen)) == 42


def test_the_same_question_and_seed_give_the_same_plan_again(tournament: Tournament) -> None:
    people(tournament, 13)
    draw = drawn(tournament)
    question = question_from_json(draw.question["question"])
    again = MOVEMENTS[draw.question["settings"]["movement"]].plan(question).rounds[0]

    stored = round_from_json(draw.plan)
    assert {table.units for table in again.tables} == {table.units for table in stored.tables}
    assert again.resting == stored.resting


def test_several_rounds_are_drawn_ahead_and_opened_one_by_one(tournament: Tournament) -> None:
    people(tournament, 8)
    drawn(tournament, rounds=3)
    plans = [seated(draw) for draw in draws_of(tournament)]

    opened = []
    for _round in plans:
        round_ = act.open_drawn(tournament)
        opened.append(sat(round_))
        close(round_)

    assert opened == plans
    assert len({side for plan in plans for side in partners(plan)}) == 12


def test_a_night_with_planned_rounds_is_drawn_as_a_whole(tournament: Tournament) -> None:
    tournament.planned = 5
    tournament.save()
    people(tournament, 16)
    drawn(tournament)

    draws = draws_of(tournament)
    met = [
        pair for draw in draws for table in seated(draw) for pair in combinations(sorted(table), 2)
    ]
    assert [draw.number for draw in draws] == [1, 2, 3, 4, 5]
    assert len(met) == len(set(met)) == 120  # the known solution: everybody meets everybody once


def test_openings_differ_by_one_at_most(tournament: Tournament) -> None:
    opened = dict.fromkeys(people(tournament, 12), 0)

    for _round in range(6):
        (_, *others), (unit, *_), _ = seated(drawn(tournament))
        for table in swap(tournament, others[-1], unit).plan["tables"]:
            assert opened[table["units"][table["opener"]]] == min(
                opened[unit] for unit in table["units"]
            )
            opened[table["units"][table["opener"]]] += 1
        round_ = act.open_drawn(tournament)
        for sitting in round_.sittings.all():
            make.report(sitting, {"eaten": [70, 50]})
        close(round_)

    assert max(opened.values()) - min(opened.values()) <= 1


def test_what_is_not_drawn_is_discarded_without_a_word(tournament: Tournament) -> None:
    people(tournament, 8)
    drawn(tournament)
    for _ in range(2):
        discard_draws(tournament_id=tournament.pk, by=make.actor())

    assert not tournament.draws.exists()
    assert LogEntry.objects.filter(verb="draw-discarded").count() == 1


# Changed by hand --------------------------------------------------------------------------------

TABLE = TableSeating(shape=PAIRS, units=(1, 2, 3, 4), opener=0)
ROUND = RoundSeating(tables=(TABLE,), resting=(5,))


def test_two_change_places_and_nobody_else_does(tournament: Tournament) -> None:
    somebody = people(tournament, 9)[0]
    draw = drawn(tournament)
    unit, other = seated(draw)[0][0], draw.plan["resting"][0]
    changed = swap(tournament, unit, other)

    assert seated(changed) == [[other, *seated(draw)[0][1:]], seated(draw)[1]]
    assert changed.plan["resting"] == [unit]
    assert [table["by_hand"] for table in changed.plan["tables"]] == [True, False]
    with pytest.raises(Refused, match="Tap the two"):
        swap(tournament, somebody, somebody)
    assert swap_units(ROUND, (2, 5)).tables[0].units == (1, 5, 3, 4)


def test_a_wish_is_broken_at_one_table_or_on_one_side() -> None:
    for wish, pair, breaks in (
        ("apart", (1, 2), True),
        ("not_partners", (2, 4), True),
        ("not_partners", (1, 2), False),
        ("apart", (1, 5), False),
    ):
        wishes: dict[str, Any] = {wish: frozenset({frozenset(pair)})}
        broken = broken_wish(ROUND, Wishes(**wishes))
        assert (broken and broken.units) == (pair if breaks else None), (wish, pair)


# People who come and go -------------------------------------------------------------------------


def check_in(night: ClubNight, tournament: Tournament) -> None:
    players = Player.objects.filter(entrants__tournament=tournament)
    arrive(night_id=night.pk, players=list(players.values_list("pk", flat=True)), by=make.actor())


def go_home(night: ClubNight, *units: int) -> None:
    gone = Player.objects.filter(entrants__in=units).values_list("pk", flat=True)
    leave(night_id=night.pk, players=list(gone), by=make.actor())


def test_a_draw_that_one_has_left_is_mended_first(tournament: Tournament, night: ClubNight) -> None:
    people(tournament, 13)
    check_in(night, tournament)
    draw = drawn(tournament)
    left = seated(draw)[0][0]
    go_home(night, left)
    with pytest.raises(Refused, match="came or went"):
        act.open_drawn(tournament)
    again = mended(tournament)

    assert left not in everybody_at(again)
    assert seated(again)[1:] == seated(draw)[1:]  # nobody left those tables
    assert sat(act.open_drawn(tournament)) == seated(again)
    close(Round.objects.get())
    assert left not in everybody_at(drawn(tournament))  # who went home is not drawn


def test_who_comes_late_sits_in_the_coming_round(tournament: Tournament, night: ClubNight) -> None:
    people(tournament, 13)
    check_in(night, tournament)
    drawn(tournament)
    late = make.player("Late", club=tournament.club)
    arrive(night_id=night.pk, players=[late.pk], by=make.actor())
    again = mended(tournament, newcomers=[late.pk])

    assert Entrant.objects.get(player=late).pk in everybody_at(again, resting=False)
    again = mended(tournament, new_names=["Eli"])  # a name is enough
    assert Entrant.objects.get(player__name="Eli").pk in everybody_at(again)
    assert (len(seated(again)), len(again.plan["resting"])) == (3, 3)
    act.open_drawn(tournament)


def test_a_draw_for_too_few_is_not_mended(tournament: Tournament, night: ClubNight) -> None:
    people(tournament, 5)
    check_in(night, tournament)
    draw = drawn(tournament)
    go_home(night, *seated(draw)[0][:2])
    with pytest.raises(Refused, match="A table takes 4"):
        mended(tournament)

    assert Draw.objects.get().plan == draw.plan


# Numbers of tables ------------------------------------------------------------------------------


@pytest.fixture
def beside(tournament: Tournament, night: ClubNight) -> Tournament:
    """Return another tournament of the night, which has tables 1 and 2."""
    other = make.tournament(name="The other one", club=tournament.club, hands=1)
    people(other, 8, "Q")
    check_in(night, other)
    drawn(other)
    act.open_drawn(other)
    return other


def test_a_locked_table_keeps_its_number_or_gets_a_free_one(
    tournament: Tournament, night: ClubNight, beside: Tournament
) -> None:
    people(tournament, 8)
    check_in(night, tournament)
    first = drawn(tournament)
    lock(tournament, 4)
    again = drawn_again(tournament, 8)
    close(beside.rounds.get())
    alone = drawn_again(tournament, 9)

    assert numbers_of(first) == numbers_of(again) == [3, 4]
    assert numbers_of(alone) == [1, 4]
    assert seated(again)[1] == seated(alone)[1] == seated(first)[1]


def test_a_draw_shows_the_tables_the_round_opens_at(
    tournament: Tournament, night: ClubNight, beside: Tournament
) -> None:
    people(tournament, 8)
    check_in(night, tournament)
    drawn(tournament)
    act.open_drawn(tournament)
    for each in (beside, tournament):
        close(each.rounds.get())
    draw = drawn(tournament)
    second = act.open_drawn(tournament)

    assert numbers_of(draw) == [3, 4]  # where they sat, though 1 and 2 are free as well
    assert [each.number for each in second.sittings.order_by("number")] == [3, 4]


# Free play, and a table that joins --------------------------------------------------------------


def joins(tournament: Tournament, *known: str, new: Sequence[str] = ()) -> Round:
    chosen = [make.player(name, club=tournament.club).pk for name in known]
    by, rng = make.actor(), Random(1)
    return seat_table(tournament_id=tournament.pk, chosen=chosen, new_names=[*new], by=by, rng=rng)


def open_with(tournament: Tournament, number: int, initial: str = "P", **more: Any) -> Round:
    """Open a round of so many people in the order of their numbers."""
    units = people(tournament, number, initial)
    by, rng = make.actor(), Random(1)
    return seat_round(tournament_id=tournament.pk, entrants=units, by=by, rng=rng, **more)


def test_in_free_play_tables_form_beside_each_other(tournament: Tournament) -> None:
    Tournament.objects.update(movement=Movement.FREE)
    four = ("Asha", "Juma", "Neema", "Baraka")
    first = joins(tournament, *four)
    second = joins(tournament, "Ali", "Omari", "Rehema", "Zuri", new=["Late"])
    make.report(first.sittings.get(), {"eaten": [70, 50]})
    third = joins(tournament, *four)

    first.refresh_from_db()
    assert [first.state, second.state, third.state] == ["closed", "open", "open"]
    assert second.sittings.get().mode == "5i"
    assert not {*partners(sat(first))} & {*partners(sat(third))}
    assert third.sittings.get().number == 1  # the card that lies there free


def test_a_table_joins_the_round_that_runs(tournament: Tournament) -> None:
    round_ = open_with(tournament, 7)
    joins(tournament, *(str(rest.entrant) for rest in round_.rests.all()), new=["Late"])
    assert round_.sittings.count() == 2
    assert not round_.rests.sat_out().exists()
    assert not Attendance.objects.exists()
    other = make.tournament(hands=1, club=tournament.club, name="At the night")
    at_night = open_with(other, 4, initial="Q", night_id=make.night(tournament.club).pk)
    joins(other, new=["Ali", "Eli", "Oli"])  # who are checked in there

    assert set(Attendance.objects.values_list("player__name", flat=True)) == {"Ali", "Eli", "Oli"}
    assert sorted(at_night.sittings.values_list("number", "mode")) == [(1, "4t2"), (2, "3i")]


def test_no_table_joins_of_who_sits_already_or_of_no_round(tournament: Tournament) -> None:
    with pytest.raises(Refused, match="No round is being played"):
        joins(tournament, new=["Ali", "Eli", "Oli", "Uli"])
    open_with(tournament, 4)
    with pytest.raises(Refused, match="still sits at table 1"):
        joins(tournament, "P00", "P01", "P02", "P03")
    with pytest.raises(Refused, match="no table for 1"):
        joins(tournament, "P00")
