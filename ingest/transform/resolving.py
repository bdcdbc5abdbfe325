"""Names to columns, types settled, conversions put in: an `Expression` becomes `Typed`.

Names are found as Spark does, upper and lower case counting as one; what cannot be found or typed
is refused when the call is made.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.errors import (
    AmbiguousReferenceError,
    ColumnNotFoundError,
    DatatypeMismatchError,
    FieldNotFoundError,
    NoFieldsError,
    StarUsageError,
)
from ingest.transform.expressions import (
    ARITHMETIC,
    LOGIC,
    Alias,
    Between,
    Binary,
    Cast,
    CurrentTimestamp,
    Expression,
    Extract,
    In,
    InputFileName,
    IsNull,
    Literal,
    Name,
    Negative,
    Not,
    Operation,
    Operator,
    Star,
    Text,
    TextTest,
    TimestampText,
)
from ingest.transform.file_metadata import METADATA
from ingest.transform.like import like_to_regex
from ingest.transform.names import sql_of
from ingest.transform.operands import (
    WITH_PARTS,
    as_boolean,
    calculated,
    compared,
    convert,
    negated,
    refuse,
    refuse_parts,
    wrong_input,
)
from ingest.transform.type_rules import (
    TEXTUAL,
    can_cast,
    common_type_of,
)
from ingest.transform.typed import (
    BatchTime,
    Combined,
    Constant,
    FieldOf,
    FileMetadata,
    FileName,
    Inverted,
    Missing,
    OneOf,
    TextTested,
    Typed,
)
from schema_store.ddl import type_to_sql
from schema_store.type_names import path_text
from schema_store.types import (
    ArrayType,
    BooleanType,
    MapType,
    NullType,
    StringType,
    StructType,
    TimestampType,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

_NEAREST = 5
_BOOLEAN = BooleanType()


@dataclass(frozen=True, slots=True)
class Output:
    """A column of the result."""

    name: str
    value: Typed


def resolve(expression: Expression, columns: Sequence[Output]) -> Typed:
    """Settle an expression over these columns; `_metadata` is found when no column is called so.

    Raises an `AnalysisException`, or `OperationNotSupportedError` for what is not for here.
    """
    return _Scope(columns).resolve(expression)


@dataclass(frozen=True, slots=True)
class _Scope:
    """The columns that names are looked up in."""

    columns: Sequence[Output]

    def resolve(self, expression: Expression) -> Typed:
        match expression:
            case Name(parts):
                return self.find(parts)
            case Star():
                raise StarUsageError("an expression")
            case Literal(value, data_type):
                return Constant(value, data_type)
            case Alias(child):
                return self.resolve(child)
            case Cast():
                return self._cast(expression)
            case Extract(child, field):
                return _field_of(self.resolve(child), field, sql_of(child))
            case TimestampText(text):
                value = Constant(text, StringType())
                return convert(value, TimestampType(), sql_of(expression))
            case CurrentTimestamp():
                return BatchTime()
            case InputFileName():
                return FileName()
            case _:
                return self._operation(expression)

    def find(self, parts: tuple[str, ...]) -> Typed:
        """Look a name up: a column, or a field inside one."""
        found = [one for one in self.columns if one.name.lower() == parts[0].lower()]
        if len(found) > 1:
            raise AmbiguousReferenceError(parts[0], tuple(one.name for one in found))
        if found:
            value = found[0].value
        elif parts[0].lower() == METADATA:
            value = FileMetadata()
        else:
            raise ColumnNotFoundError(path_text(parts), self._near(path_text(parts)))
        for place, part in enumerate(parts[1:], start=1):
            value = _field_of(value, part, path_text(parts[:place]))
        return value

    def _near(self, name: str) -> tuple[str, ...]:
        def distance(column: str) -> float:
            return -difflib.SequenceMatcher(None, column.lower(), name.lower()).ratio()

        return tuple(sorted((one.name for one in self.columns), key=distance)[:_NEAREST])

    def _cast(self, cast: Cast) -> Typed:
        child, text = self.resolve(cast.child), sql_of(cast)
        source, target = child.data_type, cast.data_type
        if isinstance(source, WITH_PARTS) and source != target:
            refuse(f"cast from {type_to_sql(source)}")
        if not can_cast(source, target):
            raise DatatypeMismatchError(
                text,
                "CAST_WITHOUT_SUGGESTION",
                f'cannot cast "{type_to_sql(source)}" to "{type_to_sql(target)}"',
                expected="a type that the value can be cast to",
            )
        return convert(child, target, text, on_misfit=cast.on_misfit)

    def _binary(self, binary: Binary) -> Typed:
        left, right = self.resolve(binary.left), self.resolve(binary.right)
        operator, text = binary.operator, sql_of(binary)
        if operator in ARITHMETIC:
            return calculated(operator, left, right, text)
        if operator in LOGIC:
            pair = as_boolean(left, right, text), as_boolean(right, left, text)
            return Combined(operator, *pair)
        return compared(operator, left, right, text)

    def _operation(self, expression: Operation) -> Typed:
        text = sql_of(expression)
        match expression:
            case Binary():
                return self._binary(expression)
            case Negative(child):
                return negated(self.resolve(child), text)
            case Not(child):
                value = self.resolve(child)
                if not isinstance(value.data_type, (BooleanType, NullType, *TEXTUAL)):
                    raise wrong_input(text, value.data_type, "BOOLEAN")
                return Inverted(convert(value, _BOOLEAN, text))
            case IsNull(child, is_negated):
                missing = Missing(self.resolve(child))
                return Inverted(missing) if is_negated else missing
            case In(child, options):
                return self._one_of(child, options, text)
            case Between(child, low, high):
                lower, upper = Operator.GREATER_EQUAL, Operator.LESS_EQUAL
                value = self.resolve(child)
                return Combined(
                    Operator.AND,
                    compared(lower, value, self.resolve(low), text),
                    compared(upper, value, self.resolve(high), text),
                )
            case Text():
                return self._text_tested(expression, text)

    def _one_of(self, child: Expression, options: tuple[Expression, ...], text: str) -> Typed:
        values = [self.resolve(one) for one in (child, *options)]
        common = common_type_of(value.data_type for value in values)
        if common is None:
            raise DatatypeMismatchError(
                text,
                "DATA_DIFF_TYPES",
                "the values are of types that do not meet",
                expected="values of one type",
            )
        refuse_parts(common, text)
        first, *rest = (convert(value, common, text) for value in values)
        return OneOf(first, tuple(rest))

    def _text_tested(self, test: Text, text: str) -> Typed:
        child = self.resolve(test.child)
        refuse_parts(child.data_type, text)
        if not can_cast(child.data_type, StringType()):
            raise wrong_input(text, child.data_type, "STRING")
        is_like = test.test is TextTest.LIKE
        pattern = like_to_regex(test.pattern, test.escape) if is_like else test.pattern
        return TextTested(test.test, convert(child, StringType(), text), pattern)


def _field_of(value: Typed, name: str, text: str) -> Typed:
    struct = value.data_type
    if isinstance(struct, ArrayType | MapType):
        refuse(f"{text}[{name!r}] of {type_to_sql(struct)}")
    if not isinstance(struct, StructType):
        raise NoFieldsError(text, type_to_sql(struct))
    for place, field in enumerate(struct):
        if field.name.lower() == name.lower():
            return FieldOf(value, place, field.data_type)
    raise FieldNotFoundError(name, struct.names)
