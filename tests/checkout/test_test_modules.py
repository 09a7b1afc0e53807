"""What test modules may import from one another: helpers, which have to be there, and no other test module.

A test that holds a helper for others cannot be split or renamed without breaking them, and only the whole suite tells.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from support import ROOT

EXAMPLES = {"test_race"}
"""Tests of an example, which a test runs again as whoever copies the example would."""
SOURCES = sorted((ROOT / "tests").rglob("*.py"))
MODULES = {path.stem: [other for other in SOURCES if other.stem == path.stem] for path in SOURCES}
"""The files with each module's name: two folders may have one each."""


def read_imports(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Yields each module that a file imports, with the names that it takes from it."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from ((alias.name, []) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module, [alias.name for alias in node.names]


@cache
def list_names(path: Path) -> set[str]:
    """Returns all names that a file binds at any depth."""
    nodes = list(ast.walk(ast.parse(path.read_bytes())))
    bound = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    made = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}
    taken = {alias.asname or alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
    return bound | made | taken


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT / "tests").as_posix())
def test_a_test_module_imports_only_what_is_there_and_no_other_test(path):
    for module, names in read_imports(path):
        assert not module.startswith("test_") or module in EXAMPLES, (
            f"{path.name}: put what {module} shares in a helper"
        )
        if module in MODULES:
            missing = set(names).difference(*map(list_names, MODULES[module]))
            assert not missing, f"{path.name}: {module} has no {', '.join(sorted(missing))}"
