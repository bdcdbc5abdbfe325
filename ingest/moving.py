"""Move a file to another folder so that at every instant one of the two places has all of it."""

from __future__ import annotations

import errno
import filecmp
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from schema_store.metadata_log import give_name, make_folder, sync_folder

if TYPE_CHECKING:
    from ingest.file_entry import FileEntry

_NO_LINK = {
    *(errno.EXDEV, errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK),
    *(errno.EACCES, errno.EINVAL),
}
"""Why a file system, or two of them, may refuse a second name for a file."""


def move_file(entry: FileEntry, target: bytes) -> bytes:
    """Move a file; give where it is now. Nothing that is there already is ever replaced.

    A name that is taken by another file gets the entry's number as a suffix. A move that was
    interrupted is completed. Of a link the content is moved, what it leads to stays.

    Raises `OSError`.
    """
    place = _place(entry, target)
    os.unlink(entry.path)  # noqa: PTH108 - the path is bytes
    return place


def _place(entry: FileEntry, target: bytes) -> bytes:
    """Let the file have a name at its target as well; give that name."""
    for place in (target, b"%s.%d" % (target, entry.seq_num)):
        try:
            _give_place(entry.path, Path(os.fsdecode(place)))
        except FileExistsError:
            if not _is_same(entry.path, place):
                continue
        return place
    raise FileExistsError(errno.EEXIST, "another file has its name where it is to be moved")


def _give_place(source: bytes, place: Path) -> None:
    make_folder(place.parent)
    if os.path.islink(source) or not _linked(source, place):  # noqa: PTH114 - the path is bytes
        _copy(source, place)
    sync_folder(place.parent)


def _linked(source: bytes, place: Path) -> bool:
    try:
        os.link(source, place)
    except OSError as error:
        if error.errno not in _NO_LINK:
            raise
        return False
    return True


def _copy(source: bytes, place: Path) -> None:
    """Copy the content and its time under a hidden name, and then give it its own."""
    if os.path.lexists(place):
        raise FileExistsError(errno.EEXIST, "the name is taken", os.fspath(place))
    temporary = place.with_name(f".{place.name}.moving")
    try:
        shutil.copyfile(os.fsdecode(source), temporary)
        found = os.stat(source)  # noqa: PTH116 - the path is bytes
        os.utime(temporary, ns=(found.st_atime_ns, found.st_mtime_ns))
        with temporary.open("rb") as written:
            os.fsync(written.fileno())
        give_name(temporary, place)
    finally:
        temporary.unlink(missing_ok=True)


def _is_same(source: bytes, place: bytes) -> bool:
    """Tell whether an earlier attempt has put the file there: the same file, or a copy of it."""
    try:
        if os.path.samefile(source, place):  # noqa: PTH121 - the paths are bytes
            return True
        one, two = os.stat(source), os.stat(place)  # noqa: PTH116 - as above
    except OSError:
        return False
    return (one.st_size, one.st_mtime_ns) == (two.st_size, two.st_mtime_ns) and filecmp.cmp(
        os.fsdecode(source), os.fsdecode(place), shallow=False
    )
