"""`scenario.yaml`, from YAML to scenarios; every error names the file, the step and the key."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import yaml

from ingest.errors import ScenarioError
from ingest.replay.expectation_text import parse_checks
from ingest.replay.scenario import (
    DEFAULT_RESTARTS,
    Append,
    Change,
    CopyOf,
    Delete,
    Land,
    LandedFile,
    Overwrite,
    Rename,
    Scenario,
    SetMode,
    SetOptions,
    SetSchema,
    StartOver,
    Step,
    Text,
    Touch,
)
from ingest.replay.written import Written
from schema_store.evolution import EvolutionMode

if TYPE_CHECKING:
    from pathlib import Path

    from yaml.nodes import MappingNode

FILE_NAME = "scenario.yaml"

_TOP = "name options mode schema conf writer load restarts steps".split()  # noqa: SIM905 - a list
_CHANGES = (
    "land overwrite append touch rename delete options mode schema start_over".split()  # noqa: SIM905
)
_STEP = [*_CHANGES, "name", "run", "restart", "restarts", "modes", "expect"]
_BARE = ("run", "restart", "start_over")
_OPTIONS = "options: {cloudFiles.format: csv}"
_ALL = "all"


def read_scenarios(file: Path) -> tuple[Scenario, ...]:
    """Read a scenario's file; several YAML documents are several scenarios.

    Raises `ScenarioError` for what cannot be understood.
    """
    try:
        text = file.read_text(encoding="utf-8")
        documents = list(yaml.load_all(text, Loader=_Loader))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ScenarioError(
            str(file),
            step=None,
            key=None,
            found=" ".join(str(error).split()),
            expected="a scenario in YAML, with a list of steps",
            remedy="Correct the file.",
        ) from error
    given = [Written(str(file), None, None, one) for one in documents if one is not None]
    if not given:
        Written(str(file), None, None, None).not_a("a scenario", example="steps: [{land: 1}]")
    return tuple(_scenario(file, written) for written in given)


class _Loader(yaml.SafeLoader):
    """YAML's plain values; a key that is there twice is an error, not a silent overwrite."""

    def construct_mapping(self, node: MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002 - as in the base class
        """Make a mapping."""
        keys = [key.value for key, _ in node.value]
        for (key, _), name in zip(node.value, keys, strict=True):
            if keys.count(name) > 1:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {name!r} is there twice", key.start_mark
                )
        return super().construct_mapping(node, deep)


def _scenario(file: Path, written: Written) -> Scenario:
    given = {one.key or "": one for one in written.members(_TOP, example="steps: [{land: 1}]")}
    if "steps" not in given:
        written.at("steps", None).not_a("a list of steps", example="steps: [{land: 1}]")
    steps = given["steps"].sequence(example="steps: [{land: 1}]")

    def mapping(key: str) -> dict[str, Any]:
        return given[key].mapping(example=_OPTIONS) if key in given else {}

    return Scenario(
        name=given["name"].text(example="name: a new column") if "name" in given else file.stem,
        file=file,
        options=mapping("options"),
        steps=tuple(
            _step(file, Written(str(file), number, None, value), number)
            for number, value in enumerate(steps, start=1)
        ),
        modes=_modes(given["mode"]) if "mode" in given else (),
        schema=given["schema"].text(example="schema: id INT") if "schema" in given else None,
        conf=mapping("conf"),
        writer=mapping("writer"),
        path=given["load"].text(example="load: '*.csv'") if "load" in given else "",
        restarts=given["restarts"].number() if "restarts" in given else DEFAULT_RESTARTS,
    )


def _step(file: Path, written: Written, number: int) -> Step:
    if written.value in _BARE:
        written = Written(written.file, number, None, {written.value: True})
    given = {one.key or "": one for one in written.members(_STEP, example="- land: 1")}
    changes = tuple(_change(file, key, one) for key, one in given.items() if key in _CHANGES)
    restarted = any(given[key].flag() for key in ("run", "restart") if key in given)
    return Step(
        number=number,
        name=given["name"].text(example="name: a new column") if "name" in given else None,
        changes=changes,
        runs=restarted or (bool(changes) and "run" not in given),
        restarts=given["restarts"].number() if "restarts" in given else None,
        checks=parse_checks(given["expect"]) if "expect" in given else {},
        modes=frozenset(_modes(given["modes"])) if "modes" in given else None,
    )


