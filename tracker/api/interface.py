"""The object of django-ninja: tokens, the limit of requests, refusals as problems, ETags.

A program sends a *token*, which acts for a user in one club (``access.role_in``); without one it
reads what everybody may. Cookies are ignored: another site could make a browser send them.
"""

from collections.abc import Callable, Mapping
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db.models import Manager
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.http import parse_etags
from django.utils.translation import gettext, gettext_lazy as _
from ninja import Field, NinjaAPI, Schema
from ninja.errors import HttpError, Throttled, ValidationError
from ninja.openapi.schema import OpenAPISchema
from ninja.security.http import HttpAuthBase
from ninja.throttling import AuthRateThrottle

from games.errors import RuleError, SheetError
from tracker.common.actor import Actor
from tracker.common.forms import refusal_text
from tracker.common.web import access
from tracker.common.web.error_pages import outage_of
from tracker.common.web.polling import Revision, code_version
from tracker.models import ApiToken, Club, ClubNight, Player, Round, Season, Sitting, Tournament
from tracker.results.pages.table_requests import LATER_STATUSES
from tracker.tables import revisions

# Requests of a token, or of an IP address without one; counted in each process of the site.
MOST_A_MINUTE = 600
LIMIT = AuthRateThrottle(f"{MOST_A_MINUTE}/m")
_MOST_BYTES = 64_000  # of the body of a request
_PROBLEM = "application/problem+json"
_STATUS_OF_CODE = {"too-many-late": 429, "too-many-queries": 429, **LATER_STATUSES}


class Problem(Schema):
    """Why a request was refused (RFC 9457)."""

    title: str = Field(description="the name of the status")
    status: int
    detail: str = Field(description="a sentence for people")
    code: str = Field(description="for programs: it never changes")
    question: str | None = Field(None, description="a sheet's wrong answer, or the wrong field")
    place: int | None = Field(None, description="the side or seat of that answer")
    kept: bool = Field(False, description="the report was saved, and waits for the organiser")
    number: int | None = Field(None, description="of the hand that is meant, or that is missing")


class TokenAuth(HttpAuthBase):
    """Finds the user of a token; a request without one is anonymous, if that is *optional*."""

    openapi_scheme = "bearer"

    def __init__(self, *, optional: bool = False) -> None:
        super().__init__()
        self.optional = optional

    def __call__(self, request: HttpRequest) -> str:
        """Return the identity that the limit counts; raise ``SignInNeeded`` for a wrong token."""
        request.user = AnonymousUser()
        header = request.headers.get("Authorization")
        if header is None and self.optional:
            return f"address {request.META.get('REMOTE_ADDR')}"
        scheme, _space, text = (header or "").partition(" ")
        tokens = ApiToken.objects.filter(membership__user__is_active=True)
        tokens = tokens.select_related("membership__user")
        token = tokens.filter(digest=ApiToken.digest_of(text)).first()
        if token is None or scheme.lower() != "bearer":
            raise access.SignInNeeded
        # Before the body is read: one thread takes in all reports, and long JSON would hold it.
        if int(request.META.get("CONTENT_LENGTH") or 0) > _MOST_BYTES:
            raise RequestDataTooBig
        request.user, request.__dict__["api_token"] = token.membership.user, token
        return f"token {token.pk}"


def actor(request: HttpRequest) -> Actor:
    """Return the user of the token as the actor; each token counts as a device of its own.

    Trap: a phone may name its device as it likes, so the name of this one must not be guessed.
    """
    token: ApiToken = request.__dict__["api_token"]
    device = f"token-{token.digest[:32]}"
    return Actor(at=timezone.now(), user_id=token.membership.user_id, device=device)


class Interface(NinjaAPI):
    """The API; its schema says that refusals are problems, and that reading may need no token."""

    schema: OpenAPISchema | None = None

    def get_openapi_schema(self, **given: Any) -> OpenAPISchema:
        if self.schema:  # it takes a quarter of a second to make
            return self.schema
        schema = super().get_openapi_schema(**given)
        for methods in schema["paths"].values():
            for method, operation in methods.items():
                if method == "get":
                    operation["security"] = [{}, *operation["security"]]
                for status, answer in operation["responses"].items():
                    if int(status) >= HTTPStatus.BAD_REQUEST:
                        answer["content"] = {_PROBLEM: answer["content"]["application/json"]}
        self.schema = schema
        return schema

    def create_response(self, request: HttpRequest, data: Any, **more: Any) -> HttpResponse:
        response = super().create_response(request, data, **more)
        if tag := request.__dict__.get("etag"):  # see ``with_etag``
            response["ETag"] = tag
        return response


api = Interface(
    title="Kula",
    version="1",
    urls_namespace="api",
    docs_url=None,  # ``pages`` has the documentation
    auth=TokenAuth(optional=True),
    throttle=[LIMIT],
)


def reads(success: Any, *refusals: int) -> Mapping[int, Any]:
    """Return the responses of an operation that reads: *success*, 304, and its refusals."""
    return {200: success, 304: None, **dict.fromkeys([401, 422, 429, 503, *refusals], Problem)}


def writes(success: Any, *refusals: int) -> dict[str, Any]:
    """Return what every operation that writes says of itself: it needs a token, and its responses."""
    usual = (400, 401, 403, 404, 409, 413, 422, 429, 503, 507)
    responses = {200: success, **dict.fromkeys([*usual, *refusals], Problem)}
    return {"auth": TokenAuth(), "response": responses}


