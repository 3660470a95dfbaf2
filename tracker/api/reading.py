"""Operations that read: what the pages show, from the same values."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from django.db.models import Model, Q, QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Field, Query, Schema

from tracker.api import schemas
from tracker.api.interface import api, reads
from tracker.api.schemas import Key, PageOut
from tracker.common.forms import refusal_text
from tracker.common.web import access
from tracker.models import Club, ClubNight, Player, Role, Round, Season, Sitting
from tracker.nights.queries.nights import tournaments_of
from tracker.results.pages.hands import hand_rows, hands_of
from tracker.results.pages.table_requests import checked_table
from tracker.standings.queries.seasons import season_standing
from tracker.standings.queries.standings import standings
from tracker.standings.services.standings import missing_result
from tracker.tables.sql import LARGEST_KEY, LARGEST_ROUND, read_open_tables, read_tables
from tracker.tables.table_now import dealers_now

RowT = TypeVar("RowT", bound=Model)
TO_CLUB = "tournament__club"  # from a round, or a row with a tournament


class PageIn(Schema):
    limit: int = Field(25, ge=1, le=100)  # rows a page
    cursor: int = Field(0, ge=0, le=LARGEST_KEY)  # ``next`` of the page before


def _page(
    rows: QuerySet[RowT], page: PageIn, to_items: Callable[[list[RowT]], Iterable[Any]] = iter
) -> dict[str, Any]:
    """Return the page of these rows behind the cursor; *to_items* turns rows into items."""
    behind = list(rows.order_by("pk").filter(pk__gt=page.cursor)[: page.limit + 1])
    shown = behind[: page.limit]
    following = shown[-1].pk if len(behind) > page.limit else None
    return {"items": list(to_items(shown)), "total": rows.count(), "next": following}


def _fields_of(row: Model, schema: type[Schema], **more: Any) -> dict[str, Any]:
    """Return the fields of *schema* from a row, and *more*."""
    return {**schema.from_orm(row).dict(), **more}


@api.get("/clubs", response=reads(PageOut[schemas.ClubOut]))
def clubs(request: HttpRequest, page: Query[PageIn]) -> Any:
    """List the public clubs, and that of the token."""
    token = request.__dict__.get("api_token")
    own = Q(pk=token.membership.club_id) if token else Q()
    return _page(Club.objects.filter(Q(public=True) | own), page)


@api.get("/clubs/{club_id}", response=reads(schemas.ClubOut, 404))
def club(request: HttpRequest, club_id: Key) -> Any:
    return access.club(request, club_id)


@api.get("/clubs/{club_id}/players", response=reads(PageOut[schemas.PlayerOut], 404))
def players(request: HttpRequest, club_id: Key, page: Query[PageIn]) -> Any:
    """List the players of a club, visitors too."""
    return _page(Player.objects.present().filter(club=access.club(request, club_id)), page)


@api.get("/clubs/{club_id}/nights", response=reads(PageOut[schemas.NightOut], 404))
def nights(request: HttpRequest, club_id: Key, page: Query[PageIn]) -> Any:
    return _page(access.club(request, club_id).nights.all(), page)


@api.get("/clubs/{club_id}/tournaments", response=reads(PageOut[schemas.TournamentOut], 404))
def tournaments(request: HttpRequest, club_id: Key, page: Query[PageIn]) -> Any:
    return _page(access.club(request, club_id).tournaments.all(), page)


@api.get("/clubs/{club_id}/seasons", response=reads(PageOut[schemas.SeasonOut], 404))
def seasons(request: HttpRequest, club_id: Key, page: Query[PageIn]) -> Any:
    return _page(access.club(request, club_id).seasons.all(), page)


@api.get("/players/{player_id}", response=reads(schemas.PlayerOut, 404))
def player(request: HttpRequest, player_id: Key) -> Any:
    return access.get(request, Player.objects.present(), player_id)


@api.get("/seasons/{season_id}", response=reads(schemas.SeasonNowOut, 404))
def season(request: HttpRequest, season_id: Key) -> Any:
    """Show a season with its standing."""
    row = access.get(request, Season.objects, season_id)
    return _fields_of(row, schemas.SeasonOut, rows=season_standing(row).rows)


@api.get("/nights/{night_id}", response=reads(schemas.NightNowOut, 404))
def night(request: HttpRequest, night_id: Key) -> Any:
    """Show a night with who is here, and the tournaments played at it."""
    return night_with_people(access.get(request, ClubNight.objects, night_id))


def night_with_people(row: ClubNight) -> dict[str, Any]:
    """Return what ``NightNowOut`` has."""
    here = row.attendances.here(row).people()
    return _fields_of(row, schemas.NightOut, here=here, tournaments=tournaments_of(row))


@api.get("/tournaments/{tournament_id}", response=reads(schemas.TournamentOut, 404))
def tournament(request: HttpRequest, tournament_id: Key) -> Any:
    return access.tournament(request, tournament_id)


@api.get("/tournaments/{tournament_id}/rounds", response=reads(PageOut[schemas.RoundOut], 404))
def rounds(request: HttpRequest, tournament_id: Key, page: Query[PageIn]) -> Any:
    """List the rounds of a tournament, without those that were undone."""
    return _page(access.tournament(request, tournament_id).rounds.not_undone(), page)


@api.get("/rounds/{round_id}", response=reads(schemas.RoundNowOut, 404))
def round_(request: HttpRequest, round_id: Key) -> Any:
    """Show a round with its tables as they are now, and who sits out."""
    rounds = Round.objects.not_undone()
    return round_with_tables(request, access.get(request, rounds, round_id, club_path=TO_CLUB))


def round_with_tables(request: HttpRequest, row: Round) -> dict[str, Any]:
    """Return what ``RoundNowOut`` has; only scorers see what is to be done."""
    may_score = access.may(request, row.tournament.club, Role.SCORER)
    resting = row.rests.sat_out().select_related("entrant__player", "entrant__team")
    return _fields_of(
        row,
        schemas.RoundOut,
        tables=read_tables(rounds=[row.pk], to_do=may_score),
        resting=[{"id": rest.entrant_id, "name": str(rest.entrant)} for rest in resting],
    )


@api.get("/tables/{table_id}", response=reads(schemas.TableWithSheetOut, 404))
def table(request: HttpRequest, table_id: Key) -> Any:
    """Show a table of a round as it is now, and what the sheet of its coming hand asks."""
    table_now = checked_table(request, table_id)
    if not table_now.tallied:  # its round was undone
        raise Http404
    if access.may(request, table_now.club, Role.SCORER):
        [table_now] = read_tables(sittings=[table_id], to_do=True)
    return table_now


@api.get("/tournaments/{tournament_id}/hands", response=reads(PageOut[schemas.HandOut], 404))
def hands(request: HttpRequest, tournament_id: Key, page: Query[PageIn]) -> Any:
    """List all hands of a tournament, deleted ones too, with the result of each side."""
    row = access.tournament(request, tournament_id)
    return _page(hands_of(row), page, lambda shown: hand_rows(row, shown).values())


@api.get("/tables/{table_id}/hands", response=reads(PageOut[schemas.HandOut], 404))
def hands_of_table(request: HttpRequest, table_id: Key, page: Query[PageIn]) -> Any:
    """List the hands of one table."""
    sittings, to_club = Sitting.objects.select_related("round"), "round__tournament__club"
    sitting = access.get(request, sittings, table_id, club_path=to_club)
    row = sitting.round.tournament
    hands = hands_of(row).filter(sitting=sitting)
    return _page(hands, page, lambda shown: hand_rows(row, shown).values())


class AfterIn(Schema):
    round: int | None = Field(None, ge=1, le=32_767)  # the standing after this round, else today's


@api.get("/tournaments/{tournament_id}/standings", response=reads(schemas.StandingOut, 404))
def standing(request: HttpRequest, tournament_id: Key, after: Query[AfterIn]) -> Any:
    """Show the standing with its criteria in order, why each has its place, and what is missing."""
    row = access.tournament(request, tournament_id)
    upto = None
    if after.round is not None:
        upto = get_object_or_404(row.rounds.not_undone(), number=after.round)
    ranked, last = standings(row, upto=upto), after.round or LARGEST_ROUND
    missing = missing_result(row, last)
    playing = [table for table in read_open_tables(tournament=row.pk) if not table.done]
    waits = any(table.round_number <= last for table in playing)
    return {
        "tournament_id": row.pk,
        "round_number": after.round,
        "ranked_by": ranked.ranked_by,
        "criteria": ranked.criteria,
        "complete": ranked.begun and missing is None and not waits,
        "missing": refusal_text(missing) if missing else "",
        "provisional_until": row.provisional_until,
        "official_at": row.official_at,
        "rows": schemas.places_of(ranked),
    }


@api.get("/tournaments/{tournament_id}/dealers", response=reads(schemas.DealersOut, 404))
def dealers(request: HttpRequest, tournament_id: Key) -> Any:
    """Show who deals now and next at the tables of open rounds."""
    access.tournament(request, tournament_id)
    now = dealers_now(read_open_tables(tournament=tournament_id))
    entrants = [
        {"entrant_id": entrant, "table_number": deals.table, "when": deals.when.name.lower()}
        for entrant, deals in now.of_entrant.items()
    ]
    return {"tables": now.tables, "entrants": entrants}
