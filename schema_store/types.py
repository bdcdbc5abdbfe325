"""Spark's data types as frozen values; a closed union, taken apart with `match`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, TypeAlias, Union

from schema_store.errors import DuplicateFieldError, InvalidDecimalError

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_PRECISION = 38
"""The largest number of digits of a decimal (Spark `DecimalType.MAX_PRECISION`)."""


@dataclass(frozen=True, slots=True)
class NullType:
    """The type of no value at all; `void` in Spark. Inference starts from it."""


@dataclass(frozen=True, slots=True)
class BooleanType:
    """True or false."""


@dataclass(frozen=True, slots=True)
class ByteType:
    """Integers of 8 bits; `TINYINT`."""


@dataclass(frozen=True, slots=True)
class ShortType:
    """Integers of 16 bits; `SMALLINT`."""


@dataclass(frozen=True, slots=True)
class IntegerType:
    """Integers of 32 bits; `INT`."""


@dataclass(frozen=True, slots=True)
class LongType:
    """Integers of 64 bits; `BIGINT`."""


@dataclass(frozen=True, slots=True)
class FloatType:
    """Floating point of 32 bits."""


@dataclass(frozen=True, slots=True)
class DoubleType:
    """Floating point of 64 bits."""


@dataclass(frozen=True, slots=True)
class DecimalType:
    """Exact numbers of `precision` digits, `scale` of them after the point.

    Raises `InvalidDecimalError` unless 1 <= precision <= 38 and 0 <= scale <= precision.
    """

    precision: int
    scale: int

    def __post_init__(self) -> None:
        if not (1 <= self.precision <= MAX_PRECISION and 0 <= self.scale <= self.precision):
            raise InvalidDecimalError(self.precision, self.scale)

    @property
    def integer_digits(self) -> int:
        """Digits before the point."""
        return self.precision - self.scale


@dataclass(frozen=True, slots=True)
class StringType:
    """Text."""


@dataclass(frozen=True, slots=True)
class CharType:
    """Text padded to `length` characters; `CHAR(n)`."""

    length: int


@dataclass(frozen=True, slots=True)
class VarcharType:
    """Text of at most `length` characters; `VARCHAR(n)`."""

    length: int


@dataclass(frozen=True, slots=True)
class BinaryType:
    """Bytes."""


@dataclass(frozen=True, slots=True)
class DateType:
    """A day of the proleptic Gregorian calendar."""


@dataclass(frozen=True, slots=True)
class TimestampType:
    """An instant, in microseconds; shown in the session time zone."""


@dataclass(frozen=True, slots=True)
class TimestampNTZType:
    """A local date and time without a zone, in microseconds."""


@dataclass(frozen=True, slots=True)
class VariantType:
    """Semi-structured data; `VARIANT`."""


@dataclass(frozen=True, slots=True)
class YearMonthIntervalType:
    """`INTERVAL YEAR TO MONTH`; fields are 0 = year, 1 = month."""

    NAMES: ClassVar[tuple[str, ...]] = ("year", "month")
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class DayTimeIntervalType:
    """`INTERVAL DAY TO SECOND`; fields are 0 = day, 1 = hour, 2 = minute, 3 = second."""

    NAMES: ClassVar[tuple[str, ...]] = ("day", "hour", "minute", "second")
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ArrayType:
    """A list of elements of one type."""

    element: DataType
    contains_null: bool = True


@dataclass(frozen=True, slots=True)
class MapType:
    """Keys of one type, values of one type."""

    key: DataType
    value: DataType
    value_contains_null: bool = True


@dataclass(frozen=True, slots=True)
class Field:
    """A named type inside a struct or a schema.

    `metadata` is the field's metadata as one compact JSON object, kept as it came (comments,
    Delta's own keys); `{}` when there is none.
    """

    name: str
    data_type: DataType
    nullable: bool = True
    metadata: str = "{}"


@dataclass(frozen=True, slots=True)
class StructType:
    """Named fields in order.

    Raises `DuplicateFieldError` when two names are equal ignoring case (Spark's default).
    """

    fields: tuple[Field, ...]
    _folded: dict[str, Field] = field(
        init=False, repr=False, compare=False, hash=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        for one in self.fields:
            folded = one.name.lower()
            if folded in self._folded:
                raise DuplicateFieldError(one.name, self._folded[folded].name)
            self._folded[folded] = one

    def __iter__(self) -> Iterator[Field]:
        return iter(self.fields)

    def __len__(self) -> int:
        return len(self.fields)

    @property
    def names(self) -> tuple[str, ...]:
        """The fields' names in order."""
        return tuple(one.name for one in self.fields)

    def find(self, name: str) -> Field | None:
        """Give the field of exactly this name."""
        found = self._folded.get(name.lower())
        return found if found is not None and found.name == name else None

    def find_ignoring_case(self, name: str) -> Field | None:
        """Give the field whose name is equal to this one ignoring case."""
        return self._folded.get(name.lower())


Schema: TypeAlias = StructType
"""The columns of a table or a stream: a struct at the top."""

FieldPath: TypeAlias = tuple[str, ...]
"""Where a type is in a schema: field names; in arrays and maps `ELEMENT`, `KEY`, `VALUE`."""

ELEMENT = "element"
KEY = "key"
VALUE = "value"


def fold_path(path: FieldPath) -> FieldPath:
    """Give the path in lower case; two paths are one column when these are equal."""
    return tuple(step.lower() for step in path)


IntegralType: TypeAlias = ByteType | ShortType | IntegerType | LongType

AtomicType: TypeAlias = (
    NullType
    | BooleanType
    | IntegralType
    | FloatType
    | DoubleType
    | DecimalType
    | StringType
    | CharType
    | VarcharType
    | BinaryType
    | DateType
    | TimestampType
    | TimestampNTZType
    | VariantType
    | YearMonthIntervalType
    | DayTimeIntervalType
)

DataType: TypeAlias = Union[AtomicType, ArrayType, MapType, StructType]  # noqa: UP007 - recursive
