"""What holds in every hand of every game that is played here, in any mode and house.

A game is held to it as soon as it has ``play``. Of its own it brings two functions in
``tests.games.<slug>.table``: ``all_cards(state)``, the codes of every card there is,
sorted, and ``hidden_elsewhere(state, seat, rng)``, a state that differs only in what
this seat cannot know.
"""

import importlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import cycle, islice
from random import Random
from time import process_time
from typing import Any

import pytest

from games.game import AnyGame
from games.mode import Mode
from games.option import Options
from games.play.playing import AnyPlay, Bot, Budget, IllegalMoveError, Pack, play_hand, shuffled
from tests.drilled import FULL
from tests.games.hands import PLAYED as GAMES, play_of
from tests.games.test_every_game import shown

pytestmark = pytest.mark.every_game
SEEDS = range(25 if FULL else 3)
QUICK = Budget(iterations=2)
_LOOKS = 4  # states of a hand that are looked at closely, beside the last
_WRONG = 60  # moves tried where they are not legal


TABLES = [(slug, mode) for slug, game in GAMES.items() for mode in game.all_modes()]
every_game = pytest.mark.parametrize("slug", GAMES)
every_table = pytest.mark.parametrize(
    ("slug", "mode"), [pytest.param(slug, mode, id=f"{slug}-{mode.code}") for slug, mode in TABLES]
)
# For what takes longer: tables up to eight, and the largest.
every_size = pytest.mark.parametrize(
    ("slug", "mode"),
    [
        pytest.param(slug, mode, id=f"{slug}-{mode.code}")
        for slug, mode in TABLES
        if mode.seats <= 8 or mode.seats == 20
    ],
)


def own(slug: str, name: str) -> Callable[..., Any]:
    """Return a function that the tests of this game bring along."""
    function: Callable[..., Any] = getattr(
        importlib.import_module(f"tests.games.{slug}.table"), name
    )
    return function


@dataclass(frozen=True)
class Hand:
    """A hand of random moves: its states, and the move made in each but the last."""

    session: Any
    packs: tuple[Pack, ...]
    states: list[Any]
    moves: list[Any]

    def some(self) -> list[Any]:
        """Return the last state, and a few of those before it."""
        return [*Random(len(self.moves)).choices(self.states, k=_LOOKS), self.states[-1]]


@cache
def hands(slug: str, mode: Mode) -> list[Hand]:
    """Play in houses by lot: a table's first hand, its second and so on, each at a new table."""
    game, played_hands = GAMES[slug], []
    for seed in SEEDS:
        rng = Random(f"{slug} {mode.code} {seed}")
        options = house(game, mode, TABLES.index((slug, mode)) + seed * len(TABLES))
        dealer = rng.randrange(mode.seats)
        session = game.open_session(mode, options, dealer, (None,) * mode.seats)
        hand = random_hand(play_of(game), session, rng)
        for _ in range(seed):
            sheet = play_of(game).fill_sheet(hand.states[-1])
            hand = random_hand(play_of(game), game.add_sheet(hand.session, sheet).session, rng)
        played_hands.append(hand)
    return played_hands


def house(game: AnyGame, mode: Mode, number: int) -> Options:
    """Return house rules that offer this mode: of every question, one answer after another.

    Each question goes through its answers in an order of its own.
    """
    while True:
        options = {}
        for option in game.options:
            among = option.values
            turn, place = divmod(number, len(among))
            order = Random(f"{option.name} {turn}").sample(among, len(among))
            options[option.name] = order[place]
        if mode in game.modes(options):
            return options
        number += 1


def random_hand(play: AnyPlay, session: Any, rng: Random) -> Hand:
    """Play by lot, first of what kind the move is: the many of one kind do not drown the few."""
    packs = shuffled(play, session, rng)
    states, moves = [play.deal(session, packs)], []
    while legal := play.legal_moves(states[-1]):
        kind = rng.choice(sorted({type(move).__name__ for move in legal}))
        moves.append(rng.choice([move for move in legal if type(move).__name__ == kind]))
        states.append(play.play(states[-1], moves[-1]))
    return Hand(session, packs, states, moves)


@every_game
def test_every_answer_to_every_house_rule_is_play_of(slug: str) -> None:
    game = GAMES[slug]
    tables = [hand for each, mode in TABLES if each == slug for hand in hands(slug, mode)]
    for option in game.options:
        assert {hand.session.options[option.name] for hand in tables} >= {*option.values}


