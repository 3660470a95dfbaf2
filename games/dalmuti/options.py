"""Options: the house rules, and how many may sit down (R1)."""

from games.errors import ModeError, OptionError, gettext_noop
from games.mode import Mode, individuals
from games.option import Options, choice, flag, number

_FEWEST_SEATS = 3
_FEWEST_FOR_CHIPS = 4  # below that, last but one is second or last is third (D-12)
MOST_SEATS = 20

_MODES = tuple(map(individuals, range(_FEWEST_SEATS, MOST_SEATS + 1)))

OPTIONS = (
    choice(
        "dalmuti_points",
        gettext_noop("How are players compared?"),
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
    choice(
        "last_word",
        gettext_noop("What do you call whoever goes out last?"),
        default="peon",
        choices=(
            ("peon", gettext_noop("Peon")),
            ("slave", gettext_noop("Slave")),
            ("last", gettext_noop("Last")),
        ),
    ),
    flag("count_opening_draw", gettext_noop("Does the opening draw count, as if it were a game?")),
    choice(
        "draw_tie",
        gettext_noop("Two players draw the same card at the start: what then?"),
        default="again",
        choices=(
            ("again", gettext_noop("They draw again")),
            ("seat", gettext_noop("Whoever sits earlier comes first")),
        ),
    ),
    choice(
        "extra_cards",
        gettext_noop("The cards do not come out even: who gets one more?"),
        default="dalmuti_end",
        choices=(
            ("dalmuti_end", gettext_noop("Those who play first")),
            ("slave_end", gettext_noop("Those who play last")),
        ),
    ),
    flag(
        "sticky_skip",
        gettext_noop("Somebody passes: is that player out until the cards are cleared?"),
    ),
    number(
        "max_players",
        gettext_noop("How many players may sit at one table?"),
        default=10,
        least=10,
        most=MOST_SEATS,
    ),
)

LAST_WORDS = {
    "peon": gettext_noop("Peon"),
    "slave": gettext_noop("Slave"),
    "last": gettext_noop("Last"),
}


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
