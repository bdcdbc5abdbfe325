"""What a statement gives back: rows under DDL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ingest.arrow import to_arrow_schema
from schema_store.ddl import parse_ddl
from schema_store.types import StructType

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ingest.dataframe import DataFrame
    from ingest.session import Session


def answer(session: Session, ddl: str, rows: Iterable[tuple[Any, ...]]) -> DataFrame:
    """Give rows under the columns of a DDL text."""
    schema = parse_ddl(ddl)
    records = [dict(zip(schema.names, row, strict=True)) for row in rows]
    return session.data_frame(schema, pa.Table.from_pylist(records, schema=to_arrow_schema(schema)))


def nothing(session: Session) -> DataFrame:
    """Give no rows and no columns."""
    return session.data_frame(StructType(()), pa.table({}))
