"""Django admin of the site: users and memberships to change, the rest read-only.

Only who may sign in, and what for, is changed here. Everything else is read: the
services keep sums, locks and the log, and a change past them would make these lie.
"""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
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


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]  # not a generic at run time
    """Read-only admin: no adding, changing or deleting."""

    show_full_result_count = False

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


@admin.register(Club)
class ClubAdmin(ReadOnly):
    list_display = ["name", "public"]


@admin.register(Player, Team)
class NamedAdmin(ReadOnly):
    list_display = ["name", "club"]
    list_select_related = ["club"]
    search_fields = ["name"]


@admin.register(Tournament)
class TournamentAdmin(ReadOnly):
    list_display = ["name", "club", "game", "created_at", "official_at"]
    list_select_related = ["club"]


@admin.register(Round)
class RoundAdmin(ReadOnly):
    list_display = ["tournament", "number", "state", "opened_at", "closed_at"]
    list_select_related = ["tournament"]


@admin.register(Sitting)
class SittingAdmin(ReadOnly):
    # Not its token: that is the key to the table.
    list_display = ["round", "number", "mode", "last_number", "over"]
    list_select_related = ["round__tournament"]
    exclude = ["token"]


@admin.register(Hand)
class HandAdmin(ReadOnly):
    list_display = ["sitting", "number", "kind", "confirmed_at", "struck_at"]
    list_select_related = ["sitting__round__tournament"]


@admin.register(Report)
class ReportAdmin(ReadOnly):
    list_display = ["received_at", "sitting", "number", "verdict", "device"]
    list_select_related = ["sitting__round__tournament"]


@admin.register(Issue)
class IssueAdmin(ReadOnly):
    list_display = ["raised_at", "sitting", "number", "kind", "settled_at", "outcome"]
    list_select_related = ["sitting__round__tournament"]


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnly):
    list_display = ["at", "club", "user", "verb"]
    list_select_related = ["club", "user"]
    list_filter = ["verb"]
