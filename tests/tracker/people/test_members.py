"""Who may do what in a club, the links by which people come in, and which player somebody is."""

from datetime import timedelta

import pytest
from django.contrib.auth import get_user
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from tests import act, make
from tests.reading import costs
from tracker.common.errors import Refused
from tracker.models import Club, Invitation, LogEntry, Membership, Player, Role, User
from tracker.people.services.claims import answer_claim, claim_player, link_player, unlink_player
from tracker.people.services.invitations import (
    invite,
    join,
    join_as_new_user,
    join_path,
    valid_invitation,
    withdraw,
)
from tracker.people.services.members import (
    change_role,
    give_password_link,
    may_reset,
    remove_member,
)

pytestmark = pytest.mark.django_db

LOGIN = {
    "name": "Neema",
    "username": "neema",
    "password": "seven of diamonds",
}


@pytest.fixture
def club() -> Club:
    return make.club(public=False)


@pytest.fixture
def owner(client: Client, club: Club) -> User:
    user = make.user("asha", role=Role.OWNER, club=club)
    client.force_login(user)
    return user


def invited(
    club: Club, by: User, *, role: Role = Role.MEMBER, many: bool = False, player: int | None = None
) -> Invitation:
    return invite(
        club_id=club.pk,
        role=role,
        many=many,
        days=7,
        player_id=player,
        by=make.actor(by, at=timezone.now()),
    )


def token_of(invitation: Invitation) -> str:
    return join_path(invitation.pk).split("/")[2]


def membership(role: Role, club: Club, name: str = "") -> Membership:
    return Membership.objects.get(user=make.user(name, role=role, club=club))


def verbs() -> list[str]:
    return list(LogEntry.objects.order_by("pk").values_list("verb", flat=True))


# Roles ----------------------------------------------------------------------------------------


def test_the_owner_sees_who_may_do_what(client: Client, club: Club, owner: User) -> None:
    scorer = make.user("juma", role=Role.SCORER, club=club)
    Player.objects.filter(pk=make.player("Juma", club=club).pk).update(user=scorer)

    page = client.get(reverse("members", args=[club.pk]))

    rows = [(row.user.username, row.role, row.plays_as) for row in page.context["rows"]]
    assert rows == [("asha", "owner", None), ("juma", "scorer", "Juma")]
    assertContains(client.get(club.get_absolute_url()), reverse("members", args=[club.pk]))


def test_a_role_is_changed_and_logged(client: Client, club: Club, owner: User) -> None:
    other = membership(Role.MEMBER, club)
    page = reverse("member", args=[other.pk])

    answer = client.post(page, {"how": "role", "role": "organiser"})

    assertRedirects(answer, reverse("members", args=[club.pk]))
    other.refresh_from_db()
    assert other.role == Role.ORGANISER
    assert LogEntry.objects.get().on == {"member": other.user_id}


@pytest.mark.parametrize("how", ["role", "remove"])
def test_the_last_owner_stays(client: Client, club: Club, owner: User, how: str) -> None:
    mine = Membership.objects.get(user=owner)

    page = client.post(reverse("member", args=[mine.pk]), {"how": how, "role": "member"})

    assertContains(page, "is the only owner of Upanga.")
    mine.refresh_from_db()
    assert mine.role == Role.OWNER


def test_one_of_two_owners_may_go(client: Client, club: Club, owner: User) -> None:
    make.user("neema", role=Role.OWNER, club=club)
    mine = Membership.objects.get(user=owner)

    answer = client.post(reverse("member", args=[mine.pk]), {"how": "remove"})

    assertRedirects(answer, reverse("home"), fetch_redirect_response=False)
    assert list(club.memberships.values_list("user__username", flat=True)) == ["neema"]


def test_who_is_taken_out_says_to_be_nobody_any_more(club: Club, owner: User) -> None:
    other = membership(Role.MEMBER, club)
    player = make.player("Juma", club=club)
    claim_player(player_id=player.pk, by=make.actor(other.user_id))

    remove_member(membership_id=other.pk, by=make.actor(owner))

    player.refresh_from_db()
    assert player.claimed_by is None
    assert User.objects.filter(pk=other.user_id).exists()


