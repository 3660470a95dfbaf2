"""What a player and a team have played: their pages, and the sums behind them."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertContains

from tests import make
from tests.make import NOON
from tracker.models import (
    Award,
    AwardKind,
    Entrant,
    Player,
    Role,
    RoundState,
    Seat,
    Sitting,
    Tournament,
)
from tracker.people.services.erasing import erase_player
from tracker.people.services.merging import merge_players
from tracker.results.services.corrections import STRIKE, correct_sitting
from tracker.standings.queries.careers import Career, TeamMember, career, team_career
from tracker.standings.queries.final_rankings import finishes
from tracker.standings.queries.standings import standings

pytestmark = pytest.mark.django_db

FOUR = ("Asha", "Neema", "Juma", "Baraka")


def play(sitting: Sitting, *sheets: dict[str, Any]) -> None:
    for minute, sheet in enumerate(sheets):
        make.report(sitting, sheet, now=sitting.started_at + timedelta(minutes=minute))


def later(sitting: Sitting, hours: int) -> Sitting:
    Sitting.objects.filter(pk=sitting.pk).update(started_at=NOON + timedelta(hours=hours))
    sitting.refresh_from_db()
    return sitting


def next_round(tournament: Tournament, *names: str, **more: Any) -> Sitting:
    """Close the round that is open and seat a table in the next one."""
    tournament.rounds.filter(state=RoundState.OPEN).update(state=RoundState.CLOSED)
    return later(
        make.sitting(*names, in_round=make.round_of(tournament), **more), tournament.rounds.count()
    )


def of(name: str, tournament: Tournament, *, game: str = "") -> Career:
    return career(Player.objects.get(club=tournament.club, name=name), game=game)


def page_of(name: str, query: str = "") -> str:
    return reverse("player", args=[Player.objects.get(name=name).pk]) + query


# Sums ---------------------------------------------------------------------------------------------


def test_the_sums_of_a_game_are_those_of_every_tournament() -> None:
    tournament = make.tournament()
    play(make.sitting(*FOUR, at=tournament), {"eaten": [70, 50]}, {"eaten": [105, 15]})
    second = make.tournament(club=tournament.club, name="Saturday Cup")
    play(make.sitting("Neema", "Asha", "Baraka", "Juma", at=second), {"eaten": [80, 40]})

    (game,) = of("Asha", tournament).games

    assert (game.game.name, game.tournaments, game.hands, game.dealt) == ("Albastini", 2, 3, 1)
    assert game.figures == (
        ("Victory points", "3"),
        ("Won", "2"),
        ("Two-point wins", "1"),
        ("Eaten", "59.7\N{NO-BREAK SPACE}%"),  # 70 + 105 + 40 of 360
    )


def test_struck_hands_and_undone_rounds_are_not_in_a_career() -> None:
    tournament = make.tournament()
    table = make.sitting(*FOUR, at=tournament)
    play(table, {"eaten": [70, 50]}, {"eaten": [70, 50]})
    correct_sitting(
        sitting_id=table.pk,
        changes={2: STRIKE},
        reason="dealt twice",
        by=make.actor(at=NOON + timedelta(hours=1), device="desk"),
    )
    undone = next_round(tournament, *FOUR)
    play(undone, {"eaten": [70, 50]})
    undone.round.state = RoundState.UNDONE
    undone.round.save()

    life = of("Asha", tournament)

    assert [game.hands for game in life.games] == [1]
    assert [line.hands for line in life.partners] == [1]
    assert [hand.called for hand in life.recent] == ["Hand 1"]


def test_every_game_is_summed_apart_and_can_be_asked_for_alone() -> None:
    tournament = make.tournament()
    play(make.sitting(*FOUR, at=tournament), {"eaten": [70, 50]})
    other = make.tournament("dalmuti", "4i", club=tournament.club, name="Dalmuti night")
    play(make.sitting(*FOUR, at=other), {"order": [0, 1, 2, 3]}, {"order": [1, 0, 2, 3]})

    every, albastini = of("Asha", tournament), of("Asha", tournament, game="albastini")

    assert [(line.game.slug, line.hands) for line in every.games] == [
        ("dalmuti", 2),
        ("albastini", 1),
    ]
    assert [line.game.slug for line in albastini.games] == ["albastini"]
    assert [line.tournament.name for line in albastini.tournaments] == ["Friday Cup"]
    assert albastini.played == every.played
    assert of("Asha", tournament, game="whist") == every


@pytest.mark.parametrize("teams", [False, True])
def test_places_are_those_of_the_standings(*, teams: bool) -> None:
    tournaments = [make.tournament(teams=teams, hands=8)]
    tournaments.append(
        make.tournament(club=tournaments[0].club, name="Other", teams=teams, hands=8)
    )
    for tournament, sheets in zip(tournaments, ([[70, 50], [60, 60]], [[20, 100]]), strict=True):
        play(make.sitting(*FOUR, at=tournament), *({"eaten": eaten} for eaten in sheets))
        play(make.sitting("Zuwena", "Ali", "Rehema", "Omari", at=tournament), {"eaten": [50, 70]})
    Award.objects.create(
        tournament=tournaments[0],
        entrant=tournaments[0].entrants.order_by("pk")[0],
        kind=AwardKind.PENALTY,
        amount=2,
        reason="late",
    )
    Award.objects.create(
        tournament=tournaments[1],
        entrant=tournaments[1].entrants.order_by("pk")[1],
        kind=AwardKind.RESTING,
        rule="average",
        reason="13 players",
    )

    by_entrant = finishes(tournaments)

    for tournament in tournaments:
        standing = standings(tournament)
        points = standing.criteria[0].key
        expected = {
            row.entrant: (row.place, row.tied, row.figures[points], row.hands)
            for row in standing.rows
        }
        assert expected == {
            pk: (finish.place, finish.tied, finish.points, finish.hands)
            for pk, finish in by_entrant.items()
            if pk in expected
        }
        assert {by_entrant[pk].of for pk in expected} == {len(expected)}


def test_a_tournament_without_a_hand_has_no_places() -> None:
    tournament = make.tournament()
    make.sitting(*FOUR, at=tournament)

    assert finishes([tournament]) == {}
    assert of("Asha", tournament).games == ()


def test_rounds_in_games_credit_a_rest_by_rounds_here_as_in_the_standings() -> None:
    tournament = make.tournament("mambassa", "4i", games=1)
    play(make.sitting(*FOUR, at=tournament), {"bare": [0, 1, 2, 3]})
    play(next_round(tournament, *FOUR), {"bare": [0, 1, 2, 3]})
    asha = tournament.entrants.get(player__name="Asha")
    Award.objects.create(
        tournament=tournament, entrant=asha, kind=AwardKind.RESTING, rule="average", reason="rest"
    )

    row = next(row for row in standings(tournament).rows if row.entrant == asha.pk)

    assert finishes([tournament])[asha.pk].points == row.figures["outlasted"] == 9


def test_partners_are_told_the_best_first_and_opponents_the_most_frequent() -> None:
    tournament = make.tournament()
    play(make.sitting(*FOUR, at=tournament), *[{"eaten": [70, 50]}] * 8)
    play(next_round(tournament, "Asha", "Juma", "Neema", "Baraka"), *[{"eaten": [50, 70]}] * 8)

    life = of("Asha", tournament)

    assert [(partner.name, partner.hands, int(partner.points)) for partner in life.partners] == [
        ("Juma", 8, 8),
        ("Neema", 8, 0),
    ]
    assert [
        (opponent.name, opponent.hands, float(opponent.average)) for opponent in life.opponents
    ] == [
        ("Baraka", 16, 0.5),
        ("Juma", 8, 0),
        ("Neema", 8, 1),
    ]
    assert (life.best, life.hardest) == (life.partners[0], life.partners[1])


def test_best_and_hardest_partner_are_told_with_what_they_brought(client: Client) -> None:
    tournament = make.tournament()
    play(make.sitting(*FOUR, at=tournament), *[{"eaten": [70, 50]}] * 8)
    play(next_round(tournament, "Asha", "Juma", "Neema", "Baraka"), *[{"eaten": [50, 70]}] * 8)

    page = " ".join(strip_tags(client.get(page_of("Asha")).text).split())

    assert "In Albastini, best with Juma: 1.00 points a hand in 8 hands." in page
    assert "Hardest with Neema: 0.00 in 8 hands. Only partners of 8 hands or more count." in page


def test_few_hands_make_nobody_the_best_partner() -> None:
    tournament = make.tournament()
    play(make.sitting(*FOUR, at=tournament), *[{"eaten": [70, 50]}] * 7)
    play(next_round(tournament, "Asha", "Juma", "Neema", "Baraka"), *[{"eaten": [50, 70]}] * 8)

    life = of("Asha", tournament)

    assert (life.best, life.hardest) == (None, None)


def substitute(table: Sitting, leaves: str, comes: str, *, after: int) -> None:
    """Let somebody take another's place after this hand."""
    seat = table.seats.get(player__name=leaves)
    Seat.objects.filter(pk=seat.pk).update(to_hand=after)
    Seat.objects.create(
        sitting=table,
        round=table.round,
        place=seat.place,
        side=seat.side,
        player=make.player(comes, club=table.round.tournament.club),
        entrant=seat.entrant,
        from_hand=after + 1,
    )


