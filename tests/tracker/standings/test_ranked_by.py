"""What a tournament ranks by: chosen when it is made, kept, and changed by nothing but its own act."""

from html import unescape
from importlib import import_module
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.urls import reverse

import tracker
from tests import make
from tests.tracker.formats.walking import Walker
from tracker.common.names import page_names
from tracker.models import (
    Award,
    AwardKind,
    CarryOver,
    LogEntry,
    Membership,
    RankedBy,
    Rest,
    Role,
    Round,
    RoundState,
    Tournament,
)
from tracker.nights.services.closing import close_round
from tracker.nights.services.tonight import begin_tonight
from tracker.standings.pages.standings import award_lines
from tracker.standings.queries.standings import standings

pytestmark = pytest.mark.django_db


def played(tournament: Tournament, *sizes: int, state: RoundState = RoundState.CLOSED) -> None:
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
            played(tournament, *sizes)

    begun("one table", (4,), (4,))
    begun("several", (4,), (4, 4), (4,))
    begun("sizes differ", (4,), (4, 4), (4, 5), (4, 4))
    begun("nobody yet")
    begun("odd tables to come", leftover="odd_table")
    begun("one goes on", (4,), follows=Tournament.objects.get(name="one table"), stage="Final",
          carry_over=CarryOver.ALL)  # fmt: skip
    taken_back = make.tournament("mambassa", "4i", club=club, name="taken back")
    played(taken_back, 4)
    played(taken_back, 3, 4, state=RoundState.UNDONE)
    several = make.tournament(club=club, name="another game")
    played(several)
    award = Award.objects.create(
        tournament=several,
        entrant=make.entrant(make.player("Asha", club=club), at=several),
        kind=AwardKind.AWARD,
        amount=2,
        reason="Tea",
    )
    LogEntry.objects.create(club=club, at=make.NOON, verb="award-given", on={"award": award.pk})

    [file] = Path(tracker.__file__).parent.glob("migrations/*_ranked_by.py")
    migration = import_module(f"tracker.migrations.{file.stem}")
    editor = SimpleNamespace(connection=connection)
    migration.rank_as_before(apps, editor)
    migration.date_awards(apps, editor)

    assert {
        each.name: (
            each.ranked_by,
            [
                (round_.published_standing or {}).get("ranked_by")
                for round_ in each.rounds.order_by("number")
            ],
        )
        for each in Tournament.objects.all()
    } == {
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
def organiser(client: Client) -> Client:
    client.force_login(make.user(role=Role.ORGANISER, club=make.club()))
    return client


def of_four(organiser: Client, **more: Any) -> Tournament:
    """Make a tournament of Dalmuti in the organiser's club; a table of four has played a round."""
    membership = Membership.objects.get(user_id=organiser.session["_auth_user_id"])
    tournament = make.tournament("dalmuti", "4i", club=membership.club, games=1, **more)
    table = make.sitting("Asha", "Juma", "Neema", "Omari", at=tournament)
    make.report(table, {"order": [0, 1, 2, 3]})
    close_round(round_id=table.round_id, anyway=True, by=make.actor(at=make.NOON))
    return tournament


def shown(client: Client, tournament: Tournament, number: int | None = None) -> str:
    query = f"?round={number}" if number else ""
    return unescape(client.get(tournament.get_absolute_url() + query).text).replace("\xa0", " ")


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
    organiser: Client, answers: dict[str, str], ranked_by: RankedBy
) -> None:
    club = Membership.objects.get(user_id=organiser.session["_auth_user_id"]).club
    walker = Walker(organiser, reverse("tournament-new", args=[club.pk]) + "?game=dalmuti")

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


def test_a_second_table_is_said_before_its_draw_is_published(organiser: Client) -> None:
    tournament = of_four(organiser)
    draw = Walker(organiser, reverse("draw", args=[tournament.pk]))

    draw.press("Draw round 2")
    assert "which suits a single table" not in draw.text
    draw.press("Draw round 2 like this", names="Sefu\nKito\nImani\nZuri")

    assert "The standings go by Dalmuti, which suits a single table." in draw.text
    tournament.refresh_from_db()
    assert tournament.ranked_by == RankedBy.GAME


def test_a_game_with_one_ranking_is_not_told_that_it_suits_a_single_table(
    organiser: Client,
) -> None:
    tournament = make.tournament("albastini", club=Membership.objects.get().club, hands=2)
    draw = Walker(organiser, reverse("draw", args=[tournament.pk]))

    draw.press("Draw round 1", names="\n".join(f"P{number}" for number in range(8)))

    assert "The standings go by" not in draw.text


