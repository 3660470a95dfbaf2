"""What everybody can read of a tournament, as words: to be compared with another club's."""

import re
from collections.abc import Iterator

from django.test import Client
from django.urls import reverse

from tracker.models import Player, RoundState, Tournament
from tracker.standings.queries.events import event_of

_MAIN = re.compile(r"<main.*?</main>", re.DOTALL)
_TAG = re.compile(r"<(script|style|svg).*?</\1>|<[^>]+>", re.DOTALL)
# What belongs to the club and not to the tournament.
_SEASON = re.compile(r"Season [^<]*")


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


def read(client: Client, tournament: Tournament) -> dict[str, str]:
    """Return everything that is to be read of a tournament, by page."""
    return {name: words(client, path) for name, path in pages(tournament)}


def careers(client: Client, club_id: int, most: int) -> dict[str, str]:
    """Return what is to be read of a club's first players, by name."""
    players = Player.objects.present().filter(club=club_id).order_by("name_key")[:most]
    return {
        player.name: words(client, reverse("player", args=[player.pk])) for player in players
    }
