"""Do something again whenever a file changes."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import click
from watchdog.events import FileClosedNoWriteEvent, FileOpenedEvent, FileSystemEventHandler
from watchdog.observers import Observer

if TYPE_CHECKING:
    from collections.abc import Callable

    from watchdog.events import FileSystemEvent

QUIET_SECONDS = 0.3
"""How long nothing may change before it is done again: editors write a file in several steps."""


class _Changes(FileSystemEventHandler):
    """Notes that something has changed; reading a file is no change, nor is our own report."""

    def __init__(self, changed: threading.Event, ours: Path | None) -> None:
        self._changed = changed
        self._ours = None if ours is None else ours.resolve()

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Take an event."""
        if isinstance(event, (FileOpenedEvent, FileClosedNoWriteEvent)):
            return
        path = Path(os.fsdecode(event.src_path)).resolve()
        if path != self._ours and not (event.is_directory and event.event_type == "modified"):
            self._changed.set()


def watch_changes(
    source: Path,
    action: Callable[[], None],
    *,
    ours: Path | None = None,
    stop: threading.Event | None = None,
    quiet_seconds: float = QUIET_SECONDS,
) -> None:
    """Do it now and after every change below the folder, or the file's folder, until Ctrl-C.

    `stop` ends it as well; `ours` is a file that the action writes. Several changes within a short
    time are one.
    """
    changed, stopped = threading.Event(), stop or threading.Event()
    observer = Observer()
    folder = source if source.is_dir() else source.parent
    observer.schedule(_Changes(changed, ours), str(folder), recursive=True)
    observer.start()
    try:
        while not stopped.is_set():
            changed.clear()
            action()
            click.echo(f"watching {folder}; Ctrl-C ends it", err=True)
            while not (changed.wait(quiet_seconds) or stopped.is_set()):
                pass
            while changed.is_set() and not stopped.is_set():
                changed.clear()
                changed.wait(quiet_seconds)
    except KeyboardInterrupt:
        click.echo("", err=True)
    finally:
        observer.stop()
        observer.join()
