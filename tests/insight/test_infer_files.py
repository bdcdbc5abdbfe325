"""What decided a type is told truly: the laws of `infer_files`."""

from __future__ import annotations

import datetime as dt
import json
import os
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import hypothesis.strategies as st
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings

from ingest.errors import CannotMergeTypesError, EmptyDirError, FailedToInferSchemaError
from ingest.file_entry import FileEntry, SeqNum
from ingest.formats.choosing import format_of
from ingest.insight import json_origins
from ingest.insight.inferring import infer_files
from ingest.insight.origins import ColumnFacts, Origin, Seen, TypeChange, Without, leaves
from ingest.insight.surprises import SurpriseKind
from ingest.options import resolve_options
from schema_store.ddl import parse_data_type, to_ddl
from schema_store.types import IntegerType, LongType, NullType, StringType, fold_path

if TYPE_CHECKING:
    from pathlib import Path

    from ingest.insight.inferring import InferredColumn, InferredFiles
    from ingest.insight.surprises import Surprise
    from ingest.stream_options import StreamOptions

TEXTS = ["1", "0012", "2147483648", "9223372036854775808", "1.5", "1e3", "-", "N/A", "true", "NaN"]
CELLS = st.sampled_from([*TEXTS, "", "2030-01-02", "2030-01-02 03:04:05", "31/12/2030", "1" * 39])
COLUMNS = st.lists(st.lists(CELLS, min_size=1, max_size=12), min_size=1, max_size=3)
VALUES = st.recursive(
    st.sampled_from([None, 1, 2**63, 1.5, "", "x", "2030-01-01", True]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2)
    ),
    max_leaves=5,
)


def options(format_name: str = "csv", **more: Any) -> StreamOptions:
    raw = {
        "cloudFiles.format": format_name,
        "cloudFiles.inferColumnTypes": True,
        "cloudFiles.schemaLocation": "nowhere",
        **more,
    }
    return resolve_options(raw, conf={}, user_schema=None, today=dt.date(2030, 1, 1))


def land(folder: Path, name: str, content: bytes, at: int) -> str:
    path = folder / name
    path.write_bytes(content)
    os.utime(path, (at, at))
    return str(path)


def csv_file(cells: list[str]) -> bytes:
    return "\n".join(["id,c", *(f"5,{cell}" for cell in cells), ""]).encode()


def infer_csv(folder: Path, columns: list[list[str]], **more: Any) -> InferredFiles:
    paths = [
        land(folder, f"{number}.csv", csv_file(cells), number)
        for number, cells in enumerate(columns)
    ]
    return infer_files(paths, options(**more))


def infer_json(folder: Path, *files: list[Any], **more: Any) -> InferredFiles:
    paths = [
        land(folder, f"{number}.json", b"".join(json_line(one) for one in records), number)
        for number, records in enumerate(files)
    ]
    return infer_files(paths, options("json", **more))


def json_line(record: Any) -> bytes:
    return json.dumps(record).encode() + b"\n"


def column(found: InferredFiles, name: str) -> InferredColumn:
    return next(one for one in found.columns if one.path == tuple(name.split(".")))


def origin(found: InferredFiles, name: str) -> Origin:
    one = column(found, name).origin
    assert one is not None
    return one


def decided(found: InferredFiles, name: str) -> TypeChange:
    one = origin(found, name).decided
    assert one is not None
    return one


def surprise(found: InferredFiles, kind: SurpriseKind) -> Surprise:
    return next(one for one in found.surprises if one.kind is kind)


def production_schema(found: InferredFiles, chosen: StreamOptions) -> str:
    files = [
        FileEntry(SeqNum(number), one.path, one.size, one.modified_ns)
        for number, one in enumerate(found.files, 1)
    ]
    return to_ddl(format_of(chosen).infer(files).schema)


@pytest.mark.parametrize("mode", ["addNewColumns", "addNewColumnsWithTypeWidening"])
@settings(max_examples=60)
@given(columns=COLUMNS)
def test_the_decided_type_is_that_of_inference(
    tmp_path_factory: pytest.TempPathFactory, mode: str, columns: list[list[str]]
) -> None:
    folder = tmp_path_factory.mktemp("in")
    found = infer_csv(folder, columns, **{"cloudFiles.schemaEvolutionMode": mode})

    for one in found.columns:
        assert one.origin is not None
        changes = one.origin.changes
        observed = changes[-1].data_type if changes else StringType()
        assert observed == one.data_type
        assert all(a.data_type == b.was for a, b in pairwise(changes))