def test_a_partner_who_left_is_counted_for_the_hands_played_together() -> None:
    tournament = make.tournament()
    table = make.sitting(*FOUR, at=tournament)
    play(table, {"eaten": [70, 50]}, {"eaten": [70, 50]})
    substitute(table, "Juma", "Zuwena", after=2)
    play(table, {"eaten": [100, 20]}, {"eaten": [15, 105]}, {"bare": "void"})

    partners = {
        partner.name: (partner.hands, int(partner.points))
        for partner in of("Asha", tournament).partners
    }

    assert partners == {"Juma": (2, 2), "Zuwena": (2, 1)}
    assert {opponent.name for opponent in of("Juma", tournament).opponents} == {"Neema", "Baraka"}


def test_who_took_anothers_place_gets_the_hands_and_not_the_place() -> None:
    tournament = make.tournament()
    table = make.sitting(*FOUR, at=tournament)
    play(table, {"eaten": [70, 50]})
    substitute(table, "Juma", "Zuwena", after=1)
    play(table, {"eaten": [70, 50]})

    (line,) = of("Zuwena", tournament).tournaments

    assert (line.finish, line.hands, line.played_for) == (None, 1, "somebody else")


def test_the_last_hands_are_told_by_who_sat_there_then() -> None:
    tournament = make.tournament()
    table = make.sitting(*FOUR, at=tournament)
    play(table, {"eaten": [70, 50]})
    substitute(table, "Juma", "Zuwena", after=1)
    play(table, {"eaten": [20, 100]})

    hands = of("Asha", tournament).recent

    assert [(hand.called, hand.result, hand.sides) for hand in hands] == [
        ("Hand 2", "Neema & Baraka win · 1 victory point", ("Asha & Zuwena", "Neema & Baraka")),
        ("Hand 1", "Asha & Juma win · 1 victory point", ("Asha & Juma", "Neema & Baraka")),
    ]
    assert [hand.called for hand in of("Juma", tournament).recent] == ["Hand 1"]


