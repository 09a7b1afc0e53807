"""The routes of a room, and what guards them: hosts, origins, sizes, rates; the same headers on everything."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from referee.serve.limits import BEAT, MOST_SAID, PATIENCE, STREAMS
from referee.serve.links import Link, Links
from referee.serve.page import policy
from referee.serve.refusals import HEADERS, NOTHING, refuse_with
from referee.serve.room import Room
from referee.serve.views import place_of

RETRY = 2_000
"""Milliseconds after which a browser asks again for what comes."""


class RefusedError(Exception):
    """A request is refused with a status, and told the sentence of that status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def app_of(room: Room, links: Links, hosts: Collection[str]) -> ASGIApp:
    """The application; `hosts`: how it may be called, `address:port`."""
    routes = _Routes(room, links, hosts)
    app = Starlette(
        routes=[
            Route("/{token}", routes.page, methods=["GET"]),
            Route("/{token}/events", routes.events, methods=["GET"]),
            Route("/{token}/say", routes.say, methods=["POST"]),
        ],
        exception_handlers={RefusedError: _refused, 404: _refused, 405: _refused, Exception: _broken},
    )
    app.router.redirect_slashes = False
    return Guard(app, hosts)


class Guard:
    """Nobody comes in under a name that was not served, as when a foreign page has its own name lead here; and every
    response has the same headers.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        self._app, self._hosts = app, frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("Content-Security-Policy", NOTHING)
            await send(message)

        named = [value.decode("latin-1").lower() for name, value in scope.get("headers", ()) if name == b"host"]
        app = self._app if len(named) == 1 and named[0] in self._hosts else refuse_with(421)
        await app(scope, receive, headed)


async def _refused(_: Request, error: Exception) -> Response:
    return refuse_with(error.status if isinstance(error, RefusedError) else 404)


async def _broken(_: Request, __: Exception) -> Response:
    return refuse_with(500)


class _Routes:
    def __init__(self, room: Room, links: Links, hosts: Collection[str]) -> None:
        self._room, self._links = room, links
        self._origins = frozenset(f"http://{host}" for host in hosts)

    async def page(self, request: Request) -> Response:
        """The page of a link."""
        link = self._link(request)
        page = await self._room.page(link.eyes)
        if page is None:
            raise RefusedError(404)
        headers = {"Content-Security-Policy": policy(speaks=self._room.speaks and link.eyes is not None)}
        return Response(page, media_type="text/html", headers=headers)

    async def events(self, request: Request) -> Response:
        """What comes, as long as somebody listens."""
        link = self._link(request)
        if link.streams >= STREAMS:
            raise RefusedError(429)
        after = request.headers.get("last-event-id") or request.query_params.get("after", "")
        return _Stream(link, self._told(link, after))

    async def say(self, request: Request) -> Response:
        """What a seat says, and the answer."""
        link = self._link(request)
        if link.eyes is None or not self._room.speaks:
            raise RefusedError(404)
        if request.headers.get("origin") not in self._origins:
            raise RefusedError(403)
        said = _decoded(await _body(request))
        if link.is_withdrawn:  # while its words were still on their way
            raise RefusedError(404)
        answer = await self._room.say(link.eyes, said)
        return Response(msgspec.json.encode(answer), media_type="application/json")

    def _link(self, request: Request) -> Link:
        """The link of a request, and one more request of it."""
        link = self._links.find(request.path_params["token"])
        if link is None or request.method == "HEAD":
            raise RefusedError(404)
        if not link.bucket.take():
            raise RefusedError(429)
        return link

    async def _told(self, link: Link, after: str) -> AsyncIterator[bytes]:
        yield f"retry: {RETRY}\n\n".encode()
        async for event in self._news(link, after):
            yield event

    async def _news(self, link: Link, after: str) -> AsyncIterator[bytes]:
        room, place, notice = self._room, place_of(after), ""
        while not room.is_over:
            changed = room.changed
            if link.is_withdrawn:
                yield _event("gone")
                return
            news = await room.since(link.eyes, place)
            if news is None:
                yield _event("anew")
                return
            for item in news:
                place = item.place
                yield _event("entry", item.data, str(place))
            if room.notice != notice:
                notice = room.notice
                yield _event("notice", msgspec.json.encode({"words": notice}))
            yield _event("beat")
            await _wait(changed)


class _Stream(StreamingResponse):
    """What comes to one viewer of a link: he is counted at once, before another may come."""

    def __init__(self, link: Link, told: AsyncIterator[bytes]) -> None:
        super().__init__(told, media_type="text/event-stream")
        self._link = link

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Tell it, till he has gone."""
        self._link.streams += 1
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._link.streams -= 1


async def _wait(changed: asyncio.Event) -> None:
    """Until something has changed, or for a while."""
    try:
        async with asyncio.timeout(BEAT):
            await changed.wait()
    except TimeoutError:
        return


def _event(name: str, data: bytes = b"{}", place: str = "") -> bytes:
    told = f"id: {place}\n" if place else ""
    return f"event: {name}\n{told}data: ".encode() + data + b"\n\n"


async def _body(request: Request) -> bytes:
    """All of a request's body; RefusedError where it is no JSON, too long, or does not come."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise RefusedError(415)
    body = b""
    try:
        async with asyncio.timeout(PATIENCE):
            async for chunk in request.stream():
                body += chunk
                if len(body) > MOST_SAID:
                    raise RefusedError(413)
    except (TimeoutError, ClientDisconnect) as error:
        raise RefusedError(408) from error
    return body


def _decoded(body: bytes) -> dict[str, Any]:
    try:
        return msgspec.json.decode(body, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RefusedError(400) from error