def test_the_same_role_again_is_no_act(club: Club, owner: User) -> None:
    other = membership(Role.SCORER, club)

    change_role(membership_id=other.pk, role=Role.SCORER, by=make.actor(owner))

    assert verbs() == []


@pytest.mark.parametrize("people", [1, 3])
def test_the_people_of_a_club_cost_the_same_however_many(
    client: Client, club: Club, owner: User, people: int
) -> None:
    for _ in range(people):
        make.user(role=Role.MEMBER, club=club)
        invited(club, owner)

    # session, user, club with role; the invitations, the people, their players
    with costs(5):
        client.get(reverse("members", args=[club.pk]))


# Links ----------------------------------------------------------------------------------------


def test_a_link_brings_somebody_in_with_a_login_made_on_the_spot(
    client: Client, club: Club, owner: User
) -> None:
    sent = {"role": "scorer", "days": "7"}
    page = client.post(reverse("members", args=[club.pk]), sent, follow=True)
    ((_row, address),) = page.context["links"]
    phone = Client()
    assertContains(phone.get(address), "You are invited to join as a scorer.")

    answer = phone.post(address, LOGIN, follow=True)

    assertContains(answer, "Karibu! You are now in Upanga.")
    user = User.objects.get(username="neema")
    assert get_user(phone) == user
    assert Membership.objects.get(user=user).role == Role.SCORER
    assert verbs() == ["invited", "joined"]


def test_a_link_brings_in_who_signs_in_already(club: Club, owner: User) -> None:
    phone, user = Client(), make.user("juma")
    phone.force_login(user)
    path = join_path(invited(club, owner).pk)
    assertContains(phone.get(path), "You are signed in as juma.")

    phone.post(path)

    assert Membership.objects.get(user=user).role == Role.MEMBER


def test_a_link_for_one_is_used_up(club: Club, owner: User) -> None:
    link = invited(club, owner)
    join(token=token_of(link), by=make.actor(make.user(), at=timezone.now()))

    page = Client().get(join_path(link.pk))

    assertContains(page, "was for one person, and has been used: ask for another.", status_code=410)
    with act.refused("invitation-used"):
        join(token=token_of(link), by=make.actor(make.user(), at=timezone.now()))


def test_a_link_for_many_goes_on(club: Club, owner: User) -> None:
    link = invited(club, owner, many=True)

    for _ in range(3):
        join(token=token_of(link), by=make.actor(make.user(), at=timezone.now()))

    assert club.memberships.filter(role=Role.MEMBER).count() == 3
    assert valid_invitation(token_of(link), now=timezone.now()).used == 3


def test_who_holds_more_keeps_it_and_uses_nothing_up(club: Club, owner: User) -> None:
    link = invited(club, owner)

    held = join(token=token_of(link), by=make.actor(owner, at=timezone.now()))

    assert held.role == Role.OWNER
    assert valid_invitation(token_of(link), now=timezone.now()).used == 0


def test_who_holds_less_rises(club: Club, owner: User) -> None:
    other = membership(Role.MEMBER, club)
    link = invited(club, owner, role=Role.ORGANISER)

    assert join(token=token_of(link), by=make.actor(other.user_id, at=timezone.now())).role == (
        Role.ORGANISER
    )


def test_a_link_taken_back_opens_nothing(client: Client, club: Club, owner: User) -> None:
    link = invited(club, owner, many=True)

    answer = client.post(reverse("invitation-withdraw", args=[link.pk]))
    withdraw(invitation_id=link.pk, by=make.actor(owner))  # once is enough

    assertRedirects(answer, reverse("members", args=[club.pk]))
    assertContains(
        Client().get(join_path(link.pk)), "was withdrawn: ask for another.", status_code=410
    )
    assert verbs() == ["invited", "invitation-withdrawn"]


