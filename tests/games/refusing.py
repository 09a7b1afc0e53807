"""The places in the code of a game that refuse something, and which of them somebody has met."""

from __future__ import annotations

import ast
import pkgutil
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NamedTuple
from unittest.mock import patch

from case_runners import run_case
from cases import cases_of

from referee.engine.adjudication import IllegalVerdict
from referee.engine.registry import find_game
from referee.engine.rulebook import Refusal, refuse_price
from referee.testing.trial import MAX_ACTIONS, Trial

MAKERS: Mapping[str, Callable[..., Refusal]] = {"Refusal": Refusal, "refuse_price": refuse_price}
"""The names by which refusals are made."""
WORDS = 8
"""So many words of what a refusal says name its place."""
GAP = "*"
"""Stands for what is worked out."""
GAMES = 5
"""Random games in which places are looked for, each under other options."""
APART = 8
"""Actions that lie between the spots of them in which everything is tried."""


class Place(NamedTuple):
    """Where a refusal is made: the file, its line and column."""

    file: str
    line: int
    column: int
    said: Refusal | None = None
    """What it says, where that is made once for all when the module is read."""

    def __str__(self) -> str:
        return f"{Path(self.file).name}:{self.line}"


class Met:
    """What was met while somebody listened."""

    def __init__(self) -> None:
        self.made: set[tuple[str, CodeType, int]] = set()
        """Instructions that have made a refusal: the file, the code, and which of its instructions."""
        self.said: set[Refusal] = set()

    def __contains__(self, place: Place) -> bool:
        return place[:3] in self._places or place.said in self.said

    @cached_property
    def _places(self) -> set[tuple[str, int | None, int | None]]:
        return {(file, *_stands(code, instruction)) for file, code, instruction in self.made}


def _stands(code: CodeType, instruction: int) -> tuple[int | None, int | None]:
    """The line and column of an instruction."""
    line, _, column, _ = list(code.co_positions())[instruction // 2]
    return line, column


def places_of(game: str) -> Mapping[str, list[Place]]:
    """Every place of a game that refuses, by its name: the rule that it cites and the first words that it says.

    Several places that say the same under one rule have one name.
    """
    named: dict[str, list[Place]] = defaultdict(list)
    for module in _modules(game):
        for name, place in places_in(Path(str(module.__file__))):
            named[name].append(place)
    return named


def places_in(file: Path) -> Iterator[tuple[str, Place]]:
    """Every place of a file that refuses, with its name."""
    for call, function in _refusals(ast.parse(file.read_text("utf-8"))):
        said = None if function else _constant(call)
        yield _name_of(call, function), Place(str(file), call.lineno, call.col_offset, said)


def _constant(call: ast.Call) -> Refusal | None:
    """What is refused in the same words each time."""
    match call.args:
        case [ast.Constant(value=str(rule)), ast.Constant(value=str(because))]:
            return Refusal(rule, because)
    return None


def _modules(game: str) -> list[ModuleType]:
    package = import_module(f"referee.games.{game}")
    return [package, *(import_module(f"{package.__name__}.{found.name}") for found in _modules_in(package))]


def _modules_in(package: ModuleType) -> Iterator[pkgutil.ModuleInfo]:
    return pkgutil.iter_modules(package.__path__)


def _refusals(tree: ast.AST, function: str = "") -> Iterator[tuple[ast.Call, str]]:
    """Each refusal that is made, and the function in which that is done."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MAKERS:
            yield node, function
        yield from _refusals(node, node.name if isinstance(node, ast.FunctionDef) else function)


def _name_of(call: ast.Call, function: str) -> str:
    rule, because = [*map(_template, call.args), GAP, GAP][:2]
    words = " ".join(because.split()[:WORDS])
    return f"{rule}: {words} in {function}" if words == GAP else f"{rule}: {words}"


def _template(said: ast.expr) -> str:
    """A text of the code with a gap for each part that is worked out."""
    match said:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(map(_template, parts))
    return GAP


@contextmanager
def noting(game: str) -> Iterator[Met]:
    """Notes inside which instructions of this game refuse, and what verdicts say: who makes them takes it down."""
    met = Met()

    def noted(make: Callable[..., Refusal]) -> Callable[..., Refusal]:
        def note(*said: Any) -> Refusal:
            frame = sys._getframe(1)
            met.made.add((frame.f_code.co_filename, frame.f_code, frame.f_lasti))
            return make(*said)

        return note

    def refused(refusals: tuple[Refusal, ...]) -> IllegalVerdict:
        met.said.update(refusals)
        return IllegalVerdict(refusals)

    with ExitStack() as changed:
        changed.enter_context(patch("referee.engine.adjudication.IllegalVerdict", refused))
        for module in _modules(game):
            for name, make in MAKERS.items():
                if hasattr(module, name):
                    changed.enter_context(patch.object(module, name, noted(make)))
        yield met


def met_by_cases(game: str) -> Met:
    """The places that cases come to."""
    with noting(game) as met:
        for case in cases_of(game):
            run_case(case)
    return met


def met_by_chance(game: str) -> Met:
    """The places that random games come to when everything is tried, as the laws do."""
    plays = Trial(find_game(game), 0, 0, MAX_ACTIONS).random_games
    with noting(game) as met:
        for play in plays[:: max(1, len(plays) // GAMES)][:GAMES]:
            for spot in play.spots[::APART]:
                met.said.update(refusal for _, _, refusals in spot.tried_actions for refusal in refusals)
    return met
