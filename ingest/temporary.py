"""Temporary checkpoints, for sinks that keep nothing themselves."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from pathlib import Path


def temporary_checkpoint() -> Path:
    """Make a checkpoint folder that is removed when the process ends (Spark's `temporary-`)."""
    folder = tempfile.mkdtemp(prefix="ingest-checkpoint-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)
