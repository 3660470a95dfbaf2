"""Tournaments with their settings, their entrants, and the import of tournaments from files.

A *standing* is the ranking of the entrants, by *criteria*: figures such as points, of which the
later ones break ties of the first. An *event* is what people call a tournament: one or more
*stages*, such as qualifying and a final. A stage is a ``Tournament`` with its own entrants, rounds
and standing, and ``follows`` the stage before it. A *tournament file* is a whole event as JSON, by
which it goes from one site to another.
"""

from typing import Any

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy as _

from games import catalogue
from games.game import AnyGame
from games.mode import Mode
from games.option import Options
from games.sheet import Criterion
from tracker.models.base import WithUid, check, one_of, unique
from tracker.models.clubs import Club, User
from tracker.models.nights import EARLIEST, LATEST, Season
from tracker.models.players import Player, Team


class Format(models.TextChoices):
    """What enters a tournament and is ranked."""

    PLAYERS = "players", _("everybody for themselves; partners may change")
    TEAMS = "teams", _("fixed pairs or teams")


class Confirm(models.TextChoices):
    """Whose report makes a result count."""

    ONE = "one", _("one phone is enough")
    BOTH = "both", _("another side must agree")


class Movement(models.TextChoices):
    """How the seats of a round are drawn; ``tracker.movements`` has the algorithms."""

    FEWEST_REPEATS = "fewest_repeats", _("new partners and opponents")
    BY_LOT = "by_lot", _("by lot")
    IN_ORDER = "in_order", _("in number order, table by table")
    EQUALS = "equals", _("by the standings: equals together")
    STRONG_WITH_WEAK = "strong_with_weak", _("by the standings: strong with weak")
    ROUND_ROBIN = "round_robin", _("everybody against everybody")
    SWISS = "swiss", _("Swiss: against whoever has about as many points")
    KNOCKOUT = "knockout", _("knock-out")
    DOUBLE_ELIMINATION = "double_elimination", _("knock-out: out after two defeats")
    LADDER = "ladder", _("ladder: winners move up a table, losers down")
    FREE = "free", _("free play: tables form as people come")


class Leftover(models.TextChoices):
    """What happens to entrants who are left over when tables are full."""

    REST = "rest", _("they sit out, each in turn")
    ODD_TABLE = "odd_table", _("they sit at an odd-sized table, each in turn")


class RestCredit(models.TextChoices):
    """What a rest is worth."""

    AVERAGE = "average", _("one’s own average")
    WIN = "win", _("as much as a win")
    DRAW = "draw", _("as much as a draw")
    NOTHING = "nothing", _("nothing")
    FIXED = "fixed", _("a fixed number of points")


class Substitution(models.TextChoices):
    """Who scores the hands of a substitute."""

    OWN = "own", _("for themselves")
    ABSENT = "absent", _("for whoever they replace")


class CarryOver(models.TextChoices):
    """What a stage takes over from the one before it."""

    NOTHING = "nothing", _("nothing: everybody begins anew")
    HALF = "half", _("half of the points")
    ALL = "all", _("all points")


class RankedBy(models.TextChoices):
    """What a tournament ranks by first; ``Tournament.ranking`` has the criteria of each."""

    GAME = "game", _("as at a single table")
    POINTS = "points", _("points over several tables")
    # Tables may differ in size: what counts is which part of a table's players was beaten.
    SHARE = "share", _("the share of each table that was beaten")
    MATCH_POINTS = "match_points", _("match points")


class TieResolution(models.TextChoices):
    """How a tie for a prize is settled."""

    SHARE = "share", _("shared")
    CUT = "cut", _("cut for it: the higher card wins")
    PLAY_OFF = "play_off", _("played off")
    LOT = "lot", _("by lot, drawn here and now")


