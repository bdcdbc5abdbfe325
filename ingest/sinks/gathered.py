"""The record batches of a micro-batch as one table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from ingest.arrow import to_arrow_schema

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schema_store.types import Schema


def gather(batches: Sequence[pa.RecordBatch], schema: Schema) -> pa.Table:
    """Give the rows under the schema's Arrow types; batches may differ in those of their text."""
    target = to_arrow_schema(schema)
    tables = [pa.Table.from_batches([rows]).cast(target) for rows in batches]
    return pa.concat_tables([target.empty_table(), *tables])
