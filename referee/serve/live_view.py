"""The page for one seat or for everybody, and the news that follow it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from referee.page.document import PageBuilder
from referee.page.frames import Frame
from referee.page.page_model import Story, StoryStep
from referee.page.qr_text import draw_qr_codes
from referee.serve.live_page import LastEntry, render_live_page
from referee.serve.watched_log import LogReading, WatchedGame
from referee.show.element import Element
from referee.show.legend import draw_sample as drawn_sample

RECENT_ENTRIES = 40
"""The number of last entries with which a page begins. New ones are added to it."""
MAX_DIGITS = 9
"""The most digits of a number in a viewer's position."""


class ViewerProgress(NamedTuple):
    """A viewer's progress: the version of the page, and the last entry `n` that it shows.

    The number of the version changes whenever all viewers must load the page again.
    """

    page_version: int
    n: int

    def __str__(self) -> str:
        return f"{self.page_version}.{self.n}"


def parse_viewer_progress(text: str) -> ViewerProgress | None:
    """Parses the progress that a viewer's page sends; None if the text has another form."""
    page_version, _, n = text.partition(".")
    is_progress = all(one.isascii() and one.isdecimal() and len(one) <= MAX_DIGITS for one in (page_version, n))
    return ViewerProgress(int(page_version), int(n)) if is_progress else None


class EntryNews(NamedTuple):
    """The news of one entry: the viewer's progress after it, and an `EntryMessage` as JSON."""

    progress: ViewerProgress
    data: bytes


class EntryMessage(msgspec.Struct):
    """The message to viewers about a new entry."""

    frame: Frame
    step: dict[str, object]
    taken: tuple[int, ...]
    """The numbers of the page's entries that no longer count."""
    witness: str
    """The number of the entry and the words of its hash."""
    checkpoint: str
    """The checkpoint of the entry, which browsers remember."""
    is_over: bool
    """True if the game is over."""
    boxes: tuple[str, ...] | None = None
    """The visible area of each board, if one has grown."""
    legend: tuple[tuple[Element, str], ...] = ()
    """Samples of colours and shapes that occur for the first time, with their meaning."""


class LiveView:
    """A game as one seat or everybody sees it, from a recent entry on."""

    def __init__(self, eyes: str | None, *, may_act: bool = False) -> None:
        """`eyes` is the seat, or None for everybody. `may_act` is True if a player may act on this seat's phone."""
        self.eyes, self.may_act = eyes, may_act
        self._page_version = 0
        self._reading: LogReading | None = None
        self._story: Story | None = None
        self._builder: PageBuilder | None = None
        self._news: list[EntryNews] = []
        self._undone: set[int] = set()
        self._page = b""
        self._witness = ""
        """The number of the last entry and the words of its hash."""
        self._checkpoints: tuple[str, ...] = ()
        """The checkpoints of all entries of the page."""

    def update(self, game: WatchedGame, reading: LogReading) -> None:
        """Updates the view to a new reading of the log. Raises UnreadableLogError."""
        if reading is self._reading:
            return
        story, builder = self._story, self._builder
        if not (
            story and builder and self._continues_log(game, reading) and self._add_news(game, reading, story, builder)
        ):
            self._restart(game, reading)
        self._reading, self._page = reading, b""
        self._witness = game.format_witness(self._last.n)
        assert self._story, "there is a story by now"
        self._checkpoints = tuple(game.format_checkpoint(step.n) for step in self._story.steps)

    def render_page(self) -> bytes:
        """Returns the whole page as it is now."""
        assert self._story and self._builder, "a view is updated first"
        if not self._page:
            steps = tuple(
                msgspec.structs.replace(step, in_force=step.n not in self._undone) for step in self._story.steps
            )
            story = msgspec.structs.replace(self._story, steps=steps)
            is_over = self._reading is not None and self._reading.is_over
            last = LastEntry(str(self._last), self._witness, self._checkpoints, is_over=is_over)
            self._page = render_live_page(story, self._builder, last, self.eyes, may_act=self.may_act).encode()
        return self._page

    def draw_checkpoint_code(self) -> str:
        """Returns the checkpoint of the last entry as a QR code in SVG."""
        assert self._story, "a view is updated first"
        return draw_qr_codes(self._checkpoints[-1:], f"{self._story.title}, entry {self._witness}")

    def list_news_since(self, progress: ViewerProgress) -> Sequence[EntryNews] | None:
        """Returns the news after a viewer's progress; None if the viewer must load the page again."""
        last = self._last
        back = last.n - progress.n
        if progress.page_version != last.page_version or not 0 <= back <= len(self._news):
            return None
        return self._news[len(self._news) - back :]

    @property
    def _last(self) -> ViewerProgress:
        assert self._story, "a view is updated first"
        return ViewerProgress(self._page_version, self._story.steps[-1].n)

    def _continues_log(self, game: WatchedGame, reading: LogReading) -> bool:
        """True if the log is the one that the page shows, unchanged or longer."""
        before = self._reading
        if before is None or before.text_version != reading.text_version or before.entry_count > reading.entry_count:
            return False
        return game.hash_at(before.entry_count - 1) == before.head

    def _restart(self, game: WatchedGame, reading: LogReading) -> None:
        self._story = game.tell_story(self.eyes, max(0, reading.entry_count - 1 - RECENT_ENTRIES))
        self._builder = PageBuilder(self._story.steps)
        self._undone = {step.n for step in self._story.steps if not step.in_force}
        self._news = []
        self._page_version += 1

    def _add_news(self, game: WatchedGame, reading: LogReading, story: Story, builder: PageBuilder) -> bool:
        """Adds the news of all new entries. Returns False if they need other boards than the page has."""
        known = story.steps[-1].n + 1
        if known == reading.entry_count:
            return True
        more, shown = game.tell_story(self.eyes, known), builder.list_boards()
        self._take_back(reading, more)
        for step in more.steps:
            arrived = _make_message(step, builder, more, tuple(sorted(self._undone)), game, is_over=reading.is_over)
            if builder.list_boards() != shown:
                return False
            self._news.append(EntryNews(ViewerProgress(self._page_version, step.n), msgspec.json.encode(arrived)))
        rules = {**story.rules, **more.rules}
        self._story = msgspec.structs.replace(
            more, steps=(*story.steps, *more.steps), rules=rules, is_whole=story.is_whole
        )
        return True

    def _take_back(self, reading: LogReading, more: Story) -> None:
        """Updates `_undone`, the numbers of all entries that are taken back now. `more` is the story of the new
        entries.
        """
        before = self._reading.in_force if self._reading else frozenset()
        self._undone |= (before - reading.in_force) | {step.n for step in more.steps if not step.in_force}
        self._undone -= reading.in_force


def _make_message(
    step: StoryStep, builder: PageBuilder, story: Story, undone: tuple[int, ...], game: WatchedGame, *, is_over: bool
) -> EntryMessage:
    boxes, known = builder.view_boxes.format_view_boxes(), set(builder.legend)
    frame = builder.add_step(step)
    rules = {number: story.rules[number] for number in step.rules if number in story.rules}
    return EntryMessage(
        frame,
        {
            "n": step.n,
            "part": step.headline,
            "said": step.entry_text,
            "told": step.event_texts,
            "chances": step.chances,
            "rules": rules,
        },
        undone,
        game.format_witness(step.n),
        game.format_checkpoint(step.n),
        is_over,
        None if builder.view_boxes.format_view_boxes() == boxes else builder.view_boxes.format_view_boxes(),
        tuple((drawn_sample(scene.legend[0]), means) for means, scene in builder.legend.items() if means not in known),
    )
