"""The standings: from what is kept of every hand, at a cost that hands do not raise."""

import re
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertContains, assertNotContains

from games.dalmuti.scoring import SHARE
from tests import make
from tests.make import NOON
from tracker.common.figures import figure, placing
from tracker.common.names import page_names
from tracker.common.template_tags import person_mark
from tracker.models import (
    Award,
    AwardKind,
    Entrant,
    Player,
    RankedBy,
    Role,
    Round,
    RoundState,
    Seat,
    SeatTally,
    Sitting,
    Tally,
    Team,
    Tournament,
)
from tracker.seating.services.seat_swaps import substitute
from tracker.standings.columns import StandingsTable
from tracker.standings.pages.standings import award_lines, rounds_beside
from tracker.standings.queries.final_rankings import finishes
from tracker.standings.queries.points_by_round import race
from tracker.standings.queries.standings import (
    StandingRow,
    standing_to_publish,
    standings,
)
from tracker.standings.queries.sums import (
    sums_by_entrant,
    sums_by_round,
    sums_by_table,
    sums_upto,
)
from tracker.standings.services.standings import give_award
from tracker.tables.next_dealer import DealsWhen
from tracker.tables.sql import read_open_tables
from tracker.tables.table_now import Deals, dealers_now

pytestmark = pytest.mark.django_db

FOUR = ("Asha", "Neema", "Juma", "Baraka")


def give(seat: Seat, **marks: int) -> None:
    """Keep these marks of a seat, as hands would have left them; a team's are given apart."""
    for key, amount in marks.items():
        tally, _ = SeatTally.objects.get_or_create(seat=seat, key=key, defaults={"amount": 0})
        tally.amount += amount
        tally.save()
        if seat.entrant.player_id:
            give_entrant(seat.entrant, **{key: amount})


def give_entrant(entrant: Entrant, **marks: int) -> None:
    for key, amount in marks.items():
        tally, _ = Tally.objects.get_or_create(entrant=entrant, key=key, defaults={"amount": 0})
        tally.amount += amount
        tally.save()


def seat_of(sitting: Sitting, name: str) -> Seat:
    return sitting.seats.select_related("entrant").get(player__name=name)


def rows(tournament: Tournament, upto: Round | None = None) -> dict[str, StandingRow]:
    return {row.name: row for row in standings(tournament, upto=upto).rows}


def points(tournament: Tournament, upto: Round | None = None) -> dict[str, Fraction]:
    return {name: row.figures["victory_points"] for name, row in rows(tournament, upto).items()}


def places(tournament: Tournament) -> list[tuple[str, str]]:
    return [(placing(row.place, tied=row.tied), row.name) for row in standings(tournament).rows]


def test_points_rank_and_hands_won_part_equals() -> None:
    tournament = make.tournament()
    table = make.sitting(*FOUR, at=tournament)
    give(seat_of(table, "Asha"), victory_points=4, won=3, hands=8)
    give(seat_of(table, "Neema"), victory_points=4, won=4, hands=8)
    give(seat_of(table, "Juma"), victory_points=6, won=5, hands=8)
    give(seat_of(table, "Baraka"), victory_points=4, won=3, hands=8)

    assert places(tournament) == [("1", "Juma"), ("2", "Neema"), ("3=", "Asha"), ("3=", "Baraka")]


def test_everybody_entered_is_shown_and_who_withdrew_is_marked() -> None:
    tournament = make.tournament()
    make.sitting(*FOUR, at=tournament)
    late = make.entrant(make.player("Zuwena", club=tournament.club), at=tournament)
    Entrant.objects.filter(pk=late.pk).update(withdrawn_at=NOON)

    by_name = rows(tournament)

    assert sorted(by_name) == [*sorted(FOUR), "Zuwena"]
    assert {name for name, row in by_name.items() if row.withdrawn} == {"Zuwena"}
    assert {row.hands for row in by_name.values()} == {0}


def test_chosen_tie_breaks_replace_the_games_own() -> None:
    tournament = make.tournament(tie_breaks=["twos"])
    table = make.sitting(*FOUR, at=tournament)
    give(seat_of(table, "Asha"), victory_points=4, won=4, twos=0)
    give(seat_of(table, "Neema"), victory_points=4, won=2, twos=2)

    assert places(tournament)[:2] == [("1", "Neema"), ("2", "Asha")]


