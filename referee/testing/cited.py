"""The rules that the code of a game cites, read from the code: also where random play never comes."""

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

PLACES = {"Refusal": 0, "Due": 2}
"""Where the rule stands among the arguments that are given without a name."""


def unknown(game: AnyGame) -> Iterator[str]:
    """Every id in code that is neither a rule nor a ruling. What is put together in play is not looked at."""
    known = {*game.rulebook.rules, *game.rulebook.rulings}
    for place, code in _sources(type(game)):
        for line, id_ in _ids(ast.parse(code)):
            if id_ not in known:
                yield f"{place}:{line} cites {id_!r}, which no rule or ruling is called"


def _sources(kind: type[Any]) -> Iterator[tuple[str, str]]:
    """The files of the package in which a game is written, and the classes elsewhere that are made from it."""
    kinds = [one for one in kind.__mro__ if issubclass(one, Game) and one is not Game]
    home = import_module(kinds[-1].__module__)
    for module in modules_of(kind):
        path = Path(str(module.__file__))
        yield path.name, path.read_text("utf-8")
    for one in kinds:
        if one.__module__.partition(".")[0] != home.__name__.partition(".")[0]:
            yield one.__name__, dedent(inspect.getsource(one))


def modules_of(kind: type[Any]) -> Iterator[ModuleType]:
    """All modules of the package in which a game is written; its own module, if there is no package."""
    home = import_module([one for one in kind.__mro__ if issubclass(one, Game) and one is not Game][-1].__module__)
    package = import_module(home.__package__) if home.__package__ else home
    yield package
    for found in pkgutil.iter_modules(getattr(package, "__path__", ())):
        yield import_module(f"{package.__name__}.{found.name}")


def _ids(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Each id that is cited, with its line."""
    for node in ast.walk(tree):
        for said in _citations(node):
            yield from ((said.lineno, text) for text in _texts(said))


def _citations(node: ast.AST) -> Iterator[ast.expr]:
    """What stands where a rule is cited."""
    match node:
        case ast.Call(func=ast.Name(id=name), args=args) if len(args) > PLACES.get(name, len(args)):
            yield args[PLACES[name]]
        case ast.keyword(arg="rule", value=value):
            yield value
        case ast.Assign(targets=[ast.Name(id="rule")], value=value):
            yield value
        case ast.AnnAssign(target=ast.Name(id="rule"), value=ast.expr() as value):
            yield value


def _texts(said: ast.expr) -> Iterator[str]:
    """The texts that it can be."""
    match said:
        case ast.Constant(value=str(text)) if text:
            yield text
        case ast.IfExp(body=one, orelse=other):
            yield from (*_texts(one), *_texts(other))
