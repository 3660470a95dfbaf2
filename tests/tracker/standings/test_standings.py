"""The standings: from what is kept of every hand, at a cost that hands do not raise."""

import re
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from html import unescape
from typing import Any

import pytest
from django.db.models import Q
from django.test import Client
from django.utils.html import escape

from games.dalmuti.scoring import SHARE
from tests import act, make
from tests.make import NOON
from tests.reading import costs, lacks, path, shows, words
from tests.tracker.standings.tables import FOUR, eaten, entrant, over, play, played, takes_over
from tracker.common.figures import figure, placing
from tracker.common.names import page_names
from tracker.common.template_tags import person_mark
from tracker.models import (
    AwardKind,
    Entrant,
    RankedBy,
    Role,
    Round,
    RoundState,
    Seat,
    SeatTally,
    Sitting,
    Tally,
    Tournament,
)
from tracker.seating.services.seat_swaps import substitute
from tracker.standings.columns import StandingsTable
from tracker.standings.pages.standings import award_lines, rounds_beside
from tracker.standings.queries.final_rankings import finishes
from tracker.standings.queries.points_by_round import race
from tracker.standings.queries.standings import StandingRow, standing_to_publish, standings
from tracker.standings.queries.sums import (
    sums_by_entrant,
    sums_by_round,
    sums_upto,
)
from tracker.standings.services.standings import give_award
from tracker.tables.next_dealer import DealsWhen
from tracker.tables.sql import read_open_tables
from tracker.tables.table_now import Deals, dealers_now

pytestmark = pytest.mark.django_db

PERCENT = "\N{NO-BREAK SPACE}%"


def give(seat: Seat, **marks: int) -> None:
    """Keep these marks of a seat, as hands would have left them; a team's are given apart."""
    for key, amount in marks.items():
        tally, _ = SeatTally.objects.get_or_create(seat=seat, key=key, defaults={"amount": 0})
        tally.amount += amount
        tally.save()
    if seat.entrant.player_id:
        give_entrant(seat.entrant, **marks)


def give_entrant(entrant: Entrant, **marks: int) -> None:
    for key, amount in marks.items():
        tally, _ = Tally.objects.get_or_create(entrant=entrant, key=key, defaults={"amount": 0})
        tally.amount += amount
        tally.save()


def seat_of(sitting: Sitting, name: str) -> Seat:
    return sitting.seats.select_related("entrant").get(player__name=name)


def given(tournament: Tournament, **of: dict[str, int]) -> Sitting:
    """Seat a table of four in the round that is open, and keep marks of these of them."""
    table = make.sitting(*FOUR, at=tournament)
    for name, marks in of.items():
        give(seat_of(table, name), **marks)
    return table


def all_alike(tournament: Tournament, **marks: int) -> Sitting:
    return given(tournament, **dict.fromkeys(FOUR, marks))


def rows(tournament: Tournament, upto: Round | None = None) -> dict[str, StandingRow]:
    return {row.name: row for row in standings(tournament, upto=upto).rows}


def points(tournament: Tournament, upto: Round | None = None) -> dict[str, Fraction]:
    return {name: row.figures["victory_points"] for name, row in rows(tournament, upto).items()}


def places(tournament: Tournament) -> list[str]:
    return [f"{placing(row.place, tied=row.tied)} {row.name}" for row in standings(tournament).rows]


# What ranks ---------------------------------------------------------------------------------------


def test_points_rank_and_hands_won_or_the_tie_breaks_chosen_part_equals() -> None:
    four = {
        "Asha": {"victory_points": 4, "won": 3, "twos": 0},
        "Neema": {"victory_points": 4, "won": 4, "twos": 0},
        "Juma": {"victory_points": 6, "won": 5, "twos": 0},
        "Baraka": {"victory_points": 4, "won": 3, "twos": 0},
    }
    usual, chosen = make.tournament(), make.tournament(tie_breaks=["twos"])
    given(usual, **four)
    given(chosen, **{**four, "Asha": {"victory_points": 4, "won": 2, "twos": 2}})

    assert places(usual) == ["1 Juma", "2 Neema", "3= Asha", "3= Baraka"]
    assert places(chosen) == ["1 Juma", "2 Asha", "3= Baraka", "3= Neema"]


