"""A user's tests, run by pytest with the plugin inside of a test of ours."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

LOADED = tuple(
    import_module(f"ingest.testing.{name}")
    for name in ("autoloader", "comparing", "expected_files", "landing_files", "scenario_items")
)
"""Loaded once: pytester forgets what a run inside of a test has loaded, and it would come twice."""

FLAGS = ("-p", "ingest.pytest_plugin", "-p", "no:randomly", "-p", "no:cacheprovider", "-n", "0")


@pytest.fixture
def run_user_test(pytester: pytest.Pytester) -> Callable[..., pytest.RunResult]:
    """Give what writes a user's test module and runs it in this process."""

    def run(module: str, *arguments: str) -> pytest.RunResult:
        pytester.makepyfile(test_user=module)
        return pytester.runpytest_inprocess(*FLAGS, *arguments)

    return run
