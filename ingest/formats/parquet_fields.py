"""The columns of a Parquet file, from its footer: names, Arrow's types, and the types Spark reads.

The rules are those of Spark's `ParquetToSparkSchemaConverter`; what it refuses (TIME, FLOAT16,
UUID) has no data type here. Nanoseconds are the exception: they are cut to microseconds
(contract 11.21).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from ingest.arrow import from_arrow_type
from ingest.errors import UnsupportedArrowTypeError
from schema_store.errors import SchemaStoreError
from schema_store.spark_json import schema_from_json
from schema_store.types import (
    ELEMENT,
    KEY,
    MAX_PRECISION,
    VALUE,
    ArrayType,
    BinaryType,
    DataType,
    DateType,
    DayTimeIntervalType,
    DecimalType,
    Field,
    LongType,
    MapType,
    NullType,
    StringType,
    StructType,
    TimestampType,
    YearMonthIntervalType,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import pyarrow.parquet as pq

    from schema_store.types import FieldPath

_SPARK_SCHEMA = b"org.apache.spark.sql.parquet.row.metadata"
_VARIANT_PARTS = {"metadata", "value"}
_INT96 = "INT96"
_ENUM = "ENUM"

_OWN: tuple[tuple[Callable[[pa.DataType], bool], DataType], ...] = (
    (lambda kind: isinstance(kind, pa.JsonType), StringType()),
    (pa.types.is_duration, LongType()),  # Arrow's own idea: in Parquet it is a plain INT64
    (pa.types.is_date64, DateType()),
    (pa.types.is_fixed_size_binary, BinaryType()),
)
"""Types of Arrow's that stand for something else in Parquet."""


@dataclass(frozen=True, slots=True)
class FileField:
    """A column of a file, or a part of one.

    * `kind`: what Arrow decodes it to.
    * `data_type`: the type Spark reads; None when it or a part of it has none. A struct's type has
      one field for each name, whatever its case: the first.
    * `children`: of a struct its fields, of a list the element, of a map key and value.
    * `named`: how an unsupported type is called.
    * `int96`: the old kind of timestamps, which has a calendar option of its own.
    """

    name: str
    kind: pa.DataType
    data_type: DataType | None
    children: tuple[FileField, ...] = ()
    named: str = ""
    int96: bool = False


def file_fields(file: pq.ParquetFile) -> tuple[FileField, ...]:
    """Give a file's columns in their order."""
    leaves = iter([file.schema.column(at) for at in range(len(file.schema))])
    spark = _spark_schema(file.metadata.metadata or {})
    variants = "(Variant(" in str(file.schema)
    reader = _Reader(leaves, variants=variants)
    return tuple(
        reader.field(field.name, field.type, _type_in(spark, field.name))
        for field in file.schema_arrow
    )


def physical_kind(kind: pa.DataType) -> pa.DataType:
    """Give what is in the file: the writer's Arrow schema, which Spark ignores, may name more.

    JSON and UUID are told by Parquet itself.
    """
    if isinstance(kind, pa.BaseExtensionType) and not isinstance(kind, pa.JsonType | pa.UuidType):
        return physical_kind(kind.storage_type)
    if pa.types.is_list_view(kind):
        return pa.list_(kind.value_field)
    if pa.types.is_large_list_view(kind):
        return pa.large_list(kind.value_field)
    return kind


def physical_array(array: pa.Array) -> pa.Array:
    """Give values in the `physical_kind` of their type; parts inside stay as they are."""
    kind = physical_kind(array.type)
    if kind == array.type:
        return array
    if isinstance(array, pa.ExtensionArray):
        return physical_array(array.storage)
    return array.cast(kind)


def fields_type(fields: Iterable[FileField]) -> StructType:
    """Give the schema of columns; twins in another case are left out, and empty names (11.8).

    What has no type is VOID here: a schema hint may fix it. Everything is nullable, as in every
    schema of files (Spark `asNullable`).
    """
    known: dict[str, Field] = {}
    for field in fields:
        if field.name:
            known.setdefault(field.name.lower(), Field(field.name, _type_or_void(field)))
    return StructType(tuple(known.values()))