def _modes(written: Written) -> tuple[EvolutionMode, ...]:
    known = {mode.value.lower(): mode for mode in EvolutionMode}
    names = written.texts(example="mode: rescue")
    if [name.lower() for name in names] == [_ALL]:
        return tuple(EvolutionMode)
    for name in names:
        if name.lower() not in known:
            written.wrong(
                f"no such mode: {name}",
                expected=f"one of {', '.join(mode.value for mode in EvolutionMode)}, or {_ALL}",
                remedy="Correct the mode.",
            )
    return tuple(known[name.lower()] for name in names)


def _change(file: Path, key: str, written: Written) -> Change:
    match key:
        case "land":
            return Land(_files(file, written))
        case "overwrite":
            return Overwrite(_files(file, written))
        case "append":
            return Append(_files(file, written))
        case "touch":
            return _touch(written)
        case "rename":
            return _rename(written)
        case "delete":
            return Delete(written.texts(example="delete: a.csv"))
        case "options":
            return SetOptions(written.mapping(example=_OPTIONS))
        case "mode":
            return SetMode(_modes(written)[0])
        case "schema":
            none = written.value is None
            return SetSchema(None if none else written.text(example="schema: id INT"))
        case _:
            written.flag()
            return StartOver()


def _files(file: Path, written: Written) -> tuple[LandedFile, ...]:
    """Take folders and files beside the scenario, or names with their text."""
    if isinstance(written.value, dict):
        return tuple(
            _named_file(file, written.at(name, value), name)
            for name, value in written.mapping(example="land: {a.csv: 'id\\n1\\n'}").items()
        )
    places = written.texts(example="land: 1")
    return tuple(landed for place in places for landed in _placed(file, written, place))


def _named_file(file: Path, written: Written, name: str) -> LandedFile:
    if not isinstance(written.value, dict):
        return LandedFile(name, Text(written.text(example="a.csv: 'id\\n1\\n'")))
    example = "a.csv: {file: 1/a.csv}"
    for inner in written.members(["file"], example=example):
        ((_, content),) = _contents(file, inner, inner.text(example=example))
        return LandedFile(name, content)
    return written.not_a("the place of a file", example=example)


def _placed(file: Path, written: Written, place: str) -> list[LandedFile]:
    return [LandedFile(name, content) for name, content in _contents(file, written, place)]


def _contents(file: Path, written: Written, place: str) -> list[tuple[str, CopyOf]]:
    """Give a file by its last name, or the files below a folder by their names there."""
    path = file.parent / place
    if path.is_file():
        return [(path.name, CopyOf(path))]
    if not path.is_dir():
        written.wrong(
            f"no such file or folder: {path}",
            expected="a file or folder beside the scenario",
            remedy="Correct it, or write the text: land: {a.csv: 'id\\n1\\n'}.",
        )
    files = sorted(one for one in path.rglob("*") if one.is_file())
    return [(str(one.relative_to(path)), CopyOf(one)) for one in files]


def _touch(written: Written) -> Touch:
    if not isinstance(written.value, dict):
        return Touch(written.text(example="touch: a.csv"), None)
    ((name, at), *others) = written.mapping(example="touch: a.csv").items()
    if others:
        written.not_a("one file and its time", example="touch: {a.csv: 2026-01-01T12:00:00Z}")
    if not isinstance(at, dt.datetime):
        written.at(name, at).not_a("a time", example="touch: {a.csv: 2026-01-01T12:00:00Z}")
    return Touch(name, at if at.tzinfo else at.replace(tzinfo=dt.UTC))


def _rename(written: Written) -> Rename:
    names = written.mapping(example="rename: {a.csv: b.csv}")
    if len(names) != 1:
        written.not_a("one name and the new one", example="rename: {a.csv: b.csv}")
    ((old, new),) = names.items()
    return Rename(old, written.at(old, new).text(example="rename: {a.csv: b.csv}"))