def test_partners_that_change_are_ranked_by_deals_in_briscola() -> None:
    tournament = make.tournament("briscola", "4t2")
    table = make.sitting(*FOUR, at=tournament)
    give(seat_of(table, "Asha"), won=1, drawn=1, matches=0)

    standing = standings(tournament)

    assert [criterion.key for criterion in standing.criteria] == ["score", "points"]
    assert standing.columns[0].key == "score"
    assert standing.rows[0].figures["score"] == Fraction(3, 2)


def test_fixed_pairs_are_ranked_by_matches_in_briscola() -> None:
    tournament = make.tournament("briscola", "4t2", teams=True)
    make.sitting(*FOUR, at=tournament)

    assert standings(tournament).criteria[0].key == "matches"


def test_penalties_take_and_prizes_give_and_withdrawn_ones_do_neither() -> None:
    tournament = make.tournament()
    table = make.sitting(*FOUR, at=tournament)
    for name in FOUR:
        give(seat_of(table, name), victory_points=5, hands=8)
    awards = [
        ("Asha", AwardKind.PENALTY, 2, None),
        ("Neema", AwardKind.PENALTY, -2, None),
        ("Juma", AwardKind.AWARD, 1, None),
        ("Baraka", AwardKind.AWARD, 9, NOON),
        ("Baraka", AwardKind.FORFEIT, 1, None),
    ]
    for name, kind, amount, withdrawn_at in awards:
        Award.objects.create(
            tournament=tournament,
            entrant=seat_of(table, name).entrant,
            kind=kind,
            amount=amount,
            reason="because",
            withdrawn_at=withdrawn_at,
        )

    assert points(tournament) == {"Asha": 3, "Neema": 3, "Juma": 6, "Baraka": 6}


def test_a_penalty_harms_also_where_the_fewest_is_best() -> None:
    tournament = make.tournament("dalmuti", options={"dalmuti_points": "rank"})
    table = make.sitting(*FOUR, at=tournament)
    for name in FOUR:
        give(seat_of(table, name), points=4, hands=3)
    for name, kind in (("Asha", AwardKind.PENALTY), ("Juma", AwardKind.AWARD)):
        Award.objects.create(
            tournament=tournament,
            entrant=seat_of(table, name).entrant,
            kind=kind,
            amount=1,
            reason="late",
        )

    assert [name for _, name in places(tournament)] == ["Juma", "Baraka", "Neema", "Asha"]
    assert rows(tournament)["Asha"].figures["points"] == 5


def rest(tournament: Tournament, name: str, in_round: Round | None = None) -> None:
    Award.objects.create(
        tournament=tournament,
        entrant=tournament.entrants.get(player__name=name),
        round=in_round,
        kind=AwardKind.RESTING,
        rule="average",
        reason="13 players",
    )


def test_resting_earns_ones_own_average_of_the_hands_missed() -> None:
    tournament = make.tournament(hands=8)
    table = make.sitting(*FOUR, at=tournament)
    give(seat_of(table, "Asha"), victory_points=5, hands=12)
    rest(tournament, "Asha", table.round)
    rest(tournament, "Neema", table.round)

    by_name = points(tournament)

    assert by_name["Asha"] == 5 + Fraction(5 * 8, 12)
    assert by_name["Neema"] == 0  # who has not played has no average


def test_resting_in_rounds_of_games_earns_ones_own_average_of_a_round() -> None:
    tournament = make.tournament("mambassa", "4i", games=1)
    table = make.sitting(*FOUR, at=tournament)
    give(seat_of(table, "Asha"), outlasted=5, hands=9)
    again = make.sitting(*FOUR, in_round=make.round_of(tournament, state=RoundState.CLOSED))
    give(seat_of(again, "Asha"), outlasted=2, hands=7)
    rest(tournament, "Asha", again.round)

    own = Fraction(7, 2)  # halves of a point are counted
    assert rows(tournament)["Asha"].figures["outlasted"] == own + own / 2


def test_an_award_of_an_undone_round_does_not_count() -> None:
    tournament = make.tournament(hands=8)
    table = make.sitting(*FOUR, at=tournament)
    give(seat_of(table, "Asha"), victory_points=4, hands=8)
    rest(tournament, "Asha", make.round_of(tournament, state=RoundState.UNDONE, number=2))

    assert points(tournament)["Asha"] == 4


def test_it_is_said_where_the_lowest_figure_is_best() -> None:
    tournament = make.tournament(
        "dalmuti", options={"dalmuti_points": "rank"}, tie_breaks=["dalmuti"]
    )

    assert standings(tournament).ranked_by == "Points (lowest first), then Dalmuti"


