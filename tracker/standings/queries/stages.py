"""The stages of an event as pages show them, and the candidates for the next one."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from tracker.common.figures import placing
from tracker.common.wording import together
from tracker.models import Entrant, RoundState, Tournament
from tracker.standings.logic.stages import cut, in_turn
from tracker.standings.queries.events import Event, people_in
from tracker.standings.queries.finishes import finishes
from tracker.standings.queries.standings import published_places, standings


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An entrant who could go on; ``stage`` is the one they are in already, if any."""

    entrant: int
    name: str
    place: str
    points: str
    group: str
    stage: str
    best: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """Who could go on, in the order of their seeds, and who ties for the last places."""

    sources: tuple[Tournament, ...]
    rows: tuple[Candidate, ...]
    level: tuple[str, ...]
    played: bool

    @property
    def left(self) -> tuple[Candidate, ...]:
        """Return those who have not gone on yet."""
        return tuple(row for row in self.rows if not row.stage)


def sources_of(event: Event, stage: Tournament) -> tuple[Tournament, ...]:
    """Return from where people go on after *stage*: from it alone, or from all groups together.

    The groups are those of which it is one, or into which it was dealt before it was played.
    """
    groups = event.beside(stage)
    if len(groups) > 1:
        return groups
    acts = [act for act in event.following(stage) if len(act) > 1]
    if acts and not stage.rounds.exclude(state=RoundState.UNDONE).exists():
        return acts[0]
    return (stage,)


def candidates(event: Event, sources: Sequence[Tournament], best: int) -> Candidates:
    """Return who could go on from *sources*, with the *best* so many of each marked.

    It asks one standing for each of them.
    """
    gone = gone_to(event, sources)
    groups: list[list[Candidate]] = []
    level: list[str] = []
    begun = False
    for source in sources:
        standing = standings(source)
        begun = begun or standing.begun
        left = [row for row in standing.rows if not row.withdrawn and row.entrant not in gone]
        chosen = cut([(row.place, row.entrant) for row in left], best)
        names = {row.entrant: row.name for row in left}
        level += [names[entrant] for entrant in chosen.level] if standing.begun else []
        groups.append(
            [
                Candidate(
                    entrant=row.entrant,
                    name=row.name,
                    place=placing(row.place, tied=row.tied) if standing.begun else "",
                    points=standing.points_of(row),
                    group=source.stage if len(sources) > 1 else "",
                    stage=gone.get(row.entrant, ""),
                    best=row.entrant in chosen.inside,
                )
                for row in standing.rows
                if not row.withdrawn
            ]
        )
    return Candidates(
        sources=tuple(sources), rows=tuple(in_turn(groups)), level=tuple(level), played=begun
    )


def gone_to(event: Event, sources: Collection[Tournament]) -> dict[int, str]:
    """Return by entrant of *sources* the name of the later stage its players are in."""
    after = [
        stage
        for stage in event.stages
        if stage not in sources and any(source in event.before(stage) for source in sources)
    ]
    if not after:
        return {}
    people = people_in([*sources, *after])
    gone: dict[int, str] = {}
    for stage in after:
        for source in sources:
            for player, entrant in people[source.pk].items():
                if player in people[stage.pk]:
                    gone[entrant] = stage.stage_name
    return gone


def moved_cut(event: Event, stage: Tournament) -> list[str]:
    """Say who would be in *stage*, and who would not, had the cut been made today.

    The cut does not move by itself. It was made by what was on the wall when the last round
    before closed; where others were chosen than the best, nothing is said of them.
    """
    if stage.follows_id is None or len(event.beside(stage)) > 1:
        return []
    before = event.before(stage)
    people = people_in([*before, stage])
    there = people[stage.pk].keys()
    sentences = []
    finish_by = finishes(before)
    for source in before:
        last = source.rounds.filter(state=RoundState.CLOSED).order_by("-number").first()
        then = published_places(last)
        inside = {entrant for player, entrant in people[source.pk].items() if player in there}
        if not inside & then.keys() or min(then[each].place for each in inside & then.keys()) > 1:
            continue  # those who were left over, or nobody, came from here
        most = len(inside)
        now = {entrant for entrant in then if entrant in finish_by}
        up = [
            entrant
            for entrant in now - inside
            if finish_by[entrant].place <= most < then[entrant].place
        ]
        down = [
            entrant
            for entrant in now & inside
            if then[entrant].place <= most < finish_by[entrant].place
        ]
        sentences += _moved(source, up, down)
    return sentences


def _moved(source: Tournament, up: Sequence[int], down: Sequence[int]) -> list[str]:
    if not up and not down:
        return []
    names = Entrant.objects.filter(pk__in=[*up, *down]).names()
    said = (
        (up, gettext("By the standings of %(stage)s as they are now, %(who)s would be in.")),
        (down, gettext("By the standings of %(stage)s as they are now, %(who)s would not be in.")),
    )
    return [
        sentence
        % {
            "stage": source.stage_name,
            "who": together([name for entrant, name in names.items() if entrant in who]),
        }
        for who, sentence in said
        if who
    ]
