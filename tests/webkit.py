"""A second engine: WebKit as WebKitGTK has it, through the protocol that all browsers are driven by (WebDriver)."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NEEDS = ("WebKitWebDriver", "Xvfb")
HOW = "no second engine for the tests of pages: apt-get install webkit2gtk-driver xvfb"
WAIT = 20.0


class WebKit:
    """A window of WebKit."""

    def __init__(self, port: int, binary: Path) -> None:
        self._at = f"http://127.0.0.1:{port}/session"
        options = {"binary": str(binary), "args": ["--automation"]}
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        self._at += f"/{self._ask('POST', '', wanted)['sessionId']}"

    def go(self, url: str) -> None:
        """Opens a page."""
        self._ask("POST", "/url", {"url": url})

    def run(self, script: str, *given: Any) -> Any:
        """Returns the result of a function body that runs in the page."""
        return self._ask("POST", "/execute/sync", {"script": script, "args": given})

    def wait(self, script: str) -> None:
        """Waits until an expression is true in the page."""
        until = time.monotonic() + WAIT
        while not self.run(f"return Boolean({script})"):
            assert time.monotonic() < until, script
            time.sleep(0.05)

    def close(self) -> None:
        """Closes the window."""
        self._ask("DELETE", "")

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(self._at + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(asked, timeout=3 * WAIT) as answer:
            return json.load(answer)["value"]


@contextmanager
def webkit() -> Iterator[WebKit]:
    """Yields WebKit on an invisible screen. Raises LookupError that says how to install it."""
    binary = next(Path("/usr/lib").glob("*/webkit2gtk-4*/MiniBrowser"), None)
    if binary is None or not all(map(shutil.which, NEEDS)):
        raise LookupError(HOW)
    with _running(["Xvfb", "-displayfd", "1", "-screen", "0", "1100x800x24"], stdout=subprocess.PIPE) as screen:
        assert screen.stdout is not None
        display = f":{screen.stdout.readline().decode().strip()}"
        port = _free_port()
        with _running(["WebKitWebDriver", f"--port={port}"], env={**os.environ, "DISPLAY": display}):
            _listening(port)
            window = WebKit(port, binary)
            try:
                yield window
            finally:
                window.close()


@contextmanager
def _running(command: list[str], **how: Any) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, **how) as process:
        try:
            yield process
        finally:
            process.terminate()


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _listening(port: int) -> None:
    until = time.monotonic() + WAIT
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise LookupError(HOW)
