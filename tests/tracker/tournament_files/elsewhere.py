"""What everybody can read of a tournament, as words, and how much is stored: to be compared."""

import re
from collections.abc import Collection, Iterator

from django.apps import apps
from django.test import Client
from django.urls import reverse

from tracker.models import Player, RoundState, Tournament
from tracker.standings.queries.tournament_stages import event_of

_MAIN = re.compile(r"<main.*?</main>", re.DOTALL)
_TAG = re.compile(r"<(script|style|svg).*?</\1>|<[^>]+>", re.DOTALL)


def words(client: Client, path: str) -> str:
    """Return what stands on a page, without its links and marks."""
    page = client.get(path)
    assert page.status_code == 200, (path, page.status_code)
    (main,) = _MAIN.findall(page.text)
    return " ".join(_TAG.sub(" ", main).split())


def pages(tournament: Tournament) -> Iterator[tuple[str, str]]:
    """Yield what to call a page, and its address, of a tournament and its stages."""
    for stage in event_of(tournament).stages:
        key = [stage.pk]
        kinds = ["tournament", "crosstable", "story", "hands", "schedule", "dealers", "entrants"]
        for kind in [*kinds, *(["bracket"] if stage.has_bracket else [])]:
            yield f"{stage.uid} {kind}", reverse(kind, args=key)
        for round_ in stage.rounds.exclude(state=RoundState.UNDONE).order_by("number"):
            if round_.seating_plan:
                yield f"{stage.uid} why {round_.number}", reverse("why", args=[*key, round_.number])
            yield (
                f"{stage.uid} after {round_.number}",
                f"{reverse('tournament', args=key)}?round={round_.number}",
            )


def read(
    client: Client, tournament: Tournament, kinds: Collection[str] | None = None
) -> dict[str, str]:
    """Return what is to be read of a tournament by page: everything, or pages of these *kinds*."""
    return {
        name: words(client, path)
        for name, path in pages(tournament)
        if kinds is None or name.split()[1] in kinds
    }


def careers(client: Client, club_id: int, names: Collection[str]) -> list[str]:
    """Return what is to be read of these players of a club."""
    players = Player.objects.present().filter(club=club_id, name__in=list(names))
    keys = players.order_by("name_key").values_list("pk", flat=True)
    return [words(client, reverse("player", args=[key])) for key in keys]


def everything(but: Collection[str] = ()) -> dict[str, int]:
    """Count the rows of every model *but* some."""
    counted = (model for model in apps.get_models() if model.__name__ not in but)
    return {model.__name__: model._default_manager.count() for model in counted}
