"""View of the state of the site, for superusers."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from tracker.common.web import access
from tracker.keeping.queries import keeping_page


@access.page
@require_safe
def keeping(request: HttpRequest) -> HttpResponse:
    """Show how the site fares: what it runs on, what is left, and what went wrong of late."""
    access.check_keeper(request)
    return render(request, "keeping/keeping.html", {"page": keeping_page(now=timezone.now())})
