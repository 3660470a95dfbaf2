"""The addresses of the API, and the page that documents it from its schema."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from tracker.api import reading, writing  # noqa: F401 - they add their operations to ``api``
from tracker.api.interface import MOST_A_MINUTE, api


@require_safe
def documentation(request: HttpRequest) -> HttpResponse:
    """Show every operation as the schema has it, and a worked example."""
    schema = api.get_openapi_schema()
    operations = [
        {
            "method": method.upper(),
            "path": address,
            "says": operation.get("description", ""),
            "asks": [each["name"] for each in operation["parameters"] if each["in"] == "query"],
            "body": _type(_json_schema_of(operation.get("requestBody", {}))),
            "answer": _type(_json_schema_of(operation["responses"][200])),
        }
        for address, methods in schema["paths"].items()
        for method, operation in methods.items()
    ]
    schemas = {
        name: [
            (field, _type(each), each.get("description", ""))
            for field, each in fields.get("properties", {}).items()
        ]
        for name, fields in schema["components"]["schemas"].items()
        if not name.startswith("PageOut_")
    }
    context = {
        "reads": [each for each in operations if each["method"] == "GET"],
        "writes": [each for each in operations if each["method"] != "GET"],
        "schemas": {name: fields for name, fields in schemas.items() if fields},
        "site": request.build_absolute_uri("/").rstrip("/"),
        "rate": MOST_A_MINUTE,
    }
    return render(request, "api/docs.html", context)


def _json_schema_of(part: Mapping[str, Any]) -> Any:
    """Return the schema of a body or a response; empty if it has none."""
    return part.get("content", {}).get("application/json", {}).get("schema", {})


def _type(schema: Mapping[str, Any]) -> str:
    """Return a JSON schema in a few words.

    >>> _type({"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}})
    'list of integer or null'
    >>> _type({"$ref": "#/components/schemas/PageOut_ClubOut_"})
    'list of ClubOut, page after page'
    """
    if "$ref" in schema:
        name = str(schema["$ref"].rpartition("/")[2])
        in_pages = name.removeprefix("PageOut_").removesuffix("_")
        return name if in_pages == name else f"list of {in_pages}, page after page"
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(map(_type, schema["anyOf"])))
    if "items" in schema:
        return f"list of {_type(schema['items'])}"
    return str(schema.get("format") or schema.get("type", ""))


urlpatterns = [path("api/v1/", api.urls), path("api/docs", documentation, name="api-docs")]
