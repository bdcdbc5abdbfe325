"""What a writer was told about a Delta table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Mapping


@dataclass(frozen=True, slots=True)
class DeltaSettings:
    """How a Delta table is written.

    * `now` tells the time (with a zone), `new_id` makes a random UUID text.
    * `merge_schema`: whether new columns, and wider types where the table allows them, change the
      table (`mergeSchema`, or `spark.databricks.delta.schema.autoMerge.enabled`).
    * `properties`: of a table that is made; `delta.*` names, checked by `check_properties`.
    * `partition_columns`: of a table that is made; an existing one must have the same, or the
      write names none.
    * `sql_name`: what SQL calls the table, for messages; by default its folder.
    """

    now: Callable[[], dt.datetime]
    new_id: Callable[[], str]
    merge_schema: bool = False
    properties: Mapping[str, str] = field(default_factory=dict)
    partition_columns: tuple[str, ...] = ()
    sql_name: str | None = None

    @property
    def now_ms(self) -> int:
        """The time in milliseconds since 1970."""
        return round(self.now().timestamp() * 1000)
