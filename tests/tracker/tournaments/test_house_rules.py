"""Old tournaments whose game has changed its house rules since: every page still opens."""

from random import Random

import pytest
from django.test import Client
from django.urls import reverse

from games import catalogue
from tests import make
from tests.tracker.sheets import MAKERS
from tracker.models import Role, Round, RoundState, Sitting, Tournament

pytestmark = pytest.mark.django_db


# The pages that read the house rules of a tournament, by what they are about.
PAGES = {
    "club": ("club", "tournaments", "tonight"),
    "tournament": (
        "tournament", "tournament-edit", "desk", "dealers", "tournament-display", "hands",
        "official", "prizes", "awards", "stage-new", "final-ranking", "story", "paper-file",
        "print-cards", "print-blank",
    ),
    "round": ("round-close", "round-undo", "round-seats", "print-sheets", "print-seats"),
    "table": ("sitting", "paper", "enter-result-type"),
}  # fmt: skip


def pages_of(tournament: Tournament, table: Sitting) -> list[str]:
    """Return the pages that read the house rules of a tournament with this table."""
    keys = {
        "club": tournament.club_id,
        "tournament": tournament.pk,
        "round": table.round_id,
        "table": table.pk,
    }
    return [
        *(reverse(name, args=[keys[about]]) for about, names in PAGES.items() for name in names),
        reverse("hand-correct", args=[table.pk, 1]),
        reverse("player", args=[table.seats.earliest("pk").player_id]),
        reverse("table", args=[table.token]),
    ]


@pytest.mark.parametrize("slug", MAKERS)
def test_a_house_rule_that_a_game_dropped_or_changed_spoils_no_page(
    client: Client, slug: str
) -> None:
    game = catalogue.GAMES[slug]
    length = (None, 2) if game.round_in_games else (2, None)
    tournament = make.tournament(slug, hands=length[0], games=length[1])
    table = make.sitting(at=tournament)
    sides = game.mode(table.mode, table.options).sides
    make.report(table, MAKERS[slug](Random(1), sides, table.session))
    # As a site would have it that was kept since before: one answer is of a rule that is
    # gone, one is not offered any more, and a rule that came later has no answer.
    changed, *_, learnt = game.options
    old = {**game.default_options(), "gone_by_now": "yes", changed.name: "as it was"}
    del old[learnt.name]
    Tournament.objects.update(options=old)
    Sitting.objects.update(options=old)
    client.force_login(make.user(role=Role.ORGANISER, club=tournament.club))
    pages = pages_of(tournament, table)

    answers = {page: client.get(page).status_code for page in pages}

    assert answers == dict.fromkeys(pages, 200)
    Round.objects.update(state=RoundState.CLOSED)
    assert client.get(reverse("draw", args=[tournament.pk])).status_code == 200


def test_the_house_rules_of_a_tournament_are_those_its_game_knows_today() -> None:
    tournament = make.tournament()
    usual = dict(tournament.options)
    changed, *_ = usual
    tournament.options = {**usual, changed: "as it was", "gone_by_now": True}

    assert tournament.house_rules == usual
