"""Events: tournaments with the stages that follow them, and the players of each stage.

A stage is a tournament; the first stage of an event is its root. Any other is stored with the stage
that it ``follows``. *Siblings* follow the same stage; *groups* are siblings with equal
``created_at``: they were started at once. A stage after groups, such as a knock-out, has no single
stage before it: it is stored as a sibling of the groups, with a later ``created_at``.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any, TypeAlias

from django.core.exceptions import EmptyResultSet
from django.db.models import QuerySet

from tracker.models import Entrant, Tournament

# The entrant for whom a player is in a stage, keyed by stage, then by player.
People: TypeAlias = Mapping[int, Mapping[int, int]]
# From the chosen tournaments up to their first stages (up), and from these down to all stages of
# their events. It runs on SQLite and PostgreSQL; the ORM would need a query for each step.
_EVENTS = """
WITH RECURSIVE up(id, follows_id) AS (
    SELECT id, follows_id FROM tracker_tournament WHERE id IN ({chosen})
    UNION
    SELECT above.id, above.follows_id
    FROM tracker_tournament above JOIN up ON above.id = up.follows_id
), event(id, root_id) AS (
    SELECT id, id FROM up WHERE follows_id IS NULL
    UNION
    SELECT below.id, event.root_id
    FROM tracker_tournament below JOIN event ON below.follows_id = event.id
)
SELECT stage.*, event.root_id
FROM tracker_tournament stage JOIN event ON event.id = stage.id
ORDER BY stage.id
"""


@dataclass(frozen=True, slots=True)
class Event:
    """A tournament and all stages after it (often none), in the order they were started."""

    stages: tuple[Tournament, ...]

    @property
    def root(self) -> Tournament:
        return self.stages[0]

    @property
    def several(self) -> bool:
        return len(self.stages) > 1

    @property
    def listed_stages(self) -> tuple[Tournament, ...]:
        """Return the stages to list on pages: none if there is only one."""
        return self.stages if self.several else ()

    @property
    def official(self) -> bool:
        return all(stage.official_at is not None for stage in self.stages)

    def followers_by_start(self, stage: Tournament) -> list[tuple[Tournament, ...]]:
        """Return the stages that follow *stage*, those that were started at once in one tuple."""
        followers = (each for each in self.stages if each.follows_id == stage.pk)
        by_start = groupby(followers, key=lambda each: each.created_at)
        return [tuple(started_at_once) for _, started_at_once in by_start]

    def next_stages(self, stage: Tournament) -> tuple[Tournament, ...]:
        """Return the stages after *stage*, or after the groups that *stage* is one of."""
        # A sibling that was started later comes after groups, but not after a single stage.
        siblings = self._siblings(stage) if len(self.groups_with(stage)) > 1 else []
        later = [each for each in siblings if each.created_at > stage.created_at]
        return tuple(each for each in self.stages if each.follows_id == stage.pk or each in later)

    def groups_with(self, stage: Tournament) -> tuple[Tournament, ...]:
        """Return the groups that *stage* is one of, or *stage* alone."""
        siblings = self._siblings(stage)
        return tuple(each for each in siblings if each.created_at == stage.created_at)

    def sources(self, stage: Tournament) -> tuple[Tournament, ...]:
        """Return the stages whose players may have gone on to *stage*, the latest first.

        These are the stage that it follows, and its earlier siblings.
        """
        earlier = [each for each in self._siblings(stage) if each.created_at < stage.created_at]
        followed = [each for each in self.stages if each.pk == stage.follows_id]
        return tuple(reversed([*followed, *earlier]))

    def _siblings(self, stage: Tournament) -> list[Tournament]:
        """Return *stage* and its siblings; the root has none."""
        return [each for each in self.stages if each.follows_id == stage.follows_id]


def events_of(tournaments: QuerySet[Tournament]) -> tuple[Event, ...]:
    """Return the events of these tournaments, with all stages, in one query."""
    try:
        # The statement is built by the ORM: no input is formatted into it.
        sql, params = tournaments.order_by().values("pk").query.sql_with_params()
    except EmptyResultSet:
        return ()
    return _events(sql, params)


def event_of(tournament: Tournament) -> Event:
    """Return the event of a tournament, in one query."""
    [event] = _events("%s", (tournament.pk,))
    return event


def _events(chosen: str, params: tuple[Any, ...]) -> tuple[Event, ...]:
    """Return the events of the tournaments whose keys are *chosen* (SQL), in one query."""
    by_root: dict[int, list[Tournament]] = defaultdict(list)
    for stage in Tournament.objects.raw(_EVENTS.format(chosen=chosen), params):
        by_root[getattr(stage, "root_id")].append(stage)  # noqa: B009 - the statement adds it
    return tuple(Event(tuple(stages)) for stages in by_root.values())


def people_in(stages: Collection[Tournament]) -> People:
    """Return the players in these stages, alone or in a team, best seeds first, in one query."""
    entered = Entrant.objects.filter(tournament__in=stages).entered_by_seed()
    rows = entered.values_list("tournament_id", "pk", "player_id", "team__roster__pk")
    people: dict[int, dict[int, int]] = {stage.pk: {} for stage in stages}
    for stage, entrant, single, member in rows:
        player = member if single is None else single
        if player is not None:  # a team may have nobody left
            people[stage].setdefault(player, entrant)
    return people


def by_entrant(people: Mapping[int, int]) -> dict[int, frozenset[int]]:
    """Return the players of each entrant, from the *people* of one stage."""
    players: dict[int, set[int]] = defaultdict(set)
    for player, entrant in people.items():
        players[entrant].add(player)
    return {entrant: frozenset(members) for entrant, members in players.items()}


def gone_to(event: Event, sources: Collection[Tournament]) -> dict[int, str]:
    """Return {entrant of *sources*: name of the later stage that a player of it went on to}.

    If there are several such stages, it is the one started last.
    """
    later = [
        stage
        for stage in event.stages
        if stage not in sources and any(source in event.sources(stage) for source in sources)
    ]
    if not later:
        return {}
    people = people_in([*sources, *later])
    return {
        entrant: stage.stage_name
        for stage in later  # in the order they were started: the last one overwrites the others
        for source in sources
        for player, entrant in people[source.pk].items()
        if player in people[stage.pk]
    }
