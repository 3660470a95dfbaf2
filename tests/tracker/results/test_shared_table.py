"""A table's page that was rendered for another phone is the one this phone would have got."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from random import Random

import pytest
from django.db import transaction
from django.middleware.csrf import _does_token_match  # type: ignore[attr-defined]
from django.test import Client
from django.utils import timezone
from hypothesis import given, strategies as st
from pytest_django import DjangoAssertNumQueries, Settings

from games.errors import RuleError
from tests import make
from tests.drilled import examples
from tests.tracker.results.test_spine_properties import DEVICES, HAPPENINGS, TABLES, Evening
from tracker.common.web import polling
from tracker.models import CallReason, Role, Round, Sitting
from tracker.results.pages import shared_table
from tracker.results.services.calls import call_organiser
from tracker.tables.clocks import Clock
from tracker.tables.revisions import count_up

pytestmark = pytest.mark.django_db
SECRETS = re.compile(r'name="(csrfmiddlewaretoken|entry)" value="([^"]+)"')
SIDES = (None, "", "0", "1", "7")


@pytest.fixture(autouse=True)
def keeping(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Keep pages, and let no period of theirs end within a test."""
    settings.SHARED_PAGES = 64
    monkeypatch.setattr(polling, "time", lambda: 0.0)
    yield
    shared_table._pages.clear()


def phone(device: str | None = None, side: str | None = None) -> Client:
    """Return a phone with these cookies and no others: its session has just begun."""
    client = Client()
    for cookie, value in (("kula_device", device), ("kula_side", side)):
        if value is not None:
            client.cookies[cookie] = value
    return client


def page(client: Client, sitting: Sitting, query: str = "") -> str:
    """Return the page as this phone gets it, with a token that fits the phone's cookie."""
    answer = client.get(sitting.get_absolute_url() + query)
    assert answer.status_code == 200
    cookie = client.cookies["csrftoken"].value
    for name, value in SECRETS.findall(answer.text):
        assert name == "entry" or _does_token_match(value, cookie)
    return answer.text


def without_secrets(text: str) -> str:
    return SECRETS.sub(r'name="\1"', text)


def secrets_in(text: str) -> set[str]:
    return {value for _name, value in SECRETS.findall(text)}


def start_clock(evening: Evening) -> None:
    Round.objects.update(clock=Clock.start(25, timezone.now()).to_json())
    count_up(evening.made.pk)


def call(evening: Evening) -> None:
    call_organiser(
        token=evening.made.token, reason=CallReason.OTHER, note="Come", by=make.actor(device="b")
    )


@pytest.mark.parametrize(("game", "mode"), TABLES)
@examples(4, full=25)
@given(
    seed=st.integers(0, 2**32),
    happenings=st.lists(st.sampled_from([*HAPPENINGS, start_clock, call]), min_size=2, max_size=8),
)
def test_every_phone_sees_what_it_would_see_without_others(
    game: str, mode: str, seed: int, happenings: list[Callable[[Evening], None]]
) -> None:
    rng, now = Random(seed), timezone.now()
    with transaction.atomic(), pytest.MonkeyPatch.context() as patched:
        patched.setattr(timezone, "now", lambda: now)
        evening = Evening(game, mode, rng)
        for happening in happenings:
            try:
                happening(evening)
            except RuleError:
                continue
            known: set[str] = set()
            for _phone in range(5):
                now += timedelta(seconds=rng.randrange(300))
                cookies = rng.choice([None, "new", "other", *DEVICES]), rng.choice(SIDES)
                query = rng.choice(["", "", "?hands"])

                shown = page(phone(*cookies), evening.made, query)

                assert not known & secrets_in(shown)
                known |= secrets_in(shown)
                kept = dict(shared_table._pages)
                shared_table._pages.clear()
                rendered = page(phone(*cookies), evening.made, query)
                assert without_secrets(shown) == without_secrets(rendered)
                shared_table._pages.update(kept)
        transaction.set_rollback(True)


def test_a_page_is_rendered_once_for_all_phones_that_have_not_reported(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    table = make.sitting()
    make.report(table, {"eaten": [70, 50]}, device="writer")
    first = page(phone("one"), table)

    with django_assert_num_queries(1):  # the revision
        second = page(phone("two"), table)
    assert without_secrets(second) == without_secrets(first).replace(tag(first), tag(second))
    own = page(phone("writer"), table)
    assert "Undo" in own
    assert "Undo" not in first
    assert without_secrets(page(phone("three"), table)) != without_secrets(own)


def test_a_hand_that_was_reported_is_on_the_next_page_of_every_phone() -> None:
    table = make.sitting()
    page(phone("one"), table)
    make.report(table, {"eaten": [70, 50]})
    assert ["70–50" in page(phone(name), table) for name in ("one", "two")] == [True, True]


def test_people_who_are_signed_in_have_a_page_of_their_own() -> None:
    table = make.sitting()
    organiser = phone("one")
    organiser.force_login(make.user(role=Role.ORGANISER, club=table.round.tournament.club))
    page(organiser, table)
    assert not shared_table._pages
    page(phone("two"), table)
    assert len(shared_table._pages) == 1


@pytest.mark.parametrize("query", ["?saved=1&as=accepted", "?hand=1", "?speak", "?side=0", "?x=1"])
def test_an_address_that_one_phone_has_is_not_kept(query: str) -> None:
    table = make.sitting()
    make.report(table, {"eaten": [70, 50]})
    page(phone("one"), table, query)
    assert not shared_table._pages


def test_the_clock_goes_on_in_a_kept_page(monkeypatch: pytest.MonkeyPatch) -> None:
    table, now = make.sitting(), timezone.now()
    Round.objects.update(clock=Clock.start(25, now).to_json())
    monkeypatch.setattr(timezone, "now", lambda: now)
    assert "25:00" in page(phone("one"), table)
    now += timedelta(minutes=25)

    rung = page(phone("two"), table)

    assert "Time is up" in rung
    assert "25:00" not in rung
    assert len(shared_table._pages) == 1


def test_a_phone_without_a_cookie_is_given_a_name_by_a_kept_page() -> None:
    table = make.sitting()
    page(phone(), table)
    client = phone()
    page(client, table)
    assert client.cookies["kula_device"].value
    assert table.token in client.cookies["kula_tables"].value


def tag(text: str) -> str:
    [found] = re.findall(r'data-tag="([^"]+)"', text)
    return str(found)
