from __future__ import annotations

import pytest
from hypothesis import given

from schema_store.ddl import parse_ddl, to_ddl
from schema_store.errors import UnknownEvolutionModeError
from schema_store.evolution import (
    EvolutionMode,
    Evolve,
    NewField,
    Observation,
    Proceed,
    Refuse,
    WidenedField,
    decide,
)
from schema_store.merge import merge_types
from schema_store.types import (
    ArrayType,
    Field,
    FieldPath,
    IntegerType,
    LongType,
    NullType,
    Schema,
    StringType,
    StructType,
)
from tests.schema_store.strategies import alike_schemas, schemas_and_observations

ADD = EvolutionMode.ADD_NEW_COLUMNS
WIDENING = EvolutionMode.ADD_NEW_COLUMNS_WITH_TYPE_WIDENING
FAIL = EvolutionMode.FAIL_ON_NEW_COLUMNS

modes = pytest.mark.parametrize("mode", list(EvolutionMode))
evolving = pytest.mark.parametrize("mode", [ADD, WIDENING])


def observed(ddl: str, *misfits: FieldPath) -> Observation:
    return Observation(parse_ddl(ddl), frozenset(misfits))


@modes
@given(case=schemas_and_observations())
def test_deciding_on_its_own_result_proceeds(
    mode: EvolutionMode, case: tuple[Schema, Observation]
) -> None:
    current, observation = case
    match decide(current, observation, mode):
        case Evolve(schema) | Proceed(schema):
            assert decide(schema, observation, mode) == Proceed(schema)
        case Refuse(new_fields):
            assert mode is FAIL
            assert new_fields


@pytest.mark.parametrize("mode", [EvolutionMode.RESCUE, EvolutionMode.NONE])
@given(case=schemas_and_observations())
def test_rescue_and_none_never_stop(mode: EvolutionMode, case: tuple[Schema, Observation]) -> None:
    current, observation = case
    assert decide(current, observation, mode) == Proceed(current)


@given(schemas_and_observations())
def test_refused_are_the_fields_that_would_be_added(case: tuple[Schema, Observation]) -> None:
    current, observation = case
    match decide(current, observation, ADD):
        case Evolve(_, new_fields, ()):
            assert decide(current, observation, FAIL) == Refuse(new_fields)
        case decision:
            assert decision == decide(current, observation, FAIL) == Proceed(current)


@evolving
@given(case=schemas_and_observations())
def test_old_columns_keep_their_places(
    mode: EvolutionMode, case: tuple[Schema, Observation]
) -> None:
    current, observation = case
    decision = decide(current, observation, mode)
    assert not isinstance(decision, Refuse)
    assert decision.schema.names[: len(current)] == current.names


@given(schemas_and_observations())
def test_old_columns_of_plain_types_keep_them_outside_the_widening_mode(
    case: tuple[Schema, Observation],
) -> None:
    current, observation = case
    decision = decide(current, observation, ADD)
    assert not isinstance(decision, Refuse)
    for old, new in zip(current, decision.schema, strict=False):
        if not isinstance(old.data_type, StructType):
            assert merge_types(old.data_type, new.data_type) == new.data_type


@given(schemas_and_observations())
def test_widened_types_hold_the_old_ones(case: tuple[Schema, Observation]) -> None:
    current, observation = case
    decision = decide(current, observation, WIDENING)
    widened = decision.widened if isinstance(decision, Evolve) else ()
    for change in widened:
        assert merge_types(change.old, change.new) == change.new != change.old


@given(schemas_and_observations())
def test_without_misfits_the_widening_mode_only_adds(case: tuple[Schema, Observation]) -> None:
    current, observation = case
    fitting = Observation(observation.schema, frozenset())
    assert decide(current, fitting, WIDENING) == decide(current, fitting, ADD)


@given(schemas_and_observations())
def test_pinned_columns_are_never_widened(case: tuple[Schema, Observation]) -> None:
    current, observation = case
    pinned = frozenset((name.upper(),) for name in current.names)
    assert decide(current, observation, WIDENING, pinned=pinned) == decide(
        current, observation, ADD, pinned=pinned
    )


@modes
@given(current=alike_schemas)
def test_names_that_differ_in_case_are_never_new(mode: EvolutionMode, current: Schema) -> None:
    other = StructType(tuple(Field(f.name.swapcase(), f.data_type) for f in current))
    assert decide(current, Observation(other, frozenset()), mode) == Proceed(current)


@pytest.mark.parametrize(
    ("current", "batch", "expected"),
    [
        ("id INT", "z STRING, id INT, a INT", "id INT, z STRING, a INT"),
        (
            "s STRUCT<a: INT>, b INT",
            "s STRUCT<c: DATE, a: INT>",
            "s STRUCT<a: INT, c: DATE>, b INT",
        ),
        (
            "t ARRAY<STRUCT<a: INT>>",
            "t ARRAY<STRUCT<a: INT, b: INT>>",
            "t ARRAY<STRUCT<a: INT, b: INT>>",
        ),
        (
            "m MAP<STRING, STRUCT<a: INT>>",
            "m MAP<STRING, STRUCT<b: INT>>",
            "m MAP<STRING, STRUCT<a: INT, b: INT>>",
        ),
        (
            "id INT",
            "n STRUCT<a: VOID, b: ARRAY<VOID>, e: STRUCT<>>",
            "id INT, n STRUCT<a: STRING, b: ARRAY<STRING>>",
        ),
        ("id INT", "n INT NOT NULL", "id INT, n INT"),
        ("S STRUCT<A: INT>", "s STRUCT<a: INT, b: INT>", "S STRUCT<A: INT, b: INT>"),
    ],
)
@evolving
def test_new_fields_are_appended(
    mode: EvolutionMode, current: str, batch: str, expected: str
) -> None:
    decision = decide(parse_ddl(current), observed(batch), mode)
    assert isinstance(decision, Evolve)
    assert to_ddl(decision.schema) == expected


