"""What a tournament ranks by: chosen when it is made, kept, and changed by nothing but its own act."""

from importlib import import_module
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client

import tracker
from tests import act, make
from tests.reading import lacks, path, shows
from tests.tracker.formats.walking import Walker
from tests.tracker.standings.tables import entrant, play, played
from tracker.common.names import page_names
from tracker.criteria.ranking_criteria import criteria_of
from tracker.models import (
    CarryOver,
    Club,
    LogEntry,
    RankedBy,
    Rest,
    Role,
    Round,
    RoundState,
    Tournament,
)
from tracker.nights.services.tonight import begin_tonight
from tracker.standings.pages.standings import award_lines
from tracker.standings.queries.standings import standings

pytestmark = pytest.mark.django_db


def laid(tournament: Tournament, *sizes: int, state: RoundState = RoundState.CLOSED) -> None:
    """Lay tables of these sizes in a round, of which a standing hung on the wall."""
    round_ = make.round_of(tournament, published_standing={"standing": []})
    for number, seats in enumerate(sizes, start=1):
        make.sitting(
            *(f"{number}{letter}" for letter in "abcdefgh"[:seats]),
            in_round=round_,
            mode=f"{seats}i",
            number=number,
        )
    Round.objects.filter(pk=round_.pk).update(state=state)


def test_an_upgrade_keeps_what_every_tournament_and_round_was_ranked_by() -> None:
    """Before, it followed from the tables: of one size or several, one or more of them at once."""
    club = make.club()

    def begun(name: str, *rounds: tuple[int, ...], **more: Any) -> None:
        tournament = make.tournament("dalmuti", "4i", club=club, name=name, **more)
        for sizes in rounds:
            laid(tournament, *sizes)

    begun("one table", (4,), (4,))
    begun("several", (4,), (4, 4), (4,))
    begun("sizes differ", (4,), (4, 4), (4, 5), (4, 4))
    begun("nobody yet")
    begun("odd tables to come", leftover="odd_table")
    begun("one goes on", (4,), follows=Tournament.objects.get(name="one table"), stage="Final",
          carry_over=CarryOver.ALL)  # fmt: skip
    taken_back = make.tournament("mambassa", "4i", club=club, name="taken back")
    laid(taken_back, 4)
    laid(taken_back, 3, 4, state=RoundState.UNDONE)
    several = make.tournament(club=club, name="another game")
    laid(several)
    award = make.award(make.entrant(make.player("Asha", club=club), at=several), 2)
    LogEntry.objects.create(club=club, at=make.NOON, verb="award-given", on={"award": award.pk})

    [file] = Path(tracker.__file__).parent.glob("migrations/*_ranked_by.py")
    migration = import_module(f"tracker.migrations.{file.stem}")
    editor = SimpleNamespace(connection=connection)
    migration.rank_as_before(apps, editor)
    migration.date_awards(apps, editor)

    def rounds_of(tournament: Tournament) -> list[str | None]:
        rounds = tournament.rounds.order_by("number")
        return [(round_.published_standing or {}).get("ranked_by") for round_ in rounds]

    kept = {each.name: (each.ranked_by, rounds_of(each)) for each in Tournament.objects.all()}
    assert kept == {
        "one table": ("game", ["game", "game"]),
        "several": ("points", ["game", "points", "points"]),
        "sizes differ": ("share", ["game", "points", "share", "share"]),
        "nobody yet": ("game", []),
        "odd tables to come": ("share", []),
        "one goes on": ("points", ["points"]),
        "taken back": ("game", ["game", "game"]),
        "another game": ("game", [None]),
    }
    award.refresh_from_db()
    assert award.given_at == make.NOON


@pytest.fixture
def club() -> Club:
    return make.club()


@pytest.fixture
def organiser(club: Club) -> Client:
    return act.sign_in(Role.ORGANISER, club)


PEOPLE = ("Asha", "Juma", "Neema", "Omari")
GAME = {"order": [0, 1, 2, 3]}
DECIDED = "The standings are official: reopen the tournament first."


def of_four(club: Club, **more: Any) -> Tournament:
    """Make a tournament of Dalmuti; a table of four has played a round."""
    tournament = make.tournament("dalmuti", "4i", club=club, games=1, **more)
    act.close(played(tournament, GAME, names=PEOPLE).round, anyway=True)
    return tournament


