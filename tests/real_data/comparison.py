"""What a stream read against what Spark read, column by column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ingest.errors import IngestError
from tests.real_data.differences import WHOLE_FILE
from tests.real_data.digests import digest
from tests.real_data.our_readings import ingest_file
from tests.real_data.recording import Content, Failure
from tests.spark.canonical import canonical_rows

if TYPE_CHECKING:
    from pathlib import Path

    from tests.real_data.our_readings import Ingested
    from tests.real_data.recording import Answer
    from tests.real_data.ways import Way


@dataclass(frozen=True, slots=True)
class Compared:
    """Columns that differ, each with the number of its differing values; rows with rescued data."""

    differing: dict[str, int]
    rescued: int


def compare(path: Path, way: Way, state: Path, spark: Answer) -> Compared:
    """Run a stream over the file and compare; that both fail is alike."""
    try:
        ours = ingest_file(path, way, state)
    except IngestError:
        return Compared({} if isinstance(spark, Failure) else {WHOLE_FILE: 0}, 0)
    match spark:
        case Failure():
            return Compared({WHOLE_FILE: ours.table.num_rows}, len(ours.rescued))
        case Content():
            return Compared(_differing(ours, spark), len(ours.rescued))


def _differing(ours: Ingested, spark: Content) -> dict[str, int]:
    names = [name for name, _ in spark.columns]
    shared = [name for name, _ in ours.columns if name in names]
    if ours.table.num_rows != spark.rows or shared != [one for one in names if one in shared]:
        return {WHOLE_FILE: ours.table.num_rows}
    digests = dict(zip(names, spark.digests, strict=True))
    kinds = dict(spark.columns)
    equal = {
        name
        for name, kind in ours.columns
        if name in digests
        and kinds[name] == kind
        and digests[name] == digest(ours.table.column(name))
    }
    candidates = dict.fromkeys([*names, *ours.table.column_names])
    return {name: _count(name, ours, spark) for name in candidates if name not in equal}


def _count(name: str, ours: Ingested, spark: Content) -> int:
    """Count the values that differ; all of them while Spark's are not recorded."""
    nothing = [None] * spark.rows
    mine = _values(name, ours) if name in ours.table.column_names else nothing
    theirs = spark.values.get(name, []) if name in dict(spark.columns) else nothing
    if len(theirs) != spark.rows:
        return spark.rows
    return sum(one != other for one, other in zip(mine, theirs, strict=True))


def _values(name: str, ours: Ingested) -> list[Any]:
    rows = canonical_rows([ours.table.column(name)], ours.table.num_rows)
    return [value for (value,) in rows]
