"""Names as users write them, and the names that Spark gives to results.

Rules: `UnresolvedAttribute.parseAttributeName`, `Expression.sql`, `ResolveAliases`.
"""

from __future__ import annotations

from ingest.errors import AttributeNameError
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
    Literal,
    Name,
    Negative,
    Not,
    Operation,
    Star,
    Text,
    TextTest,
    TimestampText,
)
from schema_store.type_names import type_to_sql


def parse_name(text: str) -> tuple[str, ...]:
    """Cut a name at its dots; a part in backticks may hold anything.

    >>> parse_name("a.b"), parse_name("`a.b`.c")
    (('a', 'b'), ('a.b', 'c'))
    """
    parts: list[str] = []
    rest = text
    while True:
        part, rest = _first_part(rest, text)
        parts.append(part)
        if not rest:
            return tuple(parts)
        if not rest.startswith(".") or rest == ".":
            raise AttributeNameError(text)
        rest = rest[1:]


def _first_part(rest: str, text: str) -> tuple[str, str]:
    if not rest.startswith("`"):
        part, dot, after = rest.partition(".")
        if "`" in part or (not part and text):
            raise AttributeNameError(text)
        return part, dot + after
    end = 1
    while (end := rest.find("`", end)) != -1:
        if rest[end + 1 : end + 2] != "`":
            return rest[1:end].replace("``", "`"), rest[end + 1 :]
        end += 2
    raise AttributeNameError(text)


def result_name(expression: Expression) -> str:
    """Name the column that an expression becomes."""
    match expression:
        case Alias(_, name):
            return name
        case Name(parts):
            return parts[-1]
        case Cast(Name((name,))) | Cast(Alias(_, name)):
            return name
        case Cast(Cast() as child) if result_name(child) != sql_of(child):
            return result_name(child)
        case _:
            return sql_of(expression)


def sql_of(expression: Expression) -> str:
    """Write an expression as Spark shows it."""
    match expression:
        case Name(parts):
            return ".".join(parts)
        case Star(parts):
            return ".".join([*parts, "*"])
        case Literal(text=text):
            return text
        case TimestampText(text):
            return f"TIMESTAMP '{text}'"
        case Alias(child, name):
            return f"{sql_of(child)} AS {name}"
        case Cast(child, data_type, on_misfit):
            return f"{on_misfit.value}({sql_of(child)} AS {type_to_sql(data_type)})"
        case Extract(child, field):
            return f"{sql_of(child)}.{field}"
        case CurrentTimestamp(function):
            return f"{function}()"
        case InputFileName():
            return "input_file_name()"
        case _:
            return _operation_sql(expression)


def _operation_sql(expression: Operation) -> str:
    match expression:
        case Binary(operator, left, right):
            return f"({sql_of(left)} {operator.value} {sql_of(right)})"
        case Negative(child, from_python):
            return f"negative({sql_of(child)})" if from_python else f"(- {sql_of(child)})"
        case Not(child):
            return f"(NOT {sql_of(child)})"
        case IsNull(child, negated):
            return f"({sql_of(child)} IS {'NOT ' if negated else ''}NULL)"
        case In(child, options):
            return f"({sql_of(child)} IN ({', '.join(map(sql_of, options))}))"
        case Between(child, low, high):
            return f"between({sql_of(child)}, {sql_of(low)}, {sql_of(high)})"
        case Text():
            return _text_sql(expression)


def _text_sql(text: Text) -> str:
    child = sql_of(text.child)
    if text.test is not TextTest.LIKE:
        return f"{text.test.value}({child}, {text.pattern})"
    escape = "" if text.escape == "\\" else f" ESCAPE '{text.escape}'"
    return f"{child} LIKE {text.pattern}{escape}"
