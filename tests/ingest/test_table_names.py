"""What users call tables, and the folders of these (contract 1.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ingest import Session
from ingest.errors import TableNameError, UnmappedPathError
from ingest.table_names import table_folder

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("t", "t"),
        ("crm.t", "crm/t"),
        ("main.crm.t", "main/crm/t"),
        ("main.`my t`", "main/my t"),
        ("`a.b`.t", "a.b/t"),
        ("default.t", "t"),
        ("spark_catalog.default.t", "t"),
        ("spark_catalog.crm.t", "crm/t"),
        ("DEFAULT.t", "t"),
        ("main.default.t", "main/default/t"),
    ],
)
def test_each_part_is_a_folder(name: str, folder: str, tmp_path: Path) -> None:
    assert table_folder(tmp_path, name) == tmp_path / folder


@pytest.mark.parametrize("name", ["", "a.b.c.d", "a..b", "a/b", "..", "`..`.t", "a.`b/c`", " "])
def test_name_that_is_no_folder_below_the_warehouse_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(TableNameError):
        table_folder(tmp_path, name)


def test_table_that_is_there_is_found_in_any_case(tmp_path: Path) -> None:
    (tmp_path / "CRM" / "Users").mkdir(parents=True)
    assert table_folder(tmp_path, "crm.USERS") == tmp_path / "CRM" / "Users"


def test_exact_case_comes_first(tmp_path: Path) -> None:
    (tmp_path / "T").mkdir()
    (tmp_path / "t").mkdir()
    assert table_folder(tmp_path, "t") == tmp_path / "t"


def test_memory_table_is_found_in_any_case() -> None:
    session = Session()
    assert session.memory_table("Rows") is session.memory_table("rows")


def test_warehouse_may_be_a_mapped_path(tmp_path: Path) -> None:
    session = Session(warehouse="dbfs:/lake", path_map={"dbfs:/lake": str(tmp_path)})
    assert session.table_folder("t") == tmp_path / "t"


def test_warehouse_that_is_not_mapped_is_refused() -> None:
    with pytest.raises(UnmappedPathError):
        Session(warehouse="dbfs:/lake")