class Tournament(WithUid):
    """One stage of an event: entrants play rounds of a game, and are ranked over all tables."""

    LONGEST_ROUND = 200  # hands or games
    MOST_ROUNDS = 99
    MOST_MINUTES = 240  # of one round

    club = models.ForeignKey(Club, models.CASCADE, related_name="tournaments")
    season = models.ForeignKey(
        Season, models.SET_NULL, null=True, blank=True, related_name="tournaments"
    )
    name = models.CharField(_("name"), max_length=80)
    game = models.CharField(_("game"), max_length=30, choices=catalogue.choices)
    # How many sit at a table, in which sides: ``4t2``, a ``games.mode.Mode``, is four in pairs.
    mode = models.CharField(_("players a table"), max_length=8)
    format = models.CharField(_("who scores"), max_length=7, choices=Format, default=Format.PLAYERS)
    options = models.JSONField(default=dict, blank=True)  # the house rules, by name
    # Set when it is made; changed only by the service ``change_ranking``, which checks it.
    ranked_by = models.CharField(
        _("ranked by"),
        max_length=12,
        choices=RankedBy,
        default=RankedBy.GAME,
        db_default=RankedBy.GAME,
    )
    # Keys of criteria, in order; empty for those that are usual in the game.
    tie_breaks = models.JSONField(default=list, blank=True)
    # What was ranked by before and after each change since the first hand:
    # [{"at": a moment, "round": a number, "before": [keys of criteria], "after": [keys]}].
    ranking_changes = models.JSONField(default=list, blank=True, db_default=[])
    # The number from which lots are drawn, once it is published.
    lots_seed = models.PositiveBigIntegerField(null=True, blank=True)
    # The length of a round: one of the two, or neither if it has none. A game is several hands.
    hands = models.PositiveSmallIntegerField(_("hands a round"), null=True, blank=True)
    games = models.PositiveSmallIntegerField(_("games a round"), null=True, blank=True)
    # How many rounds there should be; more may be played.
    planned = models.PositiveSmallIntegerField(_("rounds planned"), null=True, blank=True)
    minutes = models.PositiveSmallIntegerField(_("minutes a round"), null=True, blank=True)
    confirm = models.CharField(max_length=4, choices=Confirm, default=Confirm.ONE)
    movement = models.CharField(
        _("who sits where"), max_length=18, choices=Movement, default=Movement.FEWEST_REPEATS
    )
    leftover = models.CharField(
        _("who is left over"), max_length=9, choices=Leftover, default=Leftover.REST
    )
    third_place = models.BooleanField(_("a match for third place"), default=False)  # of a bracket
    rest_credit = models.CharField(
        _("sitting out is worth"), max_length=7, choices=RestCredit, default=RestCredit.AVERAGE
    )
    rest_points = models.PositiveSmallIntegerField(_("points for a rest"), null=True, blank=True)
    substitution = models.CharField(
        _("a substitute plays"), max_length=6, choices=Substitution, default=Substitution.OWN
    )
    # Not at a table: how many may enter, the others go to the reserve list; None if all may.
    places = models.PositiveSmallIntegerField(_("places"), null=True, blank=True)
    # The stage before this one, if this is not the first of its event.
    follows = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="next_stages"
    )
    stage = models.CharField(_("stage"), max_length=40, blank=True)  # its name among the stages
    carry_over = models.CharField(
        _("what is carried over"), max_length=7, choices=CarryOver, default=CarryOver.NOTHING
    )
    created_at = models.DateTimeField()
    # Until when the standing is provisional (open to objections), and when it was made official.
    provisional_until = models.DateTimeField(null=True, blank=True)
    official_at = models.DateTimeField(null=True, blank=True)
    # How ties for a prize were settled: [{"how": a TieResolution, "order": [keys of entrants]}].
    tie_resolutions = models.JSONField(null=True, blank=True)

    class Meta:
        constraints = [
            check("tournament_is_of_this_age", Q(created_at__gte=EARLIEST, created_at__lte=LATEST)),
            one_of("tournament_format_is_known", "format", Format),
            one_of("tournament_confirm_is_known", "confirm", Confirm),
            check("tournament_counts_hands_or_games", Q(hands=None) | Q(games=None)),
            check(
                "tournament_rounds_are_not_empty",
                (Q(hands=None) | Q(hands__gte=1)) & (Q(games=None) | Q(games__gte=1)),
            ),
            check(
                "tournament_plans_something",
                (Q(planned=None) | Q(planned__gte=1)) & (Q(minutes=None) | Q(minutes__gte=1)),
            ),
            one_of("tournament_ranked_by_is_known", "ranked_by", RankedBy),
            one_of("tournament_movement_is_known", "movement", Movement),
            one_of("tournament_leftover_is_known", "leftover", Leftover),
            one_of("tournament_rest_credit_is_known", "rest_credit", RestCredit),
            one_of("tournament_substitution_is_known", "substitution", Substitution),
            one_of("tournament_carry_over_is_known", "carry_over", CarryOver),
            check(
                "tournament_fixed_rest_has_points",
                Q(rest_credit="fixed", rest_points__isnull=False)
                | (~Q(rest_credit="fixed") & Q(rest_points=None)),
            ),
            check("tournament_has_places", Q(places=None) | Q(places__gte=1)),
            check(
                "tournament_stage_follows_another",
                Q(follows=None, carry_over="nothing")
                | (Q(follows__isnull=False) & ~Q(stage="") & ~Q(follows=F("pk"))),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournament", args=[self.pk])

    @property
    def log_keys(self) -> dict[str, Any]:
        """Return the keys of every log entry about this tournament: see ``audit_log.log``."""
        return {"club_id": self.club_id, "tournament": self.pk}

    @property
    def stage_name(self) -> str:
        """Return its name among the stages of its event."""
        return self.stage or gettext("Qualifying")

    @property
    def rules(self) -> AnyGame:
        return catalogue.GAMES[self.game]

    @property
    def table_mode(self) -> Mode:
        """Return the mode of its tables, unless a round sets another."""
        return self.rules.mode(self.mode, self.house_rules)

    @property
    def has_matches(self) -> bool:
        """Return whether two sides that stay together meet at a table, as match points need."""
        mode = self.table_mode
        return len(mode.sides) == 2 and (self.format == Format.TEAMS or mode.individual)

    @property
    def has_bracket(self) -> bool:
        """Return whether it is a single or double elimination."""
        return self.movement in {Movement.KNOCKOUT, Movement.DOUBLE_ELIMINATION}

    @property
    def carries_over(self) -> bool:
        """Return whether points of the stages before count in it."""
        return self.carry_over != CarryOver.NOTHING

    @property
    def house_rules(self) -> Options:
        """Return the stored house rules, without unknown ones and with defaults of new ones."""
        return self.rules.resume_options(self.options)

    def ranking(self, ranked_by: str) -> tuple[Criterion, ...]:
        """Return the criteria for ranking by *ranked_by*, with the tie-breaks of the game.

        The game's ``ranking`` compares entrants of one table; its ``across``, if it has that, those
        of several. For match points it is ``ranking``, which ``ranking_criteria`` puts after them.
        """
        game, options = self.rules, self.house_rules
        if game.across is not None and ranked_by in {RankedBy.POINTS, RankedBy.SHARE}:
            table_sizes_differ = ranked_by == RankedBy.SHARE
            return game.across(options, table_sizes_differ)
        everybody_plays_alone = game.mode(self.mode, options).individual
        partners_change = self.format == Format.PLAYERS and not everybody_plays_alone
        return game.ranking(options, partners_change)

    @property
    def resolved_orders(self) -> list[tuple[int, ...]]:
        """Return, of each tie resolved and not shared, the entrants, the best first."""
        return [
            tuple(resolution["order"])
            for resolution in self.tie_resolutions or ()
            if resolution["how"] != TieResolution.SHARE
        ]


class EntrantQuerySet(models.QuerySet["Entrant"]):
    def playing(self) -> "EntrantQuerySet":
        """Exclude the withdrawn and those on the reserve list."""
        return self.filter(withdrawn_at=None, reserve_since=None)

    def entered_by_seed(self) -> "EntrantQuerySet":
        """Exclude the reserve list; order by seed, then by entry."""
        entered = self.filter(reserve_since=None)
        return entered.order_by(F("seed").asc(nulls_last=True), "pk")

    def by_name(self) -> "EntrantQuerySet":
        """Order by name, with players and teams selected."""
        named = self.select_related("player", "team")
        return named.order_by("player__name_key", "team__name_key", "pk")

    def names(self) -> dict[int, str]:
        """Return {key: name} of the entrants, sorted by name."""
        return {entrant.pk: str(entrant) for entrant in self.by_name()}


class Entrant(WithUid):
    """A player or a team of a tournament, as the standing ranks it."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="entrants")
    player = models.ForeignKey(
        Player, models.PROTECT, null=True, blank=True, related_name="entrants"
    )
    team = models.ForeignKey(Team, models.PROTECT, null=True, blank=True, related_name="entrants")
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    expelled = models.BooleanField(default=False, db_default=False)  # withdrawn by the organiser
    reserve_since = models.DateTimeField(null=True, blank=True)  # on the reserve list
    seed = models.PositiveSmallIntegerField(null=True, blank=True)  # 1 is the strongest

    objects = EntrantQuerySet.as_manager()

    class Meta:
        constraints = [
            check("entrant_is_a_player_or_a_team", Q(player__isnull=True) ^ Q(team__isnull=True)),
            unique("entrant_player_once_a_tournament", "tournament", "player"),
            unique("entrant_team_once_a_tournament", "tournament", "team"),
            unique(
                "entrant_seed_once_a_tournament", "tournament", "seed", where=Q(seed__isnull=False)
            ),
            check("entrant_seeds_begin_at_one", Q(seed=None) | Q(seed__gte=1)),
            check("entrant_expelled_has_withdrawn", Q(expelled=False) | ~Q(withdrawn_at=None)),
            check("entrant_waits_or_has_withdrawn", Q(withdrawn_at=None) | Q(reserve_since=None)),
        ]

    def __str__(self) -> str:
        return str(self.player or self.team)

    def get_absolute_url(self) -> str:
        """Return the page of the player, or of the team."""
        if self.team_id:
            return reverse("team", args=[self.team_id])
        return reverse("player", args=[self.player_id])

    @property
    def has_place(self) -> bool:
        """Return whether they are neither withdrawn nor on the reserve list."""
        return self.withdrawn_at is None and self.reserve_since is None


class Origin(models.Model):
    """The club, season and nights of an imported tournament, as its file names them."""

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="origin")
    club = models.CharField(_("club"), max_length=80)
    season = models.CharField(_("season"), max_length=80, blank=True)
    nights = models.JSONField(default=list, blank=True)  # starting times as text
    imported_at = models.DateTimeField()

    class Meta:
        constraints = [check("origin_is_a_club", ~Q(club=""))]

    def __str__(self) -> str:
        return f"{self.tournament} of {self.club}"


class Upload(models.Model):
    """An uploaded tournament file before its import; one for each user."""

    user = models.OneToOneField(User, models.CASCADE, related_name="upload")
    club = models.ForeignKey(Club, models.CASCADE, related_name="uploads")
    content = models.BinaryField()  # the file, as it was sent
    # Where the published standings in the file differ from those computed from its hands.
    differences = models.JSONField(null=True, blank=True)
    uploaded_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{len(self.content)} bytes for {self.club}"


def first_stage(tournament: str) -> Coalesce:
    """Return the expression for the key of an event's first stage, so that an event counts once.

    *tournament* is the lookup path from a row to one of the stages, as ``entrants__tournament``.
    It goes back two stages at most, so it finds the first of an event of up to three stages.
    """
    return Coalesce(f"{tournament}__follows__follows", f"{tournament}__follows", tournament)
