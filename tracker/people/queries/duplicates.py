"""Players who may be one person, and mergers that can still be taken back."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from tracker.common.spelling import alike
from tracker.models import Club, Entrant, LogEntry, Player, Seat

PAIRS_SHOWN = 30
MERGERS_SHOWN = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Twin:
    """A player who may be another; ``tournaments`` says how much there is to move."""

    pk: int
    name: str
    tournaments: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Merger:
    log_entry: int
    gone: str
    stays: str
    at: datetime


def likely_pairs(club: Club) -> list[tuple[Twin, Twin]]:
    """Return pairs of players with names alike who never sat in one round, in three queries.

    The first of a pair has played less: it is the one that would become the other.
    """
    players = Player.objects.present().filter(club=club).order_by("name_key")
    names = dict(players.values_list("pk", "name"))
    pairs = alike(names)
    wanted = {player for pair in pairs for player in pair}
    rounds: dict[int, set[int]] = defaultdict(set)
    for player, round_ in Seat.objects.filter(player__in=wanted).values_list("player", "round"):
        rounds[player].add(round_)
    entered: dict[int, int] = defaultdict(int)
    for player in Entrant.objects.filter(player__in=wanted).values_list("player", flat=True):
        entered[player or 0] += 1

    def twin(player: int) -> Twin:
        return Twin(pk=player, name=names[player], tournaments=entered[player])

    apart = [pair for pair in pairs if not rounds[pair[0]] & rounds[pair[1]]]
    return [
        (twin(less), twin(more))
        for one, other in apart[:PAIRS_SHOWN]
        for less, more in [sorted((one, other), key=lambda player: len(rounds[player]))]
    ]


def mergers(club: Club) -> list[Merger]:
    """Return the last mergers that stand, the newest first, in two queries."""
    log_entries = LogEntry.objects.filter(club=club, verb="players-merged", undone_by=None)
    found = list(log_entries.order_by("-at", "-pk")[:MERGERS_SHOWN])
    keys = {key for log_entry in found for key in (log_entry.on["player"], log_entry.on["into"])}
    players = Player.objects.in_bulk(keys)
    return [
        Merger(
            log_entry=log_entry.pk,
            gone=players[log_entry.on["player"]].name,
            stays=players[log_entry.on["into"]].name,
            at=log_entry.at,
        )
        for log_entry in found
    ]
