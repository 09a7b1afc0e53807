"""Sockets, addresses, and the loop that serves until somebody ends it."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from threading import Thread

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from referee.serve.game_room import GameRoom
from referee.serve.http_refusals import DENY_ALL_POLICY, RESPONSE_HEADERS, make_refusal_response
from referee.serve.rate_limits import MAX_CONNECTIONS, MAX_CONNECTIONS_PER_ADDRESS, MAX_HEAD_BYTES, REQUEST_SECONDS

LOCALHOST = "127.0.0.1"
ADDRESS_CHECK_SECONDS = 5.0
"""The seconds between two looks at this computer's address."""
UNUSED_ADDRESS = ("192.0.2.1", 9)
"""An address that nobody has. Nothing is sent to it; the system only tells which own address it would use for that."""
MAX_LINE_BYTES = 4 * 1024
"""The longest line in the terminal, in bytes."""


def find_own_address() -> str | None:
    """Returns this computer's address in its network; None if there is no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(UNUSED_ADDRESS)
            address = str(asking.getsockname()[0])
        except OSError:
            return None
    return None if address.startswith("127.") or address == "0.0.0.0" else address


def open_sockets(addresses: Sequence[str], port: int) -> list[socket.socket]:
    """Opens sockets at these addresses, all at one port; port 0 stands for any free port. Raises OSError."""
    found: list[socket.socket] = []
    try:
        for address in addresses:
            found.append(_open_socket(address, port))
            port = found[0].getsockname()[1]
    except OSError:
        for one in found:
            one.close()
        raise
    return found


def _open_socket(address: str, port: int) -> socket.socket:
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


def list_host_names(sockets: Sequence[socket.socket]) -> set[str]:
    """Returns the names by which browsers may address the server: its addresses and localhost, each with the port."""
    names = [one.getsockname()[:2] for one in sockets]
    return {f"{address}:{port}" for address, port in names} | {f"localhost:{port}" for _, port in names[:1]}


class Connection(H11Protocol):
    """A connection. It is closed if there are too many, or if no request comes for long."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accepts a connection, or closes it if there are too many."""
        super().connection_made(transport)
        if len(self.connections) > MAX_CONNECTIONS or self._of_this_address > MAX_CONNECTIONS_PER_ADDRESS:
            transport.abort()
        self._wait_for_request()

    def data_received(self, data: bytes) -> None:
        """Receives more of a request, which must be complete within REQUEST_SECONDS seconds."""
        super().data_received(data)
        if self._is_idle and not self._waits:
            self._wait_for_request()

    def send_400_response(self, _msg: str) -> None:
        """Refuses data that is not HTTP with the usual sentence and headers, and closes the connection."""
        answer = make_refusal_response(400)
        named = {**RESPONSE_HEADERS, "Content-Security-Policy": DENY_ALL_POLICY, "Connection": "close"}
        headers = [*answer.raw_headers, *((key.encode(), value.encode()) for key, value in named.items())]
        head = h11.Response(status_code=400, headers=headers, reason=b"Bad Request")
        for event in (head, h11.Data(data=bytes(answer.body)), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    @property
    def _of_this_address(self) -> int:
        """The number of connections from the same address."""
        others = (one.client for one in self.connections if isinstance(one, Connection))
        return sum(client[0] == self.client[0] for client in others if client and self.client)

    @property
    def _is_idle(self) -> bool:
        """True if no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def _wait_for_request(self) -> None:
        self._waits = True
        self.loop.call_later(REQUEST_SECONDS, self._close_if_idle, self.cycle)

    def _close_if_idle(self, answered: object) -> None:
        """Closes the connection if no request came after `answered`, the last one before the wait."""
        self._waits = False
        if self._is_idle and self.cycle is answered:
            self.transport.abort()
        elif self._is_idle:
            self._wait_for_request()


class GameServer(uvicorn.Server):
    """Serves a room until somebody ends it. Requests are not logged."""

    def __init__(self, app: ASGIApp, room: GameRoom) -> None:
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
                h11_max_incomplete_event_size=MAX_HEAD_BYTES,
                timeout_keep_alive=int(REQUEST_SECONDS),
                timeout_graceful_shutdown=1,
            )
        )
        self._room = room

    async def add_socket(self, bound: socket.socket) -> None:
        """Serves at one more socket, in the way in which uvicorn serves at those of its start."""
        made = partial(Connection, config=self.config, server_state=self.server_state, app_state=self.lifespan.state)
        loop = asyncio.get_running_loop()
        self.servers.append(await loop.create_server(made, sock=bound, backlog=self.config.backlog))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Ends all streams first, then the server."""
        self._room.close()
        await super().shutdown(sockets)


async def serve_new_addresses(
    server: GameServer, hosts: set[str], port: int, moved: Callable[[str], None], pause: float = ADDRESS_CHECK_SECONDS
) -> None:
    """Serves under each new address that this computer gets in its network, and calls `moved` with it.

    A laptop that has slept often has another one. `hosts` are the names known so far; the new ones are added.
    """
    while True:
        await asyncio.sleep(pause)
        address = find_own_address()
        if not server.started or address is None or f"{address}:{port}" in hosts:
            continue
        with suppress(OSError):  # it is tried again
            (bound,) = open_sockets([address], port)
            hosts.add(f"{address}:{port}")
            await server.add_socket(bound)
            moved(address)


async def serve_room(
    server: GameServer, room: GameRoom, sockets: list[socket.socket], typed: Callable[[str], None] | None = None
) -> None:
    """Serves a room at these sockets until somebody ends it. `typed` is called with each line from the terminal."""
    follows = asyncio.create_task(room.follow_log())
    if typed:
        _read_lines(typed)
    try:
        await server.serve(sockets)
    finally:
        follows.cancel()
        with suppress(asyncio.CancelledError):
            await follows


def _read_lines(typed: Callable[[str], None]) -> None:
    """Calls `typed` with each typed line. A thread that ends with the process waits for the lines.

    Reads nothing if this process runs in the background.
    """
    loop = asyncio.get_running_loop()

    def read() -> None:
        rest = b""
        while chunk := _read_input():
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                loop.call_soon_threadsafe(typed, line.decode("utf-8", "replace").strip())
            rest = rest[-MAX_LINE_BYTES:]

    if not _is_in_background():
        Thread(target=read, daemon=True).start()


def _read_input() -> bytes:
    """Returns the next bytes from the terminal; b"" at the end.

    It does not use Python's own buffer, which would keep the process from ending while it waits.
    """
    try:
        return os.read(0, MAX_LINE_BYTES)
    except OSError:
        return b""


def _is_in_background() -> bool:
    """True if a shell runs this process in the background, where reading would stop it."""
    try:
        return os.name == "posix" and os.isatty(0) and os.tcgetpgrp(0) != os.getpgrp()
    except OSError:
        return False
