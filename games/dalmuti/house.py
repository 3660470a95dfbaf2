"""House rules, how many may sit down, and how players are ranked."""

from math import lcm

from games.errors import ModeError, OptionError, gettext_noop
from games.game import Kind, Option, Options
from games.mode import Mode, individuals
from games.sheet import Criterion, Mark, Scope, criterion

_FEWEST_SEATS = 3
_FEWEST_FOR_CHIPS = 4  # below that, last but one is second or last is third (D-12)
_MOST_SEATS = 20
# A share of the opponents is a whole number of these, however many they are.
SHARE = lcm(*range(1, _MOST_SEATS))

_MODES = tuple(
    individuals(seats, name)
    for seats, name in enumerate(
        (
            gettext_noop("three, each alone"),
            gettext_noop("four, each alone"),
            gettext_noop("five, each alone"),
            gettext_noop("six, each alone"),
            gettext_noop("seven, each alone"),
            gettext_noop("eight, each alone"),
            gettext_noop("nine, each alone"),
            gettext_noop("ten, each alone"),
            gettext_noop("eleven, each alone"),
            gettext_noop("twelve, each alone"),
            gettext_noop("thirteen, each alone"),
            gettext_noop("fourteen, each alone"),
            gettext_noop("fifteen, each alone"),
            gettext_noop("sixteen, each alone"),
            gettext_noop("seventeen, each alone"),
            gettext_noop("eighteen, each alone"),
            gettext_noop("nineteen, each alone"),
            gettext_noop("twenty, each alone"),
        ),
        start=_FEWEST_SEATS,
    )
)

OPTIONS = (
    Option(
        name="dalmuti_points",
        label=gettext_noop("How are players compared?"),
        kind=Kind.CHOICE,
        default="status",
        choices=(
            (
                "status",
                gettext_noop(
                    "At one table by how often they were Dalmuti, then how seldom last; "
                    "at several by a point for everybody who went out after you"
                ),
            ),
            ("descending", gettext_noop("A point for everybody who went out after you")),
            ("rank", gettext_noop("A point for everybody who went out before you; fewest wins")),
            ("chips", gettext_noop("Chips: 4 for first, 3, then 2 each, last but one 1, last 0")),
        ),
    ),
    Option(
        name="last_word",
        label=gettext_noop("What do you call whoever goes out last?"),
        kind=Kind.CHOICE,
        default="peon",
        choices=(
            ("peon", gettext_noop("Peon")),
            ("slave", gettext_noop("Slave")),
            ("last", gettext_noop("Last")),
        ),
    ),
    Option(
        name="count_opening_draw",
        label=gettext_noop("Does the opening draw count, as if it were a game?"),
        kind=Kind.FLAG,
        default=False,
    ),
    Option(
        name="draw_tie",
        label=gettext_noop("Two players draw the same card for their first place: what then?"),
        kind=Kind.CHOICE,
        default="again",
        choices=(
            ("again", gettext_noop("They draw again")),
            ("seat", gettext_noop("Whoever sits earlier comes first")),
        ),
    ),
    Option(
        name="extra_cards",
        label=gettext_noop("The cards do not come out even: who gets one more?"),
        kind=Kind.CHOICE,
        default="dalmuti_end",
        choices=(
            ("dalmuti_end", gettext_noop("Those who play first")),
            ("slave_end", gettext_noop("Those who play last")),
        ),
    ),
    Option(
        name="sticky_skip",
        label=gettext_noop("Somebody skips: is that player out until the cards are cleared?"),
        kind=Kind.FLAG,
        default=False,
    ),
    Option(
        name="max_players",
        label=gettext_noop("How many players may sit at one table?"),
        kind=Kind.NUMBER,
        default=10,
        choices=((10, "10"), (_MOST_SEATS, str(_MOST_SEATS))),
    ),
)

LAST_WORDS = {
    "peon": gettext_noop("Peon"),
    "slave": gettext_noop("Slave"),
    "last": gettext_noop("Last"),
}

