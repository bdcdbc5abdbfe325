"""Parquet files: footers to an observed schema, row groups to record batches under a schema."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.ahead import map_ahead
from ingest.errors import (
    ParquetTypeMismatchError,
    ParquetTypeNotSupportedError,
    RescuedColumnInDataError,
)
from ingest.formats.parquet_calendars import calendar_is_known, find_calendars
from ingest.formats.parquet_decoding import decode
from ingest.formats.parquet_fields import fields_type, unsupported
from ingest.formats.parquet_footer import open_parquet
from ingest.formats.parquet_merge import merge_files
from ingest.formats.parquet_plan import Matching, extras, misfits, plan_struct
from ingest.formats.parquet_rows import FileTarget, fit_rows
from ingest.read_batch import Findings, Inferred, Misfits, UnknownField
from ingest.rescue import FILE_PATH
from schema_store.type_names import path_text, type_to_sql
from schema_store.types import StructType, fold_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.file_entry import FileEntry
    from ingest.formats.parquet_footer import OpenedParquet
    from ingest.read_batch import ReadBatch
    from ingest.stream_options import ParquetOptions, ReadSettings
    from schema_store.types import FieldPath, Schema


@dataclass(frozen=True, slots=True)
class ParquetFormat:
    """Parquet: columns by name, each file by its own footer.

    `pinned` are the paths fixed by schema hints.

    Every function raises `FileMissingError`, `FileNotReadableError`, `FileChangedError`,
    `ForeignFormatError`, `DamagedParquetError`, `RescuedColumnInDataError`; `infer` also
    `ParquetTypeNotSupportedError`, and `read` `DamagedParquetPagesError` and
    `ParquetTypeMismatchError`.
    """

    parquet: ParquetOptions
    settings: ReadSettings
    pinned: frozenset[FieldPath]

    def infer(self, files: Sequence[FileEntry]) -> Inferred:
        """Give the union of the files' columns in the order in which they are met, widest types.

        Names equal ignoring case are one column, in the first spelling (contract 2.5).
        """
        pinned = self._folded_pins
        merged = merge_files(map_ahead(self._file_schema, files), pinned)
        return Inferred(
            merged.schema,
            frozenset(),
            frozenset(),
            conflicts=merged.conflicts,
            disputed=merged.paths,
        )

    def look(self, files: Sequence[FileEntry], schema: Schema) -> Findings:
        """Find unknown fields, and in the widening mode other types, in the files' footers."""
        unknown: list[UnknownField] = []
        other: list[Misfits] = []
        for file, target in zip(
            files, map_ahead(lambda file: self._look_at(file, schema), files), strict=True
        ):
            if target is None:
                continue
            found = (extra for extra in extras(target.plan) if extra.evolves)
            unknown += [UnknownField(extra.path, file, "") for extra in found]
            if self.settings.observe_misfits:
                other += [
                    Misfits(one.path, file, 0, "", one.observed) for one in misfits(target.plan)
                ]
        return Findings(unknown=tuple(unknown), misfits=tuple(other))

    def read(self, files: Sequence[FileEntry], schema: Schema) -> Iterator[ReadBatch]:
        """Read consecutive files; rows come in file order, a piece of a file at a time."""
        for file in files:
            with open_parquet(file, whole=True) as opened:
                if opened is not None:
                    yield from self._read_file(opened, schema)

    def _read_file(self, opened: OpenedParquet, schema: Schema) -> Iterator[ReadBatch]:
        target = self._target(opened, schema)
        mismatch = next(misfits(target.plan), None)
        if self.settings.rescued_column is None and mismatch is not None and opened.height:
            observed = mismatch.observed
            raise ParquetTypeMismatchError(
                opened.file.uri,
                column=path_text(mismatch.path),
                expected_type=type_to_sql(mismatch.expected),
                actual_type=str(mismatch.source) if observed is None else type_to_sql(observed),
            )
        before = 0
        for batch in decode(opened):
            yield fit_rows(batch, before, target)
            before += batch.num_rows

    def _look_at(self, file: FileEntry, schema: Schema) -> FileTarget | None:
        with open_parquet(file) as opened:
            return None if opened is None else self._target(opened, schema)

    def _target(self, opened: OpenedParquet, schema: Schema) -> FileTarget:
        self._check_names(opened)
        rescues = self.settings.rescued_column is not None
        matching = Matching(
            self.settings.case_sensitive,
            self._folded_pins,
            find_calendars(opened.metadata, self.parquet),
            frozenset({FILE_PATH}) if rescues else frozenset(),
        )
        plan = plan_struct(opened.fields, schema, matching)
        assumed = not calendar_is_known(opened.metadata)
        return FileTarget(opened.file, plan, self.settings, assumed)

    def _file_schema(self, file: FileEntry) -> Schema:
        with open_parquet(file) as opened:
            if opened is None:
                return StructType(())
            self._check_names(opened)
            self._check_types(opened)
            rescues = self.settings.rescued_column is not None
            return fields_type(
                field for field in opened.fields if not rescues or field.name != FILE_PATH
            )

    def _check_types(self, opened: OpenedParquet) -> None:
        for path, named in unsupported(opened.fields):
            if not self._is_hinted(fold_path(path)):
                raise ParquetTypeNotSupportedError(
                    opened.file.uri, column=path_text(path), parquet_type=named
                )

    def _check_names(self, opened: OpenedParquet) -> None:
        rescued = (self.settings.rescued_column or "").lower()
        taken = next(
            (one for one in opened.fields if rescued and one.name.lower() == rescued), None
        )
        if taken is not None:
            raise RescuedColumnInDataError(opened.file.uri, column=taken.name)

    def _is_hinted(self, path: FieldPath) -> bool:
        """Tell whether a hint fixes the type at a path, above it or in it."""
        return any(path[: len(pin)] == pin or pin[: len(path)] == path for pin in self._folded_pins)

    @property
    def _folded_pins(self) -> frozenset[FieldPath]:
        return frozenset(fold_path(path) for path in self.pinned)
