"""The coming round drawn, changed by hand, mended when people come and go, and opened as shown."""

from itertools import chain, combinations
from random import Random

import pytest

from tests import make
from tracker.common.errors import Refused
from tracker.models import (
    Attendance,
    Club,
    ClubNight,
    Draw,
    Entrant,
    LogEntry,
    Movement,
    Player,
    Round,
    SeatingWish,
    Tournament,
    WishKind,
)
from tracker.movements.catalogue import MOVEMENTS
from tracker.nights.services.attendance import arrive, leave
from tracker.nights.services.closing import close_round
from tracker.nights.services.tonight import seat_table
from tracker.seating.logic.saved_draws import (
    DrawSettings,
    question_from_json,
    round_from_json,
    round_to_json,
)
from tracker.seating.services.draws import (
    discard_draws,
    draw_rounds,
    lock_table,
    publish_draws,
    redraw,
    swap_entrants,
    update_draw,
)
from tracker.seating.services.round_opening import open_draw, seat_round
from tracker.tournaments.services.entering import enter_players

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament() -> Tournament:
    return make.tournament(hands=1)


def draws_of(tournament: Tournament) -> list[Draw]:
    return list(tournament.draws.order_by("number"))


def people(tournament: Tournament, number: int, initial: str = "P") -> list[int]:
    players = [
        make.player(f"{initial}{each:02d}", club=tournament.club).pk for each in range(number)
    ]
    entered = enter_players(tournament_id=tournament.pk, players=players, by=make.actor())
    return [entrant.pk for entrant in entered]


def drawn(tournament: Tournament, seed: int = 7, **more: object) -> Draw:
    asked: dict[str, object] = {"tournament_id": tournament.pk, "by": make.actor(), **more}
    return draw_rounds(rng=Random(seed), **asked)[0]  # type: ignore[arg-type]


def open_it(tournament: Tournament) -> Round:
    return open_draw(tournament_id=tournament.pk, by=make.actor(), rng=Random(1))


def close(round_: Round) -> None:
    close_round(round_id=round_.pk, not_played=True, by=make.actor())


def numbers_of(draw: Draw) -> list[int]:
    return [table["number"] for table in draw.plan["tables"]]


def seated(draw: Draw) -> list[list[int]]:
    return [table["units"] for table in draw.plan["tables"]]


def everybody_at(draw: Draw) -> list[int]:
    return list(chain(*seated(draw)))


def sat(round_: Round) -> list[list[int]]:
    """Return the entrants at every table by place."""
    return [
        list(sitting.seats.order_by("place").values_list("entrant", flat=True))
        for sitting in round_.sittings.order_by("number")
    ]


def partners(tables: list[list[int]]) -> set[frozenset[int]]:
    return {
        frozenset((a, b))
        for north, east, south, west in tables
        for a, b in ((north, south), (east, west))
    }


def test_what_is_shown_is_what_opens(tournament: Tournament) -> None:
    people(tournament, 8)
    draw = drawn(tournament)
    openers = [table["opener"] for table in draw.plan["tables"]]

    round_ = open_it(tournament)

    assert sat(round_) == seated(draw)
    assert [each.first_dealer for each in round_.sittings.order_by("number")] == openers
    assert [each.number for each in round_.sittings.order_by("number")] == [1, 2]
    assert not Draw.objects.exists()


def test_a_night_of_twelve_repeats_no_partner_in_seven_rounds(tournament: Tournament) -> None:
    people(tournament, 12)
    seen: list[frozenset[int]] = []

    for _round in range(7):
        drawn(tournament)
        round_ = open_it(tournament)
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


def test_a_draw_reads_back_as_it_was_written(tournament: Tournament) -> None:
    people(tournament, 9)
    draw = drawn(tournament)

    read = round_from_json(draw.plan)

    for wrote, table in zip(draw.plan["tables"], round_to_json(read)["tables"], strict=True):
        assert {key: wrote[key] for key in table} == table


def test_drawing_anew_gives_other_tables_and_keeps_what_is_kept(tournament: Tournament) -> None:
    people(tournament, 16)
    first = drawn(tournament)
    lock_table(tournament_id=tournament.pk, number=2, locked=True, by=make.actor())

    second = redraw(tournament_id=tournament.pk, by=make.actor(), rng=Random(8))[0]

    by_number = {table["number"]: table for table in second.plan["tables"]}
    assert by_number[2]["units"] == seated(first)[1]
    assert by_number[2]["locked"]
    assert seated(first) != seated(second)
    assert sorted(everybody_at(second)) == sorted(everybody_at(first))


