"""Django admin of the site: users and memberships to change, the rest read-only.

The services lock and log each change and update the sums, which a change here would leave wrong.
"""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.db.models import Model
from django.http import HttpRequest

from tracker.models import (
    Club,
    Hand,
    Issue,
    LogEntry,
    Membership,
    Player,
    Report,
    Round,
    Sitting,
    Team,
    Tournament,
    User,
)

admin.site.site_header = admin.site.site_title = "Kula"


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]  # not generic at run time
    show_full_result_count = False  # counting takes long

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False


class SiteOwnerGuarded(admin.ModelAdmin):  # type: ignore[type-arg]
    """Admin in which only a superuser can change, delete or appoint superusers."""

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and _may_touch(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and _may_touch(request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        fields = super().get_readonly_fields(request, obj)
        if self.model is not User or request.user.is_superuser:
            return fields
        return [*fields, "is_staff", "is_superuser", "groups", "user_permissions"]


def _may_touch(request: HttpRequest, row: User | Membership | None) -> bool:
    """Return whether the row may be changed: that of a superuser only by a superuser."""
    user = row.user if isinstance(row, Membership) else row
    return bool(request.user.is_superuser or user is None or not user.is_superuser)


@admin.register(User)
class GuardedUserAdmin(SiteOwnerGuarded, UserAdmin):  # type: ignore[type-arg]
    pass


@admin.register(Membership)
class MembershipAdmin(SiteOwnerGuarded):
    list_display = ["user", "role", "club"]
    list_filter = ["role", "club"]
    list_select_related = ["user", "club"]


def _register(
    models: type[Model] | list[type[Model]], columns: list[str], joined: list[str], **options: Any
) -> None:
    """Register read-only pages; their lists have *columns*, and *joined* come in the same query."""
    admin.site.register(
        models, ReadOnly, list_display=columns, list_select_related=joined, **options
    )


# The rows that the name of a sitting needs, to be joined.
_OF_SITTING = ["sitting__round__tournament"]

_register(Club, ["name", "public"], [])
_register([Player, Team], ["name", "club"], ["club"], search_fields=["name"])
_register(Tournament, ["name", "club", "game", "created_at", "official_at"], ["club"])
_register(Round, ["tournament", "number", "state", "opened_at", "closed_at"], ["tournament"])
_register(
    Sitting,
    ["round", "number", "mode", "last_number", "over"],
    ["round__tournament"],
    exclude=["token"],  # the key to the table
)
_register(Hand, ["sitting", "number", "kind", "confirmed_at", "struck_at"], _OF_SITTING)
_register(Report, ["received_at", "sitting", "number", "verdict", "device"], _OF_SITTING)
_register(Issue, ["raised_at", "sitting", "number", "kind", "settled_at", "outcome"], _OF_SITTING)
_register(LogEntry, ["at", "club", "user", "verb"], ["club", "user"], list_filter=["verb"])
