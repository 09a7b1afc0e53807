"""Finds words that readers stumble over: in names, docstrings, comments and strings of Python files, and in Markdown.

    python tests/words.py                  all findings in referee/, examples/, README.md and CHANGELOG.md
    python tests/words.py PATH...          those in these files and folders, of any checkout

Each check yields findings, printed as `path:line: message`. The exit code is 1 if there are any.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import old_names
import prose
from prose import Finding
from same_words import same_sentences

ROOT = Path(__file__).parents[1]
TREE = ("referee", "examples", "README.md", "CHANGELOG.md")
"""The files that are checked, below the root of a checkout."""


Check = Callable[[Path, str], Iterator[Finding]]
"""Yields the findings in one file, from its path and its text."""


# Riddles


RIDDLES = frozenset(prose.words("what whatever who whoever whom whose that those such whether which why how"))
"""Words that may not begin a docstring: each stands for a noun that is never named."""
CLAUSES = ("where", "when", "wherever", "whenever")
"""Words that may begin a docstring only as a clause of its own: `When the log grows, ...`."""


def riddles(path: Path, text: str) -> Iterator[Finding]:
    """Finds docstrings that begin with a riddle word."""
    for line, doc in docs_of(path, text):
        if word := riddle_of(doc):
            yield Finding(path, line, f'docstring begins with "{word}": name the thing, or begin with a verb')


def riddle_of(doc: str) -> str:
    """Returns the riddle word with which a docstring begins; "" if there is none."""
    first = next(prose.sentences(doc), prose.Text(0, "")).text
    begin = [word.lower() for word in prose.words(first)[:2]] + ["", ""]
    if begin[0] in RIDDLES or (begin[0] in CLAUSES and "," not in first):
        return begin[0]
    return " ".join(begin[:2]) if begin[:2] in (["so", "many"], ["so", "much"], ["so", "far"]) else ""


# He, him, his


HE = re.compile(r"(?<![\w-])(he|his|him|himself|he's|he'd|he'll)(?![\w-])", re.IGNORECASE)
STORY = {
    "manual/mutants.md": ("a professor and his daughter",),
}
"""Rule texts about a person of the game's story, by the end of the file's path: a few words around the pronoun."""


def pronouns(path: Path, text: str) -> Iterator[Finding]:
    """Finds he, him and his in docstrings, comments, strings and Markdown."""
    if not HE.search(text):
        return
    stories = [story for end, told in STORY.items() if path.as_posix().endswith(end) for story in told]
    for line, passage in passages(path, text):
        for found in HE.finditer(without(stories, passage)):
            at = line + passage[: found.start()].count("\n")
            yield Finding(path, at, f'"{found[0]}": people are "they" or "you": {words_around(passage, found)}')


def without(stories: Iterable[str], text: str) -> str:
    """Returns a text of the same length in which these words are blank, wherever their lines break."""
    for story in stories:
        spread = r"\s+".join(map(re.escape, story.split()))
        text = re.sub(spread, lambda found: " " * len(found[0]), text)
    return text


def words_around(text: str, found: re.Match[str]) -> str:
    """Returns the words around a match, on one line."""
    return " ".join(text[max(0, found.start() - 30) : found.end() + 30].split())


def passages(path: Path, text: str) -> Iterator[prose.Text]:
    """Yields all that people read in a file: all of Markdown; docstrings, comments and strings of Python."""
    if path.suffix == ".md":
        yield prose.Text(1, text)
    else:
        yield from docs_of(path, text)
        yield from prose.comments(text)
        yield from prose.literals(prose.parsed(text))


def docs_of(path: Path, text: str) -> Iterator[prose.Text]:
    """Yields the docstrings of a Python file; nothing for Markdown."""
    return prose.docstrings(prose.parsed(text)) if path.suffix == ".py" else iter(())


# Long sentences


LONGEST_FOR_ENGINEERS = 25
LONGEST_FOR_PLAYERS = 20
ENGINEERS = ("format.md", "writing.md", "python.md", "archive.md")
"""Chapters of the manual for people who write programs."""


def long_sentences(path: Path, text: str) -> Iterator[Finding]:
    """Finds sentences that are too long, in docstrings and in Markdown."""
    players = path.suffix == ".md" and path.name not in ENGINEERS
    longest = LONGEST_FOR_PLAYERS if players else LONGEST_FOR_ENGINEERS
    texts = prose.paragraphs(text) if path.suffix == ".md" else docs_of(path, text)
    for line, passage in texts:
        for offset, sentence in prose.sentences(passage):
            if (length := len(prose.words(sentence))) > longest:
                yield Finding(path, line + offset, f"{length} words (at most {longest}): {sentence[:70]}...")


# Names


REGULAR = re.compile(r"[a-z]{2,}ed")
NOT_PARTICIPLES = frozenset(
    prose.words("deed misdeed need feed seed speed bleed breed exceed proceed succeed embed shed indeed hundred")
)
IRREGULAR = frozenset(
    prose.words(
        """beaten begun bent bitten borne bought bound broken brought built caught chosen dealt done drawn driven eaten
    fallen felt found forgotten frozen given gone grown heard held hidden kept known laid learnt led left lent lit lost
    made meant met paid proven ridden risen said seen sent shown sold spelt spent spoken stolen stood stuck sunk swept
    taken taught thought thrown told torn understood woken won worn wound written"""
    )
)
PREFIX = re.compile(r"(?:un|re|mis|over|out|fore|with)(?=\w{3})")
LITTLE = frozenset(
    prose.words(
        """of by for in out on at after before from to into with as off up down over away aside apart together alone
    once again first last late so far like here there back through under then now"""
    )
)
"""Words that add no object: `come_of`, `set_aside` and `recorded_so_far` are as bare as `recorded`."""
COME = re.compile(r"(?:come|set|put|read|cut|shut|hit|split|spread)_(?:of|by|aside|apart|from|out|after)")
"""Participles that look like their verb, where a little word gives them away."""
GOOD_NAMES = frozenset({"registered"})
"""Participles that are the standard term for what such a function does, or that other people's games define."""