@settings(max_examples=60)
@given(columns=COLUMNS)
def test_leaving_out_the_deciding_texts_gives_the_type_told(
    tmp_path_factory: pytest.TempPathFactory, columns: list[list[str]]
) -> None:
    folder = tmp_path_factory.mktemp("in")
    one = origin(infer_csv(folder, columns), "c")
    if one.without is None or one.without.data_type == one.observed:
        return

    texts = set(one.without.texts)
    cells = [["" if cell in texts else cell for cell in cells] for cells in columns]
    again = origin(infer_csv(folder, cells), "c")

    assert again.observed == one.without.data_type
    assert one.without.count == sum(cell in texts for cells in columns for cell in cells)


@settings(max_examples=60)
@given(columns=COLUMNS)
def test_the_deciding_cell_is_where_it_is_told(
    tmp_path_factory: pytest.TempPathFactory, columns: list[list[str]]
) -> None:
    found = infer_csv(tmp_path_factory.mktemp("in"), columns)

    for change in origin(found, "c").changes:
        number = int(change.file.rpartition("/")[2].removesuffix(".csv"))
        assert change.row is not None
        assert columns[number][change.row - 1] == change.value


@settings(max_examples=60)
@given(columns=COLUMNS)
def test_a_type_holds_from_its_change_on_and_not_before(
    tmp_path_factory: pytest.TempPathFactory, columns: list[list[str]]
) -> None:
    folder = tmp_path_factory.mktemp("in")
    last = origin(infer_csv(folder, columns), "c").decided
    if last is None or last.row is None:
        return
    number = int(last.file.rpartition("/")[2].removesuffix(".csv"))

    until = [*columns[:number], columns[number][: last.row]]
    before = [*columns[:number], columns[number][: last.row - 1]]

    assert origin(infer_csv(folder, until), "c").observed == last.data_type
    assert origin(infer_csv(folder, before), "c").observed == (last.was or NullType())


@settings(max_examples=60)
@given(records=st.lists(st.dictionaries(st.sampled_from(["a", "B"]), VALUES), max_size=20))
def test_json_types_and_what_they_are_without_the_deciding_record(
    tmp_path_factory: pytest.TempPathFactory, records: list[Any]
) -> None:
    folder = tmp_path_factory.mktemp("in")
    records = [{"k": 0}, *records]
    found = infer_json(folder, records)
    assert to_ddl(found.schema) == production_schema(found, options("json"))

    for one in found.columns:
        if one.origin is None or one.origin.decided is None or one.origin.without is None:
            continue
        last = one.origin.decided
        assert last.row is not None
        rest = [{"k": 0} if i == last.row - 1 else record for i, record in enumerate(records)]
        other = {
            fold_path(path): data_type
            for path, data_type in leaves(infer_json(folder, rest).schema)
        }
        told = one.origin.without.data_type
        if one.origin.alone and fold_path(one.path) in other and told != NullType():
            assert other[fold_path(one.path)] == told


def test_the_file_row_and_value_of_a_wider_type(tmp_path: Path) -> None:
    found = infer_csv(tmp_path, [["1", "2"], ["3", "", "2147483648", "4"]])

    assert origin(found, "c") == Origin(
        ("c",),
        LongType(),
        (
            TypeChange((tmp_path / "0.csv").as_uri(), 1, "1", None, IntegerType()),
            TypeChange((tmp_path / "1.csv").as_uri(), 3, "2147483648", IntegerType(), LongType()),
        ),
        Without(IntegerType(), ("2147483648",), 1),
    )


def test_rows_are_counted_through_all_chunks_of_a_file(tmp_path: Path) -> None:
    cells = ["12345678"] * 1_600_000
    cells[1_550_000] = "N/A"

    assert decided(infer_csv(tmp_path, [cells]), "c").row == 1_550_001


def test_others_would_have_decided_as_well(tmp_path: Path) -> None:
    one = origin(infer_csv(tmp_path, [["1", "1.5", "2.5"]]), "c")

    assert (one.alone, one.changes[-1].value) == (False, "1.5")


