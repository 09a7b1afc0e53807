"""What one pair of eyes is shown: the page, and what comes after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from referee.page.document import Told
from referee.page.frames import Frame
from referee.page.story import Step, Story
from referee.serve.game import Game, Reading
from referee.serve.page import page_of
from referee.show.element import Element
from referee.show.legend import drawn as drawn_sample

LATELY = 40
"""Entries before the last one that a page begins with; what comes while it is served is added."""
LONGEST = 9
"""Digits of a number in a place."""


class Place(NamedTuple):
    """How far a viewer has come: of which telling of the game, and up to which entry."""

    telling: int
    n: int

    def __str__(self) -> str:
        return f"{self.telling}.{self.n}"


def place_of(text: str) -> Place | None:
    """The place that a viewer names; None: it is none."""
    telling, _, n = text.partition(".")
    is_place = all(one.isascii() and one.isdecimal() and len(one) <= LONGEST for one in (telling, n))
    return Place(int(telling), int(n)) if is_place else None


class News(NamedTuple):
    """What came with an entry, spelt."""

    place: Place
    data: bytes


class Arrived(msgspec.Struct):
    """An entry that has come, as viewers are told of it."""

    frame: Frame
    step: dict[str, object]
    taken: tuple[int, ...]
    """Entries of the page that do not count any more."""
    boxes: tuple[str, ...] | None = None
    """What is seen of each board, where that is more than before."""
    legend: tuple[tuple[Element, str], ...] = ()
    """What occurs for the first time: what it looks like, and what it means."""


class View:
    """A game as certain eyes see it, told from a recent entry on."""

    def __init__(self, eyes: str | None, *, speaks: bool = False) -> None:
        """`speaks`: whether its phone may."""
        self.eyes, self.speaks = eyes, speaks
        self._telling = 0
        self._reading: Reading | None = None
        self._story: Story | None = None
        self._told: Told | None = None
        self._news: list[News] = []
        self._taken: set[int] = set()
        self._page = b""

    def update(self, game: Game, reading: Reading) -> None:
        """Go on with what was read; BrokenError."""
        if reading is self._reading:
            return
        story, told = self._story, self._told
        if not (story and told and self._goes_on(game, reading) and self._went_on(game, reading, story, told)):
            self._tell_anew(game, reading)
        self._reading, self._page = reading, b""

    def page(self) -> bytes:
        """The whole of it, as it stands."""
        assert self._story and self._told, "a view is updated first"
        if not self._page:
            steps = tuple(msgspec.structs.replace(it, in_force=it.n not in self._taken) for it in self._story.steps)
            story = msgspec.structs.replace(self._story, steps=steps)
            self._page = page_of(story, self._told, str(self._last), self.eyes, speaks=self.speaks).encode()
        return self._page

    def since(self, place: Place) -> Sequence[News] | None:
        """What came after a place; None: it is no place of this telling."""
        last = self._last
        back = last.n - place.n
        if place.telling != last.telling or not 0 <= back <= len(self._news):
            return None
        return self._news[len(self._news) - back :]

    @property
    def _last(self) -> Place:
        assert self._story, "a view is updated first"
        return Place(self._telling, self._story.steps[-1].n)

    def _goes_on(self, game: Game, reading: Reading) -> bool:
        """Whether this log is the one that is told, or that and more."""
        before = self._reading
        if before is None or before.era != reading.era or before.entries > reading.entries:
            return False
        return game.hash_at(before.entries - 1) == before.head

    def _tell_anew(self, game: Game, reading: Reading) -> None:
        self._story = game.story(self.eyes, max(0, reading.entries - 1 - LATELY))
        self._told = Told(self._story.steps)
        self._taken = {step.n for step in self._story.steps if not step.in_force}
        self._news = []
        self._telling += 1

    def _went_on(self, game: Game, reading: Reading, story: Story, told: Told) -> bool:
        """Tell what is new; False: it does not fit on the boards that are shown."""
        known = story.steps[-1].n + 1
        if known == reading.entries:
            return True
        more, shown = game.story(self.eyes, known), told.shown()
        self._take_back(reading, more)
        for step in more.steps:
            arrived = _arrived(step, told, more, tuple(sorted(self._taken)))
            if told.shown() != shown:
                return False
            self._news.append(News(Place(self._telling, step.n), msgspec.json.encode(arrived)))
        rules = {**story.rules, **more.rules}
        self._story = msgspec.structs.replace(more, steps=(*story.steps, *more.steps), rules=rules, whole=story.whole)
        return True

    def _take_back(self, reading: Reading, more: Story) -> None:
        """What was taken back since, and what was brought back."""
        before = self._reading.in_force if self._reading else frozenset()
        self._taken |= (before - reading.in_force) | {step.n for step in more.steps if not step.in_force}
        self._taken -= reading.in_force


def _arrived(step: Step, told: Told, story: Story, taken: tuple[int, ...]) -> Arrived:
    boxes, known = told.boxes.spelt(), set(told.legend)
    frame = told.add(step)
    rules = {number: story.rules[number] for number in step.rules if number in story.rules}
    return Arrived(
        frame,
        {"n": step.n, "part": step.part, "said": step.said, "told": step.told, "chances": step.chances, "rules": rules},
        taken,
        None if told.boxes.spelt() == boxes else told.boxes.spelt(),
        tuple((drawn_sample(it.legend[0]), means) for means, it in told.legend.items() if means not in known),
    )
