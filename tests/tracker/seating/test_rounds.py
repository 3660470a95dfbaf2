"""Rounds: opened with everybody seated, closed over what is missing, taken back, brought back."""

from random import Random
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from games import catalogue
from games.game import FirstDealer
from tests import act, make
from tests.make import NOON
from tests.reading import costs, path, shows
from tests.tracker.seating.seats import EIGHT, FOUR, OTHERS, WON, people, play
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
from tracker.nights.services.closing import pending_tables
from tracker.results.services.corrections import STRIKE
from tracker.seating.queries.movement_plans import deal_totals
from tracker.seating.services.round_opening import TablePlan, open_round, seat_round
from tracker.seating.services.rounds import restore_round, undo_round
from tracker.seating.services.seat_swaps import substitute
from tracker.seating.services.table_cards import CODE_SIGNS
from tracker.tables.dealing_history import dealing_history

pytestmark = pytest.mark.django_db

NINE = (*EIGHT, "Zuri")


@pytest.fixture
def tournament() -> Tournament:
    return make.tournament(hands=2)


def entered(at: Tournament, *names: str) -> list[int]:
    return [make.entrant(make.player(name, club=at.club), at=at).pk for name in names]


def seated(at: Tournament, units: list[int], seed: int = 7, **more: Any) -> Round:
    rng = Random(seed)
    return seat_round(tournament_id=at.pk, entrants=units, by=make.actor(), rng=rng, **more)


def opened(at: Tournament, *names: str, seed: int = 7, **more: Any) -> Round:
    """Open a round of these people, in this order."""
    return seated(at, entered(at, *(names or FOUR)), seed, **more)


def opened_by(at: Tournament, *plans: TablePlan) -> Round:
    return open_round(tournament_id=at.pk, tables=plans, by=make.actor(), rng=Random(7))


def plan(at: Tournament, *names: str, mode: str = "4t2") -> TablePlan:
    players = tuple(make.player(name, club=at.club).pk for name in names)
    return TablePlan(mode=mode, players=players, entrants=tuple(entered(at, *names)))


def tables(round_: Round) -> list[Sitting]:
    return list(round_.sittings.order_by("number"))


def table(round_: Round) -> Sitting:
    (only,) = tables(round_)
    return only


def undo(round_: Round) -> Round:
    return undo_round(round_id=round_.pk, by=make.actor())


def restore(round_: Round) -> Round:
    return restore_round(round_id=round_.pk, by=make.actor())


def substituted(sitting: Sitting, place: int, name: str) -> None:
    player = make.player(name, club=sitting.round.tournament.club)
    substitute(seat_id=sitting.seats.get(place=place).pk, player_id=player.pk, by=make.actor())


def sums(at: Tournament) -> dict[tuple[str, str], int]:
    """Return what the entrants have, what is nothing left out."""
    rows = Tally.objects.filter(entrant__tournament=at).exclude(amount=0)
    return {(str(row.entrant), row.key): row.amount for row in rows}


# Opening


def test_everybody_sits_down_in_order_and_can_report() -> None:
    tournament = make.tournament(hands=8)
    round_ = opened(tournament, *EIGHT)

    first, second = tables(round_)
    assert (round_.number, round_.state, round_.hands, round_.games) == (1, "open", 8, None)
    assert (people(first), people(second)) == ([*FOUR], [*OTHERS])
    assert [seat.side for seat in first.seats.order_by("place")] == [0, 1, 0, 1]
    assert first.options == tournament.options
    assert (first.first_dealer, first.next_dealer, first.may_deal) == (0, 0, [0])
    assert make.report(first, WON).verdict == "accepted"
    log_entry = LogEntry.objects.get(verb="round-opened")
    assert log_entry.on == {"tournament": tournament.pk, "round": round_.pk}
    assert opened(make.tournament(hands=8), length=3).hands == 3


def test_a_table_keeps_its_card_from_round_to_round(tournament: Tournament) -> None:
    old = table(act.close(opened(tournament), anyway=True))
    again, new = tables(opened(tournament, *EIGHT))

    assert old.table == again.table
    assert old.token != again.token
    assert new.table is not None
    # In another tournament the dice fall alike: a code that a table has is not given out.
    opened(make.tournament(), seed=7)
    codes = [*Table.objects.values_list("code", flat=True)]
    assert len(codes) == len({*codes}) == 3
    assert all(len(code) == 6 and set(code) <= set(CODE_SIGNS) for code in codes)


