"""How the commands are told what they are about."""

from django.core.management.base import CommandError

from tracker.models import Tournament


def tournament_named(said: str) -> Tournament:
    """Return the tournament with this number or this name.

    :raises CommandError: if there is none, or several are called so.
    """
    found = list(Tournament.objects.filter(name__iexact=said).order_by("pk"))
    if not found and said.isdecimal() and len(said) < 18:
        found = list(Tournament.objects.filter(pk=int(said)))
    if not found:
        raise CommandError(f"There is no tournament “{said}”.")
    if len(found) > 1:
        numbers = ", ".join(str(tournament.pk) for tournament in found)
        raise CommandError(f"Several tournaments are called “{said}”: say which of {numbers}.")
    return found[0]
