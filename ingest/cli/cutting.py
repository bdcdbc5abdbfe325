"""Text cut to a width, with a sign that something is missing."""

from __future__ import annotations

import shutil

ELLIPSIS = "…"
FULL_HINT = "… marks what was cut; --full shows it, --json has everything"


def cut(text: str, width: int | None, *, keep: str = "") -> str:
    """Give a text in one line, cut to a width; None cuts nothing. `keep` is an ending to be kept.

    >>> cut("STRUCT<a: INT, b: STRING>", 12), cut("INT", 12), cut("a long name *", 9, keep=" *")
    ('STRUCT<a: I…', 'INT', 'a long… *')
    """
    line = " ".join(text.split()) if "\n" in text else text
    if width is None or len(line) <= width:
        return line
    ending = keep if keep and line.endswith(keep) else ""
    return line[: max(width - 1 - len(ending), 0)] + ELLIPSIS + ending


def terminal_width() -> int:
    """Give the columns of the terminal, 80 where there is none."""
    return shutil.get_terminal_size().columns


def fold(text: str, width: int | None, indent: str) -> list[str]:
    """Break a text at blanks into lines of a width; all but the first are indented.

    >>> fold("one two three", 8, "  ")
    ['one two', '  three']
    """
    if width is None:
        return text.splitlines() or [""]
    lines: list[str] = []
    for paragraph in text.splitlines() or [""]:
        line = indent if lines else ""
        for word in paragraph.split(" "):
            if len(line.strip()) and len(line) + 1 + len(word) > width:
                lines.append(line)
                line = indent + word
            else:
                line += (" " if line.strip() else "") + word
        lines.append(line)
    return lines
