"""The record that `UnknownFieldException` shows (contract 4.6)."""

from __future__ import annotations

import pytest

from ingest.errors import UnknownFieldException
from ingest.file_entry import FileEntry, SeqNum
from ingest.read_batch import Misfits, UnknownField
from ingest.unknown_fields import first_record
from schema_store.ddl import parse_ddl

FIRST, SECOND = (FileEntry(SeqNum(n), b"/in/%d" % n, 1, 0) for n in (1, 2))
SCHEMA = parse_ddl(
    "s STRUCT<element: STRUCT<a: INT, b: INT>>, t ARRAY<STRUCT<a: INT, b: INT>>,"
    " m MAP<STRING, STRUCT<a: INT, b: INT>>, x INT, y STRUCT<z: INT>"
)


def unknown(*path: str, text: str, file: FileEntry = FIRST, row: int = 1) -> UnknownField:
    return UnknownField(path, file, text, row)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ([unknown("x", text="1.50")], '{"x":1.50}'),
        ([unknown("x", text='"a'), unknown("y", text='{"z": 1}')], '{"x":"\\"a","y":{"z": 1}}'),
        ([unknown("x", text="2", file=SECOND), unknown("y", text="1")], '{"y":1}'),
        ([unknown("x", text="2", row=3), unknown("y", text="1", row=2)], '{"y":1}'),
        (
            [unknown("s", "element", "b", text="1"), unknown("s", "c", text="2")],
            '{"s":{"element":{"b":1},"c":2}}',
        ),
        (
            [unknown("t", "element", "b", text="1"), unknown("t", "element", "c", text="[]")],
            '{"t":[{"b":1,"c":[]}]}',
        ),
        ([unknown("m", "value", "b", text="null")], '{"m":{"value":{"b":null}}}'),
        ([unknown("y", text='{"z":1}'), unknown("y", "z", text="1")], '{"y":{"z":1}}'),
        ([unknown("x", text='"\udcff"')], '{"x":"\\"?\\""}'),
        ([], "{}"),
    ],
)
def test_first_record(fields: list[UnknownField], expected: str) -> None:
    assert first_record(fields, (), SCHEMA) == expected


def test_values_of_wider_types_follow() -> None:
    misfits = [
        Misfits(("x",), SECOND, 1, "5000000000", None),
        Misfits(("x",), FIRST, 1, "6000000000", None),
    ]
    assert first_record([unknown("n", text="1")], misfits, SCHEMA) == '{"n":1,"x":6000000000}'


@pytest.mark.parametrize(
    ("new", "widened", "subclass"),
    [
        (("n INT",), (), "NEW_FIELDS_IN_RECORD_WITH_FILE_PATH"),
        ((), ("x BIGINT",), "NEW_TYPE_FOR_FIELDS_IN_RECORD_WITH_FILE_PATH"),
        (("n INT",), ("x BIGINT",), "NEW_FIELDS_AND_WIDENED_TYPES_IN_RECORD_WITH_FILE_PATH"),
    ],
)
def test_the_exception_shows_the_record(
    new: tuple[str, ...], widened: tuple[str, ...], subclass: str
) -> None:
    error = UnknownFieldException(
        new_fields=new, widened=widened, names='{"n":1}', file="file:///in/1", retryable=True
    )
    assert error.condition == f"UNKNOWN_FIELD_EXCEPTION.{subclass}"
    assert '{"n":1}, which can be fixed by an automatic retry: true' in str(error)
    assert ("Rescued record schema: n INT" in str(error)) == bool(new)
