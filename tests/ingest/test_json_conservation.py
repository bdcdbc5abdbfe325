"""Every member of a JSON record is in its column, in the rescued column or in the ledger."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ingest import json_lines
from tests.ingest.json_support import read

DDL = (
    "a BIGINT, b DECIMAL(6,2), c STRING, d DATE, s STRUCT<x: INT, y: ARRAY<INT>>, m MAP<STRING,INT>"
)
COLUMNS = ("a", "b", "c", "d", "s", "m")


def _valid(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return "NaN" not in text and "Infinity" not in text and '"a":1,"a":2' not in text


_values = st.sampled_from([text for text in json_lines.ODD_VALUES if _valid(text)])
_records = st.dictionaries(
    st.sampled_from([*COLUMNS, "A", "new", "", "_rescued_data", "_file_path"]), _values, max_size=5
)
_structs = st.dictionaries(st.sampled_from(["x", "y", "z"]), _values, max_size=3)


def _written(members: dict[str, str]) -> str:
    return "{" + ",".join(f'"{name}":{value}' for name, value in members.items()) + "}"


@pytest.mark.parametrize("rescued", ["_rescued_data", None])
@given(records=st.lists(st.tuples(_records, _structs), min_size=1, max_size=4))
def test_no_member_is_lost(
    rescued: str | None, records: list[tuple[dict[str, str], dict[str, str]]]
) -> None:
    written = [_written(members | {"s": _written(struct)}) for members, struct in records]
    rows, findings = read(*written, ddl=DDL, rescued_column=rescued)
    members = sum(len(json.loads(text)) for text in written)
    kept = sum(_kept(json.loads(text), row) for text, row in zip(written, rows, strict=True))
    lost = sum(
        one.count
        for one in findings.losses
        if one.kind.value == "dropped" and "." not in str(one.column)
    )
    assert kept + lost == members
    assert len(rows) == len(written)


def _kept(record: dict[str, Any], row: dict[str, Any]) -> int:
    """Count the members that are in a column, or null, or in the rescued column as they came."""
    rescued = json.loads(row.get("_rescued_data") or "{}")
    count = 0
    for name, value in record.items():
        in_column = name in COLUMNS and (value is None or row[name] is not None)
        count += in_column or (name in rescued and (rescued[name] == value or name == "s"))
    return count
