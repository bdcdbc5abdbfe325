"""Killed at any instant, each row is in the table exactly once (contract 7.4)."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from tests.ingest.kills import kill_at_random

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize(
    ("table", "seed"), [("parquet", 1), ("parquet", 2), ("delta", 1), ("delta", 2), ("delta", 3)]
)
def test_killed_stream_has_each_row_exactly_once(tmp_path: Path, table: str, seed: int) -> None:
    killed = kill_at_random(tmp_path, table, random.Random(seed))
    assert (killed.lost, killed.doubled) == (0, 0)
    assert killed.kills > 0, "no run was killed while it worked"