def test_two_change_places_and_nobody_else_does(tournament: Tournament) -> None:
    people(tournament, 9)
    draw = drawn(tournament)
    unit, other = seated(draw)[0][0], draw.plan["resting"][0]

    changed = swap_entrants(tournament_id=tournament.pk, units=(unit, other), by=make.actor())

    assert seated(changed)[0] == [other, *seated(draw)[0][1:]]
    assert seated(changed)[1] == seated(draw)[1]
    assert changed.plan["resting"] == [unit]
    assert [table["by_hand"] for table in changed.plan["tables"]] == [True, False]


def test_a_swap_takes_two_of_the_draw(tournament: Tournament) -> None:
    somebody = people(tournament, 4)[0]
    drawn(tournament)

    for units in ((0, 0), (somebody, somebody), (somebody, 0)):
        with pytest.raises(Refused, match="Tap the two"):
            swap_entrants(tournament_id=tournament.pk, units=units, by=make.actor())


def test_who_must_not_meet_is_not_swapped_together(tournament: Tournament) -> None:
    everybody = people(tournament, 8)
    player, other = (Entrant.objects.get(pk=each).player for each in everybody[:2])
    assert player is not None
    assert other is not None
    SeatingWish.objects.create(
        club=tournament.club, kind=WishKind.NOT_MEET, player=player, other=other
    )
    draw = drawn(tournament)
    tables = seated(draw)
    of_one = next(table for table in tables if everybody[0] in table)
    assert everybody[1] not in of_one
    beside = next(unit for unit in of_one if unit != everybody[0])

    with pytest.raises(Refused, match="P00, P01 are not to meet at one table"):
        swap_entrants(tournament_id=tournament.pk, units=(beside, everybody[1]), by=make.actor())


def test_several_rounds_are_drawn_ahead_and_opened_one_by_one(tournament: Tournament) -> None:
    people(tournament, 8)
    drawn(tournament, rounds=3)
    plans = [seated(draw) for draw in draws_of(tournament)]

    opened = []
    for _round in plans:
        round_ = open_it(tournament)
        opened.append(sat(round_))
        close(round_)

    assert opened == plans
    assert len(set().union(*map(partners, plans))) == 12


def test_what_goes_by_the_standing_is_drawn_round_by_round(tournament: Tournament) -> None:
    people(tournament, 8)
    settings = DrawSettings(movement=Movement.EQUALS, mode="4t2")

    with pytest.raises(Refused, match="one at a time"):
        drawn(tournament, settings=settings, rounds=2)


def test_a_finished_tournament_is_not_drawn(tournament: Tournament) -> None:
    people(tournament, 4)
    Tournament.objects.update(official_at=make.NOON)

    with pytest.raises(Refused, match="finished"):
        drawn(tournament)


# People who come and go -------------------------------------------------------------------------


@pytest.fixture
def night(tournament: Tournament) -> ClubNight:
    return make.night(tournament.club)


def check_in(night: ClubNight, tournament: Tournament) -> None:
    players = Player.objects.filter(entrants__tournament=tournament)
    arrive(night_id=night.pk, players=list(players.values_list("pk", flat=True)), by=make.actor())


def test_who_went_home_is_not_drawn(tournament: Tournament, night: ClubNight) -> None:
    everybody = people(tournament, 9)
    check_in(night, tournament)
    gone = Entrant.objects.get(pk=everybody[3]).player_id
    assert gone is not None
    leave(night_id=night.pk, players=[gone], by=make.actor())

    draw = drawn(tournament)

    assert everybody[3] not in [*everybody_at(draw), *draw.plan["resting"]]


def test_a_draw_that_somebody_left_is_mended_and_not_opened(
    tournament: Tournament, night: ClubNight
) -> None:
    people(tournament, 13)
    check_in(night, tournament)
    draw = drawn(tournament)
    left = seated(draw)[0][0]
    gone = Entrant.objects.get(pk=left).player_id
    assert gone is not None
    leave(night_id=night.pk, players=[gone], by=make.actor())

    with pytest.raises(Refused, match="came or went"):
        open_it(tournament)
    mended = update_draw(tournament_id=tournament.pk, by=make.actor(), rng=Random(3))[0]
    round_ = open_it(tournament)

    assert left not in [*everybody_at(mended), *mended.plan["resting"]]
    assert seated(mended)[1:] == seated(draw)[1:]  # nobody left those tables
    assert sat(round_) == seated(mended)


def test_whoever_comes_late_sits_in_the_coming_round(
    tournament: Tournament, night: ClubNight
) -> None:
    people(tournament, 13)
    check_in(night, tournament)
    drawn(tournament)
    late = make.player("Late", club=tournament.club)
    arrive(night_id=night.pk, players=[late.pk], by=make.actor())

    mended = update_draw(
        tournament_id=tournament.pk, newcomers=[late.pk], by=make.actor(), rng=Random(3)
    )[0]

    entrant = Entrant.objects.get(player=late)
    assert entrant.pk in everybody_at(mended)
    open_it(tournament)


