"""`spark.sql`: the few statements about tables that belong to a stream's life.

`statements` are the values, `parsing` makes them from text, `running` carries them out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ingest.sql.running import run_sql

__all__ = ["run_sql"]


def __getattr__(name: str) -> object:
    """Load the tokenizer when the first statement comes: it takes as long as all the rest."""
    if name not in __all__:
        raise AttributeError(f"module 'ingest.sql' has no attribute {name!r}")
    from ingest.sql.running import run_sql  # noqa: PLC0415 - start-up time, as in `ingest`

    globals()["run_sql"] = run_sql
    return run_sql