def test_everybody_entered_is_shown_and_who_withdrew_is_marked() -> None:
    tournament = make.tournament()
    make.sitting(*FOUR, at=tournament)
    act.enter(tournament, "Zuwena")
    tournament.entrants.filter(player__name="Zuwena").update(withdrawn_at=NOON)
    by_name = rows(tournament)

    assert sorted(by_name) == [*sorted(FOUR), "Zuwena"]
    assert {name for name, row in by_name.items() if row.withdrawn} == {"Zuwena"}
    assert {row.hands for row in by_name.values()} == {0}


def test_changing_partners_are_ranked_by_deals_in_briscola_and_fixed_pairs_by_matches() -> None:
    tournament, pairs = (make.tournament("briscola", "4t2", teams=each) for each in (False, True))
    given(tournament, Asha={"won": 1, "drawn": 1, "matches": 0})
    make.sitting(*FOUR, at=pairs)
    standing = standings(tournament)

    assert [criterion.key for criterion in standing.criteria] == ["score", "points"]
    assert standing.columns[0].key == "score"
    assert standing.rows[0].figures["score"] == Fraction(3, 2)
    assert standings(pairs).criteria[0].key == "matches"


# Awards and rests ---------------------------------------------------------------------------------


def test_penalties_take_and_prizes_give_and_withdrawn_ones_do_neither() -> None:
    tournament = make.tournament()
    all_alike(tournament, victory_points=5, hands=8)
    for name, kind, amount, withdrawn_at in (
        ("Asha", AwardKind.PENALTY, 2, None),
        ("Neema", AwardKind.PENALTY, -2, None),
        ("Juma", AwardKind.AWARD, 1, None),
        ("Baraka", AwardKind.AWARD, 9, NOON),
        ("Baraka", AwardKind.FORFEIT, 1, None),
    ):
        make.award(entrant(tournament, name), amount, kind, withdrawn_at=withdrawn_at)

    assert points(tournament) == {"Asha": 3, "Neema": 3, "Juma": 6, "Baraka": 6}


def test_a_penalty_harms_also_where_the_fewest_is_best() -> None:
    rank = {"dalmuti_points": "rank"}
    tournament = make.tournament("dalmuti", options=rank, tie_breaks=["dalmuti"])
    all_alike(tournament, points=4, hands=3)
    for name, kind in (("Asha", AwardKind.PENALTY), ("Juma", AwardKind.AWARD)):
        make.award(entrant(tournament, name), 1, kind)

    assert standings(tournament).ranked_by == "Points (lowest first), then Dalmuti"
    assert places(tournament) == ["1 Juma", "2= Baraka", "2= Neema", "4 Asha"]
    assert rows(tournament)["Asha"].figures["points"] == 5


def test_resting_earns_ones_own_average_of_the_hands_missed_in_a_round_that_counts() -> None:
    tournament = make.tournament(hands=8)
    table = given(tournament, Asha={"victory_points": 5, "hands": 12})
    undone = make.round_of(tournament, state=RoundState.UNDONE, number=2)
    for name, round_ in (("Asha", table.round), ("Neema", table.round), ("Asha", undone)):
        make.award(entrant(tournament, name), round=round_)
    by_name = points(tournament)

    assert by_name["Asha"] == 5 + Fraction(5 * 8, 12)
    assert by_name["Neema"] == 0  # who has not played has no average


def test_resting_in_rounds_of_games_earns_ones_own_average_of_a_round() -> None:
    tournament = make.tournament("mambassa", "4i", games=1)
    given(tournament, Asha={"outlasted": 5, "hands": 9})
    again = make.sitting(*FOUR, in_round=make.round_of(tournament, state=RoundState.CLOSED))
    give(seat_of(again, "Asha"), outlasted=2, hands=7)
    make.award(entrant(tournament, "Asha"), round=again.round)

    own = Fraction(7, 2)  # halves of a point are counted
    asha = rows(tournament)["Asha"]
    assert asha.figures["outlasted"] == own + own / 2
    assert finishes([tournament])[asha.entrant].points == own + own / 2


def test_a_share_needs_no_credit() -> None:
    tournament = make.tournament("dalmuti", tie_breaks=["share"])
    given(tournament, Asha={"share": SHARE, "shares": 2, "hands": 2})
    assert rows(tournament)["Asha"].figures["share"] == Fraction(1, 2)


