"""``play``: a person at a keyboard, with bots on the other seats, hand after hand."""

import argparse
from collections.abc import Callable, Mapping
from itertools import cycle
from random import Random

from games.cli.evening import Evening, Hand, add_evening, read_bots, read_evening
from games.cli.rulebook import contents, look_up, rules_of
from games.cli.scoreboard import show_outcome, show_score
from games.cli.screen import Ink, Screen, names_of, stdout_screen
from games.cli.table_setup import positive, read_budget, read_setup
from games.cli.typed_moves import FEW, HELP, choices, meant, numbered
from games.errors import RuleError
from games.play.playing import Budget
from games.sheet_validation import seat

_YOU = "you"  # at the table; no bot is called so
INTERRUPTED = 130  # what a shell expects of a program that Ctrl-C ended


def add_play(parser: argparse.ArgumentParser) -> None:
    """Let ``play`` be told the table, who else sits there, and where the person does."""
    add_evening(parser, bots="who else plays, from the seat after yours on")
    parser.add_argument(
        "--seat", type=int, default=0, metavar="K", help="your seat (0), unless all draw for theirs"
    )
    parser.add_argument(
        "--hands", type=positive, metavar="N", help="how many hands; without it, until you leave"
    )


def run_play(arguments: argparse.Namespace) -> int:
    """Play with a person at the keyboard."""
    setup = read_setup(arguments)
    mode = setup.mode
    own = seat(arguments.seat, range(mode.seats), question="seat")
    bots = cycle(read_bots(arguments, setup))
    others = {mode.after(own, step): next(bots) for step in range(1, mode.seats)}
    arrived = tuple(others.get(place, _YOU) for place in range(mode.seats))
    evening, draw = read_evening(arguments, setup, arrived)
    screen = stdout_screen()
    screen.say(f"Dealt by --seed {evening.seed}. “help” says what to type.", Ink.FAINT)
    screen.say_all(draw)
    person = Person(
        evening,
        budget=read_budget(arguments),
        screen=screen,
        read=input,
    )
    return person.play(arguments.hands)


class _LeavesError(Exception):
    """The person gets up from the table; ``code`` is the command's exit code."""

    def __init__(self, code: int) -> None:
        super().__init__()
        self.code = code


