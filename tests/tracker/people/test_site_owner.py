"""Only the owner of the site changes what the owner of the site may do, whichever way is tried."""

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from tests import act, make
from tracker.models import Club, LogEntry, Membership, Player, Role, User
from tracker.people.services.erasing import erase_player
from tracker.people.services.members import change_role, remove_member

pytestmark = pytest.mark.django_db

SENTENCE = "founder is the owner of this site. Only the owner of the site can"


@pytest.fixture
def founder(club: Club) -> Membership:
    """The owner of the site, owner of the club too, and a player of it."""
    user = make.user("founder", role=Role.OWNER, club=club)
    User.objects.filter(pk=user.pk).update(is_staff=True, is_superuser=True)
    Player.objects.filter(pk=make.player("Asha", club=club).pk).update(user=user)
    return Membership.objects.get(user=user)


def state() -> list[object]:
    """Return all that must not change: logins, roles, players, and the log of it."""
    return [
        *User.objects.order_by("pk").values("username", "is_superuser", "is_staff", "is_active"),
        *Membership.objects.order_by("pk").values(),
        *Player.objects.order_by("pk").values(),
        *LogEntry.objects.order_by("pk").values(),
    ]


def test_a_second_owner_cannot_touch_the_site_owner(client: Client, founder: Membership) -> None:
    other = make.user("second", role=Role.OWNER, club=founder.club)
    client.force_login(other)
    before = state()
    page = reverse("member", args=[founder.pk])
    erase = reverse("player-erase", args=[founder.user.players.get().pk])

    shown = client.get(page).content.decode()
    for sent in ({"how": "role", "role": "member"}, {"how": "remove"}, {"how": "password"}):
        answer = client.post(page, sent)
        assert (answer.status_code, SENTENCE in answer.content.decode()) == (200, True), sent
    assert SENTENCE in client.post(erase, {"sure": "on"}).content.decode()

    assert SENTENCE in shown
    assert 'name="how"' not in shown
    assert state() == before


def test_services_refuse_it_too(founder: Membership) -> None:
    player = founder.user.players.get()
    before = state()
    for who in (make.user("second", role=Role.OWNER, club=founder.club), None):
        by = make.actor(who)
        before = state()
        for do in (
            lambda by=by: change_role(membership_id=founder.pk, role=Role.SCORER, by=by),
            lambda by=by: remove_member(membership_id=founder.pk, by=by),
            lambda by=by: erase_player(player_id=player.pk, team_names={}, by=by),
        ):
            with act.refused("site-owner"):
                do()
        assert state() == before


def test_the_site_owner_may_step_down_and_leave(client: Client, founder: Membership) -> None:
    make.user("second", role=Role.OWNER, club=founder.club)
    client.force_login(founder.user)
    page = reverse("member", args=[founder.pk])

    client.post(page, {"how": "role", "role": "member"})
    assert Membership.objects.get(pk=founder.pk).role == Role.MEMBER
    Membership.objects.filter(pk=founder.pk).update(role=Role.OWNER)
    client.post(page, {"how": "remove"})

    assert not Membership.objects.filter(pk=founder.pk).exists()


def test_helpers_behind_the_site_cannot_either(client: Client, founder: Membership) -> None:
    helper = User.objects.create_user("helper", password="cards", is_staff=True)
    helper.user_permissions.set(Permission.objects.all())
    client.force_login(helper)
    before = state()
    user, role = f"/admin/tracker/user/{founder.user_id}", f"/admin/tracker/membership/{founder.pk}"

    for path in (
        f"{user}/change/",
        f"{user}/delete/",
        f"{user}/password/",
        f"{role}/change/",
        f"{role}/delete/",
    ):
        sent = {"post": "yes", "role": "member", "username": "founder", "user": helper.pk}
        assert client.post(path, sent).status_code == 403, path
    for model, key in (("user", founder.user_id), ("membership", founder.pk)):
        sent = {"action": "delete_selected", "_selected_action": key, "post": "yes"}
        client.post(f"/admin/tracker/{model}/", sent)
    own = client.get(f"/admin/tracker/user/{helper.pk}/change/").content.decode()

    assert 'name="is_superuser"' not in own
    assert 'name="user_permissions"' not in own
    assert state() == before
