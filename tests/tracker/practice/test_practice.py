"""Practising against bots: through the pages, as a browser without scripts does."""

import re
from dataclasses import replace
from html import unescape
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from games import catalogue
from games.play.playing import Budget, IllegalMoveError, shuffled
from games.records import parser, replayer
from tests import toy
from tests.reading import Form, Forms, costs
from tracker.practice.moves import STRENGTHS, deal_hand, hint, make_move, next_hand
from tracker.practice.pages.table_view import practice_page
from tracker.practice.state import (
    LONGEST,
    ME,
    REMEMBERED,
    PracticeHand,
    UnreadableHand,
    read_hand,
    replay_hand,
    seat_names,
)

pytestmark = pytest.mark.django_db
WAYS = [
    pytest.param(slug, mode, id=f"{slug}-{mode.code}")
    for slug, game in catalogue.GAMES.items()
    if game.play is not None
    for mode in game.modes(game.default_options())
    if mode.seats <= 8
]


def still() -> float:
    """Read a clock that has stopped."""
    return 0.0


def dealt(game: str = "albastini", mode: str = "4t2", **more: Any) -> PracticeHand:
    asked = {"options": {}, "strength": "beginner", "name": "Asha", "seed": 7, **more}
    return deal_hand(game=game, mode=mode, clock=still, **asked)


def at(hand: PracticeHand, **more: str) -> str:
    """Return the address of a hand."""
    query = urlencode({"hand": hand.signed(), **more})
    return f"{reverse('practice-game', args=[hand.game])}?{query}"


def shown(hand: PracticeHand, **more: Any) -> Any:
    return practice_page(replay_hand(hand), **more)


def stands_at(page: Any) -> PracticeHand:
    """Return the hand that a page, to which one was led, shows."""
    text = parse_qs(page.request["QUERY_STRING"])["hand"][0]
    return read_hand(text, page.context["slug"]).hand


def moving(page: str, path: str) -> Form | None:
    """Return the form with one's own cards, as long as the hand is going on."""
    forms = [form for form in Forms(page, path).forms if "mine" in page and form.buttons]
    return next((form for form in forms if {"move", "gather"} & dict(form.buttons).keys()), None)


# Whole hands through the pages ----------------------------------------------------------------


@pytest.mark.every_game
@pytest.mark.parametrize(("game", "mode"), WAYS)
def test_a_hand_is_played_to_its_sheet(client: Client, game: str, mode: Any) -> None:
    address, play = reverse("practice-game", args=[game]), catalogue.GAMES[game].play
    form = Forms(client.get(address).text, address).forms[-1]
    page = client.post(form.path, form.pressing(mode=mode.code, strength="beginner", name="Asha"))
    rng = Random(mode.code)
    assert play is not None

    for _ in range(400):
        assert page.status_code == 303
        path = page.headers["Location"]
        hand = read_hand(parse_qs(urlsplit(path).query)["hand"][0], game)
        if hand.to_move is None:
            break
        assert hand.to_move == ME
        code = play.move_code(rng.choice(play.legal_moves(hand.state)))
        page = client.post(path, {"move": code})

    end = client.get(path)
    assert len(end.content) < 100_000
    assert end.context["page"].result["headline"]
    following = client.post(path, {"next": "1"})
    again = read_hand(parse_qs(urlsplit(following.headers["Location"]).query)["hand"][0], game)
    assert again.hand.number == 2
    sheet = play.fill_sheet(hand.state)
    assert again.session == hand.game.add_sheet(hand.session, sheet).session
    assert client.get(following.headers["Location"]).status_code == 200


def test_pages_are_played_without_scripts(client: Client) -> None:
    path = at(dealt())
    page = client.get(path)

    lay = 0
    for _ in range(60):
        seen = re.search(r'id="go-on" href="([^"]+)"', page.text)
        form = moving(page.text, path)
        if seen:
            lay += 1
            page = client.get(f"/practice/albastini/{unescape(seen[1])}")
        elif form:
            page = client.post(form.path, form.pressing(*form.buttons[0]), follow=True)
        else:
            break
        path = page.request["PATH_INFO"] + "?" + page.request["QUERY_STRING"]

    assert page.context["page"].result is not None
    assert "As a table would write it down" in page.text
    assert lay > 1  # the tricks from which others led on, and the last


