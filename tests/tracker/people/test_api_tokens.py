"""Tokens for programs: made and withdrawn on their page, shown once, and never stored as they are."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests import act, make
from tests.api_client import Kula, Problem
from tests.tracker.api.programs import in_process, program
from tracker.models import ApiToken, Club, LogEntry, Membership, Role, TokenScope
from tracker.people.services.api_tokens import MOST_TOKENS, make_token, withdraw_token

pytestmark = pytest.mark.django_db


def page_of(club: Club) -> str:
    return reverse("api-tokens", args=[club.pk])


def test_a_token_is_shown_once_and_works_until_it_is_withdrawn(club: Club) -> None:
    owner = act.sign_in(Role.OWNER, club)

    made = owner.post(page_of(club), {"name": "Website", "scope": "read"})
    (text,) = re.findall(r"kula_[\w-]{43}", made.text)
    kula = Kula(in_process, text)
    token = ApiToken.objects.get()

    assert text not in owner.get(page_of(club)).text
    assert "Website" in owner.get(page_of(club)).text
    assert text not in repr(ApiToken.objects.values())
    assert not [entry for entry in LogEntry.objects.values() if text in repr(entry)]
    assert made["Cache-Control"].count("no-store") == 1
    assert kula.get("/clubs")["total"] == 1

    owner.post(page_of(club), {"withdraw": token.pk})

    with pytest.raises(Problem, match="401"):
        kula.get("/clubs")
    assert "Website" not in owner.get(page_of(club)).text
    verbs = LogEntry.objects.filter(verb__startswith="token").values_list("verb", flat=True)
    assert [*verbs] == ["token-made", "token-withdrawn"]


def test_nobody_lets_a_program_do_more_than_they_may(club: Club) -> None:
    allowed = {
        Role.MEMBER: ["read"],
        Role.SCORER: ["read", "report"],
        Role.ORGANISER: ["read", "report", "organise"],
        Role.OWNER: ["read", "report", "organise"],
    }
    for role, scopes in allowed.items():
        member = act.sign_in(role, club)
        assert re.findall(r'name="scope" value="(\w+)"', member.get(page_of(club)).text) == scopes
        for scope in TokenScope:
            before = ApiToken.objects.count()
            member.post(page_of(club), {"name": "Hall", "scope": scope.value})
            assert ApiToken.objects.count() - before == (scope.value in scopes), (role, scope)


def test_a_role_that_was_taken_meanwhile_is_asked_for_again_when_the_token_is_made(
    club: Club,
) -> None:
    user = make.user(role=Role.SCORER, club=club)

    with act.refused("token-scope", question="scope"):
        make_token(club_id=club.pk, name="x", scope=TokenScope.ORGANISE, by=make.actor(user))
    Membership.objects.filter(user=user).delete()
    with act.refused("token-scope"):
        make_token(club_id=club.pk, name="x", scope=TokenScope.READ, by=make.actor(user))


def test_nobody_sees_or_withdraws_the_tokens_of_another(club: Club) -> None:
    program(club)
    other, by = act.sign_in(Role.OWNER, club), make.user(role=Role.OWNER, club=club)

    withdraw_token(token_id=ApiToken.objects.get().pk, by=make.actor(by))

    assert "None yet." in other.get(page_of(club)).text
    assert ApiToken.objects.count() == 1


def test_a_token_needs_a_name_and_there_are_no_more_than_a_person_can_tell_apart(
    club: Club,
) -> None:
    user = make.user(role=Role.OWNER, club=club)
    owner = Client()
    owner.force_login(user)
    for number in range(MOST_TOKENS):
        program(club, user=user).get("/clubs")
        assert ApiToken.objects.count() == number + 1

    nameless = owner.post(page_of(club), {"name": " ", "scope": "read"})
    one_more = owner.post(page_of(club), {"name": "One more", "scope": "read"})

    assert "Say what it is for." in nameless.text
    assert "withdraw one first" in one_more.text
    assert ApiToken.objects.count() == MOST_TOKENS