def test_who_was_left_out_stays_out_until_tapped_again(tournament: Tournament) -> None:
    everybody = people(tournament, 9)
    drawn(tournament, entrants=everybody[:8])
    close(open_it(tournament))

    second = drawn(tournament)
    third = drawn(tournament, entrants=everybody)

    assert everybody[8] not in [*everybody_at(second), *second.plan["resting"]]
    assert everybody[8] in [*everybody_at(third), *third.plan["resting"]]


def test_nobody_rests_twice_before_everybody_has_rested(tournament: Tournament) -> None:
    everybody = people(tournament, 9)
    rested = []

    for _round in range(9):
        rested += drawn(tournament).plan["resting"]
        close(open_it(tournament))

    assert sorted(rested) == sorted(everybody)


def test_openings_differ_by_one_at_most(tournament: Tournament) -> None:
    everybody = people(tournament, 12)
    opened = dict.fromkeys(everybody, 0)

    for _round in range(6):
        draw = drawn(tournament)
        for table in draw.plan["tables"]:
            opened[table["units"][table["opener"]]] += 1
        round_ = open_it(tournament)
        for sitting in round_.sittings.all():
            make.report(sitting, {"eaten": [70, 50]})
        close(round_)

    assert max(opened.values()) - min(opened.values()) <= 1


def test_a_published_draw_stays_published_when_it_is_drawn_again(tournament: Tournament) -> None:
    people(tournament, 8)
    drawn(tournament)
    publish_draws(tournament_id=tournament.pk, by=make.actor())

    again = redraw(tournament_id=tournament.pk, by=make.actor(), rng=Random(2))[0]

    assert again.published_at == make.NOON


# Free play, and a table that joins --------------------------------------------------------------


def players_of(club: Club, *names: str) -> list[int]:
    return [make.player(name, club=club).pk for name in names]


def test_in_free_play_tables_form_beside_each_other(tournament: Tournament) -> None:
    Tournament.objects.update(movement=Movement.FREE)
    four, five = ("Asha", "Juma", "Neema", "Baraka"), ("Ali", "Omari", "Rehema", "Zuri", "Late")

    first = seat_table(
        tournament_id=tournament.pk,
        chosen=players_of(tournament.club, *four),
        by=make.actor(),
        rng=Random(1),
    )
    second = seat_table(
        tournament_id=tournament.pk,
        chosen=players_of(tournament.club, *five[:4]),
        new_names=five[4:],
        by=make.actor(),
        rng=Random(1),
    )
    make.report(first.sittings.get(), {"eaten": [70, 50]})
    third = seat_table(
        tournament_id=tournament.pk,
        chosen=players_of(tournament.club, *four),
        by=make.actor(),
        rng=Random(1),
    )

    first.refresh_from_db()
    assert [first.state, second.state, third.state] == ["closed", "open", "open"]
    assert second.sittings.get().mode == "5i"
    assert not partners(sat(first)) & partners(sat(third))
    assert third.sittings.get().number == 1  # the card that lies there free


def test_a_table_joins_the_round_that_runs(tournament: Tournament) -> None:
    units = people(tournament, 7)
    seat_round(tournament_id=tournament.pk, entrants=units, by=make.actor(), rng=Random(1))
    round_ = Round.objects.get()
    resting = [rest.entrant.player_id for rest in round_.rests.all()]

    seat_table(
        tournament_id=tournament.pk,
        chosen=[each for each in resting if each],
        new_names=["Late"],
        by=make.actor(),
        rng=Random(1),
    )

    assert round_.sittings.count() == 2
    assert not round_.rests.sat_out().exists()
    assert not Attendance.objects.exists()


def test_nobody_joins_who_sits_already_and_no_table_is_of_eleven(tournament: Tournament) -> None:
    units = people(tournament, 4)
    seat_round(tournament_id=tournament.pk, entrants=units, by=make.actor(), rng=Random(1))
    sitting = [each.player_id for each in Entrant.objects.filter(pk__in=units)]

    for chosen, why in ((sitting, "still sits at table 1"), (sitting[:1], "no table for 1")):
        with pytest.raises(Refused, match=why):
            seat_table(
                tournament_id=tournament.pk,
                chosen=[each for each in chosen if each],
                by=make.actor(),
                rng=Random(1),
            )


