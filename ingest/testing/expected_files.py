"""What a stream comes to, kept in a JSON file beside the test: compared, or written anew."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, TypeAlias

from ingest.errors import ExpectedFileNotFoundError
from ingest.row import Row
from ingest.testing.comparing import compare
from ingest.testing.explaining import loss_text
from ingest.testing.values import Rows

if TYPE_CHECKING:
    from pathlib import Path

    from ingest.testing.autoloader import Autoloader

Facts: TypeAlias = dict[str, Any]
"""What is kept, as JSON values."""


class ExpectedFiles:
    """Compares streams of one test with files; with `is_updating` it writes them.

    The file is `expected/<module>/<test>.json`, or `<test>.<name>.json` for a further comparison:

        {
         "schema": "id INT, name STRING",
         "version": 0,
         "rows": [
          {"id": 1, "name": "Ann"}
         ],
         "rescued": [],
         "stop": null,
         "ledger": []
        }
    """

    def __init__(self, module: Path, test: str, *, is_updating: bool) -> None:
        self._folder = module.parent / "expected" / module.stem
        self._test = test
        self._is_updating = is_updating

    def __call__(self, stream: Autoloader, name: str | None = None) -> None:
        """Compare; raises `AssertionError`, or `ExpectedFileNotFoundError` the first time."""
        file = self.file(name)
        found = facts_of(stream)
        if self._is_updating:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(facts_text(found), encoding="utf-8")
            return
        if not file.exists():
            raise ExpectedFileNotFoundError(file)
        message = _differences(stream, found, json.loads(file.read_text(encoding="utf-8")))
        if message:
            hint = "if this is right: pytest --ingest-update"
            raise AssertionError("\n".join([f"not as in {file}", *message, hint]))

    def file(self, name: str | None = None) -> Path:
        """Give the place of a file of expectations."""
        parts = self._test if name is None else f"{self._test}.{name}"
        return self._folder / (re.sub(r"[^\w.\-\[\]]+", "_", parts) + ".json")


def facts_of(stream: Autoloader) -> Facts:
    """Tell what a stream has come to, as JSON values; rows in order of their text."""
    error = stream.error
    return {
        "schema": str(stream.schema),
        "version": stream.version,
        "rows": sorted((_plain(row) for row in stream.rows), key=_line),
        "rescued": sorted((_plain(one) for one in stream.rescued), key=_line),
        "stop": stream.condition or (None if error is None else type(error).__name__),
        "ledger": sorted(loss_text(entry) for entry in stream.ledger),
    }


def facts_text(facts: Facts) -> str:
    """Write facts as JSON, one row in a line, so that a change is a readable diff."""
    members = [f" {_line(key)}: {_member(value)}" for key, value in facts.items()]
    return "{\n" + ",\n".join(members) + "\n}\n"


def _member(value: object) -> str:
    if not isinstance(value, list) or not value:
        return _line(value)
    return "[\n" + ",\n".join(f"  {_line(one)}" for one in value) + "\n ]"


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _plain(value: Any) -> Any:  # noqa: ANN401 - a value of any column
    """Give a value as JSON has it; decimals, times and bytes as text."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case Row():
            return {name: _plain(one) for name, one in value.asDict().items()}
        case dict():
            return {str(key): _plain(one) for key, one in value.items()}
        case list() | tuple():
            return [_plain(one) for one in value]
        case bytes():
            return value.hex()
        case _:
            return str(value)


def _differences(stream: Autoloader, found: Facts, expected: Facts) -> list[str]:
    """Tell what differs, the stream's story once at the end."""
    lines: list[str] = []
    if found["schema"] != expected.get("schema"):
        lines += compare(stream.schema, expected.get("schema")) or []
    for key in ("rows", "rescued"):
        of_stream: Rows = getattr(stream, key)
        rows = Rows(found[key], columns=of_stream.columns, noun=of_stream.noun)
        if rows != expected.get(key, []):
            lines += (compare(rows, expected.get(key, [])) or [])[1:]
    for key in ("version", "stop", "ledger"):
        if found[key] != expected.get(key):
            lines.append(f"{key}: {expected.get(key)!r} expected, {found[key]!r} found")
    return [*lines, *stream.story()] if lines else []
