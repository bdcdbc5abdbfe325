"""Ctrl-C and SIGTERM while a stream runs: the first ends it after the running batch."""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

import click

from ingest.cli.exit_codes import ExitCode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.query import StreamingQuery


@contextmanager
def termination_as_interrupt() -> Iterator[None]:
    """Take SIGTERM as Ctrl-C; only the main thread can, in another one nothing changes."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Let no interrupt come between a stream and the one who follows it; it comes afterwards."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held: list[int] = []
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {
        number: signal.signal(number, lambda given, _frame: held.append(given))
        for number in numbers
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if held:
        raise KeyboardInterrupt


def stop_after_batch(query: StreamingQuery) -> None:
    """Stop a query and wait for its running batch; a second interrupt ends the process at once."""
    try:
        click.echo("stopping after the running batch; once more ends it at once …", err=True)
        query.stop()
    except KeyboardInterrupt:
        _end_at_once()


def _end_at_once() -> NoReturn:
    """End without the stream's thread, which the interpreter would wait for."""
    click.echo("ended at once; the next run takes the batch again", err=True)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(ExitCode.INTERRUPTED)
