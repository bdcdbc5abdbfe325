"""What lies in a table's folder, and whether a table of a format may go there."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from ingest.delta.log import DELTA_LOG
from ingest.errors import OptionConflictError, OptionValueError, TableFormatError
from ingest.sinks.manifest import MANIFEST

if TYPE_CHECKING:
    from pathlib import Path


class TableFormat(Enum):
    """How a table in a folder is kept."""

    DELTA = "delta"
    PARQUET = "parquet"


def format_of(folder: Path) -> TableFormat | None:
    """Tell what table lies in a folder; None when there is none."""
    if (folder / DELTA_LOG).is_dir():
        return TableFormat.DELTA
    return TableFormat.PARQUET if (folder / MANIFEST).is_dir() else None


def check_table_folder(folder: Path, landing: Path) -> None:
    """Refuse a table that is a file, around the landing folder or inside another table.

    Raises `OptionValueError` and `OptionConflictError`; before any effect.
    """
    place, source = folder.resolve(), landing.resolve()
    _check_folder(place, folder)
    if source.is_relative_to(place):
        raise OptionConflictError(
            ("load path", "table"),
            found=f"the landing folder {source} lies in the table's folder {place}",
            expected="a table outside the landing folder",
            remedy="Choose another folder for the table.",
        )


def check_table_format(folder: Path, wanted: TableFormat) -> None:
    """Refuse a place where no table of the format can be; before any effect.

    Raises `TableFormatError` when the other format is there, and as `check_table_folder`.
    """
    place = folder.resolve()
    _check_folder(place, folder)
    present = format_of(place)
    if present is not None and present is not wanted:
        raise TableFormatError(str(folder), present=present.value, wanted=wanted.value)


def _check_folder(place: Path, given: Path) -> None:
    if place.exists() and not place.is_dir():
        raise OptionValueError("table", str(given), allowed="a folder, or a name that is free")
    outer = next((parent for parent in place.parents if format_of(parent) is not None), None)
    if outer is not None:
        raise OptionConflictError(
            ("table", "outer table"),
            found=f"{given} lies in the folder of the table {outer}",
            expected="tables whose folders do not hold each other",
            remedy="Choose another name or folder; `a.b` is the folder b in the folder a.",
        )
