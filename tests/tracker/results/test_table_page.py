"""The page people at a table stand in front of: asked, refused, saved, settled."""

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import catalogue
from tests import act, make
from tests.reading import lacks, seen_on, shows, words
from tests.tracker.results.phones import Phone, Phones
from tracker.models import (
    Hand,
    Issue,
    IssueKind,
    Player,
    Report,
    Role,
    Round,
    RoundState,
    Sitting,
    TokenState,
    Verdict,
)
from tracker.results.services.corrections import STRIKE
from tracker.seating.services.seat_swaps import substitute

pytestmark = pytest.mark.django_db
PEOPLE = ("Asha", "Neema", "Juma", "Baraka", "Zuhura")
WON = {"eaten": [70, 50]}
ENTRY = "00000000-0000-4000-8000-000000000001"
QUEEN = "The totals make 118, not 120: 2 too few. Is a Queen missing?"
FIVE = (40, 30, 27, 20, 0)  # 117: the Jack is nobody's (R9)


@pytest.fixture
def phone(table: Sitting) -> Phone:
    return Phone(table)


@pytest.fixture
def other(table: Sitting) -> Phone:
    return Phone(table)


def table_of(game: str, mode: str = "", **more: Any) -> Sitting:
    return make.sitting(*PEOPLE[: int(mode[:1] or 4)], at=make.tournament(game, mode, **more))


def phone_at(game: str, mode: str = "", **more: Any) -> Phone:
    return Phone(table_of(game, mode, **more))


def leads_to(page: Any) -> str:
    """Return where the answer to what was sent led to."""
    return str(page.redirect_chain[-1][0])


def sheet() -> dict[str, Any]:
    return dict(Hand.objects.get().sheet)


def close_rounds(ago: timedelta = timedelta()) -> None:
    Round.objects.update(state=RoundState.CLOSED, closed_at=timezone.now() - ago)


# Asked ----------------------------------------------------------------------------------------


def test_page_says_where_it_is_who_deals_and_asks_what_each_side_ate(phone: Phone) -> None:
    page = phone.get(phone.path)
    shows(page, "Table 3 Round 1 · Hand 1 of 8", "Asha deals Neema leads", "Save hand 1")
    # By their people, in the order of the paper.
    shows(page, "How much did each side eat? A Asha & Juma B Neema & Baraka")
    # Who deals next is said for every outcome: Asha has just dealt (R11), or the deal stays.
    shows(page, "Who deals after this hand? If Asha & Juma win Juma", "If it is a tie Asha")
    lacks(page, " instead")
    assert page.text.count("dealer-badge") == 1


def test_first_visit_gives_the_phone_a_name_and_keeps_it(client: Client, table: Sitting) -> None:
    first = client.get(table.get_absolute_url()).cookies["kula_device"]
    assert (first["samesite"], first["httponly"], first["secure"]) == ("Lax", True, "")
    assert "kula_device" not in client.get(table.get_absolute_url()).cookies


@pytest.mark.parametrize(
    ("game", "mode", "question"),
    [
        ("albastini", "2i", "How much did each player eat?"),
        ("albastini", "3i", "How much did each player eat?"),
        ("albastini", "4i", "How much did each player eat?"),
        ("albastini", "5i", "Which card was left over?"),
        ("albastini", "6t2", "How much did each side eat?"),
        ("albastini", "6t3", "How much did each side eat?"),
        ("briscola", "2i", "How many card points did each player take?"),
        ("briscola", "4t2", "How many card points did each side take?"),
        ("dalmuti", "4i", "Draw for the deal"),  # R2
        ("dalmuti", "5i", "In what order did they go out?"),
        ("dalmuti", "10i", "In what order did they go out?"),
        ("mambassa", "3i", "Who had the lowest hand and pays?"),
        ("mambassa", "3i", "3 tokens in the pool"),  # R2
        ("mambassa", "8i", "How did the deal end?"),
    ],
)
def test_every_game_asks_its_own_questions(game: str, mode: str, question: str) -> None:
    shows(Phone(make.sitting(at=make.tournament(game, mode))).reads(), question)


@pytest.mark.parametrize(("game", "mode"), [("briscola", "4t2"), ("mambassa", "4i")])
def test_who_deals_next_in_any_case_is_said_once(game: str, mode: str) -> None:
    page = phone_at(game, mode).reads()
    shows(page, "After this deal, however it ends Neema deals")
    assert page.count("Neema deals") == 1
    lacks(page, "whoever wins")


