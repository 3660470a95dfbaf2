"""Days are written in one way on every page."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
CODE = sorted(
    file
    for part in ("games", "tracker")
    for file in (ROOT / part).rglob("*.py")
    if "migrations" not in file.parts
)


def test_days_are_written_in_one_way() -> None:
    """By Django's named formats, which ``config/formats`` fills in: ``DATE_FORMAT`` and its kin."""
    named = re.compile(
        r"(?:date|time):\"(?:(?:SHORT_)?DATE(?:TIME)?_FORMAT|MONTH_DAY_FORMAT|TIME_FORMAT)\"|date:'c'"
    )
    filters = [
        (str(file.relative_to(ROOT)), used)
        for file in TEMPLATES
        for used in re.findall(r"""\b(?:date|time):["'][^"']*["']""", file.read_text())
        if not named.fullmatch(used)
    ]
    calls = [
        (str(file.relative_to(ROOT)), call.args[1].value)
        for file in CODE
        for call in ast.walk(ast.parse(file.read_text()))
        if isinstance(call, ast.Call)
        and (getattr(call.func, "id", "") or getattr(call.func, "attr", "")) == "date_format"
        and isinstance(call.args[1], ast.Constant)
        and not str(call.args[1].value).endswith("_FORMAT")
    ]

    assert filters + calls == []
