"""The landing folder of a test: files arrive, change and go, each in one line."""

from __future__ import annotations

import datetime as dt
import os
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from ingest.errors import LandingFileNotFoundError
from ingest.python_rows.frames import to_table
from ingest.user_schema import parse_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ingest.user_schema import UserSchema

Records: TypeAlias = "Iterable[Mapping[str, Any]]"
"""Rows as dictionaries; a key that a row lacks is a value that it lacks."""

_Bytes: TypeAlias = bytes  # the class has a method of that name
_STEP_NS = 1_000_000
"""A file that arrives later is newer by a millisecond at least: files are taken by time."""


class Landing:
    """A folder that files arrive in.

    Names may have sub-folders (`day=1/a.csv`). A file that is written again replaces the old one,
    as an overwrite in production does. Files get the time at which they arrive, each a later one
    than the file before, unless `at` sets it.

    Args:
        path: the folder; it is made.
        now: tells the time, with a zone.
    """

    def __init__(self, path: Path, *, now: Callable[[], dt.datetime]) -> None:
        self.path = path
        self._now = now
        self._last_ns = 0
        path.mkdir(parents=True, exist_ok=True)

    def __repr__(self) -> str:
        return f"Landing({str(self.path)!r})"

    def __fspath__(self) -> str:
        return str(self.path)

    @property
    def names(self) -> list[str]:
        """The files that are there, by their names below the folder."""
        files = (path for path in self.path.rglob("*") if path.is_file())
        return sorted(path.relative_to(self.path).as_posix() for path in files)

    def bytes(self, name: str, data: _Bytes, *, at: dt.datetime | None = None) -> Path:
        """Write a file as it is given."""
        place = self.path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
        self.set_time(name, at)
        return place

    def text(self, name: str, text: str, *, at: dt.datetime | None = None) -> Path:
        """Write text as UTF-8; text that begins with a line break is unindented first."""
        return self.bytes(name, _unindented(text).encode(), at=at)

    def csv(
        self, name: str, rows: str | Records, *, sep: str = ",", at: dt.datetime | None = None
    ) -> Path:
        """Write CSV: text as it is, or dictionaries below a header of all their keys.

        A value that is None or left out is an empty cell.
        """
        text = rows if isinstance(rows, str) else _csv_text(list(rows), sep)
        return self.text(name, text, at=at)

    def json(
        self,
        name: str,
        records: str | Mapping[str, Any] | Records,
        *,
        at: dt.datetime | None = None,
    ) -> Path:
        """Write JSON: text as it is, or one object in a line for each dictionary."""
        if isinstance(records, str):
            return self.text(name, records, at=at)
        objects: list[Any] = [records] if isinstance(records, Mapping) else list(records)
        lines = b"".join(orjson.dumps(one, default=str) + b"\n" for one in objects)
        return self.bytes(name, lines, at=at)

    def parquet(
        self,
        name: str,
        rows: object,
        *,
        schema: UserSchema | None = None,
        at: dt.datetime | None = None,
    ) -> Path:
        """Write Parquet: dictionaries, or a table of Arrow, Polars or pandas.

        `schema` gives the columns' types, e.g. `"id INT, amount DECIMAL(10,2)"`.
        """
        given = None if schema is None else parse_schema(schema)
        _, table = to_table(rows, given, zone=dt.UTC)
        sink = pa.BufferOutputStream()
        pq.write_table(table, sink)
        return self.bytes(name, sink.getvalue().to_pybytes(), at=at)

    def copy(self, source: str | os.PathLike[str], name: str | None = None) -> list[Path]:
        """Copy a file, or all files below a folder with the names they have there."""
        place = Path(source)
        if place.is_dir():
            names = sorted(one.relative_to(place) for one in place.rglob("*") if one.is_file())
            return [self.bytes(str(one), (place / one).read_bytes()) for one in names]
        return [self.bytes(name or place.name, place.read_bytes())]

    def append(self, name: str, data: str | _Bytes, *, at: dt.datetime | None = None) -> Path:
        """Add text or bytes at the end of a file."""
        place = self._existing(name)
        more = data.encode() if isinstance(data, str) else data
        return self.bytes(name, place.read_bytes() + more, at=at)

    def touch(self, name: str, at: dt.datetime | None = None) -> Path:
        """Give a file another time, the present one unless `at` is another."""
        place = self._existing(name)
        self.set_time(name, at)
        return place

    def rename(self, name: str, new: str) -> Path:
        """Give a file another name; it keeps its time."""
        place = self._existing(name)
        target = self.path / new
        target.parent.mkdir(parents=True, exist_ok=True)
        return place.rename(target)

    def delete(self, *names: str) -> None:
        """Remove files."""
        for place in [self._existing(name) for name in names]:
            place.unlink()

    def set_time(self, name: str, at: dt.datetime | None = None) -> None:
        """Set a file's modification time; None is now, and later than any file before."""
        if at is not None and at.tzinfo is None:
            at = at.replace(tzinfo=dt.UTC)
        moment = self._next_ns() if at is None else _nanoseconds(at)
        os.utime(self.path / name, ns=(moment, moment))

    def _next_ns(self) -> int:
        self._last_ns = max(_nanoseconds(self._now()), self._last_ns + _STEP_NS)
        return self._last_ns

    def _existing(self, name: str) -> Path:
        place = self.path / name
        if place.is_file():
            return place
        raise LandingFileNotFoundError(name, self.names)


def _nanoseconds(moment: dt.datetime) -> int:
    return round(moment.timestamp() * 1_000_000) * 1_000


def _unindented(text: str) -> str:
    """Take the indentation from a text block; text that begins in its first line stays."""
    if not text.startswith("\n"):
        return text
    return textwrap.dedent(text[1:]).rstrip(" ")


def _csv_text(rows: list[Mapping[str, Any]], sep: str) -> str:
    names = list(dict.fromkeys(name for row in rows for name in row))
    lines: list[list[Any]] = [names, *([row.get(name) for name in names] for row in rows)]
    return "".join(sep.join(_csv_cell(value, sep) for value in line) + "\n" for line in lines)


def _csv_cell(value: object, sep: str) -> str:
    r"""Give a value as Spark writes it: quoted where needed, ISO times, a quote as `\"`."""
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case dt.datetime():
            return value.isoformat()
    text = str(value)
    if text and text == text.strip() and not any(mark in text for mark in [sep, '"', "\r", "\n"]):
        return text
    escaped = text.replace('"', '\\"')
    return f'"{escaped}"'
