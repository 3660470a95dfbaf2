"""Starting the next stage of a tournament, or its groups (stages that play beside each other)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from string import ascii_uppercase

from django.db import transaction
from django.utils.translation import gettext

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.common.names import clean_name
from tracker.common.wording import together
from tracker.criteria.ranking_criteria import (
    criteria_of,
    offered_tie_breaks,
    usual_tie_breaks,
)
from tracker.criteria.tie_breaks import LOTS
from tracker.models import (
    CarryOver,
    Confirm,
    Entrant,
    Format,
    Movement,
    RankedBy,
    RoundState,
    Tournament,
)
from tracker.movements.table_sizes import check_enough
from tracker.people.services.teams import teams_in_a_row
from tracker.standings.logic.stages import snake_groups
from tracker.standings.queries.final_rankings import can_be_added
from tracker.standings.queries.tournament_stages import event_of, gone_to
from tracker.standings.services.standings import refuse_open_round
from tracker.tournaments.queries import usual_ranking
from tracker.tournaments.services.entering import enter_players, enter_teams
from tracker.tournaments.services.terms import Terms
from tracker.tournaments.services.tournaments import make_tournament

MOST_GROUPS = len(ascii_uppercase)


@dataclass(frozen=True, slots=True, kw_only=True)
class StagePlan:
    """The name and settings of a new stage; all others are those of the stage before it."""

    stage: str
    mode: str
    format_: Format
    movement: Movement
    length: int
    terms: Terms = field(default_factory=Terms)
    third_place: bool = False
    carry_over: CarryOver = CarryOver.NOTHING


@transaction.atomic
def begin_stage(
    *, sources: Collection[int], entrants: Sequence[int], plan: StagePlan, by: Actor
) -> Tournament:
    """Start a stage with *entrants* (keys, best seed first) of its *sources*: a stage, or groups.

    Players who form fixed teams come partner beside partner. A stage after several groups follows
    the stage that these follow.

    :raises Refused: if no round was played or one is still open, there are no entrants, one is not
        in the *sources* or has gone on already, or the stage cannot have this name or settings.
    :raises ModeError: if the game does not have the mode.
    """
    locked = _lock_sources(sources)
    if not any(each.rounds.filter(state=RoundState.CLOSED).exists() for each in locked):
        raise Refused("stage-unplayed", gettext_noop("Play a round first: nobody has a place yet."))
    return _begin(locked, _chosen_entrants(locked, entrants), plan, by)


@transaction.atomic
def begin_groups(
    *,
    source: int,
    entrants: Sequence[int],
    groups: int,
    plan: StagePlan,
    by: Actor,
    newcomers: Sequence[int] = (),
) -> list[Tournament]:
    """Start a number of *groups*, each a stage, and deal *entrants* into them, the strongest first.

    *newcomers* are players of the club, or teams in a tournament of teams, who enter the *source*
    now and come last. The groups are named by letters, not by the *plan*.

    :raises Refused: as ``begin_stage`` does, but no round need be played; or for too many groups.
    :raises ModeError: if the game does not have the mode.
    """
    locked = _lock_sources([source])
    tournament = locked[0]
    if tournament.format == Format.TEAMS:
        new = enter_teams(tournament_id=source, teams=newcomers, by=by)
    else:
        new = enter_players(tournament_id=source, players=newcomers, by=by)
    entered = _chosen_entrants(locked, [*entrants, *(entrant.pk for entrant in new)])
    if not tournament.stage and not tournament.rounds.exists():
        tournament.stage = gettext("Entries")  # it is not played itself, only its groups
        tournament.save(update_fields=["stage"])
    most = min(MOST_GROUPS, len(entered))
    if not 2 <= groups <= most:
        text = gettext_noop("There can be from 2 to %(most)d groups.")
        raise Refused("groups", text, question="groups", most=most)
    name = gettext("Group %(letter)s")
    return [
        _begin(locked, group, replace(plan, stage=name % {"letter": letter}), by)
        for letter, group in zip(ascii_uppercase, snake_groups(entered, groups), strict=False)
    ]


def _lock_sources(sources: Collection[int]) -> list[Tournament]:
    """Lock and return these tournaments; refuse those whose entrants cannot go on together."""
    in_order = Tournament.objects.filter(pk__in=sources).order_by("pk")
    locked = list(in_order.select_for_update(no_key=True))
    if not locked:
        raise Refused("stage-nowhere", gettext_noop("Choose one of the tournaments."))
    # Groups follow the same stage. The first stage of an event follows none, and is no group.
    followed = {each.follows_id for each in locked}
    if len(locked) > 1 and (len(followed) > 1 or None in followed):
        text = gettext_noop("People can go on together only from groups of one stage.")
        raise Refused("stage-apart", text)
    for each in locked:
        refuse_open_round(each)
    return locked


def _chosen_entrants(sources: Sequence[Tournament], entrants: Sequence[int]) -> list[Entrant]:
    """Return the entrants with these keys, in their order; refuse any who cannot go on."""
    chosen = list(dict.fromkeys(entrants))
    if not chosen:
        raise Refused("stage-nobody", gettext_noop("Tap who goes on."), question="entrants")
    playing = Entrant.objects.playing().filter(tournament__in=sources, pk__in=chosen)
    entrant_of = {entrant.pk: entrant for entrant in playing.select_related("player", "team")}
    if len(entrant_of) < len(chosen):
        text = gettext_noop("Somebody you chose is not playing here any more. Please choose again.")
        raise Refused("stage-stranger", text, question="entrants")
    gone = gone_to(event_of(sources[0]), sources)  # keyed by entrant
    if gone_already := [str(entrant_of[pk]) for pk in chosen if pk in gone]:
        text = gettext_noop("Already in another stage: %(who)s.")
        raise Refused("stage-gone-on", text, question="entrants", who=together(gone_already))
    return [entrant_of[pk] for pk in chosen]


def _begin(
    sources: Sequence[Tournament], entered: Sequence[Entrant], plan: StagePlan, by: Actor
) -> Tournament:
    """Make the stage of the *plan* after its *sources*, with these entrants; return it."""
    source = sources[0]  # if there are several, these are groups with the same settings
    event = event_of(source)
    name = clean_name(plan.stage, most=Tournament.stage.field.max_length)
    if name in {each.stage for each in event.stages}:
        text = gettext_noop("There is a stage called “%(stage)s” already: choose another name.")
        raise Refused("stage-named", text, question="stage", stage=name)
    # The event's name, cut to fit, and the stage's own.
    title = gettext("%(event)s – %(stage)s")
    room = (Tournament.name.field.max_length or 0) - len(title % {"event": "", "stage": name})
    stage = make_tournament(
        club_id=source.club_id,
        name=title % {"event": event.root.name[:room].rstrip(), "stage": name},
        game=source.game,
        mode=plan.mode,
        format_=plan.format_,
        options=source.house_rules,
        length=plan.length,
        confirm=Confirm(source.confirm),
        terms=plan.terms,
        ranked_by=_ranking(source, plan, len(entered)),
        by=by,
    )
    settings = {  # those that are not given to ``make_tournament`` above
        "follows_id": source.pk if len(sources) == 1 else source.follows_id,
        "stage": name,
        "carry_over": plan.carry_over,
        "movement": plan.movement,
        "third_place": plan.third_place,
        "leftover": source.leftover,
        "substitution": source.substitution,
    }
    # A rest (a round sat out) may be worth a win or a draw, which needs match points. So its worth
    # stays only if both stages are ranked by match points, or neither is.
    if (stage.ranked_by == RankedBy.MATCH_POINTS) == (source.ranked_by == RankedBy.MATCH_POINTS):
        settings |= {"rest_credit": source.rest_credit, "rest_points": source.rest_points}
    for field_name, setting in settings.items():
        setattr(stage, field_name, setting)
    # Which tie-breaks suit, and which are usual, depends on the movement.
    usual, inherited = usual_tie_breaks(stage, stage.ranked_by), source.tie_breaks
    suit = offered_tie_breaks(stage, stage.ranked_by).keys() >= {*inherited}
    stage.tie_breaks = inherited if inherited and suit else usual
    stage.lots_seed = source.lots_seed if LOTS.key in stage.tie_breaks else None
    settings |= {"tie_breaks": stage.tie_breaks, "lots_seed": stage.lots_seed}
    stage.save(update_fields=[field_name.removesuffix("_id") for field_name in settings])
    _check_carry_over(stage, sources)
    _enter_seeded(stage, entered, by)
    numbers = {"carry_over": plan.carry_over, "from": [each.pk for each in sources]}
    log(by, "stage-begun", **stage.log_keys, numbers=numbers)
    return stage


def _ranking(source: Tournament, plan: StagePlan, entered: int) -> RankedBy:
    """Return what ranks the stage of the *plan* after *source*, with this number of entrants."""
    unsaved = Tournament(
        game=source.game,
        options=source.options,
        mode=plan.mode,
        format=plan.format_,
        movement=plan.movement,
        leftover=source.leftover,
    )
    # If points are carried over, both stages must count the same ones: the new stage is ranked as
    # the source, if it can be. Otherwise it is ranked as usual for these settings.
    ranked_by = RankedBy(source.ranked_by)
    without_matches = ranked_by == RankedBy.MATCH_POINTS and not unsaved.has_matches
    if plan.carry_over == CarryOver.NOTHING or without_matches:
        return usual_ranking(unsaved, entered)
    return ranked_by


def _check_carry_over(stage: Tournament, sources: Sequence[Tournament]) -> None:
    """Refuse to carry points over that cannot be added to those of the new stage."""
    if stage.carry_over == CarryOver.NOTHING:
        return
    leading = {criteria_of(each)[0] for each in (stage, *sources)}  # each time the points
    if any(points.fewest for points in leading):
        code = "carry-over-fewest"
        why = gettext_noop("Where the fewest points are best, none can be carried over.")
    elif not all(can_be_added(points) for points in leading):
        code = "carry-over-share"
        why = gettext_noop(
            "What counts here is a share, and shares of two stages cannot be added up:"
            " nothing can be carried over."
        )
    elif len({points.key for points in leading}) > 1:
        code = "carry-over-other"
        why = gettext_noop("The stages do not count the same points: nothing can be carried over.")
    else:
        return
    raise Refused(code, why, question="carry_over")


def _enter_seeded(stage: Tournament, entered: Sequence[Entrant], by: Actor) -> None:
    """Enter these entrants of earlier stages, seeded in this order, and plan how many rounds."""
    # One of these is empty: entrants are all players, or all teams.
    players = [entrant.player for entrant in entered if entrant.player is not None]
    teams = [entrant.team_id for entrant in entered if entrant.team_id is not None]
    mode, in_teams = stage.table_mode, stage.format == Format.TEAMS
    if in_teams:
        teams = teams or teams_in_a_row(stage.club_id, players, len(mode.sides[0]))
        seeded = enter_teams(tournament_id=stage.pk, teams=teams, by=by)
    elif teams:
        text = gettext_noop("Pairs or teams go on as they are.")
        raise Refused("teams-stay", text, question="format")
    else:
        keys = [player.pk for player in players]
        seeded = enter_players(tournament_id=stage.pk, players=keys, by=by)
    check_enough(len(seeded), mode, fixed=in_teams)
    for seed, entrant in enumerate(seeded, start=1):
        entrant.seed = seed
    Entrant.objects.bulk_update(seeded, ["seed"])
    if stage.planned is None and stage.has_matches:
        # A round of a knock-out halves the field. In a round robin each meets every other; in an
        # odd field one rests in each round, which takes one round more.
        field = len(seeded)
        knockout, round_robin = (field - 1).bit_length(), field - 1 + field % 2
        rounds_by = {Movement.KNOCKOUT: knockout, Movement.ROUND_ROBIN: round_robin}
        stage.planned = rounds_by.get(Movement(stage.movement))  # for others no number is planned
        stage.save(update_fields=["planned"])
