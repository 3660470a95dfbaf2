"""What a career looks like: places, shares and points as plots, and the same in numbers."""

from datetime import timedelta
from fractions import Fraction

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from tests import make
from tests.make import NOON
from tracker.careers import plots
from tracker.careers.logic.plots import BOTTOM, LEFT, MOST_POINTS, RIGHT, TOP, over_time
from tracker.careers.queries.careers import career
from tracker.careers.queries.head_to_head import pair
from tracker.models import Club, Player, Sitting, Tournament

pytestmark = pytest.mark.django_db

FOUR = ("Asha", "Neema", "Juma", "Baraka")
NIGHTS = (
    ([70, 50], 0),
    ([30, 90], 7),
    ([60, 60], 14),
)  # what the sides ate, and after how many days


@pytest.fixture
def asha() -> Player:
    club = make.club()
    for eaten, days in NIGHTS:
        tournament = make.tournament(club=club, name=f"Night {days}", hands=8)
        make.report(make.sitting(*FOUR, at=tournament), {"eaten": eaten})
        night = NOON + timedelta(days=days)
        Tournament.objects.filter(pk=tournament.pk).update(created_at=night)
        Sitting.objects.filter(round__tournament=tournament).update(started_at=night)
    return make.player("Asha", club=club)


def page_of(client: Client, player: Player) -> str:
    return client.get(reverse("player", args=[player.pk])).text


def test_the_first_figure_stands_left_and_the_best_above() -> None:
    plot = over_time([Fraction(0), Fraction(1), Fraction(1, 2)], Fraction(0), Fraction(1))

    middle = (LEFT + RIGHT) // 2, (TOP + BOTTOM) // 2
    assert plot.path == f"{LEFT},{BOTTOM} {middle[0]},{TOP} {RIGHT},{middle[1]}"


def test_form_goes_from_the_first_night_to_the_last(asha: Player) -> None:
    form, _ = plots.of_career(career(asha))

    assert [figure for *_, figure in form.numbers] == ["1= of 4", "3= of 4", "1= of 4"]
    assert (form.first, form.last) == ("20 Nov 2026", "4 Dec 2026")
    assert [words for _, words in form.across] == ["last", "middle", "first"]


def test_what_was_eaten_is_a_plot_of_its_own(asha: Player) -> None:
    _, eaten = plots.of_career(career(asha))

    assert eaten.title == "Eaten in Albastini"
    assert [figure.split()[0] for *_, figure in eaten.numbers] == ["50.0", "25.0", "58.3"]


def test_a_game_without_a_share_has_none() -> None:
    club = make.club()
    for _ in range(2):
        tournament = make.tournament("briscola", "4t2", club=club)
        make.report(make.sitting(*FOUR, at=tournament), {"bare": 0})

    titles = [plot.title for plot in plots.of_career(career(make.player("Asha", club=club)))]
    assert titles == ["Form"]


def test_one_night_is_no_form() -> None:
    tournament = make.tournament(hands=8)
    make.report(make.sitting(*FOUR, at=tournament), {"eaten": [70, 50]})

    assert plots.of_career(career(make.player("Asha", club=tournament.club))) == ()


def test_only_the_latest_are_drawn(asha: Player) -> None:
    life = career(asha)
    many = life.tournaments * 20

    (form, *_) = plots._form(many)

    assert len(form.plot.dots) == len(form.numbers) == MOST_POINTS


def test_points_are_told_by_partner_or_where_there_is_one_by_opponent(asha: Player) -> None:
    bars = plots.where_points_came_from(career(asha))

    assert bars is not None
    assert bars.title == "Victory points in Albastini, by opponent"
    assert bars.rows == (("Baraka", "1", 100), ("Neema", "1", 100))


def test_partners_have_their_points_a_hand_over_time(asha: Player) -> None:
    juma = make.player("Juma", club=Club.objects.get())

    (plot,) = plots.of_pair(pair(asha.pk, juma.pk).meetings)

    assert plot.title == "Points a hand as partners in Albastini"
    assert [figure for *_, figure in plot.numbers] == ["0.00", "0.00", "1.00"]


def test_opponents_have_no_plot_of_partners(asha: Player) -> None:
    neema = make.player("Neema", club=Club.objects.get())

    assert plots.of_pair(pair(asha.pk, neema.pk).meetings) == ()


def test_a_page_has_the_plots_with_a_title_and_in_numbers(client: Client, asha: Player) -> None:
    page = client.get(reverse("player", args=[asha.pk]))

    assertContains(page, '<polyline class="plot-line"', count=2)
    assertContains(page, '<title id="plot-1-title">Form</title>')
    assertContains(page, "In numbers", count=2)
    assertContains(page, "<dt>Night 14 ")
    assertNotContains(page, "style=")


def test_every_table_is_downloaded_from_one_place(client: Client, asha: Player) -> None:
    text = page_of(client, asha)

    assert text.count("_export=csv") == 3
    assert text.index("<summary>Download</summary>") < text.index("_export=csv")
