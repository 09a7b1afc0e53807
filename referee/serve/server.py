"""Sockets, addresses, and the loop that serves until somebody ends it."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Thread

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from referee.serve.limits import CONNECTIONS, EACH, MOST_HEAD, PATIENCE
from referee.serve.refusals import HEADERS, NOTHING, refuse_with
from referee.serve.room import Room

HERE = "127.0.0.1"
ELSEWHERE = ("192.0.2.1", 9)
"""An address that nobody has: nothing is sent to it, but the system says from where it would be."""
MOST_TYPED = 4 * 1024
"""Bytes of a line in the terminal."""


def address_here() -> str | None:
    """The address of this computer in its network; None: it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(ELSEWHERE)
            address = str(asking.getsockname()[0])
        except OSError:
            return None
    return None if address.startswith("127.") or address == "0.0.0.0" else address


def listen(addresses: Sequence[str], port: int) -> list[socket.socket]:
    """Sockets at these addresses, all at one port, which is any free one if it is 0; OSError."""
    found: list[socket.socket] = []
    try:
        for address in addresses:
            found.append(_bound(address, port))
            port = found[0].getsockname()[1]
    except OSError:
        for one in found:
            one.close()
        raise
    return found


def _bound(address: str, port: int) -> socket.socket:
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name == "posix":  # elsewhere it would let two programs have one port
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((address, port))
    except OSError:
        bound.close()
        raise
    bound.listen()
    return bound


def hosts_at(sockets: Sequence[socket.socket]) -> list[str]:
    """How the server may be called: by its addresses, and as localhost."""
    names = [one.getsockname()[:2] for one in sockets]
    return [f"{address}:{port}" for address, port in names] + [f"localhost:{port}" for _, port in names[:1]]


class Connection(H11Protocol):
    """A connection that is closed where there are too many, or nothing is asked for long."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has come."""
        super().connection_made(transport)
        if len(self.connections) > CONNECTIONS or self._of_this_address > EACH:
            transport.abort()
        self._wait()

    def data_received(self, data: bytes) -> None:
        """More of a request has come, which has to be whole soon."""
        super().data_received(data)
        if self._is_idle and not self._waits:
            self._wait()

    def send_400_response(self, _msg: str) -> None:
        """Refuses what is not HTTP as everything else is refused, and closes the connection."""
        answer = refuse_with(400)
        named = {**HEADERS, "Content-Security-Policy": NOTHING, "Connection": "close"}
        headers = [*answer.raw_headers, *((key.encode(), value.encode()) for key, value in named.items())]
        head = h11.Response(status_code=400, headers=headers, reason=b"Bad Request")
        for event in (head, h11.Data(data=bytes(answer.body)), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    @property
    def _of_this_address(self) -> int:
        """How many connections there are from where this one comes."""
        others = (one.client for one in self.connections if isinstance(one, Connection))
        return sum(client[0] == self.client[0] for client in others if client and self.client)

    @property
    def _is_idle(self) -> bool:
        """Whether nothing is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def _wait(self) -> None:
        self._waits = True
        self.loop.call_later(PATIENCE, self._hurry, self.cycle)

    def _hurry(self, answered: object) -> None:
        """Close it, if no request has become whole since the one that was `answered` last."""
        self._waits = False
        if self._is_idle and self.cycle is answered:
            self.transport.abort()
        elif self._is_idle:
            self._wait()


class Server(uvicorn.Server):
    """Serves a room until somebody ends it. Nothing that is asked is written anywhere."""

    def __init__(self, app: ASGIApp, room: Room) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=Connection,
                ws="none",
                lifespan="off",
                log_config=None,
                log_level="critical",
                access_log=False,
                proxy_headers=False,
                server_header=False,
                h11_max_incomplete_event_size=MOST_HEAD,
                timeout_keep_alive=int(PATIENCE),
                timeout_graceful_shutdown=1,
            )
        )
        self._room = room

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End all streams first."""
        self._room.close()
        await super().shutdown(sockets)


async def serve(
    server: Server, room: Room, sockets: list[socket.socket], typed: Callable[[str], None] | None = None
) -> None:
    """Serve until somebody ends it; `typed` takes each line of the terminal."""
    follows = asyncio.create_task(room.follow())
    if typed:
        _read_lines(typed)
    try:
        await server.serve(sockets)
    finally:
        follows.cancel()
        with suppress(asyncio.CancelledError):
            await follows


def _read_lines(typed: Callable[[str], None]) -> None:
    """Hand over each line that is typed, in a thread that dies with us."""
    loop = asyncio.get_running_loop()

    def read() -> None:
        rest = b""
        while chunk := _typed():
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                loop.call_soon_threadsafe(typed, line.decode("utf-8", "replace").strip())
            rest = rest[-MOST_TYPED:]

    if not _in_background():
        Thread(target=read, daemon=True).start()


def _typed() -> bytes:
    """What was typed next, read past what Python keeps of it, which could not be left while it waits."""
    try:
        return os.read(0, MOST_TYPED)
    except OSError:
        return b""


def _in_background() -> bool:
    """Whether a shell runs us behind what somebody types, where reading would stop us."""
    try:
        return os.name == "posix" and os.isatty(0) and os.tcgetpgrp(0) != os.getpgrp()
    except OSError:
        return False
