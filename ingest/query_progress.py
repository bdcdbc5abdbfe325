"""Progress reports as a user takes them: dicts with attributes, as PySpark 4 has them.

An item is what the JSON has. An attribute is what PySpark's attribute is: ids are UUIDs, offsets
are JSON text, and what the JSON leaves out is empty.
"""

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


class ProgressPart(dict[str, Any]):
    """A part of a report: the dict is its JSON, and each key is an attribute too."""

    @property
    def json(self) -> str:
        """The JSON in one line."""
        return json.dumps(self)

    @property
    def prettyJson(self) -> str:  # noqa: N802 - PySpark's name
        """The JSON, indented."""
        return json.dumps(self, indent=4)

    def __str__(self) -> str:
        return self.prettyJson

    __repr__ = __str__

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - as the values of the dict
        if name in self:
            return self[name]
        if name in _LEFT_OUT:
            return _LEFT_OUT[name]()
        raise AttributeError(name)


_LEFT_OUT: dict[str, type] = {
    "eventTime": dict,
    "observedMetrics": dict,
    "metrics": dict,
    "inputRowsPerSecond": float,
    "processedRowsPerSecond": float,
}
"""What PySpark's objects have even when the JSON leaves it out, with the type of nothing."""


class SourceProgress(ProgressPart):
    """What was read of the landing folder."""

    @property
    def startOffset(self) -> str:  # noqa: N802 - PySpark's name
        """Where the batch starts, as JSON."""
        return json.dumps(self["startOffset"])

    @property
    def endOffset(self) -> str:  # noqa: N802 - PySpark's name
        """Where it ends, as JSON."""
        return json.dumps(self["endOffset"])

    @property
    def latestOffset(self) -> str:  # noqa: N802 - PySpark's name
        """Where the source ends, as JSON; Auto Loader does not say."""
        return json.dumps(self["latestOffset"])


class SinkProgress(ProgressPart):
    """What went to the sink."""


class StreamingQueryProgress(ProgressPart):
    """The report of one batch; `["ingest"]` holds what a real one does not tell."""

    @property
    def id(self) -> uuid.UUID:
        """The query's id, which its checkpoint keeps."""
        return uuid.UUID(self["id"])

    @property
    def runId(self) -> uuid.UUID:  # noqa: N802 - PySpark's name
        """The id of this start of the query."""
        return uuid.UUID(self["runId"])


def query_progress(report: Mapping[str, Any]) -> StreamingQueryProgress:
    """Give a report (`progress_to_json`) with its attributes."""
    return StreamingQueryProgress(
        {
            **report,
            "sources": [SourceProgress(source) for source in report["sources"]],
            "sink": SinkProgress(report["sink"]),
        }
    )
