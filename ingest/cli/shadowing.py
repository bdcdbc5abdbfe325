"""A user's own folder or file called `ingest`, which scripts beside it would import."""

from __future__ import annotations

from pathlib import Path


def shadowing_package(folder: Path) -> Path | None:
    """Find a user's own `ingest` in a folder whose scripts would import it instead of ours."""
    ours = Path(__file__).resolve().parent.parent
    for path in (folder / "ingest" / "__init__.py", folder / "ingest.py"):
        if path.is_file() and path.resolve().parent != ours:
            return path
    return None
