"""What the import contracts and the linter do not check. Sizes are reported, not enforced."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
MODULES = sorted(
    path for name in ("ingest", "schema_store") for path in (ROOT / name).rglob("*.py")
)
MODULE_LIMIT = 300
FUNCTION_LIMIT = 40


def test_no_type_is_ignored_and_nothing_is_left_to_do() -> None:
    found = [
        f"{path.name}: {line.strip()}"
        for path in MODULES
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"type: ignore|\b(TODO|FIXME)\b", line)
    ]

    assert found == []


def test_sizes_are_reported() -> None:
    crowded = [report for path in MODULES for report in _crowded(path)]

    if crowded:
        sys.stdout.write("\n  ".join(["crowded rooms:", *crowded]) + "\n")


def test_help_and_schema_commands_load_no_heavy_library() -> None:
    script = (
        "import sys; from click.testing import CliRunner; from ingest.cli import cli;"
        "CliRunner().invoke(cli, ['--help']);"
        "CliRunner().invoke(cli, ['schema', 'log', 'nowhere']);"
        "print([name for name in ('polars', 'pyarrow', 'deltalake') if name in sys.modules])"
    )

    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    )

    assert done.stdout.strip() == "[]"


def test_delta_s_library_is_loaded_when_a_delta_table_is_opened(tmp_path: Path) -> None:
    script = (
        "import sys; from ingest import Session; spark = Session(warehouse=sys.argv[1]);"
        "rows = spark.createDataFrame([(1,)], 'id INT');"
        "rows.write.format('parquet').saveAsTable('p'); before = 'deltalake' in sys.modules;"
        "[rows.write.mode('append').saveAsTable('d') for _ in range(2)];"
        "print(before, 'deltalake' in sys.modules)"
    )

    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )

    assert done.stdout.split() == ["False", "True"]


def _crowded(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    found = []
    if text.count("\n") > MODULE_LIMIT:
        found.append(f"{path.relative_to(ROOT)}: {text.count(chr(10))} lines")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            body = node.body[1:] if ast.get_docstring(node) and len(node.body) > 1 else node.body
            size = (node.end_lineno or 0) - body[0].lineno + 1
            if size > FUNCTION_LIMIT:
                found.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.name}: {size} lines")
    return found