def test_a_night_with_planned_rounds_is_drawn_as_a_whole(tournament: Tournament) -> None:
    Tournament.objects.update(planned=5)
    tournament.refresh_from_db()
    people(tournament, 16)

    drawn(tournament)

    numbers = [draw.number for draw in draws_of(tournament)]
    met = [pair for draw in draws_of(tournament) for pair in combinations_at(seated(draw))]
    assert numbers == [1, 2, 3, 4, 5]
    assert len(met) == len(set(met)) == 120  # the known solution: everybody meets everybody once


def combinations_at(tables: list[list[int]]) -> list[tuple[int, ...]]:
    return [pair for table in tables for pair in combinations(sorted(table), 2)]


def test_a_name_is_enough_for_a_seat_in_the_coming_round(tournament: Tournament) -> None:
    people(tournament, 8)
    drawn(tournament)

    mended = update_draw(
        tournament_id=tournament.pk, new_names=["Eli"], by=make.actor(), rng=Random(4)
    )[0]

    eli = Entrant.objects.get(player__name="Eli").pk
    assert eli in everybody_at(mended)
    assert len(mended.plan["resting"]) == 1


def test_what_is_not_drawn_is_discarded_without_a_word(tournament: Tournament) -> None:
    people(tournament, 8)
    drawn(tournament)

    for _ in range(2):
        discard_draws(tournament_id=tournament.pk, by=make.actor())

    assert not tournament.draws.exists()
    assert LogEntry.objects.filter(verb="draw-discarded").count() == 1


def test_a_draw_that_too_few_are_left_for_cannot_be_mended_and_stands(
    tournament: Tournament, night: ClubNight
) -> None:
    people(tournament, 5)
    check_in(night, tournament)
    draw = drawn(tournament)
    for left in seated(draw)[0][:2]:
        gone = Entrant.objects.get(pk=left).player_id
        assert gone is not None
        leave(night_id=night.pk, players=[gone], by=make.actor())

    with pytest.raises(Refused, match="A table takes 4"):
        update_draw(tournament_id=tournament.pk, by=make.actor(), rng=Random(3))

    assert Draw.objects.get().plan == draw.plan


def test_a_locked_table_keeps_its_number_or_gets_a_free_one(
    tournament: Tournament, night: ClubNight
) -> None:
    other = make.tournament(name="The other one", club=tournament.club, hands=1)
    people(other, 8, "Q")
    check_in(night, other)
    drawn(other)
    beside = open_it(other)
    people(tournament, 8)
    check_in(night, tournament)
    first = drawn(tournament)
    lock_table(tournament_id=tournament.pk, number=4, locked=True, by=make.actor())

    again = redraw(tournament_id=tournament.pk, by=make.actor(), rng=Random(8))[0]
    close(beside)
    alone = redraw(tournament_id=tournament.pk, by=make.actor(), rng=Random(9))[0]

    assert numbers_of(first) == numbers_of(again) == [3, 4]
    assert seated(again)[1] == seated(first)[1]
    assert numbers_of(alone) == [1, 4]
    assert seated(alone)[1] == seated(first)[1]


def test_a_draw_shows_the_tables_the_round_opens_at(
    tournament: Tournament, night: ClubNight
) -> None:
    other = make.tournament(name="The other one", club=tournament.club, hands=1)
    first_rounds = []
    for each, initial in (other, "Q"), (tournament, "P"):
        people(each, 8, initial)
        check_in(night, each)
        drawn(each)
        first_rounds.append(open_it(each))
    for round_ in first_rounds:
        close(round_)

    draw = drawn(tournament)
    second = open_it(tournament)

    assert numbers_of(draw) == [3, 4]  # where they sat, though 1 and 2 are free as well
    assert list(second.sittings.order_by("number").values_list("number", flat=True)) == [3, 4]


def test_whoever_joins_a_round_at_a_night_is_checked_in(
    tournament: Tournament, night: ClubNight
) -> None:
    units = people(tournament, 4)
    seat_round(
        tournament_id=tournament.pk,
        entrants=units,
        night_id=night.pk,
        by=make.actor(),
        rng=Random(1),
    )

    seat_table(
        tournament_id=tournament.pk, new_names=["Ali", "Eli", "Oli"], by=make.actor(), rng=Random(1)
    )

    assert set(Attendance.objects.values_list("player__name", flat=True)) == {"Ali", "Eli", "Oli"}
    assert sorted(Round.objects.get().sittings.values_list("number", "mode")) == [
        (1, "4t2"),
        (2, "3i"),
    ]


def test_nobody_joins_a_round_that_does_not_run(tournament: Tournament) -> None:
    with pytest.raises(Refused, match="No round is being played"):
        seat_table(
            tournament_id=tournament.pk,
            new_names=["Ali", "Eli", "Oli", "Uli"],
            by=make.actor(),
            rng=Random(1),
        )