def who_pays(page: Any) -> str:
    """Return what Mambassa's sheet asks of everybody, with its markup."""
    return str(page.text.split('id="q-payers"')[1].split("</fieldset>")[0])


def test_a_deal_is_changed_from_the_tokens_that_it_was_played_for() -> None:
    phone = phone_at("mambassa", "3i")
    for payers in ([1], [0, 1]):
        make.report(phone.table, {"event": "normal", "payers": payers})
    for number, held in ((1, "333"), (2, "323"), (3, "213")):
        asked = who_pays(phone.get(phone.path, {"hand": number}))
        assert re.findall(r'aria-label="(\d) token', asked) == [*held]


def test_a_hand_is_changed_under_the_names_of_those_who_played_it() -> None:
    phone = phone_at("mambassa", "3i")
    make.report(phone.table, {"event": "normal", "payers": [1]})
    seat = phone.table.seats.get(place=1)
    zuwena = make.player("Zuwena", club=act.club_of(phone.table))
    substitute(seat_id=seat.pk, player_id=zuwena.pk, by=make.actor())
    refused = who_pays(phone.writes(1, event="normal"))
    shows(refused, "Neema")
    lacks(refused, "Zuwena")


def test_long_names_are_short_at_the_table_and_told_apart() -> None:
    table = make.sitting("Juma Kapera Hassan", "Neema", "Juma Rashidi Mwinyi", "Baraka Josephat")
    shows(Phone(table).reads(), "Juma H. & Juma M.", "Neema & Baraka")
    table = make.sitting("A former player", "Tatu", "Ali Rashidi Mwinyi", "Omari")
    Player.objects.filter(name="A former player").update(erased_at=make.NOON)
    shows(Phone(table).reads(), "A former player & Ali")  # who asked to be forgotten, in full


# Saved ----------------------------------------------------------------------------------------


def test_count_is_saved_and_said(phone: Phone) -> None:
    page = phone.writes(1, 70, 50)
    assert page.redirect_chain == [(f"{phone.path}?saved=1&as=accepted", 303)]
    shows(page, "Hand 1 saved: 70–50, Asha & Juma win · 1 victory point")
    shows(page, "It is 2 if another side ate too little")
    shows(page, "Juma deals ⇄ Asha Asha deals instead Baraka leads")


def test_sheet_carries_the_dealer_the_page_showed(phone: Phone) -> None:
    shows(phone.get(phone.path), '<input type="hidden" name="shown" value="0"')
    phone.writes(1, 70, 50, dealer=0, shown=0)
    assert Report.objects.get().sheet == {"eaten": [70, 50], "dealer": 0}


def test_same_entry_twice_is_one_hand(phone: Phone) -> None:
    led_to = {leads_to(phone.writes(1, 70, 50, entry=ENTRY)) for _ in range(3)}
    assert (len(led_to), Hand.objects.count()) == (1, 1)


@pytest.mark.parametrize(
    ("game", "mode", "counts", "answers", "kept"),
    [
        ("albastini", "5i", FIVE, {"face_up": "J"}, {"face_up": "J"}),
        # The very card wins over its rank.
        (
            "albastini",
            "5i",
            FIVE,
            {"face_up": "J", "face_up_exact": "JS", "trump": "S"},
            {"face_up": "JS"},
        ),
        # Mambassa asks only what the event needs.
        (
            "mambassa",
            "3i",
            (),
            {"event": "normal", "payers": ["2"], "declarer": "1"},
            {"event": "normal", "payers": [2], "declarer": None},
        ),
        # A finishing order may be shared.
        (
            "mambassa",
            "3i",
            (),
            {"how": "bare", "bare_0": "1", "bare_1": "2", "bare_2": "2"},
            {"bare": [0, [1, 2]]},
        ),
        ("mambassa", "3i", (), {"how": "bare", "bare_void": "on"}, {"bare": "void"}),
        # Nobody counted, but somebody won; a tie and a void hand are results, too.
        ("albastini", "4t2", (), {"how": "bare", "bare": "1"}, {"bare": 1}),
        ("albastini", "4t2", (), {"how": "bare", "bare": "none"}, {"bare": None}),
        ("albastini", "4t2", (), {"how": "bare", "bare": "void"}, {"bare": "void"}),
    ],
)
def test_what_is_answered_is_kept(
    game: str, mode: str, counts: tuple[int, ...], answers: dict[str, Any], kept: dict[str, Any]
) -> None:
    assert "as=accepted" in leads_to(phone_at(game, mode).writes(1, *counts, **answers))
    assert {key: sheet().get(key) for key in kept} == kept
    assert (Hand.objects.get().kind == "bare") is ("bare" in kept)
    assert not Issue.objects.exists()


