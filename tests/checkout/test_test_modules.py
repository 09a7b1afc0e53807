"""What test modules may take from one another: helpers, which have to be there, and nothing of another test module.

A test that holds a helper for others cannot be split or renamed without breaking them, and only the whole suite tells.
Nothing at all tells of a script or a benchmark that calls what is gone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
from support import ROOT

EXAMPLES = {"test_race"}
"""Tests of an example, which a test runs again as whoever copies the example would."""
SOURCES = sorted((ROOT / "tests").rglob("*.py"))
MODULES = {path.stem: [other for other in SOURCES if other.stem == path.stem] for path in SOURCES}
"""The files with each module's name: two folders may have one each."""


def read_uses(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yields each module that a file imports, with each name that the file takes from it; "" for the module alone."""
    known = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            known |= {alias.asname or alias.name: alias.name for alias in node.names}
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.module, alias.name) for alias in node.names)
    for name in list_bound_names(tree):
        known.pop(name, None)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield known.get(node.value.id, ""), node.attr


def list_bound_names(tree: ast.Module) -> Iterator[str]:
    """Yields all names that parameters and assignments give to something."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id


@cache
def list_names(path: Path) -> set[str]:
    """Returns all names that a file binds at any depth."""
    tree = ast.parse(path.read_bytes())
    nodes = list(ast.walk(tree))
    made = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}
    imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    return {*list_bound_names(tree)} | made | {alias.asname or alias.name for node in imports for alias in node.names}


@cache
def has_name(module: str, name: str) -> bool:
    """True if a module of the program has this name, or a module of this name is in it."""
    there = import_module(module)
    return hasattr(there, name) or (hasattr(there, "__path__") and find_spec(f"{module}.{name}") is not None)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT / "tests").as_posix())
def test_what_a_test_module_takes_from_others_is_there_and_no_other_test(path):
    for module, name in read_uses(ast.parse(path.read_bytes())):
        is_other_test = module.startswith("test_") and module not in EXAMPLES
        assert not is_other_test, f"{path.name}: put what {module} shares in a helper"
        if not name or name.startswith("__"):
            continue
        if module in MODULES:
            assert any(name in list_names(file) for file in MODULES[module]), f"{path.name}: {module} has no {name}"
        elif module.partition(".")[0] == "referee":
            assert has_name(module, name), f"{path.name}: {module} has no {name}"
