"""Tournaments: make, change settings and ranking, put in a season; and the checks of settings.

The *terms* of a tournament are how its rounds are drawn, clocked and ranked. A refusal names the
field of the form that it is about as its ``question``.
"""

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from games import catalogue
from games.errors import gettext_noop
from games.game import AnyGame
from games.mode import Mode
from games.option import Options
from tracker.common.actor import Actor
from tracker.common.audit_log import last_entry, log, set_columns
from tracker.common.errors import Refused
from tracker.common.names import clean_name
from tracker.criteria.ranking_criteria import criteria_of
from tracker.criteria.tie_breaks import LOTS
from tracker.models import Confirm, Format, RankedBy, Season, Sitting, Tournament
from tracker.tournaments.queries import rankings_for, usual_ranking
from tracker.tournaments.services.terms import (
    Terms,
    check_not_too_late,
    checked_terms,
    checked_tie_breaks,
)

_AFFECT_STANDINGS = frozenset({"movement", "third_place"})


@transaction.atomic
def make_tournament(
    *,
    club_id: int,
    name: str,
    game: str,
    mode: str,
    by: Actor,
    format_: Format = Format.PLAYERS,
    options: Options | None = None,
    length: int | None = None,
    confirm: Confirm = Confirm.ONE,
    season_id: int | None = None,
    terms: Terms | None = None,
    ranked_by: RankedBy | None = None,
    tie_breaks: Sequence[str] = (),
    seed: int | None = None,
    people: int | None = None,
) -> Tournament:
    """Make a tournament; settings left out are the game's defaults.

    *game* is a slug and *mode* a code: who sits at a table, in which sides. *options* are house
    rules. *length* is the number of hands a round, or of games if the game counts those. Without
    *ranked_by* the ranking is the usual one for this number of *people*, and without *tie_breaks*
    (keys) they are the usual ones. *seed* is the number from which lots are drawn, if these break
    ties.

    :raises OptionError: if a house rule has no such value.
    :raises ModeError: if these house rules have no such mode.
    """
    rules, terms = rules_of(game), terms or Terms()
    complete = rules.complete_options(options or {})
    tournament = Tournament(
        club_id=club_id,
        name=clean_name(name, most=Tournament.name.field.max_length),
        game=game,
        mode=mode,
        format=format_,
        options=complete,
        confirm=confirm,
        # The usual ranking depends on these two terms. All terms are set below, as the check of
        # some depends on the ranking.
        movement=terms.movement,
        leftover=terms.leftover,
        created_at=by.at,
        **length_columns(rules, rules.usual_length if length is None else length),
    )
    check_format(tournament.table_mode, format_)
    tournament.ranked_by = ranked_by or usual_ranking(tournament, people)
    check_ranking(tournament, RankedBy(tournament.ranked_by))
    for setting, value in checked_terms(tournament, terms).items():
        setattr(tournament, setting, value)
    _set_tie_breaks(tournament, tie_breaks, seed)
    tournament.save()
    record_tournament(by, "tournament-made", tournament)
    return put_in_season(tournament_id=tournament.pk, season_id=season_id, by=by)


@transaction.atomic
def edit_tournament(
    *,
    tournament_id: int,
    name: str,
    length: int,
    confirm: Confirm,
    by: Actor,
    terms: Terms | None = None,
) -> Tournament:
    """Change a tournament's name, settings and terms; ``None`` as *terms* leaves these as they are.

    Settings that affect standings cannot change once these are official.
    """
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    settings: dict[str, Any] = {
        "name": clean_name(name, most=Tournament.name.field.max_length),
        "confirm": confirm.value,
        **length_columns(tournament.rules, length),
    }
    if terms is not None:
        rounds = tournament.rounds.not_undone()
        check_not_too_late(terms.movement, before=tournament.movement, played=rounds.exists())
        settings |= checked_terms(tournament, terms)
    changed = set_columns(tournament, settings, private={"name"})  # {column: [before, after]}
    if tournament.official_at is not None and _AFFECT_STANDINGS.intersection(changed):
        raise _official_error()
    tournament.save(update_fields=[*settings])
    record_tournament(by, "tournament-changed", tournament, changed=changed)
    return tournament


@transaction.atomic
def change_ranking(
    *, tournament_id: int, ranked_by: RankedBy, tie_breaks: Sequence[str], seed: int, by: Actor
) -> Tournament:
    """Change what ranks a tournament that is not official; published standings stay as they are.

    Without *tie_breaks* (keys, in order) the usual ones count. *seed* is the number from which lots
    are drawn, if these are among them for the first time. Once a hand has been played, the change
    is kept in ``ranking_changes``.
    """
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    if tournament.official_at is not None:
        raise _official_error(question="ranked_by")
    check_ranking(tournament, ranked_by)
    points_before, before = tournament.ranked_by, _criteria_keys(tournament)
    tournament.ranked_by = ranked_by
    _set_tie_breaks(tournament, tie_breaks, seed)
    after = _criteria_keys(tournament)
    if (points_before, before) == (ranked_by, after):
        return tournament
    if has_hands(tournament):
        last = tournament.rounds.not_undone().order_by("number").last()
        lists = {"before": before, "after": after}
        change = {"at": by.at.isoformat(), "round": last.number if last else 0, **lists}
        tournament.ranking_changes = [*tournament.ranking_changes, change]
    tournament.save(update_fields=["ranked_by", "tie_breaks", "lots_seed", "ranking_changes"])
    numbers = {
        "before": points_before,
        "after": ranked_by.value,
        "criteria_before": before,
        "criteria_after": after,
    }
    log(by, "ranking-changed", **tournament.log_keys, numbers=numbers)
    return tournament


