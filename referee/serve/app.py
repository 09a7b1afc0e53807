"""The routes of a room. Each checks hosts, origins, sizes and rates, and each response has the same headers."""

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

from referee.gate import UnreadableError, read_json
from referee.serve.game_room import GameRoom
from referee.serve.http_refusals import DENY_ALL_POLICY, RESPONSE_HEADERS, make_refusal_response
from referee.serve.links import Link, Links
from referee.serve.live_page import make_live_security_policy
from referee.serve.live_view import parse_viewer_progress
from referee.serve.rate_limits import BEAT_SECONDS, MAX_BODY_BYTES, MAX_STREAMS_OF_LINK, REQUEST_SECONDS

RETRY_MILLISECONDS = 2_000
"""The milliseconds after which a browser reconnects."""


class RefusedError(Exception):
    """Raised to refuse a request with an HTTP status. The response is the sentence of that status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def make_app(room: GameRoom, links: Links, hosts: Collection[str]) -> ASGIApp:
    """Returns the web application. `hosts` are the names by which browsers may address it, as `address:port`.

    More names may be added to `hosts` while it runs.
    """
    routes = _Routes(room, links, hosts)
    app = Starlette(
        routes=[
            Route("/{token}", routes.show_page, methods=["GET"]),
            Route("/{token}/code", routes.show_code, methods=["GET"]),
            Route("/{token}/events", routes.stream_events, methods=["GET"]),
            Route("/{token}/say", routes.pass_request, methods=["POST"]),
        ],
        exception_handlers={
            RefusedError: _answer_refused,
            404: _answer_refused,
            405: _answer_refused,
            Exception: _answer_bug,
        },
    )
    app.router.redirect_slashes = False
    return HostGuard(app, hosts)


class HostGuard:
    """The outermost layer of the application. It adds the same headers to every response.

    It refuses requests whose `Host` is not one of the server's names. A foreign page could send such requests, through
    a name of its own that leads to this computer.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        self._app, self._hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in RESPONSE_HEADERS.items():
                    headers[name] = value
                headers.setdefault("Content-Security-Policy", DENY_ALL_POLICY)
            await send(message)

        named = [value.decode("latin-1").lower() for name, value in scope.get("headers", ()) if name == b"host"]
        app = self._app if len(named) == 1 and named[0] in self._hosts else make_refusal_response(421)
        await app(scope, receive, send_with_headers)


async def _answer_refused(_: Request, error: Exception) -> Response:
    return make_refusal_response(error.status if isinstance(error, RefusedError) else 404)


async def _answer_bug(_: Request, __: Exception) -> Response:
    return make_refusal_response(500)


class _Routes:
    def __init__(self, room: GameRoom, links: Links, hosts: Collection[str]) -> None:
        self._room, self._links, self._hosts = room, links, hosts

    async def show_page(self, request: Request) -> Response:
        """Returns the page of a link."""
        link = self._find_link(request)
        page = await self._room.render_page(link.eyes)
        if page is None:
            raise RefusedError(404)
        headers = {
            "Content-Security-Policy": make_live_security_policy(may_act=self._room.may_act and link.eyes is not None)
        }
        return Response(page, media_type="text/html", headers=headers)

    async def show_code(self, request: Request) -> Response:
        """Returns the code of the last entry, to be photographed."""
        drawing = await self._room.draw_checkpoint_code(self._find_link(request).eyes)
        if drawing is None:
            raise RefusedError(404)
        return Response(drawing, media_type="image/svg+xml")

    async def stream_events(self, request: Request) -> Response:
        """Returns the events of a link, as a stream that lasts as long as somebody listens."""
        link = self._find_link(request)
        if link.stream_count >= MAX_STREAMS_OF_LINK:
            raise RefusedError(429)
        after = request.headers.get("last-event-id") or request.query_params.get("after", "")
        return _Stream(link, self._encode_stream(link, after))

    async def pass_request(self, request: Request) -> Response:
        """Passes a seat's request to the room and returns the answer. Raises RefusedError if phones may not speak."""
        link = self._find_link(request)
        if link.eyes is None or not self._room.may_act:
            raise RefusedError(404)
        scheme, _, host = request.headers.get("origin", "").partition("://")
        if scheme != "http" or host not in self._hosts:
            raise RefusedError(403)
        body = _decode_json(await _read_body(request))
        if link.is_withdrawn:  # while the request was still arriving
            raise RefusedError(404)
        answer = await self._room.answer_request(link.eyes, body)
        return Response(msgspec.json.encode(answer), media_type="application/json")

    def _find_link(self, request: Request) -> Link:
        """Returns the link of a request and counts the request.

        Raises RefusedError if there is no such link, or if the link has had too many requests.
        """
        link = self._links.find(request.path_params["token"])
        if link is None or request.method == "HEAD":
            raise RefusedError(404)
        if not link.rate_limiter.count_request():
            raise RefusedError(429)
        return link

    async def _encode_stream(self, link: Link, after: str) -> AsyncIterator[bytes]:
        yield f"retry: {RETRY_MILLISECONDS}\n\n".encode()
        async for event in self._follow_news(link, after):
            yield event

    async def _follow_news(self, link: Link, after: str) -> AsyncIterator[bytes]:
        room, progress, notice = self._room, parse_viewer_progress(after), ""
        while not room.is_closed:
            changed = room.changed
            if link.is_withdrawn:
                yield _encode_event("gone")
                return
            news = await room.list_news_since(link.eyes, progress)
            if news is None:
                yield _encode_event("anew")
                return
            for item in news:
                progress = item.progress
                yield _encode_event("entry", item.data, str(progress))
            if room.notice != notice:
                notice = room.notice
                yield _encode_event("notice", msgspec.json.encode({"words": notice}))
            yield _encode_event("beat")
            await _wait_for_change(changed)


class _Stream(StreamingResponse):
    """The event stream of one viewer. The viewer is counted at once, before another may come."""

    def __init__(self, link: Link, events: AsyncIterator[bytes]) -> None:
        super().__init__(events, media_type="text/event-stream")
        self._find_link = link

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends events until the viewer has gone."""
        self._find_link.stream_count += 1
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._find_link.stream_count -= 1


async def _wait_for_change(changed: asyncio.Event) -> None:
    """Waits until something has changed, but at most BEAT_SECONDS seconds."""
    try:
        async with asyncio.timeout(BEAT_SECONDS):
            await changed.wait()
    except TimeoutError:
        return


def _encode_event(name: str, data: bytes = b"{}", progress: str = "") -> bytes:
    id_line = f"id: {progress}\n" if progress else ""
    return f"event: {name}\n{id_line}data: ".encode() + data + b"\n\n"


async def _read_body(request: Request) -> bytes:
    """Returns the whole body of a request. Raises RefusedError if it is not JSON, too long or late."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise RefusedError(415)
    body = b""
    try:
        async with asyncio.timeout(REQUEST_SECONDS):
            async for chunk in request.stream():
                body += chunk
                if len(body) > MAX_BODY_BYTES:
                    raise RefusedError(413)
    except (TimeoutError, ClientDisconnect) as error:
        raise RefusedError(408) from error
    return body


def _decode_json(body: bytes) -> dict[str, Any]:
    try:
        return read_json(body, dict[str, Any])
    except UnreadableError as error:
        raise RefusedError(400) from error
