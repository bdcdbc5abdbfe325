"""The loss ledger in lines: what production loses without a word (contract 9.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.cli.display import counted
from ingest.replay.stop_text import shown_value
from ingest.replay.trial import file_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ingest.ledger import LedgerEntry


def loss_lines(ledger: Iterable[LedgerEntry]) -> Iterator[str]:
    """Tell the losses of one column and reason in one line, with an example and the file."""
    groups: dict[tuple[str, str | None, str], list[LedgerEntry]] = {}
    for entry in ledger:
        groups.setdefault((entry.kind.value, entry.column, entry.reason), []).append(entry)
    for (kind, column, reason), entries in groups.items():
        count = sum(entry.count for entry in entries)
        what = f"{column}: {counted(count, 'value')}" if column else counted(count, "record")
        yield f"{what} {kind}: {reason}{_example(entries)} in {_files(entries)}"


def _example(entries: Sequence[LedgerEntry]) -> str:
    texts = [example.text for entry in entries for example in entry.examples]
    return f", e.g. {shown_value(texts[0])}" if texts else ""


def _files(entries: Sequence[LedgerEntry]) -> str:
    files = list(dict.fromkeys(file_name(entry.file) for entry in entries))
    return files[0] if len(files) == 1 else f"{files[0]} and {counted(len(files) - 1, 'file')} more"
