"""Link previews of pages; only those of public clubs have one."""

from dataclasses import dataclass

from django.http import HttpRequest

from tracker.common import poster
from tracker.common.web.addresses import reachable
from tracker.models import Club


@dataclass(frozen=True, slots=True)
class LinkPreview:
    """The words and the picture of a link, with whole addresses, for ``parts/preview.html``."""

    title: str
    says: str
    address: str
    picture: str  # "" without one
    width: int = poster.WIDTH
    height: int = poster.HEIGHT


def preview(
    request: HttpRequest, club: Club, *, title: str, says: str, picture: str = ""
) -> LinkPreview | None:
    """Return what a link to this page shows; *picture* is a path. A private club shows nothing."""
    if not club.public:
        return None
    return LinkPreview(
        title, says, reachable(request, request.path), picture and reachable(request, picture)
    )