@pytest.mark.parametrize(
    ("answers", "ranked_by"),
    [
        ({}, RankedBy.POINTS),
        ({"places": "5"}, RankedBy.GAME),  # one table of four
        ({"names": "Asha, Juma, Neema, Omari"}, RankedBy.GAME),
        ({"leftover": "odd_table"}, RankedBy.SHARE),
        ({"movement": "free"}, RankedBy.SHARE),
        ({"leftover": "odd_table", "ranked_by": "points"}, RankedBy.POINTS),
    ],
)
def test_what_decides_is_chosen_when_a_tournament_is_made(
    organiser: Client, club: Club, answers: dict[str, str], ranked_by: RankedBy
) -> None:
    walker = Walker(organiser, path("tournament-new", club, query="?game=dalmuti"))
    walker.press("Make the tournament", name="Cards", mode="4i", **answers)
    assert Tournament.objects.get(name="Cards").ranked_by == ranked_by


@pytest.mark.parametrize(("people", "ranked_by"), [(4, RankedBy.GAME), (8, RankedBy.POINTS)])
def test_an_evening_is_ranked_as_suits_so_many_people(people: int, ranked_by: RankedBy) -> None:
    round_ = begin_tonight(
        club_id=make.club().pk,
        game="dalmuti",
        title="Tonight",
        players=[],
        new_names=[f"P{number}" for number in range(people)],
        mode="4i",
        by=make.actor(make.user()),
        rng=Random(1),
    )

    assert round_.tournament.ranked_by == ranked_by


def test_a_second_table_is_said_before_its_draw_is_published(organiser: Client, club: Club) -> None:
    tournament = of_four(club)
    draw = Walker(organiser, path("draw", tournament))
    draw.press("Draw round 2")
    assert "which suits a single table" not in draw.text
    draw.press("Draw round 2 like this", names="Sefu\nKito\nImani\nZuri")

    assert "The standings go by Dalmuti, which suits a single table." in draw.text
    tournament.refresh_from_db()
    assert tournament.ranked_by == RankedBy.GAME
    # Of a game with one ranking nothing is to be said.
    other = Walker(organiser, path("draw", make.tournament("albastini", club=club, hands=2)))
    other.press("Draw round 1", names="\n".join(f"P{number}" for number in range(8)))
    assert "The standings go by" not in other.text


def test_an_act_changes_what_decides_and_says_what_it_moves(organiser: Client, club: Club) -> None:
    tournament = of_four(club, ranked_by=RankedBy.POINTS)
    standing = tournament.get_absolute_url()
    walker = Walker(organiser, path("awards", tournament))
    walker.press("Save", entrant="Omari", kind="award", amount="9", reason="tea")
    shows(walker.text, "+9 points")
    shows(walker.go(standing), "Award: tea", "+9 points")

    walker.follow("Change what decides")
    walker.press("Preview the change", ranked_by="share")
    assert tournament.ranked_by == RankedBy.POINTS
    shows(walker.text, "The standings would go by Beaten, not by Points")
    shows(walker.text, "1 award or rest was given in something else and would not count.")
    walker.press("Change it")

    # It keeps its unit, and does not count.
    after = walker.go(standing)
    shows(after, "+9 points", "Award: tea; it does not count where Beaten decides")
    lacks(after, "9.0 %")
    # What was announced stays as it was, in its own unit.
    shows(walker.go(f"{standing}?round=1"), "nothing was corrected since", "place 1, with 3")
    walker.go(path("log", club))
    shows(walker.text, "ranked Friday Cup by Beaten, then Dalmuti, then", "; before: Points, then")
    walker.follow("Rank as before")
    walker.press("Change it")
    tournament.refresh_from_db()
    assert tournament.ranked_by == RankedBy.POINTS
    Tournament.objects.update(official_at=make.NOON)
    walker.go(path("ranked-by", tournament))
    assert DECIDED in walker.press("Preview the change", ranked_by="share")


def test_tie_breaks_are_ordered_and_the_change_is_published(organiser: Client, club: Club) -> None:
    tournament = of_four(club, ranked_by=RankedBy.POINTS)
    usual = [each.key for each in criteria_of(tournament)]
    walker = Walker(organiser, path("tournament-edit", tournament))
    proposed = path("ranked-by", tournament) + f"?tie_breaks=lots,{'zz,' * 99}lots"
    form = organiser.get(proposed).context["form"]
    assert [field.value() or "" for field in form.tie_breaks] == ["lots", *[""] * 5]
    walker.follow("Tie-breaks: what decides the standings")
    lacks(walker.text, "Rounds not played count as")
    answers = {"tie_break_1": "Buchholz (BH)", "tie_break_2": "Buchholz (BH)"}
    refused = walker.press("Preview the change", **answers, tie_break_3="")
    shows(refused, "This is in the list already: choose another, or leave it empty.")
    lacks(refused, "Change it")
    walker.press("Preview the change", tie_break_2="Lot")
    shows(
        walker.text,
        "The tie-breaks would change",
        "Hands have been played.",
        "So far: Points, then Dalmuti, then",
        "From now on: Points, then Buchholz, then Lot.",
        "Lots are drawn when you change it",
        "Rounds not played count as FIDE’s Tie-Break Regulations of March 2026 say (article 16):",
    )
    walker.press("Change it")

    tournament.refresh_from_db()
    seed = tournament.lots_seed
    assert (tournament.tie_breaks, seed is None) == (["buchholz", "lots"], False)
    [change] = tournament.ranking_changes
    now = ["points", "buchholz", "lots"]
    assert change.pop("at").startswith("20")
    assert change == {"round": 1, "before": usual, "after": now}
    numbers = LogEntry.objects.get(verb="ranking-changed").numbers
    assert (numbers["criteria_before"], numbers["criteria_after"]) == (usual, now)
    walker.go(path("log", club))
    shows(walker.text, "by Points, then Buchholz, then Lot; before: Points, then")
    walker.follow("Rank as before")
    walker.press("Change it")
    tournament.refresh_from_db()
    assert (tournament.tie_breaks, tournament.lots_seed) == ([], seed)
    assert [each["after"] for each in tournament.ranking_changes] == [now, usual]