# Tables beside one another, of one size or of several


def finished(tournament: Tournament, *orders: list[Any]) -> Round:
    """Let one table after the other play a game each that ends like that, in one round."""
    round_ = make.round_of(tournament)
    for number, order in enumerate(orders, start=1):
        people = sum(len(place) if isinstance(place, list) else 1 for place in order)
        names = [f"{number}{letter}" for letter in "abcdefgh"[:people]]
        table = make.sitting(*names, in_round=round_, mode=f"{people}i", number=number)
        make.report(table, {"bare": order})
    Round.objects.filter(pk=round_.pk).update(state=RoundState.CLOSED)
    return round_


def shown(tournament: Tournament) -> list[tuple[str, str]]:
    """Return everybody's name with the points that decide, best first."""
    standing = standings(tournament)
    first = standing.criteria[0]
    return [
        (row.name, figure(row.figures[first.key], percent=first.percent)) for row in standing.rows
    ]


@pytest.mark.parametrize(
    ("ranked_by", "key"),
    [(RankedBy.GAME, "dalmuti"), (RankedBy.POINTS, "points"), (RankedBy.SHARE, "share")],
)
def test_a_tournament_ranks_by_what_was_chosen_whatever_its_tables_are(
    ranked_by: RankedBy, key: str
) -> None:
    tournament = make.tournament("dalmuti", "4i", ranked_by=ranked_by)
    finished(tournament, [3, 2, 1, 0])

    alone = standings(tournament).criteria
    finished(tournament, [3, 2, 1, 0], [0, 1, 2, 3])
    finished(tournament, [0, 1, 2], [3, 2, 1, 0])

    assert standings(tournament).criteria == alone
    assert alone[0].key == key


@pytest.mark.parametrize("game", ["dalmuti", "mambassa"])
def test_tables_of_different_sizes_compare_by_the_share_averaged(game: str) -> None:
    tournament = make.tournament(game, "4i", ranked_by=RankedBy.SHARE)
    finished(tournament, [1, 0, 2, 3], [2, 0, 1])
    finished(tournament, [0, 3, 1, 2], [2, 1, 0])

    with_shares = dict(shown(tournament))

    # The second of four has two of three behind, the second of three one of two.
    assert (with_shares["1a"], with_shares["2a"]) == (
        "83.3\N{NO-BREAK SPACE}%",
        "25.0\N{NO-BREAK SPACE}%",
    )
    assert rows(tournament)["1a"].figures["share"] == (Fraction(2, 3) + 1) / 2
    by_entrant = finishes([tournament])
    shares = {row.entrant: row.figures["share"] for row in rows(tournament).values()}
    assert {entrant: finish.points for entrant, finish in by_entrant.items()} == shares
    run = race(tournament)
    assert {runner.entrant.pk: runner.points[-1] for runner in run.runners} == shares


def test_out_together_is_half_a_player_outlasted() -> None:
    tournament = make.tournament("mambassa", "4i")
    finished(tournament, [1, [0, 2], 3], [3, 2, 1, 0])

    assert shown(tournament)[:4] == [("1b", "3"), ("2d", "3"), ("2c", "2"), ("1a", "1½")]


def test_a_penalty_of_a_share_is_so_many_in_a_hundred() -> None:
    tournament = make.tournament("dalmuti", "4i", ranked_by=RankedBy.SHARE)
    finished(tournament, [0, 1, 2, 3], [0, 1, 2])
    asha = rows(tournament)["1a"].entrant
    Award.objects.create(
        tournament=tournament, entrant_id=asha, kind=AwardKind.PENALTY, amount=5, reason="Late"
    )

    standing = standings(tournament)

    assert rows(tournament)["1a"].figures["share"] == Fraction(95, 100)
    assert [points for _, _, points in award_lines(standing, page_names(standing.people))] == [
        "-5.0\N{NO-BREAK SPACE}%"
    ]


# Head to head (pages of Briscola in fixed pairs)

PAIRS = {"A": ("Asha", "Juma"), "B": ("Neema", "Baraka"), "C": ("Ali", "Rehema")}


def match(tournament: Tournament, pair: str, other: str, *won: int) -> Sitting:
    """Let two pairs play deals that these sides win, in a round of their own."""
    (a, c), (b, d) = PAIRS[pair], PAIRS[other]
    table = make.sitting(a, b, c, d, in_round=make.round_of(tournament))
    for side in won:
        make.report(table, {"bare": side})
    Round.objects.filter(pk=table.round_id).update(state=RoundState.CLOSED)
    return table