# What is refused ------------------------------------------------------------------------------


def problem(status: int, code: str, detail: object, *, again: int = 0, **more: Any) -> HttpResponse:
    """Return a ``Problem``; *again* is after how many seconds to retry, if that helps."""
    title = HTTPStatus(status).phrase
    content = Problem(title=title, status=status, detail=str(detail), code=code, **more)
    text = content.model_dump_json(exclude_defaults=True)
    headers = {"WWW-Authenticate": "Bearer"} if status == HTTPStatus.UNAUTHORIZED else {}
    headers |= {"Retry-After": str(again)} if again else {}
    return HttpResponse(text, status=status, content_type=_PROBLEM, headers=headers)


@api.exception_handler(RuleError)
def _rule_broken(_request: HttpRequest, error: RuleError) -> HttpResponse:
    """Answer with the code and the sentence of the rules, or of the service that refused."""
    of_input = isinstance(error, SheetError) or error.question
    usual = HTTPStatus.UNPROCESSABLE_ENTITY if of_input else HTTPStatus.CONFLICT
    missing = error.params.get("missing") if error.code == "hand-missing" else None
    where: dict[str, Any] = {"question": error.question, "place": error.place, "number": missing}
    status = _STATUS_OF_CODE.get(error.code, usual)
    return problem(status, error.code, refusal_text(error), **where)


@api.exception_handler(ValidationError)
def _invalid(_request: HttpRequest, error: ValidationError) -> HttpResponse:
    """Answer with the first part of the request that is not as the schema says."""
    wrong = error.errors[0]
    parts = (str(part) for part in wrong["loc"][1:] if part not in {"body", "page", "after"})
    where = ".".join(parts)
    detail = f"{where}: {wrong['msg']}." if where else f"{wrong['msg']}."
    return problem(422, "invalid", detail, question=where or None)


@api.exception_handler(Throttled)
def _too_many(_request: HttpRequest, error: Throttled) -> HttpResponse:
    sentence = gettext("That were too many requests. Wait a little, then go on.")
    return problem(429, "too-many-requests", sentence, again=int(error.wait or 60))


# What ends a request before any rule is asked: status, code and sentence.
_PROBLEM_OF_ERROR: Mapping[type[Exception], tuple[int, str, Any]] = {
    access.SignInNeeded: (401, "token", _("Send a valid token as “Authorization: Bearer kula_…”.")),
    PermissionDenied: (403, "scope", _("This needs a wider scope, or a higher role in the club.")),
    Http404: (
        404,
        "not-found",
        _("There is nothing here, or only members of the club may see it."),
    ),
    HttpError: (400, "unreadable", _("The body is not valid JSON.")),
    SuspiciousOperation: (413, "too-large", _("The request is too large.")),
}


for error_class, answer in _PROBLEM_OF_ERROR.items():
    api.add_exception_handler(error_class, lambda _request, _error, of=answer: problem(*of))  # type: ignore[misc]


@api.exception_handler(Exception)
def _outage(_request: HttpRequest, error: Exception) -> HttpResponse:
    """Answer what an outage of the database or the disk means; a bug goes on to Django."""
    if (outage := outage_of(error)) is None:
        raise error
    return problem(outage.status, "outage", outage.sentence, again=outage.again or 0)


# ETags ----------------------------------------------------------------------------------------

# The key in an address -> rows, the path to what has the revision of all that is shown, its reader.
_REVISIONS: Mapping[str, tuple[Manager[Any], str, Callable[..., Revision | None]]] = {
    "club_id": (Club.objects, "pk", revisions.of_club),
    "player_id": (Player.objects, "club", revisions.of_club),
    "season_id": (Season.objects, "club", revisions.of_club),
    "night_id": (ClubNight.objects, "pk", revisions.of_night),
    "tournament_id": (Tournament.objects, "pk", revisions.of_tournament),
    "round_id": (Round.objects, "tournament", revisions.of_tournament),
    "table_id": (Sitting.objects, "round__tournament", revisions.of_tournament),
}


def with_etag(operation: Callable[..., Any]) -> Callable[..., Any]:
    """Answer 304 if nothing has changed since the program's last request, as pages do."""

    @wraps(operation)
    def conditional(request: HttpRequest, **given: Any) -> Any:
        name = next((name for name in given if name in _REVISIONS), None)
        if request.method != "GET" or name is None:
            return operation(request, **given)
        rows, path, revision_of = _REVISIONS[name]
        key = given[name]
        if path != "pk":
            key = rows.filter(pk=key).values_list(path, flat=True).first()
        revision = revision_of(key, request.user.pk) if key else None
        if revision is None:
            raise Http404
        token = request.__dict__.get("api_token")
        reader = token and (token.pk, token.scope)
        parts = (revision[0], request.get_full_path(), reader, code_version())
        tag = f'W/"{salted_hmac("tracker.api", repr(parts)).hexdigest()}"'
        if tag in parse_etags(request.headers.get("If-None-Match", "")):
            return HttpResponseNotModified(headers={"ETag": tag})
        request.__dict__["etag"] = tag  # for ``Interface.create_response``
        return operation(request, **given)

    return conditional


api.add_decorator(with_etag)
