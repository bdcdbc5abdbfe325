"""The soak of `python -m tests.reliability`, made small."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.ingest.crash_sweep import Table
from tests.reliability.soak import soak

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
@pytest.mark.parametrize("table", Table)
def test_files_that_land_while_a_stream_is_killed_are_there_once(
    table: Table, tmp_path: Path
) -> None:
    result = soak(tmp_path, table.value, files=2000, seconds=30)
    assert (result.files, result.lost, result.doubled) == (2000, 0, 0)
    assert result.kills > 0
