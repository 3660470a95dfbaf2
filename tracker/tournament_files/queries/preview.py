"""Preview of a file before its import: contents, people, and why it is refused."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext

from games import catalogue
from games.errors import RuleError, gettext_noop
from tracker.common.errors import Refused
from tracker.common.forms import refusal_text
from tracker.common.names import suggest_other
from tracker.models import Player, Team, name_key
from tracker.tournament_files.logic.packing import Document
from tracker.tournament_files.logic.schema import InvalidFileError, Moment

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


def people_of(club_id: int, document: Document) -> tuple[FilePerson, ...]:
    """Return a file's people, with players of the same or a similar name, in one query."""
    players = list(Player.objects.present().filter(club=club_id).order_by("name_key", "pk"))
    by_key = {player.name_key: player for player in players}
    by_word: dict[str, list[Player]] = defaultdict(list)  # keyed by the first word of the name key
    for player in players:
        by_word[player.name_key.split()[0]].append(player)
    taken_keys = {*by_key, *(name_key(person["name"]) for person in document["people"])}
    people = []
    for number, person in enumerate(document["people"]):
        name, key = person["name"], name_key(person["name"])
        may_be_here = person["erased_at"] is None  # an erased person cannot be a known player
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


def chosen_players(people: tuple[FilePerson, ...], choices: Choices) -> dict[int, int | None]:
    """Return the key of each person's player: the chosen player, or else the player of that name.

    The result is keyed by the person's number; its value is ``None`` for a new player.

    :raises Refused: ``person-open`` if a choice is missing, ``person-other`` if the player is not
        among the choices, ``person-twice`` if two people would be one player.
    """
    chosen: dict[int, int | None] = {}
    for person in people:
        player = choices.get(person.number, person.here.pk if person.here else None)
        question = f"person_{person.number}"  # the field of the form
        if person.open and person.number not in choices:
            text = gettext_noop("Is %(name)s somebody of this club, or new? Please choose.")
            raise Refused("person-open", text, question=question, name=person.name)
        if player is not None and player not in {choice.pk for choice in person.choices}:
            text = gettext_noop("Somebody has changed the club’s players. Please choose again.")
            raise Refused("person-other", text, question=question)
        if player is not None and player in chosen.values():
            text = gettext_noop("%(name)s would be the same player as somebody else in the file.")
            raise Refused("person-twice", text, question=question, name=person.name)
        chosen[person.number] = player
    return chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class FileStage:
    """A stage in the file; ``entrants``, ``rounds`` and ``hands`` are numbers of them."""

    name: str
    game: str
    entrants: int
    rounds: int
    hands: int
    official: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePreview:
    """What a club sees of a file before it is imported.

    ``club``, ``season`` and ``nights`` say where it was played; ``teams_here`` are the names of
    teams in it that the club has already.
    """

    club: str
    season: str
    nights: tuple[datetime, ...]
    stages: tuple[FileStage, ...]
    people: tuple[FilePerson, ...]
    teams_here: tuple[str, ...]

    @property
    def new(self) -> tuple[FilePerson, ...]:
        """Return the people who can only be new players."""
        return tuple(person for person in self.people if not person.choices)


def preview_file(club_id: int, document: Document) -> FilePreview:
    """Return what is in a checked file, in two queries."""
    origin = document["origin"]
    team_keys = [name_key(team["name"]) for team in document["teams"]]
    teams = Team.objects.filter(club=club_id, name_key__in=team_keys).order_by("name_key")
    stages = tuple(
        FileStage(
            name=stage["name"],
            game=gettext(catalogue.GAMES[stage["game"]].name),
            entrants=len(stage["entrants"]),
            rounds=len(stage["rounds"]),
            hands=sum(
                len(table["hands"]) for round_ in stage["rounds"] for table in round_["tables"]
            ),
            official=stage["official_at"] is not None,
        )
        for stage in document["stages"]
    )
    return FilePreview(
        club=origin["club"],
        season=origin["season"],
        nights=tuple(Moment().load(night, {}) for night in origin["nights"]),
        stages=stages,
        people=people_of(club_id, document),
        teams_here=tuple(teams.values_list("name", flat=True)),
    )


def refusal_sentence(refusal: RuleError) -> str:
    """Return why a file is refused, in the reader's language."""
    if not isinstance(refusal, InvalidFileError):
        return refusal_text(refusal)
    params = {"where": refusal.where, "why": refusal_text(refusal)}
    if refusal.changed:
        return gettext("This file was changed after it was written. %(where)s: %(why)s") % params
    return gettext("%(where)s: %(why)s") % params
