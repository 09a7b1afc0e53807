"""The verifier in JavaScript: written from the chapter `format` alone, it shares nothing with the program."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
HOW = "no node for the verifier of logs: apt-get install nodejs"


@pytest.fixture(scope="session")
def node():
    """Returns a function that runs a script of the verifier. Node must be installed where CI runs."""
    found = shutil.which("node")
    if found is None:
        assert "CI" not in os.environ, HOW
        pytest.skip(HOW)

    def run(script, *words):
        line = [found, HERE / script, *map(str, words)]
        done = subprocess.run(line, capture_output=True, text=True, encoding="utf-8", check=False)
        assert done.stderr == ""
        return [json.loads(said) for said in done.stdout.splitlines()]

    return run


@pytest.fixture(scope="session")
def verified(node):
    """Returns a function that gives the findings of the verifier on some logs, in order, from one process."""
    return lambda *paths: node("verify.mjs", *paths)
