"""Import of a tournament file: tried in a scratch database, then stored in one transaction."""

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.common.polite import at_normal_priority
from tracker.ledger.tallies import move
from tracker.models import Club, Round, Tournament
from tracker.nights.services.closing import credit_rests
from tracker.tournament_files.logic.packing import Document
from tracker.tournament_files.logic.shapes import Uid
from tracker.tournament_files.queries.people import Choices, chosen, people_of
from tracker.tournament_files.services.inserting import Insertion
from tracker.tournament_files.services.trying import rekey_sums, try_file


class TournamentHereError(Refused):
    """A tournament of the file is on this site already: ``tournament``."""

    def __init__(self, tournament: Tournament) -> None:
        super().__init__(
            "tournament-here",
            gettext_noop("This tournament is here already, and nothing was taken in."),
            question="file",
        )
        self.tournament = tournament


def import_tournament(
    *,
    club_id: int,
    content: bytes,
    choices: Choices | None,
    by: Actor,
    accept_differences: bool = False,
    keep_it: bool = True,
) -> Tournament:
    """Take in the tournament in a file, with its stages, and return the first of them.

    *choices* say which player of the club somebody is, or ``None`` for a new one; whoever is called
    the same is the same unless they say otherwise. Without *choices* whoever is not here is new.
    With *keep_it* false all is tried, and nothing kept. Rounds that are still played come in as
    closed. What takes long is done before the transaction, which only writes.

    :raises Misfit: at the first thing in the file that cannot be so.
    :raises TournamentHereError: if it was taken in before, or never left.
    :raises Refused: ``standings-differ`` unless it is said to *accept_differences*, if there are
        any; and on the terms of ``chosen``.
    """
    trial = try_file(content, by=by)
    document = trial.document
    refuse_known(document)
    if trial.differences and not accept_differences:
        raise Refused(
            "standings-differ",
            gettext_noop("Please say that you have seen where the standings differ."),
            question="differences",
        )
    insertion = Insertion(document, by)

    @transaction.atomic
    def write() -> Tournament:
        # One at a time, so that two who press at once do not make the same people twice.
        club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
        refuse_known(document)
        people = people_of(club_id, document)
        everybody = {person.number: None for person in people if person.open}
        wanted = chosen(people, everybody if choices is None else choices)
        stages = list(insertion.take_in(club, people, wanted))
        for taken, tried, tallies in zip(stages, trial.stages, trial.tallies, strict=True):
            move(rekey_sums(tallies, tried, taken))
        for round_ in Round.objects.filter(pk__in=[pk for taken in stages for pk in taken.ended]):
            credit_rests(round_)
        log(
            by,
            "tournament-imported",
            club_id=club_id,
            tournament=stages[0].tournament.pk,
            players=insertion.made["players"],
            teams=insertion.made["teams"],
        )
        transaction.set_rollback(not keep_it)
        return stages[0].tournament

    return at_normal_priority(write)


def refuse_known(document: Document) -> None:
    """Make sure that no tournament of a file is here.

    :raises TournamentHereError: at the first that is.
    """
    uids = [Uid().load(stage["uid"], {}) for stage in document["stages"]]
    known = Tournament.objects.select_related("club").filter(uid__in=uids).order_by("pk").first()
    if known is not None:
        raise TournamentHereError(known)