@every_table
def test_e5_no_card_is_lost_and_somebody_can_move_until_the_end(slug: str, mode: Mode) -> None:
    play, all_cards = play_of(GAMES[slug]), own(slug, "all_cards")
    for hand in hands(slug, mode):
        pack = sorted(play.pack(hand.session))
        for state in hand.states:
            assert all_cards(state) == pack
        for state in hand.states[:-1]:
            assert play.seat_to_move(state) in range(mode.seats)
        assert play.seat_to_move(hand.states[-1]) is None
        for state in hand.some():
            legal = play.legal_moves(state)
            assert len(set(legal)) == len(legal)


@every_table
def test_the_sheet_of_any_hand_is_accepted_as_it_is(slug: str, mode: Mode) -> None:
    for hand in hands(slug, mode):
        sheet = play_of(GAMES[slug]).fill_sheet(hand.states[-1])
        scored = GAMES[slug].add_sheet(hand.session, sheet)
        assert scored.warnings == ()
        assert {name: scored.sheet[name] for name in sheet} == sheet
        assert scored.marks is not None
        assert len(scored.marks) == mode.seats


@every_table
def test_a_hand_follows_from_its_packs_and_its_written_moves(slug: str, mode: Mode) -> None:
    play = play_of(GAMES[slug])
    for hand in hands(slug, mode):
        state = play.deal(hand.session, hand.packs)
        for move in hand.moves:
            code = play.move_code(move)
            assert not set(code) & set(" \n\t")
            assert play.parse_move(code) == move
            state = play.play(state, play.parse_move(code))
        assert state == hand.states[-1]


@every_table
def test_whatever_is_not_legal_is_refused_in_words_and_changes_nothing(
    slug: str, mode: Mode
) -> None:
    play = play_of(GAMES[slug])
    for hand in hands(slug, mode):
        somewhere = {move for state in hand.some() for move in play.legal_moves(state)}
        tried = sorted({*somewhere, *hand.moves}, key=play.move_code)
        tried = Random(len(tried)).sample(tried, min(_WRONG, len(tried)))
        for state in hand.some():
            legal, before = play.legal_moves(state), repr(state)
            for move in tried:
                if move not in legal:
                    assert refused(play, state, move)
            assert repr(state) == before


NO_MOVES = {
    "albastini": ["", "PASS", "bid:", "bid:2H", "bid:7h", "10S", "7H ", "play"],
    "briscola": ["", "SWAP7", "swap", "swap3", "8B", "13C", "1b", "7H ", "play"],
    "dalmuti": ["", "SKIP", "7", "x7", "5x", "0x7", "05x7", "5x7 ", "5 x 7", "٣x7"],
    "mambassa": ["", "knocks", "draw:", "draw:8D", "swap:1D", "swap:1D,1D/2S,3S", "swap:/"],
}


@every_game
def test_e1_e2_e3_e4_a_text_that_is_no_move_is_refused(slug: str) -> None:
    for text in NO_MOVES.get(slug, ["", "no move"]):
        with pytest.raises(IllegalMoveError) as refusal:
            play_of(GAMES[slug]).parse_move(text)
        assert (text, refusal.value.code) == (text, "not-a-move")


def refused(play: AnyPlay, state: Any, move: Any) -> bool:
    """Say whether this move is refused in a sentence."""
    with pytest.raises(IllegalMoveError) as refusal:
        play.play(state, move)
    return bool(refusal.value.code) and str(refusal.value).endswith((".", "?"))


@every_table
def test_a_view_has_ones_own_moves_and_is_the_same_however_the_hidden_cards_lie(
    slug: str, mode: Mode
) -> None:
    play = play_of(GAMES[slug])
    all_cards, hidden_elsewhere = own(slug, "all_cards"), own(slug, "hidden_elsewhere")
    rng = Random(mode.code)
    for hand in hands(slug, mode):
        for state in hand.some():
            for seat in range(mode.seats):
                other = hidden_elsewhere(state, seat, rng)
                seen, mine = play.view(state, seat), play.seat_to_move(state) == seat
                assert all_cards(other) == all_cards(state)
                assert play.view(other, seat) == seen
                assert seen.seat == seat
                assert seen.legal == (play.legal_moves(state) if mine else ())


