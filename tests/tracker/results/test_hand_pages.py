"""Whatever has become of a table, the pages about each of its hands can be read, and used."""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from games.errors import RuleError
from tests import act, make
from tests.drilled import FULL
from tests.reading import Forms, form_with, lacks, shows
from tests.tracker.results.test_spine_properties import HAPPENINGS, Evening
from tracker.models import Hand, Issue, IssueKind, Role, Sitting
from tracker.results.services.corrections import RESTORE, STRIKE
from tracker.results.services.issues import query_hand

pytestmark = pytest.mark.django_db

TABLES = [("albastini", "5i"), ("briscola", "4t2"), ("dalmuti", "4i"), ("mambassa", "3i")]


def pages_of(table: Sitting) -> Iterator[str]:
    """Yield the address of every page that tells of this table's hands."""
    yield reverse("sitting", args=[table.pk])
    yield reverse("hands", args=[table.round.tournament_id])
    yield reverse("desk", args=[table.round.tournament_id])
    yield from sheets_of(table)


def sheets_of(table: Sitting) -> Iterator[str]:
    """Yield the address of every page on which a sheet of this table can be handed in."""
    yield reverse("paper", args=[table.pk])
    yield table.get_absolute_url()
    for number in Hand.objects.values_list("number", flat=True):
        yield reverse("hand-correct", args=[table.pk, number])
        yield f"{table.get_absolute_url()}?hand={number}"
    for issue in Issue.objects.exclude(kind=IssueKind.CALL):
        yield reverse("issue", args=[issue.pk])


def broken(client: Client, pages: Iterable[str]) -> dict[str, int]:
    """Return those of these pages that cannot be shown."""
    answers = {path: client.get(path).status_code for path in pages}
    return {path: status for path, status in answers.items() if status != 200}


def signed_in(table: Sitting) -> Client:
    return act.sign_in(Role.OWNER, table, Client(raise_request_exception=False))


# A player who is out by a correction -------------------------------------------------------------


@pytest.fixture
def table() -> Sitting:
    """Three hands of Mambassa are paid, and of the fourth only the order of the game is told."""
    table = make.sitting("Asha", "Neema", "Juma", at=make.tournament("mambassa", "3i"))
    for payers in ([1], [0], [0]):
        make.report(table, {"event": "normal", "payers": payers})
    make.report(table, {"bare": [0, 1, 2]})
    return table


def test_order_that_names_who_is_out_now_is_laid_beside_the_correction(table: Sitting) -> None:
    path = reverse("hand-correct", args=[table.pk, 1])
    client = signed_in(table)
    form = form_with(client.get(path), path, "h1-event")
    sent = {"h1-event": "normal", "h1-payers": ["0"], "h1-dealer": "", "reason": "Asha paid"}
    page = client.post(path, form.pressing("step", "look", **sent))
    shows(page, 'name="h4-bare_1"')
    lacks(page, 'name="h4-bare_0"')  # who is out finishes last, whatever is written


def test_pages_of_an_order_that_was_struck_before_the_correction_stay_open(table: Sitting) -> None:
    query_hand(token=table.token, number=4, note="", by=make.actor(device="c"))
    act.correct(table, {4: STRIKE})
    act.correct(table, {1: {"event": "normal", "payers": [0]}})
    client, path = signed_in(table), reverse("hand-correct", args=[table.pk, 4])
    assert broken(client, pages_of(table)) == {}
    refused = client.post(path, {"change": RESTORE.value, "reason": "x", "step": "look"})
    assert refused.status_code == 200
    shows(refused, "Asha is out of the game; one of these deals: ")


# Whatever happens --------------------------------------------------------------------------------


def sent_again(client: Client, path: str, rng: Random) -> int:
    """Hand in a page's form with some answers changed, and return what that is answered."""
    page = client.get(path)
    page_itself = path.partition("?")[0]
    own = [form for form in Forms(page.text, path).forms if form.path.startswith(page_itself)]
    if not own:  # what is settled asks nothing more
        return int(page.status_code)
    form = rng.choice(own)
    return client.post(form.path, form.fields | changed(form.fields, rng)).status_code


def changed(fields: dict[str, Any], rng: Random) -> dict[str, Any]:
    """Return other answers for some fields: numbers, seats, choices of other questions."""
    some = [key for key in fields if rng.randrange(3) == 0 and key != "csrfmiddlewaretoken"]
    others = ["", "0", "1", "2", "3", "4", "60", "normal", "mambassa", "none", "void", "on"]
    return {key: rng.choice(others) for key in some} | {"reason": "x", "step": "look"}


@pytest.mark.parametrize("seed", range(2 if FULL else 1))
@pytest.mark.parametrize(("game", "mode"), TABLES)
def test_no_page_about_a_hand_breaks(game: str, mode: str, seed: int) -> None:
    rng = Random(seed)
    evening = Evening(game, mode, rng)
    client = signed_in(evening.made)
    for happening in [Evening.report, *rng.choices(HAPPENINGS, k=8 if FULL else 6)]:
        try:
            with transaction.atomic():
                happening(evening)
        except RuleError:
            continue

        pages, sheets = [*pages_of(evening.made)], [*sheets_of(evening.made)]
        assert broken(client, pages if FULL else rng.sample(pages, 3)) == {}
        path = rng.choice(sheets)
        assert sent_again(client, path, rng) < 500, path
    assert broken(client, pages_of(evening.made)) == {}