def test_a_team_is_summed_once_and_its_players_apart() -> None:
    tournament = make.tournament(teams=True)
    table = make.sitting(*FOUR, at=tournament)
    play(table, {"eaten": [70, 50]})
    substitute(table, "Juma", "Zuwena", after=1)
    play(table, {"eaten": [70, 50]})
    team = Entrant.objects.get(team__name="Asha & Juma").team
    assert team is not None

    life = team_career(team)

    (game,) = life.games
    assert (game.hands, game.figures[0]) == (2, ("Victory points", "2"))
    assert [(line.tournament.name, line.hands) for line in life.tournaments] == [("Friday Cup", 2)]
    people = {player.name: player.pk for player in Player.objects.all()}
    assert life.members == (
        TeamMember(player=people["Asha"], name="Asha", hands=2, dealt=1, now=True),
        TeamMember(player=people["Juma"], name="Juma", hands=1, dealt=0, now=True),
        TeamMember(player=people["Zuwena"], name="Zuwena", hands=1, dealt=1, now=False),
    )
    assert of("Asha", tournament).tournaments[0].played_for == "Asha & Juma"


# Pages --------------------------------------------------------------------------------------------


def evening(*, tables: int = 1) -> Tournament:
    tournament = make.tournament(name="Friday Cup")
    for _ in range(tables):
        play(next_round(tournament, *FOUR), {"eaten": [70, 50]}, {"eaten": [105, 15]})
    return tournament


def test_a_players_page_tells_everything(client: Client) -> None:
    evening()

    text = client.get(page_of("Asha")).text

    for words in ("Asha</h1>", "Friday Cup", "1= of 4", "Juma", "Last results", "2 victory points"):
        assert words in text
    assert ">Change</a>" not in text


