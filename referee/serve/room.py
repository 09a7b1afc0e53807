"""A room: the log followed, the views kept up, one thread for all that has to do with the game."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from referee.serve.game import BrokenError, Game, Reading, Speak
from referee.serve.views import News, Place, View

LOOKS = 0.05
"""Seconds between two looks at the log."""
T = TypeVar("T")


class Room:
    """What is shown of a game, and what is said in it."""

    def __init__(self, game: Game, reading: Reading, speak: Speak | None = None) -> None:
        """`reading`: as the log was read first."""
        self.speaks = speak is not None
        self._unread = self._untold = ""
        """Why the log could not be read, or not be told, when that was tried last; empty: it could."""
        self.is_over = False
        """Whether it is served no more."""
        self.changed = asyncio.Event()
        """Set once something is other than before; then there is another one."""
        self._game, self._reading, self._speak = game, reading, speak
        self._stamp: Hashable = None
        self._views: dict[str | None, View] = {}
        self._thread = ThreadPoolExecutor(1, "game")

    @property
    def notice(self) -> str:
        """What is wrong with the log, for everybody; empty: nothing."""
        return self._unread or self._untold or self._reading.notice

    async def follow(self) -> None:
        """Look at the log again and again."""
        try:
            while not self.is_over:
                await self.look()
                await asyncio.sleep(LOOKS)
        finally:
            self._thread.shutdown(wait=False, cancel_futures=True)

    async def look(self) -> None:
        """Read the log, if it may have changed."""
        if await self._alone(self._look):
            self.tell()

    def tell(self) -> None:
        """Wake all who wait for something to change."""
        self.changed.set()
        self.changed = asyncio.Event()

    def close(self) -> None:
        """Serve it no more."""
        self.is_over = True
        self.tell()

    async def page(self, eyes: str | None) -> bytes | None:
        """The page for these eyes; None: they cannot be looked through any more."""

        def page() -> bytes | None:
            view = self._view(eyes)
            return view.page() if view else None

        return await self._alone(page)

    async def since(self, eyes: str | None, place: Place | None) -> Sequence[News] | None:
        """What came after a place; None: it is none of what is told."""

        def since() -> Sequence[News] | None:
            view = self._view(eyes)
            return view.since(place) if view and place else None

        return await self._alone(since)

    async def say(self, seat: str, request: Mapping[str, Any]) -> Mapping[str, Any]:
        """What a seat says by its phone, and the answer; whatever that recorded is seen at once. Where it says `wake`,
        something that is in no log is other than before, and all phones look again.
        """
        speak = self._speak
        assert speak is not None, "phones may speak"
        answer = await self._alone(lambda: speak(seat, request))
        await self.look()
        if answer.get("wake"):
            self.tell()
        return answer

    async def _alone(self, work: Callable[[], T]) -> T:
        """Do something while nobody else has to do with the game."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def _look(self) -> bool:
        """Whether something is other than before."""
        stamp = self._game.stamp()
        if stamp == self._stamp:
            return False
        before = self._reading, self.notice
        try:
            self._reading = self._game.read()
            self._unread = ""
        except BrokenError as error:
            self._unread = str(error)
        self._stamp = stamp
        return before != (self._reading, self.notice)

    def _view(self, eyes: str | None) -> View | None:
        """The view of these eyes, kept up as far as the log can be read."""
        if eyes is not None and eyes not in self._reading.seats:
            return None
        view = self._views.setdefault(eyes, View(eyes, speaks=self.speaks and eyes is not None))
        try:
            view.update(self._game, self._reading)
            self._untold = ""
        except BrokenError as error:
            self._untold = str(error)
        return view
