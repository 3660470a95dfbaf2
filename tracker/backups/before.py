"""Automatic copies before a destructive act, requested by its view."""

from django.contrib import messages
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from tracker.backups.making import copy_before


def keep_copy(request: HttpRequest, why: str) -> None:
    """Make a copy before the act in *why*, which names no person: the copy outlives erasures.

    Without one people are told, and may go on: a full disk must not stop a night.
    """
    problem = copy_before(why=why, now=timezone.now())
    if problem:
        said = _("Kula could not keep a copy of everything before this. %(problem)s")
        messages.warning(request, said % {"problem": problem})
