"""Measure the house: how far commands travel, how often a log is read, how code hangs together and how much there is.

    python tests/bench/house.py                  print the table
    python tests/bench/house.py --write          and write it into README.md beside this file
    python tests/bench/house.py --of TREE        the figures of another checkout

Lines of code are those that hold more than a comment, a docstring or an import. The figures of the column `before` stay
as they are when the table is written.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import subprocess
import sys
import tokenize
from collections.abc import Collection, Iterator, Mapping
from io import StringIO
from pathlib import Path
from shutil import copytree
from statistics import mean
from tempfile import TemporaryDirectory

import tables

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
HEAD = ("the house", "before", "now", "goal")
SEED = "00" * 32
GOALS = {
    "journey of `do`, Manoover after 3 entries": "120",
    "journey of `do`, hidden Mutants after 3 entries": "250",
    "`open` of a mail: how often the log is opened to be read": "1",
    "`open` of a mail: how often a floor calls a higher one": "5",
    "files of its game that an event is named in, on average": "1",
    "circles of imports inside a room": "0",
    "public members of Session": "20",
    "public members of SeatView": "20",
    "public members of PlayerView": "20",
    "files that name one deed of the record (amend, finish, resign, reveal, undo)": "2",
    "files that ask which dice mode it is": "0",
    "games, code lines": "12,900",
    "examples/race, code lines": "140",
}
DEEDS = {
    "amend": ("amend", "AmendEntry", "AmendOffer"),
    "finish": ("settled", "AgreedEndEntry", "AgreedEndOffer"),
    "resign": ("resign", "ResignEntry", "ResignOffer"),
    "reveal": ("reveal", "RevealEntry", "RevealOffer"),
    "undo": ("takeback", "TakebackEntry", "TakebackOffer"),
}
"""Deeds of the record by their command: the file, the class of the entry and the class of the offer."""
SMALL = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
"""Types of tokens that do not make a line a line of code."""
IMPORTS = (ast.Import, ast.ImportFrom)
MODES = re.compile(r"^DiceMode = (\w+(?: \| \w+)*)$", re.MULTILINE)
"""The file that defines all dice modes."""

Figure = tuple[str, str]
"""The name of a measure and its value."""


def measure_house(tree: Path = ROOT) -> Iterator[Figure]:
    """Yields all figures of a checkout."""
    with TemporaryDirectory() as folder:
        yield from measure_journeys(tree, Path(folder))
    yield from measure_coupling(tree)
    yield from measure_code(tree)


# How far commands travel


def measure_journeys(tree: Path, folder: Path) -> Iterator[Figure]:
    """Yields how far commands travel, and how often they read the log. `journey.py` defines both."""
    open_dice = ["--seed", SEED, "-o", "game.jsonl"]
    robots = run_commands_in(tree, folder / "robots", ["new", "manoover", *open_dice], ["do", "throwoff, throw"])
    hidden = ["new", "mutants", "--option", "hidden-movement=yes", *open_dice]
    walls = run_commands_in(tree, folder / "walls", hidden, ["do", "wall A1-B1"])
    mailed = exchange_first_mail(tree, folder / "mailed")
    yield "journey of `do`, Manoover after 3 entries", watch_command(tree, robots, "passages", "do", "6 go")
    yield "journey of `do`, hidden Mutants after 3 entries", watch_command(tree, walls, "passages", "do", "wall A1-A2")
    opened = watch_command(tree, mailed, "reads", "game.jsonl", "open", "mail")
    yield "`open` of a mail: how often the log is opened to be read", opened
    yield (
        "`open` of a mail: how often a floor calls a higher one",
        watch_command(tree, mailed, "climbs", "open", "mail"),
    )


def run_commands_in(tree: Path, folder: Path, *commands: list[str]) -> Path:
    """Makes a folder in which these commands were run, and returns it."""
    folder.mkdir(parents=True)
    for words in commands:
        python(tree, folder, "-m", "referee", *words)
    return folder


def exchange_first_mail(tree: Path, folder: Path) -> Path:
    """Makes a game by mail and the reply of the other player, who has joined. Returns the folder with both."""
    first, other = folder / "first", folder / "other"
    run_commands_in(tree, first, ["new", "manoover", "--mail", "red", "--seats", "Anna,Bo", "-o", "game.jsonl"])
    other.mkdir()
    (other / "mail").write_text(python(tree, first, "-m", "referee", "pack"), "utf-8")
    for words in (["open", "mail", "-o", "game.jsonl"], ["join", "blue"]):
        python(tree, other, "-m", "referee", *words)
    (first / "mail").write_text(python(tree, other, "-m", "referee", "pack"), "utf-8")
    return first


def watch_command(tree: Path, folder: Path, *words: str) -> str:
    """Returns the figures of `journey.py` for one command in this folder."""
    copies = folder.with_name(f"{folder.name} for {words[0]}")
    for name in ("warm", "watched"):
        copytree(folder, copies / name)
    return python(tree, copies, str(HERE / "journey.py"), *words, home=folder).strip()


def python(tree: Path, folder: Path, *words: str, home: Path | None = None) -> str:
    """Runs Python with the code of this checkout and the player's key in the folder. Returns its output."""
    around = {**os.environ, "PYTHONPATH": str(tree), "XDG_CONFIG_HOME": str((home or folder) / "home")}
    command = [sys.executable, *words]
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder, env=around).stdout


