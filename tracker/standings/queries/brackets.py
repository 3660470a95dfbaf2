"""Brackets of knock-outs: their matches with names, the places they give, and their page.

A match has a *label*, a code and numbers: ``semi_final:2`` is the second semi-final, ``losers:3:1``
the first match in the third round of the losers. A *unit* is who takes a side: the key of an
entrant. Its *merit* is its result at a table: the points, then figures that break a tie. A *column*
is a list of matches that can be played at once. A match is *open* while its table plays, *level*
after equal points, and *done* once it has a winner; after a *walkover* (the other side withdrew) or
a *bye* (there is no other side) it is done without being played.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import groupby
from typing import Any

from django.utils.translation import gettext

from games.errors import gettext_noop
from tracker.common.figures import figure
from tracker.criteria.ranking_criteria import criteria_at_a_table
from tracker.models import Entrant, Format, Movement, Round, Sitting, Tournament
from tracker.movements.brackets import GRAND_FINAL, Bracket, BracketSide, Match, SideSource
from tracker.movements.eliminations import double_elimination, knockout
from tracker.movements.types import Question, RoundSeating, UnseatableError
from tracker.standings.logic.ranking import Merit
from tracker.standings.queries.played_rounds import rounds_by_tournament, shape_of
from tracker.tables.table_now import decision_template

_BRACKETS = {Movement.KNOCKOUT: knockout, Movement.DOUBLE_ELIMINATION: double_elimination}
# Names of matches, keyed by the code in their label; the numbers of the label replace %s in order.
_MATCH_NAMES: Mapping[str, str] = {
    "final": gettext_noop("Final"),
    "third_place": gettext_noop("Third place"),
    "semi_final": gettext_noop("Semi-final %s"),
    "quarter_final": gettext_noop("Quarter-final %s"),
    "winners": gettext_noop("Round %s, match %s"),
    "losers": gettext_noop("Second chance %s, match %s"),
    "grand_final": gettext_noop("Grand final"),
    "grand_final_again": gettext_noop("Grand final, second match"),
}
_ROUND_NAMES: Mapping[str, str] = {
    "semi_final": gettext_noop("Semi-finals"),
    "quarter_final": gettext_noop("Quarter-finals"),
    "winners": gettext_noop("Round %s"),
    "losers": gettext_noop("Second chance %s"),
}
# The parts of a bracket, of which each is drawn on its own, keyed like the names of matches.
_PART_NAMES: Mapping[str, str] = {
    "third_place": gettext_noop("For third place"),
    "winners": gettext_noop("Undefeated"),
    "losers": gettext_noop("Second chance"),
    "grand_final": gettext_noop("For the title"),
    "grand_final_again": gettext_noop("For the title"),
}
_MAIN_PART = gettext_noop("The way to the final")


def bracket_and_rounds(tournament: Tournament) -> tuple[Bracket | None, tuple[RoundSeating, ...]]:
    """Return the bracket, if it is drawn, and its rounds so far, in six queries at most."""
    return next(iter(_brackets([tournament]).values()), (None, ()))


def bracket_places(
    tournaments: Collection[Tournament], upto: Round | None = None
) -> Mapping[int, int]:
    """Return the places given by the brackets of these tournaments, keyed by entrant.

    Entrants who went out in the same round are tied. With *upto* it is the place after that
    round. It takes seven queries at most, however many brackets there are.
    """
    places: dict[int, int] = {}
    for bracket, _played in _brackets(tournaments, upto).values():
        place = 1
        for tied_entrants in bracket.placing:  # the best first
            places.update(dict.fromkeys(tied_entrants, place))
            place += len(tied_entrants)
    return places


def _brackets(
    tournaments: Collection[Tournament], upto: Round | None = None
) -> Mapping[int, tuple[Bracket, tuple[RoundSeating, ...]]]:
    """Return bracket and rounds, keyed by tournament, if the first round was drawn.

    A bracket is not stored: it follows from the seeds and the rounds played.
    """
    with_bracket = [tournament for tournament in tournaments if tournament.has_bracket]
    if not with_bracket:
        return {}
    # Rounds are read up to the one *before* this number.
    before, closed_at = (upto.number + 1, upto.closed_at) if upto else (None, None)
    played = rounds_by_tournament(with_bracket, before=before, with_merits=True)
    drawn = [tournament for tournament in with_bracket if played[tournament.pk]]
    # Entrants in order of seed, and those of them who had not withdrawn when *upto* closed.
    seeds: dict[int, list[int]] = defaultdict(list)
    present: dict[int, list[int]] = defaultdict(list)
    entered = Entrant.objects.filter(tournament__in=drawn).entered_by_seed()
    rows = entered.values_list("tournament_id", "pk", "withdrawn_at")
    for tournament_id, entrant, withdrawn_at in rows:
        seeds[tournament_id].append(entrant)
        if withdrawn_at is None or (closed_at is not None and withdrawn_at > closed_at):
            present[tournament_id].append(entrant)
    brackets = {}
    for tournament in drawn:
        question = Question(
            present=(tuple(present[tournament.pk]),),  # a list for each coming round: here one
            shape=shape_of(tournament.table_mode, fixed=tournament.format == Format.TEAMS),
            played=played[tournament.pk],
            seeds=tuple(seeds[tournament.pk]),
            third_place=tournament.third_place,
        )
        with suppress(UnseatableError):  # its rounds were not seated as a bracket
            bracket = _BRACKETS[Movement(tournament.movement)](question)
            brackets[tournament.pk] = bracket, question.played
    return brackets


def match_name(label: str) -> str:
    """Return the name of the match with this label; empty for no label."""
    code, *numbers = label.split(":")
    if code.startswith("round_of_"):
        size, (number,) = code.removeprefix("round_of_"), numbers
        return gettext("Last %(size)s, match %(number)s") % {"size": size, "number": number}
    return gettext(_MATCH_NAMES[code]) % tuple(numbers) if code in _MATCH_NAMES else ""


def short_name(label: str) -> str:
    """Return the name of a match below a heading that names its round."""
    code, *numbers = label.split(":")
    if code in {"winners", "losers"} or code.startswith("round_of_"):
        return gettext("Match %s") % numbers[-1]
    return match_name(label)


def round_name(label: str) -> str:
    """Return the name of the round of the match with this label."""
    code, *numbers = label.split(":")
    if code.startswith("round_of_"):
        return gettext("Last %(size)s") % {"size": code.removeprefix("round_of_")}
    if code not in _ROUND_NAMES:
        return match_name(label)
    return gettext(_ROUND_NAMES[code]) % tuple(numbers[:-1])


class MatchState(StrEnum):
    """How far a match is: ``TIED`` if played without a winner, ``WALKOVER`` if a side withdrew.

    With a ``BYE`` one side goes on without a match, with ``NOBODY`` (two byes) none.
    """

    TO_COME = "to-come"
    PLAYING = "playing"
    TIED = "tied"
    PLAYED = "played"
    BYE = "bye"
    WALKOVER = "walkover"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSide:
    """One side of a match: an entrant, or ``words`` such as “bye” or “winner of Semi-final 1”.

    ``seed`` is the number in the draw, and ``score`` the points in words, once there is a result.
    """

    entrant: Entrant | None
    seed: int | None
    words: str
    score: str
    won: bool
    lost: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownMatch:
    """A match on the page; ``round`` and ``table`` are the numbers of where it is or was played.

    ``short`` is the name below the heading of its round, ``parted`` the tie-break that decided it
    after equal points, ``decided`` a sentence if it was decided by lot or by the organiser.
    """

    label: str
    name: str
    short: str
    state: MatchState
    sides: tuple[MatchSide, MatchSide]
    round: int | None
    table: int | None
    parted: str
    decided: str


def bracket_page(tournament: Tournament) -> dict[str, Any] | None:
    """Return the bracket of a knock-out, ``None`` before it is drawn, in nine queries at most.

    It has parts that are drawn apart, each a name and columns (rounds), and the ``champion``.
    ``again``: its grand final may still be played a second time.
    """
    bracket, played = bracket_and_rounds(tournament)
    if bracket is None:
        return None
    matches = _Matches(tournament, bracket, played)
    # A second grand final may not be needed.
    columns = [[match for match in column if match.needed] for column in bracket.columns]
    unplayed = ([match for match in column if not match.done] for column in columns)
    to_play_now = next(filter(None, unplayed), [])  # of the first column that has any
    columns_of: dict[str, list[list[Match]]] = {}  # keyed by the name of the part
    for column in columns:
        # A column may have matches of two parts, such as the final and the match for third place.
        for name, of_part in groupby(column, key=_part_name):
            columns_of.setdefault(name, []).append(list(of_part))

    def shown_column(column: Sequence[Match], next_column: Sequence[Match]) -> dict[str, Any]:
        label = column[0].label
        return {
            "name": round_name(label),
            # Its id in HTML, such as ``losers-3`` for a match ``losers:3:1``.
            "anchor": label.rpartition(":")[0].replace(":", "-") or label,
            "matches": [matches.shown_match(match) for match in column],
            # Whether it is the first column with a match still to play.
            "current": any(match in to_play_now for match in column),
            "halves": 2 * len(next_column) == len(column),
        }

    parts = []
    for name, part_columns in columns_of.items():
        next_columns = [*part_columns[1:], []]  # there is none after the last
        parts.append((name, [*map(shown_column, part_columns, next_columns)]))
    final = next((match for match in bracket.matches if match.label == GRAND_FINAL), None)
    return {
        "parts": parts,
        "champion": matches.entrants.get(bracket.champion or 0),  # no entrant has the key 0
        "again": final is not None and not final.done,
    }


def decided_matches(tournament: Tournament) -> list[str]:
    """Return sentences on how level matches were decided, in one query if none were."""
    decided = Sitting.objects.filter(round__tournament=tournament).exclude(decided_by="")
    page = bracket_page(tournament) if decided.exists() else None
    return [
        gettext("%(match)s: %(says)s") % {"match": match.name, "says": match.decided}
        for _name, columns in (page["parts"] if page else ())
        for column in columns
        for match in column["matches"]
        if match.decided
    ]


def _part_name(match: Match) -> str:
    return gettext(_PART_NAMES.get(match.label.split(":")[0], _MAIN_PART))


class _Matches:
    """The matches of a bracket with all that is shown of them, read in three queries at most."""

    def __init__(
        self, tournament: Tournament, bracket: Bracket, played: Sequence[RoundSeating]
    ) -> None:
        # The criteria of the figures in a merit, by position.
        self.criteria = criteria_at_a_table(tournament)
        named = Entrant.objects.filter(tournament=tournament).select_related("player", "team")
        self.entrants = named.in_bulk()
        rounds = tournament.rounds.not_undone().order_by("number")
        # ``Match.round`` counts the rounds that were not undone, from 1.
        self.round_numbers = list(rounds.values_list("number", flat=True))
        self.tables = {table.label: table for round_ in played for table in round_.tables}
        # Only the first match of a unit has its seed; later matches say from which match it comes.
        drawn = [side for match in bracket.matches for side in match.sides if side.seed is not None]
        self.seeds = {side.unit: side.seed for side in drawn}

    def shown_match(self, match: Match) -> ShownMatch:
        table = self.tables[match.label] if match.round else None  # without a round: not seated yet
        merits: Mapping[int, Merit] = {}  # keyed by entrant; empty if a side has no figures
        if table is not None and table.merits and all(table.merits):
            merits = dict(zip(table.units, table.merits, strict=True))
        first, second = (self.shown_side(side, match, merits) for side in match.sides)
        decided = ""  # a sentence, if a lot or the organiser decided the match
        if match.done and table is not None and table.decided_by:
            winner = next((str(side.entrant) for side in (first, second) if side.won), "")
            score = f"{first.score}–{second.score}"
            decided = decision_template(table.decided_by) % {"score": score, "who": winner}
        parted = ""  # the name of the tie-break that decided it, if one did
        if match.done and merits and not decided:
            # The position of the first figure in which both sides differ; the points are at 0.
            both = enumerate(zip(*merits.values(), strict=True))
            position = next(index for index, (one, other) in both if one != other)
            parted = gettext(self.criteria[position].label) if position else ""
        return ShownMatch(
            label=match.label,
            name=match_name(match.label),
            short=short_name(match.label),
            state=_state(match),
            sides=(first, second),
            round=self.round_numbers[match.round - 1] if match.round else None,
            table=table.number if table else None,
            parted=parted,
            decided=decided,
        )

    def shown_side(self, side: BracketSide, match: Match, merits: Mapping[int, Merit]) -> MatchSide:
        unit = side.unit or 0  # no entrant has the key 0
        merit = merits.get(unit)
        words = ""
        if side.bye:
            words = gettext("bye")
        elif not unit:  # the match ``side.of``, from which it will come, has no result yet
            winner, loser = gettext("winner of %(match)s"), gettext("loser of %(match)s")
            template = winner if side.source is SideSource.WINNER else loser
            words = template % {"match": match_name(side.of)}
        # If the fewest points are best, a merit has them below 0, so that the larger is better.
        points = figure(abs(Fraction(merit[0])), percent=self.criteria[0].percent) if merit else ""
        return MatchSide(
            entrant=self.entrants.get(unit),
            seed=self.seeds.get(unit),
            words=words,
            score=points,
            won=match.done and match.winner == unit,
            lost=match.done and match.loser == unit,
        )


def _state(match: Match) -> MatchState:
    if match.level:  # played without a winner
        return MatchState.TIED
    if match.open:
        return MatchState.PLAYING
    if not match.done:
        return MatchState.TO_COME
    if match.walkover:
        return MatchState.WALKOVER
    if match.round is None:
        return MatchState.BYE if match.units else MatchState.NOBODY
    return MatchState.PLAYED