def test_pairs_who_are_level_are_parted_by_what_they_won_of_each_other() -> None:
    tournament = make.tournament("briscola", "4t2", teams=True)
    match(tournament, "A", "C", 0, 0, 0)
    match(tournament, "B", "C", 1, 0, 0, 0)
    match(tournament, "A", "B", 1, 1, 0, 0, 1)
    last = match(tournament, "A", "C", 0, 0, 0)

    names = [row.name for row in standings(tournament).rows]
    then = [row.name for row in standings(tournament, upto=last.round).rows]

    # Both pairs have won two matches; of deals, Asha & Juma have won more.
    assert (
        rows(tournament)["Asha & Juma"].figures["won"]
        > rows(tournament)["Neema & Baraka"].figures["won"]
    )
    assert names == then == ["Neema & Baraka", "Asha & Juma", "Ali & Rehema"]
    assert [runner.name for runner in race(tournament).runners] == names
    table = StandingsTable(standings(tournament), tournament)
    told = [row.get_cell("figure_head_to_head") for row in table.rows]
    assert told == ["<mark>1</mark>", "<mark>0</mark>", ""]
    places = {row.entrant: row.place for row in standings(tournament).rows}
    assert {entrant: finish.place for entrant, finish in finishes([tournament]).items()} == places


def test_before_they_have_met_the_deals_decide() -> None:
    tournament = make.tournament("briscola", "4t2", teams=True)
    match(tournament, "B", "C", 1, 0, 0, 0)
    last = match(tournament, "A", "C", 0, 0, 0)
    match(tournament, "A", "B")  # laid, and nothing played yet

    standing = standings(tournament, upto=last.round)

    assert standing.ranked_by == "Matches, then Head to head, then Deals won, then Card points"
    assert places(tournament)[:2] == [("1=", "Asha & Juma"), ("1=", "Neema & Baraka")]


def test_a_share_needs_no_credit() -> None:
    tournament = make.tournament("dalmuti", tie_breaks=["share"])
    table = make.sitting(*FOUR, at=tournament)
    give(seat_of(table, "Asha"), share=SHARE, shares=2, hands=2)

    assert rows(tournament)["Asha"].figures["share"] == Fraction(1, 2)


def two_rounds(tournament: Tournament) -> tuple[Sitting, Sitting]:
    first = make.sitting(*FOUR, in_round=make.round_of(tournament, state=RoundState.CLOSED))
    give(seat_of(first, "Asha"), victory_points=3, hands=8, dealt=5, opened=1)
    second = make.sitting(*FOUR, in_round=make.round_of(tournament))
    give(seat_of(second, "Asha"), victory_points=2, hands=8, dealt=1)
    give(seat_of(second, "Neema"), victory_points=4, hands=8)
    return first, second


def test_after_a_round_only_what_was_played_until_then_counts() -> None:
    tournament = make.tournament(hands=8)
    first, _ = two_rounds(tournament)
    rest(tournament, "Asha")

    then = rows(tournament, first.round)

    assert (then["Asha"].figures["victory_points"], then["Asha"].hands) == (Fraction(3), 8)
    assert (then["Asha"].dealt, then["Asha"].opened) == (5, 1)
    assert then["Neema"].figures["victory_points"] == 0
    table = StandingsTable(standings(tournament, upto=first.round), tournament)
    assert "deals" not in [column.name for column in table.columns]


def test_after_the_last_round_is_as_now() -> None:
    tournament = make.tournament(hands=8)
    _, second = two_rounds(tournament)

    assert points(tournament, second.round) == points(tournament)


def test_what_was_on_the_wall_is_kept_beside_what_is_known_today() -> None:
    tournament = make.tournament(hands=8)
    first, second = two_rounds(tournament)
    first.round.published_standing = standing_to_publish(first.round)
    first.round.save()
    give(seat_of(first, "Juma"), victory_points=7)

    juma, asha = (rows(tournament, first.round)[name] for name in ("Juma", "Asha"))

    assert (juma.place, juma.figures["victory_points"]) == (1, Fraction(7))
    assert juma.published is not None
    assert asha.published is not None
    assert (juma.published.place, juma.published.tied, juma.published.points) == (
        2,
        True,
        Fraction(0),
    )
    assert (asha.published.place, asha.published.tied, asha.published.points) == (
        1,
        False,
        Fraction(3),
    )
    assert rows(tournament, second.round)["Asha"].published is None