def has_hands(tournament: Tournament) -> bool:
    """Return whether a hand has been played in a tournament, at a table that still counts."""
    tables = Sitting.objects.filter(round__in=tournament.rounds.not_undone())
    return tables.filter(hands_standing__gt=0).exists()


def _set_tie_breaks(tournament: Tournament, chosen: Sequence[str], seed: int | None) -> None:
    """Set the tie-breaks; with lots among them, the number to draw from, which then stays."""
    tournament.tie_breaks = checked_tie_breaks(tournament, chosen)
    if LOTS.key in tournament.tie_breaks and tournament.lots_seed is None:
        tournament.lots_seed = seed


def _criteria_keys(tournament: Tournament) -> list[str]:
    return [each.key for each in criteria_of(tournament)]


def _official_error(question: str = "") -> Refused:
    """Return the refusal to change what ranks an official tournament."""
    text = gettext_noop("The standings are official: reopen the tournament first.")
    return Refused("tournament-over", text, question=question)


@transaction.atomic
def put_in_season(*, tournament_id: int, season_id: int | None, by: Actor) -> Tournament:
    """Count a tournament and its later stages for a season of its club; with ``None`` for none."""
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    if tournament.season_id == season_id:
        return tournament
    if season_id is not None and tournament.follows_id is not None:
        text = gettext_noop("All stages count together, by the season of the first.")
        raise Refused("season-stage", text, question="season")
    seasons = Season.objects.filter(club=tournament.club_id)
    if season_id is not None and not seasons.filter(pk=season_id).exists():
        text = gettext_noop("Choose a season of this club.")
        raise Refused("season-unknown", text, question="season")
    before, tournament.season_id = tournament.season_id, season_id
    tournament.save(update_fields=["season"])
    numbers = {"before": before}
    log(by, "tournament-in-season", **tournament.log_keys, season=season_id, numbers=numbers)
    return tournament


def check_goes_on(tournament: Tournament) -> None:
    """Check that a tournament may still play or publish: its standings are not official."""
    if tournament.official_at is not None:
        text = gettext_noop("This tournament is finished: reopen it first.")
        raise Refused("tournament-over", text)


def check_ranking(tournament: Tournament, ranked_by: RankedBy) -> None:
    """Check that a tournament, with its game and its tables, can be ranked by this."""
    rankings = rankings_for(tournament.rules, tournament.house_rules)
    if ranked_by == RankedBy.MATCH_POINTS:
        possible = tournament.has_matches
        text = gettext_noop("Match points need tables at which two pairs, teams or players meet.")
    else:
        possible = ranked_by in {RankedBy.GAME, *rankings}
        text = gettext_noop("%(game)s cannot be ranked by that.")
    if not possible:
        raise Refused("ranked-by", text, question="ranked_by", game=tournament.rules.name)


def rules_of(game: str) -> AnyGame:
    """Return the game with this slug, or refuse one that is not in the catalogue."""
    if game not in catalogue.GAMES:
        raise Refused("game-unknown", gettext_noop("Choose one of these games."), question="game")
    return catalogue.GAMES[game]


def check_format(mode: Mode, format_: Format) -> None:
    """Check that fixed teams are not entered in a game of single players."""
    if format_ == Format.TEAMS and mode.individual:
        text = gettext_noop("Everybody plays alone here: there are no pairs or teams.")
        raise Refused("teams-alone", text, question="format")


def check_length(length: int) -> None:
    """Check how many hands or games a round has."""
    if not 1 <= length <= Tournament.LONGEST_ROUND:
        # *Them* is hands or games, which the label of the form field names.
        text = gettext_noop("A round has 1 to %(most)d of them.")
        raise Refused("length", text, question="length", most=Tournament.LONGEST_ROUND)


def length_columns(rules: AnyGame, length: int) -> dict[str, int | None]:
    """Check a round's length, and return its columns: only what the game counts is not ``None``."""
    check_length(length)
    if rules.round_in_games:
        return {"hands": None, "games": length}
    return {"hands": length, "games": None}


def record_tournament(by: Actor, verb: str, tournament: Tournament, **more: Any) -> None:
    """Log a change of a tournament with the length of its rounds and *more* numbers."""
    # A reopening undoes the entry that the tournament was finished.
    keys = tournament.log_keys
    undoes = last_entry("tournament-finished", **keys) if verb == "tournament-reopened" else None
    numbers = {"hands": tournament.hands, "games": tournament.games, **more}
    log(by, verb, **keys, undoes=undoes, numbers=numbers)