class Person:
    """A person, who sits with bots as “you”: shows what they see, and does what they type.

    ``read`` asks for a line, as ``input`` does, and raises ``EOFError`` when there are no more.
    """

    def __init__(
        self,
        evening: Evening,
        *,
        budget: Budget,
        screen: Screen,
        read: Callable[[str], str],
    ) -> None:
        self._evening = evening
        self._play = evening.play
        self._seat = evening.sitting.index(_YOU)
        self._budget = budget
        self._screen = screen
        self._read = read
        self._names = names_of(evening.mode, evening.sitting)

    def play(self, hands: int | None) -> int:
        """Play so many hands, or as many as the person likes; return the command's exit code."""
        try:
            while hands is None or self._evening.hands < hands:
                self._one_hand()
                if hands is None:
                    self._wait()
        except _LeavesError as leaving:
            return self._goodbye(leaving.code)
        except KeyboardInterrupt:
            return self._goodbye(INTERRUPTED)
        return 0

    def _goodbye(self, code: int) -> int:
        self._screen.say()
        self._screen.say("You leave the table. Thank you for playing.", Ink.FAINT)
        if self._evening.hands:
            show_score(self._screen, self._names, self._evening)
        return code

    def _one_hand(self) -> None:
        evening = self._evening
        before = evening.session
        numbered_hand = evening.game.unit.numbered % {"number": evening.hands + 1}
        self._screen.say()
        self._screen.say(f"{evening.game.name} · {evening.mode.name} · {numbered_hand}", Ink.TITLE)
        hand = evening.deal()
        try:
            while (seat := hand.seat) is not None:
                if seat == self._seat:
                    self._turn(hand)
                else:
                    bot = self._play.bots[evening.sitting[seat]]
                    self._make(hand, seat, hand.ask(bot, seat, self._budget))
        except (_LeavesError, KeyboardInterrupt):
            if hand.steps:
                evening.log_hand(hand)
            raise
        show_outcome(self._screen, self._names, evening, evening.finish(hand), before)

    def _turn(self, hand: Hand) -> None:
        """Show the table, and do what is typed until the person has moved."""
        self._view(hand)
        here = hand.state
        while hand.state is here:
            self._obey(self._typed("> "), hand)

    def _obey(self, typed: str, hand: Hand | None) -> None:
        """Do what is typed: a command, or, in a hand, a move."""
        word, _, rest = typed.lower().partition(" ")
        if word in {"quit", "exit", "q"}:
            raise _LeavesError(0)
        if word == "rules":
            self._rules(rest)
        elif word in _ANYWHERE:
            _ANYWHERE[word](self)
        elif hand is None:
            self._screen.say("There is nothing to play now: Enter deals the next one.", Ink.WRONG)
        elif command := _IN_A_HAND.get(typed.lower()):
            command(self, hand)
        else:
            self._move(hand, typed)

    def _move(self, hand: Hand, typed: str) -> None:
        try:
            move = meant(typed, self._play, hand.state, hand.view(self._seat).legal)
        except RuleError as refusal:
            reason = self._names.say(refusal)
            self._screen.say(f"{reason} (“help” says what to type.)", Ink.WRONG)
        else:
            self._make(hand, self._seat, move)

    def _make(self, hand: Hand, seat: int, move: object) -> None:
        sentence = self._names.say(self._play.describe_move(hand.state, move))
        hand.make(seat, move)
        self._screen.say(sentence, Ink.STRONG if seat == self._seat else None)

    def _view(self, hand: Hand) -> None:
        view = hand.view(self._seat)
        self._screen.say()
        self._screen.say_all(map(self._names.say, self._play.describe(view)))
        codes = self._codes(hand)
        self._screen.show_words(choices(codes))
        if len(codes) > FEW:
            self._screen.say(f"  (“moves” lists all {len(codes)})", Ink.FAINT)

    def _moves(self, hand: Hand) -> None:
        self._screen.show_words(numbered(self._codes(hand)))

    def _hint(self, hand: Hand) -> None:
        *_, last = bots = self._play.bots
        name = "strong" if "strong" in bots else last
        # Dice of its own: who asks for a hint changes nothing of what follows.
        move = bots[name](hand.view(self._seat), Random(len(hand.steps)), self._budget)
        self._screen.say(f"The {name} bot would say: {self._play.move_code(move)}", Ink.GOOD)

    def _undo(self, hand: Hand) -> None:
        if hand.take_back(self._seat):
            self._screen.say("Taken back.", Ink.GOOD)
        else:
            self._screen.say("You have made no move in this hand yet.", Ink.WRONG)

    def _codes(self, hand: Hand) -> list[str]:
        return [self._play.move_code(move) for move in hand.view(self._seat).legal]

    def _help(self) -> None:
        self._screen.say_all(HELP)

    def _score(self) -> None:
        show_score(self._screen, self._names, self._evening)

    def _rules(self, wanted: str) -> None:
        text = rules_of(self._evening.game.slug)
        if not wanted.strip():
            self._screen.say("The rules have these sections (“rules play” shows the one of play):")
            self._screen.say_all(f"  {title}" for title in contents(text))
        elif lines := look_up(text, wanted):
            self._screen.say_all(lines)
        else:
            self._screen.say(f"The rules have nothing under “{wanted}”.", Ink.WRONG)

    def _wait(self) -> None:
        """Let the person read, and say when to go on."""
        while typed := self._typed("\nEnter deals the next one; score, rules, help, quit. "):
            self._obey(typed, None)

    def _typed(self, prompt: str) -> str:
        self._screen.flush()
        try:
            return " ".join(self._read(prompt).split())
        except EOFError:
            raise _LeavesError(0) from None


_ANYWHERE: Mapping[str, Callable[[Person], None]] = {
    "help": Person._help,  # noqa: SLF001 - the table of its own methods
    "?": Person._help,  # noqa: SLF001
    "score": Person._score,  # noqa: SLF001
}
_IN_A_HAND: Mapping[str, Callable[[Person, Hand], None]] = {
    "": Person._view,  # noqa: SLF001
    "view": Person._view,  # noqa: SLF001
    "moves": Person._moves,  # noqa: SLF001
    "hint": Person._hint,  # noqa: SLF001
    "undo": Person._undo,  # noqa: SLF001
}
