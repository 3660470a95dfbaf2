"""The JSON Schema of ``tournament.json``; as a program this writes ``tournament.schema.json``."""

import json
from pathlib import Path
from typing import Any

from pydantic.json_schema import GenerateJsonSchema

from tracker.tournament_files.logic.format import Document

FILE = Path(__file__).parents[1] / "tournament.schema.json"


class _Untitled(GenerateJsonSchema):
    """Leaves out the titles of fields, which are their names again."""

    def field_title_should_be_set(self, _schema: Any) -> bool:
        return False


def json_schema() -> str:
    """Return the schema, with a line for each definition."""
    schema = Document.model_json_schema(schema_generator=_Untitled)
    definitions = schema.pop("$defs")
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
    lines = [f"{json.dumps(name)}: {json.dumps(definitions[name])}" for name in sorted(definitions)]
    return f'{json.dumps(head)[:-1]}, "$defs": {{\n' + ",\n".join(lines) + "\n}}\n"


if __name__ == "__main__":
    FILE.write_text(json_schema(), encoding="utf-8")