def test_order_of_going_out_is_given_by_places() -> None:
    page = phone_at("dalmuti", "4i").writes(1, order_1="1", order_3="2", order_0="3")
    assert sheet()["order"] == [1, 3, 0, 2]
    shows(page, "Neema is Dalmuti", "Juma deals")  # who went out last (D-4)
    shows(page, "Neema now Dalmuti 1", "Juma now Peon 0", "So far Dalmuti: games out first")


def test_hand_that_will_not_add_up_is_parked_with_what_was_counted(phone: Phone) -> None:
    page = phone.writes(1, 70, 48, how="park", bare="0")
    shows(page, "Hand 1 is with the organiser: Asha & Juma win · 1 victory point", QUEEN)
    assert Issue.objects.get().kind == IssueKind.PARKED
    assert Report.objects.get().sheet["eaten"] == [70, 48]


def test_last_hand_of_the_round_ends_it_calmly(phone: Phone) -> None:
    Round.objects.update(hands=1)
    page = phone.writes(1, 70, 50)
    shows(page, "The hand is in")
    lacks(page, "Save hand 2")


def test_so_far_adds_up_and_hands_before_the_last_come_when_opened(phone: Phone) -> None:
    for number, ours in enumerate((110, 50, 70), start=1):
        phone.writes(number, ours, 120 - ours)
    folded = phone.get(f"{phone.path}?side=1")

    shows(folded, "A Asha & Juma 3 B Neema & Baraka 1")  # who were under 20 in the first
    assert re.findall(r"Hand \d: \d+–\d+", words(folded)) == ["Hand 3: 70–50"]
    [link] = re.findall(r'href="(\S+)" data-unfold', folded.text)
    assert link == "?side=1&amp;hands=#hands-so-far"
    opened = phone.get(phone.path + unescape(link))
    listed = re.findall(r"Hand \d: \d+–\d+", words(opened))
    assert listed == ["Hand 1: 110–10", "Hand 2: 50–70", "Hand 3: 70–50"]
    lacks(opened, "data-unfold")


# The last hand, in a line ---------------------------------------------------------------------


def line(page: Any) -> str:
    """Return what is said of the last hand."""
    said = re.findall(r'<p class="news-says saved-what".*?</p>', page.text, re.DOTALL)
    return words(said[0]) if said else ""


def test_last_hand_is_told_in_a_line_with_where_it_came_from(phone: Phone, other: Phone) -> None:
    """The phone that wrote it may undo it, however it comes back."""
    answer = phone.writes(1, 70, 50)
    told = "70–50, Asha & Juma win · 1 victory point"

    for path in (leads_to(answer), phone.path):
        page = phone.get(path)
        assert line(page) == f"Hand 1 saved: {told}"
        shows(page, "Undo (Hand 1)", phone.at("table-take-back", 1))
    lacks(phone.reads("?hand=1"), "Undo")
    page = other.get(other.path)
    assert line(page) == f"Hand 1, from another phone: {told}"
    lacks(page, "Undo")


def test_what_the_organiser_wrote_down_is_from_no_phone(table: Sitting, phone: Phone) -> None:
    make.report(table, WON, device="")
    assert line(phone.get(phone.path)) == ""


def test_a_hand_that_was_changed_is_not_taken_back_by_the_same_tap(phone: Phone) -> None:
    phone.writes(1, 70, 50)
    page = phone.writes(1, 60, 60)
    assert "as=amends" in leads_to(page)
    assert line(page).startswith("Hand 1 changed: 60–60")
    shows(page, "Change (Hand 1)")
    lacks(page, "Undo")
    assert sheet()["eaten"] == [60, 60]


# Refused --------------------------------------------------------------------------------------


