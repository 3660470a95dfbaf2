"""What a newcomer is told of a game is what its engine plays and scores."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

import games
from games import catalogue
from games.albastini import cards as albastini_cards
from games.albastini.options import threshold
from games.briscola import cards as briscola_cards
from games.dalmuti.cards import PACK as DALMUTI_PACK
from games.dalmuti.scoring import points
from games.how_to_play import (
    CardRow,
    HowToPlay,
    Items,
    Ladder,
    Part,
    Rank,
    Section,
    ShownTrick,
)
from games.mambassa.cards import parse_card
from games.mambassa.hand_ranking import HandClass, best_sum, strength
from games.play.tricks import winning_place
from games.records.parser import read
from games.records.replayer import Replay, replay

TOLD = {slug: game.how_to_play for slug, game in catalogue.GAMES.items() if game.how_to_play}
EVERY_TOLD = pytest.mark.parametrize(
    ("slug", "told"), [pytest.param(slug, told, id=slug) for slug, told in TOLD.items()]
)
WORDS_READ_IN_FIVE_MINUTES = 1_100


def sections(told: HowToPlay) -> tuple[Section, ...]:
    return (*told.sections, told.example)


def parts(told: HowToPlay) -> Iterator[Part]:
    return chain.from_iterable(section.parts for section in sections(told))


def tricks(told: HowToPlay) -> list[ShownTrick]:
    return [part for part in parts(told) if isinstance(part, ShownTrick)]


def ranks(told: HowToPlay) -> tuple[Rank, ...]:
    return tuple(rank for part in parts(told) if isinstance(part, Ladder) for rank in part.ranks)


def sentences(told: HowToPlay) -> Iterator[str]:
    """Yield everything that is said in whole sentences, but for the glossary."""
    yield from map(str, (*told.nutshell, *told.scored, *told.figures))
    for part in parts(told):
        match part:
            case Items():
                yield from map(str, part.says)
            case CardRow() | ShownTrick():
                yield str(part.says)
            case Ladder():
                yield from (str(rank.says) for rank in part.ranks)
            case _:
                yield str(part)


def codes(told: HowToPlay) -> set[str]:
    """Return the code of every card that is drawn."""
    drawn = {code for part in parts(told) if isinstance(part, CardRow) for code in part.cards}
    drawn |= {code for trick in tricks(told) for _who, code in trick.played if code}
    return drawn | {code for rank in ranks(told) for code in rank.cards}


def example(told: HowToPlay) -> Replay:
    return replay(read(told.record))


def moves(told: HowToPlay) -> list[tuple[str, str]]:
    """Return who made every move of the example, and its code; a skip is empty."""
    record = read(told.record)
    return [
        (record.players[move.seat], "" if move.code == "skip" else move.code)
        for move in record.moves
    ]


def place_of(trick: ShownTrick, made: Sequence[tuple[str, str]]) -> int:
    """Return where in the moves of the example this trick begins.

    :raises StopIteration: if it was never played.
    """
    length = len(trick.played)
    return next(
        place for place in range(len(made)) if tuple(made[place : place + length]) == trick.played
    )


def hands_dealt(replayed: Replay) -> list[set[str]]:
    return [set(map(str, hand)) for hand in replayed.states[0].hands]


# Of every game ---------------------------------------------------------------------------------


@EVERY_TOLD
def test_it_is_read_in_five_minutes(slug: str, told: HowToPlay) -> None:
    words = " ".join(sentences(told)).split()

    assert 500 < len(words) < WORDS_READ_IN_FIVE_MINUTES, slug


@EVERY_TOLD
def test_every_rule_that_a_section_stands_under_is_written_down(slug: str, told: HowToPlay) -> None:
    book = (Path(games.__file__).parent / slug / "RULES.md").read_text(encoding="utf-8")
    numbers = set(re.findall(r"\*\*([A-Z]-?\d+)\*\*", book))

    assert [
        rule for section in sections(told) for rule in section.rules if rule not in numbers
    ] == []
    assert any(section.rules for section in told.sections)


@EVERY_TOLD
def test_the_example_is_a_hand_played_to_its_end_by_people_with_names(
    slug: str, told: HowToPlay
) -> None:
    replayed = example(told)

    assert replayed.game.slug == slug
    assert replayed.sheet is not None
    assert len(set(read(told.record).players)) == replayed.session.mode.seats


@EVERY_TOLD
def test_every_trick_that_is_shown_was_played_so_in_the_example(slug: str, told: HowToPlay) -> None:
    made = moves(told)

    shown = [place_of(trick, made) for trick in tricks(told)]

    assert slug == "mambassa" or shown


@EVERY_TOLD
def test_every_card_that_is_drawn_is_in_the_pack(slug: str, told: HowToPlay) -> None:
    play = catalogue.GAMES[slug].play
    assert play is not None
    pack = set(play.pack(example(told).session))

    assert {code.rpartition("x")[2] for code in codes(told)} <= pack
    assert [code for code in codes(told) if not told.face(code).rank] == []


@EVERY_TOLD
def test_suits_and_figures_are_called_as_in_the_pack(slug: str, told: HowToPlay) -> None:
    """Neither a knave in one game's words where its cards have a jack, nor the other way."""
    play = catalogue.GAMES[slug].play
    assert play is not None
    figures = {"knave", "jack", "knight", "horse", "queen", "cavallo", "fante", "club", "baton"}
    named = " ".join(str(told.face(code).name).lower() for code in play.pack(example(told).session))
    if slug == "albastini":  # its cards show their figures as letters
        named += " queen jack"

    said = set(re.findall(r"[a-z]+", " ".join(sentences(told)).lower()))

    called = {word for word in figures if {word, f"{word}s"} & said}
    assert {word for word in called if word not in named} == set()


