from __future__ import annotations

import datetime as dt
import os
from decimal import Decimal
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest

from ingest.errors import LandingFileNotFoundError
from ingest.testing.landing_files import Landing

if TYPE_CHECKING:
    from pathlib import Path

NOON = dt.datetime(2026, 1, 5, 12, tzinfo=dt.UTC)


@pytest.fixture
def landing(tmp_path: Path) -> Landing:
    return Landing(tmp_path / "landing", now=lambda: NOON)


def test_csv_text_is_written_as_it_is(landing: Landing) -> None:
    assert landing.csv("a.csv", "id, name\n 1, Ann").read_text() == "id, name\n 1, Ann"


def test_a_text_block_is_unindented(landing: Landing) -> None:
    file = landing.csv(
        "a.csv",
        """
        id,name
        1,Ann
        """,
    )

    assert file.read_text() == "id,name\n1,Ann\n"


def test_dictionaries_become_csv_below_a_header_of_all_keys(landing: Landing) -> None:
    rows: list[dict[str, object]] = [{"id": 1, "ok": True}, {"id": None, "note": 'say "hi", twice'}]

    text = landing.csv("a.csv", rows).read_text()

    assert text == 'id,ok,note\n1,true,\n,,"say \\"hi\\", twice"\n'


def test_json_has_one_object_in_a_line(landing: Landing) -> None:
    many = landing.json("a.json", [{"id": 1}, {"id": 2, "day": dt.date(2026, 1, 5)}])
    one = landing.json("b.json", {"id": 1})

    assert many.read_text() == '{"id":1}\n{"id":2,"day":"2026-01-05"}\n'
    assert one.read_text() == '{"id":1}\n'


def test_parquet_takes_a_schema(landing: Landing) -> None:
    rows = [{"id": 1, "amount": Decimal("1.50")}]

    file = landing.parquet("a.parquet", rows, schema="id INT, amount DECIMAL(10,2)")

    assert str(pq.read_schema(file).field("amount").type) == "decimal128(10, 2)"


def test_each_file_is_newer_than_the_one_before(landing: Landing) -> None:
    files = [landing.text(name, "x") for name in ("b.txt", "a.txt", "b.txt")]

    assert files[1].stat().st_mtime_ns - int(NOON.timestamp()) * 10**9 == 1_000_000
    assert files[2].stat().st_mtime_ns > files[1].stat().st_mtime_ns


def test_a_time_can_be_set(landing: Landing) -> None:
    landing.text("a.txt", "x", at=dt.datetime(2020, 1, 1, tzinfo=dt.UTC))
    landing.touch("a.txt", dt.datetime(2021, 1, 1))  # noqa: DTZ001 - UTC is assumed

    assert (landing.path / "a.txt").stat().st_mtime == 1609459200


def test_files_change_and_go(landing: Landing, tmp_path: Path) -> None:
    (tmp_path / "more" / "x").mkdir(parents=True)
    (tmp_path / "more" / "x" / "c.csv").write_text("id\n3\n")
    landing.csv("day=1/a.csv", "id\n1\n")
    landing.csv("b.csv", "id\n1\n")

    landing.append("b.csv", "2\n")
    landing.rename("day=1/a.csv", "day=2/a.csv")
    landing.copy(tmp_path / "more")
    landing.delete("x/c.csv")

    assert landing.names == ["b.csv", "day=2/a.csv"]
    assert (landing.path / "b.csv").read_text() == "id\n1\n2\n"
    assert os.fspath(landing) == str(landing.path)


def test_a_file_that_is_not_there_cannot_change(landing: Landing) -> None:
    landing.text("a.txt", "x")

    with pytest.raises(LandingFileNotFoundError) as caught:
        landing.delete("a.txt", "b.txt")

    assert caught.value.name == "b.txt"
    assert caught.value.present == ("a.txt",)
    assert landing.names == ["a.txt"]