def test_refused_sheet_says_why_once_and_keeps_what_was_typed(phone: Phone) -> None:
    page = phone.writes(1, 70, 48, entry=ENTRY)
    assert page.status_code == 200
    assert (words(page).count(QUEEN), page.text.count('role="alert"')) == (1, 1)
    shows(page, *(f'value="{kept}"' for kept in ("70", "48", ENTRY)))
    assert not Report.objects.exists()


@pytest.mark.parametrize(
    ("number", "counts", "more", "says"),
    [
        # The fault of one side stands beside it.
        (1, (119, 1), {}, ("No cards are worth exactly 1 point: it is 0, or 2 or more.",)),
        (1, (119, 1), {}, ('id="id_eaten_1_error"',)),
        (1, ("7o", "50"), {}, ("This must be a whole number.", 'value="7o"')),
        (1, (70, 48), {"how": "park"}, ("Say who won, so that the deal can pass on.",)),
        (1, (70, 50), {"entry": ""}, ("This page has grown old: load it again, please.",)),
        (3, (70, 50), {}, ("Hand 1 has not arrived yet",)),
    ],
)
def test_what_cannot_be_is_said(
    phone: Phone, number: int, counts: tuple[Any, ...], more: dict[str, Any], says: tuple[str, ...]
) -> None:
    shows(phone.writes(number, *counts, **more), *says)
    assert not Report.objects.exists()


def test_places_are_taken_once_and_in_a_row() -> None:
    phone = phone_at("dalmuti", "4i")
    twice = phone.writes(1, order_0="1", order_1="1", order_2="3")
    gap = phone.writes(1, order_0="1", order_1="2", order_2="4")
    shows(twice, "Two people cannot have the same place here.")
    shows(gap, "A place before the last one is still empty.")


# Changed and told twice -----------------------------------------------------------------------


def test_change_starts_from_what_was_said(phone: Phone) -> None:
    phone.writes(1, 70, 50)
    page = phone.get(phone.path + "?hand=1")
    shows(page, "Change hand 1", 'value="70"', 'name="number" value="1"')


def test_phone_that_lags_is_asked_which_hand_it_means(phone: Phone, other: Phone) -> None:
    phone.writes(1, 70, 50, dealer="0", shown="0")
    shows(other.writes(1, 64, 56), "Is this hand 1, or the next?", 'name="eaten_0" value="64"')
    assert Report.objects.count() == 1
    answer = other.writes(1, 64, 56, dealer="0", shown="0", is_next="yes")
    assert "saved=2&as=accepted" in leads_to(answer)
    assert Hand.objects.get(number=2).dealer == 2  # Juma, and not the Asha that the old page showed


@pytest.mark.parametrize(
    ("game", "asked", "length", "one"),
    [
        ("albastini", "eaten", {"hands": 3}, "hand"),
        ("briscola", "points", {"games": 1, "options": {"match_wins": 3}}, "deal"),
    ],
)
def test_nothing_is_offered_to_follow_where_the_round_is_over(
    game: str, asked: str, length: dict[str, Any], one: str
) -> None:
    ours = phone_at(game, **length)
    theirs = Phone(ours.table)
    for number in (1, 2, 3):
        ours.writes(number, **{f"{asked}_0": 70, f"{asked}_1": 50})
    another = {f"{asked}_0": 80, f"{asked}_1": 40}

    over = theirs.writes(3, **another)
    shows(over, f"Is this {one} 3? Table 1 · Round 1 All 3 {one}s are in: the round is over")
    shows(over, f"It is {one} 3: we count differently Do not send it")
    ours.takes_back(3, seen=seen_on(ours.get(ours.path).text))
    undone = theirs.writes(3, **another)

    lacks(over, "It is the next", "Nothing is saved yet")
    lacks(undone, "Nothing is saved yet")
    # A round of hands ends with this one, a match may go on.
    assert ("Hand 3 is the last of this round." in words(undone)) is (one == "hand")
    assert ("It is the next: deal 4, once 3 is in" in words(undone)) is (one == "deal")


@pytest.fixture
def disputed(phone: Phone, other: Phone) -> Phones:
    """Return two phones of other sides, which have two counts of the first hand."""
    phone.writes(1, 70, 50, side="0")
    other.writes(1, 50, 70, side="1", is_next="no")
    return phone, other


