"""What the pages about results cost: as many statements however much was played."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertNumQueries

from tests import act, make
from tests.tracker.results.phones import Phone
from tracker.models import AwardKind, Confirm, Hand, Role, Sitting
from tracker.results.services.issues import query_hand
from tracker.standings.services.standings import give_award

pytestmark = pytest.mark.django_db
MANY = pytest.mark.parametrize(("tables", "hands"), [(1, 1), (3, 10)])


def lay(tables: int, hands: int, confirm: Confirm = Confirm.ONE) -> Sitting:
    """Let tables play, query and correct so many hands, and return the first of them."""
    at = make.tournament(hands=12, confirm=confirm)
    for _ in range(tables):
        sitting = make.sitting(at=at)
        for number in range(1, hands + 1):
            make.report(sitting, {"eaten": [70, 50]}, device="a", side=0)
            query_hand(token=sitting.token, number=number, note="", by=make.actor())
    first = Sitting.objects.earliest("pk")
    for again in range(1, hands):
        changes = {1: {"eaten": [60 + again, 60 - again]}}
        act.correct(first, changes, who=make.user())
    entrant = first.seats.get(place=0).entrant_id
    for amount in range(1, hands + 1):
        award: dict[str, Any] = {"kind": AwardKind.AWARD, "entrant_id": entrant}
        give_award(tournament_id=at.pk, amount=amount, reason="Late", by=make.actor(), **award)
    return first


@MANY
def test_pages_of_results_cost_the_same_however_much_was_played(tables: int, hands: int) -> None:
    table = lay(tables, hands)
    at = [table.round.tournament_id]
    organiser, stranger = act.sign_in(Role.ORGANISER, table), Client()
    # Of the organiser's the first three are session, user, and what the page is about with the role.
    for client, statements, path in (
        (organiser, 5, reverse("round-undo", args=[table.round_id])),  # tables, hands
        (organiser, 7, reverse("sitting", args=[table.pk])),  # role, people, hands, what is open
        (organiser, 7, reverse("paper", args=[table.pk])),  # reports, tables, people, hands
        (organiser, 5, reverse("paper-file", args=at)),  # rounds with tables, people
        (organiser, 6, reverse("awards", args=at)),  # entrants, rounds, awards
        # The tournament; its tables and people, to choose from; how many hands, those of the
        # page, the people and sheets of their tables.
        (stranger, 6, reverse("hands", args=at)),
        # The table, its round, its hands; acts, reports, the table of them, what hands were played
        # from.
        (stranger, 7, reverse("hand", args=[table.pk, 1])),
        # The revision, the table with its people, its hands, whether anything is open and what,
        # its round.
        (stranger, 6, table.get_absolute_url()),
        (stranger, 2, reverse("enter-wins", args=[table.token])),  # the table, its people
    ):
        with assertNumQueries(statements):
            page = client.get(path)
        assert page.status_code == 200, path

    listed = stranger.get(reverse("hands", args=at)).context["table"].page.object_list
    assert len(listed) == min(25, Hand.objects.count())
    sheet = {"entry": str(uuid4()), "number": hands + 1, "eaten_0": 70, "eaten_1": 50}
    with assertNumQueries(1):  # the table with its people
        stranger.post(reverse("table-check", args=[table.token]), sheet)


@MANY
def test_asking_another_side_costs_no_statement(tables: int, hands: int) -> None:
    table = lay(tables, hands, Confirm.BOTH)
    theirs = Phone(table, 1)
    with assertNumQueries(6):  # as the page of a table where nobody confirms
        theirs.get(theirs.path)
