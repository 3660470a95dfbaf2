"""What a player and a team have played: their pages and charts, and the sums behind them."""

from datetime import timedelta

import pytest
from django.test import Client

from tests import act, make
from tests.make import NOON
from tests.reading import costs, lacks, path, shows
from tests.tracker.standings.tables import (
    CROSSED,
    FOUR,
    Sheet,
    eaten,
    next_round,
    play,
    played,
    takes_over,
)
from tracker.models import Player, Role, RoundState, Sitting, Team, Tournament
from tracker.people.services.erasing import erase_player
from tracker.people.services.merging import merge_players
from tracker.results.services.corrections import STRIKE
from tracker.standings.pages.careers import (
    BOTTOM,
    LEFT,
    RIGHT,
    TOP,
    TOURNAMENTS_SHOWN,
    place_chart,
    where_points_came_from,
)
from tracker.standings.queries.careers import Career, TeamMember, career, team_career
from tracker.standings.queries.final_rankings import finishes

pytestmark = pytest.mark.django_db

WINS, LOSSES = eaten(*[70] * 8), eaten(*[50] * 8)
DALMUTI: list[Sheet] = [{"order": [0, 1, 2, 3]}, {"order": [1, 0, 2, 3]}]


def of(name: str, tournament: Tournament, *, game: str = "") -> Career:
    return career(Player.objects.get(club=tournament.club, name=name), game=game)


def page_of(name: str, query: str = "") -> str:
    return path("player", Player.objects.get(name=name), query=query)


def winners() -> Team:
    return Team.objects.get(name="Asha & Juma")


def evening(rounds: int = 1) -> Tournament:
    tournament = make.tournament()
    for _ in range(rounds):
        next_round(tournament, *eaten(70, 105))
    return tournament


def at_dalmuti(tournament: Tournament, *sheets: Sheet) -> Tournament:
    """Let the same four play these games of Dalmuti, too."""
    other = make.tournament("dalmuti", "4i", club=tournament.club, name="Dalmuti night")
    played(other, *sheets)
    return other


# Sums ---------------------------------------------------------------------------------------------


def test_the_sums_of_a_game_are_those_of_every_tournament() -> None:
    tournament = make.tournament()
    played(tournament, *eaten(70, 105))
    second = make.tournament(club=tournament.club, name="Saturday Cup")
    played(second, *eaten(80), names=("Neema", "Asha", "Baraka", "Juma"))
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
    act.correct(played(tournament, *eaten(70, 70)), {2: STRIKE})
    undone = next_round(tournament, *eaten(70)).round
    undone.state = RoundState.UNDONE
    undone.save()
    life = of("Asha", tournament)

    assert [game.hands for game in life.games] == [1]
    assert [line.hands for line in life.partners] == [1]
    assert [hand["called"] for hand in life.recent] == ["Hand 1"]


def test_every_game_is_summed_apart_and_can_be_asked_for_alone(client: Client) -> None:
    tournament = make.tournament()
    played(tournament, *eaten(70))
    at_dalmuti(tournament, *DALMUTI)
    every, albastini = of("Asha", tournament), of("Asha", tournament, game="albastini")

    assert [(line.game.slug, line.hands) for line in every.games] == [
        ("dalmuti", 2),
        ("albastini", 1),
    ]
    assert [line.game.slug for line in albastini.games] == ["albastini"]
    assert [line.tournament.name for line in albastini.tournaments] == ["Friday Cup"]
    assert albastini.played == every.played
    assert of("Asha", tournament, game="whist") == every
    page = client.get(page_of("Asha", "?game=dalmuti"))
    (row,) = page.context["tournaments"].rows
    assert row.record.tournament.name == "Dalmuti night"
    shows(page, '?game=dalmuti" aria-current="page"')


def test_a_tournament_without_a_hand_has_no_places() -> None:
    tournament = make.tournament()
    make.sitting(*FOUR, at=tournament)
    assert finishes([tournament]) == {}
    assert of("Asha", tournament).games == ()


