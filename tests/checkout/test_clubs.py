"""Clubs: the program `pre-commit`, and the job of a CI as the manual has it, let in no log that does not audit."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support import LEFT_OUT, PACKAGE, ROOT

SAMPLE = ROOT / "logs" / "sample-robot-attack.jsonl"
CHAPTER = (PACKAGE / "manual" / "sharing.md").read_text("utf-8")
EXAMPLES = re.findall(r"```yaml\n(.*?)```", CHAPTER, re.DOTALL)


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs a program as a member of the club, who has a home of their own and the tools of this environment."""
    tools = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    (tmp_path / ".gitconfig").write_text("[user]\n\tname = Anna\n\temail = anna@example.org\n")
    env = {**os.environ, "PATH": tools, "HOME": str(tmp_path), "PRE_COMMIT_HOME": str(tmp_path / "pre-commit")}

    def call(where, *words, code=0):
        done = subprocess.run(list(map(str, words)), cwd=where, env=env, capture_output=True, text=True, check=False)
        told = f"{done.stdout}{done.stderr}"
        assert done.returncode == code, told
        return told

    return call


@pytest.fixture
def club(tmp_path, run):
    """A repository of a club with one sound log."""
    folder = tmp_path / "club"
    folder.mkdir()
    run(folder, "git", "init", "-q")
    shutil.copy(SAMPLE, folder / "friday.jsonl")
    return folder


def falsify(log):
    """Turns one die over."""
    text = log.read_text("utf-8")
    changed = re.sub(r'"faces":\[(\d)', lambda found: f'"faces":[{7 - int(found[1])}', text, count=1)
    assert changed != text
    log.write_text(changed, "utf-8")


@pytest.fixture
def published(tmp_path, run):
    """The project as a repository that others can name, and its commit."""
    tree = shutil.copytree(ROOT, tmp_path / "referee", ignore=LEFT_OUT)
    run(tree, "git", "init", "-q")
    run(tree, "git", "add", "-A")
    run(tree, "git", "commit", "-qm", "all")
    return tree, run(tree, "git", "rev-parse", "HEAD").strip()


def refuses_what_does_not_audit(run, club):
    """True if a sound log can be committed, and one with another die cannot."""
    run(club, "pre-commit", "install")
    run(club, "git", "add", "-A")
    assert "Passed" in run(club, "git", "commit", "-m", "a game")
    falsify(club / "friday.jsonl")
    told = run(club, "git", "commit", "-am", "the same game", code=1)
    return "friday.jsonl" in told and "FAULT" in told


def test_the_hook_that_the_project_publishes(run, club, published):
    tree, commit = published
    config = f"repos:\n  - repo: {tree}\n    rev: {commit}\n    hooks:\n      - id: referee-audit\n"
    (club / ".pre-commit-config.yaml").write_text(config)
    assert refuses_what_does_not_audit(run, club)


def test_the_hook_of_the_manual(run, club):
    (club / ".pre-commit-config.yaml").write_text(next(text for text in EXAMPLES if "hooks:" in text))
    assert refuses_what_does_not_audit(run, club)


def test_the_job_of_the_manual(run, club):
    job = next(text for text in EXAMPLES if "script:" in text)
    commands = re.findall(r"^    - ([^#\n]*)", job, re.MULTILINE)
    assert commands[0].startswith("pip install ")  # what it installs is installed here
    script = "\n".join(commands[1:])
    assert "CLEAN" in run(club, "sh", "-e", "-c", script)
    falsify(club / "friday.jsonl")
    assert "FAULT" in run(club, "sh", "-e", "-c", script, code=1)