def test_whoever_opened_least_deals_first_and_the_memory_is_the_tournaments() -> None:
    tournament = make.tournament()
    first = opened(tournament)
    play(table(first), 2)  # Asha deals, her side wins, Juma deals
    act.close(first)
    again = table(opened(tournament))

    assert again.first_dealer == 1  # Neema: Asha has opened a table
    assert again.dealt_before == [-2, None, -1, None]


def test_of_those_level_who_dealt_least_opens(tournament: Tournament) -> None:
    first = opened(tournament)
    for dealer in (0, 2):  # Asha opens, Juma deals
        make.report(table(first), {**WON, "dealer": dealer})
    act.close(first)
    second = table(opened(tournament, "Juma", "Asha", "Baraka", "Neema"))

    assert people(second)[second.first_dealer] == "Baraka"


def test_a3_where_the_house_cuts_for_partners_every_table_does() -> None:
    tournament = make.tournament(options={"partners": "cut"})

    def cut(seed: int) -> list[list[str]]:
        round_ = opened(tournament, *EIGHT, seed=seed)
        undo(round_)
        return [people(sitting) for sitting in tables(round_)]

    rounds = [cut(seed) for seed in range(8)]

    for at, four in enumerate((FOUR, OTHERS)):
        assert all(sorted(seated[at]) == sorted(four) for seated in rounds)
        assert len({frozenset(seated[at][0::2]) for seated in rounds}) > 2
    assert cut(3) == rounds[3]  # the dice fall alike
    for seat in Seat.objects.select_related("entrant"):
        assert seat.entrant.player_id == seat.player_id
        assert seat.side == seat.place % 2


def test_a3_after_a_cut_the_memory_of_who_dealt_goes_with_the_people() -> None:
    tournament = make.tournament(options={"partners": "cut"})
    first = opened(tournament, seed=1)
    dealer = people(play(table(first)))[0]
    act.close(first)
    again = table(opened(tournament, seed=2))

    remembered = zip(people(again), again.dealt_before, strict=True)
    assert [name for name, dealt in remembered if dealt] == [dealer]
    assert people(again)[again.first_dealer] != dealer


def test_a3_fixed_teams_and_those_who_play_alone_cut_for_nobody() -> None:
    cuts = {"partners": "cut"}
    teams = make.tournament(teams=True, options=cuts)
    fixed = seated(teams, two_teams(teams, ("Asha", "Neema"), ("Juma", "Baraka")))
    single = opened(make.tournament(mode="4i", options=cuts), *OTHERS)

    seats = table(fixed).seats.order_by("place")
    assert [(seat.player.name, str(seat.entrant)) for seat in seats] == [
        ("Asha", "Asha & Neema"),
        ("Juma", "Juma & Baraka"),
        ("Neema", "Asha & Neema"),
        ("Baraka", "Juma & Baraka"),
    ]
    assert people(table(single)) == [*OTHERS]


def test_a_round_that_was_undone_is_not_remembered(tournament: Tournament) -> None:
    first = opened(tournament)
    play(table(first), 2)
    undo(first)
    second = opened(tournament)

    assert second.number == 1
    assert (table(second).first_dealer, table(second).dealt_before) == (0, [None] * 4)


def test_everybody_remembers_only_the_hands_they_dealt() -> None:
    tournament = make.tournament()
    sitting, other = tables(opened(tournament, *EIGHT))
    play(sitting)  # Asha deals; then it is Juma's turn
    substituted(sitting, 2, "Salim")
    play(sitting)
    names = ("Asha", "Neema", "Baraka", "Juma", "Salim")
    keys = [make.player(name, club=tournament.club).pk for name in (*names, "Ali")]
    memory = dealing_history(tournament.pk)
    assert memory.before(2, keys) == (-2, None, None, None, -1, None)
    play(other)  # hands of one number in one round are level

    assert dealing_history(tournament.pk).before(2, keys)[::5] == (-2, -2)


def test_openings_are_counted_by_player_and_by_entrant() -> None:
    tournament = make.tournament(teams=True)
    sitting = play(make.sitting(*FOUR, at=tournament, first_dealer=2))
    counts = deal_totals(tournament.pk)

    juma = sitting.seats.get(place=2)
    assert counts.opened_by_player == {juma.player_id: 1}
    assert counts.opened_by_entrant == {juma.entrant_id: 1}


