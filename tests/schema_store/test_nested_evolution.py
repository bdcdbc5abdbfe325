"""What `decide` does to parts of columns: the same as to columns (contract 4.2, 6.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schema_store.ddl import parse_ddl, to_ddl
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
from schema_store.hints import SchemaHints, apply_hints, parse_hints
from schema_store.schema_diff import diff_schemas
from schema_store.type_names import path_text, type_to_sql
from schema_store.types import (
    ELEMENT,
    VALUE,
    ArrayType,
    DataType,
    Field,
    FieldPath,
    MapType,
    Schema,
    StringType,
    StructType,
)
from tests.schema_store.strategies import (
    hinted_schemas,
    observations,
    paths_of,
    schemas_and_observations,
)

if TYPE_CHECKING:
    from schema_store.evolution import Decision

ADD = EvolutionMode.ADD_NEW_COLUMNS
WIDENING = EvolutionMode.ADD_NEW_COLUMNS_WITH_TYPE_WIDENING

Place = tuple[str, ...]
"""How a struct is put into a column: `field` names, `ELEMENT`s and `VALUE`s, outermost first."""

places = st.lists(st.sampled_from(["s", ELEMENT, VALUE]), max_size=4).map(
    lambda steps: ("column", *steps)
)
modes = pytest.mark.parametrize("mode", list(EvolutionMode))


def put(schema: Schema, place: Place) -> Schema:
    """Give the schema of one column in which this schema is a struct."""
    data_type: DataType = schema
    for step in reversed(place[1:]):
        match step:
            case "element":
                data_type = ArrayType(data_type)
            case "value":
                data_type = MapType(StringType(), data_type)
            case name:
                data_type = StructType((Field(name, data_type),))
    return StructType((Field(place[0], data_type),))


def put_decision(decision: Decision, place: Place) -> Decision:
    def news(fields: tuple[NewField, ...]) -> tuple[NewField, ...]:
        return tuple(NewField((*place, *one.path), one.field) for one in fields)

    match decision:
        case Proceed(schema):
            return Proceed(put(schema, place))
        case Refuse(new_fields):
            return Refuse(news(new_fields))
        case Evolve(schema, new_fields, widened):
            wider = (WidenedField((*place, *one.path), one.old, one.new) for one in widened)
            return Evolve(put(schema, place), news(new_fields), tuple(wider))


def type_at(data_type: DataType, path: FieldPath) -> DataType:
    if not path:
        return data_type
    match data_type:
        case StructType():
            field = data_type.find(path[0])
            assert field is not None
            return type_at(field.data_type, path[1:])
        case ArrayType(element):
            return type_at(element, path[1:])
        case MapType(key, value):
            return type_at(value if path[0] == VALUE else key, path[1:])
        case _:
            raise AssertionError(path)


@modes
@given(case=schemas_and_observations(), place=places)
def test_parts_evolve_as_columns_do(
    mode: EvolutionMode, case: tuple[Schema, Observation], place: Place
) -> None:
    current, observation = case
    misfits = frozenset((*place, *path) for path in observation.misfits)
    inside = Observation(put(observation.schema, place), misfits)

    found = decide(put(current, place), inside, mode)

    assert found == put_decision(decide(current, observation, mode), place)


@pytest.mark.parametrize("mode", [ADD, WIDENING])
@given(case=schemas_and_observations())
def test_new_fields_are_at_the_end_of_their_struct(
    mode: EvolutionMode, case: tuple[Schema, Observation]
) -> None:
    current, observation = case
    decision = decide(current, observation, mode)
    assert not isinstance(decision, Refuse)
    for new in decision.new_fields if isinstance(decision, Evolve) else ():
        above = new.path[:-1]
        old, grown = type_at(current, above), type_at(decision.schema, above)
        assert isinstance(old, StructType)
        assert isinstance(grown, StructType)
        assert grown.names[: len(old)] == old.names
        assert new.field in grown.fields[len(old) :]


@modes
@given(case=schemas_and_observations(), data=st.data())
def test_what_is_pinned_and_below_stays_as_it_is(
    mode: EvolutionMode, case: tuple[Schema, Observation], data: st.DataObject
) -> None:
    current, observation = case
    paths = sorted(paths_of(current))
    pinned = frozenset(data.draw(st.lists(st.sampled_from(paths)))) if paths else frozenset()
    decision = decide(current, observation, mode, pinned=pinned)
    schema = current if isinstance(decision, Refuse) else decision.schema
    for path in pinned:
        assert type_at(schema, path) == type_at(current, path)


@pytest.mark.parametrize("mode", [ADD, WIDENING])
@given(hinted_schemas(), st.data())
def test_hints_laid_over_what_has_evolved_change_nothing(
    mode: EvolutionMode, case: tuple[Schema, SchemaHints], data: st.DataObject
) -> None:
    """Otherwise each start would undo what the last one has added, and stop again (4.2)."""
    schema, hints = case
    current = apply_hints(schema, hints)
    observation = data.draw(observations(current))
    decision = decide(current, observation, mode, pinned=hints.pinned)
    assert not isinstance(decision, Refuse)
    assert apply_hints(decision.schema, hints) == decision.schema


@pytest.mark.parametrize("mode", [ADD, WIDENING])
@given(case=schemas_and_observations())
def test_the_difference_has_a_line_for_each_change(
    mode: EvolutionMode, case: tuple[Schema, Observation]
) -> None:
    current, observation = case
    decision = decide(current, observation, mode)
    assert not isinstance(decision, Refuse)
    expected: list[str] = []
    if isinstance(decision, Evolve):
        expected += (
            f"+ {path_text(one.path)} {type_to_sql(one.field.data_type)}"
            for one in decision.new_fields
        )
        expected += (
            f"~ {path_text(one.path)} {type_to_sql(one.old)} -> {type_to_sql(one.new)}"
            for one in decision.widened
        )
    assert sorted(diff_schemas(current, decision.schema)) == sorted(expected)


@pytest.mark.parametrize(
    ("batch", "expected"),
    [
        ("m MAP<STRING, STRUCT<a: BIGINT, b: INT>>", "m MAP<STRING, STRUCT<a: BIGINT, b: INT>>"),
        (
            "m STRUCT<k: STRUCT<b: INT>, l: STRUCT<a: BIGINT, c: DATE>>",
            "m MAP<STRING, STRUCT<a: BIGINT, b: INT, c: DATE>>",
        ),
    ],
)
def test_objects_grow_the_values_of_a_map(batch: str, expected: str) -> None:
    current = parse_ddl("m MAP<STRING, STRUCT<a: INT>>")
    misfits = frozenset({("m", "value", "a")})
    decision = decide(current, Observation(parse_ddl(batch), misfits), WIDENING)
    assert isinstance(decision, Evolve)
    assert to_ddl(decision.schema) == expected
    assert [one.path for one in decision.widened] == [("m", "value", "a")]


@pytest.mark.parametrize("batch", ["m STRUCT<>", "m STRUCT<k: STRING>", "m INT"])
def test_other_values_leave_a_map_as_it_is(batch: str) -> None:
    current = parse_ddl("m MAP<STRING, STRUCT<a: INT>>")
    observation = Observation(parse_ddl(batch), frozenset({("m",)}))
    assert decide(current, observation, WIDENING) == Proceed(current)


@pytest.mark.parametrize(
    ("current", "hints", "batch", "misfit", "expected"),
    [
        (
            "t ARRAY<STRUCT<a: INT, b: INT>>",
            "t.element.a INT",
            "t ARRAY<STRUCT<a: BIGINT, b: BIGINT>>",
            ("t",),
            "t ARRAY<STRUCT<a: INT, b: BIGINT>>",
        ),
        (
            "m MAP<STRING, INT>, n MAP<STRING, INT>",
            "m.value INT",
            "m MAP<STRING, BIGINT>, n MAP<STRING, BIGINT>",
            ("n", "value"),
            "m MAP<STRING, INT>, n MAP<STRING, BIGINT>",
        ),
        (
            "s STRUCT<a: STRUCT<b: INT>>, `s.a` INT",
            "s.A STRUCT<b: INT>",
            "s STRUCT<a: STRUCT<b: BIGINT>>, `s.a` BIGINT",
            ("s.a",),
            "s STRUCT<A: STRUCT<b: INT>>, `s.a` BIGINT",
        ),
    ],
)
def test_hinted_parts_are_never_widened(
    current: str, hints: str, batch: str, misfit: FieldPath, expected: str
) -> None:
    parsed = parse_hints(hints)
    schema = apply_hints(parse_ddl(current), parsed)
    every = frozenset({misfit, *paths_of(schema)} - {("m", "key"), ("n", "key")})
    decision = decide(schema, Observation(parse_ddl(batch), every), WIDENING, pinned=parsed.pinned)
    assert isinstance(decision, Evolve)
    assert to_ddl(decision.schema) == expected


# contract 4.4: the type over all values of the batch decides; where there is none nothing is wider
@pytest.mark.parametrize(
    ("misfit", "disputed"),
    [
        (("s", "a"), ("s", "a")),
        (("S", "A"), ("s", "a")),
        (("s",), ("s", "a")),
        (("s", "a"), ("s",)),
    ],
)
def test_what_a_batch_disputes_is_not_widened(misfit: FieldPath, disputed: FieldPath) -> None:
    current = parse_ddl("s STRUCT<a: INT>, b INT")
    wider = parse_ddl("s STRUCT<a: BIGINT>, b BIGINT")
    observation = Observation(wider, frozenset({misfit, ("b",)}), frozenset({disputed}))
    decision = decide(current, observation, WIDENING)
    assert isinstance(decision, Evolve)
    assert to_ddl(decision.schema) == "s STRUCT<a: INT>, b BIGINT"


def test_a_dispute_leaves_its_neighbours_alone() -> None:
    current = parse_ddl("s STRUCT<a: INT, b: INT>")
    wider = parse_ddl("s STRUCT<a: BIGINT, b: BIGINT>")
    misfits = frozenset({("s", "a"), ("s", "b")})
    decision = decide(current, Observation(wider, misfits, frozenset({("s", "a")})), WIDENING)
    assert isinstance(decision, Evolve)
    assert to_ddl(decision.schema) == "s STRUCT<a: INT, b: BIGINT>"


def test_values_of_a_map_do_not_widen_when_its_keys_do_not_fit() -> None:
    current = parse_ddl("m MAP<INT, INT>")
    observation = Observation(parse_ddl("m MAP<BIGINT, BIGINT>"), frozenset({("m",)}))
    assert decide(current, observation, WIDENING) == Proceed(current)
