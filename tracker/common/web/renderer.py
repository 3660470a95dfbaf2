"""A form renderer and a select that write widgets in Python, as Django's templates would.

Django renders every option by two includes, which takes three quarters of the time of a table page
with a choice of cards. All other widgets use Django's templates.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from html import escape
from typing import Any, TypeAlias

from django.forms import Select
from django.forms.renderers import TemplatesSetting
from django.http import HttpRequest
from django.utils.safestring import SafeString

from tracker.common.columns import shown

# Django's context of a widget: its name, type, value, attributes and options.
_Widget: TypeAlias = Mapping[str, Any]


class Renderer(TemplatesSetting):
    """Django's renderer, faster for inputs and choices."""

    def render(
        self, template_name: str, context: dict[str, Any], request: HttpRequest | None = None
    ) -> str:
        """Return the markup of a widget, or of a form."""
        if write := _WRITERS.get(template_name):
            return write(context["widget"])
        return super().render(template_name, context, request)


class CachedSelect(Select):
    """A select of choices that many forms have: its options are written once for all of them."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:  # noqa: ARG002
        options = _written_options(tuple(self.choices))
        for chosen in self.format_value(value):
            option = f'<option value="{_text(chosen)}"'
            options = options.replace(f"{option}>", f"{option} selected>")
        widget_attrs = _attributes({"attrs": self.build_attrs(self.attrs, attrs)})
        return SafeString(f'<select name="{escape(name)}"{widget_attrs}>{options}</select>')


@lru_cache(maxsize=64)
def _written_options(choices: tuple[tuple[Any, Any], ...]) -> str:
    return "".join(
        _option({"value": value, "label": label, "attrs": {}}) for value, label in choices
    )


def _attributes(widget: _Widget) -> str:
    """Return a widget's attributes; ``True`` writes one without a value, and ``False`` none."""
    return "".join(
        f" {name}" if value is True else f' {name}="{_text(value)}"'
        for name, value in widget["attrs"].items()
        if value is not False
    )


def _text(value: object) -> str:
    """Return an escaped value, not localised: a browser sends it back as it is."""
    return shown(value if isinstance(value, str) else str(value))


def _input(widget: _Widget) -> str:
    value = "" if widget["value"] is None else f' value="{_text(widget["value"])}"'
    opening = f'<input type="{widget["type"]}" name="{escape(widget["name"])}"'
    return f"{opening}{value}{_attributes(widget)}>"


def _select(widget: _Widget) -> str:
    options = _grouped(widget, '<optgroup label="{}">', "{}", "</optgroup>", _option)
    return f'<select name="{escape(widget["name"])}"{_attributes(widget)}>{options}</select>'


def _option(widget: _Widget) -> str:
    label = shown(widget["label"])
    return f'<option value="{_text(widget["value"])}"{_attributes(widget)}>{label}</option>'


def _choices(widget: _Widget) -> str:
    # As in Django's template, the outer element has these two attributes only.
    given = {name: widget["attrs"].get(name) for name in ("id", "class")}
    attributes = "".join(f' {name}="{_text(value)}"' for name, value in given.items() if value)
    choices = _grouped(widget, "<div><label>{}</label>", "<div>{}</div>", "</div>", _choice)
    return f"<div{attributes}>{choices}</div>"


def _choice(widget: _Widget) -> str:
    if not widget["wrap_label"]:
        return _input(widget)
    input_id = widget["attrs"].get("id")
    opening = f'<label for="{_text(input_id)}">' if input_id else "<label>"
    return f"{opening}{_input(widget)} {shown(widget['label'])}</label>"


def _grouped(
    widget: _Widget, opening: str, around: str, closing: str, write: Callable[[_Widget], str]
) -> str:
    """Return the options, each in *around*; a named group is between *opening* and *closing*."""
    return "".join(
        (opening.format(shown(group)) if group else "")
        + "".join(around.format(write(option)) for option in options)
        + (closing if group else "")
        for group, options, _index in widget["optgroups"]
    )


_WRITERS: Mapping[str, Callable[[_Widget], str]] = {
    f"django/forms/widgets/{name}.html": write
    for write, names in (
        (_input, ("input", "text", "number", "hidden", "email", "url", "password", "date", "time")),
        (_select, ("select",)),
        (_choices, ("radio", "checkbox_select")),
        (_choice, ("radio_option", "checkbox_option")),
        (_input, ("checkbox",)),
    )
    for name in names
}
