"""Table setup: which game a command asks for, in which mode, under which house rules."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from games import catalogue
from games.errors import ModeError, RuleError, gettext_noop
from games.game import AnyGame
from games.mode import Mode, listed_modes
from games.option import OptionKind, Options, OptionValue
from games.play.playing import AnyPlay, Budget

_TRUTHS: dict[str, OptionValue] = {
    **dict.fromkeys(("true", "yes", "on", "1"), True),
    **dict.fromkeys(("false", "no", "off", "0"), False),
}


_REQUIRED = "the following arguments are required: "  # how argparse begins to say it


class CommandError(RuleError):
    """A command that cannot be understood, or a file that cannot be read."""


@dataclass(frozen=True, slots=True)
class TableSetup:
    """A table as a command asks for it."""

    game: AnyGame
    mode: Mode
    options: Options
    dealer: int

    def open_session(self) -> Any:
        """Return the session of people who have just sat down there."""
        return self.game.open_session(
            self.mode, self.options, self.dealer, (None,) * self.mode.seats
        )


def play_of(game: AnyGame) -> AnyPlay:
    """Return how a game is played.

    :raises CommandError: if it is only scored.
    """
    if game.play is None:
        raise CommandError(
            "not-played",
            gettext_noop("%(game)s is not played here: use score for its sheets."),
            game=game.name,
        )
    return game.play


class Parser(argparse.ArgumentParser):
    """Reads a command, and raises what is wrong with it instead of ending the program."""

    def error(self, message: str) -> NoReturn:
        match message.removeprefix(_REQUIRED):
            case "GAME":
                raise CommandError(
                    "usage",
                    gettext_noop("Name a game, as in %(command)s %(usual)s. There are: %(known)s."),
                    command=self.prog,
                    usual=next(iter(catalogue.GAMES)),
                    known=", ".join(catalogue.GAMES),
                )
            case "FILE":
                raise CommandError(
                    "usage",
                    gettext_noop(
                        "Say which file the hands are in, as in %(command)s evening.txt: one that "
                        "play or watch has written with --log, or - for what comes in."
                    ),
                    command=self.prog,
                )
            case _:
                raise CommandError("usage", "%(message)s", message=message)


def add_table(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that describe a table."""
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--mode", help="who plays with whom, such as 4t2")
    parser.add_argument("--dealer", type=int, default=None, metavar="N", help="first dealer’s seat")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="a house rule"
    )


def bots_help(who: str) -> str:
    """Return the help on ``--bots``: *who* they are, and all names, a game's own with its slug."""
    own = "".join(
        f"; {game.slug} also {', '.join(game.play.styles)}"
        for game in catalogue.GAMES.values()
        if game.play and game.play.styles
    )
    return f"{who}: beginner, steady or strong{own}"


def add_budget(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for how long a bot may think about a move."""
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--time", type=seconds, metavar="S", help="seconds a bot may think")
    either.add_argument("--iterations", type=positive, metavar="N", help="worlds a bot may look at")


def positive(text: str) -> int:
    """Read a whole number from 1 on."""
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and int(text)):
        raise argparse.ArgumentTypeError(f"“{text}” is no whole number from 1 on")
    return int(text)


def seconds(text: str) -> float:
    """Read a time that is more than none."""
    try:
        time = float(text)
    except ValueError:
        time = 0
    if not 0 < time < 3600:  # which refuses what is no number at all, too
        raise argparse.ArgumentTypeError(f"“{text}” is no number of seconds")
    return time


def read_setup(arguments: argparse.Namespace) -> TableSetup:
    """Return the table that a command asks for.

    :raises RuleError: if there is no such game, mode, house rule or seat.
    """
    game = read_game(arguments.game)
    options = game.complete_options(dict(_option(game, given) for given in arguments.option))
    mode = _mode(game, arguments.mode, options)
    return TableSetup(game, mode, options, read_seat(arguments.dealer or 0, mode))


def read_game(slug: str) -> AnyGame:
    """Return the game of this name.

    :raises CommandError: ``game-unknown``, if there is none.
    """
    if slug not in catalogue.GAMES:
        raise CommandError(
            "game-unknown",
            gettext_noop("There is no game “%(game)s” here. There are: %(known)s."),
            game=slug,
            known=", ".join(catalogue.GAMES),
        )
    return catalogue.GAMES[slug]


def read_seat(number: int, mode: Mode) -> int:
    """Return a seat of this table.

    :raises CommandError: ``seat-unknown``, if there is none of that number.
    """
    if number not in range(mode.seats):
        raise CommandError(
            "seat-unknown",
            gettext_noop("There is no seat %(seat)d here: the seats are 0 to %(last)d."),
            seat=number,
            last=mode.seats - 1,
        )
    return number


def read_budget(arguments: argparse.Namespace) -> Budget:
    """Return how long bots may think; as long as they like by default."""
    return Budget(iterations=arguments.iterations, seconds=arguments.time)


def bot_names(given: str, known: Sequence[str]) -> tuple[str, ...]:
    """Return the names of bots as they are listed in a command.

    :raises CommandError: if there is no bot of such a name.
    """
    names = tuple(name.strip() for name in given.split(","))
    for name in names:
        if name not in known:
            raise CommandError(
                "bot-unknown",
                gettext_noop("There is no bot “%(bot)s” for this game. There are: %(known)s."),
                bot=name,
                known=", ".join(known),
            )
    return names


def unreadable(source: str, error: OSError | UnicodeDecodeError) -> CommandError:
    """Return the refusal of a file that cannot be read."""
    return CommandError(
        "file",
        gettext_noop("“%(file)s” cannot be read: %(why)s."),
        file=source,
        why=(isinstance(error, OSError) and error.strerror) or "it is not a text in UTF-8",
    )


def _mode(game: AnyGame, code: str | None, options: Options) -> Mode:
    """Return the mode of this code; refuse it with the best reason there is.

    :raises RuleError: what the game itself says, where it is a mode under other house rules.
    """
    if code is None:
        raise CommandError(
            "mode-missing",
            gettext_noop(
                "Say who plays with whom, as in --mode %(usual)s. %(game)s has: %(known)s."
            ),
            usual=game.modes(options)[0].code,
            game=game.name,
            known=listed_modes(game.modes(options)),
        )
    try:
        return game.mode(code, options)
    except ModeError:
        for mode in game.all_modes():
            if mode.code == code:
                game.open_session(mode, options, 0, (None,) * mode.seats)
        raise


def _option(game: AnyGame, given: str) -> tuple[str, OptionValue]:
    name, equals, text = given.partition("=")
    if not equals:
        raise CommandError(
            "option-shape",
            gettext_noop("Write a house rule as NAME=VALUE, not “%(given)s”."),
            given=given,
        )
    # What means nothing to the house rule is left as it is, to be refused.
    value: OptionValue = text
    for option in game.options:
        if option.name == name and option.kind is OptionKind.FLAG:
            value = _TRUTHS.get(text.lower(), text)
        elif option.name == name and option.kind is OptionKind.CHOICE:
            value = {str(value): value for value, _ in option.choices}.get(text, text)
        elif option.name == name and text.isdecimal() and len(text) < 10:
            value = int(text)
    return name, value
