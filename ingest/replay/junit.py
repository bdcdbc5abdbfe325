"""A replay as a JUnit report: a suite for each scenario and mode, a case for each step."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from ingest.errors import UnknownFieldException
from ingest.replay.stop_text import error_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.replay.compare import ModeResult
    from ingest.replay.replay import StepOutcome
    from ingest.replay.scenario import Scenario

_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_report(played: Sequence[tuple[Scenario, tuple[ModeResult, ...]]]) -> str:
    """Give the report as XML text.

    An expectation that did not come true is a failure; a stream that failed in a step of which
    nothing was expected is an error.
    """
    root = ET.Element("testsuites")
    for scenario, results in played:
        for result in results:
            _add_suite(root, scenario, result)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _add_suite(root: ET.Element, scenario: Scenario, result: ModeResult) -> None:
    mode = "" if result.mode is None else f" [{result.mode.value}]"
    suite = ET.SubElement(root, "testsuite", name=_text(scenario.name + mode))
    errors = [_error(step) for step in result.steps]
    suite.set("tests", str(len(result.steps)))
    suite.set("failures", str(sum(bool(step.failures) for step in result.steps)))
    suite.set("errors", str(sum(error is not None for error in errors)))
    suite.set("time", f"{sum(step.seconds for step in result.steps):.3f}")
    for step, error in zip(result.steps, errors, strict=True):
        name = f"step {step.step.number}" + (f" {step.step.name}" if step.step.name else "")
        case = ET.SubElement(suite, "testcase", name=_text(name), time=f"{step.seconds:.3f}")
        case.set("classname", _text(scenario.name + mode))
        for failure in step.failures:
            told = f"{failure.key}: expected {failure.expected}, but was {failure.actual}"
            element = ET.SubElement(case, "failure", message=_text(told))
            element.text = _text("\n".join(failure.lines))
        if error is not None:
            ET.SubElement(case, "error", message=_text(error))


def _error(step: StepOutcome) -> str | None:
    """Give the failure of a step that expected nothing; a stop is no failure."""
    error = step.outcomes[-1].error if step.outcomes else None
    if error is None or step.checked or isinstance(error, UnknownFieldException):
        return None
    return error_text(error)


def _text(text: str) -> str:
    """Leave out what XML cannot hold."""
    return _NOT_IN_XML.sub("\ufffd", text)
