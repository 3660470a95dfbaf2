"""Confidence: how sure a share is that was counted."""

from random import Random

import pytest

from tests.lab.confidence import share_of


def test_nothing_counted_says_nothing() -> None:
    assert (share_of([]).counted, share_of([(0, 0)]).low, share_of([]).high) == (0.5, 0, 1)


def test_trials_of_their_own_have_wilsons_interval() -> None:
    share = share_of([(1, 1)] * 50 + [(0, 1)] * 50)
    assert share.counted == 0.5
    assert (share.low, share.high) == pytest.approx((0.4038, 0.5962), abs=0.001)


def test_hands_that_always_come_out_alike_count_once_and_opposites_cancel_out() -> None:
    apart = share_of([(1, 1)] * 60 + [(0, 1)] * 40)
    alike = share_of([(2, 2)] * 30 + [(0, 2)] * 20)
    opposite = share_of([(1, 2)] * 40 + [(2, 2)] * 10)
    assert apart.counted == alike.counted == opposite.counted == 0.6
    assert alike.high - alike.low > apart.high - apart.low > opposite.high - opposite.low


def test_an_interval_never_leaves_what_can_be() -> None:
    for won in (0, 2):
        share = share_of([(won, 2)] * 5)
        assert 0 <= share.low <= share.counted <= share.high <= 1


def test_the_true_share_is_in_nineteen_of_twenty_intervals() -> None:
    rng = Random(1)
    held = 0
    for _ in range(400):
        # Two hands a deal, and more often than not the deal decides both.
        groups = []
        for _ in range(60):
            first = rng.random() < 0.6
            second = first if rng.random() < 0.5 else rng.random() < 0.6
            groups.append((first + second, 2))
        share = share_of(groups)
        held += share.low <= 0.6 <= share.high
    assert 0.92 < held / 400 < 0.98
