"""The interface of the API: who asks, what is refused and how, and the ETags of answers.

A program sends a *token*, which acts for a user in one club (``access.role_in``); without one it
reads what everybody may. Cookies count for nothing here: a page of another site could send them.
"""

from collections.abc import Callable, Mapping
from functools import wraps
from http import HTTPStatus
from typing import Any, Concatenate, ParamSpec, TypeAlias

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.http import parse_etags
from django.utils.translation import gettext, gettext_lazy as _
from ninja import NinjaAPI, Schema
from ninja.errors import HttpError, Throttled, ValidationError
from ninja.openapi.schema import OpenAPISchema
from ninja.security import HttpBearer
from ninja.throttling import AuthRateThrottle

from games.errors import RuleError, SheetError
from tracker.common.actor import Actor
from tracker.common.forms import refusal_text
from tracker.common.web import access
from tracker.common.web.error_pages import outage_of
from tracker.common.web.polling import Revision, code_version
from tracker.models import ApiToken
from tracker.results.pages.table_requests import LATER_STATUSES

P = ParamSpec("P")
Operation: TypeAlias = Callable[Concatenate[HttpRequest, P], Any]
RevisionReader: TypeAlias = Callable[[Any, int | None], Revision | None]
# Of one token, or of one address without a token, in each process of the site.
MOST_A_MINUTE = 600
LIMIT = AuthRateThrottle(f"{MOST_A_MINUTE}/m")
_PROBLEM = "application/problem+json"
_REFUSED = {"too-many-late": 429, "too-many-queries": 429, **LATER_STATUSES}


class Problem(Schema):
    """Why a request was refused (RFC 9457)."""

    title: str  # the name of the status
    status: int
    detail: str  # a sentence for people
    code: str  # for programs: it never changes
    question: str | None = None  # the answer of a sheet, or the field, that is wrong
    place: int | None = None  # the side or seat that gave it
    kept: bool = False  # whether the report is kept, for the organiser to settle
    number: int | None = None  # of the hand that is meant, or that is missing


class Token(HttpBearer):
    """Finds the user of a token; a request without one is anonymous, if that is *optional*."""

    def __init__(self, *, optional: bool = False) -> None:
        super().__init__()
        self.optional = optional

    def __call__(self, request: HttpRequest) -> str:
        """Return who asks, for the limit of requests; raise ``SignInNeeded`` for a wrong token."""
        request.user = AnonymousUser()
        header = request.headers.get("Authorization")
        if header is None and self.optional:
            return f"address {request.META.get('REMOTE_ADDR')}"
        scheme, _space, text = (header or "").partition(" ")
        token = ApiToken.objects.valid(text) if scheme.lower() == "bearer" else None
        if token is None:
            raise access.SignInNeeded
        request.user, request.__dict__["api_token"] = token.user, token
        return f"token {token.pk}"

    def authenticate(self, request: HttpRequest, token: str) -> None:
        """Do nothing: ``__call__`` does it all."""


def actor(request: HttpRequest) -> Actor:
    """Return the user of the token as the actor; each token counts as a device of its own."""
    token: ApiToken = request.__dict__["api_token"]
    return Actor(at=timezone.now(), user_id=token.user_id, device=f"token-{token.pk}")


class Interface(NinjaAPI):
    """The API, whose schema says that refusals are problems, and that some need no token."""

    def get_openapi_schema(
        self, *, path_prefix: str | None = None, path_params: dict[str, Any] | None = None
    ) -> OpenAPISchema:
        schema = super().get_openapi_schema(path_prefix=path_prefix, path_params=path_params)
        for methods in schema["paths"].values():
            for method, operation in methods.items():
                if method == "get":
                    operation["security"] = [{}, *operation["security"]]
                for status, answer in operation["responses"].items():
                    if int(status) >= HTTPStatus.BAD_REQUEST:
                        answer["content"] = {_PROBLEM: answer["content"]["application/json"]}
        return schema

    def create_response(self, request: HttpRequest, data: Any, **more: Any) -> HttpResponse:
        response = super().create_response(request, data, **more)
        if tag := request.__dict__.get("api_tag"):  # see ``tagged``
            response["ETag"] = tag
        return response


api = Interface(
    title="Kula",
    version="1",
    urls_namespace="api",
    docs_url=None,  # ``pages`` has the documentation
    auth=Token(optional=True),
    throttle=[LIMIT],
)


NEEDS_TOKEN = Token()


def answers(success: Any, *refusals: int) -> Mapping[int, Any]:
    """Return the answers of an operation that reads: *success*, 304, and its refusals."""
    return {200: success, 304: None, **dict.fromkeys([401, 422, 429, 503, *refusals], Problem)}


