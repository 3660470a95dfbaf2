"""Files of the site as an app on a phone: manifest, service worker, page without a network.

Browsers install a site only over https, so a hall on plain http uses none of this.
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

# The service worker. Its text has the hashes of all files, so that every change of a file changes
# the script, and browsers replace the worker.
_SCRIPT = 'import {{ work }} from "{module}";\nwork({facts});\n'
# File, size and purpose of each, as the manifest has them.
_ICONS = (
    ("tracker/icon-192.png", "192x192", "any"),
    ("tracker/icon-512.png", "512x512", "any"),
    ("tracker/icon-maskable.png", "512x512", "maskable"),
)
# Endings of files that the worker does not store on the phone: those of pages that need a network
# anyway (display, practice), and icons, which the installed app has.
_NOT_STORED = ("display.css", "practice.css", ".png")


def _manifest_content() -> dict[str, object]:
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
            {"src": static(name), "sizes": sizes, "type": "image/png", "purpose": purpose}
            for name, sizes, purpose in _ICONS
        ],
    }


@require_safe
def manifest(_: HttpRequest) -> HttpResponse:
    return JsonResponse(_manifest_content(), content_type="application/manifest+json")


@require_safe
def worker(_: HttpRequest) -> HttpResponse:
    """Return the service worker of this version; 404 if file names contain no hashes."""
    hashed: dict[str, str] = getattr(staticfiles_storage, "hashed_files", {})
    files = [
        static(name)
        for name in sorted(hashed)
        if name.startswith("tracker/") and not name.endswith(_NOT_STORED)
    ]
    if not files:
        return HttpResponse(status=404)
    version = hashlib.sha256(json.dumps([files, _manifest_content()]).encode())
    facts = {
        "version": version.hexdigest()[:16],
        "files": files,
        "folder": settings.STATIC_URL,
        "manifest": reverse("manifest"),
        "noNetwork": reverse("no-network"),
        # After a POST to these the worker deletes the pages that it stored.
        "leaving": [reverse("sign-in"), reverse("sign-out")],
    }
    script = _SCRIPT.format(module=static("tracker/worker.js"), facts=json.dumps(facts))
    return HttpResponse(script, content_type="text/javascript; charset=utf-8")


@require_safe
def no_network(request: HttpRequest) -> HttpResponse:
    """Show the page that the worker shows instead of one that is not on the phone."""
    return render(request, "site/no_network.html")


urlpatterns = [
    path("kula.webmanifest", manifest, name="manifest"),
    path("worker.js", worker, name="worker"),
    path("no-network/", no_network, name="no-network"),
]
