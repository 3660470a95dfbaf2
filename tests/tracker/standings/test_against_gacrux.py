"""Tie-breaks of random tournaments, compared with gacrux, another implementation of FIDE's C.07."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import floor
from random import Random

from gacrux.tiebreak import tiebreak  # type: ignore[import-untyped]

from tests.tracker.standings.rounds import POINTS, ranked_by_results
from tracker.criteria.results import Edition, Kind, Results, RoundRecord
from tracker.criteria.tie_breaks import DIRECT_ENCOUNTER, tie_breaks_for

STARTED = {Edition.AUGUST_2024: "2024-08-01", Edition.MARCH_2026: "2026-03-01"}
OF_SWISS = {
    "BH": "buchholz",
    "BH/C1": "buchholz_cut1",
    "BH/C2": "buchholz_cut2",
    "BH/M1": "buchholz_median",
    "AOB": "average_of_buchholz",
    "SB": "sonneborn_berger",
    "PS": "progressive",
    "WIN": "wins",
    "WON": "wins_played",
    "FB": "fore_buchholz",  # Trap: after this, gacrux counts fewer rounds as draws (16.3.2)
}
OF_ROUND_ROBINS = {
    "SB": "sonneborn_berger",
    "KS": "koya",
    "PS": "progressive",
    "WIN": "wins",
    "WON": "wins_played",
}
# Points for a win and a draw.
SCALES = ((Fraction(1), Fraction(1, 2)), (Fraction(3), Fraction(1)))

# Results in gacrux's letters: win, draw, lost, zero points without playing, pairing-allocated bye.
PLAYED, FORFEITED, REQUESTED = ("WL", "LW", "DD"), ("WZ", "ZW", "ZZ"), ("Z", "D")


@dataclass(frozen=True)
class Pairing:
    """Two entrants in a round, or one who had a bye, and the letter of each."""

    round: int
    entrants: tuple[int, ...]
    letters: str
    played: bool

    def kind(self, letter: str) -> Kind:
        if len(self.entrants) == 1:
            return Kind.BYE if self.played else Kind.ABSENT
        if self.played:
            return Kind.PLAYED
        return Kind.FORFEIT_WON if letter == "W" else Kind.FORFEIT_LOST


@dataclass(frozen=True)
class Tournament:
    entrants: Sequence[int]
    rounds: int
    pairings: Sequence[Pairing]
    win: Fraction
    draw: Fraction
    round_robin: bool = False

    def points(self, letter: str) -> Fraction:
        return {"W": self.win, "P": self.win, "D": self.draw}.get(letter, Fraction(0))


def pairing(random: Random, number: int, entrants: tuple[int, ...], forfeits: float) -> Pairing:
    played = random.random() >= forfeits
    return Pairing(number, entrants, random.choice(PLAYED if played else FORFEITED), played)


def swiss(seed: int) -> Tournament:
    """Return a tournament with byes, forfeits, late arrivals, early leavers, repeated meetings."""
    random = Random(seed)
    entrants, rounds = range(1, random.randint(4, 14) + 1), random.randint(3, 9)
    forfeits, requests = random.choice((0, 0.1, 0.3)), random.choice((0, 0.05, 0.2))
    there = {
        entrant: (
            random.randint(1, 3) if random.random() < 0.2 else 1,
            random.randint(1, rounds) if random.random() < 0.25 else rounds,
        )
        for entrant in entrants
    }
    scores, sat_out = dict.fromkeys(entrants, 0), dict.fromkeys(entrants, 0)
    pairings: list[Pairing] = []
    for number in range(1, rounds + 1):
        free = []
        for entrant, (first, last) in there.items():
            if not first <= number <= last:
                pairings.append(Pairing(number, (entrant,), "Z", played=False))
            elif random.random() < requests:
                pairings.append(Pairing(number, (entrant,), random.choice(REQUESTED), played=False))
            else:
                free.append(entrant)
        random.shuffle(free)
        free.sort(key=scores.__getitem__, reverse=True)
        if len(free) % 2:
            last_free = min(reversed(free), key=sat_out.__getitem__)
            free.remove(last_free)
            sat_out[last_free] += 1
            pairings.append(Pairing(number, (last_free,), "P", played=True))
        paired = zip(free[::2], free[1::2], strict=True)
        pairings += [pairing(random, number, pair, forfeits) for pair in paired]
        for each in pairings:
            if each.round == number:
                for entrant, letter in zip(each.entrants, each.letters, strict=True):
                    scores[entrant] += {"W": 2, "P": 2, "D": 1}.get(letter, 0)
    win, draw = random.choice(SCALES)
    return Tournament(entrants, rounds, pairings, win, draw)


def round_robin(seed: int) -> Tournament:
    """Return a tournament in which everybody meets everybody, once or twice."""
    random = Random(seed)
    entrants, cycles = range(1, random.randint(3, 9) + 1), random.choice((1, 1, 2))
    forfeits = random.choice((0, 0.1, 0.3))
    circle = [*entrants, *([0] if len(entrants) % 2 else [])]
    rounds = (len(circle) - 1) * cycles
    pairings = []
    for number in range(1, rounds + 1):
        half = len(circle) // 2
        pairs = zip(circle[:half], reversed(circle[half:]), strict=True)
        pairings += [pairing(random, number, pair, forfeits) for pair in pairs if 0 not in pair]
        circle = [circle[0], circle[-1], *circle[1:-1]]
    win, draw = random.choice(SCALES)
    return Tournament(entrants, rounds, pairings, win, draw, round_robin=True)


def results_of(tournament: Tournament, edition: Edition) -> Results[int]:
    records: dict[int, list[RoundRecord[int]]] = {each: [] for each in tournament.entrants}
    for each in tournament.pairings:
        for entrant, letter in zip(each.entrants, each.letters, strict=True):
            records[entrant].append(
                RoundRecord(
                    round=each.round,
                    points=tournament.points(letter),
                    kind=each.kind(letter),
                    opponents=tuple(other for other in each.entrants if other != entrant),
                    won=letter in "WP",
                )
            )
    return Results(
        records=records,
        win=tournament.win,
        draw=tournament.draw,
        everybody_meets=tournament.round_robin,
        edition=edition,
    )


def ours(
    tournament: Tournament, edition: Edition, names: dict[str, str]
) -> dict[int, dict[str, Fraction | int]]:
    """Return figures by entrant and gacrux's name, "DE" as the place among those level on points.

    The average of Buchholz scores is rounded as gacrux rounds it.
    """
    columns = tie_breaks_for(POINTS, round_robin=tournament.round_robin)
    ranked = ranked_by_results(results_of(tournament, edition), [DIRECT_ENCOUNTER], columns)
    unit = Fraction(1, 1000 if tournament.rounds >= 9 else 100)
    figures: dict[int, dict[str, Fraction | int]] = {}
    for own in ranked:
        level = [other.merit for other in ranked if other.merit[0] == own.merit[0]]
        figures[own.entrant] = {
            "PTS": own.figures["points"],
            "DE": 1 + sum(merit > own.merit for merit in level),
            **{name: own.figures[key] for name, key in names.items()},
        }
        if "AOB" in names:
            average = own.figures["average_of_buchholz"]
            figures[own.entrant]["AOB"] = floor(average / unit + Fraction(1, 2)) * unit
    return figures


def of_gacrux(
    tournament: Tournament, edition: Edition, names: dict[str, str]
) -> dict[int, dict[str, Fraction | int]]:
    """Return the same figures by gacrux."""
    points = {letter: Decimal(float(tournament.points(letter))) for letter in "WDLZ"}
    chess = {
        "tournamentType": "Tournament",
        "tournamentInfo": {"startDate": STARTED[edition]},
        "numRounds": tournament.rounds,
        "scoreSystem": {"game": {**points, "P": "W"}},
        "competitors": [{"cid": entrant, "random": entrant} for entrant in tournament.entrants],
        "gameList": [
            {
                "round": each.round,
                "played": each.played,
                **{
                    colour: {"cid": entrant, "result": letter}
                    for colour, entrant, letter in zip(
                        ("white", "black"), each.entrants, each.letters, strict=False
                    )
                },
            }
            for each in tournament.pairings
        ],
    }
    kind = {"pre_determined" if tournament.round_robin else "swiss": True}
    wanted = ["PTS", "DE", *names]
    computed = tiebreak(chess, tournament.rounds, kind).compute_tiebreaks(
        chess, {"tiebreak": wanted, "check": False}
    )
    figures = {
        each["cid"]: {
            name: Fraction(value or 0)
            for name, value in zip(wanted, each["tiebreakScore"], strict=True)
        }
        for each in computed["competitors"]
    }
    places = {
        entrant: 1
        + sum(each["PTS"] == own["PTS"] and each["DE"] < own["DE"] for each in figures.values())
        for entrant, own in figures.items()
    }
    return {entrant: {**own, "DE": places[entrant]} for entrant, own in figures.items()}


def test_figures_are_those_of_gacrux() -> None:
    for tournaments, names in (
        ((swiss(seed) for seed in range(300)), OF_SWISS),
        ((round_robin(seed) for seed in range(60)), OF_ROUND_ROBINS),
    ):
        for tournament in tournaments:
            for edition in Edition:
                assert ours(tournament, edition, names) == of_gacrux(tournament, edition, names)
