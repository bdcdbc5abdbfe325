"""Reads a Delta table with an engine that is not ours, and prints what it saw as JSON.

It runs inside an environment of its own, which has the engines and pyarrow but not this package:

    python independent_reader.py duckdb TABLE
    {"types": {"id": "int64"}, "rows": [{"id": "1"}]}

Values are texts, so that nothing is rounded on the way; a map is a list of [key, value].
"""

from __future__ import annotations

import datetime as dt
import json
import sys
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from typing import Any

import pyarrow as pa

USAGE = 2


def duckdb_table(folder: str) -> pa.Table:
    """Read with DuckDB and its Delta extension; both are wheels, nothing is downloaded here."""
    duckdb, extension_delta = import_module("duckdb"), import_module("duckdb_extension_delta")
    extensions = Path(str(extension_delta.__file__)).parent / "extensions"
    (extension,) = extensions.glob("*/delta.duckdb_extension")
    connection = duckdb.connect(config={"autoinstall_known_extensions": "false"})
    connection.load_extension(str(extension))
    connection.execute("SET TimeZone = 'UTC'")
    return connection.execute("SELECT * FROM delta_scan(?)", [folder]).to_arrow_table()


def daft_table(folder: str) -> pa.Table:
    """Read with daft: the log through delta-rs, the data files by its own Parquet reader."""
    return import_module("daft").read_deltalake(folder).to_arrow()


ENGINES = {"duckdb": duckdb_table, "daft": daft_table}


def seen(table: pa.Table) -> dict[str, Any]:
    """Give a table's types and values as texts."""
    return {
        "types": {field.name: type_text(field.type) for field in table.schema},
        "rows": [
            {name: value_text(value) for name, value in row.items()} for row in table.to_pylist()
        ],
    }


def type_text(arrow_type: pa.DataType) -> str:
    """Name a type; what differs in layout only is one type."""
    kinds = pa.types
    if kinds.is_map(arrow_type):
        return f"map<{type_text(arrow_type.key_type)}, {type_text(arrow_type.item_type)}>"
    if kinds.is_list(arrow_type) or kinds.is_large_list(arrow_type):
        return f"list<{type_text(arrow_type.value_type)}>"
    if kinds.is_struct(arrow_type):
        fields = ", ".join(f"{field.name}: {type_text(field.type)}" for field in arrow_type)
        return f"struct<{fields}>"
    return str(arrow_type).removeprefix("large_")


def value_text(value: object) -> object:
    """Give a value as text; parts of a list, a map or a struct one by one."""
    match value:
        case None:
            return None
        case dict():
            return {name: value_text(part) for name, part in value.items()}
        case list() | tuple():
            return [value_text(part) for part in value]
        case Decimal():
            return format(value, "f")
        case dt.datetime() | dt.date():
            return value.isoformat()
        case bytes():
            return value.hex()
        case _:
            return repr(value) if isinstance(value, float) else str(value)


def main(arguments: list[str]) -> int:
    """Read the table of the arguments with the engine of the arguments."""
    if len(arguments) != USAGE or arguments[0] not in ENGINES:
        sys.stderr.write(f"usage: independent_reader.py {{{','.join(ENGINES)}}} TABLE\n")
        return USAGE
    engine, folder = arguments
    json.dump(seen(ENGINES[engine](folder)), sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
