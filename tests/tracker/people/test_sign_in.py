"""The first owner, signing in and out, and the front page."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Barrier

import pytest
from axes.utils import reset
from django.contrib.auth import get_user
from django.core import signing
from django.db import connections
from django.test import Client
from django.utils import timezone
from pytest_django.asserts import assertContains, assertRedirects

from tests import act, make
from tests.reading import costs
from tracker.common.errors import Refused
from tracker.models import Club, LogEntry, Membership, Role, User
from tracker.people.services.clubs import (
    FIRST_OWNER_LASTS,
    check_first_owner,
    first_owner_path,
    make_first_owner,
)

pytestmark = pytest.mark.django_db

ANSWERS = {
    "club_name": "Upanga Card Club",
    "name": "Asha",
    "password": "seven of diamonds",
}


def path(now: datetime | None = None) -> str:
    address = first_owner_path(now=now or timezone.now())
    assert address is not None
    return address


def token(now: datetime) -> str:
    return path(now).split("/")[2]


# The first owner ------------------------------------------------------------------------------


def test_the_first_owner_opens_the_club_and_is_signed_in(client: Client) -> None:
    link = path()
    assertContains(client.get(link), "Open your club")

    answer = client.post(link, ANSWERS, follow=True)

    club, user = Club.objects.get(), User.objects.get()
    assertRedirects(answer, club.get_absolute_url())
    assertContains(answer, "Karibu, Asha! The club is yours. You sign in as “asha”.")
    assert club.name == "Upanga Card Club"
    assert get_user(client) == user
    assert user.username == "asha"
    assert user.check_password("seven of diamonds")
    assert Membership.objects.get(club=club, user=user).role == Role.OWNER
    log_entry = LogEntry.objects.get()
    assert (log_entry.verb, log_entry.user, log_entry.on) == ("club-made", user, {"club": club.pk})


def test_the_link_works_once(client: Client) -> None:
    link = path()
    client.post(link, ANSWERS)

    for again in [client.get(link), client.post(link, ANSWERS | {"name": "Juma"})]:
        assertContains(again, "This link was used already", status_code=410)
        assertContains(again, 'href="/sign-in/"', status_code=410)
    assert User.objects.count() == Club.objects.count() == 1
    assert first_owner_path(now=timezone.now()) is None


def test_the_link_is_good_for_a_day(client: Client, now: datetime) -> None:
    given_out = token(now)

    check_first_owner(given_out, now=now + FIRST_OWNER_LASTS)
    with act.refused("first-owner-late"):
        check_first_owner(given_out, now=now + FIRST_OWNER_LASTS + timedelta(seconds=1))

    late = client.get(path(timezone.now() - timedelta(hours=25)))
    assertContains(late, "This link was good for a day", status_code=404)


@pytest.mark.parametrize(
    "broken", ["x", "x:y", signing.Signer(salt="another").sign_object(2_000_000_000)]
)
def test_a_link_never_given_out_opens_nothing(client: Client, now: datetime, broken: str) -> None:
    assertContains(client.get(f"/first/{broken}/"), "Open it whole", status_code=404)
    with act.refused("first-owner-unknown"):
        check_first_owner(broken, now=now)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"password": "kadi"}, "Too short: 8 letters or more, please."),
        ({"password": "password1"}, "Too many people have this password."),
        ({"name": "\u200d"}, "Please write a name."),
        ({"club_name": ""}, "Your club needs a name"),
    ],
)
def test_what_is_wrong_is_said_beside_it_and_nothing_typed_is_lost(
    client: Client, wrong: dict[str, str], sentence: str
) -> None:
    typed = ANSWERS | wrong

    answer = client.post(path(), typed)

    assertContains(answer, sentence)
    for name, value in typed.items():
        assert answer.context["form"][name].value() == value
    assert not User.objects.exists()
    assert not Club.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_of_two_who_press_together_one_is_the_owner(now: datetime) -> None:
    given_out, together = token(now), Barrier(2)

    def press(who: str) -> str:
        together.wait()
        try:
            make_first_owner(
                token=given_out,
                club_name=who,
                name=who,
                username=who,
                password=who,
                by=make.actor(at=now),
            )
        except Refused as refused:
            return refused.code
        finally:
            connections.close_all()
        return "owner"

    with ThreadPoolExecutor(2) as hall:
        came = sorted(hall.map(press, ["asha", "juma"]))

    assert came == ["first-owner-there", "owner"]
    assert User.objects.count() == Club.objects.count() == 1


# Signing in and out ---------------------------------------------------------------------------


def test_signing_in_leads_back_to_where_one_wanted_to_go(client: Client) -> None:
    club = make.club(public=False)
    make.user("asha", role=Role.OWNER, club=club)
    wanted = f"/clubs/{club.pk}/edit/"
    page = client.get(wanted, follow=True)
    assertContains(page, f'name="next" value="{wanted}"')

    answer = client.post("/sign-in/", {"username": "asha", "password": "cards", "next": wanted})

    assertRedirects(answer, wanted)


def test_capitals_of_a_user_name_do_not_matter_while_one_user_is_meant(client: Client) -> None:
    make.user("neema")
    assertContains(client.get("/sign-in/"), "changepassword")

    assertRedirects(client.post("/sign-in/", {"username": "Neema", "password": "cards"}), "/")
    client.logout()
    make.user("Neema")
    client.post("/sign-in/", {"username": "NEEMA", "password": "cards"})
    assert get_user(client).is_anonymous
    client.post("/sign-in/", {"username": "Neema", "password": "cards"})
    assert get_user(client).get_username() == "Neema"


@pytest.mark.parametrize("elsewhere", ["https://elsewhere.test/", "//elsewhere.test", ""])
def test_signing_in_never_leads_to_another_site(client: Client, elsewhere: str) -> None:
    make.user("asha")

    answer = client.post("/sign-in/", {"username": "asha", "password": "cards", "next": elsewhere})

    assertRedirects(answer, "/")


def test_a_wrong_password_is_told_and_the_name_is_kept(client: Client) -> None:
    make.user("asha")

    answer = client.post("/sign-in/", {"username": "asha", "password": "CARDS"})

    assertContains(answer, "do not go together")
    assertContains(answer, 'value="asha"')
    assert get_user(client).is_anonymous


def test_who_is_signed_in_is_led_on(client: Client) -> None:
    client.force_login(make.user())

    assertRedirects(client.get("/sign-in/"), "/")


def test_a_guesser_waits_and_the_rest_of_the_hall_does_not(client: Client) -> None:
    make.user("asha")
    make.user("juma")

    for name in ("asha", "Asha") * 4:
        answer = client.post("/sign-in/", {"username": name, "password": "guess"})

    assertContains(answer, "Too many tries", status_code=429)
    other = client.post("/sign-in/", {"username": "juma", "password": "cards"})
    assertRedirects(other, "/")
    reset()


def test_signing_out_takes_a_press_and_not_a_link(client: Client) -> None:
    client.force_login(make.user())

    assert client.get("/sign-out/").status_code == 405
    assert get_user(client).is_authenticated
    assertRedirects(client.post("/sign-out/"), "/")
    assert get_user(client).is_anonymous


# The front page -------------------------------------------------------------------------------


def test_the_front_page_says_how_to_go_on_without_a_club_and_leads_to_the_only_one() -> None:
    visitor, user, member = Client(), Client(), Client()
    assertContains(visitor.get("/"), "Open your link")
    user.force_login(make.user())
    assertContains(user.get("/"), "You are in no club yet")
    private = make.club(public=False)
    member.force_login(make.user(role=Role.SCORER, club=private))
    assertContains(visitor.get("/"), "The clubs here are private")

    club = make.club()

    assertRedirects(visitor.get("/"), club.get_absolute_url())
    assertRedirects(member.get("/"), private.get_absolute_url())


def test_a_visitor_chooses_among_the_public_clubs(client: Client) -> None:
    make.club("Upanga")
    make.club("Kariakoo")
    make.club("Hidden", public=False)

    page = client.get("/")

    assert [club.name for club in page.context["others"]] == ["Kariakoo", "Upanga"]
    assertContains(page, "Where do you play?")


def test_a_member_of_two_clubs_chooses_and_sees_the_others_apart(client: Client) -> None:
    user = make.user(role=Role.OWNER, club=make.club("Upanga"))
    Membership.objects.create(user=user, club=make.club("Ilala"), role=Role.SCORER)
    make.club("Kariakoo")
    client.force_login(user)

    page = client.get("/")

    assert [(my.club.name, my.get_role_display()) for my in page.context["mine"]] == [
        ("Ilala", "scorer"),
        ("Upanga", "owner"),
    ]
    assert [club.name for club in page.context["others"]] == ["Kariakoo"]


@pytest.mark.parametrize(("mine", "others"), [(0, 1), (0, 3), (3, 1), (3, 3)])
def test_the_front_page_costs_the_same_however_many_clubs(
    client: Client, mine: int, others: int
) -> None:
    """Whoever is in one club sees no list: they are led to it."""
    user = make.user()
    for _ in range(mine):
        Membership.objects.create(user=user, club=make.club(), role=Role.OWNER)
    for _ in range(others):
        make.club()
    client.force_login(user)

    with costs(4):  # session, user, my clubs, the others
        page = client.get("/")

    assert (len(page.context["mine"]), len(page.context["others"])) == (mine, others)
