"""Looking at a hand that was written down, step by step. Nothing of it is stored."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.errors import RuleError
from tracker.common.web.parameters import number_in
from tracker.common.wording import NAMELESS, say
from tracker.practice.forms.replay import RecordForm
from tracker.practice.replay_page import replay_page, written_hand


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def replay(request: HttpRequest) -> HttpResponse:
    """Ask for a written hand, and show the state of it that was asked for."""
    if request.method != "POST":
        return render(request, "practice/replay/paste.html", {"form": RecordForm()})
    form = RecordForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            written = written_hand(form.text_sent(), number_in(request.POST.get("hand", "")) or 0)
        except RuleError as refusal:
            form.add_error("text", say(refusal, NAMELESS))
        else:
            step = number_in(request.POST.get("step", "")) or 0
            context = {
                "page": replay_page(written.replayed, written.names, step),
                "written": written,
                "text": form.text_sent(),
                "places": range(written.many),
            }
            return render(request, "practice/replay/hand.html", context)
    return render(request, "practice/replay/paste.html", {"form": form})
