"""A large tournament as the file of another club, played by the site's own services."""

import sys
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING
from uuid import UUID

if TYPE_CHECKING:
    from tracker.models import Tournament


def played(tables: int, rounds: int, hands: int, seed: int = 1) -> "Tournament":
    """Play a tournament of Albastini with so many tables, rounds, and hands a round."""
    from tests import make
    from tests.tracker import sheets
    from tracker.models import Movement
    from tracker.nights.services.closing import close_round
    from tracker.results.services.report_hand import Submission, report_hand
    from tracker.seating.services.round_opening import seat_round
    from tracker.tournaments.services.entering import enter_players

    rng = Random(seed)
    tournament = make.tournament(hands=hands, club=make.club("Kinondoni"), name="The long league")
    people = [make.player(f"Player {number}", club=tournament.club) for number in range(4 * tables)]
    keys = [person.pk for person in people]
    enter_players(tournament_id=tournament.pk, players=keys, by=make.actor())
    entrants = list(tournament.entrants.order_by("pk").values_list("pk", flat=True))
    for number in range(rounds):
        at = make.NOON - timedelta(days=rounds - number)
        round_ = seat_round(
            tournament_id=tournament.pk,
            entrants=entrants,
            by=make.actor(at=at),
            rng=rng,
            movement=Movement.BY_LOT,
        )
        mode = tournament.rules.mode(tournament.mode, tournament.options)
        for sitting in round_.sittings.all():
            for hand in range(1, hands + 1):
                sitting.refresh_from_db(fields=["session"])
                sheet = sheets.MAKERS["albastini"](rng, mode.sides, sitting.session)
                submission = Submission(
                    entry=UUID(int=rng.getrandbits(128)), number=hand, sheet=sheet, side=hand % 2
                )
                by = make.actor(at=at, device=f"phone {sitting.pk} {hand % 2}")
                report_hand(token=sitting.token, submission=submission, by=by)
        close_round(round_id=round_.pk, by=make.actor(at=at), anyway=True)
    return tournament


def main() -> None:
    """Write such a file: ``python -m tests.large_file FILE TABLES ROUNDS HANDS``."""
    import django

    django.setup()
    from tests.one_file import file_from_elsewhere
    from tracker.tournament_files.services.trial import with_empty_database

    file, *size = sys.argv[1:]
    content = with_empty_database(lambda: file_from_elsewhere(played(*map(int, size))))
    Path(file).write_bytes(content)


if __name__ == "__main__":
    main()
