"""What a game may import: the names of `referee.engine`, and that games keep to them."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from subprocess import run

import pytest
from support import ROOT

import referee.engine

GAMES = sorted(path.parent for path in ROOT.glob("referee/games/*/__init__.py"))
EXAMPLES = sorted(path.parent for path in ROOT.glob("examples/*/*/rules.toml"))
"""Games among the examples."""


def test_exported_names_are_exactly_these():
    assert referee.engine.__all__ == [
        "DIGITS",
        "NOTHING",
        "ONLY_READ",
        "Action",
        "Between",
        "Board",
        "BoardError",
        "Choice",
        "ChoiceSource",
        "Choices",
        "Colour",
        "Component",
        "Deck",
        "DerivedData",
        "Dice",
        "Document",
        "DrawResult",
        "Event",
        "Game",
        "Glyph",
        "Hatching",
        "Invariant",
        "Layout",
        "LegalActions",
        "LegendItem",
        "MatchRules",
        "MessageEvent",
        "Need",
        "NoPlaceError",
        "NotUnderstoodError",
        "Obligation",
        "OneOf",
        "Option",
        "OptionError",
        "Options",
        "Order",
        "Ordered",
        "Outcome",
        "Overlay",
        "ParsedPhrase",
        "PhraseReader",
        "Piece",
        "Polygon",
        "Price",
        "Refusal",
        "Report",
        "Rule",
        "RuleBook",
        "RulesVersion",
        "Ruling",
        "Scene",
        "ScenePage",
        "Script",
        "Seat",
        "SeatRemoval",
        "Secret",
        "SecretEvent",
        "Shape",
        "Slot",
        "Subset",
        "SumConstraint",
        "Target",
        "Task",
        "UnknownError",
        "Upcast",
        "Verb",
        "Verbs",
        "Word",
        "begin_sentence",
        "cache_latest",
        "cached",
        "count_of",
        "describe_nondefault_fields",
        "did_you_mean",
        "expand_choices",
        "expand_run",
        "format_runs",
        "format_value",
        "hide_secrets_from",
        "listing",
        "match_word",
        "rank_seats",
        "refuse_price",
        "settle_tasks",
        "spell_number",
    ]


def test_each_name_is_there_and_listed():
    for name in referee.engine.__all__:
        assert getattr(referee.engine, name) is getattr(home_of(name), name)
        assert name in dir(referee.engine)


def test_each_name_stands_in_a_group():
    told = inspect.getdoc(referee.engine).replace(",", " ").split()
    assert [name for name in referee.engine.__all__ if name not in told] == []


def test_other_names_are_not():
    with pytest.raises(AttributeError):
        referee.engine.nonsense  # noqa: B018


def test_looking_at_the_front_loads_nothing():
    code = "import sys, referee.engine; print(*(name for name in sys.modules if name.startswith('referee.engine.')))"
    assert run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split() == []


@pytest.mark.parametrize("package", [*GAMES, *EXAMPLES], ids=lambda path: path.name)
def test_a_game_imports_itself_and_names_of_the_front_from_where_they_live(package):
    homes = {name: home_of(name).__name__ for name in referee.engine.__all__}
    strange = [
        f"{path.name}: {module}.{name}"
        for path in sorted(package.glob("**/*.py"))
        for module, name in imports_of(path)
        if not is_within(module, f"referee.games.{package.name}") and module not in ("referee.engine", homes.get(name))
    ]
    assert not strange, "is not among what a game may import (referee/engine/__init__.py)"


def home_of(name: str):
    (home,) = [module for module, names in referee.engine._NAMES.items() if name in names]
    return import_module(f"referee.engine.{home}")


def imports_of(path: Path) -> Iterator[tuple[str, str]]:
    """Everything of the referee that a file imports: the module, and which name of it."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.ImportFrom(module=str(module), names=names) if is_within(module, "referee"):
                yield from ((module, alias.name) for alias in names)
            case ast.Import(names=names):
                yield from ((alias.name, "") for alias in names if is_within(alias.name, "referee"))


def is_within(module: str, package: str) -> bool:
    return f"{module}.".startswith(f"{package}.")
