"""Rows for tests: a test names what it cares about, and the rest is filled in without surprise."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import count
from typing import Any
from uuid import UUID, uuid4

from games import catalogue
from games.mode import Mode
from games.option import Options
from tracker.common.actor import Actor
from tracker.models import (
    Award,
    AwardKind,
    Club,
    ClubNight,
    Confirm,
    Entrant,
    Format,
    Membership,
    Player,
    Role,
    Round,
    RoundState,
    Seat,
    Sitting,
    Table,
    Team,
    Tournament,
    User,
    name_key,
)
from tracker.results.services.report_hand import Submission, SubmissionResult, report_hand
from tracker.tables.sql import read_table

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
_made = count(1)


def club(name: str = "Upanga", *, public: bool = True) -> Club:
    return Club.objects.create(name=name, public=public)


_club = club  # where an argument has that name


def user(name: str = "", *, role: Role | None = None, club: Club | None = None) -> User:
    """Make somebody who can sign in with the password ``cards``, with a role in *club* if any."""
    made = User.objects.create_user(username=name or f"user{next(_made)}", password="cards")
    if role is not None:
        Membership.objects.create(user=made, role=role, club=club or _club())
    return made


def actor(who: User | int | None = None, *, at: datetime = NOON, device: str = "") -> Actor:
    """Return who does something: by default nobody who is signed in, at noon."""
    return Actor(at=at, user_id=who.pk if isinstance(who, User) else who, device=device)


def player(name: str = "", *, club: Club) -> Player:
    """Return the club's player of this name, made if there is none."""
    name = name or f"Player {next(_made)}"
    made, _ = Player.objects.get_or_create(
        club=club, name_key=name_key(name), defaults={"name": name}
    )
    return made


def night(club: Club, starts_at: datetime = NOON, **more: Any) -> ClubNight:
    return ClubNight.objects.create(club=club, starts_at=starts_at, **more)


def team(*people: Player, name: str = "") -> Team:
    """Return the club's team of this name, by default its people's names, made if there is none."""
    name = name or " & ".join(person.name for person in people)
    made, _ = Team.objects.get_or_create(
        club_id=people[0].club_id, name_key=name_key(name), defaults={"name": name}
    )
    for person in people:  # one by one: together they would be added in any order
        made.roster.add(person)
    return made


def tournament(
    game: str = "albastini",
    mode: str = "",
    *,
    club: Club | None = None,
    name: str = "Friday Cup",
    teams: bool = False,
    options: Options | None = None,
    hands: int | None = None,
    games: int | None = None,
    confirm: Confirm = Confirm.ONE,
    **more: Any,
) -> Tournament:
    """Make a tournament; without a *mode* in the game's first one for four, without an end."""
    rules = catalogue.GAMES[game]
    complete = rules.complete_options(options or {})
    modes = rules.modes(complete)
    return Tournament.objects.create(
        club=club or _club(),
        name=name,
        game=game,
        mode=mode or next((mode.code for mode in modes if mode.seats == 4), modes[0].code),
        format=Format.TEAMS if teams else Format.PLAYERS,
        options=complete,
        hands=hands,
        games=games,
        confirm=confirm,
        created_at=NOON,
        **more,
    )


def entrant(player_or_team: Player | Team, *, at: Tournament) -> Entrant:
    """Return the entrant of a player or a team, entered if need be."""
    if isinstance(player_or_team, Player):
        return Entrant.objects.get_or_create(tournament=at, player=player_or_team)[0]
    return Entrant.objects.get_or_create(tournament=at, team=player_or_team)[0]


def award(
    to: Entrant, amount: int | None = None, kind: AwardKind = AwardKind.AWARD, **more: Any
) -> Award:
    """Give points beside the hands; without an *amount* their own average, usually for a rest."""
    if amount is None:
        kind, more = AwardKind.RESTING, {"rule": "average", **more}
    about = {"reason": "because", **more}
    return Award.objects.create(
        tournament_id=to.tournament_id, entrant=to, kind=kind, amount=amount, **about
    )