def test_what_decides_is_changed_by_an_act_that_says_what_it_moves(organiser: Client) -> None:
    tournament = of_four(organiser, ranked_by=RankedBy.POINTS)
    walker = Walker(organiser, reverse("awards", args=[tournament.pk]))
    walker.press("Save", entrant="Omari", kind="award", amount="9", reason="tea")
    assert "+9 points" in walker.text
    before = shown(organiser, tournament)
    assert "Award: tea" in before
    assert "+9 points" in before

    walker.go(tournament.get_absolute_url())
    walker.follow("Change what decides")
    walker.press("Preview the change", ranked_by="share")
    assert tournament.ranked_by == RankedBy.POINTS
    assert "The standings would go by Beaten, not by Points" in walker.text
    assert "1 award or rest was given in something else and would not count." in walker.text
    walker.press("Change it")

    after = shown(organiser, tournament)
    assert "+9 points" in after  # it keeps its unit, and does not count
    assert "Award: tea; it does not count where Beaten decides" in after
    assert "9.0 %" not in after
    # What was announced stays as it was, in its own unit.
    then = shown(organiser, tournament, 1)
    assert "nothing was corrected since" in then
    assert "place 1, with 3" in then
    walker.go(reverse("log", args=[tournament.club_id]))
    assert "ranked Friday Cup by Beaten, not Points." in walker.text
    walker.follow("Rank as before")
    walker.press("Preview the change")
    walker.press("Change it")
    tournament.refresh_from_db()
    assert tournament.ranked_by == RankedBy.POINTS


def test_what_is_official_is_not_ranked_otherwise(organiser: Client) -> None:
    tournament = of_four(organiser, ranked_by=RankedBy.POINTS)
    Tournament.objects.update(official_at=make.NOON)
    walker = Walker(organiser, reverse("ranked-by", args=[tournament.pk]))

    walker.press("Preview the change", ranked_by="share")

    assert "The standings are official: reopen the tournament first." in walker.text


def test_a_played_bracket_decides_and_what_is_official_stays_whatever_the_settings_say(
    organiser: Client,
) -> None:
    walker = Walker(organiser, Membership.objects.get().club.get_absolute_url())
    walker.go(
        reverse("tournament-new", args=[Membership.objects.get().club_id]) + "?game=albastini"
    )
    cup: dict[str, str] = {
        "mode": "2i",
        "movement": "knock-out",
        "third_place": "on",
        "length": "1",
    }
    walker.press("Make the tournament", names="A1\nA2\nA3\nA4", **cup)
    tournament = Tournament.objects.get()
    for number in (1, 2):
        walker.go(reverse("draw", args=[tournament.pk]))
        walker.press(f"Draw round {number}")
        walker.press(f"Open round {number}")
        round_ = tournament.rounds.get(number=number)
        for table in round_.sittings.all():
            make.report(table, {"eaten": [70, 50]})
        close_round(round_id=round_.pk, by=make.actor())
    before = standings(tournament)

    def save(**answers: str) -> str:
        walker.go(reverse("tournament-edit", args=[tournament.pk]))
        return walker.press("Save", **answers)

    assert "already: the bracket decides the standings." in save(movement="by lot", third_place="")
    Tournament.objects.update(official_at=make.NOON)
    for answers in ({"third_place": ""}, {"tie_break_1": "Won"}):
        assert "The standings are official: reopen the tournament first." in save(**answers)
    save(name="Cup of all")
    tournament.refresh_from_db()
    assert (tournament.name, standings(tournament)) == ("Cup of all", before)


@pytest.mark.parametrize(
    "credit", [{"rest_credit": "average"}, {"rest_credit": "fixed", "rest_points": 2}]
)
def test_where_a_share_decides_who_sat_out_is_given_no_figure(
    organiser: Client, credit: dict[str, Any]
) -> None:
    tournament = of_four(organiser, ranked_by=RankedBy.SHARE, **credit)
    resting = make.entrant(make.player("Zuwena", club=tournament.club), at=tournament)
    round_ = make.round_of(tournament)
    Rest.objects.create(round=round_, entrant=resting)
    make.sitting("Asha", "Juma", "Neema", "Omari", in_round=round_)

    close_round(round_id=round_.pk, anyway=True, by=make.actor())

    page = shown(organiser, tournament)
    standing = standings(tournament)
    [(name, says, points)] = award_lines(standing, page_names(standing.people))
    assert (name, points) == ("Zuwena", "")
    assert says in {"Round 2: sat out", "Round 2: sat out, but no table played"}
    assert "Sitting out changes nobody’s share." in page


def test_a_credit_says_of_what_it_is_the_average_and_a_correction_names_it(
    organiser: Client,
) -> None:
    tournament = of_four(organiser, ranked_by=RankedBy.POINTS)
    round_ = make.round_of(tournament, games=None, hands=2)
    Rest.objects.create(round=round_, entrant=tournament.entrants.get(player__name="Asha"))
    table = make.sitting("Sefu", "Juma", "Neema", "Omari", in_round=round_)
    for _ in range(2):
        make.report(table, {"order": [0, 1, 2, 3]})
    close_round(round_id=round_.pk, anyway=True, by=make.actor())
    assert "Round 2: sat out, earns the own average" in shown(organiser, tournament)

    walker = Walker(organiser, reverse("hand-correct", args=[table.pk, 2]))
    walker.press("Delete this game")

    assert "Asha: sitting out is worth 3 points, not 6 points." in walker.text


def test_a_tournament_of_one_stage_has_no_stage_in_which_anybody_ended(organiser: Client) -> None:
    tournament = of_four(organiser)

    page = organiser.get(reverse("final-ranking", args=[tournament.pk])).text

    assert "Asha" in page
    assert "Ended in" not in page
    assert "Qualifying" not in page