def test_two_counts_are_a_folded_line_settled_at_the_table(disputed: Phones) -> None:
    ours, theirs = disputed
    page = ours.get(ours.path)
    line = r'<details class="news warn" id="conflict-\d+">(.*?)</summary>(.*?)</details>'
    [(summary, inside)] = re.findall(line, page.text, re.DOTALL)
    shows(summary, "Hand 1: 70–50 or 50–70?", "Settle")
    shows(inside, "Take this one", "By Asha & Juma counts now")
    lacks(theirs.get(theirs.path), "Hand 1, from another phone")  # said above
    ours.settles("take", seen_on(page.text))
    assert sheet()["eaten"] == [50, 70]
    lacks(ours.reads(), "70–50 or 50–70?")


def test_closed_round_is_the_organisers_to_settle(disputed: Phones) -> None:
    ours, _theirs = disputed
    Round.objects.update(state=RoundState.CLOSED)
    page = ours.get(ours.path)
    shows(page, "70–50 or 50–70?")
    lacks(page, ours.at("table-settle", Issue.objects.get().pk))
    for outcome in ("keep", "take", "two"):
        shows(ours.settles(outcome), "This round is closed: the organiser settles it now.")
    assert Issue.objects.get().settled_at is None
    assert sheet()["eaten"] == [70, 50]


def test_settling_elsewhere_or_otherwise_changes_nothing(disputed: Phones) -> None:
    ours, _theirs = disputed
    Phone(make.sitting()).settles("take")
    ours.settles("dismiss")
    assert Issue.objects.get().settled_at is None
    assert sheet()["eaten"] == [70, 50]


def test_somebody_else_deals_by_one_tap_if_the_rules_allow_it(phone: Phone) -> None:
    phone.writes(1, 70, 50)

    def deals(place: str, **notice: str) -> Any:
        sent = {"place": place, **notice}
        return phone.post(phone.at("table-dealer"), sent, follow=True)

    shows(deals("0"), "Asha deals ⇄ Juma Juma deals instead Neema leads")
    shows(deals("1"), "By the rules somebody else deals: choose one of those named.")
    # An endless notice is dropped.
    assert leads_to(deals("2", saved="1", **{"as": "x" * 20_000})) == f"{phone.path}?saved=1"


def test_hand_can_be_queried(phone: Phone) -> None:
    phone.writes(1, 70, 50)
    page = phone.post(phone.at("table-query", 1), {"note": "We had 60"}, follow=True)
    shows(page, "The organiser will look at it.", "with the organiser")
    assert Issue.objects.get().note == "We had 60"


# Closed, withdrawn, unknown -------------------------------------------------------------------


@pytest.mark.parametrize("state", [RoundState.OPEN, RoundState.CLOSED])
def test_the_next_round_is_led_to_once_it_is_open_at_this_table(
    table: Sitting, phone: Phone, state: RoundState
) -> None:
    Round.objects.update(state=state, hands=1)
    make.report(table, WON)
    led_on = "Go to this table’s next round"
    before = phone.reads()
    later = make.sitting(at=make.tournament("briscola", club=act.club_of(table)))
    lacks(before + phone.reads(), led_on)
    assert before.count("Where do I sit next?") == 1
    Sitting.objects.filter(pk=later.pk).update(table=table.table, number=3)
    shows(phone.reads(), led_on)
    assert phone.get(phone.at("table-next")).headers["Location"] == later.get_absolute_url()


@pytest.mark.parametrize(
    ("public", "role", "led_on"),
    [(True, None, True), (False, None, False), (False, Role.MEMBER, True)],
)
def test_a_closed_round_leads_on_to_what_its_reader_may_see(
    client: Client, table: Sitting, *, public: bool, role: Role | None, led_on: bool
) -> None:
    tournament = table.round.tournament
    tournament.club.public = public
    tournament.club.save()
    close_rounds()
    reader = act.sign_in(role, table) if role else client
    page = reader.get(table.get_absolute_url()).text
    links = [tournament.get_absolute_url(), reverse("my-table", args=[tournament.club_id])]
    assert [f'href="{link}"' in page for link in links] == [led_on, True]
    assert [reader.get(link).status_code for link in links] == [200 if led_on else 404, 200]


