"""CSV files under a schema: headers, rescue, losses, evolution, modes, bad input."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import polars as pl
import pyarrow as pa
import pytest

from ingest.arrow import to_arrow_schema
from ingest.errors import (
    ColumnNameCollisionError,
    FileChangedError,
    FileMissingError,
    ForeignFormatError,
    MalformedRecordError,
    RescuedColumnInDataError,
)
from ingest.formats import csv_files
from ingest.formats.csv_chunks import read_chunks
from ingest.formats.csv_files import CsvFormat
from ingest.formats.csv_header import COMMA_SPACE_NOTICE
from ingest.ledger import LossExample, LossKind
from ingest.read_batch import Findings
from ingest.stream_options import CsvOptions, ParseMode
from schema_store.types import (
    BooleanType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    Field,
    IntegerType,
    LongType,
    Schema,
    StringType,
    StructType,
    TimestampType,
)
from tests.ingest.csv_support import land, reading

if TYPE_CHECKING:
    from pathlib import Path

    from ingest.file_entry import FileEntry
    from ingest.stream_options import ReadSettings

INT, LONG, STRING, DATE = IntegerType(), LongType(), StringType(), DateType()
NONE_MODE = reading(rescued_column=None)


def schema(**columns: DataType) -> Schema:
    return StructType(tuple(Field(name, data_type) for name, data_type in columns.items()))


def read(
    files: list[FileEntry],
    under: Schema,
    settings: ReadSettings | None = None,
    csv: CsvOptions | None = None,
) -> tuple[list[dict[str, Any]], Findings]:
    file_format = CsvFormat(csv or CsvOptions(), settings or reading())
    rows: list[dict[str, Any]] = []
    findings = Findings()
    for batch in file_format.read(files, under):
        rows += batch.rows.to_pylist()
        findings += batch.findings
    return rows, findings


def rescued(rows: list[dict[str, Any]]) -> list[dict[str, str] | None]:
    """The rescued objects, without `_file_path`."""
    found = [row["_rescued_data"] and json.loads(row["_rescued_data"]) for row in rows]
    return [one and {k: v for k, v in one.items() if k != "_file_path"} for one in found]


# --- inference -----------------------------------------------------------------------------------


def test_inference_unites_the_headers_in_file_order(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": b"id,Name\n1,x\n", "b.csv": b"extra,NAME,ID\n2.5,y,7\n"})
    inferred = CsvFormat(CsvOptions(), reading()).infer(files)
    assert inferred.schema == schema(id=INT, Name=STRING, extra=DoubleType())


def test_inference_gives_strings_when_not_typed(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": b"id,n\n1,2\n", "b.csv": b""})
    inferred = CsvFormat(CsvOptions(), reading(typed=False)).infer(files)
    assert inferred.schema == schema(id=STRING, n=STRING)


# contract 2.3: each file folds from the null type
def test_inference_folds_each_file_by_itself(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": b"d\n2020-01-01\n", "b.csv": b"d\n2020\n"})
    assert CsvFormat(CsvOptions(), reading()).infer(files).schema == schema(d=STRING)


def test_inference_tells_columns_beyond_decimals(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": b"n\n" + b"9" * 38 + b"\n", "b.csv": b"n\n0.5\n"})
    inferred = CsvFormat(CsvOptions(), reading(prefers_decimal=True)).infer(files)
    assert (inferred.schema, inferred.beyond_decimal) == (
        schema(n=DoubleType()),
        frozenset({"n"}),
    )


# contract 2.4
def test_a_comma_and_a_blank_separate_cells_when_the_header_says_so(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": b"id, name\n2147483648, Bob\n"})
    file_format = CsvFormat(CsvOptions(), reading())
    inferred = file_format.infer(files)
    assert inferred.schema == schema(id=LONG, name=STRING)
    assert inferred.notices == frozenset({COMMA_SPACE_NOTICE})
    rows, findings = read(files, inferred.schema)
    assert [(row["id"], row["name"]) for row in rows] == [(2147483648, "Bob")]
    assert findings.notices == frozenset({COMMA_SPACE_NOTICE})


def test_an_explicit_whitespace_option_wins(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": b"id, name\n1, Bob\n"})
    csv = CsvOptions(ignore_leading_white_space=False)
    assert CsvFormat(csv, reading()).infer(files).schema.names == ("id", " name")


@pytest.mark.parametrize(
    ("header", "names"),
    [
        (b"a,a,A,b", ("a0", "a1", "A2", "b")),
        (b"a,,c", ("a", "_c1", "c")),
        (b"id,Code,CODE", ("id", "Code1", "CODE2")),
        (b" a ,b ", (" a ", "b ")),
        (b'"a,b",c', ("a,b", "c")),
        (b"\n  \n\xef\xbb\xbfa,b", ("\ufeffa", "b")),
    ],
)
def test_header_names_are_sparks(tmp_path: Path, header: bytes, names: tuple[str, ...]) -> None:
    files = land(tmp_path, {"a.csv": b"\xef\xbb\xbf" + header + b"\n1,2,3,4\n"})
    assert CsvFormat(CsvOptions(), reading()).infer(files).schema.names == names


def test_columns_without_a_header_are_named_by_position(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": b"1,x\n2,y,z\n"})
    csv = CsvOptions(header=False)
    assert CsvFormat(csv, reading()).infer(files).schema == schema(_c0=INT, _c1=STRING)


# contract 11.1
def test_a_generated_name_that_meets_a_real_one_is_an_error(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": b"a,a,a1,,_c3\n1,2,3,4,5\n"})
    with pytest.raises(ColumnNameCollisionError) as caught:
        CsvFormat(CsvOptions(), reading()).infer(files)
    assert (caught.value.column, caught.value.where) == ("_c3", files[0].uri)


# contract 5.8
@pytest.mark.parametrize("name", ["_rescued_data", "_Rescued_Data"])
def test_a_column_named_like_the_rescued_one_is_an_error(name: str, tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": f"a,{name}\n1,2\n".encode()})
    with pytest.raises(RescuedColumnInDataError) as caught:
        read(files, schema(a=INT))
    assert (caught.value.column, caught.value.where) == (name, files[0].uri)


# --- rows ----------------------------------------------------------------------------------------


def test_each_file_is_read_by_its_own_header(tmp_path: Path) -> None:
    files = land(
        tmp_path,
        {"a.csv": b"name,age,city\nann,31,oslo\n", "b.csv": b"city,name,age\nrome,cat,28\n"},
    )
    rows, findings = read(files, schema(name=STRING, age=INT, city=STRING))
    assert [tuple(row.values()) for row in rows] == [
        ("ann", 31, "oslo", None),
        ("cat", 28, "rome", None),
    ]
    assert findings == Findings()


def test_rows_have_the_schemas_arrow_types(tmp_path: Path) -> None:
    under = schema(
        i=INT,
        l=LONG,
        d=DecimalType(10, 2),
        day=DATE,
        at=TimestampType(),
        ok=BooleanType(),
        s=STRING,
    )
    line = b"1,2,3.50,2030-01-05,2030-01-05 10:00:00,true,x\n"
    files = land(tmp_path, {"a.csv": b"i,l,d,day,at,ok,s\n" + line})
    batch = next(CsvFormat(CsvOptions(), NONE_MODE).read(files, under))
    wanted = [field.type for field in to_arrow_schema(under)]
    got = [pa.string() if pa.types.is_string_view(t) else t for t in batch.rows.schema.types]
    assert got == wanted


def test_misfits_are_rescued_after_unknown_fields_and_before_the_path(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": b'zz,b,a,aa\nq,"x\x01""y",n/a,w\n'})
    rows, findings = read(files, schema(a=INT, b=INT), csv=CsvOptions(escape='"'))
    assert rows[0]["_rescued_data"] == (
        '{"zz":"q","aa":"w","a":"n/a","b":"x\\u0001\\"y","_file_path":"' + files[0].uri + '"}'
    )
    assert [(one.path, one.example) for one in findings.unknown] == [
        (("zz",), "q"),
        (("aa",), "w"),
    ]
    assert [(one.path, one.count, one.example) for one in findings.misfits] == [
        (("a",), 1, "n/a"),
        (("b",), 1, 'x\x01"y'),
    ]


def test_the_path_can_be_left_out(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": b"a\nx\n"})
    rows, _ = read(files, schema(a=INT), reading(file_path_in_rescued=False))
    assert rows[0]["_rescued_data"] == '{"a":"x"}'


# contract 4.2
def test_a_name_in_another_case_is_rescued_and_never_evolves(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": b"ID,name\n1,x\n"})
    rows, findings = read(files, schema(id=INT, name=STRING))
    assert (rows[0]["id"], rescued(rows)) == (None, [{"ID": "1"}])
    assert findings.unknown == ()


# contract 5.7
def test_names_match_in_any_case_when_the_reader_is_told_so(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": b"ID,name\n1,x\n"})
    rows, _ = read(files, schema(id=INT, name=STRING), reading(case_sensitive=False))
    assert tuple(rows[0].values()) == (1, "x", None)


# contract 5.5, 2.3
def test_surplus_cells_are_rescued_by_position_and_missing_ones_are_null(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": b"id,v\n1,x,y,,z\n2\n3,w\n"})
    rows, findings = read(files, schema(id=INT, v=STRING))
    assert [row["v"] for row in rows] == ["x", None, "w"]
    assert rescued(rows) == [{"_c2": "y", "_c4": "z"}, None, None]
    assert (findings.corrupt_records, findings.rescued_rows, findings.unknown) == (2, 1, ())


def test_generated_names_of_a_header_are_rescued_and_never_evolve(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": b"id,,v\n1,x,y\n"})
    file_format = CsvFormat(CsvOptions(), reading())
    assert [one.path for one in file_format.look(files, schema(id=INT)).unknown] == [("v",)]
    rows, _ = read(files, schema(id=INT))
    assert rescued(rows) == [{"_c1": "x", "v": "y"}]


def test_columns_of_files_without_headers_do_evolve(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": b"1,x\n"})
    found = CsvFormat(CsvOptions(header=False), reading()).look(files, schema(_c0=INT))
    assert [one.path for one in found.unknown] == [("_c1",)]


# contract 11.2
def test_a_user_schema_reads_by_position(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": b"1,x\n2,y,z\n"})
    rows, _ = read(files, schema(b=INT, a=STRING), reading(user_schema=True))
    assert [(row["b"], row["a"]) for row in rows] == [(1, "x"), (2, "y")]
    assert rescued(rows) == [None, {"_c2": "z"}]


def test_a_user_schema_reads_by_name_when_there_is_a_header(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": b"a,b\nx,1\n"})
    settings = reading(user_schema=True)
    rows, _ = read(files, schema(b=INT, a=STRING), settings, CsvOptions(header=True))
    assert tuple(rows[0].values()) == (1, "x", None)


# contract 11.10
def test_a_column_named_like_the_path_loses_to_the_path(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": b"id,_file_path\n1,mine\n"})
    rows, findings = read(files, schema(id=INT))
    assert rows[0]["_rescued_data"] is None
    assert [(one.column, one.count) for one in findings.losses] == [("_file_path", 1)]
    assert findings.unknown == ()


def test_carriage_returns_end_records(tmp_path: Path) -> None:
    files = land(
        tmp_path,
        {
            "cr.csv": b"id,last\r3,z\r4,w\r",
            "crlf.csv": b"id,last\r\n1,x\r\n\r\n2,y\r\n",
            "mixed.csv": b"id,last\r\n5,p\n6,q",
        },
    )
    rows, _ = read(files, schema(id=INT, last=STRING))
    assert [(row["id"], row["last"]) for row in rows] == [
        (3, "z"),
        (4, "w"),
        (1, "x"),
        (2, "y"),
        (5, "p"),
        (6, "q"),
    ]


# contract 11.3
def test_bytes_that_are_not_utf8_are_replaced(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": b"city,n\nM\xe1laga,3\nK\xf6ln,4\n"})
    rows, _ = read(files, schema(city=STRING, n=INT))
    assert [row["city"] for row in rows] == ["M\ufffdlaga", "K\ufffdln"]


# --- losses --------------------------------------------------------------------------------------


def test_what_is_dropped_without_a_rescued_column_is_in_the_ledger(tmp_path: Path) -> None:
    files = land(
        tmp_path,
        {
            "a.csv": b"id,extra\n1,p\nx,\n\n3,q,r\n",
            "b.csv": b"id,extra\n4,s\n",
            "c.csv": b"ID\n5\n",
        },
    )
    rows, findings = read(files, schema(id=INT), NONE_MODE)
    assert [row["id"] for row in rows] == [1, None, 3, 4, None]
    a, b, c = (file.uri for file in files)
    assert {(one.file, one.column): (one.count, one.examples) for one in findings.losses} == {
        (a, "extra"): (2, (LossExample(1, "p"), LossExample(3, "q"))),
        (a, "_c2"): (1, (LossExample(3, "r"),)),
        (a, "id"): (1, (LossExample(2, "x"),)),
        (b, "extra"): (1, (LossExample(1, "s"),)),
        (c, "ID"): (1, (LossExample(1, "5"),)),
    }


# contract 11.5, 11.19
def test_rounded_and_cut_values_are_in_the_ledger_as_changed(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": b"d,n\n2030-01-06 10:00:00,1.005\n2030-01-06,1.500\n"})
    rows, findings = read(files, schema(d=DATE, n=DecimalType(5, 2)))
    assert rescued(rows) == [None, None]
    assert [(one.kind, one.column, one.count) for one in findings.losses] == [
        (LossKind.CHANGED, "d", 1),
        (LossKind.CHANGED, "n", 1),
    ]


def test_examples_are_capped_and_counts_are_exact(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": b"id\n" + b"x\n" * 1000})
    _, findings = read(files, schema(id=INT), NONE_MODE)
    (entry,) = findings.losses
    assert (entry.count, len(entry.examples)) == (1000, 5)


# contract 6.3
def test_the_widening_mode_hears_the_type_of_the_misfits(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": b"n,d\n5000000000,1.005\n12.75,1.50\n"})
    settings = reading(exact_decimals=True, observe_misfits=True, prefers_decimal=True)
    _, findings = read(files, schema(n=INT, d=DecimalType(5, 2)), settings)
    assert [(one.path, one.observed) for one in findings.misfits] == [
        (("d",), DecimalType(4, 3)),
        (("n",), DecimalType(22, 2)),
    ]


# --- modes ---------------------------------------------------------------------------------------

RAGGED = b"id,v\n1,x\n2\n3,y,z\nbad,w\n"


def test_dropmalformed_drops_records_of_another_length_but_no_misfits(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": RAGGED})
    settings = reading(parse_mode=ParseMode.DROPMALFORMED)
    rows, findings = read(files, schema(id=INT, v=STRING), settings)
    assert [row["v"] for row in rows] == ["x", "w"]
    assert rescued(rows) == [None, {"id": "bad"}]
    (entry,) = findings.losses
    assert (entry.column, entry.count, entry.examples) == (
        None,
        2,
        (LossExample(2, "2"), LossExample(3, "3,y,z")),
    )


def test_dropmalformed_drops_misfits_when_nothing_is_rescued(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": RAGGED})
    settings = reading(rescued_column=None, parse_mode=ParseMode.DROPMALFORMED)
    rows, findings = read(files, schema(id=INT, v=STRING), settings)
    assert [tuple(row.values()) for row in rows] == [(1, "x")]
    assert [(one.column, one.count) for one in findings.losses] == [(None, 3)]


def test_failfast_names_the_first_malformed_record(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": RAGGED})
    settings = reading(parse_mode=ParseMode.FAILFAST)
    with pytest.raises(MalformedRecordError) as caught:
        read(files, schema(id=INT, v=STRING), settings)
    assert (caught.value.row, caught.value.record) == (2, "2")
    assert (caught.value.where, caught.value.condition) == (
        files[0].uri,
        "MALFORMED_RECORD_IN_PARSING",
    )


def test_a_hinted_column_gets_the_text_of_corrupt_records(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": RAGGED})
    rows, findings = read(files, schema(id=INT, v=STRING, _corrupt_record=STRING))
    assert [row["_corrupt_record"] for row in rows] == [None, "2", "3,y,z", None]
    assert findings.losses == ()


# --- many files, large files ---------------------------------------------------------------------


def test_small_files_of_one_header_are_read_together_and_told_apart(tmp_path: Path) -> None:
    contents = {f"{number}.csv": f"id,v\n{number},x\n\nbad,y\n".encode() for number in range(50)}
    files = land(tmp_path, contents)
    batches = list(CsvFormat(CsvOptions(), reading()).read(files, schema(id=INT, v=STRING)))
    assert len(batches) == 1
    paths = [
        json.loads(one)["_file_path"] for one in batches[0].rows["_rescued_data"].to_pylist() if one
    ]
    assert paths == [file.uri for file in files]
    assert [one.count for one in batches[0].findings.misfits] == [1] * 50


def test_a_file_read_in_blocks_gives_the_same_rows_and_row_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [f"{row},{'x' * (row % 50)}" if row % 97 else "bad,row" for row in range(1000)]
    content = b"\xef\xbb\xbfid,v\r\n" + "\r\n".join(lines).encode()
    files = land(tmp_path, {"a.csv": content, "b.csv": content})
    whole = read(files, schema(id=INT, v=STRING), NONE_MODE)
    monkeypatch.setattr(
        csv_files,
        "read_chunks",
        lambda some, csv, **how: read_chunks(some, csv, size=777, **how),
    )
    assert read(files, schema(id=INT, v=STRING), NONE_MODE) == whole


def test_zero_byte_and_header_only_files_have_no_rows(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": b"", "b.csv": b"id,v\n", "c.csv": b"\n  \n"})
    rows, findings = read(files, schema(id=INT, v=STRING))
    assert (rows, findings) == ([], Findings())
    assert CsvFormat(CsvOptions(), reading()).infer(files).schema == schema(id=STRING, v=STRING)


# --- bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.csv", b"\x1f\x8b\x08\x00rest", "gzip"),
        ("a.csv", b"PK\x03\x04\x14\x00", "zip"),
        ("a.csv", b"PAR1\x15\x04", "Parquet"),
        ("a.csv", b"ORC\x00\x01", "ORC"),
        ("a.csv", b"Obj\x01\x04", "Avro"),
        ("a.csv", b"\xff\xfei\x00d\x00", "UTF-16 text"),
        ("a.csv", b"%PDF-1.7", "PDF"),
        ("a.csv.LZ4", b"id\n1\n", "lz4"),
        ("a.csv.snappy", b"id\n1\n", "snappy"),
    ],
)
def test_another_format_is_refused_by_name(
    tmp_path: Path, name: str, content: bytes, kind: str
) -> None:
    files = land(tmp_path, {name: content})
    file_format = CsvFormat(CsvOptions(), reading())
    for act in (
        lambda: file_format.infer(files),
        lambda: file_format.look(files, schema(id=INT)),
        lambda: list(file_format.read(files, schema(id=INT))),
    ):
        with pytest.raises(ForeignFormatError) as caught:
            act()
        assert (caught.value.where, kind in caught.value.found) == (files[0].uri, True)


@pytest.mark.parametrize(
    "header", [b"ORCID,v", b"PAR1,v", b"BZh,v", b"PK\x03\x04".replace(b"\x03\x04", b",v")]
)
def test_text_that_begins_like_another_format_is_read(tmp_path: Path, header: bytes) -> None:
    files = land(tmp_path, {"a.csv": header + b"\n1,2\n"})
    assert len(CsvFormat(CsvOptions(), reading()).infer(files).schema) == 2


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": b"id\n1\n"})
    (tmp_path / "a.csv").unlink()
    with pytest.raises(FileMissingError) as caught:
        read(files, schema(id=INT))
    assert caught.value.where == files[0].uri


# contract 11.13
def test_a_file_that_changes_while_it_is_read_is_an_error(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": b"id,v\n" + b"1,x\n" * 100})
    chunks = read_chunks(files, header=True, size=64)
    next(chunks)
    with (tmp_path / "a.csv").open("ab") as handle:
        handle.write(b"2,y\n")
    with pytest.raises(FileChangedError) as caught:
        list(chunks)
    assert caught.value.where == files[0].uri


def test_a_file_name_that_is_not_utf8_is_read(tmp_path: Path) -> None:
    files = land(tmp_path, {os.fsdecode(b"caf\xe9 #1.csv"): b"id\nx\n"})
    rows, _ = read(files, schema(id=INT))
    assert json.loads(rows[0]["_rescued_data"])["_file_path"].endswith("/caf%E9%20%231.csv")


def test_rows_can_be_written_by_polars(tmp_path: Path) -> None:
    files = land(tmp_path, {"a.csv": b"id,v\n1,x\nbad,y\n"})
    batch = next(CsvFormat(CsvOptions(), reading()).read(files, schema(id=INT, v=STRING)))
    frame = pl.from_arrow(batch.rows)
    assert isinstance(frame, pl.DataFrame)
    frame.write_parquet(tmp_path / "out.parquet", compression="snappy")
    assert pl.read_parquet(tmp_path / "out.parquet").equals(frame)
