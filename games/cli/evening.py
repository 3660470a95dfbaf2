"""Evening: a table in the terminal, hands one after another, taken back or written down."""

import argparse
import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from games.cli.screen import YOU, SeatNames, names_of
from games.cli.table_setup import (
    CommandError,
    TableSetup,
    add_budget,
    add_table,
    bot_names,
    bots_help,
    play_of,
)
from games.errors import gettext_noop
from games.game import AnyGame, FirstDealer
from games.play.playing import AnyPlay, Bot, Budget, Pack, Step, shuffled
from games.records.format import Record, write
from games.records.replayer import with_steps
from games.sheet import Scored, plain
from games.wording import AtSeat, Text


class HandInPlay:
    """A hand being played: every state so far, so that moves can be taken back."""

    def __init__(self, play: AnyPlay, session: Any, packs: Sequence[Pack], rng: Random) -> None:
        self.play = play
        self.packs = tuple(packs)
        self.state: Any = play.deal(session, packs)
        self.steps: list[Step] = []
        # As in ``play_hand``: what one bot rolls never changes what another does.
        self._dice = [Random(rng.getrandbits(64)) for _ in range(session.mode.seats)]
        self._rolled: list[list[Any]] = []

    @property
    def seat(self) -> int | None:
        """Return whose turn it is; ``None`` when the hand is over."""
        return self.play.seat_to_move(self.state)

    def view(self, seat: int) -> Any:
        return self.play.view(self.state, seat)

    def ask(self, bot: Bot, seat: int, budget: Budget) -> Any:
        """Return what this bot would do on this seat, with the seat's dice."""
        return bot(self.view(seat), self._dice[seat], budget)

    def make(self, seat: int, move: Any) -> None:
        """Make a move.

        :raises IllegalMoveError: if it is not allowed; then nothing has changed.
        """
        after = self.play.play(self.state, move)
        self._rolled.append([dice.getstate() for dice in self._dice])
        self.steps.append(Step(self.state, seat, move, after))
        self.state = after

    def take_back(self, seat: int) -> bool:
        """Go back to this seat's last move; say whether there was one to take back."""
        place = next(
            (at for at, step in reversed(list(enumerate(self.steps))) if step.seat == seat), None
        )
        if place is None:
            return False
        # With the dice as they were, the same moves are answered in the same way again.
        for dice, rolled in zip(self._dice, self._rolled[place], strict=True):
            dice.setstate(rolled)
        self.state = self.steps[place].before
        del self.steps[place:], self._rolled[place:]
        return True


class Evening:
    """A table for as long as people play there: the session, the marks so far, the log."""

    def __init__(
        self,
        setup: TableSetup,
        *,
        seed: int,
        sitting: tuple[str, ...],
        name: str = YOU,
        log: Path | None = None,
    ) -> None:
        self.game: AnyGame = setup.game
        self.play: AnyPlay = play_of(setup.game)
        self.mode = setup.mode
        self.session = setup.open_session()
        self.seed = seed
        self.sitting = sitting
        self.hands = 0
        self.sums: list[Counter[str]] = [Counter() for _ in range(setup.mode.seats)]
        self._rng = Random(seed)
        self._log = log
        self._record = Record(
            game=setup.game.slug,
            mode=setup.mode.code,
            options=setup.options,
            players=tuple(name if who == YOU else who for who in sitting),
            first_dealer=setup.dealer,
        )
        if log is not None:
            _append(log, "")  # so that a file that cannot be written is no surprise after a hand

    def deal(self) -> HandInPlay:
        """Deal the next hand; the same seed deals the same hands."""
        packs = shuffled(self.play, self.session, self._rng)
        return HandInPlay(self.play, self.session, packs, self._rng)

    def finish(self, hand: HandInPlay) -> Scored[Any]:
        """Score a hand that is over, and let the next one follow from it."""
        self.log_hand(hand)
        scored = self.game.add_sheet(self.session, self.play.fill_sheet(hand.state))
        for sums, marks in zip(self.sums, scored.marks or (), strict=False):
            sums.update(marks)
        self.hands += 1
        self.session = scored.session
        before = (*self._record.before, plain(scored.sheet))
        self._record = replace(self._record, before=before)
        return scored

    def log_hand(self, hand: HandInPlay) -> None:
        """Write the hand to the log, as far as it has come."""
        if self._log is None:
            return
        record = replace(self._record, dealer=self.session.dealer, packs=hand.packs)
        names = names_of(self.mode, self._record.players)
        remarks = [
            names.say(self.play.describe_move(step.before, step.move)) for step in hand.steps
        ]
        text = write(with_steps(record, self.play, hand.steps, hand.state), remarks=remarks)
        _append(self._log, f"{text}\n")


def _append(log: Path, text: str) -> None:
    try:
        with log.open("a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise CommandError(
            "file",
            gettext_noop("“%(file)s” cannot be written: %(why)s."),
            file=str(log),
            why=error.strerror,
        ) from error


def add_evening(parser: argparse.ArgumentParser, *, bots: str) -> None:
    """Add a command's arguments for a table and its players; *bots* is the help on who they are."""
    add_table(parser)
    parser.add_argument("--seed", type=int, default=None, metavar="N", help="deals the same again")
    parser.add_argument(
        "--bots", default="strong", metavar="NAME[,NAME...]", help=f"{bots_help(bots)} (strong)"
    )
    parser.add_argument("--log", type=Path, metavar="FILE", help="write every hand down there")
    add_budget(parser)


def read_bots(arguments: argparse.Namespace, setup: TableSetup) -> tuple[str, ...]:
    """Return the names of the bots that a command asks for."""
    return bot_names(arguments.bots, tuple(play_of(setup.game).bots))


def read_evening(
    arguments: argparse.Namespace, setup: TableSetup, arrived: tuple[str, ...]
) -> tuple[Evening, list[str]]:
    """Return the evening that a command asks for, and what those who *arrived* drew lots for.

    Without a seed in the command it is dealt by lot. Where the house rules have nobody draw,
    people sit as they arrived, and nothing is said of it; so it is with the first dealer.
    """
    seed = secrets.randbelow(10**6) if arguments.seed is None else arguments.seed
    sitting, sentences = arrived, []
    you = arrived.index(YOU) if YOU in arrived else None
    # Dice of its own: a seed deals the same hands, however people find their seats.
    dice = Random(f"seats {seed}")
    draw = setup.game.draw_seats and setup.game.draw_seats(setup.mode, setup.options, dice)
    if draw:
        sitting = tuple(arrived[place] for place in draw.places)
        seated = names_of(setup.mode, sitting, sitting.index(YOU) if YOU in sitting else None)
        # Everybody is called by the seat that the cut gives them, as from then on.
        called = tuple(seated.seats[draw.places.index(place)] for place in range(len(arrived)))
        sentences = [SeatNames(called, (), you).say(text) for text in draw.story]
        sentences.append(f"So it is {' against '.join(seated.sides)}.")
        you = seated.you
    if arguments.dealer is None and setup.game.first_dealer is FirstDealer.LOT:
        setup = replace(setup, dealer=Random(f"dealer {seed}").randrange(setup.mode.seats))
        by_lot = Text("%(who)s deals first, by lot.", {"who": AtSeat(setup.dealer)})
        sentences.append(names_of(setup.mode, sitting, you).say(by_lot))
    name = getattr(arguments, "name", None) or YOU
    evening = Evening(setup, seed=seed, sitting=sitting, name=name, log=arguments.log)
    return evening, sentences