@pytest.mark.every_game
@pytest.mark.parametrize("slug", sorted(catalogue.GAMES))
def test_the_first_dealer_is_found_as_the_game_says(slug: str) -> None:
    rules = catalogue.GAMES[slug]
    mode = next(mode for mode in rules.modes(rules.default_options()) if mode.seats >= 3)
    tournament = make.tournament(slug, mode.code)
    names = [f"Player {number}" for number in range(mode.seats)]

    dealers = []
    for seed in range(8):
        round_ = opened(tournament, *names, seed=seed)
        dealers.append(table(round_).first_dealer)
        undo(round_)

    by_lot = rules.first_dealer is FirstDealer.LOT
    assert len({*dealers}) > 1 if by_lot else {*dealers} == {0}


def two_teams(tournament: Tournament, *named: tuple[str, str]) -> list[int]:
    pairs = named or (("Asha", "Juma"), ("Neema", "Baraka"))
    people = [[make.player(name, club=tournament.club) for name in pair] for pair in pairs]
    return [make.entrant(make.team(*pair), at=tournament).pk for pair in people]


# What is not opened


def test_nobody_sits_in_two_running_rounds_at_two_tables_or_places(tournament: Tournament) -> None:
    round_ = opened(tournament, *EIGHT)
    with act.refused("round-open"):  # one round at a time
        opened(tournament, "A", "B", "C", "D")
    other = make.tournament(club=tournament.club, name="Saturday Cup")
    with act.refused("seated-already") as refusal:
        opened(other, "Omar", "Asha", "Salim", "Rehana")

    says = "Asha still sits at table 1 of “Friday Cup”: close round 1 there first."
    assert str(refusal.value) == says
    with pytest.raises(Refused, match="Omar cannot sit in two places at once"):
        opened_by(other, plan(other, "Omar", *"ABC"), plan(other, *"DEF", "Omar"))
    assert not other.rounds.exists()
    first, second = tables(round_)
    with pytest.raises(IntegrityError), transaction.atomic():
        second.seats.filter(place=0).update(player=first.seats.get(place=0).player)


def test_a_finished_tournament_has_no_more_rounds_and_none_of_it_is_undone() -> None:
    tournament = make.tournament(official_at=NOON)

    with act.refused("tournament-over"):
        opened(tournament)
    with act.refused("tournament-over"):
        undo(make.round_of(tournament, state=RoundState.CLOSED))


def test_a_plan_that_makes_no_table_is_refused(tournament: Tournament) -> None:
    for code, plans in {
        "nobody-plays": [],
        "table-not-full": [plan(tournament, *FOUR[:3])],
        "mode-unknown": [plan(tournament, *FOUR, mode="9i")],
    }.items():
        with act.refused(code):
            opened_by(tournament, *plans)
    with act.refused("mode-unknown"):
        opened(tournament, mode="7i")
    (stranger,) = entered(make.tournament(), "Asha")  # only who is entered can be seated
    right = plan(tournament, *FOUR)
    crooked = (stranger, *right.entrants[1:])
    with act.refused("not-entered"):
        opened_by(tournament, TablePlan(mode="4t2", players=right.players, entrants=crooked))
    with act.refused("not-entered"):
        seated(tournament, [stranger, *right.entrants])
    assert not Round.objects.exists()


def test_too_few_for_a_table_are_told_how_many_it_takes(tournament: Tournament) -> None:
    teams = make.tournament(teams=True)
    units = two_teams(teams)

    with pytest.raises(Refused, match="A table takes 4 people here, and only 3 are chosen"):
        opened(tournament, *FOUR[:3])
    with pytest.raises(Refused, match="A table takes 2 teams here, and only 1 are chosen"):
        seated(teams, units[:1])
    with pytest.raises(Refused, match="No tables of this game seat all 5"):
        opened(make.tournament("briscola"), *NINE[:5], odd_tables=True)
    team = Entrant.objects.get(pk=units[0]).team
    assert team is not None
    team.roster.remove(make.player("Juma", club=teams.club))
    with pytest.raises(Refused, match="Asha & Juma needs 2 people at the table, but has 1"):
        seated(teams, units)


# Resting


@pytest.mark.parametrize("fetched", [False, True])
def test_whoever_is_over_rests_with_their_own_average_once_the_round_is_closed(
    *, fetched: bool
) -> None:
    round_ = opened(make.tournament(), *FOUR, "Ali")
    if fetched:
        substituted(table(round_), 0, "Ali")
    assert not Award.objects.exists()
    for _ in range(2):
        act.close(round_)
    assert round_.rests.sat_out().exists() is not fetched
    given = [(str(award.entrant), award.kind, award.rule) for award in round_.awards.all()]
    assert given == ([] if fetched else [("Ali", "resting", "average")])