def test_a_column_of_names_is_not_blamed_on_one_of_them(tmp_path: Path) -> None:
    found = infer_csv(tmp_path, [["Ann", "Bob", "Cy", "Di"]])

    assert not origin(found, "c").alone
    assert found.surprises == ()


def test_strings_are_not_explained(tmp_path: Path) -> None:
    found = infer_csv(tmp_path, [["1"]], **{"cloudFiles.inferColumnTypes": False})

    assert column(found, "c").origin is None
    assert to_ddl(found.schema) == "id STRING, c STRING"


def test_a_few_texts_that_make_a_column_string(tmp_path: Path) -> None:
    found = infer_csv(tmp_path, [["N/A", "1.5", "N/A", "2"]])
    one = surprise(found, SurpriseKind.FEW_TEXTS)

    assert "'N/A' (2 cells)" in one.fact
    assert (one.hint, one.option) == ("c DOUBLE", "nullValue=N/A")
    taken = infer_csv(tmp_path, [["N/A", "1.5", "N/A", "2"]], nullValue="N/A")
    assert to_ddl(taken.schema) == "id INT, c DOUBLE"


def test_two_texts_have_no_null_value(tmp_path: Path) -> None:
    one = surprise(infer_csv(tmp_path, [["N/A", "1", "-"]]), SurpriseKind.FEW_TEXTS)

    assert (one.hint, one.option) == ("c INT", None)


@pytest.mark.parametrize(
    ("cells", "kind", "hint", "option"),
    [
        (["7", "007"], SurpriseKind.LEADING_ZEROS, "c STRING", None),
        (["9007199254740993"], SurpriseKind.BEYOND_DOUBLE, "c STRING", None),
        (["9223372036854775808"], SurpriseKind.BEYOND_BIGINT, "c STRING", None),
        (["1.5", "9007199254740993"], SurpriseKind.BEYOND_DOUBLE, "c STRING", None),
        (["1.50", "2"], SurpriseKind.DOUBLE, "c DECIMAL(12,2)", None),
        (["2030-01-01", "2030-01-02 01:00:00"], SurpriseKind.DATES_AND_TIMES, "c TIMESTAMP", None),
        (["31/12/2030", "1/2/2030"], SurpriseKind.DAY_OR_MONTH, "c DATE", "dateFormat=dd/MM/yyyy"),
        (["12-31-2030"], SurpriseKind.DAY_OR_MONTH, "c DATE", "dateFormat=MM-dd-yyyy"),
        (["01/02/2030"], SurpriseKind.DAY_OR_MONTH, None, None),
        (["31/12/2030", "12/31/2030"], SurpriseKind.DAY_OR_MONTH, None, None),
        (["0", "1"], SurpriseKind.ZERO_ONE, None, None),
        (["", ""], SurpriseKind.ALL_NULL, "c BIGINT", None),
        (["1", *(f"2030-01-0{day}" for day in range(1, 6))], SurpriseKind.MIXED, "c INT", None),
    ],
)  # fmt: skip
def test_csv_surprises(
    tmp_path: Path, cells: list[str], kind: SurpriseKind, hint: str | None, option: str | None
) -> None:
    one = surprise(infer_csv(tmp_path, [cells]), kind)

    assert (one.hint, one.option) == (hint, option)


def test_a_hint_takes_a_surprise_away(tmp_path: Path) -> None:
    hints = {"cloudFiles.schemaHints": "c STRING"}
    found = infer_csv(tmp_path, [["007"]], **hints)

    assert column(found, "c").hinted
    assert found.surprises == ()


def test_integers_within_a_double_are_no_surprise(tmp_path: Path) -> None:
    assert infer_csv(tmp_path, [["9007199254740992", "-9007199254740992"]]).surprises == ()


def test_json_surprises(tmp_path: Path) -> None:
    found = infer_json(
        tmp_path,
        [{"id": 2**63, "s": {"p": 1.25}, "at": "2030-01-01T00:00:00Z", "n": 1}],
        [{"id": 1, "s": {"p": 1000.5}, "z": None}, {"n": "x"}, {"n": 2}],
    )

    told = {(one.kind, one.column): one.hint for one in found.surprises}
    assert told == {
        (SurpriseKind.BEYOND_BIGINT, "id"): "id STRING",
        (SurpriseKind.TIMES_AS_TEXT, "at"): "at TIMESTAMP",
        (SurpriseKind.FEW_TEXTS, "n"): "n BIGINT",
        (SurpriseKind.DOUBLE, "s.p"): "s.p DECIMAL(6,2)",
        (SurpriseKind.ALL_NULL, "z"): "z BIGINT",
    }


