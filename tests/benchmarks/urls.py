"""The site's addresses and one more: the least that a report could possibly cost."""

from contextlib import nullcontext
from uuid import UUID

from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils import timezone
from django.views.decorators.http import require_POST

from tracker.config.urls import urlpatterns as site
from tracker.models import Report, Sitting, Verdict


@require_POST
def yardstick(request: HttpRequest, token: str) -> HttpResponse:
    """Resolve the token, let Django check CSRF, insert one row through the ORM. Nothing else."""
    sitting = get_object_or_404(Sitting, token=token)
    # Inside a transaction SQLite's writers wait for their turn as a report does, in short steps;
    # PostgreSQL is spared the two statements more.
    with transaction.atomic() if connection.vendor == "sqlite" else nullcontext():
        Report.objects.create(
            entry=UUID(request.POST["entry"]),
            sitting=sitting,
            number=1,
            sheet={"eaten": [70, 50]},
            received_at=timezone.now(),
            verdict=Verdict.LATE,
            answer={},
        )
    return HttpResponseRedirect(f"/t/{token}/")


# Below ``/t/``, as a report is: the server gives both to the same thread of a worker.
urlpatterns = [path("t/<str:token>/yardstick/", yardstick), *site]