def _type_or_void(field: FileField) -> DataType:
    if field.data_type is not None:
        return field.data_type
    if field.named or not field.children:
        return NullType()
    if pa.types.is_struct(field.kind):
        return fields_type(field.children)
    inner = tuple(_type_or_void(child) for child in field.children)
    return ArrayType(inner[0]) if len(inner) == 1 else MapType(inner[0], inner[1])


def unsupported(fields: Iterable[FileField]) -> Iterator[tuple[FieldPath, str]]:
    """Give the columns and parts that Spark has no type for: their paths and what they are."""
    for field in fields:
        if field.data_type is not None:
            continue
        if field.named:
            yield (field.name,), field.named
        for path, named in unsupported(field.children):
            yield (field.name, *path), named


@dataclass(frozen=True, slots=True)
class _Reader:
    """Walks Arrow's types and the Parquet columns (leaves) below them side by side."""

    leaves: Iterator[pq.ColumnSchema]
    variants: bool

    def field(self, name: str, kind: pa.DataType, spark: DataType | None) -> FileField:
        types, kind = pa.types, physical_kind(kind)
        if types.is_struct(kind):
            return self._struct(name, kind, spark)
        if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
            inner = spark.element if isinstance(spark, ArrayType) else None
            element = self.field(ELEMENT, kind.value_type, inner)
            found = None if element.data_type is None else ArrayType(element.data_type)
            return FileField(name, kind, found, (element,))
        if types.is_map(kind):
            inner_key, inner_value = (
                (spark.key, spark.value) if isinstance(spark, MapType) else (None, None)
            )
            key = self.field(KEY, kind.key_type, inner_key)
            value = self.field(VALUE, kind.item_type, inner_value)
            if key.data_type is None or value.data_type is None:
                return FileField(name, kind, None, (key, value))
            return FileField(name, kind, MapType(key.data_type, value.data_type), (key, value))
        return _leaf(name, kind, next(self.leaves), spark)

    def _struct(self, name: str, kind: pa.StructType, spark: DataType | None) -> FileField:
        children = tuple(self.field(one.name, one.type, _type_in(spark, one.name)) for one in kind)
        if self.variants and {child.name for child in children} >= _VARIANT_PARTS:
            return FileField(name, kind, None, children, named="VARIANT")
        supported = all(child.data_type is not None for child in children)
        return FileField(name, kind, fields_type(children) if supported else None, children)


def _leaf(name: str, kind: pa.DataType, leaf: pq.ColumnSchema, spark: DataType | None) -> FileField:
    data_type = _leaf_type(kind, leaf, spark)
    if data_type is not None:
        return FileField(name, kind, data_type, int96=leaf.physical_type == _INT96)
    logical = str(leaf.logical_type)
    named = leaf.physical_type + (f" ({logical})" if logical != "None" else "")
    return FileField(name, kind, None, named=named)


def _leaf_type(kind: pa.DataType, leaf: pq.ColumnSchema, spark: DataType | None) -> DataType | None:
    if isinstance(spark, YearMonthIntervalType | DayTimeIntervalType):
        return spark
    if leaf.physical_type == _INT96:
        return TimestampType()
    if leaf.converted_type == _ENUM:
        return StringType()
    return _plain_type(kind)


def _plain_type(kind: pa.DataType) -> DataType | None:
    types = pa.types
    if types.is_dictionary(kind):
        return _plain_type(kind.value_type)
    if types.is_decimal(kind):
        fits = kind.precision <= MAX_PRECISION and 0 <= kind.scale <= kind.precision
        return DecimalType(kind.precision, kind.scale) if fits else None
    known = next((data_type for is_kind, data_type in _OWN if is_kind(kind)), None)
    if known is not None:
        return known
    try:
        return from_arrow_type(kind)
    except UnsupportedArrowTypeError:
        return None


def _spark_schema(metadata: dict[bytes, bytes]) -> StructType | None:
    """Give the schema that Spark wrote; one that cannot be read counts as absent, as in Spark."""
    text = metadata.get(_SPARK_SCHEMA)
    if text is None:
        return None
    try:
        return schema_from_json(text.decode())
    except (SchemaStoreError, UnicodeDecodeError):
        return None


def _type_in(spark: DataType | None, name: str) -> DataType | None:
    field = spark.find(name) if isinstance(spark, StructType) else None
    return None if field is None else field.data_type