def test_partners_are_told_the_best_first_and_opponents_the_most_frequent(client: Client) -> None:
    tournament = make.tournament()
    played(tournament, *WINS)
    next_round(tournament, *LOSSES, names=CROSSED)
    life = of("Asha", tournament)

    assert [(partner.name, partner.hands, int(partner.points)) for partner in life.partners] == [
        ("Juma", 8, 8),
        ("Neema", 8, 0),
    ]
    assert [(each.name, each.hands, float(each.average)) for each in life.opponents] == [
        ("Baraka", 16, 0.5),
        ("Juma", 8, 0),
        ("Neema", 8, 1),
    ]
    assert (life.best, life.hardest) == (life.partners[0], life.partners[1])
    shows(
        client.get(page_of("Asha")),
        "In Albastini, best with Juma: 1.00 points a hand in 8 hands.",
        "Hardest with Neema: 0.00 in 8 hands. Only partners of 8 hands or more count.",
    )


def test_few_hands_make_nobody_the_best_partner() -> None:
    tournament = make.tournament()
    played(tournament, *WINS[1:])
    next_round(tournament, *LOSSES, names=CROSSED)
    life = of("Asha", tournament)

    assert (life.best, life.hardest) == (None, None)


def taken_over(after: int, *then: Sheet, teams: bool = False) -> Tournament:
    """Let Zuwena take Juma's place after so many hands that he has won with Asha."""
    tournament = make.tournament(teams=teams)
    table = played(tournament, *eaten(*[70] * after))
    takes_over(table, "Juma", "Zuwena", after=after)
    play(table, *then)
    return tournament


def test_a_partner_who_left_is_counted_for_the_hands_played_together() -> None:
    tournament = taken_over(2, *eaten(100, 15), {"bare": "void"})
    partners = of("Asha", tournament).partners

    assert {partner.name: (partner.hands, int(partner.points)) for partner in partners} == {
        "Juma": (2, 2),
        "Zuwena": (2, 1),
    }
    assert {opponent.name for opponent in of("Juma", tournament).opponents} == {"Neema", "Baraka"}


def test_the_last_hands_are_told_by_who_sat_there_then() -> None:
    tournament = taken_over(1, *eaten(20))
    hands = of("Asha", tournament).recent

    assert [(hand["called"], hand["result"], hand["sides"]) for hand in hands] == [
        ("Hand 2", "Neema & Baraka win · 1 victory point", ("Asha & Zuwena", "Neema & Baraka")),
        ("Hand 1", "Asha & Juma win · 1 victory point", ("Asha & Juma", "Neema & Baraka")),
    ]
    assert [hand["called"] for hand in of("Juma", tournament).recent] == ["Hand 1"]
    # Who took another's place gets the hands, and not the place.
    (line,) = of("Zuwena", tournament).tournaments
    assert (line.finish, line.hands, line.played_for) == (None, 1, "somebody else")


def test_a_team_is_summed_once_and_its_players_apart() -> None:
    tournament = taken_over(1, *eaten(70), teams=True)
    life = team_career(winners())

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


def test_what_a_merged_player_played_is_the_others_now() -> None:
    tournament = evening()
    second = make.tournament(club=tournament.club, name="Saturday Cup")
    played(second, *eaten(70), names=("Asha K.", *FOUR[1:]))
    gone, stays = (Player.objects.get(name=name) for name in ("Asha K.", "Asha"))
    merge_players(player_id=gone.pk, into_id=stays.pk, by=make.actor())

    life = of("Asha", tournament)
    assert [(game.tournaments, game.hands) for game in life.games] == [(2, 3)]
    assert [line.hands for line in life.partners if line.name == "Juma"] == [3]
    assert career(gone).games == ()


# Pages --------------------------------------------------------------------------------------------