MARKS = (
    Mark("dalmuti", gettext_noop("Dalmuti"), Scope.SEAT),
    Mark("trader", gettext_noop("Trader"), Scope.SEAT),
    Mark("slave", gettext_noop("Peon"), Scope.SEAT),
    Mark("place", gettext_noop("Places added up"), Scope.SEAT),
    Mark("points", gettext_noop("Points"), Scope.SEAT),
    # The place less the place of the game before: all of a sitting's add up to the last place.
    Mark("latest", gettext_noop("Last game"), Scope.SEAT, anew="place"),
    # The share of the others who went out later; a sum of such shares is divided by the games.
    Mark("share", gettext_noop("Beaten"), Scope.SEAT, parts=SHARE),
    Mark("shares", gettext_noop("Games"), Scope.SEAT),
)


def modes(options: Options) -> tuple[Mode, ...]:
    """Return from three players to as many as the house seats (R1), four or more for chips."""
    fewest = _FEWEST_FOR_CHIPS if options["dalmuti_points"] == "chips" else _FEWEST_SEATS
    return tuple(mode for mode in _MODES if fewest <= mode.seats <= int(options["max_players"]))


def check_table(mode: Mode, options: Options) -> None:
    """Refuse a table of a size that the house rules cannot seat.

    :raises OptionError: if three would play for chips (D-12).
    :raises ModeError: if there are too few or too many players (R1).
    """
    if options["dalmuti_points"] == "chips" and mode.seats == _FEWEST_SEATS:
        raise OptionError(
            "chips-three",
            gettext_noop("Chips need at least %(least)d players at the table."),
            least=_FEWEST_FOR_CHIPS,
        )
    if mode not in modes(options):
        raise ModeError(
            "table-size",
            gettext_noop("%(least)d to %(most)d players can sit at one table, not %(seats)d."),
            least=_FEWEST_SEATS,
            most=options["max_players"],
            seats=mode.seats,
        )


def points(place: int, seats: int, system: str) -> int:
    """Return what going out in this place, from 1, is worth (D-12).

    >>> [points(place, 5, "chips") for place in range(1, 6)]
    [4, 3, 2, 1, 0]
    >>> [points(place, 4, "status") for place in range(1, 5)]
    [3, 2, 1, 0]
    """
    match system:
        case "rank":
            return place - 1
        case "chips":
            return {1: 4, 2: 3, seats - 1: 1, seats: 0}.get(place, 2)
        case _:
            return seats - place


def share(place: int, seats: int) -> int:
    """Return what share of the others went out after this place, in parts of ``SHARE``.

    >>> [share(place, 5) * 4 // SHARE for place in range(1, 6)]
    [4, 3, 2, 1, 0]
    """
    return (seats - place) * SHARE // (seats - 1)


def ranking(options: Options, changing_partners: bool) -> tuple[Criterion, ...]:  # noqa: ARG001 - nobody has a partner here
    """Return what decides the standing, the most important first (D-12)."""
    statuses = _statuses(options)
    system = options["dalmuti_points"]
    return statuses if system == "status" else (_points(system), *statuses)


def across(options: Options, unequal: bool) -> tuple[Criterion, ...]:
    """Return what decides where several tables play: points, or a share where sizes differ.

    Chips stay chips: they do not grow with the table.
    """
    system = options["dalmuti_points"]
    if unequal and system != "chips":
        return (_SHARE, *_statuses(options))
    return (_points(system), *_statuses(options))


def columns(options: Options) -> tuple[Criterion, ...]:
    """Return what a standing shows of each player."""
    system = options["dalmuti_points"]
    return (
        _points(system),
        criterion("dalmuti", gettext_noop("Dalmuti")),
        criterion("trader", gettext_noop("Trader")),
        criterion("slave", _last_word(options)),
        *((_SHARE,) if system != "chips" else ()),  # chips do not say how many were beaten
    )


def _points(system: object) -> Criterion:
    if system == "chips":
        return criterion("points", gettext_noop("Chips"))
    return criterion("points", gettext_noop("Points"), fewest=system == "rank")


def _statuses(options: Options) -> tuple[Criterion, ...]:
    return (
        criterion("dalmuti", gettext_noop("Dalmuti")),
        criterion("slave", _last_word(options), fewest=True),
        criterion("latest", gettext_noop("Last game"), fewest=True),
    )


def _last_word(options: Options) -> str:
    return LAST_WORDS[str(options["last_word"])]


_SHARE = Criterion(
    key="share",
    label=gettext_noop("Beaten"),
    terms=(("share", 1),),
    per=("shares",),
    parts=SHARE,
    percent=True,
)