def test_new_fields_are_told_with_their_paths() -> None:
    decision = decide(
        parse_ddl("s STRUCT<a: INT>, t ARRAY<STRUCT<a: INT>>"),
        observed("s STRUCT<b: INT>, t ARRAY<STRUCT<c: INT>>, x STRING"),
        ADD,
    )
    assert isinstance(decision, Evolve)
    assert decision.new_fields == (
        NewField(("s", "b"), Field("b", IntegerType())),
        NewField(("t", "element", "c"), Field("c", IntegerType())),
        NewField(("x",), Field("x", StringType())),
    )


@pytest.mark.parametrize(
    "field",
    [
        Field("n", NullType()),
        Field("n", StructType(())),
        Field("n", ArrayType(StructType(()))),
        Field("n", StructType((Field("e", StructType(())),))),
        Field("", IntegerType()),
    ],
)
@modes
def test_what_infers_to_nothing_is_no_new_field(mode: EvolutionMode, field: Field) -> None:
    current = parse_ddl("id INT")
    assert decide(current, Observation(StructType((field,)), frozenset()), mode) == Proceed(current)


@pytest.mark.parametrize(
    ("current", "observation", "expected"),
    [
        ("id INT", observed("id BIGINT", ("id",)), "id BIGINT"),
        ("id INT", observed("id DECIMAL(5,2)", ("id",)), "id DECIMAL(12,2)"),
        ("id INT", observed("ID BIGINT", ("Id",)), "id BIGINT"),
        ("ID INT", observed("ID BIGINT", ("ID",)), "ID BIGINT"),
        (
            "s STRUCT<a: INT, b: INT>",
            observed("s STRUCT<a: BIGINT, b: BIGINT>", ("s", "a")),
            "s STRUCT<a: BIGINT, b: INT>",
        ),
        (
            "s STRUCT<a: INT, b: INT>",
            observed("s STRUCT<a: BIGINT, b: STRING>", ("s",)),
            "s STRUCT<a: BIGINT, b: INT>",
        ),
        ("t ARRAY<INT>", observed("t ARRAY<DOUBLE>", ("t",)), "t ARRAY<DOUBLE>"),
        ("t ARRAY<INT>", observed("t ARRAY<DOUBLE>", ("t", "element")), "t ARRAY<DOUBLE>"),
        (
            "m MAP<STRING, FLOAT>",
            observed("m MAP<STRING, DOUBLE>", ("m", "value")),
            "m MAP<STRING, DOUBLE>",
        ),
    ],
)
def test_misfits_widen_their_column(current: str, observation: Observation, expected: str) -> None:
    decision = decide(parse_ddl(current), observation, WIDENING)
    assert isinstance(decision, Evolve)
    assert to_ddl(decision.schema) == expected


@pytest.mark.parametrize(
    ("current", "observation"),
    [
        ("id INT", observed("id STRING", ("id",))),  # contract 4.4: 5000000000 and n/a
        ("id BIGINT", observed("id DOUBLE", ("id",))),
        ("d DECIMAL(38,2)", observed("d DECIMAL(38,10)", ("d",))),  # case P27
        ("d DATE", observed("d TIMESTAMP_NTZ", ("d",))),
        ("id INT", observed("id BIGINT")),  # every value fits
        ("id BIGINT", observed("id INT", ("id",))),
    ],
)
def test_what_cannot_widen_proceeds(current: str, observation: Observation) -> None:
    schema = parse_ddl(current)
    assert decide(schema, observation, WIDENING) == Proceed(schema)


def test_one_decision_reports_new_fields_and_widened_types() -> None:
    decision = decide(
        parse_ddl("id INT, name STRING"),
        observed("id BIGINT, name STRING, age INT", ("id",)),
        WIDENING,
    )
    assert decision == Evolve(
        parse_ddl("id BIGINT, name STRING, age INT"),
        (NewField(("age",), Field("age", IntegerType())),),
        (WidenedField(("id",), IntegerType(), LongType()),),
    )


def test_dates_widen_for_parquet() -> None:
    decision = decide(
        parse_ddl("d DATE"), observed("d TIMESTAMP_NTZ", ("d",)), WIDENING, dates=True
    )
    assert isinstance(decision, Evolve)
    assert to_ddl(decision.schema) == "d TIMESTAMP_NTZ"


def test_a_pinned_part_leaves_the_other_parts_free() -> None:
    decision = decide(
        parse_ddl("s STRUCT<a: INT, b: INT>"),
        observed("s STRUCT<a: BIGINT, b: BIGINT>", ("s",)),
        WIDENING,
        pinned=frozenset({("s", "a")}),
    )
    assert isinstance(decision, Evolve)
    assert to_ddl(decision.schema) == "s STRUCT<a: INT, b: BIGINT>"


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("addNewColumns", ADD),
        ("ADDNEWCOLUMNSWITHTYPEWIDENING", WIDENING),
        ("None", EvolutionMode.NONE),
    ],
)
def test_modes_are_found_ignoring_case(text: str, mode: EvolutionMode) -> None:
    assert EvolutionMode.from_text(text) is mode


def test_an_unknown_mode_lists_the_five() -> None:
    with pytest.raises(UnknownEvolutionModeError) as caught:
        EvolutionMode.from_text("evolve")
    assert caught.value.text == "evolve"
    assert caught.value.modes == (
        "addNewColumns",
        "rescue",
        "failOnNewColumns",
        "none",
        "addNewColumnsWithTypeWidening",
    )