def test_tie_breaks_left_alone_become_those_that_suit_what_ranks(
    organiser: Client, club: Club
) -> None:
    tournament = make.tournament("albastini", "4t2", teams=True, club=club)
    walker = Walker(organiser, path("ranked-by", tournament))
    walker.press("Preview the change", ranked_by="match_points")
    shows(walker.text, "From now on: Match points, then Victory points, then Won")
    lacks(walker.text, "Hands have been played.")
    walker.press(
        "Preview the change", ranked_by="game", tie_break_1="Won", tie_break_2="Victory points"
    )
    shows(walker.text, "This does not suit the format or what decides the standings")
    lacks(walker.text, "Change it")


def test_no_settings_change_a_bracket_or_what_is_official(organiser: Client, club: Club) -> None:
    walker = Walker(organiser, path("tournament-new", club, query="?game=albastini"))
    cup = {"mode": "2i", "movement": "knock-out", "third_place": "on", "length": "1"}
    walker.press("Make the tournament", names="A1\nA2\nA3\nA4", **cup)
    tournament = Tournament.objects.get()
    for number in (1, 2):
        walker.go(path("draw", tournament))
        walker.press(f"Draw round {number}")
        walker.press(f"Open round {number}")
        round_ = tournament.rounds.get(number=number)
        for table in round_.sittings.all():
            play(table, {"eaten": [70, 50]})
        act.close(round_)
    before = standings(tournament)

    def save(**answers: str) -> str:
        walker.go(path("tournament-edit", tournament))
        return walker.press("Save", **answers)

    assert "already: the bracket decides the standings." in save(movement="by lot", third_place="")
    Tournament.objects.update(official_at=make.NOON)
    assert DECIDED in save(third_place="")
    save(name="Cup of all")
    tournament.refresh_from_db()
    assert (tournament.name, standings(tournament)) == ("Cup of all", before)


@pytest.mark.parametrize(
    "credit", [{"rest_credit": "average"}, {"rest_credit": "fixed", "rest_points": 2}]
)
def test_where_a_share_decides_who_sat_out_is_given_no_figure(
    client: Client, club: Club, credit: dict[str, Any]
) -> None:
    tournament = of_four(club, ranked_by=RankedBy.SHARE, **credit)
    round_ = make.round_of(tournament)
    (resting,) = act.enter(tournament, "Zuwena")
    Rest.objects.create(round=round_, entrant=resting)
    make.sitting(*PEOPLE, in_round=round_)
    act.close(round_, anyway=True)

    standing = standings(tournament)
    [(name, says, points)] = award_lines(standing, page_names(standing.people))
    assert (name, points) == ("Zuwena", "")
    assert says in {"Round 2: sat out", "Round 2: sat out, but no table played"}
    shows(client.get(tournament.get_absolute_url()), "Sitting out changes nobody’s share.")


def test_a_credit_says_of_what_it_is_the_average(organiser: Client, club: Club) -> None:
    tournament = of_four(club, ranked_by=RankedBy.POINTS)
    round_ = make.round_of(tournament, games=None, hands=2)
    Rest.objects.create(round=round_, entrant=entrant(tournament, "Asha"))
    table = played(tournament, GAME, GAME, names=("Sefu", *PEOPLE[1:]))
    act.close(round_, anyway=True)
    page = organiser.get(tournament.get_absolute_url())
    shows(page, "Round 2: sat out, earns the own average")
    walker = Walker(organiser, path("hand-correct", table, 2))
    walker.press("Delete this game")

    shows(walker.text, "Asha: sitting out is worth 3 points, not 6 points.")


def test_with_one_stage_nobody_ended_in_any(client: Client, club: Club) -> None:
    page = client.get(path("final-ranking", of_four(club)))
    shows(page, "Asha")
    lacks(page, "Ended in", "Qualifying")
