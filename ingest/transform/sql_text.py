"""SQL text to expressions: sqlglot parses it, and every node becomes one of ours or is refused.

Nothing is carried out as text.
"""

from __future__ import annotations

import re

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from ingest.errors import ExpressionSyntaxError, OperationNotSupportedError
from ingest.transform.expressions import (
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
    Name,
    Negative,
    Not,
    OnMisfit,
    Operator,
    Star,
    Text,
    TextTest,
)
from ingest.transform.literals import (
    literal_of,
    number_literal,
    suffixed_literal,
    typed_literal,
)
from ingest.transform.operands import REMEDY
from ingest.transform.sql_quotes import with_escaped_quotes
from schema_store.ddl import parse_data_type
from schema_store.types import DateType, TimestampNTZType, TimestampType

_OPERATORS: dict[type[exp.Expr], Operator] = {
    exp.Add: Operator.ADD,
    exp.Sub: Operator.SUBTRACT,
    exp.Mul: Operator.MULTIPLY,
    exp.Div: Operator.DIVIDE,
    exp.Mod: Operator.REMAINDER,
    exp.EQ: Operator.EQUAL,
    exp.NullSafeEQ: Operator.SAME,
    exp.LT: Operator.LESS,
    exp.LTE: Operator.LESS_EQUAL,
    exp.GT: Operator.GREATER,
    exp.GTE: Operator.GREATER_EQUAL,
    exp.And: Operator.AND,
    exp.Or: Operator.OR,
}
_TESTS: dict[type[exp.Expr], TextTest] = {
    exp.Like: TextTest.LIKE,
    exp.StartsWith: TextTest.STARTS_WITH,
    exp.EndsWith: TextTest.ENDS_WITH,
    exp.Contains: TextTest.CONTAINS,
}
_TYPED = (DateType, TimestampType, TimestampNTZType)
_SUPPORTED = (
    "names, literals, casts, comparisons, + - * / %, AND, OR, NOT, IS NULL, IN, BETWEEN, LIKE,"
    " startswith, endswith, contains, current_timestamp(), input_file_name(), AS"
)


def parse_expression(text: str) -> Expression:
    """Understand one expression, perhaps with an alias.

    Raises `ExpressionSyntaxError`, and `OperationNotSupportedError` for what is not for here.

    >>> parse_expression("id AS key")
    Alias(child=Name(parts=('id',)), name='key')
    """
    try:
        node = sqlglot.parse_one(with_escaped_quotes(text), read="spark")
    except (SqlglotError, RecursionError) as error:
        problem = str(error).split("\n", maxsplit=1)[0] or "too many operators"
        raise ExpressionSyntaxError(text, problem) from error
    if isinstance(node, exp.Block):
        raise ExpressionSyntaxError(text, "more than one expression")
    return _Reader(text).read(node)