def round_of(at: Tournament, *, state: RoundState = RoundState.OPEN, **more: Any) -> Round:
    """Make the tournament's next round, of as many hands or games as it has."""
    number = more.pop("number", at.rounds.exclude(state=RoundState.UNDONE).count() + 1)
    return Round.objects.create(
        tournament=at,
        number=number,
        state=state,
        **{"hands": at.hands, "games": at.games, "opened_at": NOON, **more},
    )


def table(at: Tournament, number: int) -> Table:
    """Return the tournament's table of this number, with its lasting card."""
    made, _ = Table.objects.get_or_create(
        tournament=at,
        number=number,
        defaults={"card_token": uuid4().hex, "code": f"{at.pk % 100:02d}{number:02d}"},
    )
    return made


def sitting(
    *names: str,
    at: Tournament | None = None,
    in_round: Round | None = None,
    mode: str = "",
    number: int | None = None,
    first_dealer: int = 0,
    dealt_before: list[int | None] | None = None,
) -> Sitting:
    """Seat these people, by place, and open their session.

    Places without a name are taken by made-up people. Without *in_round* they sit
    down in the tournament's open one, which is made if there is none. In the team
    format the people of a side enter as the team of their names. Who sits in a running round of
    another tournament has come from there: that round is closed.
    """
    at = at or (in_round.tournament if in_round else tournament())
    running = at.rounds.filter(state=RoundState.OPEN).order_by("-number")
    in_round = in_round or running.first() or round_of(at)
    rules = at.rules
    played = rules.mode(mode or at.mode, at.options)
    padded = [*names, *[""] * (played.seats - len(names))]
    people = [player(name, club=at.club) for name in padded]
    elsewhere = Round.objects.filter(seats__in=Seat.objects.active().filter(player__in=people))
    Round.objects.filter(pk__in=elsewhere.exclude(tournament=at)).update(state=RoundState.CLOSED)
    before = dealt_before or [None] * played.seats
    session = rules.open_session(played, at.options, first_dealer, before)
    number = number or in_round.sittings.count() + 1
    made = Sitting.objects.create(
        round=in_round,
        table=table(at, number),
        number=number,
        mode=played.code,
        options=at.options,
        token=uuid4().hex,
        first_dealer=first_dealer,
        dealt_before=before,
        started_at=NOON,
        session=rules.save_session(session),
        next_dealer=session.dealer,
        may_deal=session.may_deal,
    )
    _seat(people, made, played)
    return made


def _seat(people: Sequence[Player], sitting: Sitting, mode: Mode) -> None:
    """Seat these people by place; in the team format those of a side enter as a team."""
    at = sitting.round.tournament
    for place, person in enumerate(people):
        side = mode.side_of(place)
        partners = [people[seat] for seat in mode.sides[side]]
        enters = team(*partners) if at.format == Format.TEAMS else person
        Seat.objects.create(
            sitting=sitting,
            round=sitting.round,
            place=place,
            side=side,
            player=person,
            entrant=entrant(enters, at=at),
        )


def coming_dealer(sitting: Sitting) -> int:
    """Return who deals the coming hand at a table."""
    table = read_table(sitting_id=sitting.pk)
    assert table is not None
    return table.coming_dealer


def undone_report(sitting: Sitting) -> int | None:
    """Return what a page of the table shows as the undone report of the coming hand."""
    table = read_table(sitting_id=sitting.pk)
    return table.undone_report if table else None


def report(
    sitting: Sitting,
    sheet: Mapping[str, Any],
    *,
    number: int | None = None,
    entry: UUID | None = None,
    device: str = "",
    side: int | None = None,
    user: User | None = None,
    is_next: bool | None = None,
    parked: bool = False,
    undone: int | None = None,
    now: datetime = NOON,
) -> SubmissionResult:
    """Report a sheet from this table, by default as its page lays out the next hand, by nobody."""
    if number is None:
        sitting.refresh_from_db()
        number = sitting.last_number + 1
        undone = undone_report(sitting)
    return report_hand(
        token=sitting.token,
        submission=Submission(
            entry=entry or uuid4(),
            number=number,
            sheet=sheet,
            side=side,
            is_next=is_next,
            parked=parked,
            undone=undone,
        ),
        by=actor(user.pk if user else None, at=now, device=device),
    )
