"""A crash before or after any effect on the disk, then a start with fresh objects (contract 3)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from schema_store.ddl import parse_ddl
from schema_store.store import Audit, SchemaStore

if TYPE_CHECKING:
    from collections.abc import Callable

NONE = parse_ddl("")
ID = parse_ddl("id INT")
ID_AND_AGE = parse_ddl("id INT, age INT")
AUDIT = Audit(at="2030-01-05T10:00:00Z", batch_id=0, causes=(), diff=("+ age INT",))
EFFECTS: tuple[tuple[object, str], ...] = (
    (os, "open"),
    (os, "fsync"),
    (os, "link"),
    (Path, "unlink"),
    (Path, "mkdir"),
)


class SimulatedCrash(BaseException):
    """The process is dead."""


class Disk:
    """Counts effects and dies around one of them; a dead process has no further effects."""

    def __init__(self, dies_at: int, *, before: bool) -> None:
        self.effects = 0
        self._dies_at = dies_at
        self._before = before

    def watch(self, effect: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*args: object, **kwargs: object) -> object:
            self.effects += 1
            if self.effects > self._dies_at or (self._before and self.effects == self._dies_at):
                raise SimulatedCrash
            result = effect(*args, **kwargs)
            if self.effects == self._dies_at:
                raise SimulatedCrash
            return result

        return watched


def write_two_versions(location: Path) -> None:
    store = SchemaStore(location)
    first = store.add(ID, NONE, after=None, audit=None)
    store.add(ID_AND_AGE, NONE, after=first, audit=AUDIT)


def run(location: Path, disk: Disk) -> bool:
    """Write on this disk; tell whether the process lived."""
    with pytest.MonkeyPatch.context() as patch:
        for owner, name in EFFECTS:
            patch.setattr(owner, name, disk.watch(getattr(owner, name)))
        try:
            write_two_versions(location)
        except SimulatedCrash:
            return False
    return True


def counted_effects(location: Path) -> int:
    disk = Disk(10**9, before=True)
    assert run(location, disk)
    return disk.effects


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # the dead close nothing
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("before", [True, False])
def test_after_a_crash_anywhere_the_same_versions_are_written(
    tmp_path: Path, *, before: bool
) -> None:
    effects = counted_effects(tmp_path / "counted")
    assert effects > 20
    for dies_at in range(1, effects + 1):
        location = tmp_path / str(dies_at)
        assert not run(location, Disk(dies_at, before=before))
        crashed = SchemaStore(location)
        assert [v.schema for v in crashed.versions()] == [ID, ID_AND_AGE][: len(crashed.versions())]
        if len(crashed.versions()) == 2:
            assert crashed.audit(1) == AUDIT  # the sidecar comes first
        write_two_versions(location)
        assert [v.schema for v in SchemaStore(location).versions()] == [ID, ID_AND_AGE]
        assert SchemaStore(location).audit(1) == AUDIT
