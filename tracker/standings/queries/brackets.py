"""Brackets of knock-outs: their matches with names, the places they give, and their page."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import groupby

from django.utils.translation import gettext

from games.errors import gettext_noop
from games.sheet import Criterion
from tracker.common.figures import figure
from tracker.models import Entrant, Format, Movement, Round, RoundState, Sitting, Tournament
from tracker.movements import double_elimination, knockout
from tracker.movements.brackets import (
    GRAND_FINAL,
    GRAND_FINAL_AGAIN,
    THIRD_PLACE,
    Bracket,
    BracketSide,
    Match,
    SideSource,
)
from tracker.movements.types import Question, RoundSeating, TableSeating, UnseatableError
from tracker.standings.logic.ranking import Merit
from tracker.standings.queries.played_rounds import rounds_by_tournament, shape_of
from tracker.standings.queries.ranking_criteria import criteria_of
from tracker.tables.table_now import decision_template

_BRACKETS = {Movement.KNOCKOUT: knockout, Movement.DOUBLE_ELIMINATION: double_elimination}
# By the code in a match's label; the numbers of the label replace %s in order.
_NAMES: Mapping[str, str] = {
    "final": gettext_noop("Final"),
    "third_place": gettext_noop("Third place"),
    "semi_final": gettext_noop("Semi-final %s"),
    "quarter_final": gettext_noop("Quarter-final %s"),
    "winners": gettext_noop("Round %s, match %s"),
    "losers": gettext_noop("Second chance %s, match %s"),
    "grand_final": gettext_noop("Grand final"),
    "grand_final_again": gettext_noop("Grand final, second match"),
}
_ROUNDS: Mapping[str, str] = {
    "semi_final": gettext_noop("Semi-finals"),
    "quarter_final": gettext_noop("Quarter-finals"),
    "winners": gettext_noop("Round %s"),
    "losers": gettext_noop("Second chance %s"),
}


def bracket_and_rounds(tournament: Tournament) -> tuple[Bracket | None, tuple[RoundSeating, ...]]:
    """Return the bracket of a knock-out and the rounds played of it, in six queries at most.

    Before the first round is drawn there is no bracket.
    """
    return next(iter(_brackets([tournament]).values()), (None, ()))


def bracket_places(
    tournaments: Collection[Tournament], upto: Round | None = None
) -> Mapping[int, int]:
    """Return by entrant the place given by the brackets of these tournaments.

    Entrants who went out in the same round are tied. With *upto* it is the place after that
    round. It takes seven queries at most, however many brackets there are.
    """
    places: dict[int, int] = {}
    for bracket, _played in _brackets(tournaments, upto).values():
        place = 1
        for level in bracket.placing:
            places.update(dict.fromkeys(level, place))
            place += len(level)
    return places


def _brackets(
    tournaments: Collection[Tournament], upto: Round | None = None
) -> Mapping[int, tuple[Bracket, tuple[RoundSeating, ...]]]:
    """Return the bracket and rounds of each tournament whose first round was drawn."""
    having = [tournament for tournament in tournaments if tournament.has_bracket]
    if not having:
        return {}
    before = None if upto is None else upto.number + 1
    since = None if upto is None else upto.closed_at
    played = rounds_by_tournament(having, before=before, with_merits=True)
    drawn = [tournament for tournament in having if played[tournament.pk]]
    seeds: dict[int, list[int]] = defaultdict(list)
    present: dict[int, list[int]] = defaultdict(list)
    entered = Entrant.objects.filter(tournament__in=drawn).entered_by_seed()
    for tournament_id, entrant, withdrawn_at in entered.values_list(
        "tournament_id", "pk", "withdrawn_at"
    ):
        seeds[tournament_id].append(entrant)
        if withdrawn_at is None or (since is not None and withdrawn_at > since):
            present[tournament_id].append(entrant)
    brackets = {}
    for tournament in drawn:
        question = Question(
            present=(tuple(present[tournament.pk]),),
            shape=shape_of(tournament.table_mode, fixed=tournament.format == Format.TEAMS),
            played=played[tournament.pk],
            seeds=tuple(seeds[tournament.pk]),
            third_place=tournament.third_place,
        )
        with suppress(UnseatableError):  # its rounds were seated otherwise
            bracket = _BRACKETS[Movement(tournament.movement)].bracket(question)
            brackets[tournament.pk] = bracket, question.played
    return brackets


def match_name(label: str) -> str:
    """Return the name of the match with this label, such as ``semi_final:2``; empty for no label."""
    code, *numbers = label.split(":")
    if code.startswith("round_of_"):
        size, (number,) = code.removeprefix("round_of_"), numbers
        return gettext("Last %(size)s, match %(number)s") % {"size": size, "number": number}
    return gettext(_NAMES[code]) % tuple(numbers) if code in _NAMES else ""


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
    # The last number of a label is that of the match, the one before it that of the round.
    return gettext(_ROUNDS[code]) % tuple(numbers[:-1]) if code in _ROUNDS else match_name(label)


class MatchState(StrEnum):
    """How far a match is."""

    TO_COME = "to-come"
    PLAYING = "playing"
    TIED = "tied"  # played without a winner
    PLAYED = "played"
    BYE = "bye"  # one side goes on without a match
    WALKOVER = "walkover"
    NOBODY = "nobody"  # two byes: drawn as an empty place


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSide:
    """One side of a match: an entrant, or ``words`` for a bye or for who it will be."""

    entrant: Entrant | None
    seed: int | None
    words: str
    score: str
    won: bool
    lost: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownMatch:
    """A match on the page; ``round`` and ``table`` are where it is or was played."""

    label: str
    name: str
    short: str  # below the heading of its round
    state: MatchState
    sides: tuple[MatchSide, MatchSide]
    round: int | None
    table: int | None
    parted: str  # the tie-break that decided it, after equal points
    decided: str = ""  # a sentence, if it was decided by lot or by the organiser


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketColumn:
    """A round of the bracket; with ``halves``, two of its matches lead to one of the next."""

    name: str
    anchor: str
    matches: tuple[ShownMatch, ...]
    current: bool  # the first round with a match still to play
    halves: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketPart:
    """A part drawn by itself: the whole bracket, or its winners, second chance and finals."""

    name: str
    columns: tuple[BracketColumn, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketPage:
    parts: tuple[BracketPart, ...]
    champion: Entrant | None
    again: bool  # the grand final may be played twice


def bracket_page(tournament: Tournament) -> BracketPage | None:
    """Return the bracket of a knock-out, ``None`` before it is drawn, in nine queries at most."""
    bracket, played = bracket_and_rounds(tournament)
    if bracket is None:
        return None
    data = _match_data(tournament, bracket, played)
    columns = [[match for match in column if match.needed] for column in bracket.columns]
    by_part: dict[str, list[list[Match]]] = {}
    for column in columns:
        for name, matches in groupby(column, key=_part):
            by_part.setdefault(name, []).append(list(matches))
    waiting = [[match.label for match in column if not match.done] for column in columns]
    current = next((column for column in waiting if column), [])
    parts = []
    for name, part in by_part.items():
        shown = []
        for column, coming in zip(part, [*part[1:], []], strict=True):
            first = column[0].label
            shown.append(
                BracketColumn(
                    name=round_name(first),
                    anchor=first.rpartition(":")[0].replace(":", "-") or first,
                    matches=tuple(_shown_match(match, data) for match in column),
                    current=any(match.label in current for match in column),
                    halves=2 * len(coming) == len(column),
                )
            )
        parts.append(BracketPart(name=name, columns=tuple(shown)))
    final = next((match for match in bracket.matches if match.label == GRAND_FINAL), None)
    return BracketPage(
        parts=tuple(parts),
        champion=data.entrants.get(bracket.champion or 0),
        again=final is not None and not final.done,
    )


def decided_matches(tournament: Tournament) -> list[str]:
    """Return sentences on how level matches of a bracket were decided.

    It takes one query if there are none.
    """
    decided = Sitting.objects.filter(round__tournament=tournament).exclude(decided_by="")
    page = bracket_page(tournament) if decided.exists() else None
    return [
        gettext("%(match)s: %(says)s") % {"match": match.name, "says": match.decided}
        for part in (page.parts if page else ())
        for column in part.columns
        for match in column.matches
        if match.decided
    ]


def _part(match: Match) -> str:
    """Return the name of the part of the bracket in which a match is drawn."""
    if match.label == THIRD_PLACE:
        return gettext("For third place")
    if match.label in {GRAND_FINAL, GRAND_FINAL_AGAIN}:
        return gettext("For the title")
    code = match.label.split(":")[0]
    names = {"winners": gettext("Undefeated"), "losers": gettext("Second chance")}
    return names.get(code, gettext("The way to the final"))


@dataclass(frozen=True, slots=True, kw_only=True)
class _MatchData:
    """Data to show any match of a bracket; ``tables`` are by the label of their match."""

    criteria: Sequence[Criterion]
    entrants: Mapping[int, Entrant]
    numbers: Sequence[int]
    tables: Mapping[str, TableSeating]
    seeds: Mapping[int, int]


def _match_data(
    tournament: Tournament, bracket: Bracket, played: Sequence[RoundSeating]
) -> _MatchData:
    """Return the data of all matches, in three queries at most."""
    named = Entrant.objects.filter(tournament=tournament).by_name()
    standing = tournament.rounds.exclude(state=RoundState.UNDONE).order_by("number")
    return _MatchData(
        criteria=[each for each in criteria_of(tournament) if not each.head_to_head],
        entrants={entrant.pk: entrant for entrant in named},
        numbers=list(standing.values_list("number", flat=True)),
        tables={table.label: table for each in played for table in each.tables if table.label},
        seeds={
            side.unit: side.seed
            for match in bracket.matches
            for side in match.sides
            if side.unit is not None and side.seed is not None
        },
    )


def _shown_match(match: Match, data: _MatchData) -> ShownMatch:
    table = data.tables[match.label] if match.round else None
    merits: Mapping[int, Merit] = {}
    if table is not None and table.merits and all(table.merits):
        merits = dict(zip(table.units, table.merits, strict=True))
    first, second = (_side(side, match, merits, data) for side in match.sides)
    decided = ""
    if match.done and table is not None and table.decided_by:
        who = next((str(side.entrant) for side in (first, second) if side.won), "")
        score = f"{first.score}–{second.score}"
        decided = decision_template(table.decided_by) % {"score": score, "who": who}
    parted = ""
    if match.done and merits and not decided:
        pairs = zip(*merits.values(), strict=True)
        parting = next(at for at, pair in enumerate(pairs) if len(set(pair)) > 1)
        parted = gettext(data.criteria[parting].label) if parting else ""
    return ShownMatch(
        label=match.label,
        name=match_name(match.label),
        short=short_name(match.label),
        state=_state(match),
        sides=(first, second),
        round=data.numbers[match.round - 1] if match.round else None,
        table=table.number if table else None,
        parted=parted,
        decided=decided,
    )


def _side(
    side: BracketSide, match: Match, merits: Mapping[int, Merit], data: _MatchData
) -> MatchSide:
    points = data.criteria[0]
    own = merits.get(side.unit or 0)
    words = ""
    if side.bye:
        words = gettext("bye")
    elif side.unit is None:
        winner, loser = gettext("winner of %(match)s"), gettext("loser of %(match)s")
        template = winner if side.source is SideSource.WINNER else loser
        words = template % {"match": match_name(side.of)}
    return MatchSide(
        entrant=data.entrants.get(side.unit or 0),
        seed=data.seeds.get(side.unit or 0),
        words=words,
        score=figure(abs(Fraction(own[0])), percent=points.percent) if own else "",
        won=match.done and side.unit is not None and match.winner == side.unit,
        lost=match.done and side.unit is not None and match.loser == side.unit,
    )


def _state(match: Match) -> MatchState:
    if match.level:
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
