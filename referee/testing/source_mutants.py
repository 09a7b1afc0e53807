"""Mutants of a source file: the same file with one small thing changed in a function or a declaration."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

OPPOSITE_OPERATORS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.BitXor: ast.BitAnd,
    ast.Break: ast.Continue,
    ast.Continue: ast.Break,
}
"""Each operator, with the one that replaces it."""
OPPOSITE_FUNCTIONS = {
    "min": "max",
    "max": "min",
    "any": "all",
    "all": "any",
    "partition": "rpartition",
    "rpartition": "partition",
}
"""Each function, with the one that replaces it."""
MAX_SHOWN_CHARACTERS = 90
"""The most characters of a change that a table shows."""
WORDS_WITHOUT_EFFECT = ("TypeVar", "TYPE_CHECKING", "__slots__")
"""Words of statements that are for the type checker or for speed."""


class Mutant(NamedTuple):
    """A source file with one change."""

    name: str
    """The function or class, the old code and the new code. It has no line number, since lines move."""
    line: int
    """The line in the original file."""
    source: str
    """The whole changed file."""
    function: str
    """The outermost changed function, with its class; "" for a declaration, which runs on import."""


class _Site(NamedTuple):
    """A place in the syntax tree that can be changed."""

    parent: ast.AST
    field: str
    at: int | None
    place: str
    """The path to the place, with dots."""
    function: str

    @property
    def node(self) -> Any:
        value = getattr(self.parent, self.field)
        return value if self.at is None else value[self.at]

    @property
    def code_text(self) -> str:
        """The code at this place, as a table shows it: an operator with its operands, a value with its keyword."""
        small = isinstance(self.node, ast.operator | ast.cmpop | ast.boolop) or isinstance(self.parent, ast.keyword)
        text = " ".join(ast.unparse(ast.fix_missing_locations(self.parent if small else self.node)).split())
        return text if len(text) <= MAX_SHOWN_CHARACTERS else f"{text[: MAX_SHOWN_CHARACTERS - 20]}...{text[-17:]}"

    def put(self, node: Any) -> None:
        if self.at is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.at] = node


def make_mutants(source: str) -> Iterator[Mutant]:
    """Yields every mutant of a file, in the order of its lines."""
    tree = ast.parse(source)
    unchanged, line, named = ast.unparse(tree), 0, Counter[str]()
    for site in _find_sites(tree, "", ""):
        old = site.node
        line = getattr(old, "lineno", line)
        for new in _make_replacements(old, site):
            before = site.code_text
            site.put(new)
            changed, after = ast.unparse(tree), site.code_text
            site.put(old)
            name = f"{site.place or 'module'}: {before} -> {after}"
            named[name] += 1
            if changed != unchanged:
                again = f" ({named[name]})" if named[name] > 1 else ""
                yield Mutant(f"{name}{again}", line, changed, site.function)


def _find_sites(node: ast.AST, place: str, function: str) -> Iterator[_Site]:
    for field, value in ast.iter_fields(node):
        if _is_passed_over(node, field, in_class=bool(place) and not function):
            continue
        children = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
        for index, child in children:
            if not isinstance(child, ast.AST) or _is_without_effect(child):
                continue
            yield _Site(node, field, index, place, function)
            inner = f"{place}.{child.name}".lstrip(".") if isinstance(child, ast.FunctionDef | ast.ClassDef) else place
            outermost = isinstance(child, ast.FunctionDef) and not function
            inside = inner if outermost else "" if isinstance(child, ast.arguments) and function == place else function
            yield from _find_sites(child, inner, inside)


KEYWORDS_FOR_SPEED = ("frozen", "gc")
"""Keywords of a class that change no result: nobody sets a field, and the garbage collector skips it."""


def _is_passed_over(node: ast.AST, field: str, *, in_class: bool) -> bool:
    """True for parts of the code that are never changed.

    These are types, decorators, texts that are only for people, and arguments that only make the code faster.
    """
    match node:
        case ast.FunctionDef():
            return field in ("returns", "decorator_list")
        case ast.arg():
            return True
        case ast.AnnAssign():
            return field == "annotation" and not in_class  # elsewhere only the type checker reads it
        case ast.keyword():
            return node.arg in KEYWORDS_FOR_SPEED
        case ast.JoinedStr() | ast.FormattedValue():
            return field != "value"
    return False


def _is_without_effect(node: ast.AST) -> bool:
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.If | ast.Assign):
        head = node.test if isinstance(node, ast.If) else node
        return any(word in ast.unparse(head) for word in WORDS_WITHOUT_EFFECT)
    return False


def _make_replacements(node: ast.AST, site: _Site) -> Iterator[ast.AST]:
    if type(node) in OPPOSITE_OPERATORS:
        yield OPPOSITE_OPERATORS[type(node)]()
    match node:
        case ast.Constant():
            yield from _change_constant(node.value)
        case ast.Name(id) if id in OPPOSITE_FUNCTIONS:
            yield ast.Name(OPPOSITE_FUNCTIONS[id], ast.Load())
        case ast.Attribute(value, attr) if attr in OPPOSITE_FUNCTIONS:
            yield ast.Attribute(value, OPPOSITE_FUNCTIONS[attr], ast.Load())
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield operand
        case ast.Expr() | ast.Raise() | ast.Delete():
            yield ast.Pass()
        case ast.Return(value) if value is not None and not _is_none(value):
            yield ast.Return(ast.Constant(None))
        case ast.Assign(targets, value) if site.function and not _is_none(value):
            if not isinstance(targets[0], ast.Tuple):
                yield ast.Assign(targets, ast.Constant(None), lineno=node.lineno)
    if site.field in ("test", "ifs") and isinstance(node, ast.expr) and not _is_negated(node):
        yield ast.UnaryOp(ast.Not(), node)


def _is_negated(node: ast.AST) -> bool:
    """True if another change already negates this condition."""
    if isinstance(node, ast.Compare):
        return isinstance(node.ops[0], ast.Eq | ast.NotEq | ast.In | ast.NotIn | ast.Is | ast.IsNot)
    return isinstance(node, ast.UnaryOp)


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _change_constant(value: object) -> Iterator[ast.AST]:
    match value:
        case bool():
            yield ast.Constant(not value)
        case int():
            yield ast.Constant(value + 1)
        case str():
            yield ast.Constant(f"{value}x")
        case bytes():
            yield ast.Constant(value + b"x")
