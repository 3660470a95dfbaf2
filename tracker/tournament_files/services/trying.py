"""A file read to its end and tried in a database of its own: what it comes to, and what it claims."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from django.db import transaction

from tracker.common.actor import Actor
from tracker.common.figures import figure
from tracker.ledger.tallies import Sums, Tallied, move
from tracker.models import Club, Round, RoundState
from tracker.standings.queries.standings import (
    published_places,
    standings,
)
from tracker.tournament_files.logic.misfit import Misfit
from tracker.tournament_files.logic.packing import Document, unpack
from tracker.tournament_files.logic.sense import check
from tracker.tournament_files.queries.people import people_of
from tracker.tournament_files.services.counting import count
from tracker.tournament_files.services.inserting import Insertion, Taken
from tracker.tournament_files.services.scratch import in_scratch


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Where a standing was published otherwise than the hands and awards make it today."""

    stage: str
    round: int
    name: str
    published: tuple[int, str]  # place and points
    counted: tuple[int, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What is in a file that can be taken in; ``tallies`` are by stage, and by place in the file."""

    document: Document
    tallies: tuple[Tallied, ...]
    differences: tuple[Difference, ...]


def try_file(content: bytes, *, by: Actor) -> Trial:
    """Read a file, keep it in an empty database, count its hands and rank again who was ranked.

    No lock is taken, and nothing is left.

    :raises Misfit: at the first thing in the file that cannot be so.
    """
    return in_scratch(partial(_read, content, by))


def _read(content: bytes, by: Actor) -> Trial:
    document, changed = unpack(content, now=by.at)
    try:
        check(document)
        trial = _try(document, by)
    except Misfit as misfit:
        # A reason says more than that something was changed.
        misfit.changed = misfit.changed or changed is not None
        raise
    if changed is not None:
        raise changed
    return trial


@transaction.atomic
def _try(document: Document, by: Actor) -> Trial:
    club = Club.objects.create(name="-")
    people = people_of(club.pk, document)
    nobody = dict.fromkeys(range(len(people)))
    stages, tallies = [], []
    for taken in Insertion(document, by).take_in(club, people, nobody):
        sums = count(taken.tournament, taken.tables, by)
        move(sums)
        stages.append(taken)
        tallies.append(_by_place(sums, taken))
    differences = tuple(each for taken in stages for each in _differences(taken))
    return Trial(document=document, tallies=tuple(tallies), differences=differences)


def _by_place(sums: Tallied, taken: Taken) -> Tallied:
    """Return sums by where their owners stand in the file."""
    return _renamed(
        sums,
        {pk: at for at, pk in enumerate(taken.seats)},
        {pk: at for at, pk in enumerate(taken.entrants)},
    )


def placed(sums: Tallied, taken: Taken) -> Tallied:
    """Return the sums of a trial by the keys that their owners have here."""
    return _renamed(sums, dict(enumerate(taken.seats)), dict(enumerate(taken.entrants)))


def _renamed(sums: Tallied, seats: Mapping[int, int], entrants: Mapping[int, int]) -> Tallied:
    return Tallied(
        Sums({(seats[owner], key): amount for (owner, key), amount in sums.seats.items()}),
        Sums({(entrants[owner], key): amount for (owner, key), amount in sums.entrants.items()}),
    )


def _differences(taken: Taken) -> Iterator[Difference]:
    """Yield who stood otherwise in a published standing than it is counted again."""
    tournament = taken.tournament
    closed = Round.objects.filter(tournament=tournament, state=RoundState.CLOSED)
    for round_ in closed.exclude(published_standing=None).order_by("number"):
        was = published_places(round_)
        standing = standings(tournament, upto=round_)
        points = standing.criteria[0]
        now = {row.entrant: row for row in standing.rows}
        for entrant in was.keys() & now.keys():
            before, after = was[entrant], now[entrant]
            same_place = tournament.has_bracket or before.place == after.place
            if same_place and before.points == after.figures[points.key]:
                continue
            yield Difference(
                stage=tournament.name,
                round=round_.number,
                name=after.name,
                published=(before.place, figure(before.points, percent=points.percent)),
                counted=(after.place, figure(after.figures[points.key], percent=points.percent)),
            )
