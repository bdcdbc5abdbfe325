"""Expressions whose names and types are settled; what evaluation knows how to do.

Operands have the types that their operator wants: whatever has to be converted is converted by a
`Converted` around it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, Union

from ingest.transform.file_metadata import METADATA_TYPE
from schema_store.types import BooleanType, DataType, StringType, TimestampType

if TYPE_CHECKING:
    from ingest.transform.expressions import OnMisfit, Operator, TextTest

_BOOLEAN, _STRING, _TIMESTAMP = BooleanType(), StringType(), TimestampType()


@dataclass(frozen=True, slots=True)
class Source:
    """A column of the rows as they are read."""

    name: str
    data_type: DataType


@dataclass(frozen=True, slots=True)
class FileMetadata:
    """`_metadata` of the file that a row is from."""

    @property
    def data_type(self) -> DataType:
        """A struct."""
        return METADATA_TYPE


@dataclass(frozen=True, slots=True)
class FileName:
    """The URI of the file that a row is from."""

    @property
    def data_type(self) -> DataType:
        """A text."""
        return _STRING


@dataclass(frozen=True, slots=True)
class BatchTime:
    """The time at which the batch started."""

    @property
    def data_type(self) -> DataType:
        """An instant."""
        return _TIMESTAMP


@dataclass(frozen=True, slots=True)
class Constant:
    """The same value in every row, as Arrow takes it; None is NULL."""

    value: Any
    data_type: DataType


@dataclass(frozen=True, slots=True)
class FieldOf:
    """A field of a struct, by its place."""

    child: Typed
    place: int
    data_type: DataType


@dataclass(frozen=True, slots=True)
class Converted:
    """A value as another type; `text` is the SQL, for errors."""

    child: Typed
    data_type: DataType
    on_misfit: OnMisfit
    text: str


@dataclass(frozen=True, slots=True)
class Calculated:
    """Arithmetic; `text` is the SQL, for errors."""

    operator: Operator
    left: Typed
    right: Typed
    data_type: DataType
    text: str


@dataclass(frozen=True, slots=True)
class Negated:
    """A number with the other sign."""

    child: Typed
    text: str

    @property
    def data_type(self) -> DataType:
        """That of the number."""
        return self.child.data_type


@dataclass(frozen=True, slots=True)
class Compared:
    """A comparison of two values of one type."""

    operator: Operator
    left: Typed
    right: Typed

    @property
    def data_type(self) -> DataType:
        """True, false or NULL."""
        return _BOOLEAN


@dataclass(frozen=True, slots=True)
class Combined:
    """AND, OR of three-valued logic."""

    operator: Operator
    left: Typed
    right: Typed

    @property
    def data_type(self) -> DataType:
        """True, false or NULL."""
        return _BOOLEAN


@dataclass(frozen=True, slots=True)
class Inverted:
    """NOT."""

    child: Typed

    @property
    def data_type(self) -> DataType:
        """True, false or NULL."""
        return _BOOLEAN


@dataclass(frozen=True, slots=True)
class Missing:
    """IS NULL."""

    child: Typed

    @property
    def data_type(self) -> DataType:
        """True or false."""
        return _BOOLEAN


@dataclass(frozen=True, slots=True)
class OneOf:
    """IN: equal to one of values of the same type."""

    child: Typed
    options: tuple[Typed, ...]

    @property
    def data_type(self) -> DataType:
        """True, false or NULL."""
        return _BOOLEAN


@dataclass(frozen=True, slots=True)
class TextTested:
    """A question about a text; of LIKE, `pattern` is a regular expression."""

    test: TextTest
    child: Typed
    pattern: str

    @property
    def data_type(self) -> DataType:
        """True, false or NULL."""
        return _BOOLEAN


Operation: TypeAlias = Union[  # noqa: UP007 - recursive
    Calculated, Negated, Compared, Combined, Inverted, Missing, OneOf, TextTested
]
"""What is made of other values of the same row."""

Typed: TypeAlias = Union[  # noqa: UP007 - recursive
    Source, FileMetadata, FileName, BatchTime, Constant, FieldOf, Converted, Operation
]