def participles(path: Path, text: str) -> Iterator[Finding]:
    """Finds public functions whose name is a participle alone. Properties and predicates may have one."""
    if path.suffix == ".py":
        for node in public_functions(prose.parsed(text)):
            if is_participle(node.name) and not is_value(node):
                yield Finding(path, node.lineno, f"`{node.name}` is a participle: use a verb and its object")


def public_functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yields the functions of a module and the methods of its classes whose names are public."""
    bodies = [tree.body, *(node.body for node in prose.statements(tree) if isinstance(node, ast.ClassDef))]
    for node in (statement for body in bodies for statement in body):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            yield node


def is_participle(name: str) -> bool:
    """True for a participle alone, or one that only little words follow."""
    first, *others = name.split("_")
    if name in GOOD_NAMES or not LITTLE.issuperset(others):
        return False
    root = PREFIX.sub("", first, count=1)
    regular = REGULAR.fullmatch(first) and first not in NOT_PARTICIPLES and root not in NOT_PARTICIPLES
    return bool(regular or first in IRREGULAR or root in IRREGULAR or COME.fullmatch(name))


def is_value(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """True for properties and for predicates, which return a bool."""
    decorators = {ast.unparse(one).split(".")[-1] for one in node.decorator_list}
    predicate = node.returns is not None and ast.unparse(node.returns) in ("bool", "'bool'")
    return predicate or not decorators.isdisjoint({"property", "cached_property", "setter", "overload"})


# Old names


def replaced_names(path: Path, text: str) -> Iterator[Finding]:
    """Finds modules and classes with names that have been replaced, where they are defined and imported."""
    if path.suffix != ".py":
        return
    room = room_of(path)
    if (new := old_names.MODULES.get(room, {}).get(path.stem)) and not is_alias(text):
        yield Finding(path, 1, f"module `{path.stem}` is now `{new}`")
    for node in prose.statements(prose.parsed(text)):
        messages = old_imports(node) if isinstance(node, ast.Import | ast.ImportFrom) else old_types(node, room)
        yield from (Finding(path, getattr(node, "lineno", 1), message) for message in messages)


def old_types(node: ast.AST, room: str) -> Iterator[str]:
    """Yields a message if a statement defines a class or a type by its old name. `Old = New` is an alias."""
    match node:
        case ast.ClassDef(name=name):
            pass
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if not isinstance(value, ast.Name | ast.Attribute):
            pass
        case _:
            return
    if new := old_names.CLASSES.get(room, {}).get(name):
        yield f"class `{name}` is now `{new}`"


def is_alias(text: str) -> bool:
    """True for a module that only warns those who still import it by its old name."""
    return "DeprecationWarning" in text and not any(isinstance(node, ast.ClassDef) for node in prose.parsed(text).body)


def old_imports(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """Yields a message for each old name that an import names."""
    source = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
    for name in sorted({source, *(f"{source}.{alias.name}".lstrip(".") for alias in node.names)}):
        package, *rooms, last = name.split(".") if "." in name else ("", "")
        if package != "referee":
            continue
        within = "/".join(rooms)
        words_around = within.rpartition("/")[0] or within
        if new := old_names.MODULES.get(within, {}).get(last):
            yield f"module `{last}` is now `{new}`"
        for room in {within, words_around}:
            if new := old_names.CLASSES.get(room, {}).get(last):
                yield f"class `{last}` is now `{new}`"


def room_of(path: Path) -> str:
    """Returns the folder of a file below `referee`, as `record/table`; "" for other files."""
    folders = path.resolve().parent.parts
    return "/".join(folders[len(folders) - folders[::-1].index("referee") :]) if "referee" in folders else ""


# Twins


APART = ("games", "cli/commands")
"""Rooms whose files may share a name with others: games have the same files, and a command's file has its name."""


