"""A game served on a real socket, and its viewers: their requests as bytes, and the events that they receive."""

from __future__ import annotations

import asyncio
import json
import shutil
import socket
import threading
from contextlib import closing, contextmanager
from pathlib import Path

from referee.cli.game_view import list_human_seats
from referee.cli.log_file import WatchedLogFile
from referee.cli.session.phones import PhoneRequestHandler
from referee.record.table.opening_logs import open_log
from referee.record.table.seat_view import SeatView
from referee.serve.app import make_app
from referee.serve.game_room import GameRoom
from referee.serve.links import Links
from referee.serve.server import LOCALHOST, GameServer, list_host_names, open_sockets, serve_room

SHIPPED = {
    "manoover": "manoover/games/01-base.jsonl",
    "mutants": "mutants/games/basic.jsonl",
    "sheboygan": "sheboygan/games/learning.jsonl",
    "zombies": "zombies/games/solo.jsonl",
}
"""A log of each game."""
PATIENCE = 20.0


class Table:
    """A log that is served."""

    def __init__(self, log, *, play=False):
        session = open_log(log)
        self.log = log
        self.troubles = []
        served = WatchedLogFile(session, self.troubles.append)
        self.sockets = open_sockets([LOCALHOST], 0)
        self.port = self.sockets[0].getsockname()[1]
        self.host = f"{LOCALHOST}:{self.port}"
        self.links = Links(list_human_seats(SeatView(session)))
        self.room = GameRoom(served, served.last_reading, PhoneRequestHandler(session) if play else None)
        self.hosts = list_host_names(self.sockets)
        self.server = GameServer(make_app(self.room, self.links, self.hosts), self.room)
        self.loop = None
        self.viewers = []

    def run(self):
        async def main():
            self.loop = asyncio.get_running_loop()
            await serve_room(self.server, self.room, self.sockets)

        asyncio.run(main())

    def path(self, eyes=None):
        return f"/{self.links.by_eyes[eyes].token}"

    def url(self, eyes=None):
        return f"http://{self.host}{self.path(eyes)}"

    def renew(self, eyes):
        """Withdraws a link and makes a new one, as a line typed in the terminal does."""
        done = threading.Event()

        def renewed():
            self.links.renew(eyes)
            self.room.wake_viewers()
            done.set()

        self.loop.call_soon_threadsafe(renewed)
        assert done.wait(PATIENCE)

    def cut_lines(self):
        """Ends all connections, as a network failure does."""

        def cut():
            for one in list(self.server.server_state.connections):
                one.transport.abort()

        self.loop.call_soon_threadsafe(cut)

    def ask(self, path, method="GET", body=b"", at=LOCALHOST, **headers):
        """Sends one request to an address of the server, byte for byte."""
        named = {"Host": self.host, "Connection": "close", **({"Content-Length": str(len(body))} if body else {})}
        named |= {name.replace("_", "-"): value for name, value in headers.items()}
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in named.items() if value)]
        with socket.create_connection((at, self.port), PATIENCE) as asking:
            asking.sendall("\r\n".join([*lines, "", ""]).encode("latin-1") + body)
            with asking.makefile("rb") as answer:
                return Heard(answer.read())

    def say(self, seat, request, **headers):
        body = request if isinstance(request, bytes) else json.dumps(request).encode()
        given = {"Origin": f"http://{self.host}", "Content-Type": "application/json", **headers}
        return self.ask(f"{self.path(seat)}/say", "POST", body, **given)

    def page(self, eyes=None):
        return self.ask(self.path(eyes))

    def place(self, eyes=None):
        """Returns the position of a viewer who has just loaded the page."""
        return self.page(eyes).text.partition('name="referee-place" content="')[2].partition('"')[0]

    def watch(self, eyes=None, after=None, path=None):
        self.viewers.append(Viewer(self, path or self.path(eyes), self.place(eyes) if after is None else after))
        return self.viewers[-1]


class Heard:
    """A response."""

    def __init__(self, data):
        self.data = data
        head, _, self.body = data.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        self.status = int(first.split()[1])
        pairs = (line.partition(": ") for line in lines)
        self.headers = {name.lower(): value for name, _, value in pairs}

    @property
    def text(self):
        return self.body.decode()

    @property
    def json(self):
        return json.loads(self.body)


class Viewer:
    """A viewer who receives events."""

    def __init__(self, table, path, after):
        self.socket = socket.create_connection((LOCALHOST, table.port), PATIENCE)
        head = f"GET {path}/events?after={after} HTTP/1.1\r\nHost: {table.host}\r\n\r\n"
        self.socket.sendall(head.encode())
        self.file = self.socket.makefile("rb")
        self.status = int(self.file.readline().split()[1])
        while self.file.readline().strip():
            pass
        self.place = after
        self.data = b""

    def events(self):
        """Yields names and data of events, without beats, until the stream ends."""
        name, place = "", ""
        for line in iter(self.line, None):
            if line.startswith("event: "):
                name, place = line[7:], ""
            elif line.startswith("id: "):
                place = line[4:]
            elif line.startswith("data: ") and name != "beat":
                self.place = place or self.place
                yield name, json.loads(line[6:])

    def line(self):
        """Returns the next line of the event stream without the chunks of HTTP; None at the end."""
        while b"\n" not in self.data:
            size = int(self.file.readline().strip() or b"0", 16)
            if not size:
                return None
            self.data += self.file.read(size)
            self.file.readline()
        line, _, self.data = self.data.partition(b"\n")
        return line.decode()

    def next(self):
        return next(self.events(), None)

    def until(self, wanted):
        """Returns the data of the next event of this name."""
        return next(data for name, data in self.events() if name == wanted)

    def close(self):
        self.file.close()
        self.socket.close()


@contextmanager
def served(log, *, play=False):
    """Serves a log in a thread until the end of the block."""
    table = Table(log, play=play)
    running = threading.Thread(target=table.run)
    running.start()
    try:
        with closing(socket.create_connection((LOCALHOST, table.port), PATIENCE)):
            yield table
    finally:
        for viewer in table.viewers:
            viewer.close()
        table.server.should_exit = True
        running.join(PATIENCE)
        assert not running.is_alive()


def cut(log, entries, target):
    """Writes the first entries of a log into a log of its own, and returns the others."""
    lines = Path(log).read_bytes().splitlines(keepends=True)
    for vault in Path(log).parent.glob(f"{Path(log).name}.*.vault"):
        shutil.copy(vault, target.with_name(vault.name.replace(Path(log).name, target.name)))
    target.write_bytes(b"".join(lines[:entries]))
    return lines[entries:]


def add(log, *lines):
    with Path(log).open("ab") as file:
        file.write(b"".join(lines))


def last(here):
    return len(open_log(here.log).entries) - 1
