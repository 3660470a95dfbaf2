"""Who runs with whom, and what the house may settle (R1, R5, R6, R7)."""

from games.errors import gettext_noop
from games.mode import Mode, individuals, teams
from games.option import Options, choice, flag, number

MODES = (
    teams(4, 2, gettext_noop("four, hand in hand in pairs")),
    individuals(3, gettext_noop("three, each for themselves")),
)
OPTIONS = (
    flag("rain_doubles", gettext_noop("It rains on the dash: is it worth double?")),
    choice(
        "fallen",
        gettext_noop("Somebody drops the card: what then?"),
        default="nothing",
        choices=(
            ("nothing", gettext_noop("Pick it up and run on")),
            ("less", gettext_noop("One shell less")),
        ),
    ),
    number(
        "prize",
        gettext_noop("How many shells has the first?"),
        default=5,
        least=3,
        most=9,
    ),
)


def modes(_options: Options) -> tuple[Mode, ...]:
    """List the modes of R1."""
    return MODES
