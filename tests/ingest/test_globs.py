"""Globs: the documented table of "Common data loading patterns" (contract 7.1)."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ingest.errors import GlobError
from ingest.globs import compile_glob, compile_name_glob
from ingest.landing import landing_folder

if TYPE_CHECKING:
    from pathlib import Path

# glob, file, taken by the default globber, taken by the strict one; all as documented
DOCUMENTED = [
    ("/a/b", "/a/b/c/file.txt", True, True),
    ("/a/b", "/a/b_dir/c/file.txt", False, False),
    ("/a/b", "/a/b.txt", False, False),
    ("/a/b/", "/a/b.txt", False, False),
    ("/a/*/c/", "/a/b/c/file.txt", True, True),
    ("/a/*/c/", "/a/b/c/d/file.txt", True, True),
    ("/a/*/d/", "/a/b/c/d/file.txt", True, False),
    ("/a/*/c/", "/a/b/x/y/c/file.txt", True, False),
    ("/a/*/c", "/a/b/c_file.txt", True, False),
    ("/a/*/c/", "/a/b/c_file.txt", True, False),
    ("/a/*/c/", "/a/*/cookie/file.txt", True, False),
    ("/a/*/c", "/a/b/cookie/file.txt", True, False),
    ("/a/b*", "/a/b.txt", True, True),
    ("/a/b*", "/a/b/file.txt", True, True),
    ("/a/{0.txt,1.txt}", "/a/0.txt", True, True),
    ("/a/*/{0.txt,1.txt}", "/a/0.txt", False, False),
    ("/a/b/[cde-h]/i/", "/a/b/c/i/file.txt", True, True),
]


@pytest.mark.parametrize(("glob", "file", "loose", "strict"), DOCUMENTED)
def test_landing_folder_takes_what_is_documented(
    glob: str, file: str, *, loose: bool, strict: bool, tmp_path: Path
) -> None:
    for folder in (tmp_path / "a" / "b", (tmp_path / file.lstrip("/")).parent):
        folder.mkdir(parents=True, exist_ok=True)
    wanted = tmp_path / file.lstrip("/")
    wanted.touch()

    def taken(*, is_strict: bool) -> bool:
        listed = landing_folder(f"{tmp_path}{glob}", strict=is_strict).list_files()
        return os.fsencode(wanted) in {one.path for one in listed}

    assert (taken(is_strict=False), taken(is_strict=True)) == (loose, strict)


@pytest.mark.parametrize(
    ("glob", "name", "expected"),
    [
        ("*.csv", "a.csv", True),
        ("*.csv", "a.csv.tmp", False),
        ("?.csv", "ab.csv", False),
        ("?.csv", "é.csv", True),
        ("[é].csv", "é.csv", True),
        ("[^é].csv", "a.csv", True),
        ("[!a].csv", "a.csv", False),
        ("[a-c]x", "bx", True),
        ("[a-c]x", "dx", False),
        ("{ab,c{de,fh}}", "cfh", True),
        ("{ab,c{de,fh}}", "c", False),
        ("a,b", "a,b", True),
        (r"\*", "*", True),
        (r"\*", "a", False),
        ("a+(b)", "a+(b)", True),
        ("[&|~]", "&", True),
        ("[a&&b]", "&", True),
        (r"[\]x", r"\x", True),
        ("[]a]", "]", True),
        ("line*", "line\nbreak", True),
    ],
)
def test_name_glob_matches_the_whole_name(glob: str, name: str, *, expected: bool) -> None:
    assert (compile_name_glob(glob).fullmatch(name) is not None) == expected


def test_name_glob_counts_a_byte_that_is_not_utf8_as_one_character() -> None:
    assert compile_name_glob("?.csv").fullmatch(os.fsdecode(b"\xff.csv"))


@pytest.mark.parametrize("glob", ["[abc", "{a,b", "a}", "[z-a]", "a["])
def test_glob_that_cannot_be_understood_is_an_error_with_facts(glob: str) -> None:
    with pytest.raises(GlobError) as caught:
        compile_glob(glob, strict=False)
    assert (caught.value.where, bool(caught.value.found), bool(caught.value.remedy)) == (
        glob,
        True,
        True,
    )


@given(st.text(st.characters(exclude_characters="/*?[]{}\\"), min_size=1))
def test_name_glob_without_special_characters_matches_itself(name: str) -> None:
    assert compile_name_glob(name).fullmatch(name)


@example(glob="[?--]", strict=False)
@given(glob=st.text("ab*?[]{},\\^-&", max_size=8), strict=st.booleans())
def test_every_glob_is_understood_or_refused_by_name(glob: str, *, strict: bool) -> None:
    with contextlib.suppress(GlobError):
        compile_glob(glob, strict=strict)
