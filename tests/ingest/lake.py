"""A landing folder of CSV files and a session, for tests of the front door."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ingest import Session

if TYPE_CHECKING:
    from pathlib import Path

    from ingest.streaming_dataframe import StreamingDataFrame
    from ingest.writer import DataStreamWriter


@dataclass
class Lake:
    """Everything below one folder: `in`, `schema`, `state`, `lake`."""

    root: Path
    options: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.session = Session(warehouse=self.root / "lake")
        (self.root / "in").mkdir(exist_ok=True)

    def land(self, name: str, text: str) -> None:
        """Put a file into the landing folder."""
        (self.root / "in" / name).write_text(text)

    def load(self) -> StreamingDataFrame:
        """Load the stream of the landing folder, with inferred types."""
        reader = self.session.readStream.format("cloudFiles").option("cloudFiles.format", "csv")
        reader.option("cloudFiles.schemaLocation", self.root / "schema")
        reader.option("cloudFiles.inferColumnTypes", "true")
        return reader.options(**self.options).load(self.root / "in")

    def writer(self, state: str = "state") -> DataStreamWriter:
        """Describe where its rows go; the checkpoint is the folder `state`."""
        writer = self.load().writeStream.trigger(availableNow=True)
        return writer.option("checkpointLocation", self.root / state)

    def rows(self, table: str, *columns: str) -> list[tuple[Any, ...]]:
        """Give a table's rows in order of their text."""
        frame = self.session.table(table)
        chosen = frame.select(*columns) if columns else frame
        return sorted((tuple(row) for row in chosen.collect()), key=repr)
