"""The everyday calls as users make them: arguments in PySpark's forms, over a `Transformation`.

Streaming and batch DataFrames share them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest import transform
from ingest.errors import OptionValueError
from ingest.transform.column import Column, column_named
from ingest.transform.expressions import Name
from ingest.transform.resolving import resolve
from ingest.transform.transformation import (
    Transformation,
    drop,
    keep,
    select,
    with_columns,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ingest.transform.expressions import Expression


def select_columns(given: Transformation, cols: Sequence[object]) -> Transformation:
    """Give these columns: names, `"*"`, Columns, one by one or as one list (`select`)."""
    return select(given, [_column("select", one).expression for one in _one_list(cols)])


def select_text(given: Transformation, texts: Sequence[object]) -> Transformation:
    """Give columns by SQL text, one by one or as one list (`selectExpr`)."""
    return select(given, [_parsed("selectExpr", one) for one in _one_list(texts)])


def add_columns(given: Transformation, columns: Mapping[str, object]) -> Transformation:
    """Add or replace columns, which have to be Columns (`withColumn`, `withColumns`)."""
    found = {
        name: _column("withColumn", one, named=False).expression for name, one in columns.items()
    }
    return with_columns(given, found)


def drop_columns(given: Transformation, cols: Sequence[object]) -> Transformation:
    """Leave out columns, given by names or as plain Columns (`drop`)."""
    names = [one if isinstance(one, str) else _top_name(_column("drop", one)) for one in cols]
    return drop(given, names)


def keep_rows(given: Transformation, condition: object) -> Transformation:
    """Keep rows by a condition, a Column or SQL text (`filter`, `where`)."""
    if isinstance(condition, str):
        return keep(given, _parsed("filter", condition))
    return keep(given, _column("filter", condition, named=False).expression)


def column_of(given: Transformation, name: object) -> Column:
    """Give a column by its name, which has to be there (`df["name"]`)."""
    if not isinstance(name, str):
        raise OptionValueError("DataFrame[…]", name, allowed="a column's name")
    found = column_named(name)
    if isinstance(found.expression, Name):
        resolve(found.expression, given.outputs)
    return found


def _one_list(given: Sequence[object]) -> Sequence[object]:
    if len(given) == 1 and isinstance(given[0], list | tuple):
        return given[0]
    return given


def _parsed(call: str, text: object) -> Expression:
    if not isinstance(text, str):
        raise OptionValueError(call, text, allowed="SQL text")
    return transform.parse_expression(text)


def _column(call: str, value: object, *, named: bool = True) -> Column:
    """Take an argument as a column: a Column, or where it may be one, a name."""
    match value:
        case Column():
            return value
        case str() if named:
            return column_named(value)
    allowed = "a Column or a name" if named else "a Column, such as col(…) or lit(…)"
    raise OptionValueError(call, value, allowed=allowed)


def _top_name(column: Column) -> str:
    """Give the name of a plain column; what is none names nothing that could be dropped."""
    match column.expression:
        case Name((name,)):
            return name
    return ""
