"""Clubs with something behind every operation of the API, and the tokens of programs that ask."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Model
from django.utils import timezone

from games import catalogue
from tests import act, make, tour
from tracker.models import (
    ApiToken,
    Club,
    ClubNight,
    Membership,
    Player,
    Role,
    Round,
    Season,
    Sitting,
    TokenScope,
    Tournament,
    User,
)
from tracker.nights.services.attendance import arrive

PEOPLE = ("Asha", "Neema", "Juma", "Baraka")
# Of each id in the addresses of the API: the model, and the way from there to its club.
TO_CLUB: dict[str, tuple[type[Model], str]] = {
    "club_id": (Club, "pk"),
    "night_id": (ClubNight, "club"),
    "player_id": (Player, "club"),
    "season_id": (Season, "club"),
    "tournament_id": (Tournament, "club"),
    "round_id": (Round, "tournament__club"),
    "table_id": (Sitting, "round__tournament__club"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubWithPrograms:
    """A club in whose every name is its own: whoever reads it in an answer has read of this club.

    It has a tournament with a closed round and a drawn one, an official one in a season, and of
    every game one whose round is open; ``table`` is a table of Albastini there.
    """

    club: Club
    drawn: Tournament
    table: Sitting
    ids: dict[str, int]  # one of each kind, on which every act works

    @property
    def name(self) -> str:
        return self.club.name

    def all_ids(self) -> dict[str, list[int]]:
        """Return the keys of all that the club has, by the names of ids in addresses."""
        return {
            name: sorted(
                model._default_manager.filter(**{way: self.club.pk}).values_list("pk", flat=True)
            )
            for name, (model, way) in TO_CLUB.items()
        }

    def user(self, role: Role | None, name: str = "") -> User:
        """Make a user with this role in the club."""
        return make.user(name, role=role, club=self.club)

    def token(self, user: User, scope: TokenScope = TokenScope.ORGANISE) -> str:
        """Make a token for this club, also with a scope that is more than the role of its user."""
        text = f"{user.username}-{scope}-{self.club.pk}"
        ApiToken.objects.create(
            membership=Membership.objects.get(user=user, club=self.club),
            name="Program",
            scope=scope,
            digest=ApiToken.digest_of(text),
            made_at=make.NOON,
        )
        return text


def lay(name: str, *, public: bool = True) -> ClubWithPrograms:
    """Make a club of this name with all that its programs may ask for."""
    club, now = make.club(name, public=public), timezone.now()
    season = Season.objects.create(club=club, name=f"Season of {name}")
    night = make.night(club, now, place=f"Hall of {name}")
    official = _tournament(club, "dalmuti", f"Opening of {name}", season=season)
    make.report(_seat(official, "opening"), tour.SHEETS["dalmuti"][1][0])
    act.close(official.rounds.get(), not_played=True)
    act.finish(official)
    drawn = _tournament(club, "albastini", f"Drawn Cup of {name}")
    make.report(_seat(drawn, "cup"), {"eaten": [70, 50]})
    act.close(drawn.rounds.get(), anyway=True)
    act.draw(drawn)
    tables = {}
    for game, (_mode, sheets) in tour.SHEETS.items():
        tables[game] = _seat(_tournament(club, game, f"Cup of {game} of {name}"), game, night=night)
        for sheet in sheets:
            make.report(tables[game], sheet)
    [here], _new = arrive(night_id=night.pk, new_names=[f"Omari of {name}"], by=make.actor(at=now))
    table = tables["albastini"]
    return ClubWithPrograms(
        club=club,
        drawn=drawn,
        table=table,
        ids={
            "club_id": club.pk,
            "night_id": night.pk,
            "player_id": here.pk,
            "season_id": season.pk,
            "tournament_id": drawn.pk,
            "round_id": table.round_id,
            "table_id": table.pk,
        },
    )


def _tournament(club: Club, game: str, name: str, **more: Any) -> Tournament:
    in_games = catalogue.GAMES[game].round_in_games
    length: dict[str, Any] = {"games": 3} if in_games else {"hands": 8}
    return make.tournament(game, tour.SHEETS[game][0], club=club, name=name, **length, **more)


def _seat(at: Tournament, where: str, **of_round: Any) -> Sitting:
    """Seat four people of the club who sit at no other table."""
    names = [f"{person} of {at.club} at {where}" for person in PEOPLE]
    return make.sitting(*names, in_round=make.round_of(at, **of_round))