def test_an_average_costs_one_question_more_whatever_else_was_given() -> None:
    tournament = make.tournament()
    played(tournament, *eaten(70))
    for kind, amount in ((AwardKind.BYE, None), (AwardKind.PENALTY, 3)):
        give_award(
            tournament_id=tournament.pk,
            entrant_id=entrant(tournament, "Asha").pk,
            kind=kind,
            amount=amount,
            reason="Late",
            by=make.actor(),
        )
    with costs(4):  # sums, awards, what the average goes by, entrants
        standing = standings(tournament)

    [row] = [row for row in standing.rows if row.name == "Asha"]
    assert row.figures["victory_points"] == 1 + 1 - 3


# Tables beside one another, of one size or of several ---------------------------------------------


def finished(tournament: Tournament, *orders: list[Any]) -> None:
    """Let one table after the other play a game each that ends like that, in one round."""
    round_ = make.round_of(tournament)
    for number, order in enumerate(orders, start=1):
        people = sum(len(place) if isinstance(place, list) else 1 for place in order)
        names = [f"{number}{letter}" for letter in "abcdefgh"[:people]]
        table = make.sitting(*names, in_round=round_, mode=f"{people}i", number=number)
        make.report(table, {"bare": order})
    over(tournament)


def figures_shown(tournament: Tournament) -> list[tuple[str, str]]:
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
def test_a_tournament_ranks_by_what_was_chosen_at_any_tables(ranked_by: RankedBy, key: str) -> None:
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
    with_shares = dict(figures_shown(tournament))

    # The second of four has two of three behind, the second of three one of two.
    assert (with_shares["1a"], with_shares["2a"]) == (f"83.3{PERCENT}", f"25.0{PERCENT}")
    shares = {row.entrant: row.figures["share"] for row in rows(tournament).values()}
    assert rows(tournament)["1a"].figures["share"] == (Fraction(2, 3) + 1) / 2
    by_entrant = finishes([tournament])
    assert {entrant: finish.points for entrant, finish in by_entrant.items()} == shares
    runners = race(tournament).runners
    assert {runner.entrant.pk: runner.points[-1] for runner in runners} == shares


def test_out_together_is_half_a_player_outlasted() -> None:
    tournament = make.tournament("mambassa", "4i")
    finished(tournament, [1, [0, 2], 3], [3, 2, 1, 0])
    best = [("1b", "3"), ("2d", "3"), ("2c", "2"), ("1a", "1½")]
    assert figures_shown(tournament)[:4] == best


def test_a_penalty_of_a_share_is_so_many_in_a_hundred() -> None:
    tournament = make.tournament("dalmuti", "4i", ranked_by=RankedBy.SHARE)
    finished(tournament, [0, 1, 2, 3], [0, 1, 2])
    make.award(entrant(tournament, "1a"), 5, AwardKind.PENALTY)
    standing = standings(tournament)

    assert rows(tournament)["1a"].figures["share"] == Fraction(95, 100)
    [(_, _, taken)] = award_lines(standing, page_names(standing.people))
    assert taken == f"-5.0{PERCENT}"


# Head to head (pages of Briscola in fixed pairs) --------------------------------------------------

PAIRS = {"A": ("Asha", "Juma"), "B": ("Neema", "Baraka"), "C": ("Ali", "Rehema")}


def match(tournament: Tournament, pair: str, other: str, *won: int) -> Sitting:
    """Let two pairs play deals that these sides win, in a round of their own."""
    (a, c), (b, d) = PAIRS[pair], PAIRS[other]
    table = make.sitting(a, b, c, d, in_round=make.round_of(tournament))
    play(table, *({"bare": side} for side in won))
    over(tournament)
    return table


