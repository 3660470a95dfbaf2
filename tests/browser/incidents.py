"""What goes wrong at tables on an evening, and how their people put it right."""

from random import Random

from playwright.sync_api import expect

from tests.browser import phones
from tests.browser.evening import TableNow, count, hand
from tests.browser.packs import PAIRS, Count, albastini, albastini_where, by_one, by_two, without


def a_queen_missing(at: TableNow, rng: Random) -> None:
    """Count without a Queen: the sentence says so, and nothing is stored (S11c)."""
    counted = albastini_where(rng, PAIRS, lambda count: max(count.eaten) < 110)
    _refused(at, without(counted, 2), "The totals make 118, not 120: 2 too few. Is a Queen missing")
    count(at, counted)


def one_point(at: TableNow, rng: Random) -> None:
    """Write down a total that no cards make (S11d)."""
    _refused(at, (119, 1), "No cards are worth exactly 1 point: it is 0, or 2 or more.")
    hand(at, rng)


def _refused(at: TableNow, totals: tuple[int, ...], sentence: str) -> None:
    number = at.coming
    phones.write(at.phone, at.table, totals)
    phones.save(at.phone)
    phones.expect_refused(at.phone, sentence)
    for side, eaten in enumerate(totals):
        field = phones.total(at.phone, at.table.called(side))
        expect(field).to_have_value(str(eaten))  # nothing typed is lost
    at.phone.goto(at.phone.url.partition("?")[0])
    phones.expect_turn(at.phone, at.table)
    expect(at.phone.get_by_text(f"Hand {number}:")).to_have_count(0)


def a_tie(at: TableNow, rng: Random) -> None:
    """Play a hand that nobody wins (R10)."""
    count(at, albastini_where(rng, PAIRS, lambda count: count.top is None))


def the_other_deals(at: TableNow, rng: Random) -> None:
    """Win a hand, and let the partner deal the next instead (A-13: any of the winners may)."""
    hand_won = albastini_where(rng, PAIRS, by_one(PAIRS, 1))
    count(at, hand_won)
    (partner,) = [name for name in at.table.may_deal() if name != at.table.deals]
    at.phone.get_by_role("button", name=f"{partner} deals instead").click()
    at.table.chosen = partner
    phones.expect_turn(at.phone, at.table)


def agreed(at: TableNow, rng: Random) -> None:
    """Report from two phones of two sides what is the same.

    Both have typed before one saves: an untouched sheet becomes the next hand's by itself.
    """
    counted = albastini(rng, PAIRS)
    number = at.coming
    at.other.goto(at.other.url.partition("?")[0])
    for side, phone in enumerate((at.phone, at.other)):
        phones.write(phone, at.table, counted.eaten)
        phones.speak_for(phone, at.table.called(side))
    for phone in (at.phone, at.other):
        phones.save(phone)
        phones.expect_saved(phone, number)
    expect(at.other.get_by_text("your counts agree")).to_be_visible()
    at.table.write(counted)


def two_counts(at: TableNow, rng: Random) -> None:
    """Let two phones count differently, and leave it open; the first counts for now."""
    mine, other = _different(rng)
    number = at.coming
    at.other.goto(at.other.url.partition("?")[0])
    phones.write(at.other, at.table, other.eaten)
    count(at, mine)
    phones.save(at.other)
    question = f"Is this hand {number}, or the next?"
    expect(at.other.get_by_role("heading", name=question)).to_be_visible()
    at.other.get_by_role("button", name=f"It is hand {number}: we count differently").click()
    expect(at.other.get_by_text("both counts are kept")).to_be_visible()
    at.table.disputed[number] = other


def two_counts_settled(at: TableNow, rng: Random) -> None:
    """Let two phones count differently, and agree at the table that the second is right."""
    number = at.coming
    two_counts(at, rng)
    at.phone.goto(at.phone.url.partition("?")[0])
    phones.settle_two_counts(at.phone, "Take this one")
    at.table.amend(number, at.table.disputed.pop(number))


def the_next_after_all(at: TableNow, rng: Random) -> None:
    """Report from a phone that lags: what looks like another count is the next hand.

    It was typed before the other hand came: an untouched sheet becomes the next one's by itself.
    """
    at.other.goto(at.other.url.partition("?")[0])
    following = albastini(rng, PAIRS)
    phones.write(at.other, at.table, following.eaten)
    count(at, albastini_where(rng, PAIRS, lambda count: count.eaten != following.eaten))
    phones.save(at.other)
    at.other.get_by_role("button", name="It is the next").click()
    phones.expect_saved(at.other, at.coming)
    at.table.write(following)
    at.phone.goto(at.phone.url.partition("?")[0])


def it_will_not_add_up(at: TableNow, rng: Random) -> None:
    """Leave to the organiser a hand whose totals do not add up; only who won is known."""
    counted = albastini_where(rng, PAIRS, by_two(PAIRS, 0))
    number = at.coming
    phones.write(at.phone, at.table, without(counted, 4))
    phones.save(at.phone)
    phones.expect_refused(at.phone, "Is a King missing")
    phones.park(at.phone, at.table.called(0))
    phones.expect_saved(at.phone, number)
    expect(at.phone.get_by_text("is with the organiser")).to_be_visible()
    at.table.write_winner(0)
    at.table.disputed[number] = counted


def _different(rng: Random) -> tuple[Count, Count]:
    """Return two counts of one hand that different sides win."""
    first = albastini_where(rng, PAIRS, by_one(PAIRS, 0))
    return first, albastini_where(rng, PAIRS, by_two(PAIRS, 1))
