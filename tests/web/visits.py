"""The folder handed out by a server of files on this machine, and somebody who visits it."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import ClassVar


class Quiet(SimpleHTTPRequestHandler):
    """It knows as little of .mjs as many servers do."""

    extensions_map: ClassVar = {**SimpleHTTPRequestHandler.extensions_map, ".mjs": "application/octet-stream"}

    def log_message(self, *words):
        pass


@contextmanager
def serving(place):
    """A server of the files in a folder; its address, and how it is stopped."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=place))
    thread = Thread(target=server.serve_forever)
    thread.start()

    def stop():
        server.shutdown()
        server.server_close()
        thread.join()

    yield f"http://127.0.0.1:{server.server_port}/", stop
    if thread.is_alive():
        stop()


@contextmanager
def visiting(browser, address, until="body[data-ready], #status.bad", **context):
    """Somebody's first visit, until something shows; what the tab asks for is in `asked`, its complaints in `said`."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, **context)
    tab = context.new_page()
    tab.said, tab.asked = [], []
    tab.on("console", lambda message: tab.said.append(message.text))
    tab.on("pageerror", lambda error: tab.said.append(str(error)))
    context.on("request", lambda request: tab.asked.append(request.url))
    tab.goto(address)
    tab.locator(until).first.wait_for(timeout=60_000)
    yield tab
    context.close()