def test_a_page_of_practice_asks_the_database_for_nothing(client: Client) -> None:
    with costs(0):
        assert client.get(reverse("practice")).status_code == 200
        assert client.get(reverse("practice-game", args=["albastini"])).status_code == 200
        assert client.get(at(dealt())).status_code == 200


@pytest.mark.parametrize("strength", STRENGTHS[:2])  # the strong think by the clock
def test_the_same_deal_is_the_same_hand(strength: str) -> None:
    assert dealt(strength=strength, seed=5) == dealt(strength=strength, seed=5)
    assert dealt(strength=strength, seed=5) != dealt(strength=strength, seed=6)


# What is asked first --------------------------------------------------------------------------


def test_house_rules_are_kept(client: Client) -> None:
    address = reverse("practice-game", args=["albastini"])
    form = Forms(client.get(address).text, address).forms[-1]

    page = client.post(address, form.pressing(mode="6i", option_allow_6i="yes"))

    hand = read_hand(parse_qs(urlsplit(page.headers["Location"]).query)["hand"][0], "albastini")
    assert (hand.session.mode.code, hand.session.options["allow_6i"]) == ("6i", True)
    assert hand.names.at(ME) == "Guest"


def test_what_the_house_does_not_play_is_said_beside_it(client: Client) -> None:
    address = reverse("practice-game", args=["albastini"])
    form = Forms(client.get(address).text, address).forms[-1]

    page = client.post(address, form.pressing(mode="6i"))

    assert page.context["form"].errors == {"mode": ["These house rules do not offer it."]}
    assert '<details class="more" open>' in page.text


@pytest.mark.parametrize("game", ["nowhere", "x" * 300])
def test_a_game_nobody_knows_is_not_found(client: Client, game: str) -> None:
    assert client.get(f"/practice/{game}/").status_code == 404


