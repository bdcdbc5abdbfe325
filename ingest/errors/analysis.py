"""What Spark refuses while it looks at a statement, before a row moves."""

from __future__ import annotations

from ingest.errors.root import IngestError


class AnalysisException(IngestError):  # noqa: N818 - the name users know from Spark
    """A statement or a batch write that cannot be carried out; the name that Spark users catch.

    >>> from ingest.errors import TableNotFoundError
    >>> issubclass(TableNotFoundError, AnalysisException)
    True
    """
