r"""The pytest plugin: unit tests for ingestion, without a cluster.

It comes with the package (entry point `pytest11`) and loads nothing heavy before a test asks for
it. A test lands files, runs the stream, and compares:

    def test_a_new_column_stops_the_stream_once(landing, autoloader):
        landing.csv("1.csv", "id,name\n1,Ann")
        autoloader.option("cloudFiles.inferColumnTypes", True).run()
        landing.csv("2.csv", [{"id": 2, "name": "Bob", "age": 25}])

        autoloader.run()
        assert autoloader.error.new_fields == ("age INT",)

        autoloader.restart()
        assert autoloader.schema == "id INT, name STRING, age INT"
        assert autoloader.rows == [(1, "Ann", None), (2, "Bob", 25)]

Fixtures:

* `landing`: a landing folder (`ingest.testing.landing_files.Landing`): `csv`, `json`, `parquet`,
  `text`, `bytes`, `append`, `touch`, `rename`, `delete`; `path`.
* `autoloader`: a stream over it (`ingest.testing.autoloader.Autoloader`): `option`, `mode`, `run`,
  `restart`, `run_until_stable`; `rows`, `schema`, `version`, `rescued`, `error`, `condition`,
  `ledger`, `table`, `outcome`. Options of all tests come from a fixture `autoloader_options` of
  yours that gives a dictionary. A stop or failure of the last run that a test does not ask for
  fails the test.
* `evolution_mode`: the test runs in each of the five modes; `autoloader` takes the mode over.
* `spark`: a `Session` with a warehouse of its own, for functions of yours that take a
  `SparkSession`. With `ingest_spark_scope = session` in pytest's configuration all tests share one.
* `ingest_expected`: `ingest_expected(autoloader)` compares schema, rows, rescued data, stop and
  losses with a file beside the test; `--ingest-update` writes the file.

`scenario.yaml` and `*.scenario.yaml` files are tests too; `--ingest-update` writes what they
expect. With `ingest_scenarios = false` in pytest's configuration they are left alone. Comparisons
of rows and schemas that fail tell what differs, why, and what to do. `pytest -n` works.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

    from ingest.session import Session
    from ingest.testing.autoloader import Autoloader
    from ingest.testing.expected_files import ExpectedFiles
    from ingest.testing.landing_files import Landing

_MODES = ("addNewColumns", "rescue", "failOnNewColumns", "none", "addNewColumnsWithTypeWidening")
_UPDATE = "--ingest-update"
_SECTION = "what the stream did"
_STREAM = pytest.StashKey["Autoloader"]()
_FAILED = pytest.StashKey[bool]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the flag and the settings."""
    group = parser.getgroup("ingest", "tests of ingestion")
    group.addoption(
        _UPDATE,
        action="store_true",
        help="write what scenario.yaml files and ingest_expected expect, instead of comparing",
    )
    parser.addini(
        "ingest_scenarios", "collect scenario.yaml files as tests", type="bool", default=True
    )
    parser.addini(
        "ingest_spark_scope",
        "scope of the fixture spark: function (the default), class, module, package or session",
        default="function",
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Take `scenario.yaml` and `*.scenario.yaml` files as tests."""
    is_scenario = file_path.name.endswith((".scenario.yaml", ".scenario.yml"))
    if not is_scenario and file_path.name not in {"scenario.yaml", "scenario.yml"}:
        return None
    if not parent.config.getini("ingest_scenarios"):
        return None
    scenario_items = import_module("ingest.testing.scenario_items")
    found: pytest.Collector = scenario_items.ScenarioFile.from_parent(parent, path=file_path)
    return found


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Tell how rows and schemas differ, if a test has loaded any."""
    if op != "==" or "ingest.row" not in sys.modules:
        return None
    message: list[str] | None = import_module("ingest.testing.comparing").compare(left, right)
    return message


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add what its stream has done to the report of a test that failed."""
    report = yield
    if report.failed and call.when == "call":
        item.stash[_FAILED] = True
        stream = item.stash.get(_STREAM, None)
        if stream is not None:
            _add_section(report, "\n".join(stream.story()))
    return report


def _add_section(report: pytest.TestReport, text: str) -> None:
    """Add it to the failure's own text, which JUnit files have too; else to the report."""
    add = getattr(report.longrepr, "addsection", None)
    if add is None:
        report.sections.append((_SECTION, text))
    else:
        add(_SECTION, text)


@pytest.fixture
def landing(tmp_path: Path) -> Landing:
    """Give an empty landing folder."""
    files = import_module("ingest.testing.landing_files")
    made: Landing = files.Landing(tmp_path / "landing", now=_clock())
    return made


@pytest.fixture
def autoloader_options() -> dict[str, object]:
    """Give the options that every `autoloader` starts with; override it in a conftest.py."""
    return {}


@pytest.fixture
def autoloader(
    request: pytest.FixtureRequest,
    landing: Landing,
    tmp_path: Path,
    autoloader_options: dict[str, object],
) -> Iterator[Autoloader]:
    """Give a stream over `landing`, in the mode of `evolution_mode` if the test has it."""
    has_mode = "evolution_mode" in request.fixturenames
    mode = request.getfixturevalue("evolution_mode") if has_mode else None
    stream: Autoloader = import_module("ingest.testing.autoloader").Autoloader(
        landing, tmp_path / "autoloader", options=autoloader_options, mode=mode, now=_clock()
    )
    request.node.stash[_STREAM] = stream
    yield stream
    if stream.unasked_error is not None and not request.node.stash.get(_FAILED, False):
        told = "\n".join(stream.story())
        pytest.fail(
            f"the last run stopped or failed, and the test does not ask for it:\n{told}",
            pytrace=False,
        )


@pytest.fixture(params=_MODES)
def evolution_mode(request: pytest.FixtureRequest) -> str:
    """Give each of the five schema evolution modes in turn, as the option's text."""
    return str(request.param)


def _spark_scope(fixture_name: str, config: pytest.Config) -> Any:  # noqa: ANN401 - pytest's Literal
    del fixture_name
    return config.getini("ingest_spark_scope")


@pytest.fixture(scope=_spark_scope)
def spark(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """Give a session with an empty warehouse."""
    made: Session = import_module("ingest.session").Session(
        tmp_path_factory.mktemp("warehouse", numbered=True)
    )
    return made


@pytest.fixture
def ingest_expected(request: pytest.FixtureRequest) -> ExpectedFiles:
    """Give what compares a stream with a file beside the test."""
    files = import_module("ingest.testing.expected_files")
    made: ExpectedFiles = files.ExpectedFiles(
        request.path, request.node.name, is_updating=request.config.getoption(_UPDATE)
    )
    return made


def _clock() -> Any:  # noqa: ANN401 - a function that tells the time
    return import_module("ingest.session").utc_now
