"""Rounds: opened with everybody seated, closed over what is missing, taken back, brought back."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from games import catalogue
from games.errors import ModeError, RuleError
from games.game import FirstDealer
from tests import make
from tests.make import NOON
from tracker.common.errors import Refused
from tracker.models import (
    Award,
    Entrant,
    Hand,
    Issue,
    LogEntry,
    Report,
    Role,
    Round,
    RoundState,
    Seat,
    SeatTally,
    Sitting,
    Table,
    Tally,
    TokenState,
    Tournament,
)
from tracker.nights.services.closing import close_round, pending_tables
from tracker.results.services.corrections import STRIKE, correct_sitting
from tracker.seating.queries.movement_plans import deal_totals
from tracker.seating.services.round_opening import TablePlan, open_round, seat_round
from tracker.seating.services.rounds import restore_round, undo_round
from tracker.seating.services.seat_swaps import substitute
from tracker.seating.services.table_cards import CODE_SIGNS
from tracker.tables.dealing_history import dealing_history

pytestmark = pytest.mark.django_db

FOUR = ("Asha", "Neema", "Juma", "Baraka")
WON = {"eaten": [70, 50]}


def entered(at: Tournament, *names: str) -> list[int]:
    return [make.entrant(make.player(name, club=at.club), at=at).pk for name in names]


def opened(at: Tournament, *names: str, now: datetime = NOON, seed: int = 7) -> Round:
    """Open a round of these people, in this order."""
    units = entered(at, *(names or FOUR))
    return seat_round(tournament_id=at.pk, entrants=units, by=make.actor(at=now), rng=Random(seed))


def plan(at: Tournament, *names: str, mode: str = "4t2") -> TablePlan:
    players = tuple(make.player(name, club=at.club).pk for name in names)
    return TablePlan(mode=mode, players=players, entrants=tuple(entered(at, *names)))


def people(sitting: Sitting) -> list[str]:
    return list(
        Seat.objects.running()
        .filter(sitting=sitting)
        .order_by("place")
        .values_list("player__name", flat=True)
    )


def tables(round_: Round) -> list[Sitting]:
    return list(round_.sittings.order_by("number"))


def play(sitting: Sitting, hands: int) -> None:
    for _ in range(hands):
        make.report(sitting, WON)


def close(round_: Round, **how: Any) -> Round:
    return close_round(round_id=round_.pk, by=make.actor(), **how)


def sums(at: Tournament) -> dict[tuple[str, str], int]:
    """Return what the entrants have, what is nothing left out."""
    rows = Tally.objects.filter(entrant__tournament=at).exclude(amount=0)
    return {(str(row.entrant), row.key): row.amount for row in rows}


# Opening


def test_everybody_sits_down_in_order_and_can_report() -> None:
    tournament = make.tournament(hands=8)

    round_ = opened(tournament, *FOUR, "Ali", "Zawadi", "Omari", "Rehema")

    first, second = tables(round_)
    assert (round_.number, round_.state, round_.hands, round_.games) == (1, "open", 8, None)
    assert people(first) == ["Asha", "Neema", "Juma", "Baraka"]
    assert people(second) == ["Ali", "Zawadi", "Omari", "Rehema"]
    assert [seat.side for seat in first.seats.order_by("place")] == [0, 1, 0, 1]
    assert first.options == tournament.options
    assert (first.first_dealer, first.next_dealer, first.may_deal) == (0, 0, [0])
    assert make.report(first, WON).verdict == "accepted"
    log_entry = LogEntry.objects.get(verb="round-opened")
    assert log_entry.on == {"tournament": tournament.pk, "round": round_.pk}


def test_a_table_keeps_its_card_from_round_to_round() -> None:
    tournament = make.tournament()
    first = opened(tournament)
    close(first)

    second = opened(tournament, *FOUR, "Ali", "Zawadi", "Omari", "Rehema")

    old, (again, new) = tables(first)[0], tables(second)
    assert old.table == again.table
    assert old.token != again.token
    cards = list(Table.objects.values_list("code", "card_token"))
    assert len(set(cards)) == 2
    assert all(len(code) == 6 and set(code) <= set(CODE_SIGNS) for code, _ in cards)
    assert new.table is not None


def test_a_code_that_another_table_has_is_not_given_out() -> None:
    first, second = make.tournament(name="Friday Cup"), make.tournament(name="Saturday Cup")

    for tournament in (first, second):
        opened(tournament, seed=7)  # the dice fall alike

    assert len(set(Table.objects.values_list("code", flat=True))) == 2


def test_whoever_opened_least_deals_first_and_the_memory_is_the_tournaments() -> None:
    tournament = make.tournament()
    first = opened(tournament)
    play(tables(first)[0], 2)  # Asha deals, her side wins, Juma deals
    close(first)

    second = opened(tournament)

    sitting = tables(second)[0]
    assert sitting.first_dealer == 1  # Neema: Asha has opened a table
    assert sitting.dealt_before == [-2, None, -1, None]


def test_a3_where_the_house_cuts_for_partners_every_table_does() -> None:
    eight = (*FOUR, "Ali", "Zawadi", "Omari", "Rehema")
    tournament = make.tournament(options={"partners": "cut"})

    def seated(seed: int) -> list[list[str]]:
        round_ = opened(tournament, *eight, seed=seed)
        undo_round(round_id=round_.pk, by=make.actor())
        return [people(sitting) for sitting in tables(round_)]

    rounds = [seated(seed) for seed in range(8)]

    for first, second in rounds:
        assert (sorted(first), sorted(second)) == (sorted(eight[:4]), sorted(eight[4:]))
    partners = [
        {frozenset(first[0::2]) for first, _ in rounds},
        {frozenset(second[0::2]) for _, second in rounds},
    ]
    assert all(len(pairs) > 2 for pairs in partners)
    assert seated(3) == rounds[3]  # the dice fall alike
    for seat in Seat.objects.select_related("entrant"):
        assert seat.entrant.player_id == seat.player_id
        assert seat.side == seat.place % 2


def test_a3_after_a_cut_the_memory_of_who_dealt_goes_with_the_people() -> None:
    tournament = make.tournament(options={"partners": "cut"})
    first = opened(tournament, seed=1)
    play(tables(first)[0], 1)
    dealer = people(tables(first)[0])[0]
    close(first)

    again = tables(opened(tournament, seed=2))[0]

    assert [
        name for name, dealt in zip(people(again), again.dealt_before, strict=True) if dealt
    ] == [dealer]
    assert people(again)[again.first_dealer] != dealer


def test_a3_fixed_teams_and_those_who_play_alone_cut_for_nobody() -> None:
    teams = make.tournament(teams=True, options={"partners": "cut"})
    pairs = [
        make.team(*(make.player(name, club=teams.club) for name in names))
        for names in (("Asha", "Neema"), ("Juma", "Baraka"))
    ]
    units = [make.entrant(pair, at=teams).pk for pair in pairs]
    alone = make.tournament(mode="4i", options={"partners": "cut"})

    fixed = seat_round(tournament_id=teams.pk, entrants=units, by=make.actor(), rng=Random(7))
    single = opened(alone, "Ali", "Zawadi", "Omari", "Rehema")

    assert people(tables(fixed)[0]) == ["Asha", "Juma", "Neema", "Baraka"]
    assert people(tables(single)[0]) == ["Ali", "Zawadi", "Omari", "Rehema"]


def test_a_round_that_was_undone_is_not_remembered() -> None:
    tournament = make.tournament()
    first = opened(tournament)
    play(tables(first)[0], 2)
    undo_round(round_id=first.pk, by=make.actor())

    second = opened(tournament)

    assert second.number == 1
    sitting = tables(second)[0]
    assert (sitting.first_dealer, sitting.dealt_before) == (0, [None] * 4)


def test_who_took_over_remembers_only_the_hands_they_dealt() -> None:
    tournament = make.tournament()
    round_ = opened(tournament)
    sitting = tables(round_)[0]
    play(sitting, 1)  # Asha deals; then it is Juma's turn
    ali = make.player("Ali", club=tournament.club)
    juma = sitting.seats.get(place=2)
    substitute(seat_id=juma.pk, player_id=ali.pk, by=make.actor())
    play(sitting, 1)

    people = [sitting.seats.get(place=place).player_id for place in (0, 1, 3)]
    history = dealing_history(tournament.pk).before(2, [*people, juma.player_id, ali.pk])

    assert history == (-2, None, None, None, -1)


def test_hands_of_one_number_in_one_round_are_level_in_the_memory() -> None:
    tournament = make.tournament()
    round_ = opened(tournament, *FOUR, "Ali", "Zawadi", "Omari", "Rehema")
    for sitting in tables(round_):
        play(sitting, 1)
    asha, ali = (make.player(name, club=tournament.club).pk for name in ("Asha", "Ali"))

    assert dealing_history(tournament.pk).before(2, [asha, ali]) == (-1, -1)


def test_openings_are_counted_by_player_and_by_entrant() -> None:
    tournament = make.tournament(teams=True)
    sitting = make.sitting(*FOUR, at=tournament, first_dealer=2)
    make.report(sitting, WON)

    counts = deal_totals(tournament.pk)

    juma = sitting.seats.get(place=2)
    assert counts.opened_by_player == {juma.player_id: 1}
    assert counts.opened_by_entrant == {juma.entrant_id: 1}


@pytest.mark.every_game
@pytest.mark.parametrize("slug", sorted(catalogue.GAMES))
def test_the_first_dealer_is_found_as_the_game_says(slug: str) -> None:
    rules = catalogue.GAMES[slug]
    modes = rules.modes(rules.default_options())
    tournament = make.tournament(slug, next(mode.code for mode in modes if mode.seats >= 3))
    mode = rules.mode(tournament.mode, tournament.options)
    names = [f"Player {number}" for number in range(mode.seats)]

    dealers = []
    for seed in range(8):
        round_ = opened(tournament, *names, seed=seed)
        dealers.append(tables(round_)[0].first_dealer)
        undo_round(round_id=round_.pk, by=make.actor())

    if rules.first_dealer is FirstDealer.LOT:
        assert len(set(dealers)) > 1
    else:
        assert set(dealers) == {0}


def test_a_round_is_as_long_as_it_is_said_to_be() -> None:
    tournament = make.tournament(hands=8)

    round_ = seat_round(
        tournament_id=tournament.pk,
        entrants=entered(tournament, *FOUR),
        length=3,
        by=make.actor(),
        rng=Random(7),
    )

    assert round_.hands == 3


def test_one_round_at_a_time() -> None:
    tournament = make.tournament()
    opened(tournament)

    with pytest.raises(Refused) as refusal:
        opened(tournament, "Ali", "Zawadi", "Omari", "Rehema")

    assert refusal.value.code == "round-open"


def test_nobody_sits_in_two_running_rounds() -> None:
    tournament = make.tournament()
    opened(tournament)
    other = make.tournament(club=tournament.club, name="Saturday Cup")

    with pytest.raises(Refused) as refusal:
        opened(other, "Ali", "Asha", "Omari", "Rehema")

    assert refusal.value.code == "seated-already"
    assert str(refusal.value) == (
        "Asha still sits at table 1 of “Friday Cup”: close round 1 there first."
    )
    assert not other.rounds.exists()


def test_the_database_refuses_a_second_seat_in_a_round() -> None:
    round_ = opened(make.tournament(), *FOUR, "Ali", "Zawadi", "Omari", "Rehema")
    first, second = tables(round_)

    with pytest.raises(IntegrityError), transaction.atomic():
        second.seats.filter(place=0).update(player=first.seats.get(place=0).player)


def test_nobody_sits_at_two_tables() -> None:
    tournament = make.tournament()
    twice = [plan(tournament, *FOUR), plan(tournament, "Ali", "Zawadi", "Omari", "Asha")]

    with pytest.raises(Refused, match="Asha cannot sit in two places at once"):
        open_round(tournament_id=tournament.pk, tables=twice, by=make.actor(), rng=Random(7))


def test_a_finished_tournament_has_no_more_rounds() -> None:
    tournament = make.tournament(official_at=NOON)

    with pytest.raises(Refused) as refusal:
        opened(tournament)

    assert refusal.value.code == "tournament-over"


def test_no_round_of_a_finished_tournament_is_undone() -> None:
    round_ = make.round_of(make.tournament(official_at=NOON), state=RoundState.CLOSED)

    with pytest.raises(Refused) as refusal:
        undo_round(round_id=round_.pk, by=make.actor())

    assert refusal.value.code == "tournament-over"


@pytest.mark.parametrize(
    ("names", "mode", "code"),
    [
        ((), "4t2", "nobody-plays"),
        (("Asha", "Neema", "Juma"), "4t2", "table-not-full"),
        (FOUR, "9i", "mode-unknown"),
    ],
)
def test_a_plan_that_makes_no_table_is_refused(names: Sequence[str], mode: str, code: str) -> None:
    tournament = make.tournament()
    plans = [plan(tournament, *names, mode=mode)] if names else []

    with pytest.raises(RuleError) as refusal:
        open_round(tournament_id=tournament.pk, tables=plans, by=make.actor(), rng=Random(7))

    assert refusal.value.code == code
    assert not Round.objects.exists()


def test_only_who_is_entered_can_be_seated() -> None:
    tournament, other = make.tournament(), make.tournament()
    stranger = entered(other, "Asha")[0]
    at_table = plan(tournament, *FOUR)
    crooked = TablePlan(
        mode="4t2", players=at_table.players, entrants=(stranger, *at_table.entrants[1:])
    )

    with pytest.raises(Refused) as refusal:
        open_round(tournament_id=tournament.pk, tables=[crooked], by=make.actor(), rng=Random(7))
    with pytest.raises(Refused) as by_order:
        seat_round(
            tournament_id=tournament.pk,
            entrants=[stranger, *at_table.entrants],
            by=make.actor(),
            rng=Random(7),
        )

    assert (refusal.value.code, by_order.value.code) == ("not-entered", "not-entered")


def test_too_few_for_a_table_are_told_how_many_it_takes() -> None:
    with pytest.raises(Refused, match="A table takes 4 people here, and only 3 are chosen"):
        opened(make.tournament(), "Asha", "Neema", "Juma")


def test_a_mode_the_game_does_not_have_is_refused() -> None:
    tournament = make.tournament()

    with pytest.raises(ModeError):
        seat_round(
            tournament_id=tournament.pk,
            entrants=entered(tournament, *FOUR),
            mode="7i",
            by=make.actor(),
            rng=Random(7),
        )


# Teams


def two_teams(tournament: Tournament, *more: str) -> list[int]:
    pairs = [("Asha", "Juma"), ("Neema", "Baraka")]
    people = [[make.player(name, club=tournament.club) for name in pair] for pair in pairs]
    return [make.entrant(make.team(*pair), at=tournament).pk for pair in people]


def test_a_fixed_pair_takes_the_seats_of_one_side() -> None:
    tournament = make.tournament(teams=True)

    round_ = seat_round(
        tournament_id=tournament.pk, entrants=two_teams(tournament), by=make.actor(), rng=Random(7)
    )

    seats = tables(round_)[0].seats.order_by("place").select_related("player", "entrant__team")
    assert [(seat.player.name, str(seat.entrant)) for seat in seats] == [
        ("Asha", "Asha & Juma"),
        ("Neema", "Neema & Baraka"),
        ("Juma", "Asha & Juma"),
        ("Baraka", "Neema & Baraka"),
    ]


def test_a_team_short_of_people_is_named() -> None:
    tournament = make.tournament(teams=True)
    units = two_teams(tournament)
    team = Entrant.objects.get(pk=units[0]).team
    assert team is not None
    team.roster.remove(make.player("Juma", club=tournament.club))

    with pytest.raises(Refused, match="Asha & Juma needs 2 people at the table, but has 1"):
        seat_round(tournament_id=tournament.pk, entrants=units, by=make.actor(), rng=Random(7))


def test_one_team_alone_is_told_how_many_it_takes() -> None:
    tournament = make.tournament(teams=True)

    with pytest.raises(Refused, match="A table takes 2 teams here, and only 1 are chosen"):
        seat_round(
            tournament_id=tournament.pk,
            entrants=two_teams(tournament)[:1],
            by=make.actor(),
            rng=Random(7),
        )


def test_who_opens_among_those_level_is_who_dealt_least_and_not_who_sits_first() -> None:
    tournament = make.tournament(hands=2)
    first = opened(tournament)
    (sitting,) = tables(first)
    for dealer in (0, 2):  # Asha opens, Juma deals
        make.report(sitting, {**WON, "dealer": dealer})
    close(first)

    (second,) = tables(opened(tournament, "Juma", "Asha", "Baraka", "Neema"))

    assert people(second)[second.first_dealer] == "Baraka"


# Resting


def test_whoever_is_over_rests_with_their_own_average_once_the_round_is_closed() -> None:
    tournament = make.tournament()
    round_ = opened(tournament, *FOUR, "Ali")
    assert not Award.objects.exists()

    close(round_)
    close(round_)

    award = Award.objects.get()
    assert (str(award.entrant), award.kind, award.rule, award.round) == (
        "Ali",
        "resting",
        "average",
        round_,
    )


def test_whoever_was_fetched_to_a_table_did_not_rest() -> None:
    tournament = make.tournament()
    round_ = opened(tournament, *FOUR, "Ali")
    asha = tables(round_)[0].seats.get(place=0)
    substitute(
        seat_id=asha.pk, player_id=make.player("Ali", club=tournament.club).pk, by=make.actor()
    )

    close(round_)

    assert not round_.rests.sat_out().exists()
    assert not Award.objects.exists()


# Closing


def test_a_whole_round_closes_and_keeps_the_standing() -> None:
    tournament = make.tournament(hands=2)
    round_ = opened(tournament)
    play(tables(round_)[0], 2)

    closed = close(round_)

    sitting = tables(round_)[0]
    assert (closed.state, closed.closed_at) == (RoundState.CLOSED, NOON)
    assert (sitting.token_state, sitting.finished_at) == (TokenState.CLOSED, NOON)
    assert closed.published_standing is not None
    assert closed.published_standing["missing"] == []
    assert [(row["place"], row["points"]) for row in closed.published_standing["standing"]] == [
        (1, "2"),
        (1, "2"),
        (3, "0"),
        (3, "0"),
    ]


def test_a_round_waits_for_hands_that_are_missing() -> None:
    tournament = make.tournament(hands=2)
    round_ = opened(tournament)
    play(tables(round_)[0], 1)

    with pytest.raises(Refused) as refusal:
        close(round_)

    assert refusal.value.code == "round-waits"
    table = pending_tables(round_)[0]
    progress = table.progress
    assert (table.number, progress.done, progress.of, table.progress.owed) == (1, 1, 2, 1)
    assert table.to_do.issues == 0
    round_.refresh_from_db()
    assert round_.state == RoundState.OPEN


def test_a_round_waits_for_issues_to_settle() -> None:
    tournament = make.tournament()
    round_ = opened(tournament)
    sitting = tables(round_)[0]
    play(sitting, 1)
    Issue.objects.create(sitting=sitting, number=1, kind="query", note="60 to 60?", raised_at=NOON)

    with pytest.raises(Refused) as refusal:
        close(round_)

    assert refusal.value.code == "round-waits"
    assert pending_tables(round_)[0].to_do.issues == 1
    assert pending_tables(round_)[0].progress.owed == 0


def test_a_round_can_close_over_what_is_missing() -> None:
    tournament = make.tournament(hands=2)
    round_ = opened(tournament)

    closed = close(round_, anyway=True)

    assert closed.state == RoundState.CLOSED
    assert closed.published_standing is not None
    assert closed.published_standing["missing"] == [{"table": 1, "short": 2, "issues": 0}]
    assert not Hand.objects.exists()


def test_what_is_missing_can_be_recorded_as_not_played() -> None:
    tournament = make.tournament(hands=3)
    round_ = opened(tournament)
    play(tables(round_)[0], 1)

    close(round_, not_played=True)

    assert [hand.marks is None for hand in Hand.objects.order_by("number")] == [False, True, True]
    assert sums(tournament)["Asha", "hands"] == 1
    assert tables(round_)[0].last_number == 3


def test_a_struck_hand_is_owed_again() -> None:
    tournament = make.tournament(hands=3)
    round_ = opened(tournament)
    play(tables(round_)[0], 3)
    correct_sitting(
        sitting_id=tables(round_)[0].pk, changes={2: STRIKE}, reason="Twice", by=make.actor()
    )

    assert [(table.progress.done, table.progress.owed) for table in pending_tables(round_)] == [
        (2, 1)
    ]
    with pytest.raises(Refused):
        close(round_)
    close(round_, not_played=True)

    assert Hand.objects.get(number=4).sheet["bare"] == "void"
    assert pending_tables(round_) == []


def test_games_that_were_not_played_stand_as_a_void_hand_each() -> None:
    tournament = make.tournament("dalmuti", "4i", games=2)
    round_ = opened(tournament)

    closed = close(round_, not_played=True)

    assert closed.state == RoundState.CLOSED
    assert closed.published_standing is not None
    assert closed.published_standing["missing"] == [{"table": 1, "short": 2, "issues": 0}]
    hands = Hand.objects.order_by("number")
    assert [(hand.result_type, hand.marks) for hand in hands] == [("game_not_played", None)] * 2
    assert sums(tournament) == {}  # nobody dealt what nobody played
    assert pending_tables(closed) == []
    assert tables(round_)[0].games_over == 0


def test_a_report_after_the_end_waits_for_the_organiser() -> None:
    tournament = make.tournament()
    round_ = opened(tournament)
    close(round_)

    answer = make.report(tables(round_)[0], WON)

    assert answer.verdict == "late"
    assert Report.objects.get().verdict == "late"
    assert not Hand.objects.exists()


def test_a_revoked_address_stays_revoked() -> None:
    round_ = opened(make.tournament())
    round_.sittings.update(token_state=TokenState.REVOKED)

    close(round_)

    assert tables(round_)[0].token_state == TokenState.REVOKED


def test_a_round_taken_back_cannot_be_closed() -> None:
    round_ = opened(make.tournament())
    undo_round(round_id=round_.pk, by=make.actor())

    with pytest.raises(Refused) as refusal:
        close(round_)

    assert refusal.value.code == "round-undone"


# Taking back


def test_taking_a_round_back_takes_its_points_and_bringing_it_back_returns_them() -> None:
    tournament = make.tournament()
    round_ = opened(tournament)
    play(tables(round_)[0], 3)
    before = sums(tournament)

    undo_round(round_id=round_.pk, by=make.actor())
    undo_round(round_id=round_.pk, by=make.actor())
    undone = sums(tournament)
    reported = make.report(tables(round_)[0], WON).verdict
    restore_round(round_id=round_.pk, by=make.actor())
    restore_round(round_id=round_.pk, by=make.actor())

    assert before["Asha", "victory_points"] == 3
    assert undone == {}
    assert SeatTally.objects.exclude(amount=0).exists()
    assert reported == "late"
    assert sums(tournament) == before
    assert tables(round_)[0].token_state == TokenState.OPEN
    verbs = [
        log_entry.verb
        for log_entry in LogEntry.objects.filter(verb__startswith="round-").order_by("pk")
    ]
    assert verbs == ["round-opened", "round-undone", "round-restored"]


def test_a_closed_round_comes_back_closed() -> None:
    round_ = opened(make.tournament())
    close(round_)
    undo_round(round_id=round_.pk, by=make.actor())

    restored = restore_round(round_id=round_.pk, by=make.actor())

    assert restored.state == RoundState.CLOSED
    assert tables(round_)[0].token_state == TokenState.CLOSED


def test_only_the_last_round_can_be_taken_back() -> None:
    tournament = make.tournament()
    first = opened(tournament)
    close(first)
    opened(tournament)

    with pytest.raises(Refused) as refusal:
        undo_round(round_id=first.pk, by=make.actor())

    assert refusal.value.code == "round-not-last"


def test_a_round_that_was_replaced_cannot_come_back() -> None:
    tournament = make.tournament()
    first = opened(tournament)
    undo_round(round_id=first.pk, by=make.actor())
    opened(tournament)

    with pytest.raises(Refused, match="Another round 1 has been opened since"):
        restore_round(round_id=first.pk, by=make.actor())


def test_a_round_does_not_come_back_to_people_who_sit_elsewhere() -> None:
    tournament = make.tournament()
    first = opened(tournament)
    undo_round(round_id=first.pk, by=make.actor())
    opened(make.tournament(club=tournament.club, name="Saturday Cup"))

    with pytest.raises(Refused) as refusal:
        restore_round(round_id=first.pk, by=make.actor())

    assert refusal.value.code == "seated-already"


def test_a_round_does_not_come_back_to_tables_where_others_sit() -> None:
    tournament = make.tournament()
    night = make.night(tournament.club)
    elsewhere = make.tournament(club=tournament.club, name="Saturday Cup")
    first = seat_round(
        tournament_id=tournament.pk,
        entrants=entered(tournament, *FOUR),
        night_id=night.pk,
        by=make.actor(),
        rng=Random(7),
    )
    undo_round(round_id=first.pk, by=make.actor())
    others = entered(elsewhere, "Ali", "Zawadi", "Omari", "Rehema")
    second = seat_round(
        tournament_id=elsewhere.pk,
        entrants=others,
        night_id=night.pk,
        by=make.actor(),
        rng=Random(7),
    )

    with pytest.raises(Refused, match="Table 1 is taken by “Saturday Cup”: close round 1 there"):
        restore_round(round_id=first.pk, by=make.actor())

    close(second, not_played=True)
    assert restore_round(round_id=first.pk, by=make.actor()).state == RoundState.OPEN


def test_a_round_is_called_after_how_many_are_planned() -> None:
    tournament = make.tournament(planned=2)

    called = [make.round_of(tournament, number=number).called for number in (1, 2, 3)]

    assert called == ["Round 1 of 2", "Round 2 of 2", "Round 3"]
    assert make.round_of(make.tournament()).called == "Round 1"


# Pages


@pytest.fixture
def tournament() -> Tournament:
    return make.tournament(hands=2)


@pytest.fixture
def organiser(client: Client, tournament: Tournament) -> Client:
    client.force_login(make.user(role=Role.ORGANISER, club=tournament.club))
    return client


def test_somebody_rests_where_no_tables_seat_everybody() -> None:
    tournament = make.tournament("briscola")
    units = entered(tournament, *FOUR, "Ali")

    with pytest.raises(Refused, match="No tables of this game seat all 5"):
        seat_round(
            tournament_id=tournament.pk,
            entrants=units,
            odd_tables=True,
            by=make.actor(),
            rng=Random(7),
        )


def test_closing_lists_what_is_missing_and_asks(organiser: Client, tournament: Tournament) -> None:
    round_ = opened(tournament)
    url = reverse("round-close", args=[round_.pk])

    page = organiser.get(url)
    refused = organiser.post(url)
    closed = organiser.post(url, {"how": "not-played"})

    assert "0 of 2 are in" in page.text
    assert refused.headers["Location"] == url
    assert closed.headers["Location"] == reverse("desk", args=[tournament.pk])
    round_.refresh_from_db()
    assert round_.state == RoundState.CLOSED
    assert Hand.objects.count() == 2


def test_a_whole_round_closes_with_one_tap(organiser: Client, tournament: Tournament) -> None:
    round_ = opened(tournament)
    play(tables(round_)[0], 2)

    page = organiser.get(reverse("round-close", args=[round_.pk]))
    organiser.post(reverse("round-close", args=[round_.pk]))

    assert "All results are in." in page.text
    round_.refresh_from_db()
    assert round_.state == RoundState.CLOSED


def test_a_round_is_taken_back_and_brought_back_on_its_page(
    organiser: Client, tournament: Tournament
) -> None:
    round_ = opened(tournament)
    url = reverse("round-undo", args=[round_.pk])

    asked = organiser.get(url).text
    organiser.post(url)
    round_.refresh_from_db()
    undone = round_.state
    asked_again = organiser.get(url).text
    organiser.post(url)
    round_.refresh_from_db()

    assert "Undo round 1?" in asked
    assert undone == RoundState.UNDONE
    assert "Bring back round 1?" in asked_again
    assert round_.state == RoundState.OPEN


def test_what_cannot_be_taken_back_is_said(organiser: Client, tournament: Tournament) -> None:
    first = opened(tournament)
    close(first, anyway=True)
    opened(tournament, now=NOON + timedelta(hours=1))

    page = organiser.post(reverse("round-undo", args=[first.pk]), follow=True)

    assert "Only the last round can be undone" in page.text


@pytest.mark.parametrize("name", ["round-close", "round-undo", "round-seats"])
def test_only_organisers_touch_rounds(client: Client, tournament: Tournament, name: str) -> None:
    url = reverse(name, args=[opened(tournament).pk])

    stranger = client.get(url)
    client.force_login(make.user(role=Role.SCORER, club=tournament.club))
    scorer = client.post(url)
    unknown = client.get(reverse(name, args=[999]))

    assert stranger.headers["Location"].startswith(reverse("sign-in"))
    assert (scorer.status_code, unknown.status_code) == (403, 404)


# What the pages cost --------------------------------------------------------------------------


@pytest.mark.parametrize("tables", [1, 3])
def test_seating_costs_the_same_however_many_sit(
    organiser: Client,
    tournament: Tournament,
    tables: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    between = make.tournament(club=tournament.club, name="Between rounds", hands=8)
    past = make.round_of(between, state=RoundState.CLOSED, closed_at=NOON)
    for number in range(1, tables + 1):
        table = make.sitting(*(f"{name} {number}" for name in "ABCD"), at=tournament)
        make.sitting(*(f"{name} {number}" for name in "EFGH"), in_round=past, number=number)

    with django_assert_num_queries(5):  # session, user, club with role; players, who plays now
        organiser.get(reverse("tonight", args=[tournament.club_id]))
    with django_assert_num_queries(5):
        organiser.get(reverse("round-seats", args=[table.round_id]))
    with django_assert_num_queries(4):
        organiser.get(reverse("round-close", args=[table.round_id]))
