"""Who gets what from the API: every operation, asked by everybody, about the things of every club.

The operations, their ids and what they need are read from the schema, so that a new one is tried.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from uuid import UUID, uuid4

import pytest
from django.core.cache import cache as django_cache
from django.db import transaction
from django.test import Client
from django.urls import reverse

from tests import api_clubs, make
from tests.api_clubs import ClubWithPrograms
from tests.drilled import FULL
from tests.drills.fuzz import written_rows
from tracker.api.interface import api
from tracker.models import ApiToken, Club, Membership, Role, TokenScope, User
from tracker.people.services.api_tokens import withdraw_token

pytestmark = pytest.mark.django_db

PUBLIC = (True, False) if FULL else (False,)  # whether strangers may read the token's own club
# What a role, and a scope, allows: to read, then to report hands, then to run nights.
READS, REPORTS, ORGANISES = range(3)
OF_ROLE = {
    Role.MEMBER: READS,
    Role.SCORER: REPORTS,
    Role.ORGANISER: ORGANISES,
    Role.OWNER: ORGANISES,
}
OF_SCOPE = {
    TokenScope.READ: READS,
    TokenScope.REPORT: REPORTS,
    TokenScope.ORGANISE: ORGANISES,
}


@pytest.fixture(autouse=True)
def _limit_of_requests_begins_anew() -> None:
    django_cache.clear()


# Who asks, what, and about what -------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """A program: the header it sends, and what its token allows in the club it is for, if it does."""

    name: str
    token: str = ""
    valid: bool = True
    allowed: int | None = None

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """An operation as the schema has it; ``needs`` is what a caller must be allowed to do."""

    method: str
    path: str
    needs: int
    body: str  # the name of its schema; empty if it takes none
    statuses: frozenset[int]

    @property
    def ids(self) -> list[str]:
        """Return the names of the ids that it is given, that of the thing it acts on first."""
        named = re.findall(r"{(\w+)}", self.path)
        return [*named, "player_id"] if self.body == "ArrivalsIn" else named

    def content(self, ids: Mapping[str, int]) -> object:
        """Return a body that is right, if its table, round or player is."""
        return {
            "ReportIn": {"entry": str(uuid4()), "number": 3, "sheet": {"eaten": [80, 40]}},
            "ArrivalsIn": {"players": [ids.get("player_id")]},
            "CloseIn": {"anyway": True},
        }[self.body]


@cache
def operations() -> list[Operation]:
    """Return every operation of the schema; what it needs is what its description says."""
    found = []
    for path, methods in api.get_openapi_schema()["paths"].items():
        for method, operation in methods.items():
            scopes = re.findall(r"needs the scope “(\w+)”", operation.get("description", ""))
            needs = READS if method == "get" else OF_SCOPE[TokenScope(scopes[0])]
            body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            found.append(
                Operation(
                    method=method.upper(),
                    path=path,
                    needs=needs,
                    body=body.get("schema", {}).get("$ref", "").rpartition("/")[2],
                    statuses=frozenset(map(int, operation["responses"])),
                )
            )
    return found


class World:
    """A token's own club, a public and a private other one, and programs of everybody.

    Everybody who has a token also owns both other clubs: a token must not count there.
    """

    def __init__(self, *, public: bool) -> None:
        self.own = api_clubs.lay("Umoja", public=public)
        self.open, self.secret = api_clubs.lay("Wazi"), api_clubs.lay("Siri", public=False)
        self.clubs = (self.own, self.open, self.secret)
        self.callers = list(self._callers())
        self.owner = Caller(name="an owner", token=self._token("an owner", Role.OWNER))

    def _callers(self) -> Iterator[Caller]:
        yield Caller(name="nobody")
        yield Caller(name="with a made-up token", token="kula_made-up", valid=False)
        withdrawn = self._token("withdrawn", Role.OWNER)
        ApiToken.objects.filter(membership__user__username="withdrawn").delete()
        yield Caller(name="with a withdrawn token", token=withdrawn, valid=False)
        token, user = (
            self._token("inactive", Role.OWNER),
            ApiToken.objects.latest("pk").membership.user,
        )
        user.is_active = False
        user.save()
        yield Caller(name="of an inactive user", token=token, valid=False)
        left = self._token("left", Role.OWNER)
        Membership.objects.filter(user__username="left", club=self.own.club).delete()
        yield Caller(name="of somebody who left", token=left, valid=False)
        for role in Role:
            for scope in TokenScope:
                name = f"{scope} of a {role}"
                allowed = min(OF_ROLE[role], OF_SCOPE[scope])
                yield Caller(name=name, token=self._token(name, role, scope), allowed=allowed)

    def _token(self, name: str, role: Role | None, scope: TokenScope = TokenScope.ORGANISE) -> str:
        user = self.own.user(role, name)
        for other in (self.open, self.secret):
            Membership.objects.create(user=user, club=other.club, role=Role.OWNER)
        return self.own.token(user, scope)

    def may_read(self, caller: Caller, of: ClubWithPrograms) -> bool:
        return of.club.public or (of is self.own and caller.allowed is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Whose things an operation is asked about: that which it acts on, and those it names besides."""

    of: ClubWithPrograms
    besides: ClubWithPrograms

    @property
    def name(self) -> str:
        names = [self.of.name, self.besides.name]
        return " with an id of ".join(dict.fromkeys(names))

    def ids(self, operation: Operation) -> dict[str, int]:
        places = [self.of, self.besides]
        return {name: at.ids[name] for name, at in zip(operation.ids, places, strict=False)}


