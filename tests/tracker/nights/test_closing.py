"""A round is closed while its last hand is on the way."""

from concurrent.futures import ThreadPoolExecutor, wait

import pytest
from django.db import connections, transaction

from tests import make
from tracker.models import Round, RoundState
from tracker.nights.services.closing import close_round


@pytest.mark.django_db(transaction=True)
def test_closing_waits_for_the_hand_that_is_being_reported() -> None:
    tournament = make.tournament(hands=1)
    sittings = [make.sitting(at=tournament, number=number) for number in (1, 2)]
    make.report(sittings[0], {"eaten": [70, 50]})

    def close() -> Round:
        try:
            return close_round(round_id=sittings[0].round_id, by=make.actor())
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as desk:
        with transaction.atomic():
            make.report(sittings[1], {"eaten": [50, 70]})
            closing = desk.submit(close)
            done, _waiting = wait([closing], timeout=0.5)
            assert not done  # it neither refuses nor closes past the hand
        closed = closing.result(timeout=30)

    assert closed.state == RoundState.CLOSED
    assert closed.published_standing is not None
    assert closed.published_standing["missing"] == []
