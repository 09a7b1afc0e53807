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
    "finish": ("settled", "SettledEntry", "SettleOffer"),
    "resign": ("resign", "ResignEntry", "ResignOffer"),
    "reveal": ("reveal", "RevealEntry", "RevealOffer"),
    "undo": ("takeback", "TakebackEntry", "TakebackOffer"),
}
"""Deeds of the record, by the command that says each: its file, its entry and what is offered for it."""
SMALL = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
"""Tokens that make no line of code."""
IMPORTS = (ast.Import, ast.ImportFrom)
MODES = re.compile(r"^DiceMode = (\w+(?: \| \w+)*)$", re.MULTILINE)
"""Where all dice modes are named."""

Figure = tuple[str, str]
"""What is measured, and how much it is."""


def measured(tree: Path = ROOT) -> Iterator[Figure]:
    """All figures of a checkout."""
    with TemporaryDirectory() as folder:
        yield from travelled(tree, Path(folder))
    yield from hanging_together(tree)
    yield from written(tree)


# How far commands travel


def travelled(tree: Path, folder: Path) -> Iterator[Figure]:
    """The journeys of commands, and how often they read the log; `journey.py` says what is counted."""
    open_dice = ["--seed", SEED, "-o", "game.jsonl"]
    robots = game_begun(tree, folder / "robots", ["new", "manoover", *open_dice], ["do", "throwoff, throw"])
    hidden = ["new", "mutants", "--option", "hidden-movement=yes", *open_dice]
    walls = game_begun(tree, folder / "walls", hidden, ["do", "wall A1-B1"])
    mailed = mail_waiting(tree, folder / "mailed")
    yield "journey of `do`, Manoover after 3 entries", watched(tree, robots, "passages", "do", "6 go")
    yield "journey of `do`, hidden Mutants after 3 entries", watched(tree, walls, "passages", "do", "wall A1-A2")
    opened = watched(tree, mailed, "reads", "game.jsonl", "open", "mail")
    yield "`open` of a mail: how often the log is opened to be read", opened
    yield "`open` of a mail: how often a floor calls a higher one", watched(tree, mailed, "climbs", "open", "mail")


def game_begun(tree: Path, folder: Path, *commands: list[str]) -> Path:
    """A folder in which these commands were said."""
    folder.mkdir(parents=True)
    for words in commands:
        python(tree, folder, "-m", "referee", *words)
    return folder


def mail_waiting(tree: Path, folder: Path) -> Path:
    """A folder with a game that its player has begun by mail, and the mail of the other, who has joined."""
    first, other = folder / "first", folder / "other"
    game_begun(tree, first, ["new", "manoover", "--mail", "red", "--seats", "Anna,Bo", "-o", "game.jsonl"])
    other.mkdir()
    (other / "mail").write_text(python(tree, first, "-m", "referee", "pack"), "utf-8")
    for words in (["open", "mail", "-o", "game.jsonl"], ["join", "blue"]):
        python(tree, other, "-m", "referee", *words)
    (first / "mail").write_text(python(tree, other, "-m", "referee", "pack"), "utf-8")
    return first


def watched(tree: Path, folder: Path, *words: str) -> str:
    """What `journey.py` counts of a command in this folder."""
    copies = folder.with_name(f"{folder.name} for {words[0]}")
    for name in ("warm", "watched"):
        copytree(folder, copies / name)
    return python(tree, copies, str(HERE / "journey.py"), *words, home=folder).strip()


def python(tree: Path, folder: Path, *words: str, home: Path | None = None) -> str:
    """What a program says that runs with the code of this checkout; the player's key is in the folder."""
    around = {**os.environ, "PYTHONPATH": str(tree), "XDG_CONFIG_HOME": str((home or folder) / "home")}
    command = [sys.executable, *words]
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder, env=around).stdout


# How the code hangs together


def hanging_together(tree: Path) -> Iterator[Figure]:
    """What is in a circle, and what is scattered."""
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
    """The packages that lie there."""
    return sorted(path.parent for path in folder.glob("*/__init__.py"))


def circles(tree: Path, room: Path) -> int:
    """How many groups of modules of a room there are that all lead to one another by imports, those in functions
    and those for the type checker included.
    """
    files = {module_of(tree, path): path for path in room.rglob("*.py")}
    leads = {name: set(imported(path, files.keys())) - {name} for name, path in files.items()}
    reached = {name: reachable(name, leads) for name in leads}
    groups = {frozenset(other for other in reached[name] if name in reached[other]) for name in leads}
    return sum(len(group) > 1 for group in groups)


def members(path: Path, name: str) -> set[str]:
    """The public members of a class, those of its own classes above it in the same room included."""
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
    """The name of a module."""
    return ".".join(path.relative_to(tree).with_suffix("").parts).removesuffix(".__init__")


