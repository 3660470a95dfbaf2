"""Unknown dealers: of hands whose table drew for the first deal and did not report who got it.

Until now the first place stood there as the dealer. Those hands are told by their sheets: no
playing order was known before them or is written in them, and nobody named a dealer.
"""

from collections import defaultdict
from collections.abc import Collection
from typing import Any

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import F, Max, Q


def forget_invented_dealers(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Clear the dealer of hands for which none was named."""
    hands = apps.get_model("tracker", "Hand").objects
    drawn = hands.filter(
        sitting__round__tournament__game="dalmuti",
        session_before__order=None,
    ).exclude(sheet__has_key="opening")
    tournaments = set()
    for hand in drawn.select_related("accepted_report", "sitting__round"):
        named = hand.accepted_report.sheet.get("dealer") is not None
        chosen = hand.dealer != hand.session_before["dealer"]  # by the table itself
        if not named and not chosen:
            _take_out_of_the_sums(apps, hand)
            hands.filter(pk=hand.pk).update(dealer=None, sheet={**hand.sheet, "dealer": None})
            tournaments.add(hand.sitting.round.tournament_id)
    _remember_who_dealt(apps, tournaments)


def _take_out_of_the_sums(apps: StateApps, hand: Any) -> None:
    if hand.struck_at is not None or hand.result_type or hand.sitting.round.state == "undone":
        return
    keys = ["dealt", "opened"] if hand.number == 1 else ["dealt"]
    of_seats = apps.get_model("tracker", "SeatTally").objects.filter(key__in=keys)
    of_entrants = apps.get_model("tracker", "Tally").objects.filter(key__in=keys)
    stays = Q(to_hand=None) | Q(to_hand__gte=hand.number)
    for seat in hand.sitting.seats.filter(stays, place=hand.dealer, from_hand__lte=hand.number):
        of_seats.filter(seat=seat).update(amount=F("amount") - 1)
        of_entrants.filter(entrant=seat.entrant_id).update(amount=F("amount") - 1)


def _remember_who_dealt(apps: StateApps, tournaments: Collection[int]) -> None:
    """Recalculate for later tables how long ago each player dealt, as the ledger's memory does."""
    hands = apps.get_model("tracker", "Hand").objects
    sittings = apps.get_model("tracker", "Sitting").objects
    for tournament in tournaments:
        dealt: dict[int, list[tuple[int, int]]] = defaultdict(list)
        rows = hands.filter(
            Q(sitting__seats__to_hand=None) | Q(sitting__seats__to_hand__gte=F("number")),
            sitting__seats__from_hand__lte=F("number"),
            sitting__seats__place=F("dealer"),
            sitting__round__tournament=tournament,
            struck_at=None,
            result_type="",
        ).exclude(sitting__round__state="undone")
        keys = ("sitting__seats__player", "sitting__round__number")
        for player, *when in rows.order_by().values_list(*keys).annotate(last=Max("number")):
            dealt[player].append((when[0], when[1]))
        played = sittings.filter(round__tournament=tournament).exclude(round__state="undone")
        for sitting in played.select_related("round"):
            seats = sitting.seats.order_by("place", "-from_hand")
            first = dict(seats.values_list("place", "player"))
            last = [
                max(
                    (when for when in dealt[player] if when[0] < sitting.round.number), default=None
                )
                for player in first.values()
            ]
            times = sorted({when for when in last if when is not None})
            known = [None if when is None else times.index(when) - len(times) for when in last]
            sittings.filter(pk=sitting.pk).update(dealt_before=known)


class Migration(migrations.Migration):
    dependencies = [("tracker", "0010_moments_of_this_age")]
    operations = [
        migrations.AlterField(
            model_name="hand",
            name="dealer",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddConstraint(
            model_name="hand",
            constraint=models.CheckConstraint(
                condition=Q(dealer__isnull=False) | Q(sheet__has_key="dealer", sheet__dealer=None),
                name="hand_dealer_unknown_by_its_sheet",
            ),
        ),
        migrations.RunPython(forget_invented_dealers, migrations.RunPython.noop),
    ]