# Closing


def missing(round_: Round) -> list[dict[str, int]] | None:
    """Return what the standing that was published says was missing."""
    published = round_.published_standing
    return published["missing"] if published else None


def waiting(round_: Round) -> list[tuple[int, int, int, int]]:
    """Return for which tables a round waits: done, of how many, owed, and with open issues."""
    return [
        (each.progress.done, each.progress.of or 0, each.progress.owed, each.to_do.issues)
        for each in pending_tables(round_)
    ]


def test_a_whole_round_closes_and_keeps_the_standing(tournament: Tournament) -> None:
    round_ = opened(tournament)
    play(table(round_), 2)
    closed = act.close(round_)

    sitting = table(round_)
    assert (closed.state, closed.closed_at) == (RoundState.CLOSED, NOON)
    assert (sitting.token_state, sitting.finished_at) == (TokenState.CLOSED, NOON)
    assert closed.published_standing is not None
    assert missing(closed) == []
    rows = closed.published_standing["standing"]
    placed = [(row["place"], row["points"]) for row in rows]
    assert placed == [(1, "2"), (1, "2"), (3, "0"), (3, "0")]


def test_a_round_waits_for_hands_and_issues_but_closes_anyway(tournament: Tournament) -> None:
    round_ = opened(tournament)
    sitting = table(round_)
    play(sitting)
    with act.refused("round-waits"):
        act.close(round_)
    assert waiting(round_) == [(1, 2, 1, 0)]
    play(sitting)
    Issue.objects.create(sitting=sitting, number=1, kind="query", note="60 to 60?", raised_at=NOON)
    with act.refused("round-waits"):
        act.close(round_)
    assert waiting(round_) == [(2, 2, 0, 1)]
    round_.refresh_from_db()
    assert round_.state == RoundState.OPEN

    closed = act.close(round_, anyway=True)

    assert closed.state == RoundState.CLOSED
    assert missing(closed) == [{"table": 1, "short": 0, "issues": 1}]
    assert Hand.objects.count() == 2


def test_what_is_missing_a_struck_hand_among_it_can_be_recorded_as_not_played() -> None:
    tournament = make.tournament(hands=3)
    round_ = opened(tournament)
    sitting = play(table(round_), 2)
    act.correct(sitting, {1: STRIKE})
    assert waiting(round_) == [(1, 3, 2, 0)]
    with act.refused("round-waits"):
        act.close(round_)
    closed = act.close(round_, not_played=True)

    standing = [hand for hand in hands_of(sitting) if hand.struck_at is None]
    assert [(hand.number, hand.sheet.get("bare")) for hand in standing] == [
        (2, None),
        (3, "void"),
        (4, "void"),
    ]
    assert sums(tournament)["Asha", "hands"] == 1
    assert table(round_).last_number == 4
    assert missing(closed) == [{"table": 1, "short": 2, "issues": 0}]
    assert pending_tables(round_) == []


def hands_of(sitting: Sitting) -> list[Hand]:
    return list(Hand.objects.filter(sitting=sitting).order_by("number"))


def test_games_that_were_not_played_stand_as_a_void_hand_each() -> None:
    tournament = make.tournament("dalmuti", "4i", games=2)
    closed = act.close(opened(tournament), not_played=True)

    assert (closed.state, missing(closed)) == ("closed", [{"table": 1, "short": 2, "issues": 0}])
    hands = hands_of(table(closed))
    assert [(hand.result_type, hand.marks) for hand in hands] == [("game_not_played", None)] * 2
    assert sums(tournament) == {}  # nobody dealt what nobody played
    assert pending_tables(closed) == []
    assert table(closed).games_over == 0


def test_a_report_after_the_end_waits_for_the_organiser_and_a_revoked_address_stays_so() -> None:
    round_ = opened(make.tournament(), *EIGHT)
    revoked, late = tables(round_)
    Sitting.objects.filter(pk=revoked.pk).update(token_state=TokenState.REVOKED)
    act.close(round_)

    assert make.report(late, WON).verdict == "late"
    assert Report.objects.get().verdict == "late"
    assert not Hand.objects.exists()
    assert tables(round_)[0].token_state == TokenState.REVOKED


# Taking back