def test_a_team_counts_once_what_its_two_seats_earned_together() -> None:
    tournament = make.tournament(teams=True, hands=8)
    table = make.sitting(*FOUR, at=tournament)
    for name, dealt in (("Asha", 2), ("Juma", 1)):
        give(seat_of(table, name), victory_points=5, hands=8, dealt=dealt)
    give_entrant(seat_of(table, "Asha").entrant, victory_points=5, hands=8, dealt=3)

    now, then = rows(tournament)["Asha & Juma"], rows(tournament, table.round)["Asha & Juma"]

    assert (now.figures["victory_points"], now.hands, now.dealt) == (Fraction(5), 8, 3)
    assert (then.figures["victory_points"], then.hands, then.dealt) == (Fraction(5), 8, 3)
    assert [(member.name, member.dealt) for member in now.members] == [("Asha", 2), ("Juma", 1)]


def test_a_substitute_adds_to_the_team_what_the_partner_at_the_table_has_already() -> None:
    tournament = make.tournament(teams=True, hands=8)
    table = make.sitting(*FOUR, at=tournament)
    asha, juma = seat_of(table, "Asha"), seat_of(table, "Juma")
    Seat.objects.filter(pk=juma.pk).update(to_hand=3)
    zuwena = Seat.objects.create(
        sitting=table,
        round=table.round,
        place=juma.place,
        side=juma.side,
        player=make.player("Zuwena", club=tournament.club),
        entrant=juma.entrant,
        from_hand=4,
    )
    give(asha, victory_points=5, hands=8, dealt=2)
    give(juma, victory_points=2, hands=3, dealt=1)
    give(zuwena, victory_points=3, hands=5, dealt=2)

    team = rows(tournament, table.round)["Asha & Juma"]

    assert (team.figures["victory_points"], team.hands, team.dealt) == (Fraction(5), 8, 5)
    assert [member.name for member in team.members] == ["Asha", "Zuwena", "Juma"]


def test_a_team_that_is_left_and_joined_again_is_counted_for_both_stays() -> None:
    tournament = make.tournament(teams=True, hands=8)
    table = make.sitting(*FOUR, at=tournament)
    asha, juma = seat_of(table, "Asha"), seat_of(table, "Juma")
    guests = make.entrant(
        make.team(
            make.player("Ali", club=tournament.club), make.player("Rehema", club=tournament.club)
        ),
        at=tournament,
    )
    Seat.objects.filter(pk=asha.pk).update(to_hand=3)
    Seat.objects.filter(pk=juma.pk).update(from_hand=4, entrant=juma.entrant)
    give(asha, victory_points=2, hands=3)
    give(juma, victory_points=4, hands=5)

    team = rows(tournament, table.round)["Asha & Juma"]

    assert (team.figures["victory_points"], team.hands) == (Fraction(6), 8)
    assert rows(tournament)[str(guests)].members == ()


def test_links_lead_to_the_latest_rounds_or_to_those_around_one() -> None:
    tournament = make.tournament()
    for _ in range(20):
        make.round_of(tournament, state=RoundState.CLOSED)

    latest = [round_.number for round_ in rounds_beside(tournament)]
    around = [round_.number for round_ in rounds_beside(tournament, 8)]

    assert latest == list(range(20, 8, -1))
    assert around == list(range(14, 2, -1))


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Fraction(4), "4"),
        (Fraction(0), "0"),
        (Fraction(-3, 2), "−1½"),
        (Fraction(-1), "−1"),
        (Fraction(10, 3), "3.33"),
    ],
)
def test_figures_are_written_as_people_write_them(value: Fraction, shown: str) -> None:
    assert figure(value) == shown


# The page -----------------------------------------------------------------------------------------


def cells(client: Client, url: str, name: str) -> dict[str, str]:
    """Return what the table of the page says of this entrant, by column."""
    table = client.get(url).context["table"]
    row = next(row for row in table.rows if row.record.name == name)
    return {str(column.header): str(cell) for column, cell in row.items()}


def linked(name: str) -> str:
    """Return a name with the way to its page, as the table writes it."""
    player = Player.objects.filter(name=name).first()
    path = (
        reverse("player", args=[player.pk])
        if player
        else reverse("team", args=[Team.objects.get(name=name).pk])
    )
    mark = person_mark(player.pk, name) if player else ""
    return f'{mark}<a href="{path}">{escape(name)}</a>'


