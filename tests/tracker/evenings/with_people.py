"""What a club does with the people it knows, wherever they have played."""

from random import Random

from tests.tracker.evenings.club import NAMES, Evenings
from tracker.models import LogEntry, Player
from tracker.people.services.erasing import erase_player, name_traces
from tracker.people.services.merging import merge_players, unmerge
from tracker.people.services.players import rename_player


def rename(club: Evenings, dice: Random) -> None:
    player = dice.choice(list(Player.objects.present().filter(club=club.club).order_by("pk")))
    name = dice.choice([*NAMES, f"Mama {player.pk}", "Juma K.", ""])
    rename_player(player_id=player.pk, name=name, by=club.by())


def merge(club: Evenings, dice: Random) -> None:
    player, other = dice.sample(club.people, 2)
    merge_players(player_id=player.pk, into_id=other.pk, by=club.by())


def tell_apart(club: Evenings, dice: Random) -> None:
    merged = LogEntry.objects.filter(verb="players-merged", club=club.club).order_by("pk")
    if entries := list(merged):
        unmerge(log_entry_id=dice.choice(entries).pk, by=club.by())


def erase(club: Evenings, dice: Random) -> None:
    player = dice.choice(list(Player.objects.present().filter(club=club.club).order_by("pk")))
    names = {team.pk: f"Team {team.pk}" for team in name_traces(player)["teams"]}
    erase_player(player_id=player.pk, team_names=names, by=club.by())
