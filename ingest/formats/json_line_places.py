"""The lines of a block, and which of them became rows of a fast parse."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, overload

from ingest.formats.json_lines import NEWLINE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ingest.formats.json_raw import Leftover
    from ingest.formats.json_rows import OddRow


class Lines(NamedTuple):
    """All lines of a block, which of them were parsed, and what is to be told of some of those."""

    texts: Sequence[bytes]
    kept: Sequence[int]
    told: Mapping[int, OddRow]

    def first(self, one: Leftover) -> bytes:
        """Give the first line that has a leftover."""
        return self.texts[self.kept[one.rows[0]]]


class WholeBlock(Sequence[bytes]):
    """A block's lines, cut only when one is wanted: most blocks have nothing to tell."""

    def __init__(self, data: bytes, height: int) -> None:
        self._data = data
        self._height = height

    def __len__(self) -> int:
        return self._height

    @overload
    def __getitem__(self, at: int) -> bytes: ...
    @overload
    def __getitem__(self, at: slice) -> list[bytes]: ...
    def __getitem__(self, at: int | slice) -> bytes | list[bytes]:
        return self._lines[at]

    @cached_property
    def _lines(self) -> list[bytes]:
        return self._data.split(NEWLINE)[:-1]