def test_a_players_page_tells_everything(client: Client) -> None:
    tournament = evening()
    change = path("player-edit", Player.objects.get(name="Asha"))
    page = client.get(page_of("Asha"))

    shows(page, "Asha</h1>", "Friday Cup", "1= of 4", "Juma", "Last results", "2 victory points")
    lacks(page, change)
    shows(act.sign_in(Role.ORGANISER, tournament).get(page_of("Asha")), change)


def test_what_was_played_is_counted_in_the_games_own_unit(client: Client) -> None:
    at_dalmuti(evening(), DALMUTI[0])
    every = client.get(page_of("Asha")).context["tournaments"]
    alone = client.get(page_of("Asha", "?game=dalmuti")).context["tournaments"]

    assert every.columns["hands"].header == "Played"
    assert {row.get_cell("hands") for row in every.rows} == {"2 hands", "1 game"}
    assert alone.columns["hands"].header == "Games"
    assert [row.get_cell("hands") for row in alone.rows] == ["1"]


def test_a_visitor_comes_from_somewhere(client: Client) -> None:
    make.player("Asha", club=make.club())
    Player.objects.update(visitor_from="Ilala")
    shows(client.get(page_of("Asha")), "Visitor from Ilala", "Nothing played yet")


def test_tournaments_are_sorted_and_paged(client: Client) -> None:
    club = make.club()
    for number in range(12):
        tournament = make.tournament(club=club, name=f"Cup {number}")
        Tournament.objects.filter(pk=tournament.pk).update(created_at=NOON + timedelta(days=number))
        played(tournament, *eaten(70 if number else 50))

    for query, numbers in {
        "": [11, 10, 9],
        "?tournaments-sort=when": [0, 1, 2],
        "?tournaments-sort=place": [11, 10, 9],
        "?tournaments-sort=-place": [0, 11, 10],
        "?tournaments-sort=name": [0, 1, 10],
        "?tournaments-page=2": [1, 0],
    }.items():
        table = client.get(page_of("Asha", query)).context["tournaments"]
        names = [row.record.tournament.name for row in table.paginated_rows][:3]
        assert names == [f"Cup {number}" for number in numbers], query


@pytest.mark.parametrize("public", [True, False])
def test_a_merged_player_leads_to_whoever_it_is_now(client: Client, *, public: bool) -> None:
    club = make.club(public=public)
    old, now = make.player("Juma K", club=club), make.player("Juma", club=club)
    Player.objects.filter(pk=old.pk).update(merged_into=now)
    answer = client.get(path("player", old))

    leads = (302, path("player", now)) if public else (404, None)
    assert (answer.status_code, answer.headers.get("Location")) == leads


def test_who_asked_to_be_forgotten_has_no_name_here(client: Client) -> None:
    evening()
    asha = Player.objects.get(name="Asha")
    erase_player(player_id=asha.pk, team_names={}, by=make.actor())
    page, partner = client.get(path("player", asha)), client.get(page_of("Juma"))

    shows(page, "<h1>A former player</h1>")
    shows(partner, "A former player")
    assert "Asha" not in page.text + partner.text


def test_a_team_has_its_page_also_before_it_plays(client: Client) -> None:
    club = make.club()
    make.team(make.player("Asha", club=club), make.player("Juma", club=club))
    shows(client.get(path("team", winners())), "Nothing played yet", page_of("Asha"))
    played(make.tournament(teams=True, club=club), *eaten(70))

    page = client.get(path("team", winners()))
    shows(page, "<h1>Asha &amp; Juma</h1>", "Friday Cup", "1 of 2", "Who played")


