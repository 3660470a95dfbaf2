"""Options: the sides at a table, the house rules, and what a side must reach (R3)."""

from games.counting import FILL_LAST_SIDE
from games.errors import gettext_noop
from games.mode import Mode, individuals, teams
from games.option import Options, choice, flag

_USUAL = (
    individuals(2),
    individuals(3),
    teams(4, 2, gettext_noop("four in two pairs")),
    individuals(4),
    individuals(5),
    teams(6, 2, gettext_noop("six in three pairs")),
    teams(6, 3, gettext_noop("six in two teams of three")),
)
_SIX_ALONE = individuals(6)

OPTIONS = (
    flag("allow_6i", gettext_noop("May six players each play alone?")),
    choice(
        "partners",
        gettext_noop("How are partners found?"),
        default="seated",
        choices=(
            ("seated", gettext_noop("As they are seated")),
            ("cut", gettext_noop("By a cut: the highest cards against the lowest")),
        ),
    ),
    FILL_LAST_SIDE,
)


def modes(options: Options) -> tuple[Mode, ...]:
    """List the modes of R3: four may play alone (A-2), six where the house allows it (A-1)."""
    return (*_USUAL, _SIX_ALONE) if options.get("allow_6i") else _USUAL


def threshold(mode: Mode) -> int:
    """Return what every side must have eaten for the winner to get only 1 point (R3, A-11)."""
    return 10 * len(mode.sides[0])


def leaves_a_card(mode: Mode) -> bool:
    """Say whether the face-up card is never drawn: with five, and only then (A-8)."""
    return mode.seats == 5