def test_closed_round_says_how_many_are_in_and_has_no_sheet(phone: Phone) -> None:
    close_rounds()
    page = phone.get(phone.path)
    shows(page, "Round 1 · finished", "No hands are in")
    lacks(page, "data-sheet")
    Round.objects.update(state=RoundState.OPEN)
    for number in (1, 2):
        phone.writes(number, 70, 50)
    close_rounds()
    shows(phone.reads(), "2 of 8 hands are in")

    late = phone.writes(3, 60, 60)  # it is in without counting yet

    shows(late, "Hand 3 came late: it is with the organiser")
    shows(late, reverse("my-table", args=[act.club_of(phone.table).pk]))
    assert Report.objects.latest("pk").verdict == Verdict.LATE
    now = phone.reads()
    shows(now, "2 of 8 hands count so far")
    lacks(now, "of 8 hands are in")


@pytest.mark.parametrize("hands", [1, 8])
def test_closed_round_asks_for_hands_first(table: Sitting, phone: Phone, hands: int) -> None:
    Round.objects.update(hands=hands)
    make.report(table, WON)
    close_rounds()
    actions = phone.get(phone.path).text.split('id="all-in"')[1].split("</section>")[0]
    missing, onwards = "Write down a missing hand", "Where do I sit next?"
    assert ("button primary" in actions) is (hands == 1)
    assert (actions.index(missing) < actions.index(onwards)) is (hands == 8)


def test_round_with_an_undone_hand_ends_with_the_number_of_its_last(phone: Phone) -> None:
    Round.objects.update(hands=2)
    for number in (1, 2):
        phone.writes(number, 70, 50)
    page = phone.takes_back(2)
    shows(page, "Round 1 · Hand 2 of 2")
    [undone] = set(re.findall(r'name="undone" value="(\d+)"', page.text))
    phone.writes(2, 60, 60, undone=undone)
    shows(phone.reads(), "All 2 hands are in")
    assert [hand.number for hand in Hand.objects.filter(struck_at=None)] == [1, 2]


def test_hand_deleted_in_the_middle_is_not_one_too_many(table: Sitting, phone: Phone) -> None:
    """Its number stays used, as others were played after it."""
    Round.objects.update(hands=2)
    for _ in range(2):
        make.report(table, WON)
    act.correct(table, {1: STRIKE})
    page = phone.reads()
    shows(page, "Round 1 · Hand 3 ")
    lacks(page, "3 of 2")


def test_hands_that_nobody_played_are_one_line_at_the_end(table: Sitting, phone: Phone) -> None:
    for _ in range(2):
        make.report(table, WON)
    act.close(table.round, not_played=True, by=make.actor(at=timezone.now()))
    page = phone.reads()
    assert page.count("Round 1 is finished: 2 hands played, 6 not.") == 1
    shows(page, "Hands 3–8 not played", "Say that hand 2 is wrong")
    lacks(page, "are in", "Say that hand 3 is wrong")


def over_for(table: Sitting, **ago: float) -> None:
    """Let the table's round be over for so long, while a later one is played."""
    make.report(table, WON)
    close_rounds(timedelta(**ago))
    make.round_of(table.round.tournament)


def test_a_closed_round_tells_its_table_for_half_an_hour_and_then_where_to_look(
    client: Client, table: Sitting
) -> None:
    path, phone = table.get_absolute_url(), Phone(table)
    over_for(table, minutes=20)
    shows(phone.reads(), "Asha")
    close_rounds(timedelta(minutes=31))
    make.round_of(table.round.tournament)

    sent = {"entry": ENTRY, "number": 2, "eaten_0": "x"}
    pages = [
        client.get(path),
        client.post(path, sent),
        client.post(path, {**sent, "how": "count"}),
        client.post(phone.at("table-check"), sent),
        client.get(phone.at("enter-wins")),
        client.get(phone.at("table-next"), follow=True),
    ]

    for page in pages:
        assert page.status_code == 200
        lacks(page, *PEOPLE)
    shows(pages[0], "Round 1 is over", reverse("my-table", args=[act.club_of(table).pk]))
    shows(pages[1], "Tell the organiser what was played.")
    assert "kula_tables" not in client.cookies


