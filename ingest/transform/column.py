"""`Column`: an expression in the making, in the shape of PySpark's.

Calls build an `Expression`; it is looked up and typed when it is given to the stream.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from ingest.errors import OperationNotSupportedError, OptionValueError
from ingest.transform.expressions import (
    Alias,
    Binary,
    Cast,
    Expression,
    Extract,
    In,
    IsNull,
    Name,
    Negative,
    Not,
    OnMisfit,
    Operator,
    Star,
    Text,
    TextTest,
)
from ingest.transform.literals import literal_of
from ingest.transform.names import parse_name, sql_of
from ingest.transform.operands import REMEDY
from schema_store.ddl import parse_data_type

if TYPE_CHECKING:
    from schema_store.types import DataType

_SUPPORTED = (
    "alias, cast, try_cast, isNull, isNotNull, isin, between, like, startswith, endswith, contains,"
    " eqNullSafe, getField, and the operators == != < <= > >= & | ~ + - * / %"
)


class Column:  # noqa: PLW1641 - equality makes a Column, so there is no hash
    """A value for each row: a column, a literal, or something made of them.

    >>> from ingest.functions import col
    >>> (col("id") + 1).alias("next")
    Column<'(id + 1) AS next'>
    """

    def __init__(self, expression: Expression) -> None:
        self.expression = expression

    def __repr__(self) -> str:
        return f"Column<'{sql_of(self.expression)}'>"

    def alias(self, *alias: str) -> Column:
        """Give it a name."""
        if len(alias) != 1:
            raise OptionValueError("alias", alias, allowed="one name")
        return Column(Alias(_unnamed(self.expression), alias[0]))

    name = alias

    def cast(self, dataType: str | DataType) -> Column:  # noqa: N803 - PySpark's name
        """Give it as another type, as DDL text or a `DataType`; a misfit is an error."""
        return Column(Cast(self.expression, _type_of(dataType)))

    astype = cast

    def try_cast(self, dataType: str | DataType) -> Column:  # noqa: N803 - PySpark's name
        """Give it as another type; NULL where it does not fit."""
        return Column(Cast(self.expression, _type_of(dataType), OnMisfit.NULL))

    def isNull(self) -> Column:  # noqa: N802 - PySpark's name
        """Tell whether it is NULL."""
        return Column(IsNull(self.expression))

    def isNotNull(self) -> Column:  # noqa: N802 - PySpark's name
        """Tell whether it is not NULL."""
        return Column(IsNull(self.expression, negated=True))

    def isin(self, *cols: object) -> Column:
        """Tell whether it equals one of the values, given one by one or as one list."""
        values = cols[0] if len(cols) == 1 and isinstance(cols[0], list | set | tuple) else cols
        return Column(In(self.expression, tuple(map(expression_of, values))))

    def between(self, lowerBound: object, upperBound: object) -> Column:  # noqa: N803 - PySpark's
        """Tell whether it is neither smaller nor larger."""
        return (self >= lowerBound) & (self <= upperBound)

    def like(self, other: str) -> Column:
        """Tell whether the text matches a pattern of `%` and `_`."""
        return self._test(TextTest.LIKE, other)

    def startswith(self, other: str) -> Column:
        """Tell whether the text begins so."""
        return self._test(TextTest.STARTS_WITH, other)

    def endswith(self, other: str) -> Column:
        """Tell whether the text ends so."""
        return self._test(TextTest.ENDS_WITH, other)

    def contains(self, other: str) -> Column:
        """Tell whether the text holds this one."""
        return self._test(TextTest.CONTAINS, other)

    def getField(self, name: str) -> Column:  # noqa: N802 - PySpark's name
        """Give a field of a struct."""
        return self[name]

    getItem = getField  # noqa: N815 - PySpark's name

    def eqNullSafe(self, other: object) -> Column:  # noqa: N802 - PySpark's name
        """Tell whether they are equal, NULL being equal to NULL."""
        return self._with(Operator.SAME, other)

    def __getitem__(self, name: str) -> Column:
        if not isinstance(name, str):
            raise OperationNotSupportedError(
                f"[{name!r}]", of="Column", supported="['field'] of a struct", remedy=REMEDY
            )
        return Column(Extract(self.expression, name))

    def __eq__(self, other: object) -> Any:  # noqa: ANN401 - a Column, where a bool is expected
        return self._with(Operator.EQUAL, other)

    def __ne__(self, other: object) -> Any:  # noqa: ANN401 - as above
        return ~(self == other)

    def __lt__(self, other: object) -> Column:
        return self._with(Operator.LESS, other)

    def __le__(self, other: object) -> Column:
        return self._with(Operator.LESS_EQUAL, other)

    def __gt__(self, other: object) -> Column:
        return self._with(Operator.GREATER, other)

    def __ge__(self, other: object) -> Column:
        return self._with(Operator.GREATER_EQUAL, other)

    def __add__(self, other: object) -> Column:
        return self._with(Operator.ADD, other)

    def __radd__(self, other: object) -> Column:
        return self._after(Operator.ADD, other)

    def __sub__(self, other: object) -> Column:
        return self._with(Operator.SUBTRACT, other)

    def __rsub__(self, other: object) -> Column:
        return self._after(Operator.SUBTRACT, other)

    def __mul__(self, other: object) -> Column:
        return self._with(Operator.MULTIPLY, other)

    def __rmul__(self, other: object) -> Column:
        return self._after(Operator.MULTIPLY, other)

    def __truediv__(self, other: object) -> Column:
        return self._with(Operator.DIVIDE, other)

    def __rtruediv__(self, other: object) -> Column:
        return self._after(Operator.DIVIDE, other)

    def __mod__(self, other: object) -> Column:
        return self._with(Operator.REMAINDER, other)

    def __rmod__(self, other: object) -> Column:
        return self._after(Operator.REMAINDER, other)

    def __and__(self, other: object) -> Column:
        return self._with(Operator.AND, other)

    def __rand__(self, other: object) -> Column:
        return self._after(Operator.AND, other)

    def __or__(self, other: object) -> Column:
        return self._with(Operator.OR, other)

    def __ror__(self, other: object) -> Column:
        return self._after(Operator.OR, other)

    def __invert__(self) -> Column:
        return Column(Not(self.expression))

    def __neg__(self) -> Column:
        return Column(Negative(self.expression, from_python=True))

    def __bool__(self) -> NoReturn:
        raise OptionValueError(
            repr(self),
            "a truth value",
            allowed="& for and, | for or, ~ for not, with brackets around comparisons",
            problem="[CANNOT_CONVERT_COLUMN_INTO_BOOL]",
        )

    def __iter__(self) -> NoReturn:
        raise TypeError("Column is not iterable")

    def __contains__(self, item: object) -> NoReturn:
        raise OptionValueError(repr(self), item, allowed="contains(…) or isin(…) instead of `in`")

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("_"):
            raise AttributeError(name)
        raise OperationNotSupportedError(name, of="Column", supported=_SUPPORTED, remedy=REMEDY)

    def _with(self, operator: Operator, other: object) -> Column:
        return Column(Binary(operator, self.expression, expression_of(other)))

    def _after(self, operator: Operator, other: object) -> Column:
        return Column(Binary(operator, expression_of(other), self.expression))

    def _test(self, test: TextTest, other: object) -> Column:
        if not isinstance(other, str):
            raise OperationNotSupportedError(
                f"{test.value}({other!r})",
                of="Column",
                supported="a text that is the same for every row",
                remedy=REMEDY,
            )
        return Column(Text(test, self.expression, other))


def column_named(name: str) -> Column:
    """Give a column by its name; `*` and `s.*` are all columns, or all fields of a struct."""
    if name == "*":
        return Column(Star())
    if name.endswith(".*"):
        return Column(Star(parse_name(name[:-2])))
    return Column(Name(parse_name(name)))


def expression_of(value: object) -> Expression:
    """Give a column's expression; anything else is a literal."""
    return value.expression if isinstance(value, Column) else literal_of(value)


def _unnamed(expression: Expression) -> Expression:
    return expression.child if isinstance(expression, Alias) else expression


def _type_of(data_type: str | DataType) -> DataType:
    return parse_data_type(data_type) if isinstance(data_type, str) else data_type
