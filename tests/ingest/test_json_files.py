"""JSON under a schema: values, rescue, parse modes, losses, files."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from ingest.errors import MalformedRecordError
from ingest.formats.json_files import JsonFormat
from ingest.stream_options import JsonOptions, JsonSyntax, ParseMode
from schema_store.ddl import parse_ddl
from tests.ingest.csv_support import land, reading
from tests.ingest.json_support import read

if TYPE_CHECKING:
    from pathlib import Path

UTC = dt.UTC

# spark-inference.md 1.3 and a run of Spark 4.3.0; None is a misfit
VALUES = [
    ("TINYINT", "128", -128),
    ("TINYINT", "255", -1),
    ("TINYINT", "256", None),
    ("TINYINT", "-129", None),
    ("SMALLINT", "32768", None),
    ("INT", "1.0", None),
    ("INT", '"1"', None),
    ("BIGINT", "-0", 0),
    ("BIGINT", "9223372036854775808", None),
    ("BIGINT", "9007199254740993", 9007199254740993),
    ("DOUBLE", "1", 1.0),
    ("DOUBLE", "1e400", float("inf")),
    ("DOUBLE", '"1.5"', None),
    ("DOUBLE", '"Infinity"', float("inf")),
    ("DOUBLE", '"-INF"', float("-inf")),
    ("DOUBLE", '"Inf"', None),
    ("DOUBLE", '"INF"', None),
    ("DOUBLE", "-Infinity", float("-inf")),
    ("FLOAT", "16777217.0000001", 16777218.0),
    ("FLOAT", "8388608.5000000001", 8388609.0),
    ("FLOAT", "1e39", float("inf")),
    ("DECIMAL(10,2)", "1.005", Decimal("1.01")),
    ("DECIMAL(10,2)", '"1,000.5"', Decimal("1000.50")),
    ("DECIMAL(10,2)", '"1e2"', Decimal("100.00")),
    ("DECIMAL(10,2)", '" 1"', None),
    ("DECIMAL(10,2)", "99999999999", None),
    ("DECIMAL(10,2)", "NaN", None),
    ("DECIMAL(38,18)", "1e-400", Decimal("0E-18")),
    ("BOOLEAN", '"true"', None),
    ("BOOLEAN", "1", None),
    ("BOOLEAN", "true", True),
    ("STRING", "1E5", "1E5"),
    ("STRING", "-0.0", "-0.0"),
    ("STRING", '[ 1 , {"x" : 1.10} ]', '[ 1 , {"x" : 1.10} ]'),
    ("STRING", "NaN", "NaN"),
    ("STRING", '"\\u00e9\\ud83d\\ude00"', "é😀"),
    ("STRING", '"\\ud800"', "?"),
    ("DATE", '"2030-1-5"', dt.date(2030, 1, 5)),
    ("DATE", '"1"', dt.date(1970, 1, 2)),
    ("DATE", '"18000"', None),
    ("DATE", '"20200101"', None),
    ("DATE", "1", None),
    ("DATE", '""', None),
    ("TIMESTAMP", "1893456000", dt.datetime(2030, 1, 1, tzinfo=UTC)),
    ("TIMESTAMP", "-1", dt.datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC)),
    ("TIMESTAMP", "1.5", None),
    ("TIMESTAMP", '"2030-01-01T00:00:00+02:00"', dt.datetime(2029, 12, 31, 22, tzinfo=UTC)),
    ("TIMESTAMP_NTZ", '"2030-01-01 00:00:00"', dt.datetime(2030, 1, 1)),  # noqa: DTZ001 - local
    ("TIMESTAMP_NTZ", '"2030-01-01 00:00:00Z"', None),
    ("BINARY", '"YQ=="', b"a"),
    ("BINARY", '"YQ"', None),
    ("ARRAY<INT>", "[1,null]", [1, None]),
    ("ARRAY<INT>", '[1,"a"]', None),
    ("ARRAY<ARRAY<INT>>", '[[1],["a"]]', None),
    ("ARRAY<INT>", "{}", None),
    ("MAP<STRING,INT>", '{"a":1,"b":null}', [("a", 1), ("b", None)]),
    ("MAP<STRING,INT>", '{"a":"q"}', None),
    ("STRUCT<x: INT>", "[]", None),
]


@pytest.mark.parametrize(("kind", "value", "expected"), VALUES)
def test_value_is_that_of_spark(kind: str, value: str, expected: object) -> None:
    rows, findings = read(f'{{"v":{value}}}', ddl=f"v {kind}")
    assert rows[0]["v"] == expected
    assert (len(findings.misfits) == 1) == (expected is None)


@pytest.mark.parametrize(
    ("line", "row", "rescued"),
    [
        ('{"s":{"f":"x","g":2}}', {"s": {"f": None, "g": 2}}, '{"s":{"f":"x"}}'),
        ('{"s":{"h": [1, 2],"g":2}}', {"s": {"f": None, "g": 2}}, '{"s":{"h":[1,2]}}'),
        ('{"s":5}', {"s": None}, '{"s":5}'),
        ('{"l":[1, "a"]}', {"l": None}, '{"l":[1,"a"]}'),
        (
            '{"t":[{"f":"q","g":1}]}',
            {"t": [{"f": None, "g": 1}]},
            '{"t":[{"f":"q","g":1}]}',
        ),
        ('{"t":[{"g":1,"h":2}]}', {"t": [{"f": None, "g": 1}]}, '{"t":[{"g":1,"h":2}]}'),
        ('{"t":[1]}', {"t": None}, '{"t":[1]}'),
        ('{"m":{"k":{"f":"x"}}}', {"m": [("k", {"f": None})]}, '{"m":{"k":{"f":"x"}}}'),
        ('{"z":1.50,"s":1,"a":null,"l":2}', {}, '{"z":1.50,"a":null,"l":2,"s":1}'),
        ('{"S":{"f":1}}', {"s": None}, '{"S":{"f":1}}'),
        ('{"":1,"o":{}}', {}, '{"":1,"o":{}}'),
        ('{"z":"\\u00e9 \\ud800"}', {}, '{"z":"\\u00e9 \\ud800"}'),
        ("{'z':'a\"b'}", {}, '{"z":"a\\"b"}'),
    ],
)
def test_smallest_struct_field_is_rescued(
    line: str, row: dict[str, Any], rescued: str
) -> None:  # contract 5.1, 5.3
    ddl = (
        "s STRUCT<f: INT, g: INT>, l ARRAY<INT>, t ARRAY<STRUCT<f: INT, g: INT>>,"
        " m MAP<STRING, STRUCT<f: INT>>"
    )
    rows, _ = read(line, ddl=ddl)
    assert {name: rows[0][name] for name in row} == row
    assert rows[0]["_rescued_data"] == rescued


def test_paths_of_what_was_met() -> None:
    line = '{"s":{"f":"x","h":1},"l":["a"],"t":[{"z":{}}],"n":[],"e":{},"S":1}'
    ddl = "s STRUCT<f: INT>, l ARRAY<INT>, t ARRAY<STRUCT<f: INT>>"
    _, findings = read('{"q":1}', line, ddl=ddl)
    assert [(one.path, one.row, one.example) for one in findings.unknown] == [
        (("q",), 1, "1"),
        (("s", "h"), 2, "1"),
        (("n",), 2, "[]"),
    ]
    assert [one.path for one in findings.misfits] == [("s", "f"), ("l", "element")]


def _ledger(*lines: str | bytes, ddl: str, **given: Any) -> list[tuple[str, str | None, int, str]]:
    _, findings = read(*lines, ddl=ddl, **given)
    return [
        (one.kind.value, one.column, one.count, one.examples[0].text) for one in findings.losses
    ]


def test_ledger_names_what_is_lost() -> None:  # contract 11.5, 11.6, 11.10, 11.11, 11.19
    ddl = "a INT, d DECIMAL(4,1), t DATE"
    assert _ledger('{"a":1,"a":2}', ddl=ddl) == [("dropped", "a", 1, "1")]
    assert _ledger('{"d":1.25}', ddl=ddl) == [("changed", "d", 1, "1.25")]
    assert _ledger('{"t":"2030-01-05 10:00:00"}', ddl=ddl) == [
        ("changed", "t", 1, '"2030-01-05 10:00:00"')
    ]
    assert _ledger('{"a":1} {"a":2}', ddl=ddl) == [("dropped", None, 1, '{"a":2}')]
    assert _ledger('{"a":', ddl=ddl) == [("dropped", None, 1, '{"a":')]
    assert _ledger('{"_file_path":1}', ddl=ddl, file_path_in_rescued=True) == [
        ("dropped", "_file_path", 1, "1")
    ]
    assert _ledger('{"z":1,"a":"x"}', ddl=ddl, rescued_column=None) == [
        ("dropped", "z", 1, "1"),
        ("dropped", "a", 1, '"x"'),
    ]


def test_ledger_has_an_array_as_a_whole() -> None:  # contract 5.3, 9.1
    ddl = "l ARRAY<INT>, t ARRAY<STRUCT<f: INT>>"
    line = '{"l":[1,"a","b"],"t":[{"f":"x"},{"f":1}]}'
    assert _ledger(line, ddl=ddl, rescued_column=None) == [
        ("dropped", "l", 1, '[1,"a","b"]'),
        ("dropped", "t.element.f", 1, '"x"'),
    ]


CORRUPT = '{"a":1', '{"a":"x"}', '{"a":3}'


def test_parse_modes() -> None:
    ddl = "a INT, _corrupt_record STRING"
    rows, findings = read(*CORRUPT, ddl=ddl)
    assert [(row["a"], row["_corrupt_record"]) for row in rows] == [
        (None, '{"a":1'),
        (None, None),
        (3, None),
    ]
    assert (findings.corrupt_records, findings.rescued_rows) == (1, 1)
    rows, _ = read(*CORRUPT, ddl=ddl, rescued_column=None)
    assert [row["_corrupt_record"] for row in rows] == ['{"a":1', '{"a":"x"}', None]
    rows, _ = read(*CORRUPT, ddl=ddl, parse_mode=ParseMode.DROPMALFORMED)
    assert [row["a"] for row in rows] == [None, 3]
    rows, _ = read(*CORRUPT, ddl=ddl, rescued_column=None, parse_mode=ParseMode.DROPMALFORMED)
    assert [row["a"] for row in rows] == [3]
    with pytest.raises(MalformedRecordError) as caught:
        read(*CORRUPT[::-1], ddl=ddl, parse_mode=ParseMode.FAILFAST)
    assert (caught.value.row, caught.value.record) == (3, '{"a":1')


def test_objects_of_an_array_are_malformed_together() -> None:  # as Spark 4.3
    ddl, line = "a INT, _corrupt_record STRING", '[{"a":"x"},{"a":2}]'
    rows, _ = read(line, ddl=ddl, rescued_column=None)
    assert [(row["a"], row["_corrupt_record"]) for row in rows] == [(None, line), (2, line)]
    rows, findings = read(
        line, '{"a":3}', ddl=ddl, rescued_column=None, parse_mode=ParseMode.DROPMALFORMED
    )
    assert [row["a"] for row in rows] == [3]
    assert sum(one.count for one in findings.losses) == 2
    rows, _ = read(line, ddl=ddl)
    assert [(row["a"], row["_corrupt_record"]) for row in rows] == [(None, None), (2, None)]


def test_bad_records_go_to_their_path(tmp_path: Path) -> None:
    files = land(tmp_path, {"f.json": "\n".join(CORRUPT).encode()})
    given = reading(bad_records_path=tmp_path / "bad")
    batches = list(JsonFormat(JsonOptions(), given).read(files, parse_ddl("a INT")))
    assert [one.record for batch in batches for one in batch.bad] == ['{"a":1']
    assert sum(batch.findings.bad_records for batch in batches) == 1
    assert sum(rows for batch in batches for _, rows in batch.files) == 2


def test_golden_rows() -> None:  # autoloader-facts.md 4.3
    rows, _ = read(
        '{"id": 1, "name": "Alice", "age": 30}',
        '{"id": 2, "name": "Bob", "age": 25, "email": "bob@example.com"}',
        '{"id": "3", "name": "Charlie", "age": "not_a_number"}',
        '{"Id": 4, "Name": "Dave", "AGE": 40}',
        ddl="id INT, name STRING, age INT",
    )
    assert [tuple(row.values()) for row in rows] == [
        (1, "Alice", 30, None),
        (2, "Bob", 25, '{"email":"bob@example.com"}'),
        (None, "Charlie", None, '{"age":"not_a_number","id":"3"}'),
        (None, None, None, '{"Id":4,"Name":"Dave","AGE":40}'),
    ]


@pytest.mark.parametrize(
    ("syntax", "line", "value"),
    [
        (JsonSyntax(escape_any=True), '{"v":"\\q"}', "q"),
        (JsonSyntax(unquoted_names=True), '{$a:1,a-b:2,1:3,v:"x"}', "x"),
        (JsonSyntax(leading_zeros=True), '{"v":-007}', "-007"),
        (JsonSyntax(comments=True), '/*x*/{"v":1/*y*/}//z', "1"),
        (JsonSyntax(control_characters=True), '{"v":"a\tb"}', "a\tb"),
    ],
)
def test_syntax_options(syntax: JsonSyntax, line: str, value: str) -> None:
    assert read(line, ddl="v STRING", json=JsonOptions(syntax))[0][0]["v"] == value
    _, findings = read(line, ddl="v STRING")
    assert findings.corrupt_records == 1


@pytest.mark.parametrize("line", ['{"v":NaN}', "{'v':1}"])
def test_what_is_accepted_by_default_can_be_refused(line: str) -> None:
    strict = JsonOptions(JsonSyntax(single_quotes=False, non_numeric=False))
    assert read(line, ddl="v STRING")[1].corrupt_records == 0
    assert read(line, ddl="v STRING", json=strict)[1].corrupt_records == 1


def test_names_in_any_case_when_the_reader_ignores_it() -> None:  # contract 5.7
    rows, _ = read('{"A":1,"a":2}', ddl="a INT", case_sensitive=False)
    assert rows == [{"a": 1, "_rescued_data": '{"a":2}'}]


@pytest.mark.parametrize(
    ("content", "json", "expected"),
    [
        (b'\xef\xbb\xbf{"a":1}', JsonOptions(), [1]),
        (b'{"a":1}\r\n{"a":2}\r{"a":3}\n\n', JsonOptions(), [1, 2, 3]),
        (b'{"a":1}|{"a":\n2}', JsonOptions(line_sep="|"), [1, 2]),
        (b'[{"a":\n1},{"a":2}] {"a":3}', JsonOptions(multi_line=True), [1, 2]),
        (b" \n ", JsonOptions(multi_line=True), []),
        ('{"a":1}\n{"a":2}'.encode("utf-16"), JsonOptions(encoding="utf-16"), [1, 2]),
        (b'{"a":1}\n{"a":"\xff"}', JsonOptions(), [1, None]),
        *(
            ('{"a":1}'.encode(name), JsonOptions(multi_line=True), [1])
            for name in ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be")
        ),
    ],
)
def test_files_are_cut_into_records(
    tmp_path: Path, content: bytes, json: JsonOptions, expected: list[int | None]
) -> None:
    files = land(tmp_path, {"f.json": content})
    batches = JsonFormat(json, reading()).read(files, parse_ddl("a INT"))
    assert [row["a"] for batch in batches for row in batch.rows.to_pylist()] == expected


def test_deep_nesting_is_a_corrupt_record() -> None:
    deep = '{"a":' + "[" * 5000 + "]" * 5000 + "}"
    assert read(deep, ddl="a STRING")[1].corrupt_records == 1


@pytest.mark.parametrize(
    "line", ['{"\\ud800":1}', '{"b":{"x\\udc00":1}}', "{'\\ud800':1}", '{"b":[{"\\ud800A":1}]}']
)
def test_half_a_surrogate_pair_in_a_name_is_no_json(line: str) -> None:  # as Spark 4.3
    assert read(line, ddl="b STRING")[1].corrupt_records == 1


def test_a_pair_of_surrogates_in_a_name_is_a_character() -> None:
    rows, findings = read('{"\\ud83d\\ude00":1}', ddl="`😀` INT")
    assert (rows[0]["😀"], findings.corrupt_records) == (1, 0)
