"""Settings and landed files for tests of CSV."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ingest.file_entry import FileEntry, SeqNum
from ingest.stream_options import ParseMode, ReadSettings

if TYPE_CHECKING:
    from pathlib import Path

TODAY = dt.date(2026, 11, 30)

_RESCUE = ReadSettings(
    rescued_column="_rescued_data",
    file_path_in_rescued=True,
    case_sensitive=True,
    parse_mode=ParseMode.PERMISSIVE,
    corrupt_column="_corrupt_record",
    exact_decimals=False,
    observe_misfits=False,
    typed=True,
    prefers_decimal=False,
    time_zone="UTC",
    today=TODAY,
    user_schema=False,
)


def reading(**changes: Any) -> ReadSettings:
    return replace(_RESCUE, **changes)


def land(folder: Path, files: dict[str, bytes]) -> list[FileEntry]:
    folder.mkdir(parents=True, exist_ok=True)
    entries = []
    for number, (name, content) in enumerate(files.items(), 1):
        path = folder / name
        path.write_bytes(content)
        stat = path.stat()
        entry = FileEntry(SeqNum(number), bytes(path), stat.st_size, stat.st_mtime_ns)
        entries.append(entry)
    return entries
