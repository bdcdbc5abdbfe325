"""What happens to rows between `load` and `writeStream` (contract 1.6): pure, on Arrow columns.

expressions    what a user wrote: names, literals, operators (a closed union)
names          `a.b` and backticks; the names that Spark gives to results
sql_text       SQL text to expressions
column         the PySpark-shaped `Column` that builds expressions
typed          expressions whose names and types are settled (a closed union)
type_rules     which types meet, and what comes out (Spark's ANSI type coercion)
resolving      expressions to typed ones, over given columns
transformation the columns and filters that a chain of calls adds up to
evaluation     typed expressions to Arrow arrays; `casts`, `arithmetic`, `comparing` beside it
file_metadata  `_metadata` of the file that a row is from
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ingest.transform.sql_text import parse_expression

__all__ = ["parse_expression"]


def __getattr__(name: str) -> object:
    """Load the SQL parser when the first text is met: it costs a tenth of a second."""
    if name not in __all__:
        raise AttributeError(f"module 'ingest.transform' has no attribute {name!r}")
    from ingest.transform.sql_text import parse_expression  # noqa: PLC0415 - as the docstring says

    globals()[name] = parse_expression
    return parse_expression
