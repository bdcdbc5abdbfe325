r"""A scenario: what lands, step by step, under which options, and what is expected to come out.

    name: a new column, in the widening mode
    options: {cloudFiles.format: csv, cloudFiles.inferColumnTypes: true}
    mode: addNewColumnsWithTypeWidening         # a name, a list of names, or all
    steps:
      - land: 1                                 # a folder or file beside this one
        expect: {rows: [[1, John, null]], version: 0}
      - land: {people-2.csv: "id,name,age\n2,Mary,25\n"}      # or a text
        expect: {stop: NEW_FIELDS_IN_FILE, new: [age INT], version: 1}

A step is changes, in the order written, then the stream runs once, and again after each stop that a
restart goes on from (at most `restarts` times); `expect` then looks at the result. A step that has
nothing but `expect` looks at the result of the step before.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Mapping
    from pathlib import Path

    from schema_store.evolution import EvolutionMode
    from schema_store.types import Schema

DEFAULT_RESTARTS = 10
"""Restarts after stops to evolve, as a job with retries has them (contract 4.7)."""


@dataclass(frozen=True, slots=True)
class Text:
    """The content of a file, as it stands in the scenario."""

    text: str


@dataclass(frozen=True, slots=True)
class CopyOf:
    """The content of a file elsewhere; with `keeps_time` its modification time too."""

    path: Path
    keeps_time: bool = False


Content: TypeAlias = Text | CopyOf


@dataclass(frozen=True, slots=True)
class LandedFile:
    """A file that lands: its name below the landing folder, and what is in it."""

    name: str
    content: Content


@dataclass(frozen=True, slots=True)
class Land:
    """Files arrive; one of the same name is replaced."""

    files: tuple[LandedFile, ...]


@dataclass(frozen=True, slots=True)
class Overwrite:
    """Files that are there get another content, and a later modification time."""

    files: tuple[LandedFile, ...]


@dataclass(frozen=True, slots=True)
class Append:
    """A file that is there grows."""

    files: tuple[LandedFile, ...]


@dataclass(frozen=True, slots=True)
class Touch:
    """A file gets another modification time: this one, or a later one than all before."""

    name: str
    at: dt.datetime | None


@dataclass(frozen=True, slots=True)
class Rename:
    """A file gets another name and keeps its time."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Delete:
    """Files, or folders with all that is in them, go away."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SetOptions:
    """Reader options change from here on; None takes one back."""

    options: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class SetMode:
    """The schema evolution mode changes from here on."""

    mode: EvolutionMode


@dataclass(frozen=True, slots=True)
class SetSchema:
    """The stream has a schema of the user's from here on, or none any more."""

    ddl: str | None


@dataclass(frozen=True, slots=True)
class StartOver:
    """State and table are empty again; the landing folder stays."""


Change: TypeAlias = (
    Land
    | Overwrite
    | Append
    | Touch
    | Rename
    | Delete
    | SetOptions
    | SetMode
    | SetSchema
    | StartOver
)


@dataclass(frozen=True, slots=True)
class ExpectRows:
    """All rows of the table in any order: lists of values, or mappings of some columns."""

    rows: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class ExpectNumber:
    """A number: one of `NUMBERS`."""

    key: str
    number: int


@dataclass(frozen=True, slots=True)
class ExpectSchema:
    """Columns of the stream (`schema`) or of the table (`table`), in order."""

    key: str
    schema: Schema


@dataclass(frozen=True, slots=True)
class ExpectStop:
    """The first stop: a part of its condition, or None for no stop at all."""

    condition: str | None


@dataclass(frozen=True, slots=True)
class ExpectFields:
    """What the first stop tells: its `new` columns or its `widened` ones, as DDL."""

    key: str
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExpectError:
    """The failure at the end: the name of an error or of what it is a kind of, or its condition."""

    kind: str


@dataclass(frozen=True, slots=True)
class ExpectMessage:
    """Parts of the message of the stop or failure."""

    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExpectNames:
    """Names of files: those that landed in the table (`files`), or that the stop names (`file`)."""

    key: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExpectLedger:
    """What was lost: [kind, file, column, count] of each entry, in any order."""

    entries: tuple[tuple[object, ...], ...]


Check: TypeAlias = (
    ExpectRows
    | ExpectNumber
    | ExpectSchema
    | ExpectStop
    | ExpectFields
    | ExpectError
    | ExpectMessage
    | ExpectNames
    | ExpectLedger
)

NUMBERS = ("count", "landed", "rescued", "corrupt", "bad", "batches", "version", "stops")
"""Numbers that a step can expect: rows in the table, rows that landed in this step, of them rescued
ones, corrupt records, records in badRecordsPath, batches, the schema version, stops to evolve."""


@dataclass(frozen=True, slots=True)
class Step:
    """Changes, a run, checks.

    `modes` are those that the step is for, None for all; `checks` those of each mode, under None
    those of every mode. `restarts` None leaves it to the scenario.
    """

    number: int
    name: str | None
    changes: tuple[Change, ...]
    runs: bool
    restarts: int | None
    checks: Mapping[EvolutionMode | None, tuple[Check, ...]]
    modes: frozenset[EvolutionMode] | None = None

    def checks_in(self, mode: EvolutionMode | None) -> tuple[Check, ...]:
        """Give the checks for a stream in this mode."""
        return self.checks.get(None, ()) + (() if mode is None else self.checks.get(mode, ()))

    def is_for(self, mode: EvolutionMode | None) -> bool:
        """Tell whether a stream in this mode takes the step."""
        return self.modes is None or mode in self.modes


@dataclass(frozen=True, slots=True)
class Scenario:
    """A story: options, modes, steps. `modes` is empty when the options decide it.

    `file` is where it was read, `left_out` names what lies beside it and is not played.
    """

    name: str
    file: Path
    options: Mapping[str, object]
    steps: tuple[Step, ...]
    modes: tuple[EvolutionMode, ...] = ()
    schema: str | None = None
    conf: Mapping[str, object] = field(default_factory=dict)
    writer: Mapping[str, object] = field(default_factory=dict)
    path: str = ""
    restarts: int = DEFAULT_RESTARTS
    left_out: tuple[str, ...] = ()