def test_the_table_has_the_columns_of_its_game_and_of_the_dealers(client: Client) -> None:
    tournament = make.tournament(hands=8)
    table = make.sitting(*FOUR, at=tournament)
    make.report(table, {"eaten": [95, 25]})
    make.report(table, {"eaten": [101, 19]})

    asha = cells(client, tournament.get_absolute_url(), "Asha")

    assert asha == {
        "Place": "1=",
        "Player": linked("Asha"),
        "Victory points": "3",
        "Hands": "2",
        "Won": "2",
        "Two-point wins": "1",
        "Eaten": "81.7\N{NO-BREAK SPACE}%",
        "Dealt first": "1",
        "Dealt": "1",
        "Deals": '<span class="dealer-badge">deals, table 1</span>',
    }


def test_below_the_table_stands_what_its_short_headings_mean(client: Client) -> None:
    tournament = make.tournament(hands=8)
    make.report(make.sitting(*FOUR, at=tournament), {"eaten": [95, 25]})

    _, below = client.get(tournament.get_absolute_url()).text.split("</table>", 1)

    assert (
        "<p>Eaten: share of the card points"
        " · Dealt first: at how many tables they dealt the first hand</p>"
    ) in unescape(below)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("Friday Cup", "Albastini · four in two pairs · round 1 on now provisional"),
        ("Albastini, 20 November", "four in two pairs · round 1 on now provisional"),
    ],
)
def test_the_game_is_said_once(client: Client, name: str, says: str) -> None:
    tournament = make.tournament(name=name)
    make.sitting(*FOUR, at=tournament)

    page = client.get(tournament.get_absolute_url()).text

    (where,) = re.findall('<p class="where">(.*?)</p>', page, re.DOTALL)
    assert " ".join(re.sub("<[^>]+>", " ", where).split()) == says


def test_the_table_tells_whose_turn_it_is_in_a_team(client: Client) -> None:
    tournament = make.tournament(hands=8, teams=True)
    make.report(make.sitting(*FOUR, at=tournament), {"eaten": [70, 50]})

    url = tournament.get_absolute_url()

    assert cells(client, url, "Asha & Juma")["Dealt"] == "Asha 1, Juma 0; Asha’s turn"
    assert cells(client, url, "Neema & Baraka")["Team"] == linked("Neema & Baraka")
    assert cells(client, url, "Neema & Baraka")["Deals"] == "next if they win"


def test_between_rounds_it_is_nobodys_turn(client: Client) -> None:
    tournament = make.tournament(hands=1, teams=True)
    table = make.sitting(*FOUR, at=tournament)
    make.report(table, {"eaten": [70, 50]})
    Round.objects.filter(pk=table.round_id).update(state=RoundState.CLOSED)

    pair = cells(client, tournament.get_absolute_url(), "Asha & Juma")

    assert pair["Dealt"] == "Asha 1, Juma 0"
    assert "Deals" not in pair


@pytest.mark.parametrize(
    ("game", "deals"),
    [("briscola", "next, table 1"), ("mambassa", "next, table 1"), ("dalmuti", None)],
)
def test_other_games_tell_the_coming_dealer_in_their_way(
    client: Client, game: str, deals: str | None
) -> None:
    tournament = make.tournament(game)
    make.sitting(*FOUR, at=tournament)

    neema = cells(client, tournament.get_absolute_url(), "Neema")

    assert neema.get("Deals") == deals
    assert ("Played" in neema) is ("Games" not in neema)  # no two columns of one name


def test_who_may_deal_after_others_win_is_perhaps_next() -> None:
    tournament = make.tournament()
    make.sitting(*FOUR, at=tournament)
    asha = next(row for row in standings(tournament).rows if row.name == "Asha")
    deals = {asha.entrant: Deals(when=DealsWhen.PERHAPS, table=1, turn=None)}
    tables = read_open_tables(tournament=tournament.pk)
    dealers = replace(dealers_now(tables), of_entrant=deals)
    table = StandingsTable(standings(tournament), tournament, dealers=dealers)

    assert [row.get_cell("deals") for row in table.rows] == ["perhaps next", "–", "–", "–"]


def test_before_the_first_hand_one_line_says_so_and_leads_on(client: Client) -> None:
    tournament = make.tournament()
    make.sitting(*FOUR, at=tournament)

    page = client.get(tournament.get_absolute_url())

    assertContains(page, "No results yet.")
    assertContains(page, reverse("my-table", args=[tournament.club_id]))
    assertNotContains(page, "Ranked by")
    assertNotContains(page, '<table role="table"')


