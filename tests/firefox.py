"""Firefox as it comes with the system, driven through the protocol of its own (Marionette)."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

HOW = "no Firefox for the tests of pages: apt-get install firefox-esr"
WAIT = 90.0
"""The seconds in which Firefox starts, or a page does something, on a busy machine."""


class Firefox:
    """A window of it."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=WAIT)
        self._answers = self._socket.makefile("rb")
        self._count = 0
        self._read()  # it introduces itself
        self._ask("WebDriver:NewSession", capabilities={})

    def go(self, url: str) -> None:
        """Open a page."""
        self._ask("WebDriver:Navigate", url=url)

    def run(self, script: str, *given: Any) -> Any:
        """What a function body returns there."""
        return self._ask("WebDriver:ExecuteScript", script=script, args=given, sandbox=None)["value"]

    def wait(self, script: str) -> None:
        """Until an expression is true."""
        until = time.monotonic() + WAIT
        while not self.run(f"return Boolean({script})"):
            assert time.monotonic() < until, script
            time.sleep(0.05)

    def close(self) -> None:
        """End it."""
        self._answers.close()
        self._socket.close()

    def _ask(self, command: str, **parameters: Any) -> Any:
        self._count += 1
        asked = json.dumps([0, self._count, command, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(asked), asked))
        _, _, error, result = self._read()
        assert error is None, error
        return result

    def _read(self) -> Any:
        """The next message: its length in bytes, a colon, JSON."""
        length = b""
        while (byte := self._answers.read(1)) != b":":
            assert byte, "Firefox has hung up"
            length += byte
        return json.loads(self._answers.read(int(length)))


@contextmanager
def firefox() -> Iterator[Firefox]:
    """Firefox without a window and with a profile of its own; LookupError says how to have it."""
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if program is None:
        raise LookupError(HOW)
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        profile = Path(folder)
        (profile / "user.js").write_text('user_pref("marionette.port", 0);\n', "utf-8")
        command = [program, "--headless", "--no-remote", "--marionette", "--profile", folder]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        with subprocess.Popen(command, env={"HOME": folder, "PATH": "/usr/bin:/bin"}, **quiet) as running:  # type: ignore[call-overload]
            try:
                with closing(Firefox(_port(profile / "MarionetteActivePort"))) as window:
                    yield window
            finally:
                running.kill()


def _port(file: Path) -> int:
    until = time.monotonic() + WAIT
    while not (file.exists() and file.read_text("utf-8")):
        assert time.monotonic() < until, "Firefox did not start"
        time.sleep(0.05)
    return int(file.read_text("utf-8"))