def test_pages_cost_the_same_however_much_was_played(client: Client) -> None:
    alone, teams = evening(), make.tournament(teams=True)
    next_round(teams, *eaten(70))
    asha = path("player", make.player("Asha", club=alone.club))
    owner, team = act.sign_in(Role.OWNER, alone), path("team", winners())

    for rounds in (1, 3):
        while alone.rounds.count() < rounds:
            next_round(alone, *eaten(70, 105))
            next_round(teams, *eaten(70))
        with costs(7):  # the player; tournaments, stints, sums; places in two, the last hands
            page = client.get(asha)
        assert page.context["career"].games[0].hands == 2 * rounds
        with costs(9):  # session, user, and the seven, the role among them
            owner.get(asha)
        with costs(7):  # the team, tournaments, sums; places in two; who is in it, and who played
            page = client.get(team)
        assert page.context["career"].games[0].hands == rounds


def test_points_of_a_game_with_a_word_of_its_own_go_by_that_word(client: Client) -> None:
    tournament = make.tournament("dalmuti", "4i", name="Dalmuti night")
    played(tournament, {"order": [0, 1, 2, 3]}, {"order": [0, 2, 1, 3]})
    alone = client.get(page_of("Asha"))
    played(make.tournament(club=tournament.club), *eaten(70))
    both = client.get(page_of("Asha"))

    tournaments, opponents = (alone.context[name] for name in ("tournaments", "opponents"))
    assert tournaments.columns["points"].header == "Dalmuti"
    heads = [opponents.columns[name].header for name in ("points", "average")]
    assert heads == ["Dalmuti", "Dalmuti a game"]
    # On a phone, without heads, a figure says itself what it is.
    shows(alone, "Dalmuti in The Great Dalmuti, by opponent", 'data-after="a game"')
    assert both.context["tournaments"].columns["points"].header == "Points"
    shows(both, "2 dalmuti")
    # The game played most with three figures; the rest is folded.
    assert both.text.split("<details")[0].count("<dt>") == 3


# Charts -------------------------------------------------------------------------------------------


@pytest.fixture
def asha() -> Player:
    """Return a player who won a night, lost one a week later, and tied a week after that."""
    club = make.club()
    for days, first in ((0, 70), (7, 30), (14, 60)):
        tournament = make.tournament(club=club, name=f"Night {days}", hands=8)
        table, night = played(tournament, *eaten(first)), NOON + timedelta(days=days)
        Tournament.objects.filter(pk=tournament.pk).update(created_at=night)
        Sitting.objects.filter(pk=table.pk).update(started_at=night)
    return make.player("Asha", club=club)


def test_form_goes_from_the_first_night_to_the_last(asha: Player) -> None:
    tournaments = career(asha).tournaments
    form, many = place_chart(tournaments), place_chart(tournaments * 20)

    assert form is not None
    assert many is not None
    assert [figure for *_, figure in form["numbers"]] == ["1= of 4", "3= of 4", "1= of 4"]
    assert (form["first"], form["last"]) == ("20 Nov 2026", "4 Dec 2026")
    third, middle = TOP + (BOTTOM - TOP) * 2 / 3, (LEFT + RIGHT) / 2
    assert place_chart(tournaments[:1]) is None
    assert len(many["dots"]) == len(many["numbers"]) == TOURNAMENTS_SHOWN
    assert form["dots"] == [(LEFT, TOP), (middle, round(third, 1)), (RIGHT, TOP)]


def test_a_page_has_two_charts_and_the_line_in_numbers_too(client: Client, asha: Player) -> None:
    bars = where_points_came_from(career(asha))

    # By partner, or where there is one, by opponent.
    title = "Victory points in Albastini, by opponent"
    assert bars == (title, [("Baraka", "1", 100), ("Neema", "1", 100)])
    page = client.get(path("player", asha))
    assert page.text.count('class="panel plot"') == 2
    assert page.text.count('<polyline class="plot-line"') == 1
    assert page.text.count("In numbers") == 1
    shows(page, '<title id="form-title">Form</title>', "<dt>Night 14 ")
    lacks(page, "style=")
    # Every table is downloaded from one place.
    assert page.text.count("_export=csv") == 3
    assert page.text.index("<summary>Download</summary>") < page.text.index("_export=csv")
