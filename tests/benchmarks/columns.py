"""The columns of the benchmarks' CSV data, in a module that loads nothing: start-up is measured."""

from __future__ import annotations

COLUMNS = {
    "id": "BIGINT",
    "customer_id": "INT",
    "quantity": "INT",
    "stock": "INT",
    "code": "BIGINT",
    "price": "DOUBLE",
    "weight": "DOUBLE",
    "ratio": "DOUBLE",
    "amount": "DECIMAL(12,2)",
    "rate": "DECIMAL(14,4)",
    "ordered": "DATE",
    "shipped": "DATE",
    "created_at": "TIMESTAMP",
    "changed_at": "TIMESTAMP",
    "status": "STRING",
    "country": "STRING",
    "name": "STRING",
    "comment": "STRING",
    "token": "STRING",
    "gift": "BOOLEAN",
}
EXTRA_COLUMN = "coupon"
"""A column that some of the data sets have and the stream's schema has not."""


def ddl(*, strings: bool = False) -> str:
    """Give the schema as Spark's DDL; `strings`: every column is text."""
    return ", ".join(f"{name} {'STRING' if strings else sql}" for name, sql in COLUMNS.items())
