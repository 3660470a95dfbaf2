"""What is drawn of every game: each legal move once, and nothing a seat does not know."""

from random import Random
from typing import Any

import pytest

from games import catalogue
from games.play.layout import Layout
from games.play.playing import AnyPlay, IllegalMoveError, shuffled

pytestmark = pytest.mark.every_game
SITTINGS = [
    pytest.param(game, mode, id=f"{slug}-{mode.code}")
    for slug, game in catalogue.GAMES.items()
    if game.play is not None
    for mode in game.modes(game.default_options())
    if mode.seats <= 8
]


def states(play: AnyPlay, session: Any, seed: int) -> list[Any]:
    """Return every state of a hand played at random."""
    rng = Random(seed)
    state = play.deal(session, shuffled(play, session, rng))
    all_states = [state]
    while play.seat_to_move(state) is not None:
        state = play.play(state, rng.choice(play.legal_moves(state)))
        all_states.append(state)
    return all_states


def tapped(layout: Layout, *, legal: bool) -> list[str]:
    taps = [move for held in layout.hand for move in held.moves]
    return [offer.code for offer in (*taps, *layout.offers) if offer.legal is legal]


@pytest.mark.parametrize(("game", "mode"), SITTINGS)
def test_every_legal_move_is_drawn_once(game: Any, mode: Any) -> None:
    play = game.play
    session = game.open_session(mode, game.default_options(), 0, (None,) * mode.seats)
    for state in states(play, session, 5):
        seat = play.seat_to_move(state)
        for viewer in range(mode.seats):
            layout = play.layout(play.view(state, viewer))
            legal = [play.move_code(move) for move in play.legal_moves(state)]
            gathered = [
                code
                for code in (legal if viewer == seat else [])
                if any(gather.cards(code) for gather in layout.gathers)
            ]
            drawn = [*tapped(layout, legal=True), *gathered]
            assert sorted(drawn) == (sorted(legal) if viewer == seat else [])
            assert len(layout.spots) == mode.seats
        for code in tapped(play.layout(play.view(state, seat or 0)), legal=False):
            with pytest.raises(IllegalMoveError):
                play.play(state, play.parse_move(code))


@pytest.mark.parametrize(("game", "mode"), SITTINGS)
def test_what_is_drawn_shows_only_what_the_seat_sees(game: Any, mode: Any) -> None:
    play = game.play
    session = game.open_session(mode, game.default_options(), 0, (None,) * mode.seats)
    for state in states(play, session, 6)[::7]:
        for viewer in range(mode.seats):
            view = play.view(state, viewer)
            layout = play.layout(view)
            hand = [held.face for held in layout.hand]
            assert sum(face.count for face in hand) == layout.spots[viewer].held
            faces = [face for spot in layout.spots for face in (*spot.played, *spot.known)]
            faces += [face for pile in layout.piles for face in pile.faces]
            assert {face.code for face in (*faces, *hand)} <= set(play.pack(session))


@pytest.mark.parametrize(
    "game", [game for game in catalogue.GAMES.values() if game.countable], ids=lambda g: g.slug
)
def test_the_cards_a_side_counts_are_worth_what_the_sheet_adds_up_to(game: Any) -> None:
    for mode in game.modes(game.default_options()):
        session = game.open_session(mode, game.default_options(), 0, (None,) * mode.seats)
        counted = game.countable(session)
        assert sum(card.points for card in counted.cards) == 120
        assert all(card.points > 0 for card in counted.cards)
        assert counted.question in {question.name for question in game.questions(session)}