def test_a_link_grows_old(club: Club, owner: User) -> None:
    link = invited(club, owner)

    with act.refused("invitation-late"):
        valid_invitation(token_of(link), now=link.expires_at)

    assert valid_invitation(token_of(link), now=link.expires_at - timedelta(seconds=1)) == link


def test_a_link_never_given_out_opens_nothing(club: Club) -> None:
    assertContains(Client().get("/join/forged/"), "Open it whole", status_code=404)


@pytest.mark.parametrize(
    ("wrong", "code"),
    [({"role": Role.OWNER, "many": True}, "invitation-owners"), ({"days": 91}, "invitation-days")],
)
def test_some_links_are_never_made(
    club: Club, owner: User, wrong: dict[str, object], code: str
) -> None:
    wanted = {"role": Role.MEMBER, "many": False, "days": 7, **wrong}

    with act.refused(code):
        invite(**wanted, club_id=club.pk, by=make.actor(owner))  # type: ignore[arg-type]


def test_a_user_name_is_somebodys_once(club: Club, owner: User) -> None:
    path = join_path(invited(club, owner).pk)

    page = Client().post(path, LOGIN | {"username": "ASHA"})

    assertContains(page, "Somebody signs in with this word already.")
    assert page.context["form"]["name"].value() == "Neema"
    with pytest.raises(Refused):
        join_as_new_user(token="x", name="N", username="n", password="p", by=make.actor())


# Which player somebody is ---------------------------------------------------------------------


def test_a_member_says_this_is_me_and_the_organiser_agrees(client: Client, club: Club) -> None:
    player, user = make.player("Juma", club=club), make.user("juma", role=Role.MEMBER, club=club)
    client.force_login(user)
    assertContains(client.get(reverse("account")), "Which player are you?")
    client.post(reverse("claim", args=[club.pk]), {"player": player.pk})
    assertContains(client.get(reverse("account")), "You say you are Juma.")
    desk = Client()
    desk.force_login(make.user(role=Role.ORGANISER, club=club))
    assertContains(desk.get(reverse("players", args=[club.pk])), "Confirm “This is me”")
    assertContains(desk.get(reverse("player-edit", args=[player.pk])), "juma says: “This is me.”")

    desk.post(reverse("player-login", args=[player.pk]), {"how": "yes"})

    player.refresh_from_db()
    assert (player.user, player.claimed_by) == (user, None)
    account = client.get(reverse("account"))
    assertContains(account, "You play as Juma")
    assertContains(account, reverse("player", args=[player.pk]))
    assert verbs() == ["player-claimed", "player-linked"]


def test_the_organiser_says_no(club: Club) -> None:
    player, member = make.player("Juma", club=club), membership(Role.MEMBER, club)
    claim_player(player_id=player.pk, by=make.actor(member.user_id))

    answer_claim(player_id=player.pk, yes=False, by=make.actor(member.user_id))
    answer_claim(player_id=player.pk, yes=True, by=make.actor(member.user_id))  # nothing open

    player.refresh_from_db()
    assert (player.user, player.claimed_by) == (None, None)


def test_who_chose_the_wrong_name_chooses_again(club: Club) -> None:
    juma, juma_k = make.player("Juma", club=club), make.player("Juma K.", club=club)
    user = membership(Role.MEMBER, club).user

    claim_player(player_id=juma.pk, by=make.actor(user))
    claim_player(player_id=juma_k.pk, by=make.actor(user))

    assert list(user.claims.all()) == [juma_k]


def test_nobody_is_two_players_and_no_player_is_two_people(client: Client, club: Club) -> None:
    juma, neema = make.player("Juma", club=club), make.player("Neema", club=club)
    user, other = membership(Role.MEMBER, club).user, membership(Role.MEMBER, club).user
    claim_player(player_id=juma.pk, by=make.actor(user))
    client.force_login(other)

    page = client.post(reverse("claim", args=[club.pk]), {"player": juma.pk})

    assertContains(page, "Somebody else has said to be Juma.")
    link_player(player_id=juma.pk, user_id=user.pk, by=make.actor(user))
    for refused, code in [((neema, user), "claim-second"), ((juma, make.user()), "claim-stranger")]:
        with act.refused(code):
            claim_player(player_id=refused[0].pk, by=make.actor(refused[1]))