def test_the_leader_the_tied_and_who_withdrew_are_marked(client: Client) -> None:
    tournament = make.tournament(hands=8)
    make.report(make.sitting(*FOUR, at=tournament), {"eaten": [70, 50]})
    Entrant.objects.filter(player__name="Neema").update(withdrawn_at=NOON)

    page = client.get(tournament.get_absolute_url())

    table = page.context["table"]
    marked = [table.row_class(row.record) for row in table.rows]
    assert marked == ["leader tied", "leader tied", "tied", "tied"]
    assert cells(client, tournament.get_absolute_url(), "Neema")["Player"] == (
        f'{linked("Neema")} <span class="pill">withdrew</span>'
    )
    assert "Ranked by Victory points, then Won, then Two-point wins, then Eaten." in page.text


def test_what_parts_equals_is_beside_their_points_on_every_page(client: Client) -> None:
    tournament = make.tournament("briscola", "4t2", official_at=NOON)
    table = make.sitting(*FOUR, at=tournament)
    for name, won, taken in zip(FOUR, (1, 1, 0, 0), (70, 64, 56, 56), strict=True):
        give(seat_of(table, name), hands=1, won=won, points=taken)
    night = make.night(tournament.club, ended_at=NOON)
    Round.objects.update(night=night, state=RoundState.CLOSED, closed_at=NOON)
    client.force_login(make.user(role=Role.ORGANISER, club=tournament.club))

    standing = client.get(tournament.get_absolute_url())
    others = [
        client.get(address).text
        for address in (
            reverse("prizes", args=[tournament.pk]),
            reverse("night", args=[night.pk]),
            reverse("print-results", args=[night.pk]),
            reverse("tournament-display", args=[tournament.pk]),
        )
    ]

    assert re.findall("<mark>(.*?)</mark>", standing.text) == ["70", "64"]
    assertContains(standing, "Marked: what decided between equal points.")
    said = [re.findall(r"<small>\(?([^<(]* points)\)?</small>", page) for page in others]
    assert said == [["70 card points", "64 card points"]] * 4
    # What nobody has is in the file alone.
    heads = [head.header for head in standing.context["table"].heads]
    assert heads == [
        "Place",
        "Player",
        "Points",
        "Played",
        "Deals won",
        "Card points",
        "Dealt first",
        "Dealt",
    ]
    assertContains(client.get(tournament.get_absolute_url() + "?_export=csv"), "Matches")


def with_a_rest(*, hands: int) -> tuple[Tournament, Sitting]:
    """Return a tournament in which so many of 8 hands are in, and Asha is credited for a rest."""
    tournament = make.tournament(hands=8)
    table = make.sitting(*FOUR, at=tournament)
    for _ in range(hands):
        make.report(table, {"eaten": [70, 50]})
    rest(tournament, "Asha", table.round)
    return tournament, table


def test_who_sat_out_is_told_what_it_gave(client: Client) -> None:
    tournament, _table = with_a_rest(hands=2)
    Award.objects.update(reason="Rested")

    assert cells(client, tournament.get_absolute_url(), "Asha")["Sitting out"] == "2"
    assert cells(client, tournament.get_absolute_url(), "Neema")["Sitting out"] == "–"


def test_without_anybody_the_page_says_so_and_leads_the_organiser_on(client: Client) -> None:
    tournament = make.tournament()
    everybody = client.get(tournament.get_absolute_url()).text
    client.force_login(make.user(role=Role.ORGANISER, club=tournament.club))
    organiser = client.get(tournament.get_absolute_url()).text

    assert "No results yet." in everybody
    assert "Seat the players" not in everybody
    assert "Seat the players" in organiser
    assert reverse("desk", args=[tournament.pk]) in organiser


@pytest.mark.parametrize(
    ("when", "label"),
    [
        ({}, "provisional"),
        ({"provisional_until": NOON + timedelta(hours=10)}, "provisional until 22:00"),
        ({"provisional_until": NOON, "official_at": NOON}, "official"),
    ],
)
def test_the_page_says_how_settled_the_standing_is(
    client: Client, when: dict[str, Any], label: str
) -> None:
    tournament = make.tournament(**when)

    assert f">{label}" in client.get(tournament.get_absolute_url()).text