def test_pairs_who_are_level_are_parted_by_what_they_won_of_each_other() -> None:
    tournament = make.tournament("briscola", "4t2", teams=True)
    match(tournament, "A", "C", 0, 0, 0)
    match(tournament, "B", "C", 1, 0, 0, 0)
    match(tournament, "A", "B", 1, 1, 0, 0, 1)
    last = match(tournament, "A", "C", 0, 0, 0)
    standing, by_name = standings(tournament), rows(tournament)

    # Both pairs have won two matches; of deals, Asha & Juma have won more.
    won = [by_name[name].figures["won"] for name in ("Asha & Juma", "Neema & Baraka")]
    assert won[0] > won[1]
    assert [*by_name] == ["Neema & Baraka", "Asha & Juma", "Ali & Rehema"]
    assert [*rows(tournament, last.round)] == [*by_name]
    assert [runner.name for runner in race(tournament).runners] == [*by_name]
    told = [
        row.get_cell("figure_head_to_head") for row in StandingsTable(standing, tournament).rows
    ]
    assert told == ["<mark>1</mark>", "<mark>0</mark>", ""]
    assert {entrant: finish.place for entrant, finish in finishes([tournament]).items()} == {
        row.entrant: row.place for row in standing.rows
    }


def test_before_they_have_met_the_deals_decide() -> None:
    tournament = make.tournament("briscola", "4t2", teams=True)
    match(tournament, "B", "C", 1, 0, 0, 0)
    last = match(tournament, "A", "C", 0, 0, 0)
    match(tournament, "A", "B")  # laid, and nothing played yet
    standing = standings(tournament, upto=last.round)

    assert standing.ranked_by == "Matches, then Direct encounter, then Deals won, then Card points"
    assert places(tournament)[:2] == ["1= Asha & Juma", "1= Neema & Baraka"]


# After a round ------------------------------------------------------------------------------------


def two_rounds(tournament: Tournament) -> tuple[Sitting, Sitting]:
    first = make.sitting(*FOUR, in_round=make.round_of(tournament, state=RoundState.CLOSED))
    give(seat_of(first, "Asha"), victory_points=3, hands=8, dealt=5, opened=1)
    marks = {"victory_points": 2, "hands": 8, "dealt": 1}
    return first, given(tournament, Asha=marks, Neema={"victory_points": 4, "hands": 8})


def publish(round_: Round) -> None:
    round_.published_standing = standing_to_publish(round_)
    round_.save()


def test_after_a_round_only_what_was_played_until_then_counts() -> None:
    tournament = make.tournament(hands=8)
    first, second = two_rounds(tournament)
    assert points(tournament, second.round) == points(tournament)  # after the last one, as now
    make.award(entrant(tournament, "Asha"))
    then = rows(tournament, first.round)

    assert (then["Asha"].figures["victory_points"], then["Asha"].hands) == (Fraction(3), 8)
    assert (then["Asha"].dealt, then["Asha"].opened) == (5, 1)
    assert then["Neema"].figures["victory_points"] == 0
    table = StandingsTable(standings(tournament, upto=first.round), tournament)
    assert "deals" not in [column.name for column in table.columns]


def test_what_was_on_the_wall_is_kept_beside_what_is_known_today() -> None:
    tournament = make.tournament(hands=8)
    first, second = two_rounds(tournament)
    publish(first.round)
    give(seat_of(first, "Juma"), victory_points=7)
    then = rows(tournament, first.round)

    assert (then["Juma"].place, then["Juma"].figures["victory_points"]) == (1, Fraction(7))
    published = {name: then[name].published for name in ("Juma", "Asha")}
    assert {
        name: each and (each.place, each.tied, each.points) for name, each in published.items()
    } == {"Juma": (2, True, Fraction(0)), "Asha": (1, False, Fraction(3))}
    assert rows(tournament, second.round)["Asha"].published is None


def test_links_lead_to_the_latest_rounds_or_to_those_around_one() -> None:
    tournament = make.tournament()
    for _ in range(20):
        make.round_of(tournament, state=RoundState.CLOSED)
    latest, around = rounds_beside(tournament), rounds_beside(tournament, 8)

    assert [round_.number for round_ in latest] == list(range(20, 8, -1))
    assert [round_.number for round_ in around] == list(range(14, 2, -1))


# Teams --------------------------------------------------------------------------------------------


@pytest.fixture
def pairs() -> Tournament:
    return make.tournament(teams=True, hands=8)


def test_a_team_counts_once_what_its_two_seats_earned_together(pairs: Tournament) -> None:
    marks = {"victory_points": 5, "hands": 8}
    table = given(pairs, Asha={**marks, "dealt": 2}, Juma={**marks, "dealt": 1})
    give_entrant(seat_of(table, "Asha").entrant, **marks, dealt=3)
    now, then = (rows(pairs, upto)["Asha & Juma"] for upto in (None, table.round))

    for team in (now, then):
        assert (team.figures["victory_points"], team.hands, team.dealt) == (Fraction(5), 8, 3)
    assert [(member.name, member.dealt) for member in now.members] == [("Asha", 2), ("Juma", 1)]