def test_a_players_own_link_makes_the_player_of_whoever_opens_it(
    client: Client, club: Club
) -> None:
    player = make.player("Juma", club=club)
    client.force_login(make.user(role=Role.ORGANISER, club=club))
    client.post(reverse("player-login", args=[player.pk]), {"how": "invite"})
    page = client.get(reverse("player-edit", args=[player.pk]))
    ((_row, address),) = page.context["links"]
    phone = Client()
    assertContains(phone.get(address), "to play here as Juma.")

    phone.post(address, LOGIN)

    player.refresh_from_db()
    assert player.user == get_user(phone)
    assertContains(client.get(reverse("player-edit", args=[player.pk])), "neema signs in as")


def test_an_organiser_takes_back_a_players_link_and_no_other(
    client: Client, club: Club, owner: User
) -> None:
    player = make.player("Juma", club=club)
    of_player, of_club = invited(club, owner, player=player.pk), invited(club, owner)
    client.force_login(make.user(role=Role.ORGANISER, club=club))

    answers = [
        client.post(reverse("invitation-withdraw", args=[link.pk])).status_code
        for link in (of_player, of_club)
    ]

    assert answers == [302, 403]


def test_somebodys_player_gets_no_second_link(client: Client, club: Club, owner: User) -> None:
    player = make.player("Juma", club=club)
    link = invited(club, owner, player=player.pk)
    link_player(player_id=player.pk, user_id=make.user().pk, by=make.actor(owner))

    said = client.post(reverse("player-login", args=[player.pk]), {"how": "invite"}, follow=True)

    assertContains(said, "Somebody signs in as this player already.")
    with pytest.raises(Refused):
        join(token=token_of(link), by=make.actor(make.user(), at=timezone.now()))


def test_a_login_is_taken_off_a_player(client: Client, club: Club, owner: User) -> None:
    player = make.player("Juma", club=club)
    link_player(player_id=player.pk, user_id=make.user().pk, by=make.actor(owner))

    client.post(reverse("player-login", args=[player.pk]), {"how": "unlink"})
    unlink_player(player_id=player.pk, by=make.actor(owner))  # once is enough

    player.refresh_from_db()
    assert player.user is None
    assert verbs() == ["player-linked", "player-unlinked"]


# A full name behind a nickname ----------------------------------------------------------------


def test_only_who_runs_the_club_reads_a_full_name(client: Client, club: Club) -> None:
    player = make.player("Chui", club=club)
    client.force_login(make.user(role=Role.ORGANISER, club=club))
    page = reverse("player-edit", args=[player.pk])

    client.post(page, {"name": "Chui", "full_name": " Juma  Kapera ", "in_season": "on"})

    player.refresh_from_db()
    assert (player.full_name, player.in_season) == ("Juma Kapera", True)
    assertContains(client.get(page), "Juma Kapera")
    reader = Client()
    reader.force_login(make.user(role=Role.MEMBER, club=club))
    assertNotContains(reader.get(reverse("players", args=[club.pk])), "Kapera")


def test_visitors_count_for_the_season_if_somebody_ticks_it(client: Client, club: Club) -> None:
    client.force_login(make.user(role=Role.ORGANISER, club=club))
    page = reverse("players", args=[club.pk])

    client.post(page, {"names": "Asha"})
    client.post(page, {"names": "Neema", "visitor_from": "Ilala"})
    client.post(page, {"names": "Juma", "visitor_from": "Ilala", "in_season": "on"})

    counts = dict(club.players.values_list("name", "in_season"))
    assert counts == {"Asha": True, "Neema": False, "Juma": True}


# Passwords, and one's own account -------------------------------------------------------------