# Of each -----------------------------------------------------------------------------------------


def trump_of(replayed: Replay) -> Any:
    return replayed.states[-1].trump


@pytest.mark.parametrize("slug", ["albastini", "briscola"])
def test_the_tricks_go_to_whom_the_engine_gives_them(slug: str) -> None:
    told, parse = TOLD[slug], {"albastini": albastini_cards, "briscola": briscola_cards}[slug]
    trump = trump_of(example(told))

    taken = [
        winning_place([parse.parse_card(code) for _who, code in trick.played], trump)
        for trick in tricks(told)
    ]

    assert [trick.taken for trick in tricks(told)] == taken


@pytest.mark.parametrize(
    ("slug", "named"),
    [
        (
            "albastini",
            "Aces are worth 11, sevens 10, kings 4, jacks 3, queens 2, the rest nothing.",
        ),
        (
            "briscola",
            "Aces are worth 11, threes 10, kings 4, horses 3, jacks 2, the rest nothing.",
        ),
    ],
)
def test_cards_are_worth_what_is_said_and_stand_in_their_order(slug: str, named: str) -> None:
    told, cards = TOLD[slug], {"albastini": albastini_cards, "briscola": briscola_cards}[slug]
    row = next(part for part in parts(told) if isinstance(part, CardRow) and len(part.cards) > 4)
    suit = [cards.parse_card(code) for code in row.cards]

    assert any(named in sentence for sentence in sentences(told))
    assert [card.value for card in suit if card.value] == [*map(int, re.findall(r"\d+", named))]
    assert suit == sorted(suit, key=lambda card: -card.strength)
    assert len(suit) == len(cards.PACK) / 4
    assert sum(card.value for card in suit) == 30


def test_albastini_says_what_each_side_must_reach() -> None:
    said = " ".join(sentences(TOLD["albastini"]))
    reach = {mode.code: threshold(mode) for mode in catalogue.GAMES["albastini"].modes({})}

    assert reach["4t2"] == reach["6t2"] == 20
    assert "a pair under 20, a team of three under 30, a player alone under 10" in said
    assert (reach["6t3"], reach["3i"]) == (30, 10)


def test_albastinis_example_is_dealt_bid_and_counted_as_told() -> None:
    told, replayed = TOLD["albastini"], example(TOLD["albastini"])
    first, turned_up = (part for part in told.example.parts if isinstance(part, CardRow))
    assert replayed.sheet is not None

    assert set(first.cards) == hands_dealt(replayed)[0]
    assert turned_up.cards == (replayed.sheet["indicator"],)
    assert replayed.sheet["bids"] == ["4D", None, "3H", None]
    assert replayed.sheet["face_up"] == "4D"
    assert "Asha and Juma ate 81, Neema and Baraka 39" in " ".join(sentences(told))
    assert replayed.sheet["eaten"] == [81, 39]


def test_briscolas_example_is_decided_by_the_last_trick() -> None:
    told, replayed = TOLD["briscola"], example(TOLD["briscola"])
    first, turned_up = (part for part in told.example.parts if isinstance(part, CardRow))
    assert replayed.sheet is not None

    assert set(first.cards) == hands_dealt(replayed)[0]
    assert turned_up.cards == (replayed.sheet["face_up"],)
    assert "He now has 54, Asha 46" in " ".join(sentences(told))
    assert replayed.sheet["points"] == [46 + 20, 54]