def test_a_substitute_adds_to_the_team_what_the_partner_has(pairs: Tournament) -> None:
    table = given(
        pairs,
        Asha={"victory_points": 5, "hands": 8, "dealt": 2},
        Juma={"victory_points": 2, "hands": 3, "dealt": 1},
    )
    give(takes_over(table, "Juma", "Zuwena", after=3), victory_points=3, hands=5, dealt=2)
    team = rows(pairs, table.round)["Asha & Juma"]

    assert (team.figures["victory_points"], team.hands, team.dealt) == (Fraction(5), 8, 5)
    assert [member.name for member in team.members] == ["Asha", "Zuwena", "Juma"]


def test_a_team_that_is_left_and_joined_again_is_counted_for_both_stays(pairs: Tournament) -> None:
    table = given(
        pairs, Asha={"victory_points": 2, "hands": 3}, Juma={"victory_points": 4, "hands": 5}
    )
    people = (make.player(name, club=pairs.club) for name in ("Ali", "Rehema"))
    guests = make.entrant(make.team(*people), at=pairs)
    table.seats.filter(player__name="Asha").update(to_hand=3)
    table.seats.filter(player__name="Juma").update(from_hand=4)
    team = rows(pairs, table.round)["Asha & Juma"]

    assert (team.figures["victory_points"], team.hands) == (Fraction(6), 8)
    assert rows(pairs)[str(guests)].members == ()


def test_rounds_of_a_team_add_up_however_its_people_took_turns(pairs: Tournament) -> None:
    """Seats taken over at different hands: every hand still counts once for the team."""
    sitting = make.sitting(*FOUR, at=pairs)
    taken_over = {2: 2, 3: 0, 4: 2, 5: 0}  # after which hand, and which place
    for number in range(1, 8):
        make.report(sitting, {"eaten": [70, 50]})
        if number in taken_over:
            seat = sitting.seats.get(place=taken_over[number], to_hand=None)
            other = make.player(f"Guest {number}", club=pairs.club)
            substitute(seat_id=seat.pk, player_id=other.pk, by=make.actor())
    whole = {entrant: +own for entrant, own in sums_by_entrant(pairs).items()}

    assert {entrant: own["hands"] for entrant, own in whole.items()} == dict.fromkeys(whole, 7)
    assert {entrant: +own for entrant, own in sums_upto(pairs, 1).items()} == whole
    by_round = sums_by_round([pairs])[pairs.pk][1]
    assert {entrant: +own for entrant, own in by_round.items()} == whole


# The page -----------------------------------------------------------------------------------------


def cells(client: Client, url: str, name: str) -> dict[str, str]:
    """Return what the table of the page says of this entrant, by column."""
    table = client.get(url).context["table"]
    row = next(row for row in table.rows if row.record.name == name)
    return {str(column.header): str(cell) for column, cell in row.items()}


def linked(name: str, shown: str = "") -> str:
    """Return a name, or what is *shown* for it, with the way to the entrant's page."""
    entrant = Entrant.objects.get(Q(player__name=name) | Q(team__name=name))
    mark = person_mark(entrant.player_id, name) if not shown else ""
    url = path("entrant", entrant.tournament, entrant)
    return f'{mark}<a href="{url}">{escape(shown or name)}</a>'


def placed(text: str) -> str:
    """Return what the table writes in small beside a name: what gave the place."""
    return f' <small class="placed">{text}</small>'


@pytest.mark.parametrize(
    ("value", "shown"), [("4", "4"), ("0", "0"), ("-3/2", "−1½"), ("-1", "−1"), ("10/3", "3.33")]
)
def test_figures_are_written_as_people_write_them(value: str, shown: str) -> None:
    assert figure(Fraction(value)) == shown


