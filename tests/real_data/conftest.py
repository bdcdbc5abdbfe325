"""The packages' files, and a place for streams' state."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.real_data.package_files import missing_packages, unpack_files

if TYPE_CHECKING:
    from collections.abc import Iterator

_IN_MEMORY = Path("/dev/shm")


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Give the packages' files by name."""
    missing = missing_packages()
    if missing:
        pytest.skip(f"pip install -e '.[test]' to get {' and '.join(missing)}")
    return unpack_files(tmp_path_factory.mktemp("packages"))


@pytest.fixture
def state(tmp_path: Path) -> Iterator[Path]:
    """Give a folder for checkpoints; in memory if there is one: each stream syncs a dozen files."""
    fast = _IN_MEMORY if os.access(_IN_MEMORY, os.W_OK) else tmp_path
    with tempfile.TemporaryDirectory(dir=fast) as folder:
        yield Path(folder)
