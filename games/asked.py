"""A table as somebody asks for it, before anybody has sat down there."""

from dataclasses import dataclass
from typing import Any

from games.errors import RuleError, gettext_noop
from games.game import AnyGame, Options
from games.mode import Mode
from games.playing import AnyPlay


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


def played(game: AnyGame) -> AnyPlay:
    """Return how a game is played.

    :raises CommandError: if it is only scored.
    """
    if game.play is None:
        raise CommandError(
            "not-played",
            gettext_noop("%(game)s is only scored here, and not played."),
            game=game.name,
        )
    return game.play