def test_a_json_record_is_found_in_a_long_file(tmp_path: Path) -> None:
    records: list[Any] = [{"a": {"b": [{"c": 1}, {"c": 2}]}}] * 5000
    records[4321] = {"A": {"b": [{"c": 1}, {"c": "no"}]}}
    found = infer_json(tmp_path, records[:10], records)

    last = decided(found, "a.b.element.c")
    assert (last.row, last.value, last.was) == (4322, '"no"', LongType())
    assert origin(found, "a.b.element.c").alone


def test_large_integers_are_found_after_the_first_records(tmp_path: Path) -> None:
    records: list[Any] = [{"id": 1}] * (json_origins.LOOKED_AT + 5) + [{"id": 2**60}]

    one = surprise(infer_json(tmp_path, records), SurpriseKind.BEYOND_DOUBLE)
    assert str(2**60) in one.fact


def test_a_json_document_over_several_lines(tmp_path: Path) -> None:
    path = land(tmp_path, "a.json", b'[{"a": 1},\n {"a": "x",\n  "d": 2.5}]', 1)
    found = infer_files([path], options("json", multiLine=True))

    last = decided(found, "a")
    assert (last.row, last.value) == (1, '"x"')
    assert surprise(found, SurpriseKind.DOUBLE).hint == "d DECIMAL(2,1)"


def test_records_with_a_line_separator_of_their_own(tmp_path: Path) -> None:
    records = [*([b'{"a":\n1.5}'] * 40), b'{"a":\n"x"}', b'{"a": 2}']
    path = land(tmp_path, "a.json", b"|".join(records), 1)
    found = infer_files([path], options("json", lineSep="|"))

    assert (decided(found, "a").row, origin(found, "a").alone) == (41, True)


def test_the_parquet_file_that_decided(tmp_path: Path) -> None:
    for number, (value, kind) in enumerate([(1, pa.int32()), (2**60, pa.int64())]):
        path = tmp_path / f"{number}.parquet"
        pq.write_table(pa.table({"id": pa.array([value], kind)}), path)
        os.utime(path, (number, number))
    found = infer_files([str(tmp_path)], options("parquet"))

    last = decided(found, "id")
    assert (last.file, last.row, last.was) == (
        (tmp_path / "1.parquet").as_uri(),
        None,
        IntegerType(),
    )
    assert origin(found, "id").alone
    assert surprise(found, SurpriseKind.BEYOND_DOUBLE).hint is None


def test_parquet_files_that_conflict_are_told_with_the_error(tmp_path: Path) -> None:
    pq.write_table(pa.table({"id": [1]}), tmp_path / "0.parquet")
    pq.write_table(pa.table({"id": ["x"]}), tmp_path / "1.parquet")
    found = infer_files([str(tmp_path)], options("parquet"))

    assert isinstance(found.conflict, CannotMergeTypesError)


def test_one_folder_gives_partition_columns(tmp_path: Path) -> None:
    (tmp_path / "c=7").mkdir()
    land(tmp_path / "c=7", "a.csv", csv_file(["x"]), 1)
    found = infer_files([str(tmp_path)], options())

    assert to_ddl(found.schema) == "id INT, c INT"
    assert column(found, "c").in_path


def test_no_files_and_no_columns_fail_as_in_production(tmp_path: Path) -> None:
    with pytest.raises(EmptyDirError):
        infer_files([str(tmp_path)], options())
    land(tmp_path, "a.json", b"broken\n", 1)
    with pytest.raises(FailedToInferSchemaError):
        infer_files([str(tmp_path)], options("json"))


def test_facts_add_up() -> None:
    one = ColumnFacts(values=1, zeros=Seen(1, "a", 2, "01"))
    two = ColumnFacts(values=2, zeros=Seen(3, "b", 1, "02"), exact=parse_data_type("DECIMAL(3,1)"))

    assert (one + two).zeros == Seen(4, "a", 2, "01")
    assert (one + two).exact == parse_data_type("DECIMAL(3,1)")
    assert one + ColumnFacts() == one