def test_what_was_awarded_is_told_with_its_reason(client: Client) -> None:
    tournament, table = with_a_rest(hands=8)
    Award.objects.create(
        tournament=tournament,
        entrant=seat_of(table, "Neema").entrant,
        kind=AwardKind.PENALTY,
        amount=2,
        reason="came late",
    )

    page = client.get(tournament.get_absolute_url())

    assert page.context["awards"] == [
        ("Asha", "Sat out, round 1: 13 players: own average of 1 round", "+8 victory points"),
        ("Neema", "Penalty: came late", "−2 victory points"),
    ]
    assert "came late" in page.text


def test_each_round_has_its_standing(client: Client) -> None:
    tournament = make.tournament(hands=8)
    first, _ = two_rounds(tournament)
    first.round.published_standing = standing_to_publish(first.round)
    first.round.save()
    url = tournament.get_absolute_url()

    now, then = client.get(url).text, client.get(f"{url}?round=1").text

    assert f'href="{url}?round=1"' in now
    assert "round 2 on now" in now
    assert "Standings after round 1" in then
    assert "Dealers now" not in then
    assert "“As it was announced” is what was shown when the round closed." in then
    assert cells(client, f"{url}?round=1", "Asha")["As it was announced"] == "place 1, with 3"


@pytest.mark.parametrize("asked", ["3", "two", "-1", "99999999999999999999", "²"])
def test_a_round_that_is_none_is_not_found(client: Client, asked: str) -> None:
    tournament = make.tournament(hands=8)
    two_rounds(tournament)

    assert client.get(f"{tournament.get_absolute_url()}?round={asked}").status_code == 404


@pytest.mark.parametrize("hands", [10, 60])
def test_forty_players_cost_the_same_after_any_number_of_hands(
    client: Client, hands: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    tournament = make.tournament()
    tables = [make.sitting(at=tournament) for _ in range(10)]
    for table in tables * (hands // 10):
        make.report(table, {"eaten": [70, 50]})

    with django_assert_num_queries(8):
        page = client.get(tournament.get_absolute_url())

    assert [row.record.hands for row in page.context["table"].rows] == [hands // 10] * 40


@pytest.mark.parametrize("tables", [1, 3])
def test_standings_cost_the_same_however_many_play(
    client: Client, tables: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    tournament = make.tournament()
    for _ in range(tables):
        make.sitting(at=tournament)

    # The revision, the tournament, its tables, sums, awards, entrants, stages, rounds.
    with django_assert_num_queries(8):
        page = client.get(tournament.get_absolute_url())

    assert len(page.context["table"].rows) == 4 * tables


def test_an_average_costs_one_question_more_whatever_else_was_given(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    tournament = make.tournament()
    make.report(make.sitting(*FOUR, at=tournament), {"eaten": [70, 50]})
    asha = Entrant.objects.get(tournament=tournament, player__name="Asha")
    for kind, amount in ((AwardKind.BYE, None), (AwardKind.PENALTY, 3)):
        give_award(
            tournament_id=tournament.pk, entrant_id=asha.pk, kind=kind, amount=amount,
            reason="Late", by=make.actor(),
        )  # fmt: skip

    with django_assert_num_queries(4):  # sums, awards, what the average goes by, entrants
        standing = standings(tournament)

    [row] = [row for row in standing.rows if row.name == "Asha"]
    assert row.figures["victory_points"] == 1 + 1 - 3


def test_rounds_of_a_team_add_up_however_its_people_took_turns() -> None:
    """Seats taken over at different hands: every hand still counts once for the team."""
    tournament = make.tournament(teams=True, hands=8)
    sitting = make.sitting(*FOUR, at=tournament)
    taken_over = ((2, 2), (3, 0), (4, 2), (5, 0))  # after which hand, and which place
    for number in range(1, 8):
        make.report(sitting, {"eaten": [70, 50]})
        for place in [place for after, place in taken_over if after == number]:
            seat = sitting.seats.get(place=place, to_hand=None)
            other = make.player(f"Guest {number}", club=tournament.club)
            substitute(seat_id=seat.pk, player_id=other.pk, by=make.actor())

    whole = {entrant: +own for entrant, own in sums_by_entrant(tournament).items()}

    assert {entrant: own["hands"] for entrant, own in whole.items()} == dict.fromkeys(whole, 7)
    assert {entrant: +own for entrant, own in sums_upto(tournament, 1).items()} == whole
    assert {
        entrant: +own for entrant, own in sums_by_round([tournament])[tournament.pk][1].items()
    } == whole
    [(_, at_table)] = sums_by_table([tournament], {"won", "victory_points"})[tournament.pk]
    assert {entrant: own["won"] for entrant, own in at_table.items()} == {
        entrant: own["won"] for entrant, own in whole.items()
    }
