"""Frames: what has to be drawn to come from one moment to the next, for a page, a live board, and others who draw.

As JSON a frame is

    {"n": 57, "heading": "Turn 7: red to move", "title": "...", "beside": ["..."], "focus": "Street",
     "drawn": [[0, "piece B7", ["g", {"transform": "translate(1.5 2)"}, [...]]]], "gone": [[0, "piece R2"]],
     "glides": [[0, "piece zombie Sd8", "piece zombie Sd7"]]}

A part is called by the number of its board and its key, which begins with its layer: place, trail or piece. An element
is a list of its SVG tag, its attributes, and the elements or the text in it; in place of one that occurs again stands
its number among the `shared` ones. `glides` tells where a part that is new comes from, where it had another key;
what keeps its key glides from where it was. What is left out is as in the frame before, and among the lines of `beside`
a number stands for a line of the frame before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from referee.engine.scene import Frame as Box
from referee.engine.scene import Page, Scene
from referee.engine.trails import followed, moves
from referee.page.story import Step
from referee.show.drawing import Parts, changes, extent, parts
from referee.show.element import Element
from referee.show.svg import captions
from referee.show.text import picture

Part = Element | int
"""An element, or the number of a shared one."""
Named = tuple[int, str]
"""A part: the number of its board, and its key."""


class Frame(Struct, frozen=True, omit_defaults=True):
    """The way from one moment to the next."""

    n: int
    heading: str | None = None
    title: str | None = None
    beside: tuple[str | int, ...] | None = None
    focus: str | None = None
    plain: tuple[str, ...] = ()
    """The board in characters, where a game draws nothing else."""
    drawn: tuple[tuple[int, str, Part], ...] = ()
    gone: tuple[Named, ...] = ()
    glides: tuple[tuple[int, str, str], ...] = ()


class Frames(Struct, frozen=True):
    """A game for those who draw it: boards, and from the first on what changes."""

    boards: tuple[Mapping[str, str], ...]
    """Name of each board, and its `box`: what its SVG shows, as a viewBox."""
    shared: tuple[Element, ...]
    """Elements that occur again and again; none has another in it."""
    frames: tuple[Frame, ...]
    """The first draws everything; the others exchange parts."""


class Drawn:
    """All boards of a moment in parts."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.boards: tuple[Parts, ...] = tuple(parts(page) for page in scene.pages)

    def plain(self) -> tuple[str, ...]:
        """The board in characters, where a game draws nothing else."""
        return () if any(self.boards) else tuple(picture(self.scene))


def _unless(was: str | None, now: str) -> str | None:
    """What is to be written now; None: it stands there already."""
    return None if was == now else now


def frame_of(n: int, before: Drawn | None, after: Drawn) -> Frame:
    """What to draw after entry `n`, where `before` is drawn; None: nothing is."""
    scene, old = after.scene, before.boards if before else ()
    was = before.scene if before else None
    beside, earlier = captions(scene), captions(was) if was else ()
    both = [changes(old[at] if at < len(old) else {}, board) for at, board in enumerate(after.boards)]
    return Frame(
        n,
        _unless(was.heading if was else None, scene.heading),
        _unless(was.title if was else None, scene.title),
        None if was and beside == earlier else tuple(earlier.index(it) if it in earlier else it for it in beside),
        _unless(was.focus if was else None, scene.focus),
        after.plain(),
        tuple((at, key, part) for at, change in enumerate(both) for key, part in change.drawn.items()),
        tuple((at, key) for at, change in enumerate(both) for key in change.gone),
        tuple(_glides(was, scene)) if was else (),
    )


def sharing(frames: Iterable[Frame]) -> tuple[tuple[Element, ...], tuple[Frame, ...]]:
    """The elements that occur more than once, and the frames with their numbers in place of them."""
    found = tuple(frames)
    counts = Counter(_spelt(leaf) for frame in found for _, _, part in frame.drawn for leaf in _leaves(part))
    often = [spelt for spelt, count in counts.items() if count > 1]
    numbers = {spelt: number for number, spelt in enumerate(often)}
    shared = tuple(Element(*msgspec.json.decode(spelt)) for spelt in often)
    return shared, tuple(
        replace(frame, drawn=tuple((at, key, _shared(part, numbers)) for at, key, part in frame.drawn))
        for frame in found
    )


def _leaves(part: Part) -> Iterator[Element]:
    """The elements in a part that have none in them; titles differ."""
    if isinstance(part, Element) and part.tag != "title":
        if not part.inside or isinstance(part.inside, str):
            yield part
        else:
            yield from chain.from_iterable(map(_leaves, part.inside))


def _spelt(leaf: Element) -> bytes:
    return msgspec.json.encode(leaf)


def _shared(part: Part, numbers: Mapping[bytes, int]) -> Part:
    if isinstance(part, int) or part.tag == "title":
        return part
    if part.inside and not isinstance(part.inside, str):
        return part._replace(inside=tuple(_shared(one, numbers) for one in part.inside))
    return numbers.get(_spelt(part), part)


def _glides(before: Scene, after: Scene) -> Iterator[tuple[int, str, str]]:
    for at, (old, new) in enumerate(zip(before.pages, after.pages, strict=False)):
        for move in moves(old, new):
            if move.before and move.after and _key(move.before) != _key(move.after):
                yield at, _key(move.after), _key(move.before)


def _key(piece: object) -> str:
    return f"piece {getattr(piece, 'key', '') or getattr(piece, 'label', '')}"


def drawn_steps(steps: Iterable[Step]) -> Iterator[tuple[Step, Drawn]]:
    """Each step in parts, with trails of what it has changed."""
    before: Scene | None = None
    for step in steps:
        yield step, drawn_step(step, before)
        before = step.scene


def drawn_step(step: Step, before: Scene | None) -> Drawn:
    """A step in parts, with trails of what it has changed; `before`: the board of the step before."""
    earlier = step.since or before
    return Drawn(followed(earlier, step.scene) if earlier else step.scene)


def frames_of(steps: Iterable[Step]) -> Frames:
    """All frames of a story."""
    frames, boxes, names, before = list[Frame](), Boxes(), tuple[str, ...](), None
    for step, drawn in drawn_steps(steps):
        frames.append(frame_of(step.n, before, drawn))
        names, before = tuple(page.name for page in drawn.scene.pages), drawn
        boxes.add(drawn.scene.pages)
    boards = ({"name": name, "box": box} for name, box in zip(names, boxes.spelt(), strict=True))
    return Frames(tuple(boards), *sharing(frames))


class Boxes:
    """What has to be seen of each board, so that all moments fit."""

    def __init__(self) -> None:
        self.boxes: list[Box] = []

    def add(self, pages: Iterable[Page]) -> None:
        """Make room for these pages."""
        for at, page in enumerate(pages):
            box = extent(page)
            if at == len(self.boxes):
                self.boxes.append(box)
            left, top, right, bottom = self.boxes[at]
            self.boxes[at] = min(left, box[0]), min(top, box[1]), max(right, box[2]), max(bottom, box[3])

    def spelt(self) -> tuple[str, ...]:
        """Each as the viewBox of an SVG."""
        return tuple(f"{x:.2f} {y:.2f} {right - x:.2f} {bottom - y:.2f}" for x, y, right, bottom in self.boxes)
