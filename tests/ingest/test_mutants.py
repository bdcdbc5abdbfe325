"""Each mutant of the list is caught, and nothing else is (style, "Tests" 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.ingest.crash_sweep import Table
from tests.ingest.mutants import MUTANTS, Mutant

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.mark.parametrize("table", Table)
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_mutant_is_caught(
    mutant: Mutant, table: Table, memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mutant.apply(monkeypatch)
    assert mutant.caught_by(memory, table) is not None


CHECKS = list(dict.fromkeys(mutant.caught_by for mutant in MUTANTS))


@pytest.mark.parametrize("table", Table)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_check_finds_nothing_without_a_mutant(
    check: Callable[[Path, Table], str | None], table: Table, memory: Path
) -> None:
    assert check(memory, table) is None
