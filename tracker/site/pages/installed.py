"""The site installed on a phone: manifest, service worker, and the page shown without a network.

Browsers install a site only over https, so none of this is used on a hall's plain http.
"""

import hashlib
import json

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import path, reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

# The module named here is the worker; whatever changes in a file changes this script, and so replaces it.
_SCRIPT = 'import {{ work }} from "{module}";\nwork({facts});\n'
_ICONS = (
    ("icon-192.png", "192x192", "any"),
    ("icon-512.png", "512x512", "any"),
    ("icon-maskable.png", "512x512", "maskable"),
)
# Where there are walls and bots, there is a network; icons are the installed site's own.
_NOT_AT_TABLES = ("display.css", "practice.css", ".png")


def manifest_content() -> dict[str, object]:
    """Return the content of the web app manifest."""
    return {
        "id": "/",
        "name": "Kula",
        "short_name": "Kula",
        "description": gettext("Cards at the club"),
        "start_url": reverse("home"),
        "scope": "/",
        "display": "standalone",
        "background_color": "#083f38",
        "theme_color": "#083f38",
        "icons": [
            {
                "src": static(f"tracker/{name}"),
                "sizes": sizes,
                "type": "image/png",
                "purpose": purpose,
            }
            for name, sizes, purpose in _ICONS
        ],
    }


@require_safe
def manifest(_: HttpRequest) -> HttpResponse:
    """Say what the installed site is called and looks like."""
    return JsonResponse(manifest_content(), content_type="application/manifest+json")


def shell_files() -> list[str]:
    """Return the addresses of what a table's page needs; none if no names were given for ever."""
    named: dict[str, str] = getattr(staticfiles_storage, "hashed_files", {})
    return [
        static(name)
        for name in sorted(named)
        if name.startswith("tracker/") and not name.endswith(_NOT_AT_TABLES)
    ]


@require_safe
def worker(_: HttpRequest) -> HttpResponse:
    """Return the worker of this version: 404 where files have no names by which they never change."""
    files = shell_files()
    if not files:
        return HttpResponse(status=404)
    version = hashlib.sha256(json.dumps([files, manifest_content()]).encode())
    facts = {
        "version": version.hexdigest()[:16],
        "files": files,
        "folder": settings.STATIC_URL,
        "manifest": reverse("manifest"),
        "noNetwork": reverse("no-network"),
        "leaving": [reverse("sign-in"), reverse("sign-out")],
    }
    script = _SCRIPT.format(module=static("tracker/worker.js"), facts=json.dumps(facts))
    return HttpResponse(script, content_type="text/javascript; charset=utf-8")


@require_safe
def no_network(request: HttpRequest) -> HttpResponse:
    """Show the page that the worker puts in place of one that the phone does not have."""
    return render(request, "site/no_network.html")


urlpatterns = [
    path("kula.webmanifest", manifest, name="manifest"),
    path("worker.js", worker, name="worker"),
    path("no-network/", no_network, name="no-network"),
]