def test_the_table_has_the_columns_of_its_game_and_of_dealers(client: Client) -> None:
    tournament = make.tournament(hands=8)
    played(tournament, *eaten(95, 101))
    url = tournament.get_absolute_url()

    assert cells(client, url, "Asha") == {
        "Place": linked("Asha", "1="),
        "Player": linked("Asha") + placed("by points"),
        "Victory points": "3",
        "Hands": "2",
        "Won": "2",
        "Two-point wins": "1",
        "Eaten": f"81.7{PERCENT}",
        "Dealt first": "1",
        "Dealt": "1",
        "Deals": '<span class="dealer-badge">deals, table 1</span>',
    }
    _, below = unescape(client.get(url).text).split("</table>", 1)
    means = "Eaten: share of the card points · Dealt first: at how many tables they dealt the first"
    assert f"<p>{means} hand</p>" in below


@pytest.mark.parametrize(
    ("name", "says"), [("Friday Cup", "Albastini · "), ("Albastini, 20 November", "")]
)
def test_the_game_is_said_once(client: Client, name: str, says: str) -> None:
    tournament = make.tournament(name=name)
    make.sitting(*FOUR, at=tournament)
    page = client.get(tournament.get_absolute_url()).text

    (where,) = re.findall('<p class="where">(.*?)</p>', page, re.DOTALL)
    assert words(where) == f"{says}four in two pairs · round 1 on now provisional"


def test_the_table_tells_whose_turn_it_is_in_a_team(client: Client, pairs: Tournament) -> None:
    played(pairs, *eaten(70))
    url = pairs.get_absolute_url()
    ours, theirs = (cells(client, url, name) for name in ("Asha & Juma", "Neema & Baraka"))
    over(pairs)
    after = cells(client, url, "Asha & Juma")

    assert ours["Dealt"] == "Asha 1, Juma 0; Asha’s turn"
    assert (theirs["Team"], theirs["Deals"]) == (
        linked("Neema & Baraka") + placed("by points"),
        "next if they win",
    )
    assert (after["Dealt"], after.get("Deals")) == ("Asha 1, Juma 0", None)


@pytest.mark.parametrize(
    ("game", "deals"),
    [("briscola", "next, table 1"), ("mambassa", "next, table 1"), ("dalmuti", None)],
)
def test_other_games_tell_the_coming_dealer(client: Client, game: str, deals: str | None) -> None:
    tournament = make.tournament(game)
    make.sitting(*FOUR, at=tournament)
    neema = cells(client, tournament.get_absolute_url(), "Neema")

    assert neema.get("Deals") == deals
    assert ("Played" in neema) is ("Games" not in neema)  # no two columns of one name


def test_who_may_deal_after_others_win_is_perhaps_next() -> None:
    tournament = make.tournament()
    make.sitting(*FOUR, at=tournament)
    perhaps = Deals(when=DealsWhen.PERHAPS, table=1, turn=None)
    dealers = dealers_now(read_open_tables(tournament=tournament.pk))
    dealers = replace(dealers, of_entrant={entrant(tournament, "Asha").pk: perhaps})
    table = StandingsTable(standings(tournament), tournament, dealers=dealers)

    assert [row.get_cell("deals") for row in table.rows] == ["perhaps next", "–", "–", "–"]


def test_before_the_first_hand_one_line_says_so_and_leads_on(client: Client) -> None:
    tournament = make.tournament()
    page, url = path("my-table", tournament.club), tournament.get_absolute_url()
    desk = path("desk", tournament)
    organiser = act.sign_in(Role.ORGANISER, tournament)
    shows(client.get(url), "No results yet.")
    lacks(client.get(url), "Seat the players")
    shows(organiser.get(url), "Seat the players", desk)
    make.sitting(*FOUR, at=tournament)

    shows(client.get(url), "No results yet.", page)
    lacks(client.get(url), "Ranked by", '<table role="table"')


def test_the_leader_the_tied_and_who_withdrew_are_marked(client: Client) -> None:
    tournament = make.tournament(hands=8)
    played(tournament, *eaten(70))
    Entrant.objects.filter(player__name="Neema").update(withdrawn_at=NOON)
    url = tournament.get_absolute_url()
    page = client.get(url)

    table = page.context["table"]
    marked = [table.row_class(row.record) for row in table.rows]
    assert marked == ["leader tied", "leader tied", "tied", "tied"]
    withdrew = f'{linked("Neema")} <span class="pill">withdrew</span>'
    assert cells(client, url, "Neema")["Player"] == withdrew + placed("by points")
    shows(page, "Ranked by Victory points, then Won, then Two-point wins, then Eaten.")