# How the code hangs together


def measure_coupling(tree: Path) -> Iterator[Figure]:
    """Yields the circles of imports, the sizes of big classes, and the files that one deed or event touches."""
    games = packages_in(tree / "referee" / "games")
    rooms = [*packages_in(tree / "referee"), *games]
    found = {room.name: circles(tree, room) for room in rooms if room.name != "games"}
    where = ", ".join(f"{room} {count}" for room, count in found.items() if count)
    yield "circles of imports inside a room", f"{sum(found.values())}{f' ({where})' if where else ''}"
    for file, name in (("session", "Session"), ("seat_view", "SeatView"), ("player_view", "PlayerView")):
        path = tree / "referee" / "record" / "table" / f"{file}.py"
        yield f"public members of {name}", str(len(members(path, name)))
    named = [count for game in games for count in files_of_events(game)]
    yield "files of its game that an event is named in, on average", f"{mean(named):.1f}"
    yield "files that ask which dice mode it is", str(len(list(files_that_ask(tree / "referee"))))
    counts = ", ".join(str(len(files_of_deed(tree, *names))) for names in DEEDS.values())
    yield f"files that name one deed of the record ({', '.join(DEEDS)})", counts


def packages_in(folder: Path) -> list[Path]:
    """Returns the packages in a folder."""
    return sorted(path.parent for path in folder.glob("*/__init__.py"))


def circles(tree: Path, room: Path) -> int:
    """Returns the number of import circles in a room. Imports in functions and for type checkers count."""
    files = {module_of(tree, path): path for path in room.rglob("*.py")}
    leads = {name: set(imports_of(path, files.keys())) - {name} for name, path in files.items()}
    reached = {name: find_reachable(name, leads) for name in leads}
    groups = {frozenset(other for other in reached[name] if name in reached[other]) for name in leads}
    return sum(len(group) > 1 for group in groups)


def members(path: Path, name: str) -> set[str]:
    """Returns the public members of a class and of its base classes in the same room."""
    owner = next(one for one in classes_in(ast.parse(path.read_text("utf-8"))) if one.name == name)
    own = {node.name for node in owner.body if isinstance(node, ast.FunctionDef)} | {
        node.attr
        for node in ast.walk(owner)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and ast.unparse(node.value) == "self"
    }
    for base in map(ast.unparse, owner.bases):
        above = path.with_name(f"{base.lower()}.py")
        own |= members(above, base) if above.is_file() else set()
    return {one for one in own if not one.startswith("_")}


def module_of(tree: Path, path: Path) -> str:
    """Returns the dotted name of a module."""
    return ".".join(path.relative_to(tree).with_suffix("").parts).removesuffix(".__init__")