def test_what_was_played_is_counted_in_the_games_own_unit(client: Client) -> None:
    tournament = evening()
    other = make.tournament("dalmuti", "4i", club=tournament.club, name="Dalmuti night")
    play(make.sitting(*FOUR, at=other), {"order": [0, 1, 2, 3]})

    every = client.get(page_of("Asha")).context["tournaments"]
    alone = client.get(page_of("Asha", "?game=dalmuti")).context["tournaments"]

    assert every.columns["hands"].header == "Played"
    assert {row.get_cell("hands") for row in every.rows} == {"2 hands", "1 game"}
    assert alone.columns["hands"].header == "Games"
    assert [row.get_cell("hands") for row in alone.rows] == ["1"]


def test_a_visitor_comes_from_somewhere(client: Client) -> None:
    club = make.club()
    player = make.player("Asha", club=club)
    Player.objects.filter(pk=player.pk).update(visitor_from="Ilala")

    page = client.get(page_of("Asha"))

    assert "Visitor from Ilala" in page.text
    assert "Nothing played yet" in page.text


def test_an_organiser_is_led_to_changing_the_name(client: Client) -> None:
    tournament = evening()
    client.force_login(make.user(role=Role.ORGANISER, club=tournament.club))

    assert (
        reverse("player-edit", args=[Player.objects.get(name="Asha").pk])
        in client.get(page_of("Asha")).text
    )


def test_one_game_is_chosen_from_those_played(client: Client) -> None:
    tournament = evening()
    other = make.tournament("dalmuti", "4i", club=tournament.club, name="Dalmuti night")
    play(make.sitting(*FOUR, at=other), {"order": [0, 1, 2, 3]})

    page = client.get(page_of("Asha", "?game=dalmuti"))

    assert [row.record.tournament.name for row in page.context["tournaments"].rows] == [
        "Dalmuti night"
    ]
    assertContains(page, '?game=dalmuti" aria-current="page"')


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", ["Cup 11", "Cup 10", "Cup 9"]),
        ("?tournaments-sort=when", ["Cup 0", "Cup 1", "Cup 2"]),
        ("?tournaments-sort=place", ["Cup 11", "Cup 10", "Cup 9"]),
        ("?tournaments-sort=-place", ["Cup 0", "Cup 11", "Cup 10"]),
        ("?tournaments-sort=name", ["Cup 0", "Cup 1", "Cup 10"]),
        ("?tournaments-page=2", ["Cup 1", "Cup 0"]),
    ],
)
def test_tournaments_are_sorted_and_paged(client: Client, query: str, names: list[str]) -> None:
    club = make.club()
    for number in range(12):
        tournament = make.tournament(club=club, name=f"Cup {number}")
        Tournament.objects.filter(pk=tournament.pk).update(created_at=NOON + timedelta(days=number))
        play(make.sitting(*FOUR, at=tournament), {"eaten": [50, 70] if number == 0 else [70, 50]})

    table = client.get(page_of("Asha", query)).context["tournaments"]

    assert [row.record.tournament.name for row in table.paginated_rows][:3] == names


def test_a_merged_player_leads_to_whoever_it_is_now(client: Client) -> None:
    club = make.club()
    old, now = make.player("Juma K", club=club), make.player("Juma", club=club)
    Player.objects.filter(pk=old.pk).update(merged_into=now)

    answer = client.get(reverse("player", args=[old.pk]))

    assert (answer.status_code, answer.headers["Location"]) == (
        302,
        reverse("player", args=[now.pk]),
    )


def test_who_asked_to_be_forgotten_has_no_name_here(client: Client) -> None:
    tournament = evening()
    asha = Player.objects.get(name="Asha")
    owner = make.user(role=Role.OWNER, club=tournament.club)
    erase_player(player_id=asha.pk, team_names={}, by=make.actor(owner))

    page = client.get(reverse("player", args=[asha.pk]))
    partner = client.get(page_of("Juma"))

    assert page.status_code == 200
    assert "<h1>A former player</h1>" in page.text
    assert "A former player" in partner.text
    assert "Asha" not in page.text + partner.text


def test_what_a_merged_player_played_is_the_others_now() -> None:
    tournament = evening()
    second = make.tournament(club=tournament.club, name="Saturday Cup")
    play(make.sitting("Asha K.", "Neema", "Juma", "Baraka", at=second), {"eaten": [70, 50]})
    owner = make.user(role=Role.OWNER, club=tournament.club)
    gone, stays = (Player.objects.get(name=name) for name in ("Asha K.", "Asha"))

    merge_players(player_id=gone.pk, into_id=stays.pk, by=make.actor(owner))

    life = of("Asha", tournament)
    assert [(game.tournaments, game.hands) for game in life.games] == [(2, 3)]
    assert [line.hands for line in life.partners if line.name == "Juma"] == [3]
    assert career(gone).games == ()


