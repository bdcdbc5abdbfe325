"""Databricks Auto Loader on your own machine.

>>> from ingest import Session
>>> Session(warehouse="lake").conf.get("spark.sql.session.timeZone")
'UTC'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ingest.session import Session
    from ingest.table_scan import scan_table

    spark: Session

__all__ = ["Session", "scan_table", "spark"]


def __getattr__(name: str) -> object:
    """Load the front door when it is first asked for; `import ingest` alone stays cheap."""
    if name not in __all__:
        raise AttributeError(f"module 'ingest' has no attribute {name!r}")
    if name == "scan_table":
        from ingest.table_scan import scan_table

        globals()["scan_table"] = scan_table
        return scan_table
    from ingest.session import Session

    globals()["Session"] = Session
    if name == "spark":
        globals()["spark"] = Session()
    return globals()[name]
