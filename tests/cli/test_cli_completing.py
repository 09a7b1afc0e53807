"""What TAB offers, in a session and in shells."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from referee.cli.completion import complete_line, list_next_words, list_words_in_choice
from referee.cli.context import Context
from referee.engine.choice import Action, Choice
from referee.engine.slots import Between, OneOf, Ordered, Subset

LINES = [
    ("", ["2", "6", "done"]),
    ("2 ", ["go", "turn"]),
    ("2 t", ["turn"]),
    ("2 turn n", ["N", "NE", "NW"]),
    ("2 turn N ", []),
    ("6 go, ", ["2", "done"]),
    ("6 go,2 turn s", ["SE", "S", "SW"]),
    ("9 go, ", []),
    ("why 6 ", ["go", "turn"]),
    ("referee why ", ["2", "6", "done"]),
    ("do 2 g", ["go"]),
    ("sh", ["show"]),
    ("show --as te", ["text"]),
    ("show --as=", []),
    ("show d", ["d1", "d2", "d3", "d4", "d5", "d6", "d7"]),
    ("show --by r", ["red", "referee"]),
    ("show --rad", ["--radius"]),
    ("legal tu", ["turn"]),
    ("rules control.1", ["control.1", "control.10"]),
    ("match ", ["new", "next", "undo", "show", "audit"]),
    ("match next --dice ", ["table", "open"]),
    ("schema e", ["entry", "event"]),
    ("use ", ["logs/friday.jsonl"]),
    ("-g ", ["logs/friday.jsonl"]),
    ("-g logs/friday.jsonl show --b", ["--by"]),
    ("new manoover --option form", ["form=base", "form=plus", "form=three"]),
    ("demo man", ["manoover"]),
    ("note ", []),
    ("answer ", []),
]


@pytest.mark.parametrize(("line", "words"), LINES)
def test_what_comes_next(cli, control, line, words):
    assert complete_line(line, Context().open_view())[1] == words


def test_without_a_game_there_are_commands_and_files(place):
    assert list_next_words([], "", None)[:2] == ["demo", "games"]
    assert list_next_words(["new"], "m", None) == ["manoover", "mutants"]
    assert list_next_words(["why"], "", None) == []


def test_what_is_drawn_is_completed_by_name():
    assert complete_line("a", None, ("ace", "king"))[1][0] == "ace"


class Put(Action, frozen=True, tag="put"):
    says = "put {who} in {where} {boxes}"
    who: tuple[str, ...]
    where: str
    boxes: tuple[int, ...] = ()


CHOICE = Choice(Put, who=Subset(("b1", "b2", "B3"), 1, 2), where=OneOf(("A1", "xN2")), boxes=Ordered((1, 2, 3), 0, 2))


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("", ["put"]),
        ("put", ["b1", "b2", "B3"]),
        ("put b1", ["b2", "B3", "in"]),
        ("put b1 b3", ["in"]),
        ("put b1 b2 in", ["A1", "xN2"]),
        ("put b1 in xn2", ["1", "2", "3"]),
        ("put b1 in xn2 3 1", []),
        ("put b4", []),
        ("take", []),
    ],
)
def test_slots(said, words):
    assert list(list_words_in_choice(CHOICE, said.split())) == words


def test_numbers():
    raid = Choice(Put, who=OneOf(((),)), where=Between(2, 4), boxes=OneOf(("x",)))
    assert list(list_words_in_choice(raid, ["put", "in"])) == ["2", "3", "4"]
    assert list(list_words_in_choice(raid, ["put", "in", "2"])) == ["x"]


def test_nothing_secret_is_completed(cli):
    cli("new mutants --option hidden-movement=yes -o g.jsonl")
    look = Context().open_view()
    assert list_next_words([], "", look) == []
    assert list_next_words(["legal"], "", look) == []
    assert "wall" in list_next_words([], "", look.with_eyes("human"))
    assert list_next_words(["rest,"], "", look.with_eyes("human")) == []
    assert list_next_words([], "", look.with_eyes("mutant")) == []


# Shells

NAMED = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
"""The shell is the one that is named, and not looked for among the processes that have started the tests."""


def asked(process, line, shell="bash"):
    """What a shell is told that asks what can come next in a line."""
    words = line.split(" ")
    env = {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1), "_TYPER_COMPLETE_ARGS": line}
    env["_TYPER_COMPLETE_WORD_TO_COMPLETE"] = words[-1]
    env["_TYPER_COMPLETE_FISH_ACTION"] = "get-args"
    answer = process("", env={**env, "_REFEREE_COMPLETE": f"complete_{shell}"})
    assert answer.err == ""
    return answer.out


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("referee 2 turn n", "nE\nnW"),
        ("referee sh", "show"),
        ("referee show --b", "--by"),
        ("referee --w", "--width"),
        ("referee new man", "manoover"),
        ("referee -g logs/friday.jsonl legal --by b", "blue"),
    ],
)
def test_bash(process, control, line, words):
    assert asked(process, line).strip().endswith(words)


@pytest.mark.parametrize("shell", ["zsh", "fish", "powershell"])
def test_other_shells(process, control, shell):
    assert "turn" in asked(process, "referee 2 ", shell)


def test_a_shell_is_told_nothing_secret_and_no_errors(process, cli, place):
    cli("new mutants --option hidden-movement=yes -o g.jsonl")
    assert asked(process, "referee w").split() == ["why", "where", "web"]
    (place / "g.jsonl").write_text("nonsense")
    assert asked(process, "referee show --by ") == "\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_what_is_installed_can_be_looked_at(process, shell):
    answer = process(f"--show-completion {shell}", env=NAMED)
    assert answer.code == 0
    assert "_REFEREE_COMPLETE" in answer.out
    assert "referee" in answer.out


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
def test_installed_in_bash(process, control, place):
    answer = process("--install-completion bash", env={**NAMED, "HOME": str(place)})
    assert "bash completion installed" in answer.out
    (script,) = (place / ".bash_completions").iterdir()
    (place / "referee").write_text(f'#!/bin/sh\nexec {sys.executable} -m referee "$@"\n')
    (place / "referee").chmod(0o755)
    ask = "COMP_WORDS=(referee 2 ''); COMP_CWORD=2; _referee_completion referee; echo ${COMPREPLY[@]}"
    env = {**os.environ, "PATH": f"{place}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", f". {script}; {ask}"], capture_output=True, check=True, env=env)
    assert done.stdout.split() == [b"go", b"turn"]