def test_the_owner_gives_somebody_a_way_back_in(client: Client, club: Club, owner: User) -> None:
    other = membership(Role.SCORER, club, "juma")
    page = client.post(reverse("member", args=[other.pk]), {"how": "password"})
    address, phone = page.context["link"], Client()
    form = phone.get(address, follow=True)
    asked = form.redirect_chain[-1][0]

    again = {"new_password1": "seven of diamonds", "new_password2": "seven of hearts"}
    assertContains(phone.post(asked, again), "These two differ.")
    again["new_password2"] = again["new_password1"]
    answer = phone.post(asked, again, follow=True)

    assertContains(answer, "Your new password is saved, and you are signed in.")
    other.user.refresh_from_db()
    assert other.user.check_password("seven of diamonds")
    assert get_user(phone) == other.user
    used = Client().get(address)
    assertContains(used, "This link was used already", status_code=404)
    assert verbs() == ["password-link-given"]


def test_no_owner_gets_into_another_club_or_behind_the_site(club: Club, owner: User) -> None:
    elsewhere, staff, here = (membership(Role.SCORER, club) for _ in range(3))
    Membership.objects.create(club=make.club(), user=elsewhere.user, role=Role.MEMBER)
    User.objects.filter(pk=staff.user_id).update(is_superuser=True)
    staff.refresh_from_db()

    assert [may_reset(membership=each, user_id=owner.pk) for each in (elsewhere, staff, here)] == [
        False,
        False,
        True,
    ]
    with act.refused("reset-elsewhere"):
        give_password_link(membership_id=staff.pk, by=make.actor(owner))
    User.objects.filter(pk=owner.pk).update(is_superuser=True)
    assert may_reset(membership=staff, user_id=owner.pk)


def test_everybody_changes_their_own_password(client: Client) -> None:
    user = make.user()
    client.force_login(user)
    sent = {"new_password1": "seven of diamonds", "new_password2": "seven of diamonds"}
    path = reverse("password")

    assertContains(client.post(path, {**sent, "old_password": "no"}), "That is not your password.")
    answer = client.post(path, {**sent, "old_password": "cards"}, follow=True)

    assertContains(answer, "Your new password is saved.")
    user.refresh_from_db()
    assert user.check_password("seven of diamonds")
    assert get_user(client) == user


def test_everybody_says_what_they_are_called(client: Client) -> None:
    user = make.user("juma")
    client.force_login(user)

    client.post(reverse("account"), {"name": " Juma  K. "})
    bad = client.post(reverse("account"), {"name": "\u200d"})

    user.refresh_from_db()
    assert user.first_name == "Juma K."
    assertContains(bad, "Please write a name.")


@pytest.mark.parametrize("clubs", [1, 3])
def test_an_account_costs_the_same_however_many_clubs(client: Client, clubs: int) -> None:
    user = make.user()
    client.force_login(user)
    for _ in range(clubs):
        Membership.objects.create(club=make.club(), user=user, role=Role.MEMBER)

    # session, user, and again for the form; clubs, players
    with costs(5):
        client.get(reverse("account"))


def test_a_link_is_shown_as_a_qr_code_to_whoever_may_pass_it_on(
    client: Client, club: Club, owner: User
) -> None:
    asha = make.player("Asha", club=club)
    for_one, for_asha = invited(club, owner), invited(club, owner, player=asha.pk)
    pictures = [
        reverse("invitation-qr", args=[invitation.pk]) for invitation in (for_one, for_asha)
    ]

    assertContains(client.get(reverse("members", args=[club.pk])), pictures[0])
    shown = [client.get(picture) for picture in pictures]
    client.force_login(make.user(role=Role.ORGANISER, club=club))

    assert {answer.headers["Content-Type"] for answer in shown} == {"image/svg+xml"}
    assert shown[0].content != shown[1].content
    assert [client.get(picture).status_code for picture in pictures] == [403, 200]
    assert client.get(reverse("invitation-qr", args=[for_asha.pk + 1])).status_code == 404