def answers_of_act(success: Any, *refusals: int) -> Mapping[int, Any]:
    """Return the answers of an operation that writes."""
    usual = (400, 401, 403, 404, 409, 413, 422, 429, 503, 507)
    return {200: success, **dict.fromkeys([*usual, *refusals], Problem)}


# What is refused ------------------------------------------------------------------------------


def problem(status: int, code: str, detail: object, *, again: int = 0, **more: Any) -> HttpResponse:
    """Return a ``Problem``; *again* is after how many seconds to try again, if that helps."""
    content = Problem(
        title=HTTPStatus(status).phrase, status=status, detail=str(detail), code=code, **more
    )
    text = content.model_dump_json(exclude_defaults=True)
    headers = {"WWW-Authenticate": "Bearer"} if status == HTTPStatus.UNAUTHORIZED else {}
    headers |= {"Retry-After": str(again)} if again else {}
    return HttpResponse(text, status=status, content_type=_PROBLEM, headers=headers)


@api.exception_handler(RuleError)
def _rule_broken(_request: HttpRequest, error: RuleError) -> HttpResponse:
    """Answer with the code and the sentence of the rules, or of the service that refused."""
    usual = (
        HTTPStatus.UNPROCESSABLE_ENTITY if isinstance(error, SheetError) else HTTPStatus.CONFLICT
    )
    missing = error.params.get("missing") if error.code == "hand-missing" else None
    return problem(
        _REFUSED.get(error.code, usual),
        error.code,
        refusal_text(error),
        question=error.question,
        place=error.place,
        number=missing,
    )


@api.exception_handler(ValidationError)
def _invalid(_request: HttpRequest, error: ValidationError) -> HttpResponse:
    """Answer what is not as the schema says: the first part of the request that is wrong."""
    wrong = error.errors[0]
    where = ".".join(
        str(part) for part in wrong["loc"][1:] if part not in {"body", "page", "after"}
    )
    detail = f"{where}: {wrong['msg']}." if where else f"{wrong['msg']}."
    return problem(422, "invalid", detail, question=where or None)


@api.exception_handler(Throttled)
def _too_many(_request: HttpRequest, error: Throttled) -> HttpResponse:
    sentence = gettext("That were too many requests. Wait a little, then go on.")
    return problem(429, "too-many-requests", sentence, again=int(error.wait or 60))


# What ends a request before any rule is asked: status, code and sentence.
_REFUSALS: Mapping[type[Exception], tuple[int, str, Any]] = {
    access.SignInNeeded: (401, "token", _("Send a valid token as “Authorization: Bearer kula_…”.")),
    PermissionDenied: (403, "scope", _("This token, or your role in the club, allows less.")),
    Http404: (404, "not-found", _("There is no such thing here, or only members may see it.")),
    HttpError: (400, "unreadable", _("This is no JSON that can be read.")),
    SuspiciousOperation: (413, "too-large", _("That is more than this site takes in.")),
}


def _refused(_request: HttpRequest, error: Any) -> HttpResponse:
    return problem(*next(_REFUSALS[kind] for kind in type(error).__mro__ if kind in _REFUSALS))


for refused_error in _REFUSALS:
    api.add_exception_handler(refused_error, _refused)


@api.exception_handler(Exception)
def _outage(_request: HttpRequest, error: Exception) -> HttpResponse:
    """Answer what an outage of the database or the disk means; a bug goes on to Django."""
    if (outage := outage_of(error)) is None:
        raise error
    return problem(outage.status, "outage", outage.sentence, again=outage.again or 0)


# ETags ----------------------------------------------------------------------------------------


def tagged(revision_of: RevisionReader) -> Callable[[Operation[P]], Operation[P]]:
    """Answer 304 if nothing has changed since the program's last request, as pages do.

    *revision_of* gets the key in the URL and that of the user: see ``tables.revisions``.
    """

    def decorate(operation: Operation[P]) -> Operation[P]:
        @wraps(operation)
        def conditional(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> Any:
            key = next(iter(kwargs.values()))
            if (revision := revision_of(key, request.user.pk)) is None:
                raise Http404
            token = request.__dict__.get("api_token")
            reader = token and (token.pk, token.scope)
            parts = (revision[0], request.get_full_path(), reader, code_version())
            tag = f'W/"{salted_hmac("tracker.api", repr(parts)).hexdigest()}"'
            if tag in parse_etags(request.headers.get("If-None-Match", "")):
                return HttpResponseNotModified(headers={"ETag": tag})
            request.__dict__["api_tag"] = tag
            return operation(request, *args, **kwargs)

        return conditional

    return decorate