def listing() -> Operation:
    """Return the one operation that is about no thing: that which lists the clubs."""
    [found] = [operation for operation in operations() if not operation.ids]
    return found


def reading() -> list[Operation]:
    return [each for each in operations() if each.needs == READS and each.ids]


def targets(world: World, operation: Operation) -> Iterator[Target]:
    for of, besides in product(world.clubs, repeat=2):
        if of is besides or len(operation.ids) > 1:
            yield Target(of=of, besides=besides)


def expected(world: World, caller: Caller, operation: Operation, target: Target) -> set[int]:
    """Return how an operation is answered. This is the rule of who gets what.

    A token that does not work is refused whatever it asks for, and so is an act without one. What
    somebody may not see is not found. A token counts in its own club only, and allows no more than
    its scope, and no more than the role that its user has there now.
    """
    acts = operation.needs > READS
    if not caller.valid or (acts and not caller.token):
        return {401}
    if operation.ids and not world.may_read(caller, target.of):
        return {404}
    allowed = caller.allowed if target.of is world.own else None
    if acts and (allowed is None or allowed < operation.needs):
        return {403}
    if target.besides is not target.of:
        return {404, 422}  # nobody of another club can be checked in or out
    return {200}


# The matrix ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came of one request; ``wrote`` is whether it wrote a row, also one taken back since."""

    status: int
    text: str
    headers: Mapping[str, str]
    wrote: bool


def ask(
    operation: Operation,
    ids: Mapping[str, int],
    headers: Mapping[str, str],
    client: Client | None = None,
    body: str | None = None,
) -> Answer:
    """Ask, by default with a body that is right, and take back whatever that did."""
    content = json.dumps(operation.content(ids)) if operation.body else ""
    content = content if body is None else body
    path = operation.path.format(**ids)
    with transaction.atomic():
        before = written_rows()
        answer = (client or Client()).generic(
            operation.method, path, content, "application/json", headers=headers
        )
        wrote = written_rows() != before
        transaction.set_rollback(True)
    return Answer(status=answer.status_code, text=answer.text, headers=answer.headers, wrote=wrote)


def wrongs(world: World, caller: Caller, operation: Operation, answer: Answer) -> Iterator[str]:
    """Yield what no answer may be, whoever asks."""
    for club in world.clubs:
        if club.name in answer.text and not world.may_read(caller, club):
            yield f"names something of {club.name}"
    if answer.status not in operation.statuses:
        yield "is not in the schema"
    if answer.status >= 400:
        if answer.headers["Content-Type"] != "application/problem+json":
            yield "is no problem"
        elif json.loads(answer.text)["status"] != answer.status:
            yield "is a problem with another status"
    if answer.wrote and (answer.status >= 400 or operation.method == "GET"):
        yield "wrote a row"


