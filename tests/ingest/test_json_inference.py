"""JSON inference: Spark's answers (`spark-inference.md` 1.2), and the laws of merging."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.errors import MalformedRecordError
from ingest.formats.json_fast_inference import TypeFinder
from ingest.formats.json_inference import (
    NOTHING,
    InferenceRules,
    canonical_schema,
    infer_record,
    merge_records,
)
from ingest.formats.json_lines import Block
from ingest.formats.json_records import parse_record
from ingest.stream_options import JsonOptions, JsonSyntax, ParseMode
from schema_store.ddl import to_ddl
from tests.ingest import json_lines
from tests.ingest.json_support import infer
from tests.ingest.test_json_differential import FILE

if TYPE_CHECKING:
    from ingest.formats.json_tokens import JsonObject

NINES = "9" * 38
DEFAULT = [
    (["1", "2"], "BIGINT"),
    (["9223372036854775807"], "BIGINT"),
    (["9223372036854775808"], "DECIMAL(19,0)"),
    ([NINES], "DECIMAL(38,0)"),
    ([NINES + "9"], "DOUBLE"),
    (["-0"], "BIGINT"),
    (["1.5"], "DOUBLE"),
    (["1", "1.5"], "DOUBLE"),
    (["1" * 20, "1"], "DECIMAL(20,0)"),
    (["1" * 20, "1.5"], "DOUBLE"),
    (["true", "false"], "BOOLEAN"),
    (["true", "1"], "STRING"),
    (["1", '"a"'], "STRING"),
    (['"1"'], "STRING"),
    (['"2020-01-01"'], "STRING"),
    (["null"], "STRING"),
    (['""'], "STRING"),
    (["1", '""'], "BIGINT"),
    (["1", "null"], "BIGINT"),
    (["{}"], None),
    (["[]"], "ARRAY<STRING>"),
    (["[null]"], "ARRAY<STRING>"),
    (["[[]]"], "ARRAY<ARRAY<STRING>>"),
    (["[{}]"], None),
    (['{"a":{}}'], None),
    (['{"a":null}'], "STRUCT<a: STRING>"),
    (['{"b":1,"a":2}'], "STRUCT<a: BIGINT, b: BIGINT>"),
    (['{"a":1}', '{"b":"x"}'], "STRUCT<a: BIGINT, b: STRING>"),
    (['{"a":1}', '{"a":1.5}'], "STRUCT<a: DOUBLE>"),
    (['{"a":1}', '{"A":2}'], "STRUCT<a: BIGINT>"),
    (['{"":1}'], None),
    (['{"a":1}', "1"], "STRING"),
    (['{"a":1}', "[1]"], "STRING"),
    (['{"a":1}', "null"], "STRUCT<a: BIGINT>"),
    (["{}", "1"], "STRING"),
    (["[1,2]"], "ARRAY<BIGINT>"),
    (["[1,1.5]"], "ARRAY<DOUBLE>"),
    (['[1,"a"]'], "ARRAY<STRING>"),
    (["[1]", "1"], "STRING"),
    (["[]", "[1]"], "ARRAY<BIGINT>"),
    (['[{"a":1},{"b":2}]'], "ARRAY<STRUCT<a: BIGINT, b: BIGINT>>"),
    (["[1,[2]]"], "ARRAY<STRING>"),
    (["1e5"], "DOUBLE"),
    (["1e400"], "DOUBLE"),
    (["NaN"], "DOUBLE"),
]
DECIMALS = [
    (["1.5"], "DECIMAL(2,1)"),
    (["1.50"], "DECIMAL(3,2)"),
    (["0.1"], "DECIMAL(1,1)"),
    (["-0.0"], "DECIMAL(1,1)"),
    (["0." + "1" * 40], "DOUBLE"),
    (["123456789.123456789"], "DECIMAL(18,9)"),
    (["1", "1.5"], "DECIMAL(21,1)"),
    (["1.5", "22.25"], "DECIMAL(4,2)"),
    (["9" * 38, "1.5"], "DOUBLE"),
    (["1", '"1"'], "DECIMAL(20,0)"),
    (['"1,000"'], "DECIMAL(4,0)"),
    (['"+1"'], "DECIMAL(1,0)"),
    (['"0.05"'], "STRING"),
    (['"1e5"'], "STRING"),
    (['" 1 "'], "STRING"),
    (['"1"', '"abc"'], "STRING"),
    (["1E-5"], "DECIMAL(5,5)"),
    (["1e5"], "DECIMAL(6,0)"),
    (["1e400"], "DOUBLE"),
]
TIMESTAMPS = [
    (['"2020-01-01"'], "TIMESTAMP"),
    (['"2020-01-01T10:11:12"', '""'], "TIMESTAMP"),
    (['"2020"'], "TIMESTAMP"),
    (['"12:34"'], "TIMESTAMP"),
    (['"2020-01-01T10:11:12"', '"x"'], "STRING"),
    (['"2020-01-01T10:11:12"', "1"], "STRING"),
]


def _ddl(values: list[str], json: JsonOptions, *, prefers_decimal: bool = False) -> str:
    return infer(*(f'{{"v":{one}}}' for one in values), json=json, prefers_decimal=prefers_decimal)


def _expected(kind: str | None) -> str:
    return "" if kind is None else f"v {kind}"


@pytest.mark.parametrize(("values", "kind"), DEFAULT)
def test_types_are_those_of_spark(values: list[str], kind: str | None) -> None:
    assert _ddl(values, JsonOptions()) == _expected(kind)


@pytest.mark.parametrize(("values", "kind"), DECIMALS)
def test_prefers_decimal_is_that_of_spark(values: list[str], kind: str) -> None:
    assert _ddl(values, JsonOptions(), prefers_decimal=True) == _expected(kind)


@pytest.mark.parametrize(("values", "kind"), TIMESTAMPS)
def test_infer_timestamp_is_that_of_spark(values: list[str], kind: str) -> None:
    assert _ddl(values, JsonOptions(infer_timestamp=True)) == _expected(kind)


def test_primitives_as_string() -> None:
    line = '{"a":1,"b":[1,true],"c":{"d":1.5},"e":null}'
    assert infer(line, json=JsonOptions(primitives_as_string=True)) == (
        "a STRING, b ARRAY<STRING>, c STRUCT<d: STRING>, e STRING"
    )


def test_fields_that_are_null_throughout_are_left_out() -> None:
    line = '{"id":1,"o":{},"a":[],"n":null,"s":"","oo":{"x":null},"aa":[null]}'
    assert infer(line, json=JsonOptions(drop_field_if_all_null=True)) == "id BIGINT"


def test_every_column_is_text_unless_types_are_inferred() -> None:
    assert infer('{"b":1,"a":{"x":1},"":2,"o":{}}', typed=False) == "a STRING, b STRING, o STRING"


def test_of_members_with_one_name_the_last_counts() -> None:
    assert infer('{"v":1,"v":"x"}') == "v STRING"


def test_corrupt_records_and_other_values_give_no_column() -> None:
    assert infer("5", "[1]", "{", '{"a":1}', b'{"b":"\xff"}', "[]", '[{"c":1}]') == (
        "a BIGINT, c BIGINT"
    )


def test_a_corrupt_record_is_an_error_in_failfast() -> None:
    with pytest.raises(MalformedRecordError) as caught:
        infer('{"a":1}', "{", parse_mode=ParseMode.FAILFAST)
    assert (caught.value.row, caught.value.record) == (2, "{")


def test_the_names_of_the_rescued_data_are_no_columns() -> None:
    assert infer('{"_rescued_data":1,"_file_path":2,"a":3}') == "a BIGINT"


def _slow(lines: list[bytes], rules: InferenceRules) -> str:
    records = [record for raw in lines if (record := parse_record(raw, JsonSyntax()))]
    types = [infer_record(one, rules) for record in records for one in record.objects]
    return to_ddl(canonical_schema(merge_records(NOTHING, types), rules))


def _fast(lines: list[bytes], rules: InferenceRules) -> str:
    finder = TypeFinder(NOTHING, rules, JsonSyntax(), typed=True, fails=False)
    for start in range(0, len(lines), 500):
        finder.add(Block(b"\n".join(lines[start : start + 500]), b"\n"), FILE)
    return to_ddl(canonical_schema(finder.observed, rules))


RULES = {
    "default": InferenceRules(),
    "decimals": InferenceRules(prefers_decimal=True),
    "timestamps": InferenceRules(infer_timestamp=True),
    "both": InferenceRules(prefers_decimal=True, infer_timestamp=True),
    "strings": InferenceRules(primitives_as_string=True),
}


@pytest.mark.parametrize("odd", [0.0, 0.01, 0.5])
@pytest.mark.parametrize("rules", list(RULES))
def test_fast_inference_is_exact(rules: str, odd: float) -> None:
    lines = list(json_lines.lines(7, 3000, odd=odd))
    assert _fast(lines, RULES[rules]) == _slow(lines, RULES[rules])


_line = st.dictionaries(
    st.sampled_from(["a", "b", "A", ""]),
    st.sampled_from(json_lines.ODD_VALUES),
    max_size=3,
).map(lambda members: ("{" + ",".join(f'"{k}":{v}' for k, v in members.items()) + "}").encode())


@given(
    lines=st.lists(_line, max_size=8), rules=st.sampled_from(list(RULES)), seed=st.integers(0, 99)
)
def test_records_merge_in_any_order(lines: list[bytes], rules: str, seed: int) -> None:
    mixed = random.Random(seed).sample(lines, len(lines))
    assert _slow(mixed, RULES[rules]).lower() == _slow(lines, RULES[rules]).lower()


@given(left=st.lists(_line, max_size=5), right=st.lists(_line, max_size=5))
def test_inference_of_two_parts_is_the_merge_of_both(left: list[bytes], right: list[bytes]) -> None:
    rules = InferenceRules()

    def types(lines: list[bytes]) -> list[JsonObject]:
        return [one for raw in lines if (r := parse_record(raw, JsonSyntax())) for one in r.objects]

    whole = merge_records(NOTHING, [infer_record(one, rules) for one in types(left + right)])
    parts = [
        merge_records(NOTHING, [infer_record(one, rules) for one in types(part)])
        for part in (left, right)
    ]
    assert merge_records(NOTHING, parts) == whole


@given(lines=st.lists(_line, max_size=60), rules=st.sampled_from(list(RULES)))
def test_fast_inference_is_exact_on_few_lines(lines: list[bytes], rules: str) -> None:
    assert _fast(lines, RULES[rules]) == _slow(lines, RULES[rules])


@pytest.mark.parametrize("rules", ["decimals", "both"])
def test_fast_inference_is_exact_where_numbers_and_times_grow(rules: str) -> None:
    pick = random.Random(5)
    texts = (
        '"2030-01-05"',
        '"2030-01-05T10:00:00-17:59"',
        '"2030-01-05 10:00:00.25Z"',
        '"x"',
        '""',
    )
    lines = [
        f'{{"n":{pick.randrange(10 ** pick.randrange(1, 26))}.{pick.randrange(10**6)},'
        f'"m":[{pick.choice(("1.50", "7", "null", "0.0", "1e3"))}],"k":{10 ** (at // 40)},'
        f'"t":{texts[pick.randrange(1 + at // 500)]},"u":{{"t":{texts[at % 3]}}}}}'.encode()
        for at in range(2000)
    ]
    assert _fast(lines, RULES[rules]) == _slow(lines, RULES[rules])
