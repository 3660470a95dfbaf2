"""Put a night into a served site on which two tables of a tournament are played.

Run in a process of its own, as ``laid`` is: it prints where everything is.
"""

import json

import django

ORGANISER = ("runs-the-night", "cards")
SIDES = ("Asha & Juma", "Neema & Baraka")


def main() -> None:
    django.setup()
    # Models can be imported only now.
    from django.urls import reverse
    from django.utils import timezone

    from tests import make
    from tracker.models import Role

    club = make.club("Playing now")
    make.user(ORGANISER[0], role=Role.ORGANISER, club=club)
    night = make.night(club, starts_at=timezone.now())
    cup = make.tournament(club=club, hands=12)
    round_ = make.round_of(cup, night=night, opened_at=timezone.now())
    first = make.sitting("Asha", "Neema", "Juma", "Baraka", in_round=round_)
    make.sitting("Rehema", "Said", "Tatu", "Upendo", in_round=round_)
    make.report(first, {"eaten": [60, 60]})
    paths = {
        "table": first.get_absolute_url(),
        "standings": cup.get_absolute_url(),
        "dealers": reverse("dealers", args=[cup.pk]),
        "desk": reverse("desk", args=[cup.pk]),
        "night": night.get_absolute_url(),
        "front": club.get_absolute_url(),
        "display": reverse("tournament-display", args=[cup.pk]),
    }
    print(json.dumps(paths))


if __name__ == "__main__":
    main()
