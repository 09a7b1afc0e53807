"""The page of a story: HTML that is read without script, and what its script needs beside it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import groupby

import msgspec
from msgspec.structs import replace

from referee.engine.scene import Hatching, Scene
from referee.engine.text import count_of, printable
from referee.page.data import PROVING, STEPPING, policy, script, style
from referee.page.frames import Boxes, Drawn, Frame, Named, drawn_step, frame_of, sharing
from referee.page.packed import packed
from referee.page.still import short, written
from referee.page.story import Step, Story
from referee.page.taken import FILE_BEGINS, FILE_ENDS, FORM, LOG_BEGINS, LOG_ENDS, Settings, settings_line
from referee.page.through import line_of_chances, line_of_luck
from referee.show.drawing import HATCHINGS, LAYERS, Parts, patterns
from referee.show.element import Element
from referee.show.legend import drawn as drawn_sample
from referee.show.legend import samples
from referee.show.svg import captions


def page_of(story: Story) -> str:
    """The whole page; a line of it belongs to one entry at most."""
    told = Told(story.steps)
    styles, proving, stepping = style(), script(*PROVING), script(*STEPPING)
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy((proving, stepping), styles)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        settings_line(_settings(story)),
        f"<title>{text(story.title)}: {text(', '.join(story.players))}</title>",
        f"<style>{styles}</style>",
        *_head(story),
        "<main>",
        *told.table(changed=told.changed(), lines=_lines(story) if story.whole else ()),
        *sections(story.steps),
        "</main>",
        *rules_of(story.rules),
        *_log(story),
        *_files(story.files),
        packed("frames", data_of(told)),
        packed("steps", stepping),
        f"<script>{proving}</script>",
        "</html>",
    ]
    return "\n".join(lines) + "\n"


def text(words: str) -> str:
    """Words as they may stand in HTML: markup in them shows as text, and so does what cannot be shown."""
    return escape(printable(words))


def data_of(told: Told) -> str:
    """Frames as JSON, one a line."""
    shared, frames = told.frames()
    lines = ",\n".join(msgspec.json.encode(frame).decode() for frame in frames)
    return f'{{"shared":{msgspec.json.encode(shared).decode()},"frames":[\n{lines}\n]}}'


def _settings(story: Story) -> Settings:
    first = story.steps[0].n if not story.whole else 0
    judged = " ".join(f"{one.n}:{one.chance}:{one.cost}" for one in story.judged)
    return Settings(story.version, story.eyes, first, FORM, judged)


def _lines(story: Story) -> Iterator[str]:
    """What went through the whole game: luck, and chances to win."""
    yield from line_of_luck(story.steps)
    yield from line_of_chances(story.steps, story.judged)


def _head(story: Story) -> Iterator[str]:
    whose = f"As {story.eyes} sees it" if story.eyes else "What everybody may know"
    yield f"<header><h1>{text(story.title)}</h1>"
    yield f"<p>{text('. '.join([', '.join(story.players), *story.facts, whose]))}.</p>"
    yield (
        '<div id="verdict"><p id="checked" role="status">Nothing is checked: this takes a browser with script.</p>'
        "<details><summary>What this tells</summary>"
        '<div id="proved"><p>To judge everything: <code>referee audit</code> and this file.</p></div>'
        "</details></div></header>"
    )


class Told:
    """The steps of a story, drawn once; more can be told later."""

    def __init__(self, steps: Iterable[Step]) -> None:
        self.boxes = Boxes()
        self.legend: dict[str, Scene] = {}
        """What occurs, by its meaning; each with the one sample that shows it."""
        self.last: Drawn | None = None
        """The last board."""
        self._hatchings: set[Hatching] = set()
        self._found: list[Frame] = []
        self._scene: Scene | None = None
        for step in steps:
            self.add(step)
        assert self._found, "a story has a step"

    def add(self, step: Step) -> Frame:
        """Tell one more; what has to be drawn for it."""
        drawn = drawn_step(step, self._scene)
        frame = frame_of(step.n, self.last, drawn)
        self._found.append(frame)
        self.last, self._scene = drawn, step.scene
        self._look(drawn.scene)
        return frame

    def frames(self) -> tuple[tuple[Element, ...], tuple[Frame, ...]]:
        """The shared elements, and the frames, the first of which begins with the board in the page."""
        first, *others = self._found
        return sharing((self._first(first), *others))

    def shown(self) -> tuple[tuple[str, bool], ...]:
        """The name of each board, and whether there is anything to draw on it."""
        if self.last is None:
            return ()
        return tuple(
            (page.name, bool(drawn)) for page, drawn in zip(self.last.scene.pages, self.last.boards, strict=True)
        )

    def _look(self, scene: Scene) -> None:
        self.boxes.add(scene.pages)
        self._hatchings |= {it.hatching for page in scene.pages for it in page.polygons if it.hatching}
        for sample in samples(scene):
            self.legend.setdefault(sample.means, replace(scene, legend=(sample,)))

    def _first(self, frame: Frame) -> Frame:
        """The first frame as it differs from the last board, which stands in the page."""
        drawn = {(at, key): part for at, key, part in frame.drawn}
        boards = self.last.boards if self.last else ()
        stands = {(at, key): part for at, board in enumerate(boards) for key, part in board.items()}
        return replace(
            frame,
            drawn=tuple((*name, part) for name, part in drawn.items() if stands.get(name) != part),
            gone=tuple(name for name in stands if name not in drawn),
        )

    def changed(self) -> set[Named]:
        """The parts that some frame exchanges."""
        _, frames = self.frames()
        drawn = {(at, key) for frame in frames for at, key, _ in frame.drawn}
        return drawn.union(*(frame.gone for frame in frames))

    def table(self, changed: Container[Named] | None = None, lines: Iterable[str] = ()) -> Iterator[str]:
        """The board as it stands at last, and what is beside it. `changed`: parts that need keys; None: all do.
        `lines`: what goes through the game, under the steps.
        """
        assert self.last is not None, "a story has a step"
        scene = self.last.scene
        yield '<section id="table" aria-label="Board">'
        yield f'<p id="heading">{text(scene.heading)}</p>'
        yield f'<p id="status">{text(scene.title)}</p>'
        yield '<figure id="board">'
        yield _hidden(patterns(HATCHINGS if changed is None else self._hatchings))
        for at, (page, drawn) in enumerate(zip(scene.pages, self.last.boards, strict=True)):
            still = [key for key in drawn if changed is not None and (at, key) not in changed]
            yield from board(at, page.name, drawn, self.boxes.spelt()[at], frozenset(still))
        plain = self.last.plain()
        if plain:
            lines = "\n".join(map(text, plain))
            yield f'<pre id="plain">{lines}</pre>'
        yield "</figure>"
        yield '<div id="controls" hidden></div>'
        yield from lines
        yield '<div id="said" aria-live="polite"></div><div id="extras" hidden></div>'
        yield '<ul id="beside">'
        yield from (f"<li>{text(line)}</li>" for line in captions(scene))
        yield "</ul>"
        yield from legend(self.legend.values())
        yield "</section>"


def _hidden(defined: Element) -> str:
    return f'<svg class="defined" width="0" height="0" aria-hidden="true">{short(defined)}</svg>'


def board(at: int, name: str, drawn: Parts, box: str, still: Container[str] = ()) -> Iterator[str]:
    """A board with its parts under their keys, which a script exchanges; nothing where nothing is drawn. Parts that
    stay `still` have no keys.
    """
    if not drawn:
        return
    yield f'<div class="board">{f"<p>{text(name)}</p>" if name else ""}'
    label = f'role="img" aria-label="{text(name or "The board")}"'
    yield f'<svg class="page" data-board="{at}" viewBox="{box}" {label} font-family="sans-serif">'
    for layer, common in LAYERS.items():
        shared = "".join(f' {name}="{escape(value)}"' for name, value in common.items())
        yield f'<g data-layer="{layer}"{shared}>'
        parts = ((key, part) for key, part in drawn.items() if key.split(" ", 1)[0] == layer)
        yield from written(("" if key in still else key, part) for key, part in parts)
        yield "</g>"
    yield "</svg></div>"


def legend(found: Iterable[Scene]) -> Iterator[str]:
    """Samples of what occurs, with what they mean."""
    yield '<details id="legend"><summary>What the colours and shapes mean</summary><ul>'
    for scene in found:
        (sample,) = scene.legend
        shown = "".join(written([("", drawn_sample(sample))]))
        yield f'<li><svg viewBox="0 -.5 1.2 1" aria-hidden=true>{shown}</svg>{text(sample.means)}'
    yield "</ul></details>"


# The record


def sections(steps: Iterable[Step]) -> Iterator[str]:
    """The game as headed text, part by part; what was taken back is folded away."""
    yield '<section id="record" aria-label="Record">'
    for part, some in groupby(steps, key=lambda step: step.part):
        yield f"<section class=part><h2>{text(part)}</h2>"
        for in_force, several in groupby(some, key=lambda step: step.in_force):
            yield from _listed(tuple(several), in_force)
        yield "</section>"
    yield "</section>"


def _listed(steps: tuple[Step, ...], in_force: bool) -> Iterator[str]:
    if not in_force:
        yield f"<details><summary>{count_of(len(steps), 'entry', 'entries')} taken back</summary>"
    yield "<ul>"
    yield from map(_step, steps)
    yield "</ul>"
    if not in_force:
        yield "</details>"


def _step(step: Step) -> str:
    """An entry. Where the end of something goes without saying, it is not said: there are thousands of lines."""
    told = "".join(f"<p>{text(line)}" for line in step.told)
    told += "".join(f"<p class=chance>{text(line)}" for line in step.chances)
    rules = f"<p class=rules>{text(', '.join(step.rules))}" if step.rules else ""
    return f"<li id=n{step.n}><a href=#n{step.n}><b>{step.n}</b> {text(step.said)}</a>{told}{rules}"


def rules_of(rules: Mapping[str, str]) -> Iterator[str]:
    """What these rules say, by their numbers."""
    yield '<details id="rules"><summary>The rules that these plays rest on</summary><dl>'
    for number, words in sorted(rules.items()):
        yield f'<dt data-rule="{text(number)}">{text(number)}</dt><dd>{text(words)}</dd>'
    yield "</dl></details>"


def _log(story: Story) -> Iterator[str]:
    yield '<details id="source"><summary>The log of this game, which the page carries</summary>'
    yield "<p>To judge it: <code>referee audit</code> and this file; to play on: <code>referee use</code>. "
    yield f"Written by referee {text(story.version)}.</p>"
    yield f"{LOG_BEGINS}{escape(story.log, quote=False)}{LOG_ENDS}</details>"


def _files(files: Sequence[str]) -> Iterator[str]:
    """The players' own files, which the header of the log names by their SHA-256."""
    if files:
        yield '<details id="files"><summary>The players\' own files, which the page carries</summary>'
        yield from (f"{FILE_BEGINS}{escape(file, quote=False)}{FILE_ENDS}" for file in files)
        yield "</details>"
