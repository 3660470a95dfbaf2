"""Who the people and teams in a file are at the club that may import it, and why it is refused."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext

from games.errors import RuleError, gettext_noop
from tracker.common.errors import Refused
from tracker.common.forms import refusal_text
from tracker.common.names import suggest_other
from tracker.models import Player, Team, name_key
from tracker.tournament_files.logic.errors import InvalidFileError
from tracker.tournament_files.logic.format import Document

# The most players of similar names to choose from; names are similar if their first word is equal.
MOST_ALIKE = 5
# The key of the club's player for each person, or None for a new player; keyed by the person's
# index in the file.
Choices = Mapping[int, int | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePerson:
    """A person in a file, with the players of the club that they may be.

    ``number`` is the person's index in the file. ``here`` is the player of the same name, ``alike``
    are players with similar names. ``new_name`` is the name that the person gets as a new player.
    """

    number: int
    name: str
    here: Player | None
    alike: tuple[Player, ...]
    new_name: str

    @property
    def open(self) -> bool:
        """Return whether a player is still to be chosen for this person."""
        return self.here is None and bool(self.alike)

    @property
    def choices(self) -> tuple[Player, ...]:  # besides a new player
        return (*([self.here] if self.here else []), *self.alike)


@dataclass(frozen=True, slots=True)
class Matches:
    """The key of each person's player and of each team, ``None`` for new ones, and their names."""

    people: tuple[tuple[int | None, str], ...]
    teams: tuple[tuple[int | None, str], ...]


def people_of(club_id: int, document: Document) -> tuple[FilePerson, ...]:
    """Return a file's people, with players of the same or a similar name, in one query."""
    players = list(Player.objects.present().filter(club=club_id).order_by("name_key", "pk"))
    by_key = {player.name_key: player for player in players}
    by_word: dict[str, list[Player]] = defaultdict(list)  # keyed by the first word of the name key
    for player in players:
        by_word[player.name_key.split()[0]].append(player)
    taken_keys = {*by_key, *(name_key(person.name) for person in document.people)}
    people = []
    for number, person in enumerate(document.people):
        name, key = person.name, name_key(person.name)
        may_be_here = person.erased_at is None  # an erased person cannot be a known player
        here = by_key.get(key) if may_be_here else None
        alike = by_word[key.split()[0]][:MOST_ALIKE] if may_be_here and not here else []
        # A new player may not have the name of a player who is here: "Asha" becomes "Asha K.".
        new_name = name
        while here and name_key(new_name) in taken_keys:
            new_name = suggest_other(new_name)
        taken_keys.add(name_key(new_name))
        people.append(
            FilePerson(number=number, name=name, here=here, alike=tuple(alike), new_name=new_name)
        )
    return tuple(people)


def matches_of(club_id: int, document: Document, choices: Choices | None) -> Matches:
    """Return the chosen players, or else those of the same names, and the teams of the club.

    Without any *choices* people of similar names are new players.

    :raises Refused: ``person-open`` if a choice is missing, ``person-other`` if the player is not
        among the choices, ``person-twice`` if two people would be one player.
    """
    chosen: list[tuple[int | None, str]] = []
    for person in people_of(club_id, document):
        here = person.here.pk if person.here else None
        player = here if choices is None else choices.get(person.number, here)
        question = f"person_{person.number}"  # the field of the form
        if choices is not None and person.open and person.number not in choices:
            text = gettext_noop("Is %(name)s somebody of this club, or new? Please choose.")
            raise Refused("person-open", text, question=question, name=person.name)
        if player is not None and player not in {choice.pk for choice in person.choices}:
            text = gettext_noop("Somebody has changed the club’s players. Please choose again.")
            raise Refused("person-other", text, question=question)
        if player is not None and player in {key for key, _ in chosen}:
            text = gettext_noop("%(name)s would be the same player as somebody else in the file.")
            raise Refused("person-twice", text, question=question, name=person.name)
        chosen.append((player, person.new_name))
    teams: list[tuple[int | None, str]] = []
    for team in document.teams:
        taken = {name_key(name) for key, name in teams if key is None}
        roster = [chosen[person][0] for person in team.roster]
        teams.append(_team(club_id, team.name, roster, taken))
    return Matches(tuple(chosen), tuple(teams))


def _team(
    club_id: int, name: str, roster: list[int | None], taken: set[str]
) -> tuple[int | None, str]:
    """Return the club's team of this name and these people, or a name for a new one."""
    new_name, number = name, 1
    while True:
        same_name = Team.objects.filter(club=club_id, name_key=name_key(new_name)).first()
        if same_name is None and name_key(new_name) not in taken:
            return None, new_name
        members = Team.roster.through.objects.filter(team=same_name).order_by("pk")
        if same_name is not None and list(members.values_list("player", flat=True)) == roster:
            return same_name.pk, new_name
        # A team of other people has this name.
        number += 1
        new_name = f"{name[:74]} {number}"  # within the 80 letters of the column


def teams_here(club_id: int, document: Document) -> list[str]:
    """Return the names of the club's teams that are called as teams in the file."""
    keys = [name_key(team.name) for team in document.teams]
    teams = Team.objects.filter(club=club_id, name_key__in=keys).order_by("name_key")
    return list(teams.values_list("name", flat=True))


def refusal_sentence(refusal: RuleError) -> str:
    """Return why a file is refused, in the reader's language."""
    if not isinstance(refusal, InvalidFileError):
        return refusal_text(refusal)
    params = {"where": refusal.where, "why": refusal_text(refusal)}
    if refusal.changed:
        return gettext("This file was changed after it was written. %(where)s: %(why)s") % params
    return gettext("%(where)s: %(why)s") % params