@pytest.mark.parametrize("address", ["player", "team"])
def test_a_private_club_shows_its_people_to_nobody_else(client: Client, address: str) -> None:
    club = make.club(public=False)
    player = make.player("Asha", club=club)
    team = make.team(player, make.player("Juma", club=club))
    path = reverse(address, args=[{"player": player.pk, "team": team.pk}[address]])

    stranger = client.get(path).status_code
    client.force_login(make.user(role=Role.SCORER, club=club))

    assert (stranger, client.get(path).status_code) == (404, 200)


def test_a_merged_player_of_a_private_club_leads_no_stranger_on(client: Client) -> None:
    club = make.club(public=False)
    old, now = make.player("Juma K", club=club), make.player("Juma", club=club)
    Player.objects.filter(pk=old.pk).update(merged_into=now)

    assert client.get(reverse("player", args=[old.pk])).status_code == 404


def test_a_team_has_its_page(client: Client) -> None:
    tournament = make.tournament(teams=True)
    play(make.sitting(*FOUR, at=tournament), {"eaten": [70, 50]})
    team = Entrant.objects.get(team__name="Asha & Juma").team
    assert team is not None

    text = client.get(reverse("team", args=[team.pk])).text

    for words in ("<h1>Asha &amp; Juma</h1>", "Friday Cup", "1 of 2", "Who played"):
        assert words in text


def test_a_team_that_never_played_says_who_is_in_it(client: Client) -> None:
    club = make.club()
    team = make.team(make.player("Asha", club=club), make.player("Juma", club=club))

    text = client.get(reverse("team", args=[team.pk])).text

    assert "Nothing played yet" in text
    assert page_of("Asha") in text


@pytest.mark.parametrize("tables", [1, 3])
def test_a_players_page_costs_the_same_however_much_was_played(
    client: Client, tables: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    evening(tables=tables)
    path = page_of("Asha")

    # The player; the tournaments, stints, sums; places in two, the last hands.
    with django_assert_num_queries(7):
        page = client.get(path)

    assert page.context["career"].games[0].hands == 2 * tables


@pytest.mark.parametrize("tables", [1, 3])
def test_a_member_reads_a_players_page_in_nine(
    client: Client, tables: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    tournament = evening(tables=tables)
    client.force_login(make.user(role=Role.OWNER, club=tournament.club))
    path = page_of("Asha")

    with django_assert_num_queries(9):  # session, user, and the seven, the role among them
        client.get(path)


@pytest.mark.parametrize("tables", [1, 3])
def test_a_teams_page_costs_the_same_however_much_was_played(
    client: Client, tables: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    tournament = make.tournament(teams=True)
    for _ in range(tables):
        play(next_round(tournament, *FOUR), {"eaten": [70, 50]})
    team = Entrant.objects.get(team__name="Asha & Juma").team
    assert team is not None

    # The team, its tournaments, its sums; places in two; who is in it, and who played.
    with django_assert_num_queries(7):
        page = client.get(reverse("team", args=[team.pk]))

    assert page.context["career"].games[0].hands == tables


def test_points_of_a_game_with_a_word_of_its_own_go_by_that_word(client: Client) -> None:
    tournament = make.tournament("dalmuti", "4i", name="Dalmuti night")
    play(make.sitting(*FOUR, at=tournament), {"order": [0, 1, 2, 3]}, {"order": [0, 2, 1, 3]})

    alone = client.get(page_of("Asha"))
    first = make.tournament(club=tournament.club)
    play(make.sitting(*FOUR, at=first), {"eaten": [70, 50]})
    both = client.get(page_of("Asha"))

    tournaments, opponents = (alone.context[name] for name in ("tournaments", "opponents"))
    assert tournaments.columns["points"].header == "Dalmuti"
    assert [opponents.columns[name].header for name in ("points", "average")] == [
        "Dalmuti",
        "Dalmuti a game",
    ]
    assertContains(alone, "Dalmuti in The Great Dalmuti, by opponent")
    assert both.context["tournaments"].columns["points"].header == "Points"
    assertContains(both, "2 dalmuti")
    # On a phone, without heads, a figure says itself what it is.
    assertContains(alone, 'data-after="a game"')
    # The game played most with three figures; the rest is folded.
    open_to_all = both.text.split("<details")[0]
    assert open_to_all.count("<dt>") == 3