def test_what_parts_equals_is_beside_their_points_on_every_page() -> None:
    tournament = make.tournament("briscola", "4t2", official_at=NOON)
    marks = [(1, 70), (1, 64), (0, 56), (0, 56)]
    given(
        tournament,
        **{
            name: {"hands": 1, "won": won, "points": taken}
            for name, (won, taken) in zip(FOUR, marks, strict=True)
        },
    )
    night = make.night(tournament.club, ended_at=NOON)
    over(tournament).rounds.update(night=night)
    organiser, url = act.sign_in(Role.ORGANISER, tournament), tournament.get_absolute_url()
    standing = organiser.get(url)

    assert re.findall("<mark>(.*?)</mark>", standing.text) == ["70", "64"]
    shows(standing, "Marked: what decided between equal points.")
    for name, of in (
        ("prizes", tournament),
        ("night", night),
        ("print-results", night),
        ("tournament-display", tournament),
    ):
        page = organiser.get(path(name, of)).text
        said = re.findall(r"<small>\(?([^<(]* points)\)?</small>", page)
        assert said == ["70 card points", "64 card points"], name
    # What nobody has is in the file alone.
    heads = [head.header for head in standing.context["table"].heads]
    shown = ["Place", "Player", "Points", "Played", "Deals won", "Card points"]
    assert heads == [*shown, "Dealt first", "Dealt"]
    shows(organiser.get(url + "?_export=csv"), "Matches")


def test_what_was_awarded_is_told_with_its_reason(client: Client) -> None:
    tournament = make.tournament(hands=8)
    table = played(tournament, *eaten(70, 70))
    rested = make.award(entrant(tournament, "Asha"), round=table.round, reason="Rested")
    url = tournament.get_absolute_url()
    assert cells(client, url, "Asha")["Sitting out"] == "2"
    assert cells(client, url, "Neema")["Sitting out"] == "–"
    play(table, *eaten(*[70] * 6))
    rested.reason = "13 players"
    rested.save()
    make.award(entrant(tournament, "Neema"), 2, AwardKind.PENALTY, reason="came late")
    page = client.get(url)

    assert page.context["awards"] == [
        ("Asha", "Sat out, round 1: 13 players: own average of 1 round", "+8 victory points"),
        ("Neema", "Penalty: came late", "−2 victory points"),
    ]
    shows(page, "came late")


@pytest.mark.parametrize(
    ("when", "label"),
    [
        ({}, "provisional"),
        ({"provisional_until": NOON + timedelta(hours=10)}, "provisional until 22:00"),
        ({"provisional_until": NOON, "official_at": NOON}, "official"),
    ],
)
def test_it_is_said_how_settled_it_is(client: Client, when: dict[str, Any], label: str) -> None:
    assert f">{label}" in client.get(make.tournament(**when).get_absolute_url()).text


def test_each_round_has_its_standing(client: Client) -> None:
    tournament = make.tournament(hands=8)
    first, _ = two_rounds(tournament)
    publish(first.round)
    url = tournament.get_absolute_url()
    now, then = client.get(url), client.get(f"{url}?round=1")

    shows(now, f'href="{url}?round=1"', "round 2 on now")
    shows(then, "Standings after round 1")
    shows(then, "“As it was announced” is what was shown when the round closed.")
    lacks(then, "Dealers now")
    assert cells(client, f"{url}?round=1", "Asha")["As it was announced"] == "place 1, with 3"
    for asked in ("3", "two", "-1", "99999999999999999999", "²"):
        assert client.get(f"{url}?round={asked}").status_code == 404, asked


@pytest.mark.parametrize(("tables", "hands"), [(1, 0), (3, 0), (10, 1), (10, 6)])
def test_standings_cost_the_same_for_any_number(client: Client, tables: int, hands: int) -> None:
    tournament = make.tournament()
    for _ in range(tables):
        played(tournament, *eaten(*[70] * hands), names=())
    # The revision, the tournament, its tables, sums, awards, entrants, stages, rounds, the one
    # before, and what is missing.
    with costs(10):
        page = client.get(tournament.get_absolute_url())

    assert [row.record.hands for row in page.context["table"].rows] == [hands] * 4 * tables
