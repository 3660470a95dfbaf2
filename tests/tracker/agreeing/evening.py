"""An evening at one table of any game: what happens there, moment by moment."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from random import Random
from typing import Any
from uuid import uuid4

from django.utils import timezone

from games import catalogue
from games.option import Options
from games.sheet import Sheet
from tests import make
from tests.tracker.agreeing.pencil import Book, Truth, Written
from tracker.common.actor import Actor
from tracker.models import (
    Format,
    Player,
    Role,
    Round,
    Season,
    Seat,
    Sitting,
)
from tracker.nights.services.attendance import arrive
from tracker.nights.services.closing import close_round
from tracker.nights.services.nights import current_or_new_night
from tracker.results.services.corrections import STRIKE, correct_sitting
from tracker.results.services.report_hand import Submission, report_hand
from tracker.results.services.table_actions import choose_dealer, take_back
from tracker.seating.services.round_opening import seat_round
from tracker.seating.services.seat_swaps import substitute, swap_seats
from tracker.standings.services.seasons import save_season
from tracker.standings.services.standings import finish_tournament
from tracker.tournaments.services.entering import enter_players, enter_teams
from tracker.tournaments.services.tournaments import make_tournament

# One word each, so that they are called the same on every page.
NAMES = "Asha Neema Juma Baraka Zuwena Omari Sefu Rehema Kito Imani Zuri Amani".split()  # noqa: SIM905
PHONE = "a phone"


class Evening:
    """A club, a night, and one table of a tournament that plays two rounds."""

    def __init__(
        self, game: str, mode: str, *, options: Options | None = None, teams: bool = False
    ) -> None:
        self.rules = catalogue.GAMES[game]
        self.books: list[Book] = []
        self.chosen: list[tuple[int, int, int]] = []  # at which table, for which hand, who deals
        self.written_down: list[
            int
        ] = []  # the numbers of all sheets sent, those of undone hands too
        self.now = timezone.now() - timedelta(minutes=60)
        self.club = make.club()
        self.organiser = make.user("organiser", role=Role.ORGANISER, club=self.club)
        house = self.rules.complete_options(options or {})
        self.mode = self.rules.mode(mode, house)
        everybody = [make.player(name, club=self.club) for name in NAMES]
        self.people, self.newcomer = everybody[: self.mode.seats], everybody[-1]
        self.seated = make.user("seated", role=Role.MEMBER, club=self.club)
        Player.objects.filter(pk=self.people[0].pk).update(user=self.seated)
        self.season = save_season(Season(club=self.club, name="Autumn"), by=self.by())
        self.night = current_or_new_night(club_id=self.club.pk, by=self.by())
        self.tournament = make_tournament(
            club_id=self.club.pk,
            name="Friday Cup",
            game=game,
            mode=mode,
            format_=Format.TEAMS if teams else Format.PLAYERS,
            options=house,
            length={"briscola": 1, "mambassa": 2}.get(game, 4),
            season_id=self.season.pk,
            by=self.by(),
        )
        arrive(night_id=self.night.pk, players=[each.pk for each in self.people], by=self.by())
        self._enter(teams=teams)

    def _enter(self, *, teams: bool) -> None:
        key = self.tournament.pk
        if teams:
            sides = [[self.people[place] for place in side] for side in self.mode.sides]
            keys = [make.team(*side).pk for side in sides]
            self.entrants = enter_teams(tournament_id=key, teams=keys, by=self.by())
        else:
            keys = [each.pk for each in self.people]
            self.entrants = enter_players(tournament_id=key, players=keys, by=self.by())

    def by(self, user: Any = None, *, device: str = "") -> Actor:
        """Return who acts, half a minute after whoever did before."""
        self.now += timedelta(seconds=30)
        if not device:
            return make.actor(user or self.organiser, at=self.now)
        return make.actor(at=self.now, device=device)

    # What happens -----------------------------------------------------------------------------

    def moments(self) -> Iterator[str]:
        """Do one thing after another at the table, and say each time what was done."""
        self.open_round()
        yield "a new table"
        self.report(self.win())
        yield "after a win"
        tie = self.tie()
        if tie is not None:
            self.report(tie)
            yield "after a tie"
        self.report(self.win())
        self.take_back()
        yield "a hand taken back"
        self.report(self.win())
        may = [place for place in self.sitting.may_deal if place != self.sitting.next_dealer]
        if may:
            choose_dealer(token=self.sitting.token, place=may[0], by=self.by(device=PHONE))
            self.books[-1].chosen = may[0]
            self.chosen.append((len(self.books) - 1, self.last + 1, may[0]))
            yield "somebody else deals"
        swap_seats(seats=(self.seat(0).pk, self.seat(1).pk), by=self.by())
        yield "two seats put right"
        left = self.seat(self.mode.seats - 1)
        substitute(seat_id=left.pk, player_id=self.newcomer.pk, by=self.by())
        yield "a substitute comes"
        if not self.sitting.finished_at:
            self.report(self.win())
            yield "the substitute has played"
        correct_sitting(
            sitting_id=self.sitting.pk, changes={1: STRIKE}, reason="miscounted", by=self.by()
        )
        self.books[-1].strike(1)
        yield "the first hand struck"
        self.play_to_the_end()
        yield "the last hand is in"
        close_round(round_id=self.round.pk, by=self.by())
        yield "the round is closed"
        self.open_round()
        yield "the next round’s new table"
        self.report(self.win())
        self.take_back()
        yield "its first hand taken back"
        self.play_to_the_end()
        close_round(round_id=self.round.pk, by=self.by())
        finish_tournament(tournament_id=self.tournament.pk, by=self.by())
        yield "official"

    def open_round(self) -> None:
        self.round: Round = seat_round(
            tournament_id=self.tournament.pk,
            entrants=[entrant.pk for entrant in self.entrants],
            by=self.by(),
            rng=Random(7),
            night_id=self.night.pk,
        )

        self.books.append(Book(self.round.number, self.sitting.first_dealer))

    @property
    def truth(self) -> Truth:
        """Return what is true now."""
        self.tournament.refresh_from_db()
        return Truth(self.tournament, self.books)

    @property
    def sitting(self) -> Sitting:
        return Sitting.objects.get(round=self.round)

    @property
    def last(self) -> int:
        return self.sitting.last_number

    def seat(self, place: int) -> Seat:
        return Seat.objects.running().get(sitting__round=self.round, place=place)

    def report(self, sheet: Sheet) -> None:
        """Let the table send a sheet that does not say who dealt: it is whoever the page names."""
        table = self.truth.table
        opening = sheet.get("opening", [None])
        dealer = opening[-1] if table.dealer is None else table.dealer
        written = Written(number=table.coming, sheet=sheet, dealer=dealer)
        table.book.sheets[table.coming - 1 :] = [written]
        self.written_down.append(table.coming)
        table.book.chosen = None
        report_hand(
            token=self.sitting.token,
            submission=Submission(
                entry=uuid4(),
                number=self.last + 1,
                sheet=sheet,
                undone=make.undone_report(self.sitting),
            ),
            by=self.by(device=PHONE),
        )

    def take_back(self) -> None:
        """Let the table take back its last hand."""
        number = self.last
        take_back(token=self.sitting.token, number=number, by=self.by(device=PHONE))
        self.books[-1].strike(number)

    def play_to_the_end(self) -> None:
        while not self.sitting.finished_at:
            self.report(self.game_over() or self.win())

    # Sheets -----------------------------------------------------------------------------------

    def win(self) -> dict[str, Any]:
        """Return a sheet in which one side, not always the same, does best."""
        sides, best = len(self.mode.sides), self.last % len(self.mode.sides)
        match self.rules.slug:
            case "dalmuti":
                return {"order": [(best + place) % sides for place in range(sides)]}
            case "mambassa":
                playing = self.playing()
                return {"event": "normal", "payers": [playing[self.last % len(playing)]]}
            case slug:
                return {_COUNTED[slug]: _turned(_WON[sides], best), **self._left_over()}

    def tie(self) -> dict[str, Any] | None:
        """Return a sheet in which the best are level, where a game has such."""
        sides = len(self.mode.sides)
        match self.rules.slug:
            case "dalmuti":
                return None
            case "mambassa":
                return {"bare": [[0, 1], *range(2, sides)]}
            case slug:
                return {_COUNTED[slug]: list(_LEVEL[sides]), **self._left_over()}

    def game_over(self) -> dict[str, Any] | None:
        """Return a sheet that ends a game, where a round counts games."""
        return {"bare": self.playing()} if self.rules.slug == "mambassa" else None

    def playing(self) -> list[int]:
        return [seat for seat, held in enumerate(self.sitting.session["tokens"]) if held]

    def _left_over(self) -> dict[str, Any]:
        five = self.rules.slug == "albastini" and self.mode.seats == 5
        return {"face_up": "6"} if five else {}


_COUNTED = {"albastini": "eaten", "briscola": "points"}
_WON = {
    2: (70, 50),
    3: (50, 40, 30),
    4: (40, 30, 30, 20),
    5: (40, 20, 20, 20, 20),
    6: (30, 20, 20, 20, 20, 10),
}
_LEVEL = {
    2: (60, 60),
    3: (45, 45, 30),
    4: (40, 40, 20, 20),
    5: (30, 30, 20, 20, 20),
    6: (25, 25, 20, 20, 20, 10),
}


def _turned(counts: Sequence[int], best: int) -> list[int]:
    """Return these counts so that the first of them is that side's."""
    return [counts[(side - best) % len(counts)] for side in range(len(counts))]