def test_a_game_without_cards_is_not_practised(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = replace(dealt(), game="pwani").signed()
    monkeypatch.setattr(catalogue, "GAMES", {"pwani": toy.GAME})

    assert client.get("/practice/pwani/").status_code == 404
    assert "Pwani" not in client.get("/practice/").text
    with pytest.raises(UnreadableHand):
        read_hand(text, "pwani")


# Moves ----------------------------------------------------------------------------------------


def bidding() -> PracticeHand:
    """Return a hand of Albastini with a bid on the table, and one's own turn to bid."""
    for seed in range(200):
        hand = dealt(seed=seed)
        layout = shown(hand)
        if any(tap.code.startswith("bid") and not tap.legal for tap in layout.hand):
            return hand
    raise AssertionError("nobody ever bids in a suit that one holds")


def test_a_refused_move_is_answered_with_the_reason(client: Client) -> None:
    hand = bidding()
    tap = next(tap for tap in shown(hand).hand if not tap.legal)

    page = client.post(at(hand), {"move": tap.code}, follow=True)

    assert page.status_code == 200
    assert "There is a bid in" in page.context["page"].refusal
    assert stands_at(page).codes == hand.codes


@pytest.mark.parametrize("code", ["", "x", "9Z", "bid:", "A" * 100_000, "\x00"])
def test_what_is_no_move_changes_nothing(client: Client, code: str) -> None:
    hand = bidding()

    page = client.post(at(hand), {"move": code}, follow=True)

    assert page.status_code == 200
    assert stands_at(page).codes == hand.codes


def test_nobody_moves_when_the_hand_is_over(client: Client) -> None:
    hand = finished()
    before = replay_hand(hand)

    assert hint(before) is None
    assert client.post(at(hand), {"move": "AS"}, follow=True).context["page"].refusal == ""
    with pytest.raises(IllegalMoveError):
        make_move(table=before, code="AS", clock=still)


def test_everybody_is_called_by_a_first_name() -> None:
    everybody = seat_names("Guest", 20)
    assert len(set(everybody)) == 20
    assert all(name.istitle() and name.isalpha() for name in everybody)


def finished() -> PracticeHand:
    return played_out(dealt())


def test_the_next_hand_waits_for_the_end() -> None:
    hand = dealt()

    assert next_hand(table=replay_hand(hand), seed=1, clock=still) == hand


def test_the_winners_choose_which_of_them_deals(client: Client) -> None:
    """Where the rules leave it to one's own side; the usual dealer is named first."""
    hands = (played_out(dealt(seed=seed)) for seed in range(50))
    hand, choice = next(
        (hand, choice) for hand in hands if len(choice := shown(hand).result["may_deal"]) > 1
    )
    assert sorted(seat for seat, _name in choice) == [ME, 2]
    end = client.get(at(hand))
    assert "Who of you deals next?" in end.text

    for seat, name in choice:
        page = client.post(at(hand), {"next": "1", "dealer": str(seat)}, follow=True)
        assert replay_hand(stands_at(page)).session.dealer == seat, name
    page = client.post(at(hand), {"next": "1", "dealer": "1"}, follow=True)
    assert replay_hand(stands_at(page)).session.dealer == choice[0][0]  # an opponent may not


def test_what_was_gathered_is_added_up() -> None:
    first = finished()
    page = shown(first)

    second = next_hand(table=replay_hand(first), seed=1, clock=still)

    assert [name for name, _figures in page.result["totals"]] == seat_names("Asha", 4)
    scored = replay_hand(first).game.add_sheet(
        replay_hand(first).session, replay_hand(first).play.fill_sheet(replay_hand(first).state)
    )
    assert second.sums == scored.marks


def test_a_hand_that_gives_nobody_anything_leaves_what_was_gathered() -> None:
    hand = replace(dealt(), sums=({"points": 2}, {"points": 0}))

    assert hand.sums_after(({"points": 1}, {"points": 3})) == ({"points": 3}, {"points": 3})
    assert hand.sums_after(None) == hand.sums


def test_a_hint_is_a_move_one_may_make(client: Client) -> None:
    hand = bidding()
    code = hint(replay_hand(hand))

    page = client.get(at(hand, hint="1"))

    assert code in {
        replay_hand(hand).play.move_code(m)
        for m in replay_hand(hand).play.legal_moves(replay_hand(hand).state)
    }
    assert page.context["page"].hint.startswith("A strong player would ")
    assert "hinted" in page.text


def test_strong_bots_hurry_when_time_is_short() -> None:
    ticks = iter(range(1000))

    hand = deal_hand(
        game="albastini",
        mode="5i",
        options={},
        strength="strong",
        name="Asha",
        seed=3,
        clock=lambda: float(next(ticks)),
    )

    assert replay_hand(hand).to_move == ME


def test_the_last_move_is_taken_back(client: Client) -> None:
    before = replay_hand(bidding())
    after = make_move(table=before, code="pass", clock=still)

    page = client.get(at(after))

    assert read_hand(page.context["back"], "albastini").hand.codes == before.hand.codes


# Cards that are picked -------------------------------------------------------------------------


def swapping() -> PracticeHand:
    """Return a deal of Mambassa in which one may swap cards with the monte."""
    hands = (dealt("mambassa", "4i", seed=seed) for seed in range(50))
    return next(hand for hand in hands if len(shown(hand).felt.layout.gathers) == 2)


def test_picked_cards_are_swapped_for_those_of_the_monte(client: Client) -> None:
    hand = swapping()
    page = shown(hand)
    mine, theirs = page.hand[0].card.code, page.felt.layout.piles[0].faces[0].code

    after = client.post(at(hand), {"gather": "0", "give": [mine], "take": [theirs]}, follow=True)

    assert f"swap:{mine}/{theirs}" in stands_at(after).codes


@pytest.mark.parametrize("sent", [{}, {"give": ["2S", "3S"]}, {"give": ["2S"] * 9}])
def test_wrong_cards_picked_are_answered_with_what_to_pick(client: Client, sent: Any) -> None:
    hand = swapping()

    page = client.post(at(hand), {"gather": "0", **sent}, follow=True)

    assert page.context["page"].refusal.startswith("Pick one to three of your cards")
    assert stands_at(page).codes == hand.codes


@pytest.mark.parametrize("place", ["7", "-1", "x", "\x00"])
def test_a_move_that_is_not_offered_changes_nothing(client: Client, place: str) -> None:
    hand = swapping()

    page = client.post(at(hand), {"gather": place, "give": ["2S"]}, follow=True)

    assert page.status_code == 200
    assert stands_at(page).codes == hand.codes


def test_a_card_good_for_several_moves_asks_which(client: Client) -> None:
    hand = next(
        hand
        for hand in (dealt("dalmuti", "4i", seed=seed) for seed in range(50))
        if any(tap.several for tap in shown(hand).hand)
    )
    tap = next(tap for tap in shown(hand).hand if tap.several)

    page = client.get(at(hand, card=tap.card.code))

    asked = [str(offer.says) for offer in page.context["page"].card_moves]
    assert asked[-1] == f"Play one {tap.card.code}"
    assert page.context["page"].chosen == tap.card.code
    assert page.text.count('aria-current="true"') == 1
    assert len(asked) == tap.card.count


def test_the_seeds_own_players_are_opponents_beside_the_others(client: Client) -> None:
    page = client.get("/practice/dalmuti/")
    offered = dict(page.context["form"].fields["strength"].choices)
    form = Forms(page.text, "/practice/dalmuti/").forms[-1]

    assert [*offered] == ["beginner", "steady", "strong", "original_code", "readme"]
    for opponent in ("original_code", "readme"):
        assert offered[opponent] in unescape(page.text)
        sent = form.pressing(mode="4i", strength=opponent, name="Asha")
        table = replay_hand(played_out(stands_at(client.post(form.path, sent, follow=True))))
        theirs = [step for step in table.steps if step.seat != ME]
        for step in theirs:
            seen = table.play.view(step.before, step.seat)
            assert step.move == table.play.bots[opponent](seen, Random(1), Budget())
        assert len(theirs) > 20


def test_only_bots_there_are_can_be_played_against(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = catalogue.GAMES["mambassa"].play
    assert play is not None
    beginners = replace(play, bots={"beginner": play.bots["beginner"]})
    monkeypatch.setattr("games.mambassa.play.PLAY", beginners)

    page = client.get("/practice/mambassa/")

    assert [value for value, _label in page.context["form"].fields["strength"].choices] == [
        "beginner"
    ]
    assert client.get(at(swapping(), hint="1")).context["page"].hint


# Written down ----------------------------------------------------------------------------------


def played_out(hand: PracticeHand) -> PracticeHand:
    while replay_hand(hand).to_move is not None:
        before = replay_hand(hand)
        code = before.play.move_code(before.play.legal_moves(before.state)[0])
        hand = make_move(table=before, code=code, clock=still)
    return hand


@pytest.mark.parametrize(
    ("game", "mode", "options"),
    [
        ("albastini", "5i", {}),
        ("briscola", "2i", {"match_wins": 1, "deuce_swap": True}),
        ("dalmuti", "4i", {"extra_cards": "slave_end"}),
        ("mambassa", "3i", {}),
    ],
)
def test_a_hand_is_taken_away_as_its_record(
    client: Client, game: str, mode: str, options: Any
) -> None:
    first = played_out(dealt(game, mode, options=options))
    hand = played_out(next_hand(table=replay_hand(first), seed=5, clock=still))

    file = client.get(at(hand, record="1"))
    record = parser.read(file.text)
    again = replayer.replay(record)

    assert file.headers["Content-Disposition"] == f'attachment; filename="kula-{game}-2.txt"'
    assert record.options == options
    assert record.players == tuple(seat_names("Asha", len(record.players)))
    assert again.session == replay_hand(hand).session
    assert again.steps == replay_hand(hand).steps
    assert "  ; Asha " in file.text


def test_a_hand_is_looked_at_step_by_step(client: Client) -> None:
    hand = finished()
    path = at(hand)
    (form,) = (form for form in Forms(client.get(path).text, path).forms if "text" in form.fields)

    page = client.post(form.path, form.pressing())

    assert form.path == reverse("replay")
    assert page.context["page"]["last"] == len(hand.codes)
    assert page.context["page"]["seats"][0].name == "Asha"


def test_a_hand_that_goes_on_is_not_written_down(client: Client) -> None:
    page = client.get(at(bidding(), record="1"))

    assert page.context["record"] == ""
    assert page.context["page"].my_turn


def test_a_table_that_has_played_for_long_forgets_its_first_hands(client: Client) -> None:
    hand = finished()
    sheet = replay_hand(hand).play.fill_sheet(replay_hand(hand).state)
    long = replace(hand, earlier_sheets=(sheet,) * REMEMBERED)

    after = next_hand(table=replay_hand(long), seed=1, clock=still)

    assert "Download as text" in client.get(at(long)).text
    assert after.earlier_sheets is None
    assert (
        next_hand(table=replay_hand(played_out(after)), seed=1, clock=still).earlier_sheets is None
    )
    assert "This table has played too many hands" in client.get(at(played_out(after))).text


# Addresses ------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("text", ["", "forged", "a:b:c", "x" * (LONGEST * 10), "\x00", "é"])
def test_a_forged_address_is_answered_with_a_sentence(
    client: Client, text: str, method: str
) -> None:
    page = getattr(client, method)(f"/practice/albastini/?{urlencode({'hand': text})}")

    assert page.status_code == 400
    assert "cannot be read any more" in page.text


def test_a_hand_of_another_game_is_not_read() -> None:
    with pytest.raises(UnreadableHand):
        read_hand(dealt().signed(), "briscola")


@pytest.mark.parametrize("odd", [{"codes": ("AS",)}, {"mode": "9x"}, {"options": {"new": 1}}])
def test_a_hand_from_before_the_rules_changed_is_not_read(odd: Any) -> None:
    with pytest.raises(UnreadableHand):
        read_hand(replace(dealt(), **odd).signed(), "albastini")


def test_an_address_stays_short() -> None:
    assert len(at(finished())) < 1_000


def test_the_longest_hand_there_can_be_is_still_read() -> None:
    """Eight swap three cards a hundred times round (M-6), after forty deals."""
    name = "".join(map(chr, range(0x1F600, 0x1F614)))
    hand = dealt("mambassa", "8i", options={"max_orbits": 100}, name=name, seed=2**48 - 1)
    begun = replay_hand(replace(hand, codes=()))
    play, state, rng, codes = begun.play, begun.state, Random(1), ["leave"]
    state = play.play(state, play.parse_move("leave"))
    while play.seat_to_move(state) is not None:
        legal = [play.move_code(move) for move in play.legal_moves(state)]
        codes.append(max(rng.sample(legal, len(legal)), key=len))
        state = play.play(state, play.parse_move(codes[-1]))
    sheet, (pack,) = play.fill_sheet(state), shuffled(play, begun.session, rng)
    hands = [rng.sample(pack, 32) for _ in range(REMEMBERED)]
    before = [{**sheet, "hands": [cards[at : at + 4] for at in range(0, 32, 4)]} for cards in hands]

    text = replace(hand, codes=tuple(codes), earlier_sheets=before).signed()

    assert LONGEST // 2 < len(text) < LONGEST
    assert read_hand(text, "mambassa").state == state
