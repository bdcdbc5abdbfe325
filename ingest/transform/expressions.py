"""What a user wrote, as frozen values: names are not looked up yet, types not known."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeAlias, Union

if TYPE_CHECKING:
    from schema_store.types import DataType


class Operator(Enum):
    """An operator between two expressions; the value is how Spark writes it."""

    ADD = "+"
    SUBTRACT = "-"
    MULTIPLY = "*"
    DIVIDE = "/"
    REMAINDER = "%"
    EQUAL = "="
    SAME = "<=>"
    LESS = "<"
    LESS_EQUAL = "<="
    GREATER = ">"
    GREATER_EQUAL = ">="
    AND = "AND"
    OR = "OR"


ARITHMETIC = frozenset(
    {Operator.ADD, Operator.SUBTRACT, Operator.MULTIPLY, Operator.DIVIDE, Operator.REMAINDER}
)
LOGIC = frozenset({Operator.AND, Operator.OR})


class TextTest(Enum):
    """A question about a text; the value is the function's name."""

    STARTS_WITH = "startswith"
    ENDS_WITH = "endswith"
    CONTAINS = "contains"
    LIKE = "LIKE"


class OnMisfit(Enum):
    """What a cast does with a value that does not fit; the value is how Spark writes it."""

    FAIL = "CAST"
    NULL = "TRY_CAST"


@dataclass(frozen=True, slots=True)
class Name:
    """A column, or a field inside one: `a.b` is `("a", "b")`."""

    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Star:
    """`*`, or `s.*`: all columns, or all fields of a struct."""

    parts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Literal:
    """A value; None is NULL. `text` is how Spark names it."""

    value: Any
    data_type: DataType
    text: str


@dataclass(frozen=True, slots=True)
class TimestampText:
    """`TIMESTAMP '…'`: an instant; without a zone in the text it is in the session's."""

    text: str


@dataclass(frozen=True, slots=True)
class Alias:
    """An expression under a name of its own."""

    child: Expression
    name: str


@dataclass(frozen=True, slots=True)
class Cast:
    """An expression as another type."""

    child: Expression
    data_type: DataType
    on_misfit: OnMisfit = OnMisfit.FAIL


@dataclass(frozen=True, slots=True)
class Binary:
    """Two expressions and an operator between them."""

    operator: Operator
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Negative:
    """`- a`; `name` is how Spark writes it (`negative(a)` from Python)."""

    child: Expression
    from_python: bool = False


@dataclass(frozen=True, slots=True)
class Not:
    """`NOT a`."""

    child: Expression


@dataclass(frozen=True, slots=True)
class IsNull:
    """`a IS NULL`, or `a IS NOT NULL`."""

    child: Expression
    negated: bool = False


@dataclass(frozen=True, slots=True)
class In:
    """`a IN (b, …)`."""

    child: Expression
    options: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Between:
    """`a BETWEEN b AND c` of SQL text."""

    child: Expression
    low: Expression
    high: Expression


@dataclass(frozen=True, slots=True)
class Text:
    """A question about a text, with a pattern that is the same for every row."""

    test: TextTest
    child: Expression
    pattern: str
    escape: str = "\\"


@dataclass(frozen=True, slots=True)
class Extract:
    """A field of a struct: `s['f']`, `getField("f")`."""

    child: Expression
    field: str


@dataclass(frozen=True, slots=True)
class CurrentTimestamp:
    """The batch's start time; `function` is what the user called it."""

    function: str = "current_timestamp"


@dataclass(frozen=True, slots=True)
class InputFileName:
    """The URI of the file that a row is from."""


Operation: TypeAlias = Union[  # noqa: UP007 - recursive
    Binary, Negative, Not, IsNull, In, Between, Text
]
"""What an operator makes of other expressions."""

Expression: TypeAlias = Union[  # noqa: UP007 - recursive
    Name,
    Star,
    Literal,
    TimestampText,
    Alias,
    Cast,
    Extract,
    CurrentTimestamp,
    InputFileName,
    Operation,
]
