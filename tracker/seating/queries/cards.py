"""Where the lasting card of a table leads."""

from django.db.models import QuerySet

from tracker.models import RoundState, Sitting, Table, TokenState


def table_of_card(card_token: str) -> Table | None:
    """Return the table whose card has this address, with the club it belongs to."""
    return _tables().filter(card_token=card_token).first()


def table_of_code(code: str) -> Table | None:
    """Return the table whose card has this code, however it was typed."""
    return _tables().filter(code="".join(code.split()).upper()).first()


def sitting_there_now(table: Table) -> Sitting | None:
    """Return the sitting that plays at the table now: of the round opened last."""
    return (
        Sitting.objects.filter(
            table=table, round__state=RoundState.OPEN, token_state=TokenState.OPEN
        )
        .order_by("-started_at", "-pk")
        .first()
    )


def _tables() -> QuerySet[Table]:
    return Table.objects.select_related("tournament__club", "night__club")
