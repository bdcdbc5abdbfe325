"""The log of a Delta table: entries 0, 1, 2, … in `_delta_log`, each written once.

An edge to the disk. An entry is `_delta_log/00000000000000000000.json` and so on, one action a
line; `add` puts it in place by an operation that fails when the name exists (PROTOCOL.md, "Delta
Log Entries"). Old entries may be gone when a checkpoint replaces them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import orjson

from ingest.delta.actions import Action, actions_from_json, actions_to_json
from ingest.errors import DamagedTableError, SinkNotWritableError
from schema_store.errors import EntryExistsError, LocationNotWritableError, SchemaStoreError
from schema_store.metadata_log import put_if_absent, sync_folder

if TYPE_CHECKING:
    from pathlib import Path

DELTA_LOG = "_delta_log"
_ENTRY = re.compile(r"([0-9]{20})\.json\Z")
_CHECKPOINT = re.compile(r"([0-9]{20})\.checkpoint(?:\.[0-9a-f.-]+)?\.(?:parquet|json)\Z")


@dataclass(frozen=True, slots=True)
class DeltaLog:
    """The log of the table in `folder`. Reading creates nothing."""

    folder: Path

    def path(self, version: int) -> Path:
        """Give the path of an entry, whether it exists or not."""
        return self.folder / DELTA_LOG / f"{version:020}.json"

    def read(self, version: int) -> tuple[Action, ...] | None:
        """Read an entry; None when there is none of this version.

        Raises `DamagedTableError`, naming the file, when it cannot be understood.
        """
        path = self.path(version)
        try:
            return actions_from_json(path.read_bytes())
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _damaged(path, error.strerror or str(error)) from error
        except (ValueError, KeyError, TypeError, AttributeError, SchemaStoreError) as error:
            raise _damaged(path, f"{type(error).__name__}: {error}") from error

    def add(self, version: int, actions: tuple[Action, ...]) -> bool:
        """Write an entry; False when another writer took its version.

        Raises `SinkNotWritableError` when the folder takes no file.
        """
        try:
            put_if_absent(self.path(version), actions_to_json(actions))
        except EntryExistsError:
            return False
        except LocationNotWritableError as error:
            raise SinkNotWritableError(str(self.folder), str(error)) from error
        return True

    def sync(self) -> None:
        """Make the entries durable: the writer of one may have died before it did."""
        try:
            sync_folder(self.folder / DELTA_LOG)
        except OSError as error:
            raise SinkNotWritableError(str(self.folder), error.strerror or str(error)) from error

    def versions(self) -> tuple[int, ...]:
        """List the versions that have an entry, in order."""
        return self._numbers(_ENTRY)

    def checkpoints(self) -> tuple[int, ...]:
        """List the versions that have a checkpoint, in order."""
        return self._numbers(_CHECKPOINT)

    def last_checkpoint(self) -> int | None:
        """Give the version that `_last_checkpoint` names: a hint, None when there is none."""
        try:
            hint = orjson.loads((self.folder / DELTA_LOG / "_last_checkpoint").read_bytes())
            return int(hint["version"])
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def newest_version(self) -> int | None:
        """Give the newest version; None when there is no table."""
        return max((*self.versions(), *self.checkpoints()), default=None)

    def _numbers(self, pattern: re.Pattern[str]) -> tuple[int, ...]:
        try:
            names = [path.name for path in (self.folder / DELTA_LOG).iterdir()]
        except (FileNotFoundError, NotADirectoryError):
            return ()
        except OSError as error:
            raise _damaged(self.folder / DELTA_LOG, error.strerror or str(error)) from error
        return tuple(sorted({int(match[1]) for name in names if (match := pattern.match(name))}))


def _damaged(path: Path, reason: str) -> DamagedTableError:
    return DamagedTableError(
        str(path),
        found=f"an entry of the Delta log that cannot be read ({reason})",
        expected="one JSON object a line, each a Delta action",
    )
