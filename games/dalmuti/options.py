"""Options: the house rules, and how many may sit down (R1)."""

from games.errors import ModeError, OptionError, gettext_noop
from games.mode import Mode, individuals
from games.option import Option, OptionKind, Options

_FEWEST_SEATS = 3
_FEWEST_FOR_CHIPS = 4  # below that, last but one is second or last is third (D-12)
MOST_SEATS = 20

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
        kind=OptionKind.CHOICE,
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
        kind=OptionKind.CHOICE,
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
        kind=OptionKind.FLAG,
        default=False,
    ),
    Option(
        name="draw_tie",
        label=gettext_noop("Two players draw the same card at the start: what then?"),
        kind=OptionKind.CHOICE,
        default="again",
        choices=(
            ("again", gettext_noop("They draw again")),
            ("seat", gettext_noop("Whoever sits earlier comes first")),
        ),
    ),
    Option(
        name="extra_cards",
        label=gettext_noop("The cards do not come out even: who gets one more?"),
        kind=OptionKind.CHOICE,
        default="dalmuti_end",
        choices=(
            ("dalmuti_end", gettext_noop("Those who play first")),
            ("slave_end", gettext_noop("Those who play last")),
        ),
    ),
    Option(
        name="sticky_skip",
        label=gettext_noop("Somebody passes: is that player out until the cards are cleared?"),
        kind=OptionKind.FLAG,
        default=False,
    ),
    Option(
        name="max_players",
        label=gettext_noop("How many players may sit at one table?"),
        kind=OptionKind.NUMBER,
        default=10,
        choices=((10, "10"), (MOST_SEATS, str(MOST_SEATS))),
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