@every_size
def test_every_legal_move_is_drawn_once_and_nothing_that_the_seat_does_not_see(
    slug: str, mode: Mode
) -> None:
    play, hand = play_of(GAMES[slug]), hands(slug, mode)[0]
    for state in hand.states if mode.seats <= 8 else hand.some():
        legal = [play.move_code(move) for move in play.legal_moves(state)]
        for viewer in range(mode.seats):
            layout = play.layout(play.view(state, viewer))
            offers = [*layout.offers, *(move for held in layout.hand for move in held.moves)]
            drawn = [offer.code for offer in offers if offer.legal]
            mine = legal if play.seat_to_move(state) == viewer else []
            gathered = [code for code in mine if any(g.cards(code) for g in layout.gathers)]
            assert sorted([*drawn, *gathered]) == sorted(mine)
            for offer in offers:
                assert offer.legal or refused(play, state, play.parse_move(offer.code))
            cards = [held.face for held in layout.hand]
            assert len(layout.spots) == mode.seats
            assert sum(face.count for face in cards) == layout.spots[viewer].held
            cards += [face for spot in layout.spots for face in (*spot.played, *spot.known)]
            cards += [face for pile in layout.piles for face in pile.faces]
            assert {face.code for face in cards} <= {*play.pack(hand.session)}


@every_table
def test_every_move_and_every_view_can_be_told(slug: str, mode: Mode) -> None:
    play = play_of(GAMES[slug])
    hand = hands(slug, mode)[0]
    for state, move in zip(hand.states, hand.moves, strict=False):
        assert shown(play.describe_move(state, move)).endswith((".", "!"))
    for state in (hand.states[0], *hand.some()):
        for seat in range(mode.seats):
            seen = play.view(state, seat)
            told = play.last_trick(seen) if play.last_trick else ()
            assert all(shown(line) for line in (*play.describe(seen), *told))


def bots_of(slug: str) -> Mapping[str, Bot]:
    return play_of(GAMES[slug]).bots


def bots_moves(slug: str, mode: Mode, bots: list[Bot], seed: int) -> Iterator[str]:
    """Yield the moves of a hand that these bots play in a house by lot."""
    game, play, rng = GAMES[slug], play_of(GAMES[slug]), Random(seed)
    dealer = seed % mode.seats
    session = game.open_session(mode, house(game, mode, seed), dealer, (None,) * mode.seats)
    packs = shuffled(play, session, rng)
    for step in play_hand(play, session, packs, bots=bots, rng=rng, budget=QUICK):
        yield play.move_code(step.move)


@every_game
def test_there_is_an_opponent_of_every_strength(slug: str) -> None:
    assert [*bots_of(slug)] == ["beginner", "steady", "strong", *play_of(GAMES[slug]).styles]


@every_size
def test_every_bot_plays_by_the_rules_to_the_end(slug: str, mode: Mode) -> None:
    """What a bot may not do would raise, and a hand that does not end would not return."""
    bots = list(bots_of(slug).values())
    for first in range(0, len(bots), mode.seats):
        seated = list(islice(cycle(bots), first, first + mode.seats))
        assert list(bots_moves(slug, mode, seated, seed=mode.seats))


@every_game
def test_the_same_dice_give_the_same_hand(slug: str) -> None:
    mode = GAMES[slug].modes(GAMES[slug].default_options())[1]
    for bot in bots_of(slug).values():
        seated = [bot, *[bots_of(slug)["steady"]] * (mode.seats - 2), bot]
        first, again = (list(bots_moves(slug, mode, seated, seed=9)) for _ in range(2))
        assert first == again


@every_game
def test_strong_keeps_to_its_time(slug: str) -> None:
    play = play_of(GAMES[slug])
    hand = hands(slug, GAMES[slug].modes(GAMES[slug].default_options())[-1])[0]
    state = hand.states[len(hand.states) // 4]
    seen = play.view(state, play.seat_to_move(state) or 0)
    begun = process_time()
    play.bots["strong"](seen, Random(1), Budget())
    usual = process_time() - begun
    play.bots["strong"](seen, Random(1), Budget(seconds=0.05))
    assert usual < 2  # 0.2 s on a quiet machine; this one may be busy
    assert process_time() - begun - usual < 0.5
