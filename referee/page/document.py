"""The page of a story: HTML that can be read without a script, and the data for its script."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import groupby

import msgspec
from msgspec.structs import replace

from referee.engine.scene import Hatching, Scene
from referee.engine.text import count_of, make_printable
from referee.page.compression import pack_element
from referee.page.frames import DrawnBoards, Frame, PartName, ViewBoxes, draw_step, extract_shared_elements, make_frame
from referee.page.page_assets import PROOF_SCRIPTS, REPLAY_SCRIPTS, load_script, load_style, make_security_policy
from referee.page.page_model import Story, StoryStep
from referee.page.page_parsing import (
    FILE_BEGINS,
    FILE_ENDS,
    LEDGER_PAGE_FORM,
    LOG_BEGINS,
    LOG_ENDS,
    PAGE_FORM,
    PageSettings,
    render_settings,
)
from referee.page.sparklines import draw_chances_sparkline, draw_luck_sparkline
from referee.page.svg_compaction import compact_attributes, compact_layer, compact_svg
from referee.record.table.ledger import FamilyRolls
from referee.show.drawing import HATCHING_PATHS, LAYERS, DrawnParts, define_patterns
from referee.show.element import Element
from referee.show.legend import draw_sample as drawn_sample
from referee.show.legend import list_samples
from referee.show.svg import list_svg_captions


def render_page(story: Story) -> str:
    """Returns the whole page as HTML. No line of it belongs to two entries."""
    builder = PageBuilder(story.steps)
    styles, proving, stepping = load_style(), load_script(*PROOF_SCRIPTS), load_script(*REPLAY_SCRIPTS)
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{make_security_policy((proving, stepping), styles)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        render_settings(_make_settings(story)),
        f"<title>{escape_html(story.title)}: {escape_html(', '.join(story.players))}</title>",
        f"<style>{styles}</style>",
        *_render_head(story),
        "<main>",
        *builder.render_board_area(
            changed=builder.find_changed_parts(), charts=_draw_charts(story) if story.is_whole else ()
        ),
        *render_record(story.steps),
        "</main>",
        "<footer>",
        *render_rules(story.rules),
        *_render_ledger(story.ledger),
        *_render_log(story),
        *_render_files(story.files),
        "</footer>",
        pack_element("frames", encode_frames(builder)),
        pack_element("steps", stepping),
        f"<script>{proving}</script>",
        "</html>",
    ]
    return "\n".join(lines) + "\n"


def escape_html(words: str) -> str:
    """Escapes words for HTML, in text or between double quotes. Markup and invisible characters become visible."""
    return escape(make_printable(words), quote=False).replace('"', "&quot;")


def encode_frames(builder: PageBuilder) -> str:
    """Returns the frames and their shared elements as JSON, one frame on each line."""
    shared, frames = builder.collect_frames()
    lines = ",\n".join(msgspec.json.encode(frame).decode() for frame in frames)
    return f'{{"shared":{msgspec.json.encode(shared).decode()},"frames":[\n{lines}\n]}}'


def _make_settings(story: Story) -> PageSettings:
    first = story.steps[0].n if not story.is_whole else 0
    judged = " ".join(f"{one.n}:{one.chance}:{one.cost}" for one in story.evaluations)
    family = story.family_rolls if story.family_rolls != FamilyRolls() else None
    return PageSettings(story.version, story.eyes, first, choose_page_form(story), judged, family)


def choose_page_form(story: Story) -> int:
    """Returns the number of the form in which the page of a story is made."""
    return LEDGER_PAGE_FORM if story.ledger else PAGE_FORM


def _draw_charts(story: Story) -> Iterator[str]:
    """Yields the small charts of the whole game: luck and chances to win."""
    yield from draw_luck_sparkline(story.steps)
    yield from draw_chances_sparkline(story.steps, story.evaluations)


def _render_head(story: Story) -> Iterator[str]:
    whose = f"As {story.eyes} sees it" if story.eyes else "What everybody may know"
    yield f"<header><h1>{escape_html(story.title)}</h1>"
    yield f"<p>{escape_html('. '.join([', '.join(story.players), *story.facts, whose]))}.</p>"
    if story.treaty:
        yield '<ul id="treaty">'
        yield from (f"<li>{escape_html(line)}" for line in story.treaty)
        yield "</ul>"
    yield (
        '<div id="verdict"><p id="checked" role="status">Nothing is checked: this takes a browser with script.</p>'
        "<details><summary>What this tells</summary>"
        '<div id="proved"><p>To judge everything: <code>referee audit</code> and this file.</p></div>'
        "</details></div></header>"
    )


class PageBuilder:
    """The steps of a story, each drawn once. More steps can be added later."""

    def __init__(self, steps: Iterable[StoryStep]) -> None:
        self.view_boxes = ViewBoxes()
        self.legend: dict[str, Scene] = {}
        """The legend: for each meaning, a small scene with nothing but the sample for it."""
        self.last_boards: DrawnBoards | None = None
        """The boards after the last step, in parts."""
        self._hatchings: set[Hatching] = set()
        self._frames: list[Frame] = []
        self._scene: Scene | None = None
        for step in steps:
            self.add_step(step)
        assert self._frames, "a story has a step"

    def add_step(self, step: StoryStep) -> Frame:
        """Adds one more step and returns its frame."""
        drawn = draw_step(step, self._scene)
        frame = make_frame(step.n, self.last_boards, drawn)
        self._frames.append(frame)
        self.last_boards, self._scene = drawn, step.scene
        self._collect_legend(drawn.scene)
        return frame

    def collect_frames(self) -> tuple[tuple[Element, ...], tuple[Frame, ...]]:
        """Returns the shared elements and the frames.

        The page shows the last board, so the first frame holds the changes from that board.
        """
        first, *others = self._frames
        return extract_shared_elements((self._rebase_frame(first), *others))

    def list_boards(self) -> tuple[tuple[str, bool], ...]:
        """Returns the name of each board, each with True if there is anything to draw on it."""
        if self.last_boards is None:
            return ()
        return tuple(
            (page.name, bool(drawn))
            for page, drawn in zip(self.last_boards.scene.pages, self.last_boards.boards, strict=True)
        )

    def _collect_legend(self, scene: Scene) -> None:
        self.view_boxes.enlarge_to_fit(scene.pages)
        self._hatchings |= {polygon.hatching for page in scene.pages for polygon in page.polygons if polygon.hatching}
        for sample in list_samples(scene):
            self.legend.setdefault(sample.means, replace(scene, legend=(sample,)))

    def _rebase_frame(self, frame: Frame) -> Frame:
        """Returns the first frame as the changes from the last board, which the page shows."""
        drawn = {(at, key): part for at, key, part in frame.drawn}
        boards = self.last_boards.boards if self.last_boards else ()
        stands = {(at, key): part for at, board in enumerate(boards) for key, part in board.items()}
        return replace(
            frame,
            drawn=tuple((*name, part) for name, part in drawn.items() if stands.get(name) != part),
            gone=tuple(name for name in stands if name not in drawn),
        )

    def find_changed_parts(self) -> set[PartName]:
        """Returns the names of the parts that some frame draws or removes."""
        _, frames = self.collect_frames()
        drawn = {(at, key) for frame in frames for at, key, _ in frame.drawn}
        return drawn.union(*(frame.gone for frame in frames))

    def render_board_area(
        self, changed: Container[PartName] | None = None, charts: Iterable[str] = ()
    ) -> Iterator[str]:
        """Yields the last board, room for the controls, the charts below the board, and the legend.

        `changed` are the parts that a script exchanges later, so they need keys; None for all parts. `charts` are those
        of the whole game, as HTML.
        """
        assert self.last_boards is not None, "a story has a step"
        scene = self.last_boards.scene
        yield '<section id="table" aria-label="Board">'
        yield f'<p id="heading">{escape_html(scene.heading)}'
        yield f'<p id="status">{escape_html(scene.title)}'
        yield '<figure id="board">'
        hatchings = HATCHING_PATHS if changed is None else self._hatchings
        if hatchings:
            yield _render_hidden_svg(define_patterns(hatchings))
        for at, (page, drawn) in enumerate(zip(scene.pages, self.last_boards.boards, strict=True)):
            still = [key for key in drawn if changed is not None and (at, key) not in changed]
            yield from render_board(at, page.name, drawn, self.view_boxes.format_view_boxes()[at], frozenset(still))
        plain = self.last_boards.draw_text_fallback()
        if plain:
            text = "\n".join(map(escape_html, plain))
            yield f'<pre id="plain">{text}</pre>'
        yield "</figure>"
        yield '<div id="controls" hidden></div>'
        yield from charts
        yield '<div id="said" aria-live="polite"></div><div id="extras" hidden></div>'
        yield '<ul id="beside">'
        yield from (f"<li>{escape_html(line)}" for line in list_svg_captions(scene))
        yield "</ul>"
        yield from render_legend(self.legend.values())
        yield "</section>"


def _render_hidden_svg(defined: Element) -> str:
    return f'<svg class="defined" width="0" height="0" aria-hidden="true">{compact_svg(defined)}</svg>'


def render_board(board: int, name: str, drawn: DrawnParts, box: str, fixed: Container[str] = ()) -> Iterator[str]:
    """Yields a board as SVG whose parts have keys, so that a script can exchange them; nothing if it has no parts.

    `board` is the number of the board. Parts whose key is in `fixed` never change, and so get no key.
    """
    if not drawn:
        return
    yield f'<div class="board">{f"<p>{escape_html(name)}</p>" if name else ""}'
    label = f'role="img" aria-label="{escape_html(name or "The board")}"'
    yield f'<svg class="page" data-board="{board}" viewBox="{box}" {label}>'
    for layer, common in LAYERS.items():
        yield f"<g{compact_attributes({'data-layer': layer, **common})}>"
        parts = ((key, part) for key, part in drawn.items() if key.split(" ", 1)[0] == layer)
        yield from compact_layer(("" if key in fixed else key, part) for key, part in parts)
        yield "</g>"
    yield "</svg></div>"


def render_legend(scenes: Iterable[Scene]) -> Iterator[str]:
    """Yields the legend. Each scene holds one sample, which is drawn beside its meaning."""
    yield '<details id="legend"><summary>What the colours and shapes mean</summary><ul>'
    for scene in scenes:
        (sample,) = scene.legend
        shown = "".join(compact_layer([("", drawn_sample(sample))]))
        yield f'<li><svg viewBox="0 -.5 1.2 1" aria-hidden=true>{shown}</svg>{escape_html(sample.means)}'
    yield "</ul></details>"


# The record


def render_record(steps: Iterable[StoryStep]) -> Iterator[str]:
    """Yields the game as text with headings. Entries that were taken back are folded away."""
    yield '<section id="record" aria-label="Record">'
    for part, some in groupby(steps, key=lambda step: step.headline):
        yield f"<section class=part><h2>{escape_html(part)}</h2>"
        for in_force, several in groupby(some, key=lambda step: step.in_force):
            yield from _render_entries(tuple(several), in_force)
        yield "</section>"
    yield "</section>"


def _render_entries(steps: tuple[StoryStep, ...], in_force: bool) -> Iterator[str]:
    if not in_force:
        yield f"<details><summary>{count_of(len(steps), 'entry', 'entries')} taken back</summary>"
    yield "<ul>"
    yield from map(_render_step, steps)
    yield "</ul>"
    if not in_force:
        yield "</details>"


def _render_step(step: StoryStep) -> str:
    """Returns one entry as HTML, with its rules in a `div`.

    Closing tags that HTML does not need are left out, because there are thousands of lines.
    """
    events = "".join(f"<p>{escape_html(line)}" for line in step.event_texts)
    events += "".join(f"<p class=chance>{escape_html(line)}" for line in step.chances)
    rules = f"<div>{escape_html(', '.join(step.rules))}" if step.rules else ""
    return f"<li id=n{step.n}><a href=#n{step.n}><b>{step.n}</b> {escape_html(step.entry_text)}</a>{events}{rules}"


def render_rules(rules: Mapping[str, str]) -> Iterator[str]:
    """Yields these rules with their numbers."""
    yield '<details id="rules"><summary>The rules that these plays rest on</summary><dl>'
    for number, words in sorted(rules.items()):
        yield f'<dt data-rule="{escape_html(number)}">{escape_html(number)}<dd>{escape_html(words)}'
    yield "</dl></details>"


def _render_ledger(rolls: Sequence[str]) -> Iterator[str]:
    if rolls:
        yield f'<details id="ledger"><summary>{count_of(len(rolls), "roll")} of all seats together</summary><ul>'
        yield from (f"<li>{escape_html(line)}" for line in rolls)
        yield "</ul></details>"


def _render_log(story: Story) -> Iterator[str]:
    yield '<details id="source"><summary>The log of this game</summary>'
    yield "<p>To play on: <code>referee use</code>. "
    yield f"Written by referee {escape_html(story.version)}.</p>"
    yield f"{LOG_BEGINS}{escape(story.log, quote=False)}{LOG_ENDS}</details>"


def _render_files(files: Sequence[str]) -> Iterator[str]:
    """Yields the players' own files, which the log's header names by SHA-256."""
    if files:
        yield '<details id="files"><summary>The players\' own files</summary>'
        yield from (f"{FILE_BEGINS}{escape(file, quote=False)}{FILE_ENDS}" for file in files)
        yield "</details>"
