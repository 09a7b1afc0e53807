"""What the manual prints to be typed, in its text too, can be typed: `test_readme.py` runs its console blocks."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from calling import called
from support import PACKAGE, ROOT

from referee.cli.arguments import COMMAND_LINE_SETTINGS
from referee.cli.catalogue import ALIASES, COMMANDS, load_command
from referee.cli.parser import get_root_command, split_off_global_options
from referee.engine.registry import find_game, game_names

PAGES = sorted([ROOT / "README.md", *(PACKAGE / "manual").glob("*.md")])
VERBS = {word for name in game_names() for word in find_game(name).verbs.verbs_by_word}
FORMS = {verb.form for name in game_names() for verb in find_game(name).verbs.all}
PLACEHOLDER = re.compile(r"(?<![A-Za-z0-9])[A-Z]{4,}(?![A-Za-z0-9])|\.\.\.")
SESSION = ("help", "undo", "quit", "exit")
MUTANTS = """
turn = 2
gone = "rest"
[units]
D4 = "prof penny"
C2 = "n5 n6 n7"
xN1 = "n8 n9 r1"
xN2 = "n3 n4"
xN4 = "n1 n2"
D1 = "r9"
C1 = "n11"
"""
POSITIONS = {
    "smash": f'phase = "smash"\n{MUTANTS}',
    "doors": f'phase = "smash"\n{MUTANTS}B1 = "n10"\n',
    "open": f'phase = "open"\n{MUTANTS}',
    "combat": f'phase = "mutant-combat"\n{MUTANTS}B4 = "b1 n12"\n',
    "move": f'phase = "move"\nsmashed = ["C2-D2", "xN1-A1"]\nattempted = ["xN1-A1"]\n{MUTANTS}',
}
ADVANCED = "new sheboygan --dice table --option scenario=advanced-a"
SAID = {
    "manoover": ("new manoover --dice table", "roll 5 2", "roll 2 2 6"),
    "walls": ("new mutants --dice table",),
    "set-up": ("new mutants --dice table", "do rest, ready"),
    **{name: (f"new mutants --dice table --from {name}.toml",) for name in POSITIONS},
    "abilities": (ADVANCED,),
    "record": (ADVANCED, "abilities flying lightning"),
    "buy": (ADVANCED, "abilities flying lightning", "record att 5 def 6 des 2 mov 3, edge w"),
    "town": (
        "new sheboygan --dice table --option scenario=learning",
        "record att=5 def=1 des=4 mov=3",
        "edge s",
        "buy 4 infantry, 2 artillery, 3 police",
    ),
}
"""Games in which the lines of the manual mean something."""


def printed(page: Path) -> list[str]:
    """Returns the lines that a page shows for typing: inside sentences, in blocks for a shell, and indented."""
    text = page.read_text("utf-8")
    shell = [line for block in re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S) for line in block.splitlines()]
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    spans = [" ".join(span.split()) for span in re.findall(r"(?<!`)`([^`]+)`(?!`)", prose)]
    rows = [re.split(r"  +", row)[0] for row in re.findall(r"^    (\S.*)$", prose, re.MULTILINE)]
    found = [line.partition(" #")[0].strip() for line in (*shell, *spans, *rows)]
    return list(dict.fromkeys(found))


def commands(page: Path) -> list[str]:
    """Returns the lines that begin with the program and name one of its commands."""
    lines = [line.removeprefix("referee ") for line in printed(page) if line.startswith("referee ")]
    return [line for line in lines if _command_in(line)]


def said(page: Path) -> list[str]:
    """Returns the lines that are actions of a game."""
    lines = [line.removeprefix("referee ") for line in printed(page)]
    lines = [line.removeprefix("do ") for line in lines if not _command_in(line) or line.startswith("do ")]
    lines += [line for line in printed(page) if line.split()[:1] == ["open"] and "-" in line]
    told = [line for line in lines if _is_said(line) and line not in FORMS and not PLACEHOLDER.search(line)]
    return [line for line in told if "<" not in line and "=" not in line]


def _command_in(line: str) -> str | None:
    try:
        words = split_off_global_options(shlex.split(line.lstrip(":")), get_root_command().params)[1]
    except ValueError:  # a quotation mark of its own, or an apostrophe
        words = line.split()
    first = words[0] if words else ""
    return first if first in COMMANDS or first in ALIASES or first in SESSION else None


def _is_said(line: str) -> bool:
    first, *others = line.rstrip("!").split()
    glued = re.fullmatch(r"[1-9](go|[ns][ew]?|turn)", first) is not None
    return glued or (bool(others) and (first in VERBS or first.rstrip(":") in ("red", "blue")))


LINES = [pytest.param(line, id=f"{page.stem}: {line}") for page in PAGES for line in said(page)]
COMMANDED = [pytest.param(line, id=f"{page.stem}: {line}") for page in PAGES for line in commands(page)]


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """Makes each game in a folder of its own."""
    folders = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("REFEREE_GAME", raising=False)
        for name, lines in SAID.items():
            folders[name] = tmp_path_factory.mktemp(name)
            patch.chdir(folders[name])
            if name in POSITIONS:
                Path(f"{name}.toml").write_text(POSITIONS[name])
            for line in lines:
                done = called(shlex.split(line))
                assert done.code == 0, (name, line, done)
        yield folders


@pytest.mark.parametrize("line", LINES)
def test_something_to_do_is_done_in_some_game(games, monkeypatch, tmp_path, line):
    answers = {}
    for name, folder in games.items():
        copy = shutil.copytree(folder, tmp_path / name)
        monkeypatch.chdir(copy)
        answers[name] = json.loads(called(["--json", "do", *shlex.split(line)]).out.splitlines()[0])
    assert any(_is_done(answer) for answer in answers.values()), answers


def _is_done(answer: dict[str, Any]) -> bool:
    """True if a line was recorded, or only waits for dice."""
    return answer.get("verdict") == "legal" or answer.get("error") == "DiceNeededError"


@pytest.mark.parametrize("line", COMMANDED)
def test_a_command_exists_with_these_arguments(line):
    _, words = split_off_global_options(shlex.split(line.lstrip(":")), get_root_command().params)
    command = load_command(ALIASES.get(words[0], words[0]))
    name, arguments = words[0], words[1:]
    parts = [*getattr(command, "parts", ())]
    if parts and arguments[:1] not in [[part] for part in parts]:
        arguments = [parts[0], *arguments]
    if hasattr(command, "commands") and arguments:
        command, arguments = command.commands[arguments[0]], arguments[1:]
    arguments = arguments[: arguments.index(">")] if ">" in arguments else arguments
    try:
        command.make_context(name, arguments, **COMMAND_LINE_SETTINGS["context_settings"])
    except Exception as error:
        is_mention = all(word.startswith("-") for word in arguments) and type(error).__name__ == "MissingParameter"
        if not is_mention:
            raise


OPTIONS = {page.stem: [line for line in printed(page) if re.match("--?[a-z]", line)] for page in PAGES}


@pytest.mark.parametrize("page", [stem for stem, lines in OPTIONS.items() if lines])
def test_an_option_is_one_of_some_command(page):
    loaded = [load_command(name) for name in COMMANDS]
    parts = [part for command in loaded for part in getattr(command, "commands", {}).values()]
    known = {
        name for command in (get_root_command(), *loaded, *parts) for param in command.params for name in param.opts
    }
    assert [line for line in OPTIONS[page] if line.split()[0] not in known] == []


def test_there_are_lines_of_both_kinds():
    lines = [parameter.values[0] for parameter in LINES]
    assert {"place i1 H08, i2 C05", "2ne", "red: 6 go", "move 3n from C2 to D2", "open C1-D1 r9"} <= {*lines}
    assert len(COMMANDED) > 80
