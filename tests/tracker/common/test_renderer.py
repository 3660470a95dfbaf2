"""Widgets written in Python say what Django's own templates say."""

import pytest
from django import forms
from django.forms.renderers import TemplatesSetting
from django.test import Client
from django.test.html import parse_html
from django.utils.safestring import mark_safe

from games import catalogue
from tests import make
from tracker.common.web.renderer import Renderer

HOSTILE = "<b>\"'&amp;"
CHOICES = [
    ("", "–"),
    ("1", HOSTILE),
    (2, mark_safe("<i>two</i>")),
    ("More", [("3", 3), (4, "vier")]),
]


class Everything(forms.Form):
    text = forms.CharField(
        initial=HOSTILE, max_length=20, widget=forms.TextInput(attrs={"data-a": True})
    )
    hidden = forms.CharField(initial="1.5", widget=forms.HiddenInput)
    number = forms.IntegerField(initial=1234567, min_value=0)
    share = forms.DecimalField(initial=0.5, localize=True)
    email = forms.EmailField(required=False)
    password = forms.CharField(initial="x", widget=forms.PasswordInput(attrs={"autofocus": False}))
    many_words = forms.CharField(widget=forms.Textarea)
    tick = forms.BooleanField(initial=True)
    choice = forms.ChoiceField(choices=CHOICES, initial=2)
    radio = forms.ChoiceField(
        choices=CHOICES, initial="1", widget=forms.RadioSelect(attrs={"class": "a b"})
    )
    several = forms.MultipleChoiceField(
        choices=CHOICES, widget=forms.CheckboxSelectMultiple, initial=["3"]
    )
    list = forms.MultipleChoiceField(choices=CHOICES, initial=["1", "4"])
    day = forms.DateField(widget=forms.DateInput(attrs={"type": "date"}))
    moment = forms.SplitDateTimeField()


@pytest.mark.parametrize("data", [None, {"text": "", "choice": "9", "radio": "3", "number": "x"}])
@pytest.mark.parametrize("name", list(Everything.base_fields))
def test_every_widget_is_as_django_writes_it(name: str, data: dict[str, str] | None) -> None:
    ours = Everything(data, renderer=Renderer())[name]
    theirs = Everything(data, renderer=TemplatesSetting())[name]

    assert parse_html(str(ours)) == parse_html(str(theirs))
    assert [parse_html(str(part)) for part in ours] == [parse_html(str(part)) for part in theirs]


@pytest.mark.django_db
def test_a_tables_page_leaves_nothing_to_djangos_templates(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[str] = []

    def note(_renderer: TemplatesSetting, name: str, *_: object) -> str:
        left.append(name)
        return ""

    monkeypatch.setattr(TemplatesSetting, "render", note)

    for game in catalogue.GAMES:
        page = client.get(make.sitting(at=make.tournament(game)).get_absolute_url())
        assert "<select" in page.text

    assert left == []
