"""Globs of landing paths, as Auto Loader documents them ("Common data loading patterns")."""

from __future__ import annotations

import re

from ingest.errors import GlobError

GLOB_CHARS = re.compile(r"[*?\[\]{}]")


def compile_glob(glob: str, *, strict: bool) -> re.Pattern[str]:
    """Give the pattern that a path relative to the glob's fixed part has to `match`.

    Globs count characters; a byte of a name that is not UTF-8 is one character (`os.fsdecode`).

    Not strict: a trailing slash means nothing, `*` spans folders, and whatever follows is taken
    (`/a/*/c` takes `/a/b/x/c_file.txt`). Strict: `*` stays within a folder, and the glob names
    files or folders, whose files are all taken.
    """
    body = _translate(glob.rstrip("/"), star="[^/]*" if strict else ".*")
    end = r"(?:/.*)?\Z" if strict else ""
    return re.compile(body + end, re.DOTALL)


def compile_name_glob(glob: str) -> re.Pattern[str]:
    """Give the pattern that a file's name has to match in full (`pathGlobFilter`)."""
    return re.compile(_translate(glob, star="[^/]*"), re.DOTALL)


def _translate(glob: str, *, star: str) -> str:
    """Translate `? * [abc] [a-z] [^a] {ab,c{d,e}}` and backslash escapes."""
    out: list[str] = []
    depth = 0
    at = 0
    while at < len(glob):
        char = glob[at]
        at += 1
        if char == "[":
            text, at = _character_class(glob, at)
            out.append(text)
        elif char == "\\" and at < len(glob):
            out.append(re.escape(glob[at]))
            at += 1
        else:
            depth += {"{": 1, "}": -1}.get(char, 0)
            if depth < 0:
                raise GlobError(glob, "a } without its {")
            out.append(_plain(char, star, inside=depth > 0))
    if depth:
        raise GlobError(glob, "a { that is never closed")
    return "".join(out)


def _plain(char: str, star: str, *, inside: bool) -> str:
    special = {"*": star, "?": "[^/]", "{": "(?:", "}": ")"}
    if char == "," and inside:
        return "|"
    return special.get(char, re.escape(char))


def _character_class(glob: str, at: int) -> tuple[str, int]:
    end = glob.find("]", at + 1)
    if end < 0:
        raise GlobError(glob, "a [ that is never closed")
    body = glob[at:end]
    negated = body[0] in "^!"
    items = _class_items(glob, body[1:] if negated else body)
    return "[" + ("^/" if negated else "") + items + "]", end + 1


def _class_items(glob: str, chars: str) -> str:
    """Escape the characters and ranges of a class; a minus at either end is itself."""
    items: list[str] = []
    at = 0
    while at < len(chars):
        first, last = chars[at], chars[at + 2 : at + 3]
        if chars[at + 1 : at + 2] == "-" and last:
            if first > last:
                raise GlobError(glob, f"a range {first}-{last} that runs backwards")
            items.append(f"{re.escape(first)}-{re.escape(last)}")
            at += 3
        else:
            items.append(re.escape(first))
            at += 1
    if not items:
        raise GlobError(glob, "a [^] without characters")
    return "".join(items)
