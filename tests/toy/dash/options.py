"""Who runs with whom, and what the house may settle (R1, R5, R6, R7)."""

from games.errors import gettext_noop
from games.mode import Mode, individuals, teams
from games.option import Option, OptionKind, Options

MODES = (
    teams(4, 2, gettext_noop("four, hand in hand in pairs")),
    individuals(3, gettext_noop("three, each for themselves")),
)
OPTIONS = (
    Option(
        name="rain_doubles",
        label=gettext_noop("It rains on the dash: is it worth double?"),
        kind=OptionKind.FLAG,
        default=False,
    ),
    Option(
        name="fallen",
        label=gettext_noop("Somebody drops the card: what then?"),
        kind=OptionKind.CHOICE,
        default="nothing",
        choices=(
            ("nothing", gettext_noop("Pick it up and run on")),
            ("less", gettext_noop("One shell less")),
        ),
    ),
    Option(
        name="prize",
        label=gettext_noop("How many shells has the first?"),
        kind=OptionKind.NUMBER,
        default=5,
        choices=((3, ""), (9, "")),
    ),
)


def modes(_options: Options) -> tuple[Mode, ...]:
    """List the modes of R1."""
    return MODES