def imports_of(path: Path, known: Collection[str]) -> Iterator[str]:
    """Yields the modules among `known` that a file imports."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            yield from (inner & {*known}) or ({node.module or ""} & {*known})


def find_reachable(start: str, leads: Mapping[str, set[str]]) -> set[str]:
    """Returns all modules that a module reaches by imports, itself included."""
    reached, waiting = {start}, [start]
    while waiting:
        new = leads[waiting.pop()] - reached
        reached |= new
        waiting.extend(new)
    return reached


def files_of_events(game: Path) -> Iterator[int]:
    """Yields, for each event of a game, the number of files that name the event. A new event must touch as many."""
    trees = [ast.parse(path.read_text("utf-8")) for path in game.glob("*.py")]
    named = [names_in(tree) | {one.name for one in classes_in(tree)} for tree in trees]
    for event in events_of([one for tree in trees for one in classes_in(tree)]):
        yield sum(event in names for names in named)


def files_that_ask(folder: Path) -> Iterator[Path]:
    """Yields the files that ask which dice mode a game has, apart from the file that defines the modes."""
    texts = {path: path.read_text("utf-8") for path in folder.rglob("*.py")}
    home, modes = next((path, found) for path, text in texts.items() if (found := MODES.search(text)))
    kinds = frozenset(modes[1].split(" | "))
    asks = (
        path for path, text in texts.items() if any(kind in text for kind in kinds) and any(find_questions(text, kinds))
    )
    return (path for path in asks if path != home)


def find_questions(source: str, kinds: Collection[str]) -> Iterator[str]:
    """Yields the places where code uses one of these classes for anything else than making an instance."""
    tree = ast.parse(source)
    makes = {id(root_of(node.func, kinds)) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in kinds and id(node) not in makes:
                yield ast.unparse(node)
            case ast.alias(name=name, asname=str()) if name in kinds:
                yield ast.unparse(node)


def root_of(called: ast.expr, kinds: Collection[str]) -> ast.expr:
    """Returns the function that is called, or the object whose method is called."""
    named = isinstance(called, ast.Attribute) and called.attr not in kinds
    return root_of(called.value, kinds) if named else called


def events_of(classes: list[ast.ClassDef]) -> set[str]:
    """Returns the names of a game's events. An event is a class with a tag that derives from `Event`."""
    events = {"Event", "Told"}
    while more := {one.name for one in classes if events & {ast.unparse(base) for base in one.bases}} - events:
        events |= more
    tagged = {one.name for one in classes if any(keyword.arg == "tag" for keyword in one.keywords)}
    return events & tagged


def files_of_deed(tree: Path, file: str, *kinds: str) -> list[Path]:
    """Returns the files that name a deed: its entry, its offer or its own file. A new deed needs as many."""
    found = []
    for path in (tree / "referee").rglob("*.py"):
        text = path.read_text("utf-8")
        if not any(word in text for word in (*kinds, *([file] if file else []))):
            continue  # most files need not be parsed
        parsed = ast.parse(text)
        named = names_in(parsed) | {one.name for one in classes_in(parsed)}
        leads = {*imports_of(path, {f"referee.record.table.deeds.{file}"})}
        if leads or not named.isdisjoint(kinds):
            found.append(path)
    return found


def classes_in(tree: ast.AST) -> list[ast.ClassDef]:
    """Returns all classes in a syntax tree."""
    return [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]


def names_in(tree: ast.AST) -> set[str]:
    """Returns all names that a syntax tree uses, except imports."""
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return names | {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}


# How much there is


def measure_code(tree: Path) -> Iterator[Figure]:
    """Yields how much code there is."""
    games = {game.name: code_lines(game) for game in packages_in(tree / "referee" / "games")}
    yield "games, code lines", f"{sum(games.values()):,}"
    yield from ((f"{name}, code lines", f"{lines:,}") for name, lines in games.items())
    for folder in sorted((tree / "examples").iterdir()):
        yield f"examples/{folder.name}, code lines", f"{code_lines(folder):,}"


def code_lines(folder: Path) -> int:
    """Returns the number of lines of code in the Python files of a folder."""
    return sum(len(lines_of_code(path.read_text("utf-8"))) for path in folder.rglob("*.py"))


def lines_of_code(source: str) -> set[int]:
    """Returns the numbers of the lines that hold code."""
    tokens = [token for token in tokenize.generate_tokens(StringIO(source).readline) if token.type not in SMALL]
    lines = {line for token in tokens for line in range(token.start[0], token.end[0] + 1)}
    others = [node for node in ast.walk(ast.parse(source)) if is_said(node) or isinstance(node, IMPORTS)]
    return lines - {line for node in others for line in range(node.lineno, node.end_lineno + 1)}


def is_said(node: ast.AST) -> bool:
    """True if a statement is only a string, such as a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


# The table


def rows(now: Mapping[str, str]) -> list[tables.Cells]:
    """Returns the figures as rows. The column `before` is kept from the written table."""
    before = {name: figure for name, figure, *_ in tables.standing(HEAD)}
    return [(name, before.get(name, ""), now.get(name, ""), GOALS.get(name, "")) for name in {**before, **now}]


def main() -> None:
    """Measures, prints the table, and writes it with `--write`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--of", type=Path, default=ROOT, metavar="TREE")
    chosen = parser.parse_args()
    told = rows(dict(measure_house(chosen.of.resolve())))
    print(tables.table(HEAD, told), end="")
    if chosen.write:
        tables.write(HEAD, told)


if __name__ == "__main__":
    main()