def test_taking_a_round_back_takes_its_points_and_bringing_it_back_returns_them() -> None:
    tournament = make.tournament()
    round_ = opened(tournament)
    play(table(round_), 3)
    before = sums(tournament)

    for _ in range(2):
        undo(round_)
    undone, reported = sums(tournament), make.report(table(round_), WON).verdict
    with act.refused("round-undone"):
        act.close(round_)
    for _ in range(2):
        restore(round_)

    assert before["Asha", "victory_points"] == 3
    assert undone == {}
    assert SeatTally.objects.exclude(amount=0).exists()
    assert reported == "late"
    assert sums(tournament) == before
    assert table(round_).token_state == TokenState.OPEN
    entries = LogEntry.objects.filter(verb__startswith="round-").order_by("pk")
    verbs = [*entries.values_list("verb", flat=True)]
    assert verbs == ["round-opened", "round-undone", "round-restored"]


def test_only_the_last_round_is_taken_back_and_none_that_was_replaced_comes_back() -> None:
    tournament = make.tournament()
    first = act.close(opened(tournament))
    second = opened(tournament)
    with act.refused("round-not-last"):
        undo(first)
    undo(second)
    opened(tournament)

    with pytest.raises(Refused, match="Another round 2 has been opened since"):
        restore(second)


def test_a_round_does_not_come_back_to_people_or_tables_that_play_elsewhere() -> None:
    tournament = make.tournament()
    night = make.night(tournament.club).pk
    first = opened(tournament, night_id=night)
    undo(first)
    other = make.tournament(club=tournament.club, name="Sunday Cup")
    taken = opened(other)
    with act.refused("seated-already"):
        restore(first)
    undo(taken)
    elsewhere = make.tournament(club=tournament.club, name="Saturday Cup")
    second = opened(elsewhere, *OTHERS, night_id=night)
    with pytest.raises(Refused, match="Table 1 is taken by “Saturday Cup”: close round 1 there"):
        restore(first)
    act.close(second, not_played=True)
    assert restore(first).state == RoundState.OPEN
    act.close(first)
    undo(first)
    assert restore(first).state == RoundState.CLOSED  # a closed round comes back closed
    assert table(first).token_state == TokenState.CLOSED


def test_a_round_is_called_after_how_many_are_planned() -> None:
    tournament = make.tournament(planned=2)
    called = [make.round_of(tournament, number=number).called for number in (1, 2, 3)]
    assert called == ["Round 1 of 2", "Round 2 of 2", "Round 3"]
    assert make.round_of(make.tournament()).called == "Round 1"


# Pages


@pytest.fixture
def organiser(tournament: Tournament) -> Client:
    return act.sign_in(Role.ORGANISER, tournament)


@pytest.mark.parametrize("hands", [0, 2])
def test_closing_lists_what_is_owed(organiser: Client, tournament: Tournament, hands: int) -> None:
    round_ = opened(tournament)
    play(table(round_), hands)
    url = path("round-close", round_)

    shows(organiser.get(url), "All results are in." if hands else "0 of 2 are in")
    closed = organiser.post(url)
    if not hands:
        assert closed.headers["Location"] == url
        closed = organiser.post(url, {"how": "not-played"})

    assert closed.headers["Location"] == path("desk", tournament)
    round_.refresh_from_db()
    assert round_.state == RoundState.CLOSED
    assert Hand.objects.count() == 2


def test_a_round_is_undone_and_brought_back(organiser: Client, tournament: Tournament) -> None:
    round_ = opened(tournament)
    url = path("round-undo", round_)

    for asked, state in (
        ("Undo round 1?", RoundState.UNDONE),
        ("Bring back round 1?", RoundState.OPEN),
    ):
        shows(organiser.get(url), asked)
        organiser.post(url)
        round_.refresh_from_db()
        assert round_.state == state
    act.close(round_, anyway=True)
    opened(tournament)
    shows(organiser.post(url, follow=True), "Only the last round can be undone")


def test_seating_costs_the_same_however_many_sit(organiser: Client, tournament: Tournament) -> None:
    between = make.tournament(club=tournament.club, name="Between rounds", hands=8)
    past = make.round_of(between, state=RoundState.CLOSED, closed_at=NOON)
    for number in (1, 2, 3):
        sitting = make.sitting(*(f"{name} {number}" for name in "ABCD"), at=tournament)
        make.sitting(*(f"{name} {number}" for name in "EFGH"), in_round=past, number=number)
        with costs(5):  # session, user, club with role; players, who plays now
            organiser.get(path("tonight", tournament.club))
        with costs(5):
            organiser.get(path("round-seats", sitting.round))
        with costs(4):
            organiser.get(path("round-close", sitting.round))