def test_dalmuti_draws_every_card_as_often_as_there_are() -> None:
    told = TOLD["dalmuti"]
    row = next(part for part in parts(told) if isinstance(part, CardRow))

    faces = [told.face(code) for code in row.cards]

    assert {int(face.rank): face.count for face in faces} == {
        value: DALMUTI_PACK.count(value) for value in set(DALMUTI_PACK)
    }


def test_dalmutis_tricks_are_taken_by_the_last_who_played() -> None:
    told, made = TOLD["dalmuti"], moves(TOLD["dalmuti"])

    for trick in (trick for trick in tricks(told) if trick.taken is not None):
        last = max(place for place, (_who, code) in enumerate(trick.played) if code)
        who, _code = trick.played[last]
        following = [player for player, _ in made[place_of(trick, made) + len(trick.played) :]]
        assert trick.taken == last
        assert following[0] == who or who not in following  # who is out leads no more


def test_dalmutis_example_begins_and_ends_as_told() -> None:
    replayed = example(TOLD["dalmuti"])
    assert replayed.sheet is not None

    assert replayed.sheet["draw"] == [[8], [6], [12], [4]]
    assert replayed.sheet["order"] == [0, 1, 3, 2]
    assert sorted(replayed.states[-1].hands[2]) == [8, 10]
    assert [points(place, 4, "status") for place in (1, 2, 3, 4)] == [3, 2, 1, 0]


def test_mambassas_hands_stand_from_the_best_to_the_worst_of_every_class() -> None:
    options = catalogue.GAMES["mambassa"].default_options()
    ladder = ranks(TOLD["mambassa"])

    strengths = [strength([parse_card(code) for code in rank.cards], options) for rank in ladder]

    assert strengths == sorted(strengths, reverse=True)
    assert [held[0] for held in strengths] == sorted(HandClass, reverse=True)
    assert "Here 26 in swords." in str(ladder[-1].says)
    assert best_sum([parse_card(code) for code in ladder[-1].cards]) == 26


def test_mambassas_suit_stands_from_the_highest_to_the_lowest() -> None:
    row = next(part for part in parts(TOLD["mambassa"]) if isinstance(part, CardRow))
    suit = [parse_card(code) for code in row.cards]

    assert [card.height for card in suit] == [*range(9, -1, -1)]


def test_mambassas_example_is_shown_and_paid_as_told() -> None:
    told, replayed = TOLD["mambassa"], example(TOLD["mambassa"])
    monte, *hands = (set(part.cards) for part in told.example.parts if isinstance(part, CardRow))
    assert replayed.sheet is not None

    assert set(map(str, replayed.states[1].monte)) == monte
    assert [set(hand) for hand in replayed.sheet["hands"]] == hands
    assert replayed.sheet["knocker"] == 0
    assert replayed.sheet["payers"] == [2]
    assert best_sum([parse_card(code) for code in replayed.sheet["hands"][2]]) == 25


def test_mambassas_suits_part_cards_in_a_row_and_never_points() -> None:
    options = catalogue.GAMES["mambassa"].default_options()

    def worth(*codes: str) -> tuple[int, ...]:
        return tuple(strength([parse_card(code) for code in codes], options))

    assert "between cards in a row, never between equal points" in " ".join(
        sentences(TOLD["mambassa"])
    )
    assert worth("7D", "6D", "5D", "2K") > worth("7B", "6B", "5B", "2K")
    assert worth("13D", "7D", "2K", "3S") == worth("13B", "7B", "2K", "3S")


@pytest.mark.parametrize(
    ("slug", "words"),
    [
        ("albastini", {"Bid", "Eat", "Face-up card", "Stock", "Trumps"}),
        ("briscola", {"Face-up card", "Stock", "Suit", "Trumps"}),
        ("dalmuti", {"Clear away", "Lead", "Pass", "Peon", "Trader"}),
        ("mambassa", {"Declare", "Discard", "Knock", "Mambassa", "Monte", "Quarantuna", "Stand"}),
    ],
)
def test_the_words_of_the_table_and_of_the_house_rules_are_explained(
    slug: str, words: set[str]
) -> None:
    assert words <= {str(term.word) for term in TOLD[slug].glossary}