def imported(path: Path, known: Collection[str]) -> Iterator[str]:
    """The modules among those known that a file imports."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            yield from (inner & {*known}) or ({node.module or ""} & {*known})


def reachable(start: str, leads: Mapping[str, set[str]]) -> set[str]:
    """Every module that imports lead to from one, itself included."""
    reached, waiting = {start}, [start]
    while waiting:
        new = leads[waiting.pop()] - reached
        reached |= new
        waiting.extend(new)
    return reached


def files_of_events(game: Path) -> Iterator[int]:
    """For each event of a game, how many of its files name it: who adds one has to touch as many."""
    trees = [ast.parse(path.read_text("utf-8")) for path in game.glob("*.py")]
    named = [names_in(tree) | {one.name for one in classes_in(tree)} for tree in trees]
    for event in events_of([one for tree in trees for one in classes_in(tree)]):
        yield sum(event in names for names in named)


def files_that_ask(folder: Path) -> Iterator[Path]:
    """The files that tell dice modes apart, but for the one in which they stand."""
    texts = {path: path.read_text("utf-8") for path in folder.rglob("*.py")}
    home, modes = next((path, found) for path, text in texts.items() if (found := MODES.search(text)))
    kinds = frozenset(modes[1].split(" | "))
    asks = (path for path, text in texts.items() if any(kind in text for kind in kinds) and any(asked(text, kinds)))
    return (path for path in asks if path != home)


def asked(source: str, kinds: Collection[str]) -> Iterator[str]:
    """Where code does anything else with one of these classes than to make one."""
    tree = ast.parse(source)
    makes = {id(root_of(node.func, kinds)) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in kinds and id(node) not in makes:
                yield ast.unparse(node)
            case ast.alias(name=name, asname=str()) if name in kinds:
                yield ast.unparse(node)


def root_of(called: ast.expr, kinds: Collection[str]) -> ast.expr:
    """What is called, or whose method is."""
    named = isinstance(called, ast.Attribute) and called.attr not in kinds
    return root_of(called.value, kinds) if named else called


def events_of(classes: list[ast.ClassDef]) -> set[str]:
    """The names of the events among the classes of a game: they have a tag, and derive from `Event`."""
    events = {"Event", "Told"}
    while more := {one.name for one in classes if events & {ast.unparse(base) for base in one.bases}} - events:
        events |= more
    tagged = {one.name for one in classes if any(keyword.arg == "tag" for keyword in one.keywords)}
    return events & tagged


def files_of_deed(tree: Path, file: str, *kinds: str) -> list[Path]:
    """The files that name a deed of the record: its entry, its offer, or its own file. Who adds one writes as many."""
    found = []
    for path in (tree / "referee").rglob("*.py"):
        text = path.read_text("utf-8")
        if not any(word in text for word in (*kinds, *([file] if file else []))):
            continue  # most files need not be parsed
        parsed = ast.parse(text)
        named = names_in(parsed) | {one.name for one in classes_in(parsed)}
        leads = {*imported(path, {f"referee.record.table.deeds.{file}"})}
        if leads or not named.isdisjoint(kinds):
            found.append(path)
    return found


def classes_in(tree: ast.AST) -> list[ast.ClassDef]:
    """Every class that is defined there."""
    return [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]


def names_in(tree: ast.AST) -> set[str]:
    """Every name that is used there, imports aside."""
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return names | {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}


# How much there is


def written(tree: Path) -> Iterator[Figure]:
    """How much code there is."""
    games = {game.name: code_lines(game) for game in packages_in(tree / "referee" / "games")}
    yield "games, code lines", f"{sum(games.values()):,}"
    yield from ((f"{name}, code lines", f"{lines:,}") for name, lines in games.items())
    for folder in sorted((tree / "examples").iterdir()):
        yield f"examples/{folder.name}, code lines", f"{code_lines(folder):,}"


def code_lines(folder: Path) -> int:
    """How many lines of code the Python files of a folder have."""
    return sum(len(lines_of_code(path.read_text("utf-8"))) for path in folder.rglob("*.py"))


def lines_of_code(source: str) -> set[int]:
    """The numbers of the lines that are code."""
    tokens = [token for token in tokenize.generate_tokens(StringIO(source).readline) if token.type not in SMALL]
    lines = {line for token in tokens for line in range(token.start[0], token.end[0] + 1)}
    others = [node for node in ast.walk(ast.parse(source)) if is_said(node) or isinstance(node, IMPORTS)]
    return lines - {line for node in others for line in range(node.lineno, node.end_lineno + 1)}


def is_said(node: ast.AST) -> bool:
    """Whether a statement is a string alone: it tells readers what stands before it."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


# The table


def rows(now: Mapping[str, str]) -> list[tables.Cells]:
    """The figures as rows. The column `before` is that of the table as it is written."""
    before = {name: figure for name, figure, *_ in tables.standing(HEAD)}
    return [(name, before.get(name, ""), now.get(name, ""), GOALS.get(name, "")) for name in {**before, **now}]


def main() -> None:
    """Measure, print, and write if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--of", type=Path, default=ROOT, metavar="TREE")
    chosen = parser.parse_args()
    told = rows(dict(measured(chosen.of.resolve())))
    print(tables.table(HEAD, told), end="")
    if chosen.write:
        tables.write(HEAD, told)


if __name__ == "__main__":
    main()
