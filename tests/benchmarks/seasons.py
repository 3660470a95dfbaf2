"""Make tournaments of 40 players with so many hands each; print the paths of their standings.

Run as a process of its own: ``python -m tests.benchmarks.seasons 1000 10000``, or with tie-breaks,
``1000=won,buchholz``. Rows are made many at once; what is kept of them is then counted by the site
itself.
"""

import json
import sys
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING
from uuid import uuid4

import django

if TYPE_CHECKING:
    from tracker.models import Hand, Report, Round, Sitting, Tournament

_TABLES, _HANDS = 10, 6  # a round


def main(*sizes: str) -> None:
    django.setup()
    from django.db import transaction

    from tests import make
    from tracker.results.services.recount import recount

    paths = []
    for each in sizes:
        size, _, keys = each.partition("=")
        tie_breaks = keys.split(",") if keys else []
        with transaction.atomic():
            tournament = make.tournament("albastini", "4t2", hands=_HANDS, tie_breaks=tie_breaks)
            _play(tournament, int(size))
            recount(tournament_id=tournament.pk, by=make.actor(), write=True)
        paths.append(tournament.get_absolute_url())
    print(json.dumps(paths))


def _play(tournament: "Tournament", hands: int) -> None:
    """Play whole rounds, and of the last one, which is still open, as much as is left."""
    from tests import make
    from tracker.models import Hand, Report, RoundState, Seat, Sitting

    people = [make.player(f"Player {n:02d}", club=tournament.club) for n in range(4 * _TABLES)]
    entrants = [make.entrant(person, at=tournament) for person in people]
    a_table = hands // _TABLES
    rounds = a_table // _HANDS + 1
    sittings: list[Sitting] = []
    for number in range(1, rounds + 1):
        state = RoundState.OPEN if number == rounds else RoundState.CLOSED
        in_round = make.round_of(tournament, state=state, number=number)
        sittings += [_sitting(tournament, in_round, table) for table in range(1, _TABLES + 1)]
    Sitting.objects.bulk_create(sittings)
    Seat.objects.bulk_create(
        Seat(
            sitting=sitting,
            round=sitting.round,
            place=place,
            side=place % 2,
            player=people[(nth % _TABLES) * 4 + place],
            entrant=entrants[(nth % _TABLES) * 4 + place],
        )
        for nth, sitting in enumerate(sittings)
        for place in range(4)
    )
    rows = _hands(tournament, sittings, a_table)
    while some := list(islice(rows, 5000)):
        Report.objects.bulk_create(report for report, _ in some)
        Hand.objects.bulk_create(hand for _, hand in some)


def _sitting(tournament: "Tournament", in_round: "Round", number: int) -> "Sitting":
    from tests import make
    from tracker.models import Sitting

    session = tournament.rules.open_session(
        tournament.rules.mode(tournament.mode, tournament.options),
        tournament.options,
        0,
        [None] * 4,
    )
    return Sitting(
        round=in_round,
        table=make.table(tournament, number),
        number=number,
        mode=tournament.mode,
        options=tournament.options,
        token=uuid4().hex,
        dealt_before=[None] * 4,
        started_at=make.NOON,
        session=tournament.rules.save_session(session),
        next_dealer=session.dealer,
        may_deal=session.may_deal,
    )


def _hands(
    tournament: "Tournament", sittings: list["Sitting"], a_table: int
) -> "Iterator[tuple[Report, Hand]]":
    from tests import make
    from tracker.models import Hand, Report, Verdict
    from tracker.tables.stored_hands import score_fields

    mode = tournament.rules.mode(tournament.mode, tournament.options)
    for nth, sitting in enumerate(sittings):
        session = tournament.rules.open_session(mode, tournament.options, 0, [None] * 4)
        for number in range(1, min(_HANDS, a_table - nth // _TABLES * _HANDS) + 1):
            eaten = 2 + (nth * 7 + number * 31) % 117
            before = tournament.rules.save_session(session)
            scored = tournament.rules.add_sheet(session, {"eaten": [eaten, 120 - eaten]})
            session = scored.session
            report = Report(
                sitting=sitting,
                number=number,
                sheet=scored.sheet,
                entry=uuid4(),
                received_at=make.NOON,
                verdict=Verdict.ACCEPTED,
                answer={},
            )
            yield (
                report,
                Hand(
                    sitting=sitting,
                    number=number,
                    accepted_report=report,
                    session_before=before,
                    recorded_at=make.NOON,
                    **score_fields(scored),
                ),
            )


if __name__ == "__main__":
    main(*sys.argv[1:])
