"""Tournaments: made with the game's own questions, changed, entered, finished."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import catalogue
from games.errors import ModeError, OptionError
from games.option import Option, OptionKind
from tests import act, make
from tests.make import NOON
from tests.reading import costs
from tracker.common.errors import Refused
from tracker.models import (
    Club,
    Confirm,
    Entrant,
    Format,
    LogEntry,
    Movement,
    RankedBy,
    RoundState,
    Season,
    Tournament,
)
from tracker.standings.services.seasons import save_season
from tracker.standings.services.standings import finish_tournament, reopen_tournament
from tracker.tournaments.queries import usual_mode
from tracker.tournaments.services.entering import (
    enter_player,
    enter_players,
    enter_teams,
)
from tracker.tournaments.services.terms import Terms
from tracker.tournaments.services.tournaments import edit_tournament, make_tournament

pytestmark = pytest.mark.django_db


def made(club: Club, **more: Any) -> Tournament:
    asked = {"name": "Friday Cup", "game": "albastini", "mode": "4t2", **more}
    return make_tournament(club_id=club.pk, by=make.actor(), **asked)


# Making


def test_what_is_not_said_is_as_the_rule_book_has_it(club: Club) -> None:
    tournament = made(club)

    rules = catalogue.GAMES["albastini"]
    assert (tournament.format, tournament.confirm, tournament.hands, tournament.games) == (
        "players",
        "one",
        8,
        None,
    )
    assert tournament.options == rules.default_options()
    log_entry = LogEntry.objects.get()
    assert (log_entry.verb, log_entry.on) == ("tournament-made", {"tournament": tournament.pk})


def test_house_rules_are_kept_with_the_rest(club: Club) -> None:
    tournament = made(club, mode="6i", options={"allow_6i": True}, length=4, confirm=Confirm.BOTH)

    assert (
        tournament.mode,
        tournament.options["allow_6i"],
        tournament.hands,
        tournament.confirm,
    ) == ("6i", True, 4, "both")


def test_a_game_that_ends_by_itself_is_counted_in_games(club: Club) -> None:
    rules = catalogue.GAMES["mambassa"]
    assert rules.round_in_games

    tournament = made(club, game="mambassa", mode="4i", length=2)

    assert (tournament.hands, tournament.games) == (None, 2)


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"game": "poker"}, "game-unknown"),
        ({"name": " . "}, "name-empty"),
        ({"name": "x" * 81}, "name-long"),
        ({"length": 0}, "length"),
        ({"length": 201}, "length"),
        ({"mode": "5i", "format_": Format.TEAMS}, "teams-alone"),
    ],
)
def test_what_cannot_be_kept_is_refused(club: Club, asked: Mapping[str, Any], code: str) -> None:
    with act.refused(code):
        made(club, **asked)

    assert not Tournament.objects.exists()


def test_the_game_refuses_modes_and_house_rules_it_does_not_know(club: Club) -> None:
    with pytest.raises(ModeError):
        made(club, mode="6i")
    with pytest.raises(OptionError):
        made(club, options={"jokers": True})


def test_how_the_rounds_go_and_what_breaks_ties_is_kept(club: Club) -> None:
    terms = Terms(planned=5, minutes=30)

    tournament = made(club, terms=terms, tie_breaks=["twos", "", "won"])

    assert (tournament.planned, tournament.minutes, tournament.tie_breaks) == (
        5,
        30,
        ["twos", "won"],
    )


@pytest.mark.parametrize(
    ("terms", "question"),
    [
        (Terms(planned=0), "planned"),
        (Terms(planned=100), "planned"),
        (Terms(minutes=0), "minutes"),
        (Terms(minutes=241), "minutes"),
    ],
)
def test_terms_that_cannot_be_kept_are_refused(club: Club, terms: Terms, question: str) -> None:
    with pytest.raises(Refused) as refusal:
        made(club, terms=terms)

    assert refusal.value.question == question


@pytest.mark.parametrize(
    ("tie_breaks", "question"),
    [
        (["luck"], "tie_break_1"),
        (["won", "", "won"], "tie_break_3"),  # once is enough
        (["won", "victory_points"], "tie_break_2"),  # which rank
        (["koya"], "tie_break_1"),  # for matches only
    ],
)
def test_tie_breaks_that_break_no_tie_here_are_refused(
    club: Club, tie_breaks: list[str], question: str
) -> None:
    with pytest.raises(Refused) as refusal:
        made(club, tie_breaks=tie_breaks)

    assert refusal.value.question == question


def test_usual_tie_breaks_suit_the_format(club: Club) -> None:
    def usual(movement: Movement, **more: Any) -> list[str]:
        pairs = {"format_": Format.TEAMS, **more}
        return [*made(club, terms=Terms(movement=movement), **pairs).tie_breaks]

    of_game = ["won", "twos", "share"]
    assert usual(Movement.FEWEST_REPEATS) == []
    assert usual(Movement.SWISS) == [
        *("buchholz_cut1", "buchholz", "victory_points"),
        *of_game,
    ]
    assert usual(Movement.SWISS, ranked_by=RankedBy.GAME) == []
    assert usual(Movement.ROUND_ROBIN) == ["head_to_head", *of_game]
    assert usual(Movement.ROUND_ROBIN, ranked_by=RankedBy.MATCH_POINTS) == [
        *("head_to_head", "sonneborn_berger", "victory_points"),
        *of_game,
    ]


def test_lots_are_drawn_from_the_number_given(club: Club) -> None:
    drawn = made(club, tie_breaks=["lots"], seed=7)

    assert (drawn.lots_seed, made(club, seed=7).lots_seed) == (7, None)


# Changing


def test_name_and_rounds_can_change_and_house_rules_stay(club: Club) -> None:
    tournament = made(club)

    edit_tournament(
        tournament_id=tournament.pk,
        name="Sunday Cup",
        length=6,
        confirm=Confirm.BOTH,
        by=make.actor(),
    )

    before = (tournament.mode, tournament.options)
    length = tournament.hands
    tournament.refresh_from_db()
    assert (tournament.name, tournament.hands, tournament.confirm) == ("Sunday Cup", 6, "both")
    entry = LogEntry.objects.get(verb="tournament-changed")
    changed = {"name": [], "confirm": ["one", "both"], "hands": [length, 6]}
    assert entry.numbers["changed"] == changed  # and no name, which may be somebody's
    assert (tournament.mode, tournament.options) == before


def test_terms_stay_unless_they_are_changed(club: Club) -> None:
    tournament = made(club, terms=Terms(planned=5))

    for terms, planned in ((None, 5), (Terms(minutes=20), None)):
        edit_tournament(
            tournament_id=tournament.pk,
            name="Cup",
            length=8,
            confirm=Confirm.ONE,
            by=make.actor(),
            terms=terms,
        )
        tournament.refresh_from_db()
        assert tournament.planned == planned

    assert tournament.minutes == 20


def test_finishing_and_going_on_are_written_down_once(club: Club) -> None:
    tournament = made(club)

    for change in (
        finish_tournament,
        finish_tournament,
        reopen_tournament,
        reopen_tournament,
    ):
        change(tournament_id=tournament.pk, by=make.actor())

    tournament.refresh_from_db()
    assert tournament.official_at is None
    verbs = list(LogEntry.objects.order_by("pk").values_list("verb", flat=True))
    assert verbs == ["tournament-made", "tournament-finished", "tournament-reopened"]


def test_nothing_is_official_while_people_play(club: Club) -> None:
    tournament = made(club)
    make.sitting("Asha", at=tournament)

    with pytest.raises(Refused, match="Round 1 is still being played"):
        finish_tournament(tournament_id=tournament.pk, by=make.actor())


# Entering


def test_players_enter_once_in_their_order(club: Club) -> None:
    tournament = made(club)
    asha, juma = (make.player(name, club=club).pk for name in ("Asha", "Juma"))
    first = enter_player(tournament_id=tournament.pk, player_id=juma, by=make.actor())

    entered = enter_players(tournament_id=tournament.pk, players=[asha, juma], by=make.actor())

    assert [str(entrant) for entrant in entered] == ["Asha", "Juma"]
    assert entered[1] == first
    assert LogEntry.objects.filter(verb="entered").count() == 2


def test_whoever_enters_again_has_not_withdrawn(club: Club) -> None:
    tournament = made(club)
    entrant = make.entrant(make.player("Asha", club=club), at=tournament)
    Entrant.objects.update(withdrawn_at=NOON)

    enter_players(tournament_id=tournament.pk, players=[entrant.player_id or 0], by=make.actor())
    enter_players(tournament_id=tournament.pk, players=[entrant.player_id or 0], by=make.actor())

    entrant.refresh_from_db()
    assert entrant.withdrawn_at is None
    assert LogEntry.objects.get(verb="entered").on["entrants"] == [entrant.pk]


def test_teams_enter_where_teams_play(club: Club) -> None:
    tournament = made(club, format_=Format.TEAMS)
    pair = make.team(make.player("Asha", club=club), make.player("Juma", club=club))

    (entered,) = enter_teams(tournament_id=tournament.pk, teams=[pair.pk], by=make.actor())

    assert str(entered) == "Asha & Juma"


def test_nobody_enters_from_another_club_or_in_the_wrong_format(club: Club) -> None:
    singles, pairs = made(club), made(club, format_=Format.TEAMS)
    elsewhere = make.club("Kariakoo")
    stranger = make.player("Ali", club=elsewhere)
    strangers = make.team(stranger, make.player("Omari", club=elsewhere))

    def code(enter: Any, **asked: Any) -> str:
        with pytest.raises(Refused) as refusal:
            enter(by=make.actor(), **asked)
        return refusal.value.code

    assert [
        code(enter_players, tournament_id=singles.pk, players=[stranger.pk]),
        code(enter_players, tournament_id=pairs.pk, players=[]),
        code(enter_teams, tournament_id=pairs.pk, teams=[strangers.pk]),
        code(enter_teams, tournament_id=singles.pk, teams=[]),
    ] == ["player-unknown", "teams-enter", "team-unknown", "players-enter"]


# Pages


@pytest.mark.parametrize("number", [1, 3])
def test_the_list_costs_the_same_however_many_there_are(
    client: Client, club: Club, number: int
) -> None:
    for _ in range(number):
        make.sitting("", at=make.tournament(club=club))

    with costs(4):  # the club, its seasons, how many, the page of them
        page = client.get(reverse("tournaments", args=[club.pk]))

    assert page.text.count(">playing now<") == number


@pytest.mark.every_game
def test_the_first_question_is_the_game(organiser: Client, club: Club) -> None:
    page = organiser.get(reverse("tournament-new", args=[club.pk]))

    for game in catalogue.GAMES.values():
        assert f'href="?game={game.slug}"' in page.text


def asked_of(club: Club, game: str, **more: str) -> tuple[str, dict[str, str]]:
    """Return address and answers of a form filled in as it is shown, but for *more*."""
    rules = catalogue.GAMES[game]
    options = {
        f"option_{option.name}": {True: "yes", False: "no"}[bool(option.default)]
        if option.kind is OptionKind.FLAG
        else str(option.default)
        for option in rules.options
    }
    answers = {
        "name": "Friday Cup",
        "mode": usual_mode(rules).code,
        "format": "players",
        "length": str(rules.usual_length),
        "confirm": "one",
    }
    url = reverse("tournament-new", args=[club.pk]) + f"?game={game}"
    return url, {**answers, **options, **more}


@pytest.mark.every_game
@pytest.mark.parametrize("slug", sorted(catalogue.GAMES))
def test_every_game_asks_its_house_rules_and_makes_a_tournament(
    organiser: Client, club: Club, slug: str
) -> None:
    url, answers = asked_of(club, slug)

    page = organiser.get(url)
    answer = organiser.post(url, answers)

    rules = catalogue.GAMES[slug]
    shown = [str(field.label) for field in page.context["form"].house_rules]
    assert shown == [option.label for option in rules.options]
    tournament = Tournament.objects.get()
    assert answer.headers["Location"] == reverse("draw", args=[tournament.pk])
    assert tournament.options == rules.default_options()


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"mode": "6i"}, "mode"),
        ({"format": "teams", "mode": "5i"}, "format"),
        ({"name": "."}, "name"),
        ({"length": "0"}, "length"),
        ({"option_allow_6i": "perhaps"}, "option_allow_6i"),
    ],
)
def test_what_is_amiss_is_said_and_nothing_typed_is_lost(
    organiser: Client, club: Club, more: dict[str, str], field: str
) -> None:
    url, answers = asked_of(club, "albastini", **more)

    page = organiser.post(url, answers)

    form = page.context["form"]
    assert list(form.errors) == [field]
    assert form["name"].value() == answers["name"]
    assert not Tournament.objects.exists()


def test_rounds_minutes_and_tie_breaks_are_asked(organiser: Client, club: Club) -> None:
    more = {"planned": "5", "minutes": "30", "tie_break_1": "twos", "tie_break_3": "share"}
    url, answers = asked_of(club, "albastini", **more)

    page = organiser.get(url)
    folded = organiser.post(url, {**answers, "tie_break_1": "luck"})
    organiser.post(url, answers)

    assert [form.context["form"].tie_breaks_wrong for form in (page, folded)] == [False, True]
    tournament = Tournament.objects.get()
    assert (tournament.planned, tournament.minutes, tournament.tie_breaks) == (
        5,
        30,
        ["twos", "share"],
    )
    edit = organiser.get(reverse("tournament-edit", args=[tournament.pk])).context["form"]
    assert [edit[name].value() for name in ("planned", "minutes")] == [5, 30]


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> str:
    """Register a fifth game whose house rules are of every kind."""
    options = (
        Option(name="jokers", label="Are there jokers?", kind=OptionKind.FLAG, default=True),
        Option(
            name="rounds",
            label="How many?",
            kind=OptionKind.NUMBER,
            default=3,
            choices=((1, "1"), (5, "5")),
        ),
        Option(
            name="stake",
            label="For what?",
            kind=OptionKind.CHOICE,
            default=2,
            choices=((1, "beans"), (2, "shells")),
        ),
    )
    albastini = catalogue.GAMES["albastini"]

    def modes(given: Mapping[str, Any]) -> Any:
        return albastini.modes({"allow_6i": given["stake"] == 1})

    toy = replace(albastini, slug="toy", name="Toy", options=options, modes=modes)
    games = MappingProxyType({**catalogue.GAMES, "toy": toy})
    monkeypatch.setattr(catalogue, "GAMES", games)
    return "toy"


def test_a_fifth_game_asks_for_itself(organiser: Client, club: Club, toy: str) -> None:
    url, answers = asked_of(club, toy, option_stake="1", option_rounds="5", option_jokers="no")

    organiser.post(url, {**answers, "mode": "6i"})
    refused = organiser.post(url, {**answers, "option_rounds": "6"})

    tournament = Tournament.objects.get()
    assert (tournament.game, tournament.options) == (
        "toy",
        {"jokers": False, "rounds": 5, "stake": 1},
    )
    assert list(refused.context["form"].errors) == ["option_rounds"]
    assert refused.context["form"].house_rules_wrong
    assert "6i" in [mode.code for mode in catalogue.GAMES[toy].all_modes()]


def test_a_refusal_of_the_rules_stands_beside_its_question(
    organiser: Client, club: Club, monkeypatch: pytest.MonkeyPatch, toy: str
) -> None:
    usual = catalogue.GAMES["albastini"].modes({})

    def refuse(given: Mapping[str, Any]) -> Any:
        if given["stake"] == 1:
            raise OptionError("beans", "No beans for %(name)s today.", name="stake")
        return usual

    strict = replace(catalogue.GAMES[toy], modes=refuse)
    monkeypatch.setattr(catalogue, "GAMES", MappingProxyType({"toy": strict}))
    url, answers = asked_of(club, toy, option_stake="1")

    page = organiser.post(url, answers)

    assert dict(page.context["form"].errors) == {"option_stake": ["No beans for stake today."]}


def test_name_and_rounds_are_changed_on_their_page(organiser: Client, club: Club) -> None:
    tournament = made(club)
    url = reverse("tournament-edit", args=[tournament.pk])

    page = organiser.get(url)
    answer = organiser.post(
        url, {"name": "Sunday Cup", "length": "6", "planned": "4", "confirm": "both"}
    )
    refused = organiser.post(url, {"name": ".", "length": "6", "confirm": "both"})

    assert "Friday Cup" in page.text
    assert answer.headers["Location"] == reverse("desk", args=[tournament.pk])
    tournament.refresh_from_db()
    assert (tournament.name, tournament.hands, tournament.planned) == ("Sunday Cup", 6, 4)
    assert "Please write a name." in refused.text


def test_the_list_tells_how_far_each_tournament_is(client: Client, club: Club) -> None:
    closed, undone = make.tournament(club=club, planned=3), make.tournament(club=club, name="Other")
    make.entrant(make.player("Asha", club=club), at=closed)
    make.round_of(closed, state=RoundState.CLOSED)
    make.round_of(undone, state=RoundState.UNDONE)

    page = client.get(reverse("tournaments", args=[club.pk]))

    cells = [
        (row.get_cell("last"), row.get_cell_value("entered"), row.record.playing)
        for row in page.context["table"].rows
    ]
    assert cells == [("–", 0, False), ("1 of 3", 1, False)]
    assert page.text.count(">open<") == 2


def test_the_list_is_narrowed_down_sorted_and_taken_away(client: Client, club: Club) -> None:
    season = save_season(Season(club=club, name="Winter"), by=make.actor())
    friday = make.tournament(club=club, season=season)
    sunday = make.tournament("dalmuti", "4i", club=club, name="=Sunday", official_at=NOON)
    make.round_of(friday)
    url = reverse("tournaments", args=[club.pk])

    def found(**asked: str) -> list[Tournament]:
        return [row.record for row in client.get(url, asked).context["table"].rows]

    assert [
        found(q="sun"),
        found(game="albastini"),
        found(season=str(season.pk)),
        found(state="playing"),
        found(state="open"),
        found(state="official"),
        found(sort="-name"),
    ] == [[sunday], [friday], [friday], [friday], [friday], [sunday], [friday, sunday]]
    assert "Show all" in client.get(url, {"q": "nobody"}).text
    header, first, second = client.get(url, {"_export": "csv"}).text.splitlines()
    assert header.startswith("\ufeffTournament,Game,Rounds,Rounds planned,Entered,Season,When")
    assert first.startswith("'=Sunday,The Great Dalmuti,,,0,,2026-11-20")
    assert second.startswith("Friday Cup,Albastini,1,,0,Winter,2026-11-20")