def twins(paths: Iterable[Path]) -> Iterator[Finding]:
    """Finds modules with the same name."""
    by_name: dict[str, list[Path]] = defaultdict(list)
    for path in paths:
        room = room_of(path)
        if path.suffix == ".py" and room and not path.stem.startswith("__") and not room.startswith(APART):
            by_name[path.stem].append(path)
    for same in by_name.values():
        if len(same) > 1:
            first, *others = sorted(same, key=lambda path: (room_of(path).startswith("cli"), path))
            yield from (Finding(path, 1, f"module has the name of {first}") for path in others)


# All of it


CHECKS: tuple[Check, ...] = (riddles, pronouns, long_sentences, participles, replaced_names)
"""Those that look at one file at a time."""
ACROSS: tuple[Callable[[Iterable[Path]], Iterator[Finding]], ...] = (twins, same_sentences)
"""Those that compare files."""


def in_file(path: Path) -> list[Finding]:
    """Returns the findings in one file, by their lines."""
    text = path.read_text("utf-8")
    return sorted(finding for check in CHECKS for finding in check(path, text))


def findings(paths: Iterable[Path]) -> Iterator[Finding]:
    """Yields all findings in these files."""
    files = [*paths]
    for path in files:
        yield from in_file(path)
    for check in ACROSS:
        yield from check(files)


def files_in(path: Path) -> list[Path]:
    """Returns the files that are checked in a folder; or the file itself."""
    files = path.rglob("*") if path.is_dir() else [path]
    return sorted(file for file in files if file.suffix in (".py", ".md") and ".venv" not in file.parts)


def main() -> int:
    """Prints the findings in the paths that were given."""
    given = [Path(word) for word in sys.argv[1:]] or [ROOT / name for name in TREE]
    found = [*findings([file for path in given for file in files_in(path)])]
    print(*found, f"{len(found)} finding{'s' if len(found) != 1 else ''}", sep="\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
