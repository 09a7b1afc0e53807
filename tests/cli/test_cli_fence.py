"""What a speaker may not know is out of reach for commands: they have a `Sitting`, and nothing leads past it."""

from __future__ import annotations

import ast

import pytest
from support import PACKAGE

PAST_IT = {"moment", "_moment", "truth", "views", "reducer", "opener", "verdict", "state"}
"""What leads from a session, a line or something said to more than certain eyes see."""
FILES = sorted((PACKAGE / "cli").rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE / "cli")))
def test_no_command_reaches_past_the_eyes_of_its_speaker(path):
    tree = ast.parse(path.read_text("utf-8"))
    reached = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert reached & PAST_IT == set()
