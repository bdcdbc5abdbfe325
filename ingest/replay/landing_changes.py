"""Changes of a scratch landing folder: what a scenario's steps do to its files.

Modification times are made: a second apart from `FIRST_LANDING` on, in the order of the changes, so
that a replay does not depend on when files were copied or checked out. Files that keep their time
are the exception (`--by time`).
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from ingest.errors import ScenarioError
from ingest.file_entry import display_path
from ingest.replay.scenario import (
    Append,
    CopyOf,
    Delete,
    Land,
    Overwrite,
    Rename,
    Text,
    Touch,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import NoReturn

    from ingest.replay.scenario import Content, LandedFile

FIRST_LANDING = 1_767_225_600
"""Modification time of the first file: 2026-01-01, in seconds."""

_NS = 1_000_000_000
_NAMED = 4

FileChange: TypeAlias = Land | Overwrite | Append | Touch | Rename | Delete


@dataclass(slots=True)
class ScratchLanding:
    """A landing folder that a replay fills; `landed` counts the modification times given.

    `file` and `step` are where the changes are written, for errors.
    """

    folder: Path
    file: Path
    step: int = 0
    landed: int = 0

    def change(self, change: FileChange) -> str:
        """Make a change and tell it in a line.

        Raises `ScenarioError` for a file that is not there, or that would be outside.
        """
        match change:
            case Land(files):
                return _told("landed", [self._land(file) for file in files])
            case Overwrite(files):
                for file in files:
                    self._present(file.name, "overwrite")
                return _told("overwrote", [self._land(file) for file in files])
            case Append(files):
                return _told("appended to", [self._append(file) for file in files])
            case Touch(name, at):
                path = self._present(name, "touch")
                self._stamp(path, None if at is None else round(at.timestamp() * _NS))
                return _told("touched", [name])
            case Rename(old, new):
                target = self._place(new, "rename")
                self._present(old, "rename").rename(target)
                return f"renamed {old} to {new}"
            case Delete(names):
                return _told("deleted", [self._delete(name) for name in names])

    def _land(self, file: LandedFile) -> str:
        target = self._place(file.name, "land")
        match file.content:
            case Text(text):
                target.write_bytes(text.encode())
                self._stamp(target, None)
            case CopyOf(path, keeps_time):
                shutil.copyfile(path, target)
                self._stamp(target, path.stat().st_mtime_ns if keeps_time else None)
        return file.name

    def _append(self, file: LandedFile) -> str:
        target = self._present(file.name, "append")
        with target.open("ab") as growing:
            growing.write(_bytes(file.content))
        self._stamp(target, None)
        return file.name

    def _delete(self, name: str) -> str:
        path = self._present(name, "delete")
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
        return name

    def _stamp(self, path: Path, moment: int | None) -> None:
        if moment is None:
            moment = (FIRST_LANDING + self.landed) * _NS
            self.landed += 1
        os.utime(path, ns=(moment, moment))

    def _place(self, name: str, key: str) -> Path:
        """Give the place of a file in the landing folder, and make the folders above it."""
        target = self.folder / name
        if not target.resolve().is_relative_to(self.folder.resolve()):
            self._wrong(name, key, f"{name} is outside the landing folder", "a name below it")
        target.parent.mkdir(parents=True, exist_ok=True)
        return target

    def _present(self, name: str, key: str) -> Path:
        target = self._place(name, key)
        if not target.exists():
            there = sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*"))
            names = ", ".join(there[:_NAMED]) or "nothing"
            self._wrong(name, key, f"no file {name} in the landing folder", f"one of: {names}")
        return target

    def _wrong(self, name: str, key: str, found: str, expected: str) -> NoReturn:
        raise ScenarioError(
            str(self.file),
            step=self.step,
            key=f"{key}: {name}",
            found=found,
            expected=expected,
            remedy="Correct the name.",
        )


def _told(word: str, names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    shown = ", ".join(display_path(os.fsencode(name)) for name in names[:_NAMED])
    return f"{word} {shown} and {more:,} more" if more > 0 else f"{word} {shown or 'nothing'}"


def _bytes(content: Content) -> bytes:
    match content:
        case Text(text):
            return text.encode()
        case CopyOf(path):
            return path.read_bytes()
