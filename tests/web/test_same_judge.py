"""The tab is the same judge: of every log that lies here it says what the command line says, to the byte."""

from __future__ import annotations

import subprocess
import sys
from base64 import b64encode

from support import FIXTURES, ROOT

from referee.cli.browser_entry import run_command

LOGS = sorted(
    [
        *FIXTURES.glob("*/games/*.jsonl"),
        *(FIXTURES / "corrupt").glob("*.jsonl"),
        *(ROOT / "logs").glob("sample-*"),
        ROOT / "tests" / "mail" / "rejoined.jsonl",  # signed, with a key that was brought back
    ]
)
NAMES = [path.relative_to(ROOT).as_posix() for path in LOGS]

JUDGE_ALL = """async ({files, names}) => {
    const {ask, run} = await import("./judge.js");
    const bytes = (text) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0)).buffer;
    await ask({files: files.map(([name, text]) => ({name, data: bytes(text)}))});
    const all = await Promise.all(names.map((name) => run("--json", "audit", name)));
    return all.map(({out, err, code}) => [out, err, code]);
}"""


def test_the_tab_judges_as_the_command_line(tab, monkeypatch):
    monkeypatch.chdir(ROOT)
    files = [(name, b64encode(path.read_bytes()).decode()) for name, path in zip(NAMES, LOGS, strict=True)]
    told = tab.evaluate(JUDGE_ALL, {"files": files, "names": NAMES})
    differing = {}
    for name, there in zip(NAMES, told, strict=True):
        here = run_command(["--json", "audit", name])
        if tuple(there) != here:
            differing[name] = (there, here)
    assert not differing
    assert {code for *_, code in told} == {0, 1, 3}


def test_what_is_compared_is_what_a_shell_is_told(monkeypatch):
    monkeypatch.chdir(ROOT)
    for name in NAMES[::60]:
        words = ["--json", "audit", name]
        done = subprocess.run([sys.executable, "-m", "referee", *words], capture_output=True, check=False)
        assert (done.stdout, done.stderr, done.returncode) == tuple(
            part.encode() if isinstance(part, str) else part for part in run_command(words)
        )
