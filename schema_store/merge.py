"""The least common type of two types and of two schemas: the merging of inference (contract 2.2).

`merge_types` is for formats of text, where everything has a common type, in the end STRING
(Spark `JsonInferSchema.compatibleType`, `CSVInferSchema.compatibleType`). The *physical* merge is
for formats whose files carry types: it never loses a value, and it can fail.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from schema_store.errors import CannotMergeError, TypeConflict
from schema_store.type_names import path_text, type_to_sql
from schema_store.types import (
    ELEMENT,
    KEY,
    VALUE,
    ArrayType,
    ByteType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    Field,
    FieldPath,
    FloatType,
    IntegerType,
    LongType,
    MapType,
    Schema,
    ShortType,
    StringType,
    StructType,
    TimestampNTZType,
    TimestampType,
)
from schema_store.widening import lossless_type

_Join: TypeAlias = Callable[[DataType, DataType], DataType]


def merge_types(left: DataType, right: DataType) -> DataType:
    """Give the type that inference finds for values of both types.

    >>> merge_types(LongType(), DecimalType(5, 2))
    DecimalType(precision=22, scale=2)
    >>> merge_types(LongType(), DateType())
    StringType()
    """
    return _merge(left, right, _text_join)


def merge_schemas(left: Schema, right: Schema) -> Schema:
    """Merge two inferred schemas column by column.

    Names that are equal ignoring case are one column, in the spelling and place of the left
    schema; columns of the right schema alone follow in its order (contract 2.5).
    """
    return _merge_structs(left, right, _text_join)


def merge_physical_types(left: DataType, right: DataType) -> DataType | None:
    """Give the widest type that loses no value of either; None when there is none."""
    if _conflicts((), left, right):
        return None
    return _merge(left, right, _physical_join)


def merge_physical_schemas(left: Schema, right: Schema) -> Schema:
    """Merge the schemas of two files that carry types.

    Raises `CannotMergeError` with every column that has no common type (contract 2.2).
    """
    conflicts = _conflicts((), left, right)
    if conflicts:
        raise CannotMergeError(conflicts)
    return _merge_structs(left, right, _physical_join)


def _merge(left: DataType, right: DataType, join: _Join) -> DataType:
    match left, right:
        case StructType(), StructType():
            return _merge_structs(left, right, join)
        case ArrayType(a, a_null), ArrayType(b, b_null):
            return ArrayType(_merge(a, b, join), a_null or b_null)
        case MapType(a, a_value, a_null), MapType(b, b_value, b_null):
            return MapType(_merge(a, b, join), _merge(a_value, b_value, join), a_null or b_null)
        case _:
            return join(left, right)


def _merge_structs(left: StructType, right: StructType, join: _Join) -> StructType:
    others = {field.name.lower(): field for field in right}
    merged = [_merge_fields(field, others.pop(field.name.lower(), None), join) for field in left]
    return StructType((*merged, *(_merge_fields(field, None, join) for field in others.values())))


def _merge_fields(left: Field, right: Field | None, join: _Join) -> Field:
    """Merge two fields; one that the other side lacks is null there."""
    if right is None:
        return Field(left.name, left.data_type, nullable=True, metadata=left.metadata)
    return Field(
        left.name,
        _merge(left.data_type, right.data_type, join),
        nullable=left.nullable or right.nullable,
        metadata=right.metadata if left.metadata == "{}" else left.metadata,
    )


def _text_join(left: DataType, right: DataType) -> DataType:
    common = lossless_type(left, right)
    if common is not None:
        return common
    match left, right:
        case (
            (DateType() | TimestampType() | TimestampNTZType()),
            (DateType() | TimestampType() | TimestampNTZType()),
        ):
            return TimestampType()
        case _ if _is_numeric(left) and _is_numeric(right):
            return DoubleType()
        case _:
            return StringType()


def _is_numeric(data_type: DataType) -> bool:
    return isinstance(
        data_type,
        ByteType | ShortType | IntegerType | LongType | DecimalType | FloatType | DoubleType,
    )


def _physical_join(left: DataType, right: DataType) -> DataType:
    common = lossless_type(left, right)
    assert common is not None, "conflicts are looked for before merging"
    return common


def _conflicts(path: FieldPath, left: DataType, right: DataType) -> tuple[TypeConflict, ...]:
    match left, right:
        case StructType(), StructType():
            return tuple(
                conflict
                for field in left
                if (other := right.find_ignoring_case(field.name)) is not None
                for conflict in _conflicts((*path, field.name), field.data_type, other.data_type)
            )
        case ArrayType(a), ArrayType(b):
            return _conflicts((*path, ELEMENT), a, b)
        case MapType(a, a_value), MapType(b, b_value):
            keys = _conflicts((*path, KEY), a, b)
            return keys + _conflicts((*path, VALUE), a_value, b_value)
        case _ if lossless_type(left, right) is None:
            return (TypeConflict(path_text(path), type_to_sql(left), type_to_sql(right)),)
        case _:
            return ()
