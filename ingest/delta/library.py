"""`deltalake`, loaded when the first table is opened: it takes as long to load as all of `ingest`.

`except library.DeltaError` asks for the class only when something was raised.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deltalake import DeltaTable
    from deltalake.exceptions import DeltaError, TableNotFoundError

__all__ = ["DeltaError", "DeltaTable", "TableNotFoundError"]


def __getattr__(name: str) -> object:
    """Load the library."""
    if name not in __all__:
        raise AttributeError(f"module 'ingest.delta.library' has no attribute {name!r}")
    from deltalake import DeltaTable, exceptions  # noqa: PLC0415 - start-up time, as in `ingest`

    globals().update(
        DeltaTable=DeltaTable,
        DeltaError=exceptions.DeltaError,
        TableNotFoundError=exceptions.TableNotFoundError,
    )
    return globals()[name]