@pytest.mark.parametrize("public", PUBLIC, ids=str)
def test_every_operation_answers_everybody_about_every_club_by_one_rule(*, public: bool) -> None:
    world = World(public=public)
    found, asked = [], 0

    for operation in operations():
        for target in targets(world, operation):
            ids = target.ids(operation)
            # The ETag that another reader was given is of no use to anybody.
            tag = ask(operation, ids, world.owner.headers).headers.get("ETag", "-")
            for caller in world.callers:
                answer = ask(operation, ids, {**caller.headers, "If-None-Match": tag})
                asked += 1
                rule = expected(world, caller, operation, target)
                wrong = [*wrongs(world, caller, operation, answer)]
                if answer.status not in rule:
                    wrong.append(f"is not {rule}")
                if wrong:
                    asks = f"{operation.method} {operation.path}, {target.name}, {caller.name}"
                    found.append(f"{asks}: {answer.status} {', and '.join(wrong)}")

    assert found == []
    assert asked > len(world.clubs) * len(operations()) * len(world.callers)


def test_the_list_of_clubs_has_the_public_ones_and_that_of_the_token() -> None:
    world = World(public=False)

    listed = {
        caller.name: {club["name"] for club in json.loads(answer.text)["items"]}
        for caller in world.callers
        if caller.valid and (answer := ask(listing(), {}, caller.headers))
    }

    assert listed == {
        caller.name: {club.name for club in world.clubs if world.may_read(caller, club)}
        for caller in world.callers
        if caller.valid
    }


# Anything else that a browser or a program might send ---------------------------------------------


def test_a_signed_in_browser_without_a_token_is_nobody() -> None:
    """Another site could send its cookies; a CSRF token makes no difference."""
    world = World(public=False)
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(User.objects.get(username=world.owner.name))
    browser.get(world.own.club.get_absolute_url())
    secret = browser.get(reverse("account")).context["csrf_token"]
    nobody = world.callers[0]

    for operation in operations():
        target = Target(of=world.own, besides=world.own)
        answer = ask(operation, target.ids(operation), {"X-CSRFToken": str(secret)}, browser)
        assert answer.status in expected(world, nobody, operation, target), operation.path
        assert [*wrongs(world, nobody, operation, answer)] == []
    assert browser.get(world.own.club.get_absolute_url()).status_code == 200


@pytest.mark.parametrize(
    ("headers", "query"),
    [
        ({}, "?token={}&access_token={}&api_key={}&Authorization=Bearer%20{}"),
        ({"X-API-Key": "{}", "X-Authorization": "Bearer {}", "Cookie": "token={}"}, ""),
        ({"Proxy-Authorization": "Bearer {}"}, ""),
    ],
    ids=["in the address", "in other headers", "of a proxy"],
)
def test_a_token_elsewhere_is_not_looked_at(headers: dict[str, str], query: str) -> None:
    laid = api_clubs.lay("Siri", public=False)
    text = laid.token(laid.user(Role.OWNER))
    sent = {name: value.replace("{}", text) for name, value in headers.items()}

    answer = Client().get(f"/api/v1/clubs/{laid.club.pk}{query.replace('{}', text)}", headers=sent)

    assert answer.status_code == 404


@pytest.mark.parametrize(
    "header",
    [
        "{}",
        "Token {}",
        "Basic {}",
        "Bearer",
        "Bearer  {}x",
        "Bearer {}, Bearer {}",
        "Bearer: {}",
        "",
    ],
)
def test_a_header_that_is_no_bearer_token_is_refused(header: str) -> None:
    laid = api_clubs.lay("Wazi")
    text = laid.token(laid.user(Role.OWNER))
    path = f"/api/v1/clubs/{laid.club.pk}"

    assert Client().get(path, headers={"Authorization": f"bearer {text}"}).status_code == 200
    refused = Client().get(path, headers={"Authorization": header.replace("{}", text)})
    assert (refused.status_code, refused.headers["WWW-Authenticate"]) == (401, "Bearer")


def test_a_token_opens_no_page() -> None:
    laid = api_clubs.lay("Siri", public=False)
    headers = {"Authorization": f"Bearer {laid.token(laid.user(Role.OWNER))}"}

    assert Client().get(laid.club.get_absolute_url(), headers=headers).status_code == 404
    desk = reverse("desk", args=[laid.drawn.pk])
    answer = Client().post(desk, headers=headers)
    assert answer.headers["Location"].startswith("/sign-in/")


# What changes between two requests ----------------------------------------------------------------


def _lower(laid: ClubWithPrograms, user: User) -> None:
    Membership.objects.filter(club=laid.club, user=user).update(role=Role.SCORER)


