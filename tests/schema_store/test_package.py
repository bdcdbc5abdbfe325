"""What the package shows, and that its examples are right."""

import doctest
import importlib
import pkgutil

import pytest

import schema_store

MODULES = sorted(module.name for module in pkgutil.iter_modules(schema_store.__path__))


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_are_right(name: str) -> None:
    module = importlib.import_module(f"schema_store.{name}")
    assert doctest.testmod(module).failed == 0


def test_public_names_exist() -> None:
    assert [name for name in schema_store.__all__ if not hasattr(schema_store, name)] == []


def test_every_error_is_public_and_in_the_drawn_tree() -> None:
    errors = importlib.import_module("schema_store.errors")
    names = {name for name in vars(errors) if name.endswith("Error")}
    assert {name for name in names if name in str(errors.__doc__)} == names
    assert names <= set(schema_store.__all__)
