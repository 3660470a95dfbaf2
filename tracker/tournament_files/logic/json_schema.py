"""The JSON Schema of ``tournament.json``; as a program this writes ``tournament.schema.json``."""

import json
from pathlib import Path

from tracker.tournament_files.logic.format import Document

FILE = Path(__file__).parents[1] / "tournament.schema.json"


def json_schema() -> str:
    """Return the schema, with a line for each definition."""
    schema = Document.model_json_schema()
    definitions = schema.pop("$defs")
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
    lines = [f"{json.dumps(name)}: {json.dumps(definitions[name])}" for name in sorted(definitions)]
    return f'{json.dumps(head)[:-1]}, "$defs": {{\n' + ",\n".join(lines) + "\n}}\n"


if __name__ == "__main__":
    FILE.write_text(json_schema(), encoding="utf-8")