def test_hand_typed_before_gets_in_but_no_flood_nor_query(table: Sitting, phone: Phone) -> None:
    over_for(table, hours=2)
    most = 2 * (table.round.hands or 0)
    phone.post(phone.at("table-query", 1), {"note": "really?"})
    assert not Issue.objects.exists()
    answers = [phone.writes(number, 70, 50) for number in range(2, 60)]
    shows(answers[0], "Sent late; waiting for the organiser.")
    assert [len(answer.redirect_chain) for answer in answers] == [1] * most + [0] * (58 - most)
    shows(answers[-1], "Enough came late from this table.")
    assert Report.objects.filter(verdict=Verdict.LATE).count() == most
    assert {issue.kind for issue in Issue.objects.all()} == {IssueKind.LATE}


@pytest.mark.parametrize(("hours", "over"), [(1, False), (13, True)])
def test_the_last_round_is_quiet_by_the_morning(phone: Phone, hours: int, *, over: bool) -> None:
    close_rounds(timedelta(hours=hours))
    assert ("Asha" not in phone.reads()) is over


def test_withdrawn_and_unknown_addresses_say_where_to_go(client: Client, phone: Phone) -> None:
    Sitting.objects.update(token_state=TokenState.REVOKED)
    for path in (phone.path, phone.at("table-check")):
        page = client.post(path, {"number": 1})
        assert page.status_code == 410
        shows(page, "Scan the table’s card again")
    unknown = reverse("table", args=["forged"])
    for page in (client.get(unknown), client.post(unknown)):
        assert page.status_code == 404
        shows(page, "Scan the card on your table again")


# Said before it is saved ----------------------------------------------------------------------


def test_check_says_what_a_sheet_comes_to_and_stores_nothing(phone: Phone) -> None:
    def checked(ours: int, theirs: int) -> Any:
        sent = {"entry": ENTRY, "number": 1, "eaten_0": ours, "eaten_1": theirs}
        return phone.post(phone.at("table-check"), sent)

    right = checked(110, 10)
    shows(right, "Asha & Juma win · 2 victory points", "Neema & Baraka are under 20", "110–10")
    shows(right, 'data-brief="Asha &amp; Juma win · 2 VP"')
    shows(checked(70, 48), 'data-told="bad"', "Is a Queen missing?")
    assert not Report.objects.exists()


# A pile of eaten cards, counted without a script ----------------------------------------------


def counts(phone: Phone, **sent: Any) -> Any:
    return phone.writes(1, **{"how": "count", **sent})


def values(page: Any, *fields: str) -> list[object]:
    return [page.context["form"][field].value() for field in fields]


@pytest.mark.every_game
@pytest.mark.parametrize("game", catalogue.GAMES)
def test_a_pile_is_offered_where_cards_are_counted(client: Client, game: str) -> None:
    page = client.get(make.sitting(at=make.tournament(game)).get_absolute_url())
    assert ("data-pile" in page.text) is bool(catalogue.GAMES[game].countable)


@pytest.mark.parametrize(
    ("sent", "points", "eaten"),
    [
        ({"pile_side": "1", "pile": ["AS", "7H", "AS"], "eaten_0": "50"}, 21, ["50", "21"]),
        ({"pile": ["AS"], "eaten_0": "x"}, 11, ["x", None]),  # without a side it only counts
        ({"pile": ["9Z", "\x00", ""]}, 0, [None, None]),
        ({"pile_side": "7"}, 0, [None, None]),
        ({}, 0, [None, None]),
    ],
)
def test_a_pile_is_counted_into_the_sheet_and_nothing_is_stored(
    phone: Phone, sent: dict[str, Any], points: int, eaten: list[object]
) -> None:
    page = counts(phone, **sent)
    assert page.context["pile"].points == points
    assert values(page, "eaten_0", "eaten_1") == eaten
    lacks(page, 'role="alert"')
    assert not Report.objects.exists()


def test_where_nothing_is_counted_the_sheet_stays_as_it_was() -> None:
    page = counts(phone_at("dalmuti", "4i"), order_0="1")
    assert (values(page, "order_0"), page.context["pile"]) == (["1"], None)


def test_the_pile_is_still_there_when_the_sheet_is_refused(phone: Phone) -> None:
    page = counts(phone, how="save", pile=["AS"], eaten_0="70", eaten_1="48")
    shows(page, 'role="alert"')
    assert page.context["pile"].points == 11
