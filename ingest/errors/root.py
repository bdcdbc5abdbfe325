"""The root of all errors of this package."""

from __future__ import annotations


class IngestError(Exception):
    """Root of this package's errors.

    `where` is the file or the key, `found` what was there, `expected` what should have been, and
    `remedy` what to do next. `condition` is the name that Databricks or Spark gives it, if any.
    """

    condition: str | None = None

    def __init__(
        self, where: str, *, found: str, expected: str, remedy: str, message: str | None = None
    ) -> None:
        self.where = where
        self.found = found
        self.expected = expected
        self.remedy = remedy
        name = f"[{self.condition}] " if self.condition else ""
        text = (
            message if message is not None else f"{where}: {found}; expected {expected}. {remedy}"
        )
        super().__init__(name + text)
