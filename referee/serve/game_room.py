"""A room: it follows the log of one game and updates the views. One thread does everything that touches the game."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from referee.serve.live_view import EntryNews, LiveView, ViewerProgress
from referee.serve.watched_log import LogReading, RequestHandler, UnreadableLogError, WatchedGame

POLL_SECONDS = 0.05
"""The seconds between two looks at the log."""
T = TypeVar("T")


class GameRoom:
    """A served game: its log is read again after every change, and phones may act in it through `handle_request`."""

    def __init__(self, game: WatchedGame, reading: LogReading, handle_request: RequestHandler | None = None) -> None:
        """`reading` is the first reading of the log."""
        self.may_act = handle_request is not None
        self._reading_problem = self._telling_problem = ""
        """The problems of the last attempts to read the log, and to tell it to viewers; "" if an attempt succeeded."""
        self.is_closed = False
        """True once the room is closed."""
        self.changed = asyncio.Event()
        """Set when something changes. Then a new event takes its place."""
        self._game, self._reading, self._handle_request = game, reading, handle_request
        self._stamp: Hashable = None
        self._views: dict[str | None, LiveView] = {}
        self._thread = ThreadPoolExecutor(1, "game")

    @property
    def notice(self) -> str:
        """A problem of the log, for everybody; "" if there is none."""
        return self._reading_problem or self._telling_problem or self._reading.notice

    async def follow_log(self) -> None:
        """Looks at the log every POLL_SECONDS seconds, until the room is closed."""
        try:
            while not self.is_closed:
                await self.read_if_changed()
                await asyncio.sleep(POLL_SECONDS)
        finally:
            self._thread.shutdown(wait=False, cancel_futures=True)

    async def read_if_changed(self) -> None:
        """Reads the log if it may have changed."""
        if await self._run_alone(self._read_if_new_stamp):
            self.wake_viewers()

    def wake_viewers(self) -> None:
        """Wakes everyone who waits for a change."""
        self.changed.set()
        self.changed = asyncio.Event()

    def close(self) -> None:
        """Closes the room, and wakes the viewers so that their streams end."""
        self.is_closed = True
        self.wake_viewers()

    async def render_page(self, eyes: str | None) -> bytes | None:
        """Returns the page of a seat, or of everybody (None); None if the seat's view is not possible here."""

        def render() -> bytes | None:
            view = self._update_view(eyes)
            return view.render_page() if view else None

        return await self._run_alone(render)

    async def draw_checkpoint_code(self, eyes: str | None) -> str | None:
        """Returns the last entry of a seat's page as a QR code in SVG; None if the seat's view is not possible here."""

        def draw() -> str | None:
            view = self._update_view(eyes)
            return view.draw_checkpoint_code() if view else None

        return await self._run_alone(draw)

    async def list_news_since(self, eyes: str | None, progress: ViewerProgress | None) -> Sequence[EntryNews] | None:
        """Returns the news after a viewer's position; None if the page must be loaded again."""

        def list_news() -> Sequence[EntryNews] | None:
            view = self._update_view(eyes)
            return view.list_news_since(progress) if view and progress else None

        return await self._run_alone(list_news)

    async def answer_request(self, seat: str, request: Mapping[str, Any]) -> Mapping[str, Any]:
        """Passes on a request from a seat's phone and returns the answer. Viewers see at once what was recorded.

        If the answer says `wake`, something outside the log has changed, and all phones ask again.
        """
        handle_request = self._handle_request
        assert handle_request is not None, "phones may send requests in this room"
        answer = await self._run_alone(lambda: handle_request(seat, request))
        await self.read_if_changed()
        if answer.get("wake"):
            self.wake_viewers()
        return answer

    async def _run_alone(self, work: Callable[[], T]) -> T:
        """Runs a function in the one thread that uses the game."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def _read_if_new_stamp(self) -> bool:
        """Reads the log if its stamp has changed. Returns True if the reading or the notice has changed."""
        stamp = self._game.read_change_stamp()
        if stamp == self._stamp:
            return False
        before = self._reading, self.notice
        try:
            self._reading = self._game.read_log()
            self._reading_problem = ""
        except UnreadableLogError as error:
            self._reading_problem = str(error)
        self._stamp = stamp
        return before != (self._reading, self.notice)

    def _update_view(self, eyes: str | None) -> LiveView | None:
        """Returns the updated view of a seat, or of everybody (None); None if the seat's view is not possible here."""
        if eyes is not None and eyes not in self._reading.seats:
            return None
        view = self._views.setdefault(eyes, LiveView(eyes, may_act=self.may_act and eyes is not None))
        try:
            view.update(self._game, self._reading)
            self._telling_problem = ""
        except UnreadableLogError as error:
            self._telling_problem = str(error)
        return view
