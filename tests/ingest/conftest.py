"""What tests of the engine share."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def memory() -> Iterator[Path]:
    """A folder in memory where there is one: a sweep syncs nothing, but opens many files."""
    shared = Path("/dev/shm")
    folder = Path(mkdtemp(dir=shared if shared.is_dir() else None))
    yield folder
    shutil.rmtree(folder)
