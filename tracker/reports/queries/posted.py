"""The little that must be known of a table before its report is taken in."""

import json

from django.db import connection

from games import catalogue
from tracker.ledger.sittings import AtTable
from tracker.models import Sitting

# By hand, as every reported hand costs it; the ORM needs ten times as long to say the same.
_POSTED = (
    "SELECT s.id, s.round_id, s.mode, s.options, s.token_state, s.first_dealer, s.dealt_before,"
    " s.chosen_dealer, s.chosen_after, s.session, s.last_number, s.next_dealer, t.game"
    " FROM tracker_sitting s JOIN tracker_round r ON r.id = s.round_id"
    " JOIN tracker_tournament t ON t.id = r.tournament_id WHERE s.token = %s"
)


def table_posted_to(token: str) -> AtTable | None:
    """Return the sitting this address opens, to read a sheet by; its pages need ``table_by_token``.

    What a report does not depend on is left out: round, tournament and table cost a query each
    for whoever asks for them.
    """
    with connection.cursor() as cursor:
        cursor.execute(_POSTED, (token,))
        found = cursor.fetchall()
    if not found:
        return None
    [row] = found
    sitting = Sitting(
        pk=row[0],
        round_id=row[1],
        mode=row[2],
        options=json.loads(row[3]),
        token=token,
        token_state=row[4],
        first_dealer=row[5],
        dealt_before=json.loads(row[6]),
        chosen_dealer=row[7],
        chosen_after=row[8],
        session=json.loads(row[9]),
        last_number=row[10],
        next_dealer=row[11],
    )
    game = catalogue.GAMES[row[12]]
    options = game.resume_options(sitting.options)
    return AtTable(sitting, game, game.mode(sitting.mode, options), options)
