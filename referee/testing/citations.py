"""The rules that the code of a game cites. They are read from the code, also where random games never lead."""

from __future__ import annotations

import ast
import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import Any

from referee.engine.game import AnyGame, Game

RULE_ARGUMENTS = {"Refusal": 0, "refuse_price": 0, "Obligation": 2}
"""The position of the rule among the positional arguments of each call."""


def find_unknown_rule_ids(game: AnyGame) -> Iterator[str]:
    """Yields a breach for every cited id that is neither a rule nor a ruling.

    Ids that are put together at run time are not checked here.
    """
    known = {*game.rulebook.rules, *game.rulebook.rulings}
    for place, code in _list_sources(type(game)):
        for line, id_ in _find_ids(ast.parse(code)):
            if id_ not in known:
                yield f"{place}:{line} cites {id_!r}, which no rule or ruling is called"


def _list_sources(kind: type[Any]) -> Iterator[tuple[str, str]]:
    """Yields the name and source of each module of a game, and of each class elsewhere from which it is derived."""
    kinds = [one for one in kind.__mro__ if issubclass(one, Game) and one is not Game]
    home = import_module(kinds[-1].__module__)
    for module in list_game_modules(kind):
        yield Path(str(module.__file__)).name, _read_source(module)
    for one in kinds:
        if one.__module__.partition(".")[0] != home.__name__.partition(".")[0]:
            yield one.__name__, dedent(inspect.getsource(one))


def _read_source(module: ModuleType) -> str:
    """Returns the source from which a module was loaded. For a mutant, it is not the text of the file."""
    loader: Any = module.__loader__
    return str(loader.get_source(module.__name__) or "")


def list_game_modules(kind: type[Any]) -> Iterator[ModuleType]:
    """Yields all modules of a game's package, or its own module if there is no package."""
    home = import_module([one for one in kind.__mro__ if issubclass(one, Game) and one is not Game][-1].__module__)
    package = import_module(home.__package__) if home.__package__ else home
    yield package
    for found in pkgutil.iter_modules(getattr(package, "__path__", ())):
        yield import_module(f"{package.__name__}.{found.name}")


def _find_ids(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yields each cited id with its line."""
    for node in ast.walk(tree):
        for expression in _find_citations(node):
            yield from ((expression.lineno, text) for text in _list_texts(expression))


def _find_citations(node: ast.AST) -> Iterator[ast.expr]:
    """Yields the expressions that cite a rule."""
    match node:
        case ast.Call(func=ast.Name(id=name), args=args) if len(args) > RULE_ARGUMENTS.get(name, len(args)):
            yield args[RULE_ARGUMENTS[name]]
        case ast.keyword(arg="rule", value=value):
            yield value
        case ast.Assign(targets=[ast.Name(id="rule")], value=value):
            yield value
        case ast.AnnAssign(target=ast.Name(id="rule"), value=ast.expr() as value):
            yield value


def _list_texts(expression: ast.expr) -> Iterator[str]:
    """Yields the texts that an expression can have as its value, as far as they stand in the code itself."""
    match expression:
        case ast.Constant(value=str(text)) if text:
            yield text
        case ast.IfExp(body=one, orelse=other):
            yield from (*_list_texts(one), *_list_texts(other))
        case ast.Subscript(value=ast.Dict(values=values)):
            for value in values:
                yield from _list_texts(value)