def _remove(laid: ClubWithPrograms, user: User) -> None:
    Membership.objects.filter(club=laid.club, user=user).delete()


def _withdraw(laid: ClubWithPrograms, user: User) -> None:
    withdraw_token(token_id=ApiToken.objects.get(membership__user=user).pk, by=make.actor(user))


def _deactivate(laid: ClubWithPrograms, user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


@pytest.mark.parametrize(
    ("change", "read", "act_"),
    [(_lower, 200, 403), (_remove, 401, 401), (_withdraw, 401, 401), (_deactivate, 401, 401)],
    ids=["role lowered", "removed", "withdrawn", "inactive"],
)
def test_what_a_token_allows_ends_at_once(
    change: Callable[[ClubWithPrograms, User], None], read: int, act_: int
) -> None:
    laid = api_clubs.lay("Siri", public=False)
    user = laid.user(Role.ORGANISER)
    headers = {"Authorization": f"Bearer {laid.token(user)}"}
    reads = reading()
    [draws] = [each for each in operations() if each.path.endswith("/draw")]
    tags = [ask(each, laid.ids, headers).headers["ETag"] for each in reads]

    def statuses() -> set[int]:
        return {
            ask(each, laid.ids, {**headers, "If-None-Match": tag}).status
            for each, tag in zip(reads, tags, strict=True)
        }

    assert statuses() == {304}
    assert ask(draws, laid.ids, headers).status == 200

    change(laid, user)

    assert statuses() == {read}
    assert ask(draws, laid.ids, headers).status == act_
    assert ask(listing(), {}, headers).status == (401 if read == 401 else 200)


def test_a_club_that_becomes_private_is_gone_at_once_for_strangers() -> None:
    laid = api_clubs.lay("Wazi")
    reads = reading()
    tags = [ask(each, laid.ids, {}).headers["ETag"] for each in reads]

    Club.objects.filter(pk=laid.club.pk).update(public=False)

    answers = [
        ask(each, laid.ids, {"If-None-Match": tag}).status
        for each, tag in zip(reads, tags, strict=True)
    ]
    assert set(answers) == {404}


# Bodies that are not as the schema says -----------------------------------------------------------

_ODD_PARTS_OF_REPORTS: tuple[dict[str, object], ...] = (
    {"sheet": {"\ud800": 1}},
    {"sheet": {"\0": 1}},
    {"sheet": {"eaten": [float("nan"), float("inf")]}},
    {"sheet": {"eaten": [10**400, -1]}},
    {"sheet": {"eaten": [[[[80, 40]]]]}},
    {"sheet": {"eaten": {"a": 1}}},
    {"sheet": {"e" * 10**6: 1}},
    {"sheet": {"eaten": ["\ud800", 40]}},
    {"sheet": {f"eaten{number}": 1 for number in range(31)}},
    {"sheet": []},
    {"entry": "x"},
    {"number": 0},
    {"number": 1.5},
    {"side": 10},
    {"undone": 0},
)
_REPORT = {"entry": str(UUID(int=7)), "number": 3, "sheet": {"eaten": [80, 40]}}
ODD_BODIES = (
    *("", "{", "null", "[]", "[null]", '"x"', "1", '{"unknown": 1}', "NaN", "{}{}"),
    *("[" * 100_000, "9" * 5_000, '{"players": [1e400]}', '{"names": ["\\u0000"]}'),
    *('{"names": ["\\ud800"]}', '{"names": [1]}', '{"players": [0]}', '{"unconfirmed": "x"}'),
    *(json.dumps({**_REPORT, **odd}) for odd in _ODD_PARTS_OF_REPORTS),
)


def test_a_body_that_is_not_as_the_schema_says_is_refused_and_changes_nothing() -> None:
    laid = api_clubs.lay("Umoja")
    headers = {"Authorization": f"Bearer {laid.token(laid.user(Role.OWNER))}"}
    wrong = []

    for operation in operations():
        if operation.body:
            for body in ODD_BODIES:
                answer = ask(operation, laid.ids, headers, body=body)
                if answer.status not in {400, 413, 422} or answer.wrote:
                    wrong.append(
                        f"{operation.path} {body[:60]}: {answer.status} {answer.text[:80]}"
                    )

    assert wrong == []
