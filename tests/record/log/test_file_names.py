"""Only `make_name_part` turns a text from outside into part of a file's name."""

from __future__ import annotations

import ast

import pytest
from support import PACKAGE

from referee.record.log.safe_files import NoFileError, make_name_part

OWN = "a number, a name of our own, or the name of a file that is there"
EXCEPTIONS = {
    ("bots/bot_process.py", "os.getpid()"): OWN,
    ("bots/bot_process.py", "Random().getrandbits(64)"): OWN,
    ("bots/bot_process.py", "FOLDER_PREFIX"): OWN,
    ("cli/arguments.py", "name"): "the name of a game that is installed, and a day",
    ("cli/catalogue.py", "file"): OWN,
    ("cli/commands/diff.py", "number"): OWN,
    ("cli/commands/help.py", "word"): "it is a command's name; the chapter is read only if it is there",
    ("record/log/store.py", "stem"): "the name of a game's log without its number",
    ("cli/mail/fork_proofs.py", "n"): OWN,
    ("cli/parser.py", "words[1]"): "it is a command's name; nothing is read",
    ("engine/component.py", "sha256(source).hexdigest()"): OWN,
    ("mail/intake.py", "ASIDE_MARK"): OWN,
    ("mail/intake.py", "apart"): OWN,
    ("mail/spool.py", "packet.head.base"): OWN,
    ("mail/spool.py", "name"): "a `NamePart`",
    ("mail/spool.py", "f'-{number}' if number > 1 else ''"): OWN,
    ("record/archive/match.py", "next_"): OWN,
}
"""The values in names of files that pass no check, each with the reason."""


def names_in(tree):
    """Yields the values that stand in names of files: beside a log, or below a folder."""
    for node in ast.walk(tree):
        made = []
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            made = [node.right]
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in (
            "with_name",
            "with_stem",
            "with_suffix",
            "joinpath",
            "companion_path",
        ):
            made = node.args
        for text in made:
            if isinstance(text, ast.JoinedStr):
                yield from (part.value for part in text.values if isinstance(part, ast.FormattedValue))


def is_safe(value):
    """True for a checked part, and for the name of a path."""
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id == "make_name_part"
    return isinstance(value, ast.Attribute) and value.attr in ("stem", "name")


def unchecked(source):
    return {ast.unparse(value) for value in names_in(ast.parse(source)) if not is_safe(value)}


def test_every_part_of_a_name_is_checked_or_named_here():
    found = {
        (name, value)
        for path in sorted(PACKAGE.rglob("*.py"))
        if not (name := path.relative_to(PACKAGE).as_posix()).startswith(("testing/", "games/"))
        for value in unchecked(path.read_text("utf-8"))
    }
    assert found == set(EXCEPTIONS)


@pytest.mark.parametrize(
    "source", ['folder / f"{seat}.vault"', 'log.with_name(f"{x}.jsonl")', 'companion_path(log, f".{seat}.vault")']
)
def test_an_unchecked_part_is_found(source):
    assert unchecked(source)


@pytest.mark.parametrize("source", ['folder / f"{make_name_part(seat)}.vault"', 'log.with_name(f"{log.stem}.new")'])
def test_a_checked_part_is_left_alone(source):
    assert not unchecked(source)


@pytest.mark.parametrize(
    "text", ["", ".", "..", "../x", "a/b", "a\\b", "a\nb", "a\0b", "a\u202eb", "-x", ".x", "x" * 129, "\u0661", "a b"]
)
def test_a_text_that_names_a_folder_or_cannot_be_seen_is_refused(text):
    with pytest.raises(NoFileError):
        make_name_part(text)


@pytest.mark.parametrize("text", ["red", "zombie-2", "0123456789abcdef" * 4, "other.2", "A_b"])
def test_names_of_seats_branches_and_hashes_are_taken(text):
    assert make_name_part(text) == text