class _Reader:
    """Reads the nodes of one text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def read(self, node: exp.Expr) -> Expression:
        operator = _OPERATORS.get(type(node))
        if operator is not None:
            return Binary(operator, self.read(node.this), self.read(node.expression))
        match node:
            case exp.Paren():
                return self.read(node.this)
            case exp.Alias():
                return Alias(self.read(node.this), self._alias(node))
            case exp.Star() if not node.args.get("except_") and not node.args.get("replace"):
                return Star()
            case exp.Column() | exp.Dot():
                return self._name(node)
            case exp.Bracket():
                return self._extract(node)
            case exp.Cast() | exp.TryCast():
                return self._cast(node)
            case exp.Not() | exp.NEQ() | exp.Is() | exp.In() | exp.Between():
                return self._condition(node)
            case exp.Like() | exp.StartsWith() | exp.EndsWith() | exp.Contains() | exp.Escape():
                return self._text_test(node)
            case _:
                return self._value(node)

    def _value(self, node: exp.Expr) -> Expression:
        match node:
            case exp.Literal() if node.is_string:
                return literal_of(node.name)
            case exp.Literal():
                return number_literal(node.name)
            case exp.Neg():
                inner = node.this
                if isinstance(inner, exp.Literal) and not inner.is_string:
                    return number_literal(f"-{inner.name}")
                return Negative(self.read(inner))
            case exp.Null():
                return literal_of(None)
            case exp.Boolean():
                return literal_of(bool(node.this))
            case exp.RawString():
                return literal_of(node.name)
            case exp.HexString():
                return literal_of(bytes.fromhex(node.name.zfill(len(node.name) + 1 & ~1)))
            case _:
                return self._call(node)

    def _call(self, node: exp.Expr) -> Expression:
        name = node.name.lower() if isinstance(node, exp.Anonymous) and not node.expressions else ""
        match node:
            case exp.CurrentTimestamp() if node.this is None:
                return CurrentTimestamp()
            case exp.Anonymous() if name == "now":
                return CurrentTimestamp("now")
            case exp.Anonymous() if name == "input_file_name":
                return InputFileName()
            case exp.Concat() if self._is_one_string(node):
                return literal_of("".join(one.name for one in node.expressions))
            case _:
                raise self._refused(node)

    def _is_one_string(self, node: exp.Concat) -> bool:
        """Tell whether these are strings beside each other, not arguments of a call."""
        strings = (isinstance(one, exp.Literal) and one.is_string for one in node.expressions)
        return all(strings) and "concat" not in self._text.lower()

    def _alias(self, node: exp.Alias) -> str:
        if not isinstance(node.args.get("alias"), exp.Identifier):
            raise self._refused(node)
        return str(node.alias)

    def _name(self, node: exp.Column | exp.Dot) -> Expression:
        if isinstance(node, exp.Column):
            parts = [part for part in node.parts if part is not None]
        else:
            parts = list(node.parts)
        if any(not isinstance(part, exp.Identifier | exp.Star) for part in parts):
            if isinstance(node, exp.Dot) and isinstance(node.expression, exp.Identifier):
                return Extract(self.read(node.this), node.expression.name)
            raise self._refused(node)
        names = tuple(part.name for part in parts)
        if isinstance(parts[-1], exp.Star):
            return Star(names[:-1])
        return Name(names)

    def _extract(self, node: exp.Bracket) -> Expression:
        key = node.expressions[0] if len(node.expressions) == 1 else None
        if not (isinstance(key, exp.Literal) and key.is_string):
            raise self._refused(node)
        return Extract(self.read(node.this), key.name)

    def _cast(self, node: exp.Cast) -> Expression:
        data_type = parse_data_type(node.to.sql(dialect="spark"))
        inner = node.this
        is_text = isinstance(inner, exp.Literal) and inner.is_string
        if is_text and type(node) is exp.Cast and isinstance(data_type, _TYPED):
            return typed_literal(inner.name, data_type)
        if isinstance(inner, exp.Literal) and self._has_suffix(inner.name):
            number = suffixed_literal(inner.name, data_type)
            if number is not None:
                return number
        on_misfit = OnMisfit.NULL if node.args.get("safe") else OnMisfit.FAIL
        return Cast(self.read(inner), data_type, on_misfit)

    def _has_suffix(self, digits: str) -> bool:
        """Tell whether the cast is that of a number such as `1L`; it has the number's own name."""
        literal = rf"(?<![\w.]){re.escape(digits)}(L|S|Y|D|F|BD)\b"
        return re.search(literal, self._text, re.IGNORECASE) is not None

    def _condition(self, node: exp.Expr) -> Expression:
        match node:
            case exp.NEQ():
                left, right = self.read(node.this), self.read(node.expression)
                return Not(Binary(Operator.EQUAL, left, right))
            case exp.Not() if isinstance(node.this, exp.Is) and isinstance(
                node.this.expression, exp.Null
            ):
                return IsNull(self.read(node.this.this), negated=True)
            case exp.Not():
                return Not(self.read(node.this))
            case exp.Is() if isinstance(node.expression, exp.Null):
                return IsNull(self.read(node.this))
            case exp.In() if node.expressions:
                return In(self.read(node.this), tuple(map(self.read, node.expressions)))
            case exp.Between() if not node.args.get("symmetric"):
                low, high = self.read(node.args["low"]), self.read(node.args["high"])
                return Between(self.read(node.this), low, high)
            case _:
                raise self._refused(node)

    def _text_test(self, node: exp.Expr) -> Expression:
        escape = "\\"
        if isinstance(node, exp.Escape):
            escape = node.expression.name
            node = node.this
        pattern = node.expression
        test = _TESTS.get(type(node))
        if test is None or not (isinstance(pattern, exp.Literal) and pattern.is_string):
            raise self._refused(node)
        found = Text(test, self.read(node.this), pattern.name, escape)
        return Not(found) if node.args.get("negate") else found

    def _refused(self, node: exp.Expr) -> OperationNotSupportedError:
        return OperationNotSupportedError(
            node.sql(dialect="spark"), of="SQL text", supported=_SUPPORTED, remedy=REMEDY
        )
