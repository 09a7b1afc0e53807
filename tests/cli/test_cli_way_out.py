"""One way out: only `cli/output` writes to a stream, and only the escaping functions make text for it."""

import ast
import shlex

import pytest
from support import PACKAGE

WRITERS = {"print", "input"}
ECHOES = {"echo", "secho"}
STREAMS = {"stdout", "stderr", "__stdout__", "__stderr__"}
METHODS = {"write", "writelines"}
DEVELOPERS = "a tool of people who write games; it says what it found in their own code"
EXCEPTIONS = {
    "bots/bot_process.py": "what a bot prints, each line through `make_printable`",
    "testing/cite.py": DEVELOPERS,
    "testing/compare.py": DEVELOPERS,
    "testing/mutate.py": DEVELOPERS,
    "testing/perft.py": DEVELOPERS,
}
"""The files that write to a stream themselves, each with the reason."""
MAKERS = {
    "engine/text.py": "it escapes, and joins what is escaped",
    "cli/screen.py": "it adds colours, line ends and JSON's own escapes to what is escaped",
}
"""The files that may call a text printable without `make_printable`, each with the reason."""


def parsed():
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(PACKAGE).as_posix(), ast.parse(path.read_text("utf-8"))


def writes(tree):
    """True if a module writes to a stream: it calls or hands on a function that does."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in WRITERS:
            return True
        if isinstance(node, ast.Attribute) and node.attr in ECHOES:
            return True
        if isinstance(node, ast.ImportFrom) and ECHOES & {one.name for one in node.names}:
            return True
        if isinstance(node, ast.Attribute) and node.attr in METHODS and is_stream(node.value):
            return True
    return False


def is_stream(node):
    """True for `sys.stdout` and its like, and for their buffers."""
    if not isinstance(node, ast.Attribute):
        return False
    if node.attr == "buffer":
        return is_stream(node.value)
    return node.attr in STREAMS and isinstance(node.value, ast.Name) and node.value.id == "sys"


def test_only_one_file_writes_to_a_stream():
    found = {name for name, tree in parsed() if writes(tree)}
    assert found == {"cli/output.py", *EXCEPTIONS}


def test_nobody_takes_a_stream_for_themselves():
    """A stream that is given another name could be written to unseen."""
    found = {
        name
        for name, tree in parsed()
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign | ast.NamedExpr) and any(map(is_stream, ast.walk(node.value)))
        if not any(isinstance(inner, ast.Call) for inner in ast.walk(node.value))
    }
    assert found == set()


def test_only_escaping_functions_call_a_text_printable():
    found = {
        name
        for name, tree in parsed()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Printable"
    }
    assert found == set(MAKERS)


@pytest.mark.parametrize(
    "source",
    [
        "print(1)",
        "import sys\nsys.stdout.write('')",
        "import sys\nsys.stderr.buffer.write(b'')",
        "import typer\ntyper.echo('')",
        "from typer import echo as tell",
        "tell = print",
        "input('')",
    ],
)
def test_a_file_that_writes_is_found(source):
    assert writes(ast.parse(source))


NAMES = ("b\nCLEAN  cheat.jsonl", "b\x1b[2Jc.jsonl", "b\u202ec.jsonl", "b\rc.jsonl", "b\u2028c.jsonl")
"""Names of files that would write a line of their own, clear the screen, or turn the text around."""


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "words",
    [
        *(["audit", "{}"], ["audit", "{}", "{}"], ["-g", "{}", "show"], ["-g", "{}", "log"], ["-g", "{}", "status"]),
        *(["stats", "games", "{}"], ["stats", "dice", "{}"], ["use", "{}"], ["diff", "{}", "friday.jsonl"]),
        *(["-g", "{}", "note", "hello"], ["-g", "{}", "undo"], ["-g", "{}", "branch", "other"], ["mail", "{}"]),
        *(["new", "manoover", "-o", "{}"], ["new", "manoover", "--from", "{}"], ["mail", "open", "{}"]),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("content", ["log", "damaged", "missing"])
def test_no_name_of_a_file_says_a_line_of_its_own(cli, place, control, name, words, content):
    (place / "friday.jsonl").write_bytes(control.read_bytes())
    if content != "missing":
        data = control.read_bytes()
        (place / name).write_bytes(data if content == "log" else data[:300] + b"x" + data[301:])
    told = cli(shlex.join(word.replace("{}", name) for word in words))
    assert told.code in range(6), told.err
    for line in (told.out + told.err).split("\n"):
        assert line.isprintable(), line
        assert not line.startswith("CLEAN  cheat"), line
