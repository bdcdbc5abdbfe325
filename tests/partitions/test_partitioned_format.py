"""Rows of any format get the values of their folders (contract 2.7, 5.2, 11.9)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.arrow import to_arrow_type
from ingest.file_entry import FileEntry, SeqNum
from ingest.ledger import LossKind
from ingest.partitions.losses import differing_entries
from ingest.partitions.partitioned_format import PartitionedFormat
from ingest.partitions.runs import Run
from ingest.read_batch import Findings, Inferred, ReadBatch, UnknownField
from ingest.rescue import FILE_PATH
from schema_store.ddl import parse_ddl
from schema_store.types import StructType
from tests.ingest.csv_support import reading

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from schema_store.types import Schema

Rows = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class GivenRows:
    """A format whose files have the rows it was told; each read batch holds all files."""

    rows: dict[bytes, Rows]
    rescued: str | None = "_rescued_data"
    unknown: tuple[str, ...] = ()

    def infer(self, files: Sequence[FileEntry]) -> Inferred:
        assert files
        return Inferred(StructType(()), frozenset(), frozenset())

    def look(self, files: Sequence[FileEntry], schema: Schema) -> Findings:
        assert schema is not None
        return Findings(tuple(UnknownField((name,), files[0], "") for name in self.unknown))

    def read(self, files: Sequence[FileEntry], schema: Schema) -> Iterator[ReadBatch]:
        rows = [row for file in files for row in self.rows[file.path]]
        names = [*schema.names, *([] if self.rescued is None else [self.rescued])]
        types = [to_arrow_type(one.data_type) for one in schema] + [pa.string_view()]
        columns = [
            pa.array([row.get(name) for row in rows], kind)
            for name, kind in zip(names, types, strict=False)
        ]
        batch = pa.RecordBatch.from_arrays(columns, names=names)
        counts = tuple((file, len(self.rows[file.path])) for file in files)
        yield ReadBatch(batch, self.look(files, schema), files=counts)


def entries(rows: dict[bytes, Rows]) -> list[FileEntry]:
    return [FileEntry(SeqNum(number), path, 1, 0) for number, path in enumerate(rows, 1)]


def read(
    rows: dict[bytes, Rows], columns: str, schema: str = "id INT", **settings: Any
) -> ReadBatch:
    chosen = reading(**settings)
    inner = GivenRows(rows, chosen.rescued_column)
    partitioned = PartitionedFormat(inner, b"/in", parse_ddl(columns), chosen)
    (batch,) = partitioned.read(entries(rows), parse_ddl(schema))
    batch.rows.validate(full=True)
    return batch


def rescued(batch: ReadBatch) -> list[Any]:
    texts = batch.rows.column("_rescued_data").to_pylist()
    return [None if text is None else json.loads(text) for text in texts]


TWO = {b"/in/day=06/a": [{"id": 1}, {"id": 2}], b"/in/day=x%2Fy/b c": [{"id": 3}]}


def test_values_are_constants_of_each_file() -> None:
    batch = read(TWO, "day STRING, hour INT")
    assert batch.rows.schema.names == ["id", "day", "hour", "_rescued_data"]
    assert batch.rows.column("day").to_pylist() == ["06", "06", "x/y"]
    assert batch.rows.column("hour").to_pylist() == [None, None, None]
    assert batch.findings == Findings()


def test_a_file_without_rows_gives_none() -> None:
    batch = read({b"/in/day=1/a": [], b"/in/day=2/b": [{"id": 1}], b"/in/day=3/c": []}, "day INT")
    assert batch.rows.column("day").to_pylist() == [2]


def test_no_rows_have_the_columns_all_the_same() -> None:
    batch = read({b"/in/day=1/a": []}, "day INT, d DECIMAL(5,2)")
    assert batch.rows.schema.types[1:3] == [pa.int32(), pa.decimal128(5, 2)]


def test_a_misfit_is_rescued_as_its_text_before_the_file_path() -> None:
    batch = read(TWO, "day INT")
    assert batch.rows.column("day").to_pylist() == [6, 6, None]
    assert batch.rows.column("_rescued_data").to_pylist() == [
        None,
        None,
        '{"day":"x/y","_file_path":"file:///in/day=x%252Fy/b%20c"}',
    ]
    assert batch.findings == Findings(rescued_rows=1)


@pytest.mark.parametrize(
    ("file_path", "end"), [(True, ',"_file_path":"file:///in/B=q%22/a=1x/f"}'), (False, "}")]
)
def test_misfits_are_added_to_what_was_rescued(*, file_path: bool, end: str) -> None:
    before = f'{{"z":"}}"{end}'
    rows: dict[bytes, Rows] = {b'/in/B=q"/a=1x/f': [{"_rescued_data": before}, {"id": 2}]}
    batch = read(rows, "B DATE, a INT, c INT", file_path_in_rescued=file_path)
    assert batch.rows.column("_rescued_data").to_pylist() == [
        f'{{"z":"}}","B":"q\\"","a":"1x"{end}',
        f'{{"B":"q\\"","a":"1x"{end}',
    ]
    assert batch.findings.rescued_rows == 1  # the other one counts already


def test_without_a_rescued_column_a_misfit_is_a_ledger_entry_for_each_row() -> None:
    batch = read(TWO, "day INT", rescued_column=None)
    (entry,) = batch.findings.losses
    assert (entry.kind, entry.column, entry.count) == (LossKind.DROPPED, "day", 1)
    assert [(one.row, one.text) for one in entry.examples] == [(1, "x/y")]


def test_a_rounded_value_is_a_ledger_entry() -> None:
    batch = read({b"/in/p=1.25/a": [{"id": 1}, {"id": 2}]}, "p DECIMAL(5,1)")
    (entry,) = batch.findings.losses
    assert (entry.kind, entry.column, entry.count) == (LossKind.CHANGED, "p", 2)


def test_in_the_widening_mode_a_value_that_would_be_rounded_is_a_misfit() -> None:
    batch = read({b"/in/p=1.25/a": [{"id": 1}]}, "p DECIMAL(5,1)", exact_decimals=True)
    assert rescued(batch)[0]["p"] == "1.25"


@pytest.mark.parametrize(
    ("schema", "values", "lost"),
    [
        ("Day STRING", ["06", "6", None], ["6"]),
        ("day INT", [6, 7, None], ["7"]),
        ("day DATE", [None, None, None], []),
        ("day ARRAY<INT>", [[6], None, None], ["[6]"]),
    ],
)
def test_a_value_in_the_file_that_differs_is_a_ledger_entry(
    schema: str, values: list[object], lost: list[str]
) -> None:
    name = schema.partition(" ")[0]
    rows = {b"/in/day=06/a": [{name: value} for value in values]}
    batch = read(rows, "day INT", schema)
    assert batch.rows.schema.names == ["day", "_rescued_data"]
    assert batch.rows.column("day").to_pylist() == [6, 6, 6]
    examples = [one.text for entry in batch.findings.losses for one in entry.examples]
    assert (examples, sum(entry.count for entry in batch.findings.losses)) == (lost, len(lost))


def test_a_partition_column_in_a_file_is_no_unknown_field() -> None:
    inner = GivenRows(TWO, unknown=("DAY", "other"))
    partitioned = PartitionedFormat(inner, b"/in", parse_ddl("day INT"), reading())
    found = partitioned.look(entries(TWO), parse_ddl("id INT"))
    (batch,) = partitioned.read(entries(TWO), parse_ddl("id INT"))
    assert [one.path for one in found.unknown] == [("other",)]
    assert [one.path for one in batch.findings.unknown] == [("other",)]


texts = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0/%="), min_size=1, max_size=4
)
members = st.dictionaries(st.sampled_from(["x", "y", "a b"]), texts, max_size=2)


@given(st.lists(st.tuples(texts, st.lists(members, max_size=3)), min_size=1, max_size=4))
def test_every_value_of_a_path_is_in_the_column_or_rescued(
    files: list[tuple[str, list[dict[str, str]]]],
) -> None:
    rows: dict[bytes, Rows] = {}
    for number, (text, found) in enumerate(files):
        path = f"/in/p={text}/f{number}".encode()
        uri = FileEntry(SeqNum(1), path, 1, 0).uri
        dumped = [
            json.dumps(one | {FILE_PATH: uri}, separators=(",", ":"), ensure_ascii=False)
            for one in found
        ]
        rows[path] = [
            {"_rescued_data": text if one else None}
            for one, text in zip(found, dumped, strict=True)
        ]

    batch = read(rows, "p INT", "")

    expected = [(text, one) for text, found in files for one in found]
    actual = zip(batch.rows.column("p").to_pylist(), rescued(batch), strict=True)
    for (text, before), (value, after) in zip(expected, actual, strict=True):
        kept = {} if after is None else after
        path = kept.pop(FILE_PATH, None)
        assert (kept.pop("p", None) == text) == (value is None)
        assert kept == before
        assert (path is None) == (after is None)


# contract 11.9: also for values that Python cannot show
@pytest.mark.parametrize(
    ("number", "kind", "shown"),
    [(2**62, pa.timestamp("us"), "+148108-"), (2**31 - 1, pa.date32(), "+5881580-")],
)
def test_a_replaced_value_of_a_far_year_is_told(number: int, kind: pa.DataType, shown: str) -> None:
    file = FileEntry(SeqNum(1), b"/in/p=1/a", 1, 0)
    values = pa.array([number], pa.int32() if pa.types.is_date(kind) else pa.int64()).view(kind)
    (entry,) = differing_entries((Run(file, 0, 1, 0),), "p", values, pa.nulls(1, kind))
    assert shown in entry.examples[0].text
