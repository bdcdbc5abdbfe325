"""What goes wrong in a test that uses the pytest plugin: the test says something that cannot be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.errors.root import IngestError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class TestSupportError(IngestError):
    """A test asks for what is not there."""

    __test__ = False  # pytest takes names that begin with Test for tests


class LandingFileNotFoundError(TestSupportError):
    """A file that is to change is not in the landing folder; `present` are those that are."""

    def __init__(self, name: str, present: Sequence[str]) -> None:
        self.name = name
        self.present = tuple(present)
        super().__init__(
            name,
            found="no such file in the landing folder",
            expected=f"one of {', '.join(present)}" if present else "a file; the folder has none",
            remedy="Write it first, e.g. landing.csv(name, rows).",
        )


class UnknownFormatError(TestSupportError):
    """The files' names do not tell their format, and the test does not say it."""

    def __init__(self, folder: Path, names: Sequence[str]) -> None:
        self.folder = folder
        self.names = tuple(names)
        super().__init__(
            str(folder),
            found=f"names that tell no one format: {', '.join(names) or 'there are no files'}",
            expected="cloudFiles.format, or files that all end in .csv, .json, .parquet, …",
            remedy='Set it: autoloader.option("cloudFiles.format", "csv").',
        )


class NotRunError(TestSupportError):
    """A test asks what a stream has done before it has run."""

    def __init__(self, asked: str) -> None:
        self.asked = asked
        super().__init__(
            f"autoloader.{asked}",
            found="the stream has not run yet",
            expected="a run before",
            remedy="Call autoloader.run() first.",
        )


class ExpectedFileNotFoundError(TestSupportError):
    """There is nothing to compare with yet."""

    def __init__(self, file: Path) -> None:
        self.file = file
        super().__init__(
            str(file),
            found="no such file",
            expected="what the stream is to come to",
            remedy="Run pytest --ingest-update once, look at the file, and commit it.",
        )
