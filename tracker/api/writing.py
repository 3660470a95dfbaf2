"""Operations that write: the acts of a night, by the services that the pages call."""

from random import SystemRandom
from typing import Any

from django.db import transaction
from django.http import Http404, HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from tracker.api import schemas
from tracker.api.interface import actor, api, problem, writes
from tracker.api.reading import TO_CLUB, night_with_people, round_with_tables
from tracker.api.schemas import Key
from tracker.common.web import access
from tracker.models import ClubNight, Player, Role, Round, Tournament, Verdict
from tracker.nights.services.attendance import arrive, leave
from tracker.nights.services.closing import close_round
from tracker.results.pages.table_requests import checked_table
from tracker.results.queries.phone import SENTENCES
from tracker.results.services.report_hand import ASK, Submission, report_hand
from tracker.seating.logic.saved_draws import round_from_json
from tracker.seating.queries.coming_round import read_coming_round
from tracker.seating.queries.drawn_round import named_round
from tracker.seating.services.draws import draw_rounds, publish_draws, update_draw
from tracker.seating.services.round_opening import open_draw

DICE = SystemRandom()
# Verdicts on reports that change no hand until the organiser has settled them.
_TO_SETTLE = {Verdict.CONFLICTS, Verdict.PROPOSES, Verdict.LATE}


@api.post("/tables/{table_id}/hands", **writes(schemas.ReportOut, 425))
def report(request: HttpRequest, table_id: Key, body: schemas.ReportIn) -> Any:
    """Report a hand, as the phone of a table does; needs the scope “report”.

    If the sheet may be of another hand than “number” says, the response is 409 “which-hand”: ask,
    and send it again with “is_next”. If it differs from the recorded count, changes an earlier hand,
    or comes after the round was closed, it is kept for the organiser: 409 with “kept”.
    """
    table = checked_table(request, table_id, Role.SCORER)
    if table.withdrawn:
        raise Http404
    submission = Submission(**body.dict())
    result = report_hand(token=table.token, submission=submission, by=actor(request))
    words = {"hand": table.numbered(result.number), "what": _("it stays as it is")}
    if result.verdict == ASK:
        question = table.which_hand_question(result.number)
        return problem(409, "which-hand", question, number=result.number)
    if result.verdict in _TO_SETTLE:
        sentence = _(SENTENCES[result.verdict]) % words
        return problem(409, result.verdict, sentence, number=result.number, kept=True)
    return result


@api.post("/nights/{night_id}/people", **writes(schemas.NightNowOut))
def check_in(request: HttpRequest, night_id: Key, body: schemas.ArrivalsIn) -> Any:
    """Check in players of the club, and walk-ins by their names; needs the scope “organise”."""
    row = access.get(request, ClubNight.objects, night_id, Role.ORGANISER)
    arrive(night_id=night_id, players=body.players, new_names=body.names, by=actor(request))
    return night_with_people(row)


@api.delete("/nights/{night_id}/people/{player_id}", **writes(schemas.NightNowOut))
def check_out(request: HttpRequest, night_id: Key, player_id: Key) -> Any:
    """Check a player out; needs the scope “organise”."""
    row = access.get(request, ClubNight.objects, night_id, Role.ORGANISER)
    access.get(request, Player.objects.filter(club=row.club_id), player_id)
    leave(night_id=night_id, players=[player_id], by=actor(request))
    return night_with_people(row)


@api.post("/tournaments/{tournament_id}/draw", **writes(schemas.DrawOut))
@transaction.atomic
def draw(request: HttpRequest, tournament_id: Key) -> Any:
    """Draw the coming round for those who are here; needs the scope “organise”.

    An existing draw is kept, unless people came or went since: then it is updated.
    """
    row = access.tournament(request, tournament_id, Role.ORGANISER)
    # Locked, so that the same request sent twice draws once.
    Tournament.objects.select_for_update(no_key=True).get(pk=row.pk)
    coming, by = read_coming_round(row, now=timezone.now()), actor(request)
    newcomers = coming.arrivals()
    if not coming.draws:
        draw_rounds(tournament_id=row.pk, newcomers=newcomers, by=by, rng=DICE)
    elif coming.changes():
        update_draw(tournament_id=row.pk, newcomers=newcomers, by=by, rng=DICE)
    return _draw_out(row)


@api.post("/tournaments/{tournament_id}/draw/publish", **writes(schemas.DrawOut))
def publish(request: HttpRequest, tournament_id: Key) -> Any:
    """Show the draw of the coming round to everybody; needs the scope “organise”."""
    row = access.tournament(request, tournament_id, Role.ORGANISER)
    publish_draws(tournament_id=row.pk, by=actor(request))
    return _draw_out(row)


def _draw_out(row: Tournament) -> Any:
    """Return the draw of the coming round."""
    drawn = read_coming_round(row, now=timezone.now()).draw
    if drawn is None:  # it was discarded meanwhile
        raise Http404
    named = named_round(drawn.number, round_from_json(drawn.plan), row.entrants.all().names())
    seats = {"tables": named.tables, "resting": named.resting}
    return {"number": drawn.number, "published_at": drawn.published_at, **seats}


@api.post("/tournaments/{tournament_id}/rounds", **writes(schemas.RoundNowOut))
def open_round(request: HttpRequest, tournament_id: Key) -> Any:
    """Open the coming round as it is drawn; needs the scope “organise”."""
    row = access.tournament(request, tournament_id, Role.ORGANISER)
    return round_with_tables(request, open_draw(tournament_id=row.pk, by=actor(request), rng=DICE))


@api.post("/rounds/{round_id}/close", **writes(schemas.RoundOut))
def close(request: HttpRequest, round_id: Key, body: schemas.CloseIn) -> Any:
    """Close a round; needs the scope “organise”.

    Refused while results are missing or hands are unconfirmed, unless the body says what to do.
    """
    access.get(request, Round.objects, round_id, Role.ORGANISER, club_path=TO_CLUB)
    return close_round(round_id=round_id, by=actor(request), **body.dict())
